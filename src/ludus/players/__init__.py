"""Players: their networks, evaluators and searches, their files, and the players that have names."""

from ludus.players.active import ActivePlayer
from ludus.players.catalogue import (
    BASELINES,
    KEPT,
    NOW,
    RESULT,
    SHIPPED,
    Settings,
    add,
    find,
    games_of,
    generalist,
    is_named,
    kept_file,
    known_names,
    made_player,
    named_players,
    split_settings,
)
from ludus.players.file import load, save
from ludus.players.player import INSTRUCTION_SET, BadPlayer, Player, Provenance

__all__ = [
    "BASELINES",
    "INSTRUCTION_SET",
    "KEPT",
    "NOW",
    "RESULT",
    "SHIPPED",
    "ActivePlayer",
    "BadPlayer",
    "Player",
    "Provenance",
    "Settings",
    "add",
    "find",
    "games_of",
    "generalist",
    "is_named",
    "kept_file",
    "known_names",
    "load",
    "made_player",
    "named_players",
    "save",
    "split_settings",
]
