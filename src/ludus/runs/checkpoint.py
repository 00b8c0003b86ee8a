"""Checkpoints: a learner's state in a file that is whole or is noticed to be not.

A safetensors file: the arrays as tensors, all the rest as JSON in its metadata, with a digest of every byte of it.
"""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import safetensors
import safetensors.numpy
from msgspec import Struct

from ludus.files import write_atomically
from ludus.learning import State

FORMAT = "ludus-checkpoint-1"
DIGEST = re.compile(
    rb'"sha256":"([0-9a-f]{64})"'
)  # quotes that stand in other metadata are escaped: it is the only one
NOTHING = "0" * 64  # where the digest will stand, while it is computed


class BadCheckpoint(ValueError):
    """The file is not what was written; says how."""


class Checkpoint(Struct, frozen=True, kw_only=True):
    """Where a run stands."""

    done: int
    total: int
    stage: str
    note: str
    recorded: int  # bytes of the record that belong to what is done
    config: str  # a digest of the config, for a state is of use only to the learner that made it
    finished: bool
    state: State


def save(checkpoint: Checkpoint, path: Path) -> None:
    """Writes it, whole or not at all."""
    state = checkpoint.state
    fields = {name: getattr(checkpoint, name) for name in checkpoint.__struct_fields__ if name != "state"}
    # Not msgspec's JSON, which has no word for the infinities a learner may keep.
    metadata = {FORMAT: json.dumps({**fields, "facts": state.facts}), "sha256": NOTHING}
    arrays = {name: np.asarray(array, order="C") for name, array in state.arrays.items()}
    content = safetensors.numpy.save(arrays, metadata)
    digest = hashlib.sha256(content).hexdigest()
    write_atomically(path, content.replace(f'"sha256":"{NOTHING}"'.encode(), f'"sha256":"{digest}"'.encode(), 1))


def load(path: Path) -> Checkpoint:
    """Reads what `save` wrote. Raises BadCheckpoint."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadCheckpoint(f"{path} cannot be read: {error.strerror}") from error
    found = DIGEST.search(content)
    if not found:
        raise BadCheckpoint(f"{path} is no checkpoint, or a broken one")
    blank = content[: found.start(1)] + NOTHING.encode() + content[found.end(1) :]
    if hashlib.sha256(blank).hexdigest() != found[1].decode():
        raise BadCheckpoint(f"{path} has been cut short or changed since it was written")
    try:
        arrays = safetensors.numpy.load(content)
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        fields: dict[str, Any] = json.loads(header["__metadata__"][FORMAT])
        state = State(arrays=arrays, facts=fields.pop("facts"))
        return msgspec.convert({**fields, "state": state}, type=Checkpoint)
    except (safetensors.SafetensorError, ValueError, TypeError, KeyError) as error:
        raise BadCheckpoint(f"{path} is no checkpoint of this version") from error
