"""Guards: a program that this process starts ends with it, also when this process is killed with SIGKILL."""

import contextlib
import subprocess
from typing import Literal


class Guard:
    """A small program that signals a group of processes when this process ends without having dismissed it.

    It reads the number of the group, then waits for a second line. If the pipe ends without one, this process has been
    killed. Where there is no shell it does nothing: then a program may outlive a kill -9.
    """

    def __init__(self, signal: Literal["KILL", "TERM"]) -> None:
        script = f'read group && {{ read done || kill -{signal} "-$group"; }}'
        self._popen: subprocess.Popen[bytes] | None = None
        with contextlib.suppress(OSError):
            self._popen = subprocess.Popen(
                ["/bin/sh", "-c", script],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )

    def watch(self, group: int) -> None:
        """Guards this group of processes from now on."""
        self._write(b"%d\n" % group)

    def dismiss(self) -> None:
        """Ends the guard: the group has ended, or there is none."""
        self._write(b"0\ndone\n")
        popen, self._popen = self._popen, None
        if popen is None or popen.stdin is None:
            return
        with contextlib.suppress(OSError):
            popen.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            popen.wait(5)

    def _write(self, line: bytes) -> None:
        with contextlib.suppress(OSError):
            if self._popen is not None and self._popen.stdin is not None:
                self._popen.stdin.write(line)
