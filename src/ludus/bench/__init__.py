"""How fast the hot loops are. Each is measured in the same run as the reference it is compared with."""

import importlib
from collections.abc import Callable, Iterator

from ludus.bench.measure import Measurement

__all__ = ["MEASUREMENTS", "Measurement", "measurements"]

# Name of a measurement -> the function of this folder that takes it; its module is loaded when it is needed.
MEASUREMENTS = {
    "draughts/perft": "games.perft",
    "draughts/perft-plain": "games.perft",
    "draughts/moves-from-python": "games.moves_from_python",
    "draughts/random-games": "games.random_draughts",
    "tictactoe3d/random-games": "games.random_tictactoe3d",
    "games/pdn": "games.read_pdn",
    "search/alphabeta-champion": "searches.alphabeta",
    "search/pvs-champion": "searches.champion",
    "search/alphabeta-32-40-10-1": "searches.alphabeta",
    "search/alphabeta-91-40-10-1": "searches.alphabeta",
    "search/alphabeta-featuremap12": "searches.alphabeta",
    "search/alphabeta-material": "searches.alphabeta",
    "search/minimax-91-40-10-1": "searches.minimax",
    "search/visiondraughts": "searches.visiondraughts",
    "search/depth-15": "searches.depth15",
    "search/uct-playouts": "searches.uct",
    "search/ept-playouts": "searches.ept",
    "arena/two-threads": "arena.two_threads",
    "arena/cluster": "arena.cluster",
    "arena/record-overhead": "arena.record_overhead",
    "endgame/build": "endgames.build",
    "endgame/probe": "endgames.probe",
    "envs/draughts": "envs.draughts",
    "envs/tictactoe3d": "envs.tictactoe3d",
    "envs/two-threads": "envs.two_threads",
    "evolution/generation": "evolution.generation",
    "td/deep-structured": "td.deep_structured",
    "td/line-patterns": "td.line_patterns",
    "td/deep-structured-lambda": "td.with_traces",
    "td/line-patterns-lambda": "td.with_traces",
    "td/symmetric-patterns-lambda": "td.with_traces",
    "td/two-threads": "td.two_threads",
}


def measurements(names: list[str]) -> Iterator[Measurement]:
    """Takes the measurements with these names. Yields each as soon as it is taken."""
    for function in dict.fromkeys(MEASUREMENTS[name] for name in names):
        module, _, attribute = function.partition(".")
        measured: Callable[[], Iterator[Measurement]] = getattr(
            importlib.import_module(f"{__name__}.{module}"), attribute
        )
        for measurement in measured():
            if measurement.name in names or measurement.name.rpartition("/")[0] in names:
                yield measurement
