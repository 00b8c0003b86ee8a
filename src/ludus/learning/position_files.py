"""Files of training positions: a header, then blocks that are only appended, each with a checksum.

header   LUDUSPOS, version, bytes of a position, generation, name of the game, checksum
block    size, checksum, positions; see core/learning/training_position.hpp for a position

A file is as long as the state of its learner says. What a killed process appended after that is cut off.
"""

import contextlib
import mmap
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from ludus.files import write_atomically, write_whole

MAGIC = b"LUDUSPOS"
VERSION = 1
_HEADER = struct.Struct("<8sIIQ16s")
_CHECKSUM = struct.Struct("<I")
_BLOCK = struct.Struct("<II")
HEADER_BYTES = _HEADER.size + _CHECKSUM.size


class BadPositions(ValueError):
    """A file of positions is missing, broken or another one; the message says which."""


def path_of(folder: Path, generation: int) -> Path:
    """The file of a generation."""
    return folder / f"{generation:04}.positions"


class PositionWriter:
    """Appends blocks to the file of a generation. `size` is how long the file is.

    With a `size` it goes on with a file that has at least so many bytes, and cuts off what follows them; without one it
    makes the file anew. Raises BadPositions.
    """

    def __init__(self, path: Path, game: str, record: int, generation: int, size: int | None = None) -> None:
        self._path, self._record = path, record
        header = _HEADER.pack(MAGIC, VERSION, record, generation, game.encode())
        self.size = HEADER_BYTES if size is None else size
        with self._writing():
            if size is None:
                write_atomically(path, header + _CHECKSUM.pack(zlib.crc32(header)))
            self._file = os.open(path, os.O_RDWR | os.O_APPEND)
        if size is not None and os.fstat(self._file).st_size < size:
            self.close()
            raise BadPositions(f"{path} has been cut short: the run cannot go on with its games")
        with self._writing():
            os.ftruncate(self._file, self.size)

    def append(self, positions: bytes) -> None:
        """Appends a block. Raises BadPositions if that fails."""
        if len(positions) % self._record:
            raise ValueError(f"a position has {self._record} bytes")
        with self._writing():
            write_whole(self._file, _BLOCK.pack(len(positions), zlib.crc32(positions)) + positions)
        self.size += _BLOCK.size + len(positions)

    def sync(self) -> None:
        """Returns when everything is on the disk. Raises BadPositions if that fails."""
        with self._writing():
            os.fsync(self._file)

    def close(self) -> None:
        """Closes the file."""
        os.close(self._file)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise BadPositions(f"{self._path} cannot be written: {error.strerror}") from error


def read(path: Path, game: str, record: int, generation: int, size: int) -> list[memoryview]:
    """The blocks of the first `size` bytes of a file, after all checksums were compared. Raises BadPositions.

    They are read from the file when they are used; it is closed when the last of them is gone.
    """
    whole = _opened(path, game, record, generation)
    if len(whole) < size:
        raise BadPositions(f"{path} has been cut short: the run cannot go on with its games")
    blocks, end = _blocks(whole[:size], record)
    if end != size:
        raise BadPositions(f"{path} is broken: block {len(blocks) + 1} is not what was written")
    return blocks


def whole_size(path: Path, game: str, record: int, generation: int) -> int:
    """The bytes of a file up to the end of its last whole block: what a killed process began to write is left out.

    Raises BadPositions if it is no file of such positions, or broken before that.
    """
    whole = _opened(path, game, record, generation)
    blocks, end = _blocks(whole, record)
    if end + _BLOCK.size <= len(whole) and end + _BLOCK.size + _BLOCK.unpack_from(whole, end)[0] <= len(whole):
        raise BadPositions(f"{path} is broken: block {len(blocks) + 1} is not what was written")
    return end


def _opened(path: Path, game: str, record: int, generation: int) -> memoryview:
    """The bytes of a file whose header says that it has these positions. Raises BadPositions."""
    try:
        with path.open("rb") as file:
            whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise BadPositions(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BadPositions(f"{path} is no file of positions: it is empty") from error
    if len(whole) < HEADER_BYTES:
        raise BadPositions(f"{path} is no file of positions, or a broken one")
    header = bytes(whole[: _HEADER.size])
    (checksum,) = _CHECKSUM.unpack_from(whole, _HEADER.size)
    magic, version, found_record, found_generation, name = _HEADER.unpack(header)
    if magic != MAGIC or zlib.crc32(header) != checksum:
        raise BadPositions(f"{path} is no file of positions, or a broken one")
    if version != VERSION:
        raise BadPositions(f"{path} is a file of positions of version {version}, not {VERSION}")
    found = (found_record, found_generation, name.rstrip(b"\0").decode(errors="replace"))
    if found != (record, generation, game):
        raise BadPositions(f"{path} has positions of generation {found[1]} of {found[2]}, not {generation} of {game}")
    return whole


def _blocks(whole: memoryview, record: int) -> tuple[list[memoryview], int]:
    """The blocks of a file up to the first that is broken or not whole, and where the last of them ends."""
    blocks: list[memoryview] = []
    at = HEADER_BYTES
    while at + _BLOCK.size <= len(whole):
        length, checksum = _BLOCK.unpack_from(whole, at)
        block = whole[at + _BLOCK.size : at + _BLOCK.size + length]
        if len(block) < length or length % record or zlib.crc32(block) != checksum:
            break
        blocks.append(block)
        at += _BLOCK.size + length
    return blocks, at
