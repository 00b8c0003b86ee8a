"""Pictures of boards: English draughts, and Tic-Tac-Toe 3D level by level. The colours are in colours.py."""

import math

from ludus.games import draughts, tictactoe3d
from ludus.reports import colours
from ludus.reports.svg import circle, coordinate, picture, polygon, polyline, rectangle, text

SQUARE = 40  # the side of a square of draughts
_FRAME = 10  # the width of the frame around the board
_DISC = 0.36 * SQUARE  # the radius of a piece


def draughts_board(position: draughts.Position, *, last_move: draughts.Move | None = None, title: str = "") -> str:
    """The board with White at the bottom and numbered squares. Kings have a gold ring and a crown.

    `last_move`, the move that led to the position, is marked: its first and last square, its path and its captures.
    """
    side = 8 * SQUARE + 2 * _FRAME
    inside = "".join([*squares(position, last_move=last_move), *_path(last_move)])
    parts = [
        rectangle(0, 0, side, side, colours.BOARD_FRAME, 'rx="6"'),
        f'<g transform="translate({_FRAME} {_FRAME})">{inside}</g>',
    ]
    return picture(side, side, parts, title or f"Draughts: {position.text}")


def squares(position: draughts.Position, *, last_move: draughts.Move | None = None, numbers: bool = True) -> list[str]:
    """The squares of a draughts board and the pieces on them, without a frame: 8 * SQUARE wide and high."""
    pieces = position.pieces()
    marked = (last_move.squares[0], last_move.squares[-1]) if last_move else ()
    parts = [rectangle(0, 0, 8 * SQUARE, 8 * SQUARE, colours.LIGHT_SQUARE)]
    for number in range(1, 33):
        x, y = (centre - SQUARE / 2 for centre in _centre(number))
        parts.append(rectangle(x, y, SQUARE, SQUARE, colours.DARK_SQUARE))
        if number in marked:
            parts.append(rectangle(x, y, SQUARE, SQUARE, colours.LAST_MOVE, 'fill-opacity="0.55"'))
        if numbers:
            small = f'font-size="9" style="fill:{colours.SQUARE_NUMBER}"'
            parts.append(text(x + 2, y + 9, str(number), extra=small))
        if number in pieces:
            parts += _piece(*_centre(number), _DISC, pieces[number])
    return parts


def tictactoe3d_board(position: tictactoe3d.Position, title: str = "") -> str:
    """The four levels side by side, the lowest first. Row 1 of each level is at the bottom."""
    cells = position.cells()
    size, gap = 26, 14
    parts = []
    for level in range(4):
        left = 16 + level * (4 * size + gap)
        parts.append(text(left + 2 * size, 13, f"level {level + 1}", anchor="middle"))
        for row in range(4):
            for column in range(4):
                x, y = left + column * size, 20 + (3 - row) * size
                parts.append(rectangle(x, y, size, size, colours.LIGHT_SQUARE, f'stroke="{colours.DARK_SQUARE}"'))
                stone = cells[16 * level + 4 * row + column]
                if stone != ".":
                    parts += _piece(x + size / 2, y + size / 2, 0.38 * size, stone)
        for column, letter in enumerate("abcd"):
            parts.append(text(left + (column + 0.5) * size, 20 + 4 * size + 15, letter, anchor="middle"))
    for row in range(4):
        parts.append(text(0, 20 + (3.5 - row) * size + 5, str(row + 1)))
    width, height = 16 + 16 * size + 3 * gap + 1, 20 + 4 * size + 22
    return picture(width, height, parts, title or f"Tic-Tac-Toe 3D: {position.text}")


def _centre(square: int) -> tuple[float, float]:
    """The middle of a square of draughts: 1 to 4 are the top row."""
    row, place = divmod(square - 1, 4)
    column = 2 * place + (1 if row % 2 == 0 else 0)
    return (column + 0.5) * SQUARE, (row + 0.5) * SQUARE


def _piece(x: float, y: float, radius: float, piece: str) -> list[str]:
    """A man, a king (a capital letter) or a stone."""
    if piece.lower() == "w":
        fill, edge = colours.WHITE_PIECE, colours.WHITE_PIECE_EDGE
    else:
        fill, edge = colours.BLACK_PIECE, colours.BLACK_PIECE_EDGE
    parts = [circle(x, y, radius, fill, f'stroke="{edge}" stroke-width="1.5"')]
    if piece.islower():
        groove = colours.WHITE_PIECE_EDGE if piece == "w" else "#6f625a"
        return [*parts, circle(x, y, 0.62 * radius, "none", f'stroke="{groove}" stroke-opacity="0.7"')]
    parts.append(circle(x, y, 0.84 * radius, "none", f'stroke="{colours.CROWN}" stroke-width="2.5"'))
    crown = ((-7.5, 6), (-8.5, -4.5), (-4, 0), (0, -7), (4, 0), (8.5, -4.5), (7.5, 6))
    return [*parts, polygon([(x + a, y + b) for a, b in crown], colours.CROWN, f'stroke="{edge}" stroke-width="0.8"')]


def _path(move: draughts.Move | None) -> list[str]:
    """An arrow along a move, up to the edge of the piece that made it, and a cross on each captured square."""
    if move is None:
        return []
    places = [_centre(square) for square in move.squares]
    (x1, y1), (x2, y2) = places[-2:]
    share = 1 - (_DISC + 2) / math.hypot(x2 - x1, y2 - y1)
    tip = (x1 + share * (x2 - x1), y1 + share * (y2 - y1))
    stroke = 'stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round" stroke-opacity="0.85"'
    parts = []
    for square in move.captured:
        x, y = _centre(square)
        for a in (6, -6):
            parts.append(polyline([(x - a, y - 6), (x + a, y + 6)], colours.LAST_MOVE_ARROW, 'stroke-width="2.5"'))
    angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
    turn = f'transform="translate({coordinate(tip[0])} {coordinate(tip[1])}) rotate({coordinate(angle)})"'
    line = [*places[:-1], (tip[0] - 8 * math.cos(math.radians(angle)), tip[1] - 8 * math.sin(math.radians(angle)))]
    parts.append(polyline(line, colours.LAST_MOVE_ARROW, stroke))
    parts.append(polygon([(0, 0), (-12, -7), (-12, 7)], colours.LAST_MOVE_ARROW, turn))
    return parts
