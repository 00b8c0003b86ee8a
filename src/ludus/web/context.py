"""What the handlers of requests are given: the server's state, and the tab that asks."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from ludus.web.folders import Folders
from ludus.web.messages import Answer
from ludus.web.roster import Roster
from ludus.web.searches import Searches
from ludus.web.settings import Settings


@dataclass(kw_only=True, eq=False)
class Context:
    """The state of the server. It has no games: each request brings its own."""

    settings: Settings
    folders: Folders
    roster: Roster
    searches: Searches
    saving: asyncio.Lock = field(default_factory=asyncio.Lock)  # one game at a time
    logging_in: asyncio.Lock = field(default_factory=asyncio.Lock)  # one attempt at a time
    is_closed: bool = False  # work in threads asks for it now and then
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)  # that run as long as the server

    @classmethod
    def of(cls, settings: Settings) -> "Context":
        """The state at the start."""
        folders = Folders(settings.runs)
        searches = Searches(settings.threads)
        return cls(settings=settings, folders=folders, roster=Roster(folders), searches=searches)

    def close(self) -> None:
        """Stops all work."""
        self.is_closed = True
        for task in self.tasks:
            task.cancel()
        self.searches.close()


@dataclass(kw_only=True, eq=False)
class Client:
    """A tab. Work is queued under its name, so that tabs take turns."""

    context: Context


# Answers a request. ValueError is for the person: its text is one sentence. Closing the iterator stops the work.
Handler = Callable[[Any, Client], AsyncIterator[Answer]]
