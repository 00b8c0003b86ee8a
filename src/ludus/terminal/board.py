"""Boards in the terminal: numbered squares, the last move, and colour where the terminal has it."""

import os
import re
import sys
from dataclasses import dataclass
from typing import TextIO

from ludus.games import Color, Move, Position, draughts

# Letters, for pipes and plain terminals: a king stands in brackets.
_LETTERS = {"b": " b ", "w": " w ", "B": "[B]", "W": "[W]"}
# Discs, for terminals with colour: a king has a crown.
_DISCS = {"b": " ● ", "w": " ● ", "B": " ♛ ", "W": " ♛ "}
_INK = {"b": "38;5;16", "w": "1;38;5;231"}
_LIGHT, _DARK, _MARKED = "48;5;223", "48;5;65", "48;5;172"
_FAINT = "38;5;151"
_STONES = {"w": "1;33", "b": "1;36"}


@dataclass(frozen=True)
class Style:
    """How boards are drawn."""

    colour: bool = False
    bottom: Color | None = None  # the side at the bottom; None: as the notation has it, White at draughts

    @classmethod
    def of_terminal(cls, stream: TextIO | None = None) -> "Style":
        """Colour where the stream is a terminal that has it. NO_COLOR and TERM=dumb turn it off."""
        stream = sys.stdout if stream is None else stream
        has = stream is not None and stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        speaks = has and (stream.encoding or "").lower().replace("-", "").startswith("utf")
        return cls(colour=bool(speaks and not os.environ.get("NO_COLOR")))


def drawn(position: Position, style: Style, last: Move | None = None) -> str:
    """The board, and who is to move. `last` is marked: by `*`, or by the colour of its squares."""
    if not isinstance(position, draughts.Position):
        return _stones(str(position)) if style.colour else str(position)
    marked = {last.squares[0], last.squares[-1]} if isinstance(last, draughts.Move) else set()
    pieces = position.pieces()
    squares = list(range(1, 33))
    rows = [squares[at : at + 4] for at in range(0, 32, 4)]
    if style.bottom == Color.BLACK:
        rows = [row[::-1] for row in reversed(rows)]
    lines = []
    for row in rows:
        cells = [_cell(square, pieces.get(square), square in marked, style.colour) for square in row]
        light = _painted(" " * 6, _LIGHT, style.colour)
        # The upper left square of the notation is light, whichever way the board is turned.
        begins_light = (row[0] - 1) // 4 % 2 == 0 if row[0] < row[-1] else (row[0] - 1) // 4 % 2 == 1
        pairs = [f"{light}{cell}" if begins_light else f"{cell}{light}" for cell in cells]
        lines.append("".join(pairs).rstrip() if not style.colour else "".join(pairs))
    end = position.outcome()
    return "\n".join([*lines, str(end) if end else f"{position.turn} to move"])


def _cell(square: int, piece: str | None, marked: bool, colour: bool) -> str:
    """A dark square, six characters wide: its piece and its number."""
    if not colour:
        return f"{_LETTERS.get(piece or '', ' . ')}{square:>2}{'*' if marked else ' '}"
    ground = _MARKED if marked else _DARK
    shown = _painted(_DISCS[piece], f"{ground};{_INK[piece.lower()]}", True) if piece else _painted("   ", ground, True)
    return shown + _painted(f"{square:>2} ", f"{ground};{_INK['b'] if marked else _FAINT}", True)


def _painted(text: str, codes: str, colour: bool) -> str:
    return f"\x1b[{codes}m{text}\x1b[0m" if colour else text


def _stones(board: str) -> str:
    """The board of Tic-Tac-Toe 3D with its stones in colour: single letters in the rows, not the words below."""
    rows = []
    for line in board.splitlines():
        if re.match("[1-4] ", line):
            line = re.sub("[wb]", lambda found: _painted(found[0], _STONES[found[0]], True), line)
        rows.append(line)
    return "\n".join(rows)
