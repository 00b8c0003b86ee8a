"""A search in a thread of its own, under the limits that a protocol sets. It can be stopped at any time."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from ludus.games import History, Move
from ludus.games.core import Analysis
from ludus.players import ActivePlayer, Player, searches
from ludus.players.searches import Ept, Greedy, Minimax, Pvs, Uct

DEEPEST = 100  # plies; the core looks no further, and minimax would reserve memory for more
MOST_NODES = 2**62
LONGEST = 1e7  # seconds


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may spend; 0 sets no limit. Several limits hold together."""

    depth: int = 0
    nodes: int = 0  # play-outs for MCTS
    seconds: float = 0.0
    usual_seconds: float = 0.0  # under a clock: those of a usual move, where `seconds` are the most


def usual_limits(player: Player) -> Limits:
    """The limits of the player's own budget."""
    budget = searches.core_budget(player.search, searches.checked_budget(player.search, player.budget))
    return _bounded(Limits(budget.depth, budget.nodes, budget.seconds))


def supported(player: Player, limits: Limits) -> Limits | None:
    """The limits without those that the player's search does not know; None if it knows none of them."""
    if limits.usual_seconds and not isinstance(player.search, Pvs):
        limits = replace(limits, seconds=min(limits.seconds, limits.usual_seconds), usual_seconds=0.0)
    if isinstance(player.search, Uct | Ept) and limits.depth:
        limits = replace(limits, depth=0)
        return _bounded(limits) if limits != Limits() else None
    return _bounded(limits)


def _bounded(limits: Limits) -> Limits:
    """The limits, each cut to what the core can take."""
    return Limits(
        min(limits.depth, DEEPEST),
        min(limits.nodes, MOST_NODES),
        min(limits.seconds, LONGEST),
        min(limits.usual_seconds, LONGEST),
    )


@dataclass(frozen=True, slots=True)
class SearchInfo:
    """What a search has found so far."""

    depth: int
    value: float
    end_in: int | None
    nodes: int
    seconds: float
    variation: tuple[Move, ...]

    @classmethod
    def of(cls, analysis: Analysis, nodes: int = 0, seconds: float = 0.0) -> "SearchInfo":
        """What an analysis says, with the nodes and seconds that were spent before it added."""
        return cls(
            depth=analysis.depth,
            value=analysis.value,
            end_in=analysis.end_in,
            nodes=nodes + analysis.nodes,
            seconds=seconds + analysis.seconds,
            variation=tuple(analysis.variation),
        )


class BackgroundSearch:
    """A search that runs while the caller does something else.

    `found` is called with the result of each iteration, and at last `done` with the end result or the error; both in
    the thread of the search. The active player must not be used for anything else until `wait` has returned.
    """

    def __init__(
        self,
        player: ActivePlayer,
        history: History,
        limits: Limits,
        seed: int,
        found: Callable[[SearchInfo], None],
        done: Callable[[SearchInfo | Exception], None],
    ) -> None:
        self._player = player
        self._history = history
        self._limits = limits
        self._seed = seed
        self._found = found
        self._done = done
        self._lock = threading.Lock()
        self._stopped = False
        self._over = threading.Event()
        self._last: SearchInfo | None = None
        self._timer: threading.Timer | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether the search has ended. True before `done` is called, so that `done` may start the next search."""
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
        # The core ignores a stop that comes before its search has begun, so it is repeated until the search ends. Under
        # the lock, because it must not stop the next search of the same player.
        while not self._over.is_set():
            with self._lock:
                if not self._over.is_set():
                    self._player.search.stop()
            self._over.wait(0.002)

    def _run(self) -> None:
        end: SearchInfo | Exception
        try:
            end = self._deepen() if isinstance(self._player.player.search, Minimax) else self._search()
        except Exception as error:  # of any kind: the caller waits for `done`
            end = error
        with self._lock:
            self._over.set()
        self._done(end)

    def _report(self, info: SearchInfo) -> None:
        self._last = info
        self._found(info)

    def _search(self) -> SearchInfo:
        def report(analysis: Analysis) -> bool:
            self._report(SearchInfo.of(analysis))
            return not self._stopped

        limits = Limits(depth=1) if isinstance(self._player.player.search, Greedy) else self._limits
        end = SearchInfo.of(self._call(limits, report))
        # MCTS reports rarely, and the last iteration may be unfinished: then the end is news.
        if self._last is None or end.nodes != self._last.nodes:
            self._report(end)
        return end

    def _deepen(self) -> SearchInfo:
        """Minimax has one depth. Searching depth by depth makes it stoppable, and limits of nodes and time work."""
        begin = time.perf_counter()
        best = None
        nodes = 0
        for depth in range(1, (self._limits.depth or DEEPEST) + 1):
            passed = time.perf_counter() - begin
            limits = Limits(depth)
            if self._limits.nodes:
                limits = replace(limits, nodes=max(1, self._limits.nodes - nodes))
            if self._limits.seconds:
                limits = replace(limits, seconds=max(1e-6, self._limits.seconds - passed))
            analysis = self._call(limits, None)
            info = SearchInfo.of(analysis, nodes, passed)
            nodes = info.nodes
            if not all(choice.exact for choice in analysis.moves):
                return best or replace(info, depth=0, value=0.0, end_in=None)
            best = info
            self._report(info)
            spent = self._limits.nodes and nodes >= self._limits.nodes
            if self._stopped or spent or (best.end_in is not None and abs(best.end_in) <= depth):
                break
        assert best is not None
        return best

    def _call(self, limits: Limits, report: Callable[[Analysis], bool] | None) -> Analysis:
        return self._player.search.search(
            self._history,
            depth=limits.depth,
            nodes=limits.nodes,
            seconds=limits.seconds,
            usual_seconds=limits.usual_seconds,
            seed=self._seed,
            report=report,
        )
