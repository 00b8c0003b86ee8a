"""The speed of evolution: a generation of the genetic player as its text has it."""

import time
from collections.abc import Iterator

from ludus.bench.measure import Measurement
from ludus.learning.genetic import Genetic
from ludus.workers import Workers

_TURNS = 3  # the best of which counts, as noise only slows


def generation() -> Iterator[Measurement]:
    """Seconds on one thread for the 75 games of a generation: MCTS-EPT, 300 play-outs of one ply a move."""
    short = {"playout_plies": 1, "playouts": 300, "generations": 0, "end_games": 0}
    config = Genetic(**Genetic.presets["faithful"] | short)
    best = float("inf")
    for _ in range(_TURNS):
        with Workers.open(1) as workers:
            begin = time.perf_counter()
            for _ in config.learn(None, workers):
                best = min(best, time.perf_counter() - begin)
    yield Measurement("evolution/generation", best, "s")
