"""Games as the page sends them, and boards as the page draws them."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, cast

from ludus import games
from ludus.endgames import BadTable, Verdict, covering
from ludus.games import BadPosition, Color, Game, History, Move, Outcome, Position, Reason, draughts, tictactoe3d
from ludus.play import typed
from ludus.web import openings
from ludus.web.messages.play import Board, End, LegalMove, Line, Piece, Setup, Side, TableVerdict

_REASONS = {
    Reason.FOUR_IN_LINE: "four stones in a line",
    Reason.FULL_BOARD: "the board is full",
    Reason.REPETITION: "the same position came three times",
    Reason.QUIET_MOVES: "40 moves of each side without a capture or a move of a man",
    Reason.LENGTH: "the game reached its limit",
    Reason.AGREEMENT: "by agreement",
    Reason.ADJUDICATION: "by adjudication",
}


class Read(NamedTuple):
    """A game that the page has sent: its first position, its moves, and both as the core has them."""

    game: Game
    start: Position
    moves: tuple[Move, ...]
    texts: tuple[str, ...]  # the moves as they are written
    history: History

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.history.position


def read(line: Line) -> Read:
    """Reads a game. Raises ValueError with the reason: a bad position or an illegal move."""
    game = games.find(line.game)
    start = game.start if line.start is None else position_of(game, line.start)
    history = game.history(start)
    moves, texts = [], []
    for number, text in enumerate(line.moves, 1):
        position = history.position
        try:
            move = typed.legal(position, text)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from error
        moves.append(move)
        texts.append(position.write(move))
        history.play(move)
    return Read(game, start, tuple(moves), tuple(texts), history)


def position_of(game: Game, text: str) -> Position:
    """The position that is written so. Raises ValueError."""
    if not text.isprintable():
        raise BadPosition("a position is one line of printable text")
    return game.position(text)


def board(found: Read) -> Board:
    """The board after the last move."""
    position = found.position
    outcome = found.history.outcome()
    before = _before(found)
    last = None if before is None else _move(before, found.moves[-1])
    return Board(
        fen=position.text,
        turn=side(position.turn),
        pieces=_pieces(position),
        moves=[] if outcome else [_move(position, move) for move in position.moves()],
        last=last,
        history=list(found.texts),
        outcome=None if outcome is None else end(outcome, position),
        win=_winning_cells(position) if outcome else [],
        table=verdict(position),
        opening=openings.name_of(found.texts) if found.start == draughts.START else None,
    )


def set_up(request: Setup) -> Position:
    """The position with these pieces. Raises ValueError with the reason."""
    game = games.find(request.game)
    squares = [piece.square for piece in request.pieces]
    if len(set(squares)) < len(squares):
        raise BadPosition("two pieces are on one square")
    if game is draughts.GAME:
        if not all(1 <= square <= 32 for square in squares):
            raise BadPosition("a square of draughts is 1 to 32")
        parts = {
            name: ",".join(
                f"{'K' if piece.king else ''}{piece.square}" for piece in request.pieces if piece.side == name
            )
            for name in ("white", "black")
        }
        return game.position(f"{request.turn[0].upper()}:W{parts['white']}:B{parts['black']}")
    stones = {piece.square: piece.side[0] for piece in request.pieces}
    columns = []
    for column in range(16):
        tower = [stones[level * 16 + column] for level in range(4) if level * 16 + column in stones]
        if any(level * 16 + column not in stones for level in range(len(tower))):
            raise BadPosition("a stone has nothing below it: stones fall")
        columns.append("".join(tower) or "-")
    rows = (",".join(columns[row * 4 : row * 4 + 4]) for row in range(4))
    position = game.position("/".join(rows))
    if side(position.turn) != request.turn:
        raise BadPosition(f"with these stones it is {position.turn}'s turn")
    return position


def side(color: Color) -> Side:
    """A side as messages name it."""
    return "white" if color == Color.WHITE else "black"


def color(name: Side) -> Color:
    """The side that messages name so."""
    return Color.WHITE if name == "white" else Color.BLACK


def end(outcome: Outcome, last: Position) -> End:
    """How a game ended, for a person."""
    winner = outcome.winner
    if winner is None:
        return End(winner=None, reason=_REASONS.get(outcome.reason, str(outcome).partition(": ")[2]))
    loser = ~winner
    words = {
        Reason.NO_MOVES: f"{loser} {'cannot move' if _has_pieces(last, loser) else 'has no pieces left'}",
        Reason.RESIGNATION: f"{loser} resigned",
        Reason.FORFEIT: f"{loser} forfeited",
    }
    return End(winner=side(winner), reason=words.get(outcome.reason) or _REASONS[outcome.reason])


def verdict(position: Position) -> TableVerdict | None:
    """What the endgame tables say for the side to move; None if they do not have the position or are broken."""
    found = table_verdict(position)
    if found is None:
        return None
    name = cast(Literal["win", "draw", "loss"], found.result.name.lower())
    return TableVerdict(verdict=name, plies=found.distance)


def table_verdict(position: Position) -> Verdict | None:
    """The same as the tables have it."""
    if not isinstance(position, draughts.Position) or position.outcome():
        return None
    try:
        tables = covering(position)
        return None if tables is None else tables.verdict(position)
    except BadTable:
        return None


def _before(found: Read) -> Position | None:
    """The position before the last move."""
    if not found.moves:
        return None
    position = found.start
    for move in found.moves[:-1]:
        position = position.play(move)
    return position


def _pieces(position: Position) -> list[Piece]:
    if isinstance(position, draughts.Position):
        return [
            Piece(square=square, side="white" if piece in "wW" else "black", king=piece.isupper())
            for square, piece in sorted(position.pieces().items())
        ]
    cells = cast(tictactoe3d.Position, position).cells()
    return [
        Piece(square=cell, side="white" if stone == "w" else "black", king=False)
        for cell, stone in enumerate(cells)
        if stone != "."
    ]


def _has_pieces(position: Position, color: Color) -> bool:
    return any(piece.side == side(color) for piece in _pieces(position))


def _move(position: Position, move: Move) -> LegalMove:
    text = position.write(move)
    if isinstance(move, draughts.Move):
        return LegalMove(text=text, path=list(move.squares), captured=list(move.captured))
    cell = fallen(cast(tictactoe3d.Position, position), cast(tictactoe3d.Move, move))
    return LegalMove(text=text, path=[cell], captured=[])


def fallen(position: tictactoe3d.Position, move: tictactoe3d.Move) -> int:
    """The cell that a stone falls to."""
    cells = position.cells()
    return next(level * 16 + move.column for level in range(4) if cells[level * 16 + move.column] == ".")


def _winning_cells(position: Position) -> list[int]:
    if not isinstance(position, tictactoe3d.Position):
        return []
    cells = position.cells()
    won = {
        cell
        for line in tictactoe3d.lines()
        if len({cells[at] for at in line} - {"."}) == 1 and "." not in {cells[at] for at in line}
        for cell in line
    }
    return sorted(won)


def written(position: Position, moves: Sequence[Move]) -> list[str]:
    """The moves of a line as text."""
    texts = []
    for move in moves:
        texts.append(position.write(move))
        position = position.play(move)
    return texts


def read_on(found: Read, move: Move) -> History:
    """The game after one move more."""
    history = found.game.history(found.start)
    for each in (*found.moves, move):
        history.play(each)
    return history
