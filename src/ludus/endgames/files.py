"""The file of an endgame table: the results or the distances of slices, one section each.

    bytes    what
    8        LUDUSEGT
    2        version
    1        kind: 0 results, 1 distances
    1        pieces
    4        number of sections
    32       BLAKE2b digest of the 16 bytes before it and of everything after it
    24 each  directory: own men, own kings, other men, other kings (1 each), 4 bytes of 0, offset, size (8 each)
    ...      the sections, one after another, in the order of the directory

Numbers are little-endian. core/endgames/tables.hpp says what is in a section. The same format serves for the parts of a
table that is being built.
"""

import hashlib
import mmap
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from ludus._core.draughts import endgame_slices
from ludus.files import write_atomically

Slice = tuple[int, int, int, int]  # own men, own kings, other men, other kings

MAGIC = b"LUDUSEGT"
VERSION = 1
_HEAD = struct.Struct("<8sHBBI")
_ENTRY = struct.Struct("<4B4xQQ")
_DIGEST = 32  # bytes
_CHUNK = 1 << 20  # bytes that are digested at a time: a Ctrl-C waits no longer than that


class BadTable(ValueError):
    """The file is no endgame table, or a broken one; the message names it and says what to do.

    Examples:
        >>> from ludus import endgames
        >>> issubclass(endgames.BadTable, ValueError)
        True
    """


class Kind(IntEnum):
    """What a file holds of each slice."""

    RESULTS = 0
    DISTANCES = 1

    def file_name(self, pieces: int) -> str:
        """The name of the file of a whole table."""
        return f"{pieces}.{self.name.lower()}"


@dataclass(frozen=True)
class TableFile:
    """A file that was opened: its sections lie in memory that the system reads when it is needed."""

    path: Path
    kind: Kind
    pieces: int
    digest: bytes  # as the file states it; `check_digest` compares
    sections: dict[Slice, memoryview]
    content: memoryview

    @property
    def is_whole(self) -> bool:
        """Whether it has all slices of its number of pieces."""
        return list(self.sections) == endgame_slices(self.pieces)

    def check_digest(self) -> None:
        """Reads everything. Raises BadTable if the content is not what was written."""
        head, rest = self.content[: _HEAD.size], self.content[_HEAD.size + _DIGEST :]
        if _digest([head, rest]) != self.digest:
            raise BadTable(f"{self.path} is broken: its content does not fit its digest; delete it and build it again")


def write(path: Path, kind: Kind, pieces: int, sections: Sequence[tuple[Slice, bytes | memoryview]]) -> None:
    """Writes a file; it is whole or not there. Raises OSError."""
    head = _HEAD.pack(MAGIC, VERSION, kind, pieces, len(sections))
    offset = _HEAD.size + _DIGEST + _ENTRY.size * len(sections)
    entries = []
    for name, section in sections:
        entries.append(_ENTRY.pack(*name, offset, len(section)))
        offset += len(section)
    rest = [*entries, *(section for _, section in sections)]
    write_atomically(path, b"".join([head, _digest([head, *rest]), *rest]))


def read(path: Path) -> TableFile:
    """Opens a file and checks its header and its lengths. Raises BadTable."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b"")
    except OSError as error:
        raise BadTable(f"{path} cannot be read: {error.strerror}") from error
    if size < len(MAGIC) or content[: len(MAGIC)] != MAGIC:
        raise BadTable(f"{path} is no endgame table")
    if size < _HEAD.size + _DIGEST:
        raise _cut_short(path)
    _, version, kind, pieces, count = _HEAD.unpack(content[: _HEAD.size])
    if version != VERSION:
        raise BadTable(f"{path} is an endgame table of version {version}, and this program reads version {VERSION}")
    known = set(endgame_slices(pieces)) if 2 <= pieces <= 8 else set()
    if kind not in iter(Kind) or not known:
        raise BadTable(f"{path} is a broken endgame table: its header makes no sense; delete it and build it again")
    offset = _HEAD.size + _DIGEST + _ENTRY.size * count
    if size < offset:
        raise _cut_short(path)
    sections: dict[Slice, memoryview] = {}
    for entry in range(count):
        begin = _HEAD.size + _DIGEST + _ENTRY.size * entry
        *counts, place, length = _ENTRY.unpack(content[begin : begin + _ENTRY.size])
        name = (counts[0], counts[1], counts[2], counts[3])
        if name not in known or name in sections or place != offset:
            raise BadTable(f"{path} is a broken endgame table: its directory is wrong; delete it and build it again")
        offset += length
        if offset > size:
            raise _cut_short(path)
        sections[name] = content[place:offset]
    if offset != size:
        raise BadTable(f"{path} is a broken endgame table: it is longer than it says; delete it and build it again")
    digest = bytes(content[_HEAD.size : _HEAD.size + _DIGEST])
    return TableFile(path, Kind(kind), pieces, digest, sections, content)


def _cut_short(path: Path) -> BadTable:
    return BadTable(f"{path} is a broken endgame table: it is cut short; delete it and build it again")


def _digest(parts: Sequence[bytes | memoryview]) -> bytes:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for part in parts:
        for begin in range(0, len(part), _CHUNK):
            digest.update(part[begin : begin + _CHUNK])
    return digest.digest()
