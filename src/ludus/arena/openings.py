"""Openings: where games begin. Deterministic players need them: two games from the start are one game."""

from functools import cache
from typing import Any

from ludus import games, players
from ludus.games import draughts
from ludus.players import ActivePlayer
from ludus.players.searches import Budget

Opening = tuple[Any, ...]  # moves from the start of the game

USUAL = {"draughts": "ballots3", "tictactoe3d": "random:4"}  # when nobody says

_MAN = 2 / 46  # what a man is worth to the material evaluator when eleven stand against twelve
_DEPTH = 13  # far enough: from 9 plies on the same openings are found to lose a man


def named(text: str, game: str, count: int, seed: int) -> list[Opening]:
    """`count` openings of a kind: ballots3, ballots2, random:K (K random moves) or none. Raises ValueError.

    Ballots are dealt in an order drawn by the seed and begin again when they run out.
    """
    kind, _, plies = text.partition(":")
    if text in ("ballots2", "ballots3"):
        if game != "draughts":
            raise ValueError(f"{text} are openings of draughts; take random:K for {game}")
        deck = list(ballots(int(text[-1])))
        order = _shuffled(len(deck), seed)
        return [deck[order[index % len(deck)]] for index in range(count)]
    if kind == "random" and plies.isascii() and plies.isdigit() and 0 < int(plies) <= 20:
        return [random_opening(game, int(plies), seed, index) for index in range(count)]
    if text == "none":
        return [()] * count
    raise ValueError(f"'{text}' names no openings: take ballots3, ballots2, random:K with K from 1 to 20, or none")


def distinct(plies: int) -> dict[draughts.Position, Opening]:
    """Every position of draughts after this many plies, with the moves that first lead there."""
    found: dict[draughts.Position, Opening] = {draughts.START: ()}
    for _ in range(plies):
        after: dict[draughts.Position, Opening] = {}
        for position, moves in found.items():
            for move in position.moves():
                after.setdefault(position.play(move), (*moves, move))
        found = after
    return found


@cache
def ballots(plies: int) -> tuple[Opening, ...]:
    """The openings of this many plies in which neither side loses a man by force, by our own search.

    Two plies: 47 of 49 positions; the official table plays 43 of them. Three plies: 174 of 216, the number in the
    official table, which bars 18 of them from play as too one-sided, though nobody loses a man.
    """
    judge = ActivePlayer(players.find("material", "draughts").with_budget(Budget(depth=_DEPTH)))

    def is_sound(position: draughts.Position) -> bool:
        return abs(judge.think(draughts.History(position)).value) < _MAN / 2

    return tuple(moves for position, moves in distinct(plies).items() if is_sound(position))


def random_opening(game: str, plies: int, seed: int, index: int) -> Opening:
    """The first plies of a random game that is long enough: the game with this index, or the next one that is."""
    rules = games.named(game)
    attempt = index
    while True:
        # A stream of its own: the games of the match draw from the seed as well.
        moves, _ = rules.random_game(seed ^ 0x0BE9165, attempt)
        if len(moves) > plies:
            return tuple(moves[:plies])
        attempt += 1 << 32


def _shuffled(count: int, seed: int) -> list[int]:
    import numpy as np

    return [int(index) for index in np.random.default_rng(seed).permutation(count)]
