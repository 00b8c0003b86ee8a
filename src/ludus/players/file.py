"""The file of a player: safetensors, the weights as a tensor and everything else as readable metadata."""

import json
from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np
import safetensors
import safetensors.numpy

from ludus import lines
from ludus.files import write_atomically
from ludus.players.active import ActivePlayer
from ludus.players.functions import Function, can_be_found_again
from ludus.players.networks import Theta
from ludus.players.player import BadPlayer, Player

FORMAT = "ludus-player-1"
LARGEST_HEADER = 4 * 2**20  # bytes of the JSON before the weights
MOST_ENTRIES = 16  # of the header: the metadata and one tensor
LARGEST_FILE = 64 * 2**20  # a player is some tens of kilobytes; nothing of ours comes near this


def save(player: Player, path: str | Path) -> None:
    """Writes one safetensors file: the weights as a tensor, all the rest as readable metadata.

    Raises BadPlayer for a player whose evaluator is a function of this process alone.

    Examples:
        >>> import tempfile
        >>> from ludus import players
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save(players.find("material@depth=4"), f"{folder}/mine.safetensors")
        ...     load(f"{folder}/mine.safetensors").name
        'material@depth=4'
    """
    path = Path(path)
    if isinstance(player.evaluator, Function) and not can_be_found_again(player.evaluator.name):
        raise BadPlayer(
            f"{player.name} cannot be saved: its evaluator is {player.evaluator.name}; only a function of a module, or "
            "one that an installed package offers, can be found again"
        )
    header = msgspec.structs.replace(player, theta=None)
    tensors = {} if player.theta is None else {"theta": np.ascontiguousarray(player.theta, np.float32)}
    # One entry, for the library writes several in any order and the same player is to be the same file.
    body = msgspec.json.encode(header)
    metadata = {FORMAT: lines.sealed(body, more=_weights(tensors)).decode()}
    write_atomically(path, safetensors.numpy.save(tensors, metadata))


def load(path: str | Path) -> Player:
    """Reads what `save` wrote, or a model of ONNX that `ludus export` wrote.

    Earlier versions wrote no checksum; their files are read without one. Raises BadPlayer with one sentence about a
    broken, foreign or oversized file.

    Examples:
        >>> load("nowhere.safetensors")
        Traceback (most recent call last):
        ludus.players.player.BadPlayer: nowhere.safetensors cannot be read: No such file or directory
    """
    player = check_file(path)
    ActivePlayer(player)  # says what does not fit together
    return player


def check_file(path: str | Path) -> Player:
    """The same without a look at whether the parts of the player fit together. Raises BadPlayer.

    Examples:
        >>> from ludus import players
        >>> check_file(players.SHIPPED["champion"]).game
        'draughts'
    """
    path = Path(path)
    if path.suffix == ".onnx":
        from ludus.players import onnx

        return onnx.read(path)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise BadPlayer(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > LARGEST_FILE:
        raise BadPlayer(f"{path} is no player: a player has at most {LARGEST_FILE:,} bytes")
    try:
        # The library gives the tensors only; the metadata is in the JSON header, whose length stands before it.
        length = int.from_bytes(content[:8], "little")
        if length > len(content):
            raise ValueError("the header is longer than the file")
        if length > LARGEST_HEADER:
            raise BadPlayer(f"{path} is no player: its header has more than {LARGEST_HEADER:,} bytes")
        header = json.loads(content[8 : 8 + length])
        if len(header) > MOST_ENTRIES:
            raise BadPlayer(f"{path} is no player: it has {len(header):,} tensors")
        tensors = safetensors.numpy.load(content)
        metadata = header.get("__metadata__") or {}
    except BadPlayer:
        raise
    except (safetensors.SafetensorError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadPlayer(f"{path} is no player, or a broken one: it is not a safetensors file") from error
    if FORMAT not in metadata:
        raise BadPlayer(f"{path} is a safetensors file, but no player of this version: it has no {FORMAT}")
    try:
        body, _ = lines.unsealed(str(metadata[FORMAT]).encode(), more=_weights(tensors))
        player = msgspec.json.decode(body, type=Player)
    except msgspec.MsgspecError as error:
        raise BadPlayer(f"{path} is a broken player: {error}") from error
    except RecursionError as error:
        raise BadPlayer(f"{path} is a broken player: its metadata is nested too deeply") from error
    except ValueError as error:
        raise BadPlayer(f"{path} {error}") from error
    theta = tensors.pop("theta", None)
    if tensors:
        raise BadPlayer(f"{path} is a broken player: nothing is known of its tensor {min(tensors)!r}")
    if theta is not None and (theta.dtype != np.float32 or theta.ndim != 1 or not np.isfinite(theta).all()):
        raise BadPlayer(f"{path} is a broken player: its weights are not a list of finite 32-bit numbers")
    return msgspec.structs.replace(player, theta=theta)


def _weights(tensors: Mapping[str, Theta]) -> bytes:
    """The bytes that the checksum covers besides the metadata."""
    return tensors["theta"].tobytes() if "theta" in tensors else b""
