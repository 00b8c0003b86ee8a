"""The messages of the arena: ladders, matches, their games, and matches that the page starts."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ludus.game_names import GameName
from ludus.web.messages.base import Answer, Name, Request
from ludus.web.messages.parts import IntervalsPart, LinesPart, TablePart

MatchState = Literal["finished", "running", "stopped"]
BudgetText = Annotated[str, Meta(max_length=50)]  # depth=8, nodes=2000, playouts=300 or seconds=0.1
OpeningsText = Annotated[str, Meta(max_length=50)]  # ballots3, ballots2, random:K or none


class MatchScore(Struct, frozen=True, kw_only=True):
    """The score of the first player, with 95% intervals. An Elo difference that is infinite or unknown is null."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float | None  # from 0 to 1
    low: float
    high: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None


class MatchLine(Struct, frozen=True, kw_only=True):
    """A match in the list of matches."""

    match: str  # its id
    players: tuple[str, str]
    game: str
    state: MatchState
    planned: int  # games
    score: MatchScore
    here: bool  # this server started it and can stop it
    again: bool  # this server can go on with it


class SprtBar(Struct, frozen=True, kw_only=True):
    """A sequential test: the log-likelihood ratio between its bounds."""

    elo0: float
    elo1: float
    llr: float
    low: float
    high: float
    verdict: str  # continue, accept H0 or accept H1


class EndingCount(Struct, frozen=True, kw_only=True):
    """How many games ended for this reason."""

    reason: str
    games: int


class GameLine(Struct, frozen=True, kw_only=True):
    """A game of a match. `number` counts from 1."""

    number: int
    black: str
    white: str
    winner: Literal["black", "white"] | None
    reason: str
    opening: str
    plies: int
    thrown: int  # wins thrown, by both players
    note: str


class MatchView(Struct, frozen=True, kw_only=True):
    """All that the page shows of a match."""

    line: MatchLine
    openings: str
    seed: int
    rules: str
    ladder: str | None  # the ladder that it is a part of
    sprt: SprtBar | None
    pentanomial: list[int]
    endings: list[EndingCount]
    plies: float  # a game
    nodes: list[float]  # a move of each player
    seconds: list[float]
    loops: str
    thrown: TablePart | None
    curve: LinesPart
    games: list[GameLine]


class LadderLine(Struct, frozen=True, kw_only=True):
    """A ladder in the list of ladders."""

    ladder: str  # its id
    game: str
    players: int
    games: int
    running: bool
    best: str


class LadderRow(Struct, frozen=True, kw_only=True):
    """A player of a ladder."""

    name: str
    elo: float
    low: float
    high: float
    games: int
    score: float
    cells: list["LadderCell"]  # against each player, in order of rank


class LadderCell(Struct, frozen=True, kw_only=True):
    """A pair of players: the score of the player of the row, and the id of their match."""

    score: float | None
    games: int
    match: str | None


class LadderView(Struct, frozen=True, kw_only=True):
    """A ladder with its cross table."""

    line: LadderLine
    note: str
    chart: IntervalsPart
    rows: list[LadderRow]
    endings: TablePart | None


class WatchArena(Request, frozen=True, kw_only=True, tag="watch-arena"):
    """Asks for the ladders and matches, and again whenever they change."""


class WatchLadder(Request, frozen=True, kw_only=True, tag="watch-ladder"):
    """Asks for a ladder, and again whenever it changes."""

    ladder: Name


class WatchMatch(Request, frozen=True, kw_only=True, tag="watch-match"):
    """Asks for a match, and again whenever it changes."""

    match: Name


class MatchGame(Request, frozen=True, kw_only=True, tag="match-game"):
    """Asks for a game of a match as a text."""

    match: Name
    number: Annotated[int, Meta(ge=1, le=10**6)]


class StartMatch(Request, frozen=True, kw_only=True, tag="match"):
    """Starts a match between two players of the catalogue."""

    game: GameName
    first: Name
    second: Name
    first_budget: BudgetText | None = None  # the player's own if there is none
    second_budget: BudgetText | None = None
    games: Annotated[int, Meta(ge=2, le=100_000)] = 100
    openings: OpeningsText | None = None
    seed: Annotated[int, Meta(ge=0, lt=2**53)] = 0
    elo0: Annotated[float, Meta(gt=-4000, lt=4000)] | None = None  # both, for a sequential test
    elo1: Annotated[float, Meta(gt=-4000, lt=4000)] | None = None


class StopMatch(Request, frozen=True, kw_only=True, tag="stop-match"):
    """Stops a match that this server started."""

    match: Name


class ResumeMatch(Request, frozen=True, kw_only=True, tag="resume-match"):
    """Goes on with a match that the page started and that was stopped."""

    match: Name


class ArenaSeen(Answer, frozen=True, kw_only=True, tag="arena"):
    """The ladders, the matches that are not part of one, and the ratings of the players of the package by game."""

    ladders: list[LadderLine]
    matches: list[MatchLine]
    package: list[IntervalsPart]
    allowed: bool  # matches can be started here
    room: int  # how many more can be started now
    failures: list[str]
    final: bool = False


class LadderSeen(Answer, frozen=True, kw_only=True, tag="ladder"):
    """A ladder as it is now."""

    view: LadderView
    final: bool = False


class MatchSeen(Answer, frozen=True, kw_only=True, tag="match"):
    """A match as it is now."""

    view: MatchView
    final: bool = False


class MatchText(Answer, frozen=True, kw_only=True, tag="match-game"):
    """A game of a match: its moves from the start of the game, and the game in its notation."""

    game: GameName
    moves: list[str]
    text: str


class MatchStarted(Answer, frozen=True, kw_only=True, tag="match-started"):
    """A match was started or stopped."""

    match: str


REQUESTS = (WatchArena, WatchLadder, WatchMatch, MatchGame, StartMatch, StopMatch, ResumeMatch)
ANSWERS = (ArenaSeen, LadderSeen, MatchSeen, MatchText, MatchStarted)
