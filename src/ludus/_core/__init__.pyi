"""The C++ core of Ludus. Use it through ludus.games and its neighbours."""

import enum

from ludus._core import (
    draughts as draughts,
    tictactoe3d as tictactoe3d
)


class BadPosition(ValueError):
    pass

class IllegalMove(ValueError):
    pass

class AmbiguousMove(ValueError):
    pass

class Color(enum.Enum):
    """A side."""

    def __str__(self) -> str: ...

    BLACK = 0

    WHITE = 1

    def __invert__(self) -> Color: ...

class Reason(enum.Enum):
    """Why a game ended."""

    NO_MOVES = 0

    FOUR_IN_LINE = 1

    FULL_BOARD = 2

    REPETITION = 3

    QUIET_MOVES = 4

    LENGTH = 5

    RESIGNATION = 6

    AGREEMENT = 7

    FORFEIT = 8

    ADJUDICATION = 9

class Outcome:
    """How a finished game ended: who won, or nobody, and why."""

    def __init__(self, winner: Color | None, reason: Reason) -> None: ...

    @property
    def winner(self) -> Color | None: ...

    @property
    def reason(self) -> Reason: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class DrawRules:
    """When a game that could go on is a draw; 0 turns a rule off."""

    def __init__(self, *, repetitions: int = 3, quiet_plies: int = 80, plies: int = 0) -> None: ...

    @property
    def repetitions(self) -> int:
        """The same position with the same side to move, this many times."""

    @property
    def quiet_plies(self) -> int:
        """Plies since the last capture or man's move."""

    @property
    def plies(self) -> int:
        """Plies of the whole game."""

    def __repr__(self) -> str: ...
