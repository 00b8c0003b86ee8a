"""Openings of draughts for the page: their names, and the ballots."""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from ludus import games
from ludus.arena import openings

# The names that players use, by the first moves. The longest that fits is the name of a game's opening.
_NAMES = {
    "9-13": "Edinburgh",
    "9-14": "Double Corner",
    "10-14": "Denny",
    "10-15": "Kelso",
    "11-15": "Old Faithful",
    "11-16": "Bristol",
    "12-16": "Dundee",
    "11-15 22-18": "Single Corner",
    "11-15 23-18": "Cross",
    "11-15 24-19": "Second Double Corner",
    "11-15 24-20": "Ayrshire Lassie",
    "11-15 22-17 15-19": "Dyke",
    "11-16 23-18": "Bristol Cross",
    "10-15 23-18": "Kelso Cross",
}


class Ballot(Struct, frozen=True):
    """An opening that is drawn by lot: its number from 1, its moves and its name."""

    number: int
    moves: list[str]
    name: str


def name_of(moves: Sequence[str]) -> str | None:
    """The name of the opening that a game from the start has begun with."""
    for count in range(min(3, len(moves)), 0, -1):
        if name := _NAMES.get(" ".join(moves[:count])):
            return name
    return None


@cache
def ballots(name: str, plies: int) -> list[Ballot]:
    """The ballots of a game with two or three plies; a game without ballots has none. The first call takes seconds."""
    game = games.find(name)
    if not game.has_ballots:
        return []
    found = []
    for moves in openings.ballots(game, plies):
        position, texts = game.start, []
        for move in moves:
            texts.append(position.write(move))
            position = position.play(move)
        found.append(texts)
    ordered = sorted(
        found, key=lambda texts: [[int(each) for each in text.replace("x", "-").split("-")] for text in texts]
    )
    return [Ballot(number, texts, name_of(texts) or "") for number, texts in enumerate(ordered, 1)]
