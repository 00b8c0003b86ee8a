"""Openings: the first moves of games. From the start alone two deterministic players have only two games."""

from collections.abc import Callable
from functools import cache

from ludus import games, players
from ludus.games import Game, Move, Position
from ludus.players import ActivePlayer
from ludus.players.searches import Budget

Opening = tuple[Move, ...]  # from the start of the game

_MAN = 2 / 46  # the value of a man to the material evaluator, eleven against twelve
_DEPTH = 13  # far enough: from 9 plies on the same openings are found to lose a man


def named(text: str, game: str, count: int, seed: int) -> list[Opening]:
    """`count` openings of a kind: ballots3, ballots2, random:K (K random moves) or none. Raises ValueError.

    Ballots are dealt in an order drawn by the seed and begin again when they run out.
    """
    return list(map(dealer(text, game, seed), range(count)))


def dealer(text: str, game: str, seed: int) -> Callable[[int], Opening]:
    """The opening of each number, of a kind that `named` knows. Raises ValueError."""
    rules = games.find(game)
    kind, _, plies = text.partition(":")
    if text in ("ballots2", "ballots3"):
        if not rules.has_ballots:
            raise ValueError(f"{game} has no {text}: take random:K, as in random:4")
        deck = list(ballots(rules, int(text[-1])))
        order = _shuffled(len(deck), seed)
        return lambda index: deck[order[index % len(deck)]]
    if kind == "random" and plies.isascii() and plies.isdigit() and len(plies) < 3 and 0 < int(plies) <= 20:
        return lambda index: random_opening(rules, int(plies), seed, index)
    if text == "none":
        return lambda _: ()
    raise ValueError(f"'{text}' names no openings: take ballots3, ballots2, random:K with K from 1 to 20, or none")


def distinct(game: Game, plies: int) -> dict[Position, Opening]:
    """Every position after this many plies, with the moves that first lead there."""
    found: dict[Position, Opening] = {game.start: ()}
    for _ in range(plies):
        after: dict[Position, Opening] = {}
        for position, moves in found.items():
            for move in position.moves():
                after.setdefault(position.play(move), (*moves, move))
        found = after
    return found


@cache
def ballots(game: Game, plies: int) -> tuple[Opening, ...]:
    """The openings of this many plies in which neither side loses a man by force, by a search of Ludus.

    Draughts with two plies: 47 of 49 positions; the official table plays 43 of them. With three plies: 174 of 216, the
    number in the official table, which bars 18 of them as too one-sided although no man is lost.
    """
    judge = ActivePlayer(players.find("material", game.name).with_budget(Budget(depth=_DEPTH)))

    def is_sound(position: Position) -> bool:
        return abs(judge.think(game.history(position)).value) < _MAN / 2

    return tuple(moves for position, moves in distinct(game, plies).items() if is_sound(position))


def random_opening(game: Game, plies: int, seed: int, index: int) -> Opening:
    """The first plies of a random game that is long enough: the game with this index, or the next one that is."""
    attempt = index
    while True:
        # A stream of its own: the games of the match draw from the seed as well.
        moves, _ = game.random_game(seed ^ 0x0BE9165, attempt)
        if len(moves) > plies:
            return tuple(moves[:plies])
        attempt += 1 << 32


def _shuffled(count: int, seed: int) -> list[int]:
    import numpy as np

    return [int(index) for index in np.random.default_rng(seed).permutation(count)]
