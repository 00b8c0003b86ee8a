"""A picture of a Kohonen map of draughts boards: a tile for each unit."""

from collections.abc import Sequence
from dataclasses import dataclass

from ludus.games import draughts
from ludus.reports import boards, colours
from ludus.reports.svg import coordinate, picture, rectangle, shortened, text

_TILE, _LINE = 220, 17  # the width of a tile, and the height of a line of its text
_BOARD = _TILE - 74


@dataclass(frozen=True)
class Unit:
    """What the picture shows of a unit."""

    name: str
    boards: int  # how many boards belong to the unit
    board: draughts.Position | None = None  # the board nearest to the unit
    lines: tuple[str, ...] = ()  # its largest attributes
    score: str = ""  # of its specialist


def unit_map(units: Sequence[Unit], *, title: str, columns: int = 5) -> str:
    """The units in rows of `columns` tiles. A tile is darker if its unit has more boards."""
    most = max((unit.boards for unit in units), default=0) or 1
    lines = max((len(unit.lines) for unit in units), default=0) * _LINE
    board = _BOARD if any(unit.board for unit in units) else 0
    height = 30 + (board + 10 + lines if board else 0) + (20 if any(unit.score for unit in units) else 0) + 8
    parts = []
    for index, unit in enumerate(units):
        row, column = divmod(index, columns)
        x, y = column * _TILE + 3, row * (height + 6) + 3
        look = f'fill-opacity="{0.08 + 0.32 * unit.boards / most:.2f}" stroke="{colours.AXIS}" rx="6"'
        parts.append(rectangle(x, y, _TILE - 6, height, colours.SERIES[0], look))
        parts.append(text(x + 8, y + 20, shortened(unit.name, 90), extra='font-weight="bold"'))
        count = f"{unit.boards:,} board" + ("" if unit.boards == 1 else "s")
        parts.append(text(x + _TILE - 14, y + 20, count, anchor="end"))
        if board:
            parts += _contents(unit, x, y + 30, lines)
    rows = -(-len(units) // columns)
    return picture(max(4, min(columns, len(units))) * _TILE, max(rows, 1) * (height + 6), parts, title)


def _contents(unit: Unit, x: float, y: float, lines: float) -> list[str]:
    """The board, the attributes and the score of a unit; an empty square for a unit without a board."""
    if unit.board is None:
        return [rectangle(x + 34, y, _BOARD, _BOARD, colours.GRID)]
    scale = _BOARD / (8 * boards.SQUARE)
    parts = [
        f'<g transform="translate({coordinate(x + 34)} {coordinate(y)}) scale({scale:.4f})">'
        f"<title>{unit.board.text}</title>{''.join(boards.squares(unit.board, numbers=False))}</g>"
    ]
    below = y + _BOARD + 18
    for index, words in enumerate(unit.lines):
        parts.append(text(x + 8, below + index * _LINE, shortened(words, _TILE - 20)))
    if unit.score:
        parts.append(text(x + 8, below + lines + 5, shortened(unit.score, _TILE - 20), extra='font-weight="bold"'))
    return parts
