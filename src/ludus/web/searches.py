"""Searches of many people on one machine: lanes with a cap on threads, a fair queue in each, a stop for each search.

A lane is for work of about the same size, so that a long search does not keep short ones waiting; the threads of the
lanes for long work have a lower priority. In a lane the owners, which are the tabs, take turns. Live work has no end of
its own: when others wait, it goes back to the end of the queue after a slice of time.
"""

import asyncio
import contextlib
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Generic, TypeVar

from ludus.games.core import Search

T = TypeVar("T")

SLICE = 2.0  # seconds of live work while others wait
MOST_WAITING = 2000  # in a lane


class TooBusy(ValueError):
    """Too much work is waiting."""


class Stopped(Exception):
    """The work was stopped by its owner, or has to make room for others."""


class Ticket(Generic[T]):
    """A piece of work in a lane. `work` is called with the ticket, in a thread of the lane; it calls `put`.

    Iterating gives what was put, in the event loop; an exception of the work is raised there. Leaving the iteration
    stops the work.
    """

    def __init__(self, lane: "Lane", owner: object, work: Callable[["Ticket[T]"], None], is_live: bool) -> None:
        self.owner = owner
        self.is_live = is_live
        self.is_stopped = False
        self.is_preempted = False
        self.began = 0.0
        self._lane = lane
        self._work = work
        self._loop = asyncio.get_running_loop()
        self._found: asyncio.Queue[tuple[T | None, BaseException | None]] = asyncio.Queue()
        self._lock = threading.Lock()
        self._search: Search | None = None

    @property
    def goes_on(self) -> bool:
        """Whether the work should go on; False when it was stopped or has to make room."""
        return not (self.is_stopped or self.is_preempted)

    def put(self, item: T) -> None:
        """Passes something on to the owner."""
        self._tell(item, None)

    @contextlib.contextmanager
    def uses(self, search: Search) -> Iterator[None]:
        """While this search runs, a stop of the ticket stops it. Raises Stopped if that has happened already."""
        with self._lock:
            if not self.goes_on:
                raise Stopped
            self._search = search
        try:
            yield
        finally:
            with self._lock:
                self._search = None

    def stop(self) -> None:
        """Ends the work, or keeps it from beginning."""
        self.is_stopped = True
        self._interrupt()
        self._lane.forget(self)

    def preempt(self) -> None:
        """Makes live work go back to the queue."""
        self.is_preempted = True
        self._interrupt()

    def run(self) -> bool:
        """Does the work, in a thread of the lane. Whether it is over."""
        self.is_preempted = False
        self.began = time.monotonic()
        error: BaseException | None = None
        try:
            if self.is_stopped:
                return True
            self._work(self)
        except Stopped:
            pass
        except Exception as failure:  # of any kind: it belongs to the owner
            error = failure
        if self.is_preempted and not self.is_stopped and error is None:
            return False
        self._tell(None, error)
        return True

    async def __aiter__(self) -> AsyncIterator[T]:
        try:
            while True:
                item, error = await self._found.get()
                if error is not None:
                    raise error
                if item is None:
                    return
                yield item
        finally:
            self.stop()

    def _tell(self, item: T | None, error: BaseException | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server has stopped
            self._loop.call_soon_threadsafe(self._found.put_nowait, (item, error))

    def _interrupt(self) -> None:
        # A stop before the search has begun is ignored by the core. The first iteration's report then ends it.
        with self._lock:
            if self._search is not None:
                self._search.stop()


class Lane:
    """Threads that do the work of a queue. At most one piece of work an owner runs at a time."""

    def __init__(self, name: str, threads: int, nice: int) -> None:
        self.name = name
        self._nice = nice
        self._most = threads
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._changed = threading.Condition()
        self._waiting: OrderedDict[object, deque[Ticket[Any]]] = OrderedDict()  # the next owner first
        self._running: set[Ticket[Any]] = set()
        self._is_closed = False

    def submit(self, owner: object, work: Callable[[Ticket[T]], None], *, is_live: bool = False) -> Ticket[T]:
        """Puts work in the queue. Raises TooBusy."""
        ticket = Ticket(self, owner, work, is_live)
        with self._changed:
            if sum(map(len, self._waiting.values())) >= MOST_WAITING:
                raise TooBusy("the server has too much to do; try again in a moment")
            self._push(ticket)
            # A thread that is idle may have been woken for other work already.
            if len(self._waiting) > self._idle and len(self._threads) < self._most and not self._is_closed:
                thread = threading.Thread(target=self._serve, name=f"{self.name} {len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify()
        return ticket

    def forget(self, ticket: Ticket[Any]) -> None:
        """Takes work out of the queue, if it is there."""
        with self._changed:
            queue = self._waiting.get(ticket.owner)
            if queue is not None and ticket in queue:
                queue.remove(ticket)
                if not queue:
                    del self._waiting[ticket.owner]

    def share(self) -> None:
        """Sends live work that has had its slice back to the queue, if others wait. To be called now and then."""
        with self._changed:
            late = time.monotonic() - SLICE
            waiting = len(self._waiting) - self._idle
            over = sorted((t for t in self._running if t.is_live and t.began < late), key=lambda t: t.began)
        for ticket in over[: max(0, waiting)]:
            ticket.preempt()

    def close(self) -> None:
        """Stops all work."""
        with self._changed:
            self._is_closed = True
            tickets = [*self._running, *(ticket for queue in self._waiting.values() for ticket in queue)]
            self._changed.notify_all()
        for ticket in tickets:
            ticket.stop()
        for thread in self._threads:
            thread.join(1.0)

    def _push(self, ticket: Ticket[Any]) -> None:
        self._waiting.setdefault(ticket.owner, deque()).append(ticket)

    def _take(self) -> Ticket[Any] | None:
        """The next ticket: of the first owner who has none that runs."""
        busy = {ticket.owner for ticket in self._running}
        owner = next((owner for owner in self._waiting if owner not in busy), None)
        if owner is None:
            return None
        queue = self._waiting.pop(owner)
        ticket = queue.popleft()
        if queue:
            self._waiting[owner] = queue
        self._running.add(ticket)
        return ticket

    def _serve(self) -> None:
        with contextlib.suppress(OSError, AttributeError):  # threads have priorities of their own on Linux only
            own = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, own, os.getpriority(os.PRIO_PROCESS, own) + self._nice)
        while True:
            with self._changed:
                self._idle += 1
                while (ticket := self._take()) is None and not self._is_closed:
                    self._changed.wait()
                self._idle -= 1
                if ticket is None:
                    return
            is_over = ticket.run()
            with self._changed:
                self._running.discard(ticket)
                if ticket.owner in self._waiting:  # the owner had a turn: the others come first
                    self._waiting.move_to_end(ticket.owner)
                if not is_over and not ticket.is_stopped and not self._is_closed:
                    self._push(ticket)
                self._changed.notify()


class Searches:
    """The lanes of a server."""

    def __init__(self, threads: int) -> None:
        self.quick = Lane("quick", max(2, threads), 0)  # milliseconds: moves at low levels
        self.slow = Lane("slow", max(2, threads), 1)  # seconds: moves at high levels, hints
        self.live = Lane("live", max(2, threads), 3)  # without an end: analyses, reviews
        self._lanes = (self.quick, self.slow, self.live)

    async def share(self) -> None:
        """Shares the threads of live work between those who wait, until it is cancelled."""
        while True:
            await asyncio.sleep(0.25)
            for lane in self._lanes:
                lane.share()

    def close(self) -> None:
        """Stops all work."""
        for lane in self._lanes:
            lane.close()
