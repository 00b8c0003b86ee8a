"""The ratings of the players of the package, from the ladder of equal nodes: `ludus ladder --all`."""

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from ludus.players import Player

FILE = Path(__file__).parent / "ratings.json"


class Rating(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An Elo rating relative to the mean of the ladder's players, and its 95% interval."""

    elo: int
    low: int
    high: int


class Ratings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ratings of a game's players, and the command that measured them."""

    command: str
    players: dict[str, Rating]


@cache
def ratings() -> dict[str, Ratings]:
    """The ratings by game."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Ratings])


def rating_of(player: Player) -> Rating | None:
    """The rating of a player of the package; None for one that was not on the ladder."""
    found = ratings().get(player.game)
    return None if found is None else found.players.get(player.name)
