"""Watching files for the page: a stream of what they say, with a message whenever that changes."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeVar

_POLL = 1.0  # seconds between two looks at the files
_PATIENCE = 5  # a look that took a second is followed by so many seconds without one

T = TypeVar("T")


async def changes(look: Callable[[], T]) -> AsyncIterator[T]:
    """What `look` returns, and again whenever it is something else; it is called in another thread."""
    last: T | None = None
    while True:
        began = time.monotonic()
        found = await asyncio.to_thread(look)
        if found is not last and found != last:
            yield found
            last = found
        await asyncio.sleep(max(_POLL, _PATIENCE * (time.monotonic() - began)))


def stamp(path: Path) -> tuple[str, int, int] | None:
    """It changes whenever the file does; None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return path.name, found.st_size, found.st_mtime_ns
