"""A search in a thread of its own, under the limits that a protocol sets, which can be stopped at any time."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ludus.players import ActivePlayer, Player, searches
from ludus.players.searches import Ept, Greedy, Minimax, Uct

DEEPEST = 100  # plies; the core looks no further, and minimax would reserve memory for more
MOST_NODES = 2**62
LONGEST = 1e7  # seconds


@dataclass(frozen=True, slots=True)
class Level:
    """What a search may spend; 0 sets no limit. Several limits hold together."""

    depth: int = 0
    nodes: int = 0  # play-outs for MCTS
    seconds: float = 0.0


def own_level(player: Player) -> Level:
    """What the player spends when nobody tells it otherwise."""
    budget = searches.core_budget(player.search, searches.checked_budget(player.search, player.budget))
    return _bounded(Level(budget.depth, budget.nodes, budget.seconds))


def possible(player: Player, level: Level) -> Level | None:
    """The level as this player can keep to it, None if it cannot keep to any of it."""
    if isinstance(player.search, Uct | Ept) and level.depth:
        level = replace(level, depth=0)
        return _bounded(level) if level != Level() else None
    return _bounded(level)


def _bounded(level: Level) -> Level:
    """No limit beyond what the core can take."""
    return Level(min(level.depth, DEEPEST), min(level.nodes, MOST_NODES), min(level.seconds, LONGEST))


@dataclass(frozen=True, slots=True)
class Finding:
    """What a search has found so far."""

    depth: int
    value: float
    end_in: int | None
    nodes: int
    seconds: float
    variation: tuple[Any, ...]

    @classmethod
    def of(cls, analysis: Any, nodes: int = 0, seconds: float = 0.0) -> "Finding":
        """What the core says, after so much that was spent before."""
        return cls(
            depth=analysis.depth,
            value=analysis.value,
            end_in=analysis.end_in,
            nodes=nodes + analysis.nodes,
            seconds=seconds + analysis.seconds,
            variation=tuple(analysis.variation),
        )


class Thinking:
    """One search under way. `found` sees each iteration; `done` sees what it ended with, or why it failed, and is last.

    Both are called in the search's thread. The thinker must not be used by anybody else until `wait` has returned.
    """

    def __init__(
        self,
        thinker: ActivePlayer,
        history: Any,
        level: Level,
        seed: int,
        found: Callable[[Finding], None],
        done: Callable[[Finding | Exception], None],
    ) -> None:
        self._thinker = thinker
        self._history = history
        self._level = level
        self._seed = seed
        self._found = found
        self._done = done
        self._lock = threading.Lock()
        self._stopped = False
        self._over = threading.Event()
        self._last: Finding | None = None
        self._timer: threading.Timer | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Has the search ended? True before `done` is called, so that whoever hears of it may go on at once."""
        return self._over.is_set()

    def stop(self) -> None:
        """Ends the search and waits for `done`."""
        self._end()
        self.wait()

    def stop_after(self, seconds: float) -> None:
        """Ends the search so many seconds from now."""
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self._timer.start()

    def wait(self) -> None:
        """Returns when `done` has been called."""
        self._thread.join()
        if self._timer is not None:
            self._timer.cancel()

    def _end(self) -> None:
        self._stopped = True
        # The core forgets a stop that comes before its search has begun: say it until it is heard. Under the lock,
        # because the next search of the same thinker must not hear it.
        while not self._over.is_set():
            with self._lock:
                if not self._over.is_set():
                    self._thinker.search.stop()
            self._over.wait(0.002)

    def _run(self) -> None:
        end: Finding | Exception
        try:
            end = self._deepen() if isinstance(self._thinker.player.search, Minimax) else self._search()
        except Exception as error:  # whatever it is, somebody waits for an answer
            end = error
        with self._lock:
            self._over.set()
        self._done(end)

    def _tell(self, finding: Finding) -> None:
        self._last = finding
        self._found(finding)

    def _search(self) -> Finding:
        def report(analysis: Any) -> bool:
            self._tell(Finding.of(analysis))
            return not self._stopped

        level = Level(depth=1) if isinstance(self._thinker.player.search, Greedy) else self._level
        end = Finding.of(self._call(level, report))
        # MCTS says nothing between its rare reports, and nobody was told of what the last iteration left unfinished.
        if self._last is None or end.nodes != self._last.nodes:
            self._tell(end)
        return end

    def _deepen(self) -> Finding:
        """Minimax looks to one depth; a depth more at a time, it can be limited by all the rest and be stopped."""
        begin = time.perf_counter()
        best = None
        nodes = 0
        for depth in range(1, (self._level.depth or DEEPEST) + 1):
            passed = time.perf_counter() - begin
            level = Level(depth)
            if self._level.nodes:
                level = replace(level, nodes=max(1, self._level.nodes - nodes))
            if self._level.seconds:
                level = replace(level, seconds=max(1e-6, self._level.seconds - passed))
            analysis = self._call(level, None)
            finding = Finding.of(analysis, nodes, passed)
            nodes = finding.nodes
            if not all(choice.exact for choice in analysis.moves):
                return best or replace(finding, depth=0, value=0.0, end_in=None)
            best = finding
            self._tell(finding)
            spent = self._level.nodes and nodes >= self._level.nodes
            if self._stopped or spent or (best.end_in is not None and abs(best.end_in) <= depth):
                break
        assert best is not None
        return best

    def _call(self, level: Level, report: Callable[[Any], bool] | None) -> Any:
        return self._thinker.search.search(
            self._history,
            depth=level.depth,
            nodes=level.nodes,
            seconds=level.seconds,
            seed=self._seed,
            report=report,
        )
