"""English draughts."""

from typing import overload

import ludus._core


class Move:
    """A legal move of one position; prints as people write it."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def squares(self) -> tuple[int, ...]:
        """The squares it visits, first to last."""

    @property
    def captured(self) -> tuple[int, ...]:
        """The squares it captures, in order."""

class Position:
    """An immutable position; see the text of its module."""

    def __init__(self, text: str) -> None:
        """Reads a position from its text. Raises BadPosition with the reason."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple[type[Position], tuple[str]]: ...

    @property
    def text(self) -> str:
        """The position as one line of text, which Position() reads back."""

    @property
    def turn(self) -> ludus._core.Color:
        """The side to move."""

    def moves(self) -> list[Move]:
        """The legal moves."""

    def move(self, text: str) -> Move:
        """
        The legal move that people write so. Raises IllegalMove or AmbiguousMove with the reason.
        """

    def write(self, move: Move) -> str:
        """The shortest text that tells this move from the other legal ones."""

    @overload
    def play(self, move: Move) -> Position:
        """The position after a legal move. Raises IllegalMove."""

    @overload
    def play(self, move: str) -> Position:
        """The same for a move written as text."""

    def outcome(self) -> ludus._core.Outcome | None:
        """How the game ended here; None while it goes on."""

    def perft(self, depth: int, *, plain: bool = False) -> int:
        """
        The number of games of `depth` plies. `plain` makes every last move instead of counting it.
        """

    def turned(self) -> Position:
        """The same position with the sides exchanged and the board turned round."""

    def pieces(self) -> dict[int, str]:
        """The pieces by square: b or w a man, B or W a king."""

class History:
    """A game under way, with what the draw rules need to know of it."""

    def __init__(self, start: Position = ..., rules: ludus._core.DrawRules = ...) -> None: ...

    @property
    def position(self) -> Position:
        """The present position."""

    @property
    def plies(self) -> int:
        """The number of moves played."""

    def play(self, move: Move) -> None:
        """Plays a legal move. Raises IllegalMove."""

    def outcome(self) -> ludus._core.Outcome | None:
        """How the game ended, draws included; None while it goes on."""

START: Position = ...

def random_game(seed: int, index: int) -> tuple[list[Move], ludus._core.Outcome]:
    """The moves and the outcome of game `index` of uniformly random play."""

def random_games(seed: int, first: int, count: int) -> tuple[int, int, int, int]:
    """
    Wins of the first mover, draws, its losses, and plies over `count` games of random_game.
    """

FEATUREMAP12: int = 4095

FEATUREMAP28: int = 268435455

def feature_bits() -> dict[str, int]:
    """
    The features of NET-FEATUREMAP by name, in order, with the inputs that each takes.
    """

def features(afterstate: Position) -> dict[str, int]:
    """
    The raw values of the 28 features, for the side that has just moved: pass the position after its move.
    """

def encode_features(afterstate: Position, chosen: int = 268435455, *, faithful: bool = False) -> list[float]:
    """
    The network inputs, 0 or 1, of the features whose bits are on in the mask `chosen`, feature 1 lowest. `faithful` codes large and negative values as the lineage's programs do instead of cutting them off.
    """

def attributes(afterstate: Position, *, count: bool = False) -> list[float]:
    """
    The 28 attributes that a Kohonen map is told: which features are above 0, or their values if `count`.
    """

def corner_credit(afterstate: Position) -> bool:
    """Samuel's CORN, for the side that has just moved."""

def the_move(afterstate: Position) -> bool:
    """Samuel's MOVE, for the side that has just moved."""
