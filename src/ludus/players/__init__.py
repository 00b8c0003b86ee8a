"""Players: their networks, evaluators and searches, their files, and the players that have names."""

from ludus.players.active import ActivePlayer
from ludus.players.catalogue import (
    BASELINES,
    KEPT,
    RESULT,
    SHIPPED,
    find,
    games_of,
    generalist,
    is_named,
    kept_file,
    known_names,
    named_players,
    split_budget,
)
from ludus.players.file import load, save
from ludus.players.player import BadPlayer, Player, Provenance

__all__ = [
    "BASELINES",
    "KEPT",
    "RESULT",
    "SHIPPED",
    "ActivePlayer",
    "BadPlayer",
    "Player",
    "Provenance",
    "find",
    "games_of",
    "generalist",
    "is_named",
    "kept_file",
    "known_names",
    "load",
    "named_players",
    "save",
    "split_budget",
]
