"""The games of a match as they get done, in a file to which each adds a line: what was played is never played again."""

import fcntl
import json
import os
from pathlib import Path

import msgspec

from ludus.arena.game import Played
from ludus.files import write_whole


class BadJournal(ValueError):
    """The journal belongs to another match or cannot be used; says why."""


class Journal:
    """A file whose first line says which match it is of; or, without a folder, nothing but memory."""

    def __init__(self, folder: Path | None, fingerprint: dict[str, object]) -> None:
        """Opens or begins the journal in a folder, and has it alone until it is closed. Raises BadJournal."""
        self._folder = folder
        self._played: list[Played] = []
        self._descriptor: int | None = None
        if folder is None:
            return
        path = folder / "journal.jsonl"
        header = json.dumps(fingerprint).encode()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            kept = self._read(path, path.read_bytes(), header)
            os.ftruncate(self._descriptor, kept)  # a line that a crash cut short
            os.lseek(self._descriptor, kept, os.SEEK_SET)
            if not kept:
                self._write(header)
        except BlockingIOError as error:
            self._close()
            raise BadJournal(f"somebody else is playing the match in {folder} just now") from error
        except OSError as error:
            self._close()
            raise self._refused(error) from error
        except BadJournal:
            self._close()
            raise

    def _read(self, path: Path, content: bytes, header: bytes) -> int:
        """Takes over what is there; how many bytes of it are whole lines."""
        kept = content.rfind(b"\n") + 1
        lines = content[:kept].splitlines()
        if not lines:
            if not header.startswith(content):  # not ours cut short: nothing of ours to write over
                raise BadJournal(f"{path} is not the journal of a match, or a broken one")
            return 0
        try:
            first = json.loads(lines[0])
            self._played = [msgspec.json.decode(line, type=Played) for line in lines[1:]]
        except (ValueError, msgspec.MsgspecError) as error:
            raise BadJournal(f"{path} is not the journal of a match, or a broken one: {error}") from error
        if first != json.loads(header):
            raise BadJournal(f"{path} holds another match: other players, openings, rules or seed")
        return kept

    def played(self) -> list[Played]:
        """The games so far, in the order in which they were finished."""
        return list(self._played)

    def add(self, played: Played) -> None:
        """Remembers a game; it is on its way to the disk when this returns. Raises BadJournal, at a full disk for one.

        What an earlier call has remembered stays; the rest of a line that did not fit is dropped at the next opening.
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
        return BadJournal(f"the match cannot be kept in {self._folder}: {error.strerror}")

    def close(self) -> None:
        """Makes sure that it is all on the disk."""
        if self._descriptor is not None:
            os.fsync(self._descriptor)
            self._close()

    def _close(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)
