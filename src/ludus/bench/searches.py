"""The speed of the searches, on one thread, from the start position of draughts."""

from collections.abc import Iterator

import numpy as np

from ludus._core import draughts as core
from ludus.bench import oracles
from ludus.bench.measure import Measurement, Work, measure
from ludus.games import draughts
from ludus.players import evaluators, find, networks

# Untrained weights: speed does not depend on what they are, but their spread should be that of a trained network.
_RANDOM = np.random.default_rng(1)


def _evaluator(kind: str) -> core.Evaluator:
    if kind == "material":
        return core.Evaluator.material()
    if kind == "champion":  # trained: in play most of its nodes are 0, which is quicker
        player = find("champion", "draughts")
        assert isinstance(player.evaluator, evaluators.PhaseNetwork) and player.theta is not None
        return core.Evaluator.phases(player.theta, width=player.evaluator.width)
    if kind == "featuremap12":
        layers = networks.dense(38, 20, 1)
        features: evaluators.FeatureNetwork | evaluators.BoardNetwork = evaluators.FeatureNetwork(
            layers=layers, features=evaluators.FEATUREMAP12
        )
    else:
        layers = networks.dense(*(int(size) for size in kind.split("-")))
        features = evaluators.BoardNetwork(
            layers=layers, encoder="squares32" if layers[0].inputs == 32 else "subsquares91"
        )
    return features.build(core, networks.random_theta(layers, _RANDOM, -0.2, 0.2))


def _search(search: core.Search, *, depth: int = 0, nodes: int = 0) -> Work:
    return lambda: search.search(core.History(), depth=depth, nodes=nodes).nodes


def alphabeta() -> Iterator[Measurement]:
    """Nodes a second of alpha-beta as players use it."""
    for kind in ("champion", "32-40-10-1", "91-40-10-1", "featuremap12", "material"):
        search = core.Search.alphabeta(_evaluator(kind))
        yield measure(f"search/alphabeta-{kind}", "nodes/s", _search(search, nodes=300_000))


def champion() -> Iterator[Measurement]:
    """Nodes a second of the champion's own search, on boards of one game, without endgame tables."""
    search, boards = core.Search.pvs(_evaluator("champion")), _boards(20)

    def work() -> int:
        nodes = 0
        for board in boards:
            search.new_game()
            nodes += search.search(board, nodes=100_000).nodes
        return nodes

    yield measure("search/pvs-champion", "nodes/s", work)


def uct() -> Iterator[Measurement]:
    """Random play-outs a second."""
    ours = _search(core.Search.uct(), nodes=10_000)
    yield measure("search/uct-playouts", "playouts/s", ours, "OpenSpiel", oracles.openspiel_playouts())


def ept() -> Iterator[Measurement]:
    """Play-outs a second, cut after 6 plies and scored by a network, 300 a move as in the public code."""
    search = core.Search.ept(_evaluator("91-40-10-1"), plies=6)
    yield measure("search/ept-playouts", "playouts/s", _many(search))
    short = core.Search.ept(_evaluator("91-40-10-1"), plies=1)
    yield measure("search/ept-playouts/1-ply", "playouts/s", _many(short))


def _many(search: core.Search) -> Work:
    def work() -> int:
        return sum(search.search(core.History(), nodes=300, seed=seed).nodes for seed in range(50))

    return work


def minimax() -> Iterator[Measurement]:
    """Nodes a second of plain minimax, most of which it evaluates."""
    search = core.Search.minimax(_evaluator("91-40-10-1"))
    yield measure("search/minimax-91-40-10-1", "nodes/s", _search(search, depth=6))


def visiondraughts() -> Iterator[Measurement]:
    """VisionDraughts' search against NeuroDraughts' to the same depth, on boards of one game: the time it saves.

    The paper has 95%. Both value boards by the same network and look at every line to the depth that can matter;
    alpha-beta goes on beyond it while captures are forced, which costs it something, and begins every search with an
    empty table.
    """
    evaluator = _evaluator("featuremap12")
    boards = _boards(20)
    for depth in (4, 6, 8):
        alphabeta = core.Search.alphabeta(evaluator, reductions=False)
        minimax = core.Search.minimax(evaluator)
        measured = measure(
            f"search/visiondraughts/depth-{depth}",
            "searches/s",
            _each(alphabeta, boards, depth),
            "minimax",
            _each(minimax, boards, depth),
        )
        yield measured
        assert measured.ratio is not None
        yield Measurement(f"search/visiondraughts/time-saved-{depth}", 100 * (1 - 1 / measured.ratio), "%")


def _boards(count: int) -> list[core.History]:
    """Those of a random game, so that all phases are there."""
    moves, _ = draughts.random_game(3, 0)
    histories, history = [], core.History()
    for move in moves:
        histories.append(core.History(history.position))
        history.play(move)
    return histories[:: max(1, len(histories) // count)][:count]


def _each(search: core.Search, boards: list[core.History], depth: int) -> Work:
    def work() -> int:
        for board in boards:
            search.search(board, depth=depth)
        return len(boards)

    return work


def depth15() -> Iterator[Measurement]:
    """Searches a second to nominal depth 15 with the material evaluator."""
    search = core.Search.alphabeta(_evaluator("material"))

    def work() -> int:
        search.search(core.History(), depth=15)
        return 1

    yield measure("search/depth-15", "searches/s", work)
