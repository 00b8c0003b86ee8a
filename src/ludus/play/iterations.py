"""What a search finds, iteration by iteration, and how to read it."""

import queue
import threading
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludus.games import History, Move, Position
from ludus.games.core import Analysis, RootMove
from ludus.players import ActivePlayer


class _End(NamedTuple):
    """The last thing in the queue: what the search found, or why it failed."""

    result: Analysis | Exception


def iterations(active: ActivePlayer, history: History, seed: int = 0) -> Iterator[Analysis]:
    """What the player's search finds, iteration by iteration. Closing the generator stops the search.

    The last may have been cut short: see `is_cut_short`.
    """
    found: queue.Queue[Analysis | _End] = queue.Queue()

    def report(iteration: Analysis) -> bool:
        found.put(iteration)
        return True

    def search() -> None:
        try:
            found.put(_End(active.think(history, seed=seed, report=report)))
        except Exception as error:
            found.put(_End(error))

    thread = threading.Thread(target=search, daemon=True)
    thread.start()
    shown: Analysis | None = None
    try:
        while not isinstance(iteration := found.get(), _End):
            shown = iteration
            yield iteration
        end = iteration.result
        if isinstance(end, Exception):
            raise end
        # A search that was cut short ends with its last iteration, which was shown. MCTS ends with more play-outs, and
        # principal variation search with what it has of the iteration that it could not finish.
        if shown is None or (end.depth, end.value, end.variation) != (shown.depth, shown.value, shown.variation):
            yield end
    finally:
        while thread.is_alive():
            active.search.stop()  # repeated, because the core ignores a stop before the search has begun
            thread.join(0.1)


def is_cut_short(before: Analysis, found: Analysis) -> bool:
    """Whether `found` is an iteration that there was no time to finish: it has the depth of the one before it."""
    is_playouts = any(choice.visits for choice in found.moves)
    return found.depth == before.depth and not is_playouts


def rank(choice: RootMove) -> float:
    """A number by which the better of two moves is the greater: sooner wins and later losses are better."""
    if choice.end_in is None:
        return choice.value
    return 3.0 - choice.end_in / 1000 if choice.end_in > 0 else -3.0 - choice.end_in / 1000


def written(position: Position, moves: Sequence[Move]) -> Iterator[str]:
    """The moves of a line as text."""
    for move in moves:
        yield position.write(move)
        position = position.play(move)
