"""Trainings and matches that the page starts: child processes of the server, each a `ludus` command."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from ludus.guard import Guard

MOST = 2  # at the same time
_NICE = 5  # the boards come first
_LINES = 20  # the last lines that a process printed
_REMEMBERED = 600.0  # seconds for which a failure is shown
_BEGIN = 60.0  # seconds in which a process must have begun its work
_END = 10.0  # seconds that a stop waits for the end of a process
_STOPPED = (130, 143, -signal.SIGTERM, -signal.SIGINT)


class Refused(ValueError):
    """A process cannot be started or stopped; the message says why."""


@dataclass
class _Child:
    """A process, or the place of one that is being started."""

    process: asyncio.subprocess.Process | None = None
    printed: deque[str] = field(default_factory=lambda: deque(maxlen=_LINES))
    reader: asyncio.Task[None] | None = None
    guard: Guard | None = None
    stopping: bool = False


class Children:
    """The processes by the id of their run or match. All methods belong to the server's event loop."""

    def __init__(self, *, allowed: bool = True, most: int = MOST) -> None:
        self.allowed = allowed
        self._most = most
        self._children: dict[str, _Child] = {}
        self._failures: deque[tuple[float, str]] = deque(maxlen=5)

    @property
    def room(self) -> int:
        """How many more processes can be started."""
        return max(0, self._most - len(self._children)) if self.allowed else 0

    @property
    def concurrency(self) -> int:
        """How many tasks one process runs at the same time: its share of the processors."""
        return max(1, (os.cpu_count() or 1) // self._most)

    def require_allowed(self) -> None:
        """Raises Refused if this server starts no processes for the page."""
        if not self.allowed:
            raise Refused("this server does not start trainings or matches")

    def has(self, key: str) -> bool:
        """Whether a process of this server works on this run or match."""
        return key in self._children

    def failures(self) -> list[str]:
        """Why processes have failed in the last minutes, the newest last."""
        since = time.monotonic() - _REMEMBERED
        return [sentence for when, sentence in self._failures if when >= since]

    async def start(self, key: str, words: list[str], begun: Callable[[], bool]) -> None:
        """Starts `ludus` with these words and returns when its work has begun.

        `begun` says so; it is asked in another thread. Raises Refused, with the sentence of the process if it fails.
        """
        self.require_allowed()
        if key in self._children:
            raise Refused(f"{key} is going on already")
        if not self.room:
            raise Refused(f"{self._most} trainings and matches are going on already; stop one first")
        child = self._children[key] = _Child()
        # A server that is killed takes its processes along: politely, so that they keep what they have.
        child.guard = await asyncio.to_thread(Guard, "TERM")
        try:
            child.process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "ludus",
                *words,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C stops the server, which then stops its processes
            )
        except OSError as error:
            del self._children[key]
            child.guard.dismiss()
            raise Refused(f"no process can be started: {error.strerror}") from error
        child.guard.watch(child.process.pid)
        with contextlib.suppress(OSError):  # it may have ended
            os.setpriority(os.PRIO_PROCESS, child.process.pid, _NICE)
        child.reader = asyncio.create_task(self._follow(key, child))
        until = time.monotonic() + _BEGIN
        while key in self._children and time.monotonic() < until:
            if await asyncio.to_thread(begun):
                return
            await asyncio.sleep(0.05)
        await asyncio.wait({child.reader}, timeout=0)
        status = child.process.returncode
        if status is not None and status != 0 and status not in _STOPPED:
            raise Refused(self._failures.pop()[1] if self._failures else _sentence(child, status))

    async def stop(self, key: str) -> None:
        """Stops a process politely: it keeps what it has. Returns when it has ended, or after ten seconds."""
        self.require_allowed()
        child = self._children.get(key)
        if child is None or child.process is None or child.reader is None:
            raise Refused(f"{key} was not started by this server; stop it where it was started")
        if not child.stopping:
            child.stopping = True
            with contextlib.suppress(ProcessLookupError):
                child.process.terminate()
        await asyncio.wait({child.reader}, timeout=_END)

    async def close(self) -> None:
        """Stops all processes, as the server does at its end."""
        await asyncio.gather(*(self.stop(key) for key in list(self._children)), return_exceptions=True)

    async def _follow(self, key: str, child: _Child) -> None:
        """Reads what a process prints, to its end."""
        assert child.process is not None and child.process.stderr is not None
        try:
            while line := await _line(child.process.stderr):
                child.printed.append(line.decode(errors="replace").strip())
            status = await child.process.wait()
            if status != 0 and not (child.stopping or status in _STOPPED):
                self._failures.append((time.monotonic(), _sentence(child, status)))
        finally:
            self._children.pop(key, None)
            if child.guard is not None:
                child.guard.dismiss()


async def _line(stream: asyncio.StreamReader) -> bytes:
    """The next line; a longer one than the buffer holds is cut."""
    try:
        return await stream.readline()
    except ValueError:
        return b"...\n"


def _sentence(child: _Child, status: int) -> str:
    """The last sentence that a process printed."""
    said = [line for line in child.printed if line.startswith("ludus: ")]
    if said:
        return said[-1].removeprefix("ludus: ")
    return f"the process has ended with status {status}" + (f": {child.printed[-1]}" if child.printed else "")
