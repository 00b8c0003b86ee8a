"""The journal of a match: a file with a line for each game played, from which an interrupted match goes on.

Each line has a checksum, see `ludus.lines`. The games are read from the file whenever they are needed, so that a long
match takes no more memory than a short one.
"""

import fcntl
import json
import os
import shlex
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ludus import lines
from ludus.arena.record import PlayedGame
from ludus.files import make_folder, sync_folder, write_whole

JOURNAL = "journal.jsonl"
SYNC_SECONDS = 1.0  # from one sync to the next: what a power cut may lose
_decode = msgspec.json.Decoder(PlayedGame).decode


def read_file(path: Path) -> tuple[dict[str, Any], list[PlayedGame]]:
    """The first line of a journal that may be being written, and its games so far. Raises BadLine and OSError."""
    with path.open("rb") as file:
        first = [line.value for line in lines.read([file.readline(lines.LONGEST)], lines.decode_object)]
        if not first:
            raise lines.BadLine(1, "is not there")
        return first[0], [line.value for line in lines.read(file, _decode, checked=lines.has_checksums(path))]


def mend(path: Path) -> int:
    """Takes broken lines out of a journal, so that their games are played again; how many they were. See lines.mend."""
    return lines.mend(path, _decode, header=True)


class BadJournal(ValueError):
    """The journal belongs to another match or cannot be used; says why.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Journal(Path(folder), {"match": 1}).close()
        ...     Journal(Path(folder), {"match": 2})
        Traceback (most recent call last):
        ...
        ludus.arena.journal.BadJournal: ...
    """


def _is_torn(content: bytes, line: bytes) -> bool:
    """Whether this is all that a crash left of a line: a part of it, with zeros for what was not on the disk."""
    if len(content) > len(line) or content == line:
        return False
    return all(byte in (0, right) for byte, right in zip(content, line, strict=False))


class Journal:
    """The games of a match so far, in a file whose first line identifies the match.

    Examples:
        >>> journal = Journal(None, {})
        >>> journal.played()
        []

    Without a folder the games are kept in memory; if `keep` is false they are not kept at all.
    """

    def __init__(self, folder: Path | None, fingerprint: dict[str, object], *, keep: bool = True) -> None:
        """Opens or creates the journal in a folder and locks it until it is closed. Raises BadJournal."""
        self._folder = folder
        self._keep = keep
        self._played: list[PlayedGame] = []  # only without a folder
        self._descriptor: int | None = None
        self._size = 0  # bytes of whole lines
        self._has_checksums = True
        self._synced = time.monotonic()
        if folder is None:
            return
        self._path = folder / JOURNAL
        header = json.dumps(fingerprint, separators=(",", ":")).encode()
        try:
            make_folder(folder)
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._check(header)
            os.ftruncate(self._descriptor, self._size)  # drops a line that a crash cut short
            os.lseek(self._descriptor, self._size, os.SEEK_SET)
            if not self._size:
                self._write(lines.as_line(header))
                os.fsync(self._descriptor)
            sync_folder(folder)  # each time: an earlier process may have been killed before it did
        except BlockingIOError as error:
            self._close()
            raise BadJournal(f"another process is playing the games in {folder}: wait until it ends") from error
        except OSError as error:
            self._close()
            raise self._refused(error) from error
        except BadJournal:
            self._close()
            raise

    def _check(self, header: bytes) -> None:
        """Reads the whole file once. Raises BadJournal."""
        path = self._path
        with path.open("rb") as file:
            first = file.readline(lines.LONGEST)
            if _is_torn(first + file.read(1), lines.as_line(header)):
                return
            if not first.endswith(b"\n"):  # it must not be overwritten
                raise BadJournal(f"{path} is not a journal of games")
            file.seek(len(first))
            try:
                for line in lines.read([first], lines.decode_object):
                    if line.value != json.loads(header):
                        raise BadJournal(
                            f"{path} holds other games: other players, openings, rules, seed or endgame tables"
                        )
                self._size = len(first)
                self._has_checksums = lines.has_checksums(path)
                for entry in lines.read(file, _decode, checked=self._has_checksums):
                    self._size = len(first) + entry.end
            except lines.BadLine as error:
                if not self._size:
                    raise BadJournal(
                        f"{path} is not a journal of games, or a broken one: line 1 {error.reason}; "
                        "keep the games in another folder"
                    ) from error
                # The first line is not counted by the reader of the games.
                raise BadJournal(
                    f"{path}: line {error.number + 1} {error.reason}; to keep the good games and play the others "
                    f"again, type: ludus mend {shlex.quote(os.fspath(path.parent))}"
                ) from error

    def __iter__(self) -> Iterator[PlayedGame]:
        """The games so far, in the order in which they were finished. Raises BadJournal."""
        if self._folder is None:
            yield from self._played
            return
        try:
            with self._path.open("rb") as file:
                file.readline()
                for line in lines.read(file, _decode, checked=self._has_checksums):
                    yield line.value
        except lines.BadLine as error:
            raise BadJournal(f"{self._path}: line {error.number + 1} {error.reason}") from error
        except OSError as error:
            raise self._refused(error) from error

    def played(self) -> list[PlayedGame]:
        """The games so far, all at once."""
        return list(self)

    def add(self, played: PlayedGame) -> None:
        """Adds a game and passes it to the operating system. Raises BadJournal, for instance when the disk is full.

        It is on the disk at the latest with the first game that is added SYNC_SECONDS after the last sync.
        Games added before stay. A line that was written in part is dropped when the journal is opened again.
        """
        try:
            if self._descriptor is not None:
                self._write(lines.as_line(msgspec.json.encode(played), checked=self._has_checksums))
                if time.monotonic() - self._synced >= SYNC_SECONDS:
                    os.fsync(self._descriptor)
                    self._synced = time.monotonic()
            elif self._folder is None and self._keep:
                self._played.append(played)
        except OSError as error:
            raise self._refused(error) from error

    def _write(self, line: bytes) -> None:
        assert self._descriptor is not None
        write_whole(self._descriptor, line)

    def _refused(self, error: OSError) -> BadJournal:
        return BadJournal(f"the games cannot be kept in {self._folder}: {error.strerror}")

    def close(self) -> None:
        """Writes everything to the disk and unlocks the file. Raises BadJournal."""
        if self._descriptor is not None:
            try:
                os.fsync(self._descriptor)
            except OSError as error:
                raise self._refused(error) from error
            finally:
                self._close()

    def _close(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


def in_order(played: Iterable[PlayedGame], count: int) -> Iterator[PlayedGame]:
    """The first `count` games in the order of their numbers, as far as they are there without a gap.

    Games are finished nearly in this order, so few of them wait in memory.
    """
    waiting: dict[int, PlayedGame] = {}
    following = 0
    for each in played:
        if following <= each.index < count:
            waiting[each.index] = each
        while following in waiting:
            yield waiting.pop(following)
            following += 1
