"""Files of many games: read one game at a time, chosen, counted, merged, and rid of games that come twice.

Everything here works in a stream: a file of any size needs the memory of one game, and `unique` 16 bytes a game more.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from ludus.games import draughts, pdn_files
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name) / "games.pdn"
    >>> file.write_text("1. 11-15 1-0\\n1. 11-15 1-0\\n1. 9-13 *\\n1. 9-9 *\\n")
    45

`games` yields each as a `FoundGame`, and `Faults` collects what cannot be read or was mended. `Wanted` chooses games.
`unique` leaves out games that came before and counts them in `Dropped`. `Counts` adds up. `result` is one of `RESULTS`.

    >>> faults, dropped, counts = pdn_files.Faults(), pdn_files.Dropped(), pdn_files.Counts()
    >>> for found in pdn_files.unique(pdn_files.games([file], faults), dropped):
    ...     assert isinstance(found, pdn_files.FoundGame)
    ...     print(found.number, pdn_files.result(found.record), pdn_files.Wanted(result="black").fits(found.record))
    ...     counts.add(found.record, draughts.START)
    1 black True
    3 unknown False
    >>> faults.broken, dropped.games, [counts.results[name] for name in pdn_files.RESULTS]
    (1, 1, [1, 0, 0, 1])
    >>> folder.cleanup()
"""

import codecs
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ludus._core import Color
from ludus._core.draughts import Move, Position
from ludus.games import pdn
from ludus.games.pdn import BadPdn
from ludus.games.pdn_mending import Mend
from ludus.games.record import Record

__all__ = ["RESULTS", "Counts", "Dropped", "Faults", "FoundGame", "Wanted", "games", "result", "unique"]

Game = Record[Position, Move]


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    """Reads bytes that are not UTF-8 as Latin-1, in which old collections have their names."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


LATIN_1 = "ludus-latin-1"
codecs.register_error(LATIN_1, _as_latin_1)


class FoundGame(NamedTuple):
    """A game and where it is."""

    path: Path
    number: int  # in the file, from 1; games that cannot be read are not counted
    record: Game


@dataclass
class Faults:
    """What is wrong in files: games that cannot be read, and games that were mended."""

    broken: int = 0
    mended: int = 0
    mends: Counter[str] = field(default_factory=Counter)  # how often each kind of fault was mended
    first: list[str] = field(default_factory=list)  # sentences about the first of them
    most_told: int = 10

    def add(self, path: Path, error: BadPdn) -> None:
        """A game that cannot be read."""
        self.broken += 1
        if len(self.first) < self.most_told:
            self.first.append(f"{path}, {error}")


class _Reader:
    """What the reader of one file says of its games."""

    def __init__(self, path: Path, faults: Faults) -> None:
        self._path, self._faults = path, faults
        self.mended: set[int] = set()

    def mend(self, mend: Mend) -> None:
        self.mended.add(mend.game)
        self._faults.mends[mend.how] += 1

    def fail(self, error: BadPdn) -> None:
        self._faults.add(self._path, error)


def games(
    paths: Iterable[Path], faults: Faults, *, strict: bool = False, first_in_result: Color = Color.BLACK
) -> Iterator[FoundGame]:
    """The games of files, one file after another. What cannot be read is in `faults`. Raises OSError."""
    for path in paths:
        with path.open(encoding="utf-8", errors=LATIN_1) as file:
            reader = _Reader(path, faults)
            read = pdn.read(
                file,
                strict=strict,
                first_in_result=first_in_result,
                on_mended=reader.mend,
                on_error=reader.fail,
            )
            for number, record in enumerate(read, 1):
                yield FoundGame(path, number, record)
        faults.mended += len(reader.mended)


class Wanted(NamedTuple):
    """Which games are chosen: those that fit everything that is given."""

    player: str = ""  # a part of the name of a side, in capitals or not
    event: str = ""
    result: str = ""  # black, white, draw or unknown
    least_moves: int = 0  # of both sides together
    most_moves: int | None = None
    position: Position | None = None  # that stands on the board at some time, with the same side to move

    def fits(self, record: Game) -> bool:
        """Does the game fit?"""
        tags = record.tags
        if self.player and not any(self.player.lower() in tags.get(side, "").lower() for side in ("Black", "White")):
            return False
        if self.event and self.event.lower() not in tags.get("Event", "").lower():
            return False
        if self.result and self.result != result(record):
            return False
        count = len(record.moves)
        if count < self.least_moves or (self.most_moves is not None and count > self.most_moves):
            return False
        return self.position is None or any(position == self.position for position in record.positions())


RESULTS = ("black", "white", "draw", "unknown")


def result(record: Game) -> str:
    """How the game ended: one of RESULTS."""
    if record.outcome is None:
        return "unknown"
    return {Color.BLACK: "black", Color.WHITE: "white", None: "draw"}[record.outcome.winner]


@dataclass
class Dropped:
    """How many games `unique` has left out."""

    games: int = 0


def unique(found: Iterable[FoundGame], dropped: Dropped | None = None) -> Iterator[FoundGame]:
    """The games without those that came before: the same start, moves and result, whatever their tags say."""
    seen: set[bytes] = set()
    for game in found:
        key = identity(game.record)
        if key not in seen:
            seen.add(key)
            yield game
        elif dropped is not None:
            dropped.games += 1


def identity(record: Game) -> bytes:
    """16 bytes that are the same for games with the same start, moves and result."""
    words = [record.start.text, result(record), *map(str, record.moves)]
    return hashlib.blake2b("\n".join(words).encode(), digest_size=16).digest()


@dataclass
class Counts:
    """What is in files of games."""

    games: int = 0
    moves: int = 0
    results: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(RESULTS, 0)))
    openings: Counter[str] = field(default_factory=Counter)  # the first three moves
    players: Counter[str] = field(default_factory=Counter)
    other_starts: int = 0  # games that begin with a position of their own

    def add(self, record: Game, start: Position) -> None:
        """One game more. `start` is where games usually begin."""
        self.games += 1
        self.moves += len(record.moves)
        self.results[result(record)] += 1
        if record.start != start:
            self.other_starts += 1
        elif len(record.moves) >= 3:
            self.openings[" ".join(map(str, record.moves[:3]))] += 1
        for side in ("Black", "White"):
            if name := record.tags.get(side):
                self.players[name] += 1
