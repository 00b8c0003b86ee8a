"""Tic-Tac-Toe 3D: four in a line in a cube of 4x4x4, where stones fall.

A move is a column, `a1` to `d4`; White moves first. A game is one line, its moves and its result:
`a1 b1 a1 b1 a1 b1 a1 1-0`.

    >>> from ludus.games import tictactoe3d
    >>> position = tictactoe3d.START.play("a1")
    >>> position.turn, len(position.moves())
    (Color.BLACK, 16)
    >>> tictactoe3d.GAME.title, tictactoe3d.Position(position.text) == position
    ('Tic-Tac-Toe 3D', True)

A `Position`, a `Move` and a `History` are what the Protocols of the same names in `ludus.games` say. `random_game`
plays one game at random, `random_games` counts many.

    >>> isinstance(position.moves()[0], tictactoe3d.Move)
    True
    >>> history = tictactoe3d.History()
    >>> for move in tictactoe3d.random_game(seed=1, index=0)[0]:
    ...     history.play(move)
    >>> history.outcome().reason
    Reason.FOUR_IN_LINE
    >>> sum(tictactoe3d.random_games(seed=1, first=0, count=100)[:3])
    100

`encode` makes the inputs of networks from many positions at once, and `cells` the plainest of them. `lines` has the
cells of each line.

    >>> tictactoe3d.cells([tictactoe3d.START]).shape
    (1, 64)
    >>> tictactoe3d.encode([tictactoe3d.START], "cells64").shape
    (1, 64)
    >>> len(tictactoe3d.lines())
    76
"""

from collections.abc import Iterable, Iterator

from ludus._core import Color
from ludus._core import tictactoe3d as _core
from ludus._core.tictactoe3d import START, History, Move, Position, cells, lines, random_game, random_games
from ludus.games.game import Game
from ludus.games.record import Record
from ludus.games.results import BadResult, written_outcome, written_reason

__all__ = [
    "GAME",
    "START",
    "History",
    "Move",
    "Position",
    "cells",
    "encode",
    "lines",
    "random_game",
    "random_games",
    "read_game",
    "write_game",
]

for _public in (History, Move, Position):
    _public.__module__ = __name__
History.__hash__ = None  # type: ignore[method-assign, assignment]  # it changes

_RESULTS = {"1-0": Color.WHITE, "0-1": Color.BLACK, "1/2-1/2": None}


def write_game(record: Record[Position, Move]) -> str:
    """The game as one line, without its end: [position] moves result [reason].

    The position is written when it is not the empty board, the reason when the board does not show it and it was not
    an adjudication; `*` stands for no outcome. The line has no place for tags and comments: raises ValueError
    when there are any, and BadResult when the outcome contradicts the last position.

    Examples:
        >>> write_game(Record(START, tuple(GAME.moves(["a1", "b1"]))))
        'a1 b1 *'
    """
    if record.tags or record.comments:
        raise ValueError("a game of Tic-Tac-Toe 3D is written as its moves alone, without tags and comments")
    words = [] if record.start == START else [record.start.text]
    position = record.start
    for move in record.moves:
        words.append(position.write(move))
        position = position.play(move)
    if record.outcome is None:
        words.append("*")
    else:
        words.append(next(text for text, winner in _RESULTS.items() if winner == record.outcome.winner))
        words.append(written_reason(record.outcome, position) or "")
    return " ".join(words).rstrip()


def read_game(line: str) -> Record[Position, Move]:
    """Reads what `write_game` writes. Raises BadPosition, IllegalMove or BadResult with the reason.

    Examples:
        >>> record = read_game("a1 b1 a1 b1 a1 b1 a1 1-0")
        >>> len(record.moves), str(record.outcome)
        (7, 'White wins: four in a line')
    """
    words = line.split()
    # Only a position has commas.
    start = Position(words.pop(0)) if words and "," in words[0] else START
    rest = iter(words)
    position = start
    moves = []
    for text in rest:
        if text == "*" or text in _RESULTS:
            break
        move = position.move(text)
        moves.append(move)
        position = position.play(move)
    else:
        raise BadResult(f"the game has no result: it ends in {', '.join(_RESULTS)} or *")
    reason = " ".join(rest) or None
    if text != "*":
        return Record(start, tuple(moves), written_outcome(_RESULTS[text], reason, position))
    if reason:
        raise BadResult(f"{reason!r} comes after the end of the game")
    return Record(start, tuple(moves))


def _write(record: Record[Position, Move]) -> str:
    return write_game(Record(record.start, record.moves, record.outcome)) + "\n"


def _read(lines: Iterable[str], **_: object) -> Iterator[Record[Position, Move]]:
    return (read_game(line) for line in lines if line.strip())


GAME = Game(
    name="tictactoe3d",
    title="Tic-Tac-Toe 3D",
    core=_core,
    position_mark="/",
    write=_write,
    read=_read,
    ending="txt",
    usual_openings="random:4",
    usual_network="deep-structured",
    usual_inputs="cells64",
    usual_opponent="benchmark",
    analyst="champion3d",
    playout_plies=20,
)

encode = GAME.encode
"""Network inputs of a list of positions, a row each: see `Game.encode`."""
