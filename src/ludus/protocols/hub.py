"""The text of Hub 2, the engine protocol of Scan: its lines, and in them positions and moves of English draughts.

A line is a command and arguments: `info depth=7 pv="11-15 22-18"`. A position is the side to move and the 32 squares in
their order, each w, b, W, B or e. Squares and colours are those of PDN: Black has 1 to 12 at the start and moves first.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ludus.games import Color
from ludus.games.draughts import Move, Position

VARIANT = "english"
LONGEST_LINE = 65_536  # bytes; a game of a thousand moves needs a tenth of it
LONGEST_MESSAGE = 500  # characters of an error
MEN = 18.0  # Hub counts in men, values have no unit: this is about right for material at the start of a game
SURE = 90.0  # men; a score beyond it is a forced end, 100 less a hundredth for each ply to it

_NAME = re.compile(r'[^\s\x00-\x1f\x7f="]+')
_ARGUMENT = re.compile(rf'({_NAME.pattern})(?:\s*=\s*(?:"([^"]*)"|({_NAME.pattern})))?')
_BLANK = re.compile(r"\s*")
_CAPTURE = re.compile(r"(\d{1,2})x(\d{1,2})((?:x\d{1,2})+)", re.ASCII)


class BadLine(ValueError):
    """A line that is not Hub, or asks for something impossible. The message has the reason."""


class Line(NamedTuple):
    """What a line says. An argument without a value has the empty one."""

    command: str
    arguments: Mapping[str, str]

    def __str__(self) -> str:
        return " ".join([self.command, *(_written(name, value) for name, value in self.arguments.items())])


def _written(name: str, value: str) -> str:
    return f"{name}={value}" if _NAME.fullmatch(value) else f'{name}="{value}"'


def read(text: str) -> Line | None:
    """The line that `text` is, None if it is blank. Of an argument given twice the last counts. Raises BadLine."""
    text = text.rstrip()
    at = _skip(text, 0)
    if at == len(text):
        return None
    if not (command := _NAME.match(text, at)):
        raise BadLine(f"a line begins with a command, not with {_shown(text[at:])}")
    arguments = {}
    at = _skip(text, command.end())
    while at < len(text):
        if not (argument := _ARGUMENT.match(text, at)):
            raise BadLine(f"arguments are written name=value, not {_shown(text[at:])}")
        name, quoted, plain = argument.groups()
        arguments[name] = quoted if quoted is not None else plain or ""
        at = _skip(text, argument.end())
    return Line(command.group(), arguments)


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _shown(text: str) -> str:
    return f"'{text}'" if len(text) <= 40 else f"'{text[:40]}...'"


def error(message: object) -> Line:
    """An error line. Hub cannot write a double quote inside a value, so it becomes a single one."""
    text = " ".join(str(message).replace('"', "'").split())
    printable = "".join(c if c.isprintable() else "?" for c in text)
    return Line("error", {"message": printable[:LONGEST_MESSAGE]})


def read_position(text: str) -> Position:
    """The position that 33 letters describe. Raises BadLine with the reason."""
    turn, squares = text[:1].upper(), text[1:]
    if turn not in ("B", "W") or len(squares) != 32 or set(squares) - set("bwBWe"):
        raise BadLine(f"{_shown(text)} is not a position: it is B or W, and 32 letters of w, b, W, B and e")
    sides = {"B": "", "W": ""}
    for number, letter in enumerate(squares, 1):
        if letter != "e":
            sides[letter.upper()] += f"{'K' if letter.isupper() else ''}{number},"
    try:
        return Position(f"{turn}:W{sides['W'][:-1]}:B{sides['B'][:-1]}")
    except ValueError as reason:
        raise BadLine(str(reason)) from reason


def write_position(position: Position) -> str:
    """The position as 33 letters."""
    pieces = position.pieces()
    turn = "B" if position.turn == Color.BLACK else "W"
    return turn + "".join(pieces.get(number, "e") for number in range(1, 33))


def read_move(position: Position, text: str) -> Move:
    """The legal move that `text` means; raises IllegalMove or AmbiguousMove with the reason.

    In Hub a capture is `from x to`, and then the captured squares in any order. PDN is understood as well: what a
    capture visits lies on other rows than what it takes, so no text means one move in Hub and another in PDN.
    """
    if capture := _CAPTURE.fullmatch(text):
        ends = int(capture[1]), int(capture[2])
        taken = sorted(map(int, capture[3][1:].split("x")))
        for move in position.moves():
            # Routes that take the same pieces lead to the same position: any of them will do.
            if ends == (move.squares[0], move.squares[-1]) and taken == sorted(move.captured):
                return move
    return position.move(text)


def write_move(move: Move) -> str:
    """The move as Hub has it: 11-15, or 15x22x18 when 18 is captured."""
    squares = (move.squares[0], move.squares[-1], *move.captured)
    return ("x" if move.captured else "-").join(map(str, squares))


def written_moves(moves: Iterable[Move]) -> str:
    """Several moves, as in `pos` and `info`."""
    return " ".join(map(write_move, moves))


def read_moves(position: Position, text: str) -> Iterator[Move]:
    """The moves that are played from `position` one after the other. Raises IllegalMove or AmbiguousMove."""
    for word in text.split():
        move = read_move(position, word)
        yield move
        position = position.play(move)


def score(value: float, end_in: int | None) -> str:
    """A value from -1 to 1, or plies to a forced end, in men."""
    if end_in is not None:
        return f"{math.copysign(100, end_in) - end_in / 100:.2f}"
    return f"{round(MEN * value, 2) + 0.0:.2f}"  # no -0.00


def value(men: float) -> float:
    """The value from -1 to 1 that a score in men is, as far as one can tell."""
    return 1.0 if men > SURE else -1.0 if men < -SURE else max(-1.0, min(1.0, men / MEN))
