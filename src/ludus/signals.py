"""SIGTERM as a polite stop: it raises KeyboardInterrupt in the main thread, as Ctrl-C does, and the status is 143."""

import contextlib
import os
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130  # the shell's status for Ctrl-C
TERMINATED = 143  # and for SIGTERM
GRACE = 10.0  # seconds for the main thread to react: a long calculation of the core does not let it

_terminated = False


class Terminated(KeyboardInterrupt):
    """SIGTERM was received."""


def install() -> None:
    """From now on SIGTERM raises Terminated in the main thread. Elsewhere this does nothing."""
    with contextlib.suppress(ValueError):  # signals can be handled only in the main thread
        if signal.getsignal(signal.SIGTERM) is _terminate:
            return
        signal.signal(signal.SIGTERM, _terminate)
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        threading.Thread(target=_watch, args=(reading,), daemon=True).start()


def remove() -> None:
    """SIGTERM ends the process at once again: there is nothing left to save."""
    with contextlib.suppress(ValueError):
        if signal.getsignal(signal.SIGTERM) is _terminate:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def status() -> int:
    """The exit status of a program that was stopped: by SIGTERM or by Ctrl-C."""
    return TERMINATED if _terminated else INTERRUPTED


def exit_stopped() -> NoReturn:
    """Ends a program that was stopped when there was nothing to save: with a sentence and the status."""
    remove()
    print("ludus: stopped", file=sys.stderr)
    sys.exit(status())


def _terminate(_: int, frame: FrameType | None) -> None:
    global _terminated
    if _is_importing(frame):  # there an exception may be swallowed, or become another one: ask again a moment later
        again = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGTERM))
        again.daemon = True
        again.start()
        return
    _terminated = True
    raise Terminated


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            return True
        frame = frame.f_back
    return False


def _watch(reading: int) -> None:
    """Ends a process whose main thread does not react to SIGTERM."""
    while received := os.read(reading, 1):
        if received[0] == signal.SIGTERM:
            break
    else:
        return
    for _ in range(int(GRACE / 0.1)):
        if _terminated:
            return
        threading.Event().wait(0.1)
    os.write(2, b"ludus: stopped\n")
    os._exit(TERMINATED)
