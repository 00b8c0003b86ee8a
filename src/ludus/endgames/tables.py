"""Endgame tables that are loaded: what they say of a position, of its moves, and the best line."""

import functools
import hashlib
import threading
from pathlib import Path
from typing import NamedTuple

from ludus._core.draughts import EndgameProber, EndgameTables, Result
from ludus.endgames import folder as table_folder
from ludus.endgames.files import BadTable, Kind, TableFile, read
from ludus.games.draughts import Move, Position

__all__ = ["NoTable", "Result", "Tables", "Verdict", "covering", "load"]

_DIGESTED_AT_LOAD = 4 << 20  # bytes; larger files are only digested by `ludus endgame verify`
_OPPOSITE = {Result.WIN: Result.LOSS, Result.DRAW: Result.DRAW, Result.LOSS: Result.WIN}


class NoTable(ValueError):
    """There is no table for so many pieces; the message says how to build it.

    Examples:
        >>> load(7)
        Traceback (most recent call last):
        ludus.endgames.tables.NoTable: there are endgame tables of 2 to 6 pieces, not of 7
    """


class Verdict(NamedTuple):
    """What a table says of a position, for the side to move.

    Examples:
        >>> verdict = Verdict(Result.WIN, 33)
        >>> print(verdict, "for one side,", verdict.before(), "for the other")
        win in 33 for one side, loss in 34 for the other
    """

    result: Result
    distance: int | None = None  # plies to the end of the game; None for a draw, or without a table of distances

    def before(self) -> "Verdict":
        """The same, for the side whose move led to the position."""
        return Verdict(_OPPOSITE[self.result], None if self.distance is None else self.distance + 1)

    @property
    def worth(self) -> tuple[int, int]:
        """A key by which the better of two verdicts is the greater: a quick win, a draw, a late loss."""
        distance = 1000 if self.distance is None else self.distance
        return self.result.value, {Result.WIN: -distance, Result.DRAW: 0, Result.LOSS: distance}[self.result]

    def __str__(self) -> str:
        name = self.result.name.lower()
        return name if self.distance is None else f"{name} in {self.distance}"


class Tables:
    """The tables of 2 to `pieces` pieces. Any number of threads may ask.

    Examples:
        >>> tables = load(3)
        >>> position = Position("W:WK32,K31:BK1")
        >>> print(tables.verdict(position))
        win in 33
        >>> [position.write(move) for move in tables.line(position)[:2]]
        ['32-28', '1-5']
    """

    def __init__(self, files: list[TableFile]) -> None:
        self.core = EndgameTables()
        self.pieces = 0
        digest = hashlib.blake2b(digest_size=6)
        for file in files:
            add = self.core.add_results if file.kind is Kind.RESULTS else self.core.add_distances
            for name, section in file.sections.items():
                try:
                    add(name, section)
                except ValueError as error:
                    raise BadTable(f"{file.path} is broken: {error}; delete it and build it again") from error
            self.pieces = max(self.pieces, file.pieces)
            digest.update(file.digest)
        self.digest = digest.hexdigest()  # names the content of all files
        self._own = threading.local()

    def verdict(self, position: Position) -> Verdict | None:
        """The verdict on a position; None if it has too many pieces. Raises BadTable if a table is broken."""
        if len(position.pieces()) > self.pieces:
            return None
        try:
            result = self._prober.result(position)
            if result is None:
                return None
            return Verdict(result, self._prober.distance(position))
        except ValueError as error:
            raise BadTable(str(error)) from error

    def moves(self, position: Position) -> list[tuple[Move, Verdict]]:
        """The legal moves, the best first, each with its verdict for the side that moves.

        Empty if the tables do not have the position. Raises BadTable.
        """
        found: list[tuple[Move, Verdict]] = []
        if self.verdict(position) is None:
            return found
        for move in position.moves():
            verdict = self.verdict(position.play(move))
            if verdict is None:
                return []
            found.append((move, verdict.before()))
        return sorted(found, key=lambda choice: choice[1].worth, reverse=True)

    def line(self, position: Position) -> list[Move]:
        """The moves of perfect play to the end of the game, as far as distances are known; of a draw one move.

        Empty if the tables do not have the position. Raises BadTable.
        """
        line = []
        while choices := self.moves(position):
            move, verdict = choices[0]
            line.append(move)
            if verdict.distance is None:
                break
            position = position.play(move)
        return line

    @property
    def _prober(self) -> EndgameProber:
        """The prober of this thread."""
        if not hasattr(self._own, "prober"):
            self._own.prober = EndgameProber(self.core)
        prober: EndgameProber = self._own.prober
        return prober

    def __repr__(self) -> str:
        return f"<Tables of up to {self.pieces} pieces, {self.digest}>"


def load(pieces: int, folder: Path | None = None) -> Tables:
    """The tables of 2 to `pieces` pieces, from the folder or the package; distances where they are.

    Loaded once a process. Raises NoTable if one is not there, BadTable if one is broken.

    Examples:
        >>> load(4).pieces
        4
    """
    return _load(pieces, folder or table_folder.default_folder())


def covering(position: Position, folder: Path | None = None) -> Tables | None:
    """The tables that have this position, if they are there. Raises BadTable.

    Examples:
        >>> covering(Position("W:WK32:BK1")).pieces
        2
        >>> from ludus.games.draughts import START
        >>> covering(START) is None
        True
    """
    count = len(position.pieces())
    return load(max(2, count), folder) if count <= table_folder.most_pieces(folder) else None


@functools.cache
def _load(pieces: int, folder: Path) -> Tables:
    if not 2 <= pieces <= table_folder.MOST_PIECES:
        raise NoTable(f"there are endgame tables of 2 to {table_folder.MOST_PIECES} pieces, not of {pieces}")
    files = []
    for count in range(2, pieces + 1):
        for kind in Kind:
            path = table_folder.find(kind, count, folder)
            if path is not None:
                files.append(opened(path, kind, count))
            elif kind is Kind.RESULTS:
                raise NoTable(
                    f"there is no endgame table of {count} pieces in {folder}; "
                    f"build it with: ludus endgame build --pieces {pieces}"
                )
    return Tables(files)


def opened(path: Path, kind: Kind, pieces: int) -> TableFile:
    """Opens the file of a whole table; a small one is read as well. Raises BadTable."""
    file = read(path)
    if (file.kind, file.pieces) != (kind, pieces) or not file.is_whole:
        raise BadTable(f"{path} is not the whole table of the {kind.name.lower()} of {pieces} pieces; delete it")
    if len(file.content) <= _DIGESTED_AT_LOAD:
        file.check_digest()
    return file
