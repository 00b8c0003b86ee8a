"""The games of a match as they get done, in a file to which each adds a line: what was played is never played again."""

import json
import os
from pathlib import Path

import msgspec

from ludus.arena.game import Played


class BadJournal(ValueError):
    """The journal belongs to another match or cannot be used; says why."""


class Journal:
    """A file whose first line says which match it is of; or, without a folder, nothing but memory."""

    def __init__(self, folder: Path | None, fingerprint: dict[str, object]) -> None:
        """Opens or begins the journal in a folder. Raises BadJournal."""
        self._played: list[Played] = []
        self._descriptor: int | None = None
        if folder is None:
            return
        path = folder / "journal.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            content = path.read_bytes() if path.exists() else b""
            kept = self._read(path, content, fingerprint)
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o666)
            os.ftruncate(self._descriptor, kept)  # a line that a crash cut short
            os.lseek(self._descriptor, kept, os.SEEK_SET)
            if not kept:
                self._write(json.dumps(fingerprint).encode())
        except OSError as error:
            raise BadJournal(f"the match cannot be kept in {folder}: {error.strerror}") from error

    def _read(self, path: Path, content: bytes, fingerprint: dict[str, object]) -> int:
        """Takes over what is there; how many bytes of it are whole lines."""
        kept = content.rfind(b"\n") + 1
        lines = content[:kept].splitlines()
        if not lines:
            return 0
        try:
            header = json.loads(lines[0])
            self._played = [msgspec.json.decode(line, type=Played) for line in lines[1:]]
        except (ValueError, msgspec.MsgspecError) as error:
            raise BadJournal(f"{path} is not the journal of a match, or a broken one: {error}") from error
        if header != fingerprint:
            raise BadJournal(f"{path} holds another match: other players, openings, rules or seed")
        return kept

    def played(self) -> list[Played]:
        """The games so far, in the order in which they were finished."""
        return list(self._played)

    def add(self, played: Played) -> None:
        """Remembers a game; it is on its way to the disk when this returns."""
        self._played.append(played)
        self._write(msgspec.json.encode(played))

    def _write(self, line: bytes) -> None:
        if self._descriptor is not None:
            os.write(self._descriptor, line + b"\n")

    def close(self) -> None:
        """Makes sure that it is all on the disk."""
        if self._descriptor is not None:
            os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None
