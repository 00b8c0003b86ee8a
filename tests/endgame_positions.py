"""Random positions with few pieces, and what alpha-beta without tables proves of them."""

import random

from ludus._core import draughts as core
from ludus.endgames import Result


def random_position(chance, pieces):
    """A position of so many pieces, both sides present; either side is to move."""
    while True:
        squares = chance.sample(range(1, 33), pieces)
        own = chance.randint(1, pieces - 1)
        named = [f"{chance.choice(('', 'K'))}{square}" for square in squares]
        try:
            return core.Position(f"{chance.choice('BW')}:W{','.join(named[:own])}:B{','.join(named[own:])}")
        except ValueError:  # a man on the row where it is crowned
            continue


def short_wins(tables, count, plies, pieces=4, seed=1):
    """Of `count` random positions, those that the tables call won in at most `plies`, with their distances."""
    chance = random.Random(seed)
    for _ in range(count):
        position = random_position(chance, pieces)
        verdict = tables.verdict(position)
        if verdict.result is Result.WIN and verdict.distance <= plies:
            yield position, verdict.distance


def proved_distance(position, plies):
    """The plies to a win that alpha-beta, without tables and reductions, proves within `plies`; None if it does not."""
    search = core.Search.alphabeta(core.Evaluator.material(), reductions=False)
    return search.search(core.History(position), depth=plies + 1).end_in
