"""Checkpoints: a learner's state in a file. A file that was cut short or changed is detected.

It is a safetensors file: the arrays are tensors, the rest is JSON in its metadata, with a digest of all bytes.
"""

import hashlib
import json
import re
from pathlib import Path

import msgspec
import numpy as np
import safetensors
import safetensors.numpy
from msgspec import Struct

from ludus.files import write_atomically
from ludus.learning import State

FORMAT = "ludus-checkpoint-1"
# Quotes in other metadata are escaped, so this is found only once.
DIGEST = re.compile(rb'"sha256":"([0-9a-f]{64})"')
BLANK = "0" * 64  # in place of the digest while it is computed


class BadCheckpoint(ValueError):
    """The file is not what was written; the message says how."""


class Checkpoint(Struct, frozen=True, kw_only=True):
    """How far a run has come."""

    done: int
    total: int
    stage: str
    note: str
    recorded: int  # size of the record at this point, in bytes
    config: str  # digest of the config: a state fits only the learner that made it
    finished: bool
    open: bool = True  # a run that is longer has this point too
    state: State


def save(checkpoint: Checkpoint, path: Path) -> None:
    """Writes the file; if that fails, an older file stays as it is."""
    state = checkpoint.state
    fields = {name: getattr(checkpoint, name) for name in checkpoint.__struct_fields__ if name != "state"}
    # Not msgspec's JSON, which cannot write the infinities a learner may keep.
    metadata = {FORMAT: json.dumps({**fields, "facts": state.facts}), "sha256": BLANK}
    arrays = {name: np.asarray(array, order="C") for name, array in state.arrays.items()}
    content = safetensors.numpy.save(arrays, metadata)
    digest = hashlib.sha256(content).hexdigest()
    write_atomically(path, content.replace(f'"sha256":"{BLANK}"'.encode(), f'"sha256":"{digest}"'.encode(), 1))


def load(path: Path) -> Checkpoint:
    """Reads a checkpoint. Raises BadCheckpoint."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadCheckpoint(f"{path} cannot be read: {error.strerror}") from error
    found = DIGEST.search(content)
    if not found:
        raise BadCheckpoint(f"{path} is no checkpoint, or a broken one")
    blank = content[: found.start(1)] + BLANK.encode() + content[found.end(1) :]
    if hashlib.sha256(blank).hexdigest() != found[1].decode():
        raise BadCheckpoint(f"{path} has been cut short or changed since it was written")
    try:
        arrays = safetensors.numpy.load(content)
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        fields = json.loads(header["__metadata__"][FORMAT])
        state = State(arrays=arrays, facts=fields.pop("facts"))
        return msgspec.convert({**fields, "state": state}, type=Checkpoint)
    except (safetensors.SafetensorError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadCheckpoint(f"{path} is no checkpoint of this version") from error
