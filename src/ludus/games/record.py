"""A record: the start position, the moves, the outcome, tags and comments of a game."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, Self, TypeVar

from ludus._core import Outcome

M = TypeVar("M")
M_contra = TypeVar("M_contra", contravariant=True)


class Playable(Protocol[M_contra]):
    """What a record asks of a position."""

    def play(self, move: M_contra, /) -> Self:
        """The position after a legal move."""
        ...


P = TypeVar("P", bound=Playable[Any])  # a type variable cannot be bound by another: M is checked where it is used


@dataclass(frozen=True, slots=True)
class Record(Generic[P, M]):
    """A game as it was played. An outcome of None means that it is not finished, or that the result is not known."""

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
