"""Players: their networks, evaluators and searches, their files, and the players that have names.

`find` gives a player by its name; `ActivePlayer` makes one ready to choose moves.

    >>> from ludus import players
    >>> from ludus.games import draughts
    >>> player = players.ActivePlayer(players.find("champion@depth=5"))
    >>> player.choose(draughts.History()) in draughts.START.moves()
    True

`BASELINES` are the players that need no file. `SHIPPED` has the files of the trained players of the package. In the
folder of a run, `RESULT` is the file of the result, `NOW` that of the player as it stands before the end, and `KEPT`
the folder of the players kept on the way. `INSTRUCTION_SET` is what the core was compiled for: builds for other
instruction sets give other bits.

    >>> sorted({player.name for player in players.BASELINES})
    ['benchmark', 'material', 'random', 'uct']
    >>> "champion" in players.SHIPPED
    True
    >>> players.RESULT, players.NOW, players.KEPT
    ('player.safetensors', 'now.safetensors', 'players')
    >>> players.INSTRUCTION_SET.split()[0] in ("x86-64", "arm64", "other")
    True
"""

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
from ludus.players.file import check_file, load, save
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
    "check_file",
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
