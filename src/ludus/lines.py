"""Files of JSON lines whose lines carry checksums: journals, the record and the times of a run, trials.

The last field of a line is its checksum: `{"index":3,"moves":"...","crc32":"5f0a22b1"}`. It is the CRC-32 of the line
without that field. In a file whose order matters the number of the line belongs to it too, so that lines that changed
places are found. Earlier versions wrote no checksums: such a file is read as it is and gets none. The first line tells.
"""

import fcntl
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Generic, NamedTuple, TypeVar

import msgspec

from ludus.files import write_atomically

T = TypeVar("T")
Lines = Iterable[bytes] | BinaryIO

LONGEST = 1 << 26  # bytes of a line: far more than any of ours has

_SEAL = re.compile(rb',?"crc32":"([0-9a-f]{8})"\}\Z')
# A line had a checksum, which is broken now, if its name or its value is still there, or most of either.
_TRACE = re.compile(rb'crc3|rc32|"c.c32|"cr.32|"[cr23]*":"[0-9a-f]*"\}\Z|(?<![0-9a-f])[0-9a-f]{8}"\}\Z')


class BadLine(ValueError):
    """A line that is not what was written; with its number, counted from 1."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(number, reason)
        self.number = number
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.number} {self.reason}"


class Line(NamedTuple, Generic[T]):
    """A line that was read."""

    number: int
    value: T
    end: int  # bytes of the file up to its end


def sealed(body: bytes, number: int = 0, more: bytes = b"") -> bytes:
    """A JSON object with its checksum as the last field, without a line's end. `more` is checked with it."""
    comma = b"," if len(body) > 2 else b""
    return b'%b%b"crc32":"%08x"}' % (body[:-1], comma, _checksum(body, number, more))


def as_line(body: bytes, number: int = 0, *, checked: bool = True) -> bytes:
    """A JSON object as a line of a file, with its checksum if the lines of that file have one."""
    return (sealed(body, number) if checked else body) + b"\n"


def has_checksums(path: Path) -> bool:
    """Whether a line that is added to this file gets a checksum: in a file of an earlier version no line has one."""
    try:
        with path.open("rb") as file:
            first = file.readline(LONGEST)
    except FileNotFoundError:
        return True
    return not first.endswith(b"\n") or b'"crc32":' in first


def unsealed(line: bytes, number: int = 0, more: bytes = b"") -> tuple[bytes, bool]:
    """The object without its checksum, and whether it had one. Raises ValueError if it is not the right one."""
    found = _SEAL.search(line[-24:])
    if found:
        body = line[: len(line) - len(found[0])] + b"}"
        if _checksum(body, number, more) != int(found[1], 16):
            raise ValueError("is not what was written: its checksum is another")
        return body, True
    if _TRACE.search(line):
        raise ValueError("is not what was written: its checksum is broken")
    return line, False


def read(
    lines: Iterable[bytes] | BinaryIO,
    decode: Callable[[bytes], T],
    *,
    ordered: bool = False,
    checked: bool | None = None,
) -> Iterator[Line[T]]:
    """The lines of an open file, decoded. A last line without its end is left out: it may be being written.

    `ordered` is for files whose order matters. The lines have checksums or not as `checked` says, or else as the first
    of them. Raises BadLine.
    """
    end = 0
    for number, line in enumerate(_bounded(lines), 1):
        if len(line) > LONGEST:
            raise BadLine(number, f"is broken: it is longer than {LONGEST:,} bytes")
        if not line.endswith(b"\n"):
            return
        end += len(line)
        try:
            body, has_one = unsealed(line[:-1], number if ordered else 0)
            if checked is None:
                checked = has_one
            elif checked != has_one:
                raise ValueError(f"is not what was written: it has {'a' if has_one else 'no'} checksum")
            value = decode(body)
        except msgspec.MsgspecError as error:
            raise BadLine(number, f"is broken: {error}") from error
        except RecursionError as error:
            raise BadLine(number, "is broken: it is nested too deeply") from error
        except ValueError as error:
            raise BadLine(number, str(error)) from error
        yield Line(number, value, end)


def _bounded(lines: Lines) -> Iterator[bytes]:
    """The lines, those of a file in pieces if they are too long: memory is bounded."""
    if isinstance(lines, io.IOBase):
        while line := lines.readline(LONGEST + 1):
            yield line
    else:
        yield from lines


def mend(path: Path, decode: Callable[[bytes], object], *, ordered: bool = False, header: bool = False) -> int:
    """Takes the broken lines out of a file and puts them into another one beside it, NAME.broken; how many they were.

    With `header` the first line is of another kind and stays as it is. Raises BadLine if the first line is broken and
    has to stay, BlockingIOError if another process uses the file, and OSError.
    """
    kept: list[bytes] = []
    broken: list[bytes] = []
    with path.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        content = list(_bounded(file))
        # Broken or not, the first line does not decide for the others here.
        checked = 2 * sum(b'"crc32":' in line for line in content) > len(content)
        for number, line in enumerate(content, 1):
            try:
                body, has_one = unsealed(line.removesuffix(b"\n"), number if ordered else 0)
                (decode_object if header and number == 1 else decode)(body)
                if not line.endswith(b"\n") or has_one != checked:
                    raise ValueError("is torn")
            except (ValueError, RecursionError, msgspec.MsgspecError) as error:
                if header and number == 1:
                    raise BadLine(1, "is broken, which says whose games these are") from error
                broken.append(line)
                continue
            kept.append(as_line(body, len(kept) + 1 if ordered else 0, checked=checked))
        if broken:
            with path.with_name(f"{path.name}.broken").open("ab") as other:
                other.writelines(broken)
            write_atomically(path, kept)
    return len(broken)


def decode_object(body: bytes) -> dict[str, object]:
    """A JSON object of any fields. Raises ValueError."""
    found = json.loads(body)
    if not isinstance(found, dict):
        raise ValueError("is broken: it is no JSON object")
    return found


def _checksum(body: bytes, number: int, more: bytes) -> int:
    return zlib.crc32(more, zlib.crc32(body, number))
