"""English draughts (checkers) by the official rules.

A position is a value: it prints as a board, its `repr` pastes back, and `play` gives a new one.
Squares are 1 to 32; Black starts on 1 to 12 and moves first. Games are written as PDN.
"""

from ludus._core import draughts as _core
from ludus._core.draughts import START, History, Move, Position, random_game, random_games, squares
from ludus.games import pdn
from ludus.games.game import Game, Material

__all__ = [
    "GAME",
    "START",
    "History",
    "Move",
    "Position",
    "encode",
    "material",
    "random_game",
    "random_games",
    "squares",
]

for _public in (History, Move, Position):
    _public.__module__ = __name__
History.__hash__ = None  # type: ignore[method-assign, assignment]  # it changes

_WORTH = {"b": 2, "B": 3, "w": -2, "W": -3}


def material(position: Position) -> Material:
    """The pieces on the board, and Black's lead: 2 a man and 3 a king."""
    pieces = position.pieces()
    return Material(len(pieces), sum(_WORTH[piece] for piece in pieces.values()))


GAME = Game(
    name="draughts",
    title="English draughts",
    core=_core,
    position_mark=":",
    write=pdn.write,
    read=pdn.read,
    ending="pdn",
    has_ballots=True,
    has_endgames=True,
    usual_openings="ballots3",
    usual_network="featuremap12",
    usual_inputs="subsquares91",
    analyst="champion",
    playout_plies=40,
    material=material,
)

encode = GAME.encode
