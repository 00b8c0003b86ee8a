"""The journal of a match: a file with a line for each game played, from which an interrupted match goes on."""

import fcntl
import json
import os
from pathlib import Path

import msgspec

from ludus.arena.record import PlayedGame
from ludus.files import write_whole

JOURNAL = "journal.jsonl"


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


class Journal:
    """The games of a match so far, in a file whose first line identifies the match; without a folder, in memory.

    Examples:
        >>> journal = Journal(None, {})
        >>> journal.played()
        []
    """

    def __init__(self, folder: Path | None, fingerprint: dict[str, object]) -> None:
        """Opens or creates the journal in a folder and locks it until it is closed. Raises BadJournal."""
        self._folder = folder
        self._played: list[PlayedGame] = []
        self._descriptor: int | None = None
        if folder is None:
            return
        path = folder / JOURNAL
        header = json.dumps(fingerprint).encode()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            kept = self._read(path, path.read_bytes(), header)
            os.ftruncate(self._descriptor, kept)  # drops a line that a crash cut short
            os.lseek(self._descriptor, kept, os.SEEK_SET)
            if not kept:
                self._write(header)
        except BlockingIOError as error:
            self._close()
            raise BadJournal(f"another process is playing the games in {folder}: wait until it ends") from error
        except OSError as error:
            self._close()
            raise self._refused(error) from error
        except BadJournal:
            self._close()
            raise

    def _read(self, path: Path, content: bytes, header: bytes) -> int:
        """Reads the games in the file. Returns how many bytes of it are whole lines."""
        kept = content.rfind(b"\n") + 1
        lines = content[:kept].splitlines()
        if not lines:
            if not header.startswith(content):  # not a header cut short: another file, which must not be overwritten
                raise BadJournal(f"{path} is not a journal of games, or a broken one")
            return 0
        try:
            first = json.loads(lines[0])
            self._played = [msgspec.json.decode(line, type=PlayedGame) for line in lines[1:]]
        except (ValueError, msgspec.MsgspecError) as error:
            raise BadJournal(f"{path} is not a journal of games, or a broken one: {error}") from error
        if first != json.loads(header):
            raise BadJournal(f"{path} holds other games: other players, openings, rules, seed or endgame tables")
        return kept

    def played(self) -> list[PlayedGame]:
        """The games so far, in the order in which they were finished."""
        return list(self._played)

    def add(self, played: PlayedGame) -> None:
        """Adds a game and passes it to the operating system. Raises BadJournal, for instance when the disk is full.

        Games added before stay. A line that was written in part is dropped when the journal is opened again.
        """
        try:
            self._write(msgspec.json.encode(played))
        except OSError as error:
            raise self._refused(error) from error
        self._played.append(played)

    def _write(self, line: bytes) -> None:
        if self._descriptor is not None:
            write_whole(self._descriptor, line + b"\n")

    def _refused(self, error: OSError) -> BadJournal:
        return BadJournal(f"the games cannot be kept in {self._folder}: {error.strerror}")

    def close(self) -> None:
        """Writes everything to the disk and unlocks the file."""
        if self._descriptor is not None:
            os.fsync(self._descriptor)
            self._close()

    def _close(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)
