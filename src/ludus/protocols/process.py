"""The process of an engine: lines to and from it. It cannot block Ludus for long, fill its memory or stay behind.

The pipes never block. What is sent is buffered until the program takes it, while we wait for its answer.
"""

import contextlib
import os
import select
import signal
import subprocess
import time
import weakref
from collections import deque

from ludus.guard import Guard

LONGEST_LINE = 65_536  # bytes
MOST_WAITING = 10_000  # lines that wait to be read; beyond them the program has to wait
ERROR_OUTPUT = 4_096  # bytes kept of what it writes to its standard error
DYING = 0.5  # seconds that a program which has closed its output may take to end


class EngineFailure(Exception):
    """An engine that cannot play on; `reason` ends a sentence that begins with its name.

    Examples:
        >>> EngineFailure("did not move within 3 s").reason
        'did not move within 3 s'
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Process:
    """A running program, the leader of a group of its own, so that its children end with it.

    Raises EngineFailure when it cannot be started.
    """

    def __init__(self, arguments: list[str]) -> None:
        pipe = subprocess.PIPE
        guard = Guard("KILL")
        try:
            # Unbuffered, so that the pipes are plain files; a session of its own, so that Ctrl-C is ours alone.
            self._popen = subprocess.Popen(
                arguments, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
            )
        except (OSError, ValueError) as error:
            guard.dismiss()
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise EngineFailure(f"cannot start {arguments[0]}: {reason}") from error
        self._finalizer = weakref.finalize(self, _kill, self._popen, guard)  # also when end() is not called
        guard.watch(self._popen.pid)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._files = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self._stdin, self._stdout, self._stderr = numbers = tuple(file.fileno() for file in self._files)
        for number in numbers:
            os.set_blocking(number, False)
        self._open = set(numbers)  # the pipes that are open at the other end
        self._outgoing = bytearray()
        self._lines: deque[str | None] = deque()
        self._partial = bytearray()
        self._is_overlong = False  # the line that `_partial` continues
        self._error_output = bytearray()

    @property
    def pid(self) -> int:
        """The number of the process and of its group."""
        return self._popen.pid

    @property
    def is_running(self) -> bool:
        """False when it has ended."""
        return self._popen.poll() is None

    def send(self, line: str) -> None:
        """Sends a line, now or while waiting for an answer."""
        self._outgoing += line.encode() + b"\n"
        self._write()

    def receive(self, deadline: float) -> str | None:
        """The next line it writes, without its end; None is a piece of a line that is too long.

        Raises TimeoutError at the deadline, a time of time.monotonic(), and EngineFailure when nothing more can come.
        """
        while time.monotonic() < deadline:
            if self._lines:
                return self._lines.popleft()
            if self._stdout not in self._open:
                raise EngineFailure(self._end_reason())
            self._pump(deadline)
        raise TimeoutError

    def discard(self) -> int:
        """Drops what it has written so far. Returns how many lines that was."""
        self._pump(time.monotonic())
        count = len(self._lines)
        self._lines.clear()
        return count

    def close_input(self) -> None:
        """Ends what it can read. Nothing can be sent after it."""
        self._open.discard(self._stdin)
        self._files[0].close()

    def end(self, patience: float = 0.0) -> None:
        """Gives it `patience` seconds to end by itself, then ends it and what it has started. It is the last call."""
        self.close_input()
        if patience > 0:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(patience)
        self._finalizer()
        for file in self._files:
            file.close()

    def _pump(self, deadline: float) -> None:
        """Moves bytes in all three pipes; waits for the first of them, but not past the deadline."""
        poll = select.poll()
        if self._outgoing and self._stdin in self._open:
            poll.register(self._stdin, select.POLLOUT)
        if self._stdout in self._open and len(self._lines) < MOST_WAITING:
            poll.register(self._stdout, select.POLLIN)
        if self._stderr in self._open:
            poll.register(self._stderr, select.POLLIN)
        for pipe, _ in poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            if pipe == self._stdin:
                self._write()
            elif pipe == self._stdout:
                self._take_lines(self._read(pipe))
            else:
                self._error_output += self._read(pipe)
                del self._error_output[:-ERROR_OUTPUT]

    def _write(self) -> None:
        try:
            while self._outgoing and self._stdin in self._open:
                del self._outgoing[: os.write(self._stdin, self._outgoing)]
        except BlockingIOError:
            pass
        except OSError:
            self._open.discard(self._stdin)  # it no longer listens; its output will tell why

    def _read(self, pipe: int) -> bytes:
        try:
            chunk = os.read(pipe, LONGEST_LINE)
        except BlockingIOError:
            return b""
        except OSError:
            chunk = b""
        if not chunk:
            self._open.discard(pipe)
        return chunk

    def _take_lines(self, chunk: bytes) -> None:
        self._partial += chunk
        *whole, self._partial = self._partial.split(b"\n")
        for line in whole:
            is_overlong, self._is_overlong = self._is_overlong or len(line) > LONGEST_LINE, False
            self._lines.append(None if is_overlong else line.decode("utf-8", "replace").rstrip("\r"))
        if len(self._partial) > LONGEST_LINE:
            # A line without an end counts as many lines, so that the limit of nonsense stops it.
            self._lines.append(None)
            self._is_overlong = True
            self._partial.clear()

    def _end_reason(self) -> str:
        deadline = time.monotonic() + DYING
        while self.is_running and time.monotonic() < deadline:
            self._pump(min(deadline, time.monotonic() + 0.02))
        self._pump(time.monotonic())
        status = self._popen.poll()
        if status is None:
            how = "closed its output"
        elif status < 0:
            how = f"crashed: killed by {_signal_name(-status)}"
        else:
            how = f"crashed: exit status {status}" if status else "ended by itself: exit status 0"
        words = self._error_output.decode("utf-8", "replace").strip().splitlines()
        return f"{how}; its error output: {shown(words[-1])}" if words else how


def _kill(popen: "subprocess.Popen[bytes]", guard: Guard) -> None:
    # The number of the group is not reused as long as one of its processes lives, so the group is killed also when the
    # leader has ended.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(popen.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        popen.wait(5)
    guard.dismiss()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def shown(text: str) -> str:
    """Text of another program for an error message: printable, and cut when it is long."""
    printable = "".join(c if c.isprintable() else "?" for c in text.strip())
    return printable if len(printable) <= 200 else printable[:200] + "..."
