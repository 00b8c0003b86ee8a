"""The ratings of the players of the package, from the ladder of equal nodes.

They are in ratings.json, which this module writes after a ladder was played:

    ludus ladder --all --game draughts --out d; ludus ladder --all --game tictactoe3d --out t
    python -m ludus.web.ratings draughts d/equal/ladder.txt tictactoe3d t/equal/ladder.txt

The ratings of a game that is not named stay.
"""

import re
import sys
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


def of_ladder(text: str) -> dict[str, Rating]:
    """The ratings in the text of a ladder. Players whose budget is no number of nodes are not comparable: left out."""
    row = re.compile(r"^\d+\s+(\S+?)(?:@nodes=\d+)?\s+([+-]\d+)\s+\[([+-]\d+), ([+-]\d+)\]", re.MULTILINE)
    found = (match.groups() for match in row.finditer(text))
    return {
        name: Rating(elo=int(elo), low=int(low), high=int(high)) for name, elo, low, high in found if "@" not in name
    }


if __name__ == "__main__":
    measured = ratings() | {
        game: Ratings(command=f"ludus ladder --all --game {game}", players=of_ladder(Path(path).read_text()))
        for game, path in zip(sys.argv[1::2], sys.argv[2::2], strict=True)
    }
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(measured), indent=1) + b"\n")
