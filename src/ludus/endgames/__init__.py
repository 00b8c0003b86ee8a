"""Endgame tables of draughts: the result of every position with few pieces, built, checked, stored and asked.

    >>> from ludus import endgames
    >>> from ludus.games import draughts
    >>> tables = endgames.load(4)
    >>> position = draughts.Position("W:WK32,K31:BK1")
    >>> print(tables.verdict(position))
    win in 33
    >>> print(position.write(tables.line(position)[0]))
    32-28
    >>> tables.verdict(position).result
    Result.WIN

A `Result` is what a position is worth to the side to move when both sides play their best. A distance is the number of
plies to the end of the game when the winner wins as soon and the loser loses as late as possible. The draw rules of the
game, repetition and the limit of quiet moves, are no part of it.
"""

from ludus.endgames.files import BadTable
from ludus.endgames.folder import default_folder
from ludus.endgames.tables import NoTable, Result, Tables, Verdict, covering, load

__all__ = ["BadTable", "NoTable", "Result", "Tables", "Verdict", "covering", "default_folder", "load"]
