"""Players: what they are made of, their files, and the names they are known by."""

from ludus.players.active import ActivePlayer
from ludus.players.catalogue import BASELINES, KEPT, RESULT, SHIPPED, find, games_of, is_named, kept, known, ours, split
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
    "is_named",
    "kept",
    "known",
    "load",
    "ours",
    "save",
    "split",
]
