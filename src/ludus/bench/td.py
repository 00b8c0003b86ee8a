"""The speed of training by temporal differences: self-play on one core, and trials side by side."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from ludus._core import Derivative, TrainingOptions
from ludus._core import tictactoe3d as core
from ludus.bench import numpy_td
from ludus.bench.measure import Measurement, Work, speeds
from ludus.games.core import TrainableNetwork
from ludus.learning.td import Td
from ludus.players import named_networks, networks
from ludus.studies import trials
from ludus.studies.trials import Trial
from ludus.workers import Workers

_BEFORE = 20_000  # games of training before it is measured, for those of a new network are short
_TURNS = 3  # the best of which counts, as noise only slows


def _self_play(name: str, numpy_learner: type[numpy_td.DeepStructured] | type[numpy_td.LinePatterns]) -> Measurement:
    """Microseconds a ply, beside NumPy. The clock is that of the thread: it stands while others have the processor."""
    network = _network(name)
    options, played = TrainingOptions(), 0

    def ours(games: int = 2000) -> int:
        nonlocal played
        plies: int = network.train(played, games, seed=1, options=options, rate=0.005).plies
        played += games
        return plies

    ours(_BEFORE)
    learner, rng = numpy_learner(network.theta), np.random.default_rng(1)
    theirs: Work = lambda: sum(numpy_td.self_play(learner, 0.005, 0.1, rng) for _ in range(20))  # noqa: E731
    fast, slow = speeds(ours, theirs, clock=time.thread_time)
    return Measurement(f"td/{name}", 1e6 / fast, "us/ply", "NumPy", 1e6 / slow, is_time=True)


def deep_structured() -> Iterator[Measurement]:
    """Microseconds a ply of self-play with the paper's best network."""
    yield _self_play("deep-structured", numpy_td.DeepStructured)


def line_patterns() -> Iterator[Measurement]:
    """The same with the network on the patterns of the lines."""
    yield _self_play("line-patterns", numpy_td.LinePatterns)


def with_traces() -> Iterator[Measurement]:
    """Microseconds a ply of TD(lambda) with lambda 0.5, beside the same network with lambda 0."""
    for name in ("deep-structured", "line-patterns", "symmetric-patterns"):
        plain, traced = (_training(name, TrainingOptions(trace_decay=decay)) for decay in (0.0, 0.5))
        for learner in (plain, traced):
            learner(_BEFORE // 10)
        reference, speed = speeds(plain, traced, clock=time.thread_time)
        yield Measurement(f"td/{name}-lambda", 1e6 / speed, "us/ply", "lambda 0", 1e6 / reference, is_time=True)


def _training(name: str, options: TrainingOptions) -> Callable[..., int]:
    """Plays the next training games of a new network; returns their plies."""
    network, played = _network(name), 0

    def train(games: int = 500) -> int:
        nonlocal played
        plies: int = network.train(played, games, seed=1, options=options, rate=0.005).plies
        played += games
        return plies

    return train


def _network(name: str) -> TrainableNetwork:
    """A new network in training."""
    named = named_networks.find(name, "tictactoe3d")
    evaluator = named.make(True)
    limit = named.initial_range
    theta = networks.random_theta(evaluator.layers, np.random.default_rng(1), -limit, limit)
    return evaluator.trainable(core, theta, Derivative.EXACT)


def two_threads() -> Iterator[Measurement]:
    """Ten short trials on two threads, beside one; trials a second."""
    wanted = [Trial.of("", Td(games=3000, test_every=3000, test_games=100, seed=seed)) for seed in range(10)]
    best = {1: 0.0, 2: 0.0}
    for _ in range(_TURNS):
        for count in best:
            with Workers.open(count) as workers:
                begin = time.perf_counter()
                done = sum(1 for _ in workers.completed(trials.run, wanted))
                best[count] = max(best[count], done / (time.perf_counter() - begin))
    yield Measurement("td/two-threads", best[2], "trials/s", "one thread", best[1])
