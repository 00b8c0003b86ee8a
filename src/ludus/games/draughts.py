"""English draughts (checkers) by the official rules.

A position is a value: it prints as a board, its `repr` pastes back, and `play` gives a new one.
Squares are 1 to 32; Black starts on 1 to 12 and moves first.
"""

from ludus._core.draughts import START, History, Move, Position, random_game, random_games

__all__ = ["START", "History", "Move", "Position", "random_game", "random_games"]

for _public in (History, Move, Position):
    _public.__module__ = __name__
