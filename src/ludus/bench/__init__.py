"""How fast the hot loops are: each figure measured in the same run as the one it is compared with."""

import importlib
from collections.abc import Callable, Iterator

from ludus.bench.measure import Figure

__all__ = ["FIGURES", "Figure", "figures"]

# Name of a figure -> the function of this folder that measures it; its module is loaded when it is asked for.
FIGURES = {
    "draughts/perft": "games.perft",
    "draughts/perft-plain": "games.perft",
    "draughts/moves-from-python": "games.moves_from_python",
    "draughts/random-games": "games.random_draughts",
    "tictactoe3d/random-games": "games.random_tictactoe3d",
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
    "evolution/generation": "evolution.generation",
    "td/deep-structured": "td.deep_structured",
    "td/line-patterns": "td.line_patterns",
    "td/two-threads": "td.two_threads",
}


def figures(names: list[str]) -> Iterator[Figure]:
    """The figures with these names, each as soon as it is measured, and after it those against further references."""
    for function in dict.fromkeys(FIGURES[name] for name in names):
        module, _, attribute = function.partition(".")
        measured: Callable[[], Iterator[Figure]] = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
        for figure in measured():
            if figure.name in names or figure.name.rpartition("/")[0] in names:
                yield figure
