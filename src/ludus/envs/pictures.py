"""Boards as arrays of pixels, for `render_mode="rgb_array"`. The colours are those of reports/colours.py."""

import functools

import numpy as np
from numpy.typing import NDArray

from ludus.games import Move, Position, draughts, tictactoe3d
from ludus.reports import colours

Pixels = NDArray[np.uint8]  # height, width, 3
_SQUARE = 40  # the side of a square of draughts
_CELL = 24  # of a cell of Tic-Tac-Toe 3D
_GAP = 12  # between its levels
_FINE = 4  # a disc is drawn so many times larger and made smaller, for a smooth edge


def board(position: Position, last_move: Move | None = None) -> Pixels:
    """The board of a position. At draughts White is at the bottom and the last move is marked."""
    if isinstance(position, draughts.Position):
        return _draughts(position, last_move if isinstance(last_move, draughts.Move) else None)
    assert isinstance(position, tictactoe3d.Position)
    return _tictactoe3d(position)


def _draughts(position: draughts.Position, last_move: draughts.Move | None) -> Pixels:
    pixels = np.empty((8 * _SQUARE, 8 * _SQUARE, 3), np.uint8)
    pixels[:] = _rgb(colours.LIGHT_SQUARE)
    pieces = position.pieces()
    marked = (last_move.squares[0], last_move.squares[-1]) if last_move else ()
    for square in range(1, 33):
        row, place = divmod(square - 1, 4)
        column = 2 * place + (1 if row % 2 == 0 else 0)
        corner = (row * _SQUARE, column * _SQUARE)
        _area(pixels, corner, _SQUARE)[:] = _rgb(colours.LAST_MOVE if square in marked else colours.DARK_SQUARE)
        if square in pieces:
            _piece(pixels, corner, _SQUARE, pieces[square])
    return pixels


def _tictactoe3d(position: tictactoe3d.Position) -> Pixels:
    """The four levels side by side, the lowest first. Row 1 of each level is at the bottom."""
    pixels = np.empty((4 * _CELL, 16 * _CELL + 3 * _GAP, 3), np.uint8)
    pixels[:] = _rgb(colours.DARK_SQUARE)
    for number, stone in enumerate(position.cells()):
        level, row, column = number // 16, number // 4 % 4, number % 4
        corner = ((3 - row) * _CELL, level * (4 * _CELL + _GAP) + column * _CELL)
        _area(pixels, corner, _CELL)[1:-1, 1:-1] = _rgb(colours.LIGHT_SQUARE)
        if stone != ".":
            _piece(pixels, corner, _CELL, stone)
    return pixels


def _area(pixels: Pixels, corner: tuple[int, int], side: int) -> Pixels:
    top, left = corner
    return pixels[top : top + side, left : left + side]


def _piece(pixels: Pixels, corner: tuple[int, int], side: int, piece: str) -> None:
    """A man, a king (a capital letter), which has a gold ring, or a stone."""
    white = piece.lower() == "w"
    area = _area(pixels, corner, side)
    _disc(area, 0.38, colours.WHITE_PIECE_EDGE if white else colours.BLACK_PIECE_EDGE)
    _disc(area, 0.35, colours.WHITE_PIECE if white else colours.BLACK_PIECE)
    if piece.isupper():
        _disc(area, 0.24, colours.CROWN)
        _disc(area, 0.14, colours.WHITE_PIECE if white else colours.BLACK_PIECE)


def _disc(area: Pixels, radius: float, colour: str) -> None:
    cover = _cover(area.shape[0], radius)
    area[:] = np.round(area * (1 - cover) + np.array(_rgb(colour)) * cover)


@functools.cache
def _cover(side: int, radius: float) -> NDArray[np.float64]:
    """How much of each pixel of a square a disc in its middle covers; `radius` is a share of the side."""
    at = (np.arange(side * _FINE) + 0.5) / (side * _FINE) - 0.5
    inside = at[:, None] ** 2 + at[None, :] ** 2 <= radius**2
    cover: NDArray[np.float64] = inside.reshape(side, _FINE, side, _FINE).mean(axis=(1, 3))[:, :, None]
    return cover


@functools.cache
def _rgb(colour: str) -> tuple[int, int, int]:
    """A colour that is written as #rrggbb."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
