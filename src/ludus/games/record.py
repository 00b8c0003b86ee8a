"""A record: the start position, the moves, the outcome, tags and comments of a game."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ludus._core import Outcome
from ludus.games.core import Move, Position

P = TypeVar("P", bound=Position)
M = TypeVar("M", bound=Move)


@dataclass(frozen=True, slots=True)
class Record(Generic[P, M]):
    """A game as it was played. An outcome of None means that it is not finished, or that the result is not known.

    Examples:
        >>> from ludus.games import draughts
        >>> moves = draughts.GAME.moves(["11-15", "23-19"])
        >>> record = Record(draughts.START, tuple(moves), tags={"Event": "A friendly game"})
        >>> [position.turn for position in record.positions()]
        [Color.BLACK, Color.WHITE, Color.BLACK]
    """

    start: P
    moves: tuple[M, ...] = ()
    outcome: Outcome | None = None
    tags: Mapping[str, str] = field(default_factory=dict)  # Event, Black, White, ...
    comments: Mapping[int, str] = field(default_factory=dict)  # by the number of moves played before it

    def positions(self) -> Iterator[P]:
        """The start, and the position after each move."""
        position = self.start
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position
