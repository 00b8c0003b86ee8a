"""Tic-Tac-Toe 3D: four in a line in a cube of 4x4x4, where stones fall.

A move is a column, `a1` to `d4`; White moves first.
"""

from ludus._core.tictactoe3d import START, History, Move, Position, random_game, random_games

__all__ = ["START", "History", "Move", "Position", "random_game", "random_games"]

for _public in (History, Move, Position):
    _public.__module__ = __name__
