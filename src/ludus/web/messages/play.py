"""The messages of a game."""

from typing import Annotated, Literal

from msgspec import Meta, field

from ludus.game_names import GameName
from ludus.web.messages.base import Answer, Name, Part, Request, Text

MOST_PLIES = 2000

Side = Literal["black", "white"]
Level = Annotated[int, Meta(ge=1, le=9)]
Seed = Annotated[int, Meta(ge=0, lt=2**53)]
MoveText = Annotated[str, Meta(max_length=100)]
Square = Annotated[int, Meta(ge=0, le=63)]


class Line(Part, frozen=True):
    """A game so far. The server keeps no games."""

    game: GameName
    start: Annotated[str, Meta(max_length=1000)] | None  # the first position as text; none: the game's own
    moves: Annotated[list[MoveText], Meta(max_length=MOST_PLIES)]


class Piece(Part, frozen=True):
    """A piece: a square from 1 to 32 of draughts, a cell from 0 to 63 (level * 16 + row * 4 + column) of the cube."""

    square: Square
    side: Side
    king: bool


class LegalMove(Part, frozen=True):
    """A move: its text, the squares it goes through, and the squares of what it captures."""

    text: str
    path: list[int]
    captured: list[int]


class End(Part, frozen=True):
    """How a game ended; a draw has no winner."""

    winner: Side | None
    reason: str


class TableVerdict(Part, frozen=True):
    """What the endgame tables say for the side to move; the plies to the end of the game if they are known."""

    verdict: Literal["win", "draw", "loss"]
    plies: int | None


class Board(Answer, frozen=True, tag="board"):
    """A position: what is on it, what can be played, and how the game stands."""

    fen: str
    turn: Side
    pieces: list[Piece]
    moves: list[LegalMove]
    last: LegalMove | None
    history: list[str]
    outcome: End | None
    win: list[int]
    table: TableVerdict | None
    opening: str | None


class Look(Request, frozen=True, tag="look"):
    """Asks for the board after these moves. Answered by a board."""

    line: Line


class Clock(Part, frozen=True):
    """What the player has left."""

    left_ms: Annotated[int, Meta(ge=0, le=10**9)]
    increment_ms: Annotated[int, Meta(ge=0, le=10**7)] = 0


class Play(Request, frozen=True, tag="play"):
    """Asks a player for its move. Answered by what it thinks, then by its move."""

    line: Line
    player: Name
    level: Level | None = None
    seed: Seed = 0
    clock: Clock | None = None


class Thinking(Answer, frozen=True, tag="thinking", kw_only=True):
    """What a player has found so far. The value is for the player."""

    depth: int
    value: str
    nodes: int
    line: list[str]
    final: bool = False


class Moved(Answer, frozen=True, tag="moved"):
    """The player's move and the board after it. `value` is empty if the player moved without a search."""

    move: str
    board: Board
    draw_offer: bool
    value: str = ""
    depth: int = 0
    nodes: int = 0
    milliseconds: int = 0


class Hint(Request, frozen=True, tag="hint"):
    """Asks the strongest player for a move."""

    line: Line


class Hinted(Answer, frozen=True, tag="hint"):
    """A good move, its value for the side to move, and how the game could go on."""

    move: str
    value: str
    line: list[str]
    player: str


class Draw(Request, frozen=True, tag="draw"):
    """Offers the opponent a draw."""

    line: Line
    player: Name
    level: Level | None = None


class Drawn(Answer, frozen=True, tag="drawn"):
    """Whether it accepts."""

    accepted: bool
    reason: str


class Setup(Request, frozen=True, tag="setup"):
    """Asks for the board with these pieces. Answered by a board, or an error that says what is wrong with it."""

    game: GameName
    pieces: Annotated[list[Piece], Meta(max_length=64)]
    turn: Side


class Read(Request, frozen=True, tag="read"):
    """Reads a text: a position, a list of moves, or games."""

    text: Text
    game: GameName | None = None


class ReadGame(Part, frozen=True):
    """A game that was read."""

    tags: dict[str, str]
    line: Line
    result: str  # 1-0, 0-1, 1/2-1/2, 0-0 or *; at draughts Black's points come first
    outcome: End | None
    title: str


class Games(Answer, frozen=True, tag="games"):
    """What was read, and a note for each thing that could not be."""

    games: list[ReadGame]
    notes: list[str]


Tags = Annotated[dict[Annotated[str, Meta(max_length=50)], Annotated[str, Meta(max_length=300)]], Meta(max_length=50)]
# How the game ended where the board does not show it: by resignation, agreement or time.
Ending = Literal["resignation", "agreement", "forfeit"]


class Write(Request, frozen=True, tag="write"):
    """Asks for the game as a text: PDN of draughts, a line of moves of Tic-Tac-Toe 3D."""

    line: Line
    tags: Tags = field(default_factory=dict)
    winner: Side | None = None
    ending: Ending | None = None


class Written(Answer, frozen=True, tag="text"):
    """The game as a text."""

    text: str


class Save(Request, frozen=True, tag="save"):
    """Adds the game to the file of this name in the server's folder of games; the file is made if it is not there."""

    line: Line
    name: Annotated[str, Meta(min_length=1, max_length=100)]
    tags: Tags = field(default_factory=dict)
    winner: Side | None = None
    ending: Ending | None = None


class Saved(Answer, frozen=True, tag="saved"):
    """The name of the file, and a sentence that says what was written."""

    name: str
    message: str


REQUESTS = (Look, Play, Hint, Draw, Setup, Read, Write, Save)
ANSWERS = (Board, Thinking, Moved, Hinted, Drawn, Games, Written, Saved)
