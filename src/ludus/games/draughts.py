"""English draughts (checkers) by the official rules.

A position is a value: it prints as a board, its `repr` pastes back, and `play` gives a new one.
Squares are 1 to 32; Black starts on 1 to 12 and moves first. Games are written as PDN.

    >>> from ludus.games import draughts
    >>> position = draughts.START.play("11-15").play("22-18")
    >>> position
    Position('B:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15')
    >>> move = position.moves()[0]
    >>> move, move.squares, move.captured
    (Move('15x22'), (15, 22), (18,))

`START` is the start position and `GAME` is the game. A `Position`, a `Move` and a `History` are what the Protocols of
the same names in `ludus.games` say. `random_game` plays one game at random, `random_games` counts many.

    >>> moves, outcome = draughts.random_game(seed=1, index=0)
    >>> history = draughts.History()
    >>> for move in moves:
    ...     history.play(move)
    >>> history.outcome() == outcome
    True
    >>> draughts.random_games(seed=1, first=0, count=100)[:3]
    (49, 7, 44)
    >>> draughts.GAME.title
    'English draughts'

`encode` makes the inputs of networks from many positions at once, and `squares` the plainest of them.

    >>> draughts.squares([draughts.START]).shape
    (1, 32)
    >>> draughts.encode([draughts.START], "squares32").shape
    (1, 32)
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
    """The pieces on the board, and Black's lead: 2 a man and 3 a king.

    Examples:
        >>> material(Position("B:W21,22:B1,K2"))
        Material(pieces=4, lead=1)
    """
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
"""Network inputs of a list of positions, a row each: see `Game.encode`."""
