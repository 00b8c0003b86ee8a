"""How far a command is: a bar on a terminal; in a pipe or a file a line on stderr now and then."""

import sys
import time
from types import TracebackType
from typing import Any, Self

SECONDS = 30.0  # between two lines


class Watch:
    """Shows how much is done. It is used in a `with` block."""

    def __init__(self, unit: str, total: int, title: str = "", done: int = 0) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        label = TextColumn("{task.description}{task.fields[note]}", markup=False)
        columns = (label, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._is_terminal = console.is_terminal
        self._bars = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._bar = self._bars.add_task(title and f"{title}: ", total=total, completed=done, note="")
        self._unit, self._total, self._title, self._first = unit, total, title, done
        self._begin = self._told = time.monotonic()

    def update(self, done: int, note: object = "") -> None:
        """So much is done. `note` is written only when it is shown: it may take long to write."""
        self._bars.update(self._bar, completed=done, note=note)
        now = time.monotonic()
        if self._is_terminal or now - self._told < SECONDS:
            return
        self._told = now
        fresh = done - self._first
        words = [f"{done:,} of {self._total:,} {self._unit}", str(note)]
        if fresh > 0:
            words.append(f"about {(self._total - done) * (now - self._begin) / fresh:,.0f} s left")
        title = f"{self._title}: " if self._title else ""
        print(title + "; ".join(word for word in words if word), file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        self._bars.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Any:
        self._bars.__exit__(kind, error, trace)
