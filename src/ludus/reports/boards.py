"""Boards as pictures: English draughts, Tic-Tac-Toe 3D level by level, and the units of a Kohonen map with theirs."""

from collections.abc import Sequence
from dataclasses import dataclass

from ludus.games import draughts, tictactoe3d
from ludus.reports.svg import COLOURS, FAINT, GREY, number, picture, rectangle, shortened, text

_LIGHT, _DARK = "#e9d8b4", "#8a6a48"  # the squares: the same on light and dark pages, as boards are
_WHITE, _BLACK = "#fbf8f0", "#26221f"
_SQUARE = 40

_TILE, _TALL = 200, 15  # the width of a map's tile, and the height of a line of its text


@dataclass(frozen=True)
class Unit:
    """What is shown of a unit of a map."""

    name: str
    boards: int  # how many it won
    board: draughts.Position | None = None  # the typical one
    lines: tuple[str, ...] = ()  # its strongest attributes, say
    score: str = ""  # its specialist's


def draughts_board(position: draughts.Position, title: str = "") -> str:
    """The board with White at the bottom; kings wear a crown."""
    return picture(8 * _SQUARE, 8 * _SQUARE, _draughts_parts(position), title or f"Draughts: {position.text}")


def tictactoe3d_board(position: tictactoe3d.Position, title: str = "") -> str:
    """The four levels side by side, the lowest first; row 1 of each at the bottom, as in the notation of columns."""
    cells = position.cells()
    size, gap = 24, 14
    parts = []
    for level in range(4):
        left = 16 + level * (4 * size + gap)
        parts.append(text(left + 2 * size, 13, f"level {level + 1}", anchor="middle"))
        for row in range(4):
            for column in range(4):
                x, y = left + column * size, 20 + (3 - row) * size
                parts.append(rectangle(x, y, size, size, _LIGHT, f'stroke="{_DARK}"'))
                stone = cells[16 * level + 4 * row + column]
                if stone != ".":
                    parts.append(_disc(x + size / 2, y + size / 2, 0.36 * size, stone))
        for column, letter in enumerate("abcd"):
            parts.append(text(left + (column + 0.5) * size, 20 + 4 * size + 14, letter, anchor="middle"))
    for row in range(4):
        parts.append(text(0, 20 + (3.5 - row) * size + 4, str(row + 1)))
    width, height = 16 + 16 * size + 3 * gap + 1, 20 + 4 * size + 20
    return picture(width, height, parts, title or f"Tic-Tac-Toe 3D: {position.text}")


def map_tiles(units: Sequence[Unit], *, title: str, columns: int = 5) -> str:
    """The units of a map, so many a row: a grid as it lies, a chain wrapped. The more boards, the deeper the colour."""
    most = max((unit.boards for unit in units), default=0) or 1
    tall = max((len(unit.lines) for unit in units), default=0) * _TALL
    board = _TILE - 60
    height = 30 + board + 10 + tall + (20 if any(unit.score for unit in units) else 0) + 8
    parts = []
    for index, unit in enumerate(units):
        row, column = divmod(index, columns)
        x, y = column * _TILE + 3, row * (height + 6) + 3
        fill = f'fill-opacity="{0.08 + 0.32 * unit.boards / most:.2f}" stroke="{GREY}" stroke-opacity="0.5" rx="6"'
        parts.append(rectangle(x, y, _TILE - 6, height, COLOURS[0], fill))
        parts.append(text(x + 8, y + 19, shortened(unit.name, 90), extra='font-weight="bold"'))
        boards = f"{unit.boards:,} board" + ("" if unit.boards == 1 else "s")
        parts.append(text(x + _TILE - 14, y + 19, boards, anchor="end"))
        if unit.board is not None:
            scale = board / (8 * _SQUARE)
            parts.append(
                f'<g transform="translate({number(x + 27)} {number(y + 30)}) scale({scale:.4f})">'
                f"<title>{unit.board.text}</title>{''.join(_draughts_parts(unit.board))}</g>"
            )
        else:
            parts.append(rectangle(x + 27, y + 30, board, board, FAINT))
        below = y + 30 + board + 16
        for number_of_line, words in enumerate(unit.lines):
            parts.append(text(x + 8, below + number_of_line * _TALL, shortened(words, _TILE - 20)))
        if unit.score:
            parts.append(text(x + 8, below + tall + 5, shortened(unit.score, _TILE - 20), extra='font-weight="bold"'))
    rows = -(-len(units) // columns)
    return picture(columns * _TILE, max(rows, 1) * (height + 6), parts, title)


def _draughts_parts(position: draughts.Position) -> list[str]:
    parts = [rectangle(0, 0, 8 * _SQUARE, 8 * _SQUARE, _LIGHT)]
    pieces = position.pieces()
    for square in range(1, 33):
        row, place = divmod(square - 1, 4)
        column = 2 * place + (1 if row % 2 == 0 else 0)
        x, y = column * _SQUARE, row * _SQUARE
        parts.append(rectangle(x, y, _SQUARE, _SQUARE, _DARK))
        if square in pieces:
            piece = pieces[square]
            parts.append(_disc(x + _SQUARE / 2, y + _SQUARE / 2, 0.38 * _SQUARE, piece.lower()))
            if piece.isupper():
                parts.append(_crown(x, y, _BLACK if piece == "W" else _WHITE))
    return parts


def _disc(x: float, y: float, radius: float, side: str) -> str:
    fill, edge = (_WHITE, _BLACK) if side == "w" else (_BLACK, _WHITE)
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}" stroke="{edge}"/>'


def _crown(x: float, y: float, colour: str) -> str:
    points = ((11, 27), (10, 15), (15.5, 20), (20, 12.5), (24.5, 20), (30, 15), (29, 27))
    path = " ".join(f"{number(x + a)},{number(y + b)}" for a, b in points)
    return f'<polygon points="{path}" fill="{colour}"/>'
