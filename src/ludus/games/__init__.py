"""The games: `GAMES`, `find` by name, and the types that all games share."""

import importlib

from ludus._core import AmbiguousMove, BadPosition, Color, DrawRules, IllegalMove, Outcome, Reason, side_seed
from ludus.game_names import GAME_NAMES, GameName
from ludus.games.core import History, Move, Position
from ludus.games.game import Game

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
    "find",
    "of_position",
    "side_seed",
]

for _public in (AmbiguousMove, BadPosition, Color, DrawRules, IllegalMove, Outcome, Reason):
    _public.__module__ = __name__  # what people see in messages is where they import from

# Every game, from the module of its name in this folder.
GAMES: tuple[Game, ...] = tuple(importlib.import_module(f"{__name__}.{name}").GAME for name in GAME_NAMES)


def find(name: str) -> Game:
    """The game of this name. Raises ValueError."""
    for game in GAMES:
        if game.name == name:
            return game
    raise ValueError(f"there is no game {name}: name one of {', '.join(GAME_NAMES)}")


def of_position(text: str) -> Game | None:
    """The game whose positions look like `text`; None when no game's do."""
    return next((game for game in GAMES if game.position_mark in text), None)
