"""SIGTERM as a polite stop: it raises KeyboardInterrupt in the main thread, as Ctrl-C does, and the status is 143."""

import contextlib
import os
import signal
import threading
from typing import Any

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


def _terminate(*_: Any) -> None:
    global _terminated
    _terminated = True
    raise Terminated


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
