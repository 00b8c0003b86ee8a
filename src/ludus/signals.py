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
_wakeup: int | None = None  # where the interpreter writes the numbers of signals, while SIGTERM is handled here
_report_ignored = sys.unraisablehook


class Terminated(KeyboardInterrupt):
    """SIGTERM was received."""


def install() -> None:
    """From now on SIGTERM raises Terminated in the main thread. Elsewhere this does nothing."""
    global _wakeup, _report_ignored
    with contextlib.suppress(ValueError):  # signals can be handled only in the main thread
        if signal.getsignal(signal.SIGTERM) is _terminate:
            return
        signal.signal(signal.SIGTERM, _terminate)
        reading, _wakeup = os.pipe()
        os.set_blocking(_wakeup, False)
        signal.set_wakeup_fd(_wakeup, warn_on_full_buffer=False)
        _report_ignored, sys.unraisablehook = sys.unraisablehook, _raise_again
        threading.Thread(target=_watch, args=(reading,), daemon=True).start()


def remove() -> None:
    """SIGTERM ends the process at once again: there is nothing left to save."""
    global _wakeup
    with contextlib.suppress(ValueError):
        if signal.getsignal(signal.SIGTERM) is _terminate:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            sys.unraisablehook = _report_ignored
            if _wakeup is not None:
                current = signal.set_wakeup_fd(-1)
                if current != _wakeup:  # an event loop has put its own there
                    signal.set_wakeup_fd(current)
                os.close(_wakeup)  # this ends the watching thread
                _wakeup = None


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
    if _is_importing(frame):  # there an exception may be swallowed, or become another one
        _send_again(signal.SIGTERM)
        return
    _terminated = True
    raise Terminated


def _raise_again(ignored: "sys.UnraisableHookArgs") -> None:
    """The interpreter ignores what is raised while it clears an object away. A stop must not be lost there."""
    global _terminated
    if isinstance(ignored.exc_value, Terminated):
        _terminated = False
        _send_again(signal.SIGTERM)
    elif isinstance(ignored.exc_value, KeyboardInterrupt):
        _send_again(signal.SIGINT)
    else:
        _report_ignored(ignored)


def _send_again(number: signal.Signals) -> None:
    again = threading.Timer(0.02, os.kill, (os.getpid(), number))
    again.daemon = True
    again.start()


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            return True
        frame = frame.f_back
    return False


def _watch(reading: int) -> None:
    """Ends a process whose main thread does not react to SIGTERM."""
    with open(reading, "rb", buffering=0) as numbers:
        while received := numbers.read(1):  # to the end: a signal that finds the pipe closed is an error on stderr
            if received[0] == signal.SIGTERM and not _reacts():
                os.write(2, b"ludus: stopped\n")
                os._exit(TERMINATED)


def _reacts() -> bool:
    for _ in range(int(GRACE / 0.1)):
        if _terminated:
            return True
        threading.Event().wait(0.1)
    return False
