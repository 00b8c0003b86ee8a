"""The games, and the words they share."""

import importlib
from types import ModuleType

from ludus import _core
from ludus._core import AmbiguousMove, BadPosition, Color, DrawRules, IllegalMove, Outcome, Reason

__all__ = [
    "NAMES",
    "AmbiguousMove",
    "BadPosition",
    "Color",
    "DrawRules",
    "IllegalMove",
    "Outcome",
    "Reason",
    "core",
    "named",
]

NAMES = ("draughts", "tictactoe3d")

for _public in (AmbiguousMove, BadPosition, Color, DrawRules, IllegalMove, Outcome, Reason):
    _public.__module__ = __name__  # what people see in messages is where they import from


def core(name: str) -> ModuleType:
    """The core's module of a game, which also has its evaluators and searches."""
    module: ModuleType = getattr(_core, name)
    return module


def named(name: str) -> ModuleType:
    """The module of a game: START, Position, Move, History and the rest, under the same words for every game."""
    return importlib.import_module(f"{__name__}.{name}")
