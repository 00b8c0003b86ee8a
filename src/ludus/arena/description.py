"""The description of a match in its folder: the names of its players, and its plan.

A journal knows its players by their digests, and the number of games is no part of it.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ludus.arena.matches import MatchConfig
from ludus.arena.sprt import Sprt
from ludus.arena.task import Contestant
from ludus.files import remove_unfinished, write_atomically
from ludus.games import GameName

DESCRIPTION = "match.json"


class Description(Struct, frozen=True, kw_only=True):
    """The names of the players and the plan of a match: what its journal does not have."""

    players: tuple[str, str]
    game: GameName
    games: int
    sprt: Sprt | None = None
    thrown_wins: int = 0


def describe(folder: Path | None, players: Sequence[Contestant], config: MatchConfig) -> None:
    """Writes the description of a match into its folder, if it has one. Raises ValueError if that fails.

    Call it while the journal of the match is open: no other process writes there then.
    """
    if folder is None:
        return
    one, other = players
    content = msgspec.json.encode(
        Description(
            players=(one.name, other.name),
            game=one.game,
            games=config.games,
            sprt=config.sprt,
            thrown_wins=config.thrown_wins,
        )
    )
    path = folder / DESCRIPTION
    try:
        remove_unfinished(folder, (DESCRIPTION,))
        if not path.exists() or path.read_bytes() != content:
            write_atomically(path, content)
    except OSError as error:
        raise ValueError(f"the match cannot be kept in {folder}: {error.strerror}") from error
