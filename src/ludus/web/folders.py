"""What is kept under the server's folder of runs: runs, ladders and matches, by ids.

An id is the place of a folder below the folder of runs, with colons between the names. Only ids that a search of the
folder has found are known: an id never becomes a path by itself.
"""

import os
import threading
import time
from pathlib import Path
from typing import NamedTuple

from ludus.arena.journal import JOURNAL
from ludus.arena.ladder import CLAIM
from ludus.players import KEPT
from ludus.runs import CONFIG
from ludus.runs.folder import CHECKPOINTS, DATA

MATCHES = "matches"  # the folder of the matches that the page starts, and of those of a ladder
_BETWEEN = ":"
_DEEPEST = 6  # folders below the folder of runs
_FRESH = 0.5  # seconds for which a search of the folder is good
_LONGEST = 300  # characters of an id


class NotThere(ValueError):
    """There is nothing of this id; the message says so."""


class Found(NamedTuple):
    """The folders of each kind by their ids, in order."""

    runs: dict[str, Path]
    ladders: dict[str, Path]
    matches: dict[str, Path]


class Folders:
    """The folder of runs. It may be used by several threads."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock = threading.Lock()
        self._found = Found({}, {}, {})
        self._until = 0.0

    def search(self, *, again: bool = False) -> Found:
        """All that is there; the answer may be half a second old unless it is looked for again."""
        with self._lock:
            if again or time.monotonic() >= self._until:
                self._found = _search(self.root)
                self._until = time.monotonic() + _FRESH
            return self._found

    def run(self, key: str) -> Path:
        """The folder of a run. Raises NotThere."""
        return self._get("runs", key, "run")

    def ladder(self, key: str) -> Path:
        """The folder of a ladder. Raises NotThere."""
        return self._get("ladders", key, "ladder")

    def match(self, key: str) -> Path:
        """The folder of a match. Raises NotThere."""
        return self._get("matches", key, "match")

    def player(self, name: str) -> str:
        """The name by which `players.find` knows a player: of a run that is given by its id, or else the same name."""
        run, at, rest = name.partition("@")
        path = self.search().runs.get(run)
        return name if path is None else f"{path}{at}{rest}"

    def shown(self, name: str) -> str:
        """The opposite of `player`: the id of a run in place of its path, other names as they are."""
        place, at, rest = name.partition("@")
        path = Path(place)
        if path == self.root or not path.is_relative_to(self.root):
            return name
        return f"{self.key(path)}{at}{rest}"

    def key(self, path: Path) -> str:
        """The id of a folder below the folder of runs."""
        return _key(path.relative_to(self.root).parts)

    def _get(self, kind: str, key: str, word: str) -> Path:
        for again in (False, True):
            found: dict[str, Path] = getattr(self.search(again=again), kind)
            if key in found:
                return found[key]
        raise NotThere(f"there is no {word} {key[:100]!r}")


def _search(root: Path) -> Found:
    found = Found({}, {}, {})
    for folder, inside, names in os.walk(root):
        path = Path(folder)
        parts = path.relative_to(root).parts
        if len(parts) >= _DEEPEST:
            inside.clear()
        is_run = CONFIG in names
        skipped = {CHECKPOINTS, KEPT, DATA} if is_run else set()
        inside[:] = sorted(name for name in inside if name not in skipped and not name.startswith("."))
        key = _key(parts)
        if not (key and key.isprintable() and len(key) <= _LONGEST):
            continue
        for there, kind in ((is_run, found.runs), (CLAIM in names, found.ladders), (JOURNAL in names, found.matches)):
            if there:
                kind.setdefault(key, path)
    return found


def _key(parts: tuple[str, ...]) -> str:
    return _BETWEEN.join(parts)
