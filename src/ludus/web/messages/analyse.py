"""The messages of an analysis: a live search, the review of a game, and why a player likes a position."""

from typing import Annotated, Literal

from msgspec import Meta, field

from ludus.web.messages.base import Answer, Name, Part, Request
from ludus.web.messages.play import Line, Side


class Analyse(Request, frozen=True, tag="analyse"):
    """Searches until it is cancelled. Without a player the strongest one searches. Answered by analyses."""

    line: Line
    player: Name | None = None
    lines: Annotated[int, Meta(ge=1, le=5)] = 1
    threads: Annotated[int, Meta(ge=1, le=64)] = 1


class BestLine(Part, frozen=True):
    """A good line. `prospect` is from -1 to 1 for the side to move."""

    moves: list[str]
    value: str
    prospect: float


class MoveValue(Part, frozen=True):
    """What a move is worth to the side to move. `visits` are the play-outs of MCTS that began with it."""

    move: str
    value: str
    prospect: float
    exact: bool = True
    visits: int = 0


class Analysis(Answer, frozen=True, tag="analysis", kw_only=True):
    """What the search has found so far. `unit` is men, or value for values from -1 to 1."""

    depth: int
    value: str
    prospect: float
    nodes: int
    speed: float  # nodes a second
    best: list[BestLine]
    every: list[MoveValue]
    unit: str
    player: str
    final: bool = False


class Review(Request, frozen=True, tag="review"):
    """Judges every move of a game. Without a player the strongest one judges."""

    line: Line
    player: Name | None = None


class Judged(Answer, frozen=True, tag="judged", kw_only=True):
    """What a move was worth to the side that moved, and what was better. `best` is the value of the best move.

    `prospect` and `best_prospect` are from -1 to 1. `table` is what the endgame tables said before the move.
    """

    ply: int
    move: str
    side: Side
    value: str
    prospect: float
    cost: float
    mark: str
    kind: str
    better: list[str]
    best: str
    best_prospect: float
    thrown: bool  # a win by the endgame tables that is one no longer
    final: bool = False


class SideReview(Part, frozen=True):
    """What a side's moves were worth: the accuracy in percent, the counts, and the mean cost of a move."""

    accuracy: float
    moves: int
    slips: int
    mistakes: int
    blunders: int
    thrown: int
    mean_cost: float


class Reviewed(Answer, frozen=True, tag="reviewed"):
    """The review of both sides. Costs are in `unit`: men, or value."""

    black: SideReview
    white: SideReview
    unit: str
    player: str


class Explain(Request, frozen=True, tag="explain"):
    """Asks why a player values the position after these moves as it does."""

    line: Line
    player: Name


class Reason(Part, frozen=True):
    """A thing that speaks for or against, for the side that made the last move.

    `before` and `after` are the input before and after the last move; `weight` is what it adds to the value now, and
    `weight_before` what it added before. `squares` are where it is on the board, if it has a place.
    """

    name: str
    before: float
    after: float
    weight: float
    weight_before: float
    squares: list[int] = field(default_factory=list)
    words: str = ""


class Unit(Part, frozen=True):
    """A unit of the map: its number from 1, how far it is from the position, and if it has a specialist."""

    number: int
    distance: float
    specialist: bool


class UnitMap(Part, frozen=True):
    """The map of MP-Draughts. `chosen` is the nearest unit; `words` say who speaks and why."""

    rows: int
    columns: int
    units: list[Unit]
    chosen: int | None
    specialist: bool
    attributes: list[str]
    words: list[str]


class Visits(Part, frozen=True):
    """The play-outs that began with a move, and its mean value for the side to move."""

    move: str
    visits: int
    value: float


class Explained(Answer, frozen=True, tag="explained"):
    """Why: the value for the side that made the last move, before and after it, and what speaks for and against."""

    kind: Literal["features", "squares", "map", "visits", "none"]
    player: str
    side: Side
    before: float
    after: float
    items: list[Reason]
    map: UnitMap | None
    visits: list[Visits]
    words: str


REQUESTS = (Analyse, Review, Explain)
ANSWERS = (Analysis, Judged, Reviewed, Explained)
