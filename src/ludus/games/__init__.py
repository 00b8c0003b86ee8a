"""The games: `GAMES`, `find` by name, and the types that all games share.

    >>> from ludus import games
    >>> [game.name for game in games.GAMES]
    ['draughts', 'tictactoe3d']

`GAME_NAMES` are these names, and `GameName` is their type.

    >>> from typing import get_args
    >>> games.GAME_NAMES == get_args(games.GameName) == ("draughts", "tictactoe3d")
    True

`Position`, `Move` and `History` are Protocols: each game
has its own. A `Color` is a side, and `~` gives the other. An `Outcome` is how a game ended: a winner, None for a draw,
and a `Reason`.

    >>> from ludus.games import Color, DrawRules, Outcome, Reason, draughts
    >>> ~Color.BLACK
    Color.WHITE
    >>> str(Outcome(None, Reason.REPETITION))
    'Draw: the position was repeated'

`DrawRules` says when a game that could go on is a draw. A `History` keeps to them.

    >>> rules = DrawRules(repetitions=2)
    >>> history = draughts.History(draughts.Position("B:WK32:BK1"), rules)
    >>> for move in ("1-5", "32-28", "5-1", "28-32"):
    ...     history.play(move)
    >>> str(history.outcome())
    'Draw: the position was repeated'

Text that is wrong raises `BadPosition`, `IllegalMove` or `AmbiguousMove`, each a ValueError with the reason.

    >>> draughts.Position("B:W99:B1")
    Traceback (most recent call last):
    ludus.games.BadPosition: '99' is not a square: squares are 1 to 32
    >>> draughts.START.play("11-25")
    Traceback (most recent call last):
    ludus.games.IllegalMove: '11-25' is not legal in B:W21,22,...; legal: 12-16, ...
    >>> draughts.Position("W:WK6:B5,10,11,19,20,27,K18,K26").play("6x8")
    Traceback (most recent call last):
    ludus.games.AmbiguousMove: '6x8' could be 6x15x8 or 6x15x22x31x24x15x8 or 6x15x24x31x22x15x8

Randomness is an argument: `side_seed` gives the seed of each side of a game from the seed of the game.

    >>> games.side_seed(1, 0) != games.side_seed(1, 1)
    True
"""

import importlib

from ludus._core import AmbiguousMove, BadPosition, Color, DrawRules, IllegalMove, Outcome, Reason, side_seed
from ludus.game_names import GAME_NAMES, GameName
from ludus.games.core import History, Move, Position
from ludus.games.game import Game
from ludus.games.record import Record

__all__ = [
    "GAMES",
    "GAME_NAMES",
    "AmbiguousMove",
    "BadPosition",
    "Color",
    "DrawRules",
    "Game",
    "GameName",
    "History",
    "IllegalMove",
    "Move",
    "Outcome",
    "Position",
    "Reason",
    "Record",
    "find",
    "of_position",
    "side_seed",
]

for _public in (AmbiguousMove, BadPosition, Color, DrawRules, IllegalMove, Outcome, Reason):
    _public.__module__ = __name__  # what people see in messages is where they import from

# Every game, from the module of its name in this folder.
GAMES: tuple[Game, ...] = tuple(importlib.import_module(f"{__name__}.{name}").GAME for name in GAME_NAMES)


def find(name: str) -> Game:
    """The game of this name. Raises ValueError.

    Examples:
        >>> find("tictactoe3d").title
        'Tic-Tac-Toe 3D'
        >>> find("chess")
        Traceback (most recent call last):
        ValueError: there is no game chess: name one of draughts, tictactoe3d
    """
    for game in GAMES:
        if game.name == name:
            return game
    raise ValueError(f"there is no game {name}: name one of {', '.join(GAME_NAMES)}")


def of_position(text: str) -> Game | None:
    """The game whose positions look like `text`; None when no game's do.

    Examples:
        >>> of_position("W:WK6:B5,10")
        games.find('draughts')
        >>> of_position("nonsense") is None
        True
    """
    return next((game for game in GAMES if game.position_mark in text), None)
