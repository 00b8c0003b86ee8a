"""The school and the arena as a part of the server: their state, their requests and their lists."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludus.web import forms
from ludus.web.arena import Arena
from ludus.web.children import Children
from ludus.web.context import Client, Context, Handler
from ludus.web.lists import encoded
from ludus.web.messages import Answer
from ludus.web.messages import arena as arena_messages
from ludus.web.messages import school as school_messages
from ludus.web.school import School


class Trainings:
    """The school, the arena, and the processes that both start."""

    def __init__(self, context: Context) -> None:
        folders = context.folders
        self.children = Children(allowed=context.settings.allow_training)
        self.school = School(folders, self.children)
        self.arena = Arena(folders, self.children)


_of: WeakKeyDictionary[Context, Trainings] = WeakKeyDictionary()


def of(context: Context) -> Trainings:
    """Those of a server."""
    if context not in _of:
        _of[context] = Trainings(context)
    return _of[context]


async def stop(context: Context) -> None:
    """Stops the trainings and matches that the server has started."""
    await of(context).children.close()


def _stream(method: Callable[[Trainings], Callable[[Any], AsyncIterator[Answer]]]) -> Handler:
    async def handler(request: Any, client: Client) -> AsyncIterator[Answer]:
        async for answer in method(of(client.context))(request):
            yield answer

    return handler


def _single(method: Callable[[Trainings], Callable[[Any], Awaitable[Answer]]]) -> Handler:
    async def handler(request: Any, client: Client) -> AsyncIterator[Answer]:
        # A tab that is closed does not interrupt the start of a process.
        yield await asyncio.shield(asyncio.ensure_future(method(of(client.context))(request)))

    return handler


HANDLERS: dict[type, Handler] = {
    school_messages.WatchRuns: _stream(lambda found: found.school.watch_runs),
    school_messages.WatchRun: _stream(lambda found: found.school.watch_run),
    school_messages.Train: _single(lambda found: found.school.train),
    school_messages.StopTraining: _single(lambda found: found.school.stop),
    school_messages.ResumeTraining: _single(lambda found: found.school.resume),
    arena_messages.WatchArena: _stream(lambda found: found.arena.watch_arena),
    arena_messages.WatchLadder: _stream(lambda found: found.arena.watch_ladder),
    arena_messages.WatchMatch: _stream(lambda found: found.arena.watch_match),
    arena_messages.MatchGame: _single(lambda found: found.arena.match_game),
    arena_messages.StartMatch: _single(lambda found: found.arena.start),
    arena_messages.StopMatch: _single(lambda found: found.arena.stop),
    arena_messages.ResumeMatch: _single(lambda found: found.arena.resume),
}


async def runs(request: Request) -> Response:
    """The list of runs."""
    return encoded(await asyncio.to_thread(of(request.app.state.context).school.answer))


async def run(request: Request) -> Response:
    """A run."""
    school = of(request.app.state.context).school
    return encoded(await asyncio.to_thread(school.view, request.path_params["run"]))


async def learners(_: Request) -> Response:
    """The forms of all learners."""
    return encoded(school_messages.Learners(forms=await asyncio.to_thread(forms.kinds)))


async def arena(request: Request) -> Response:
    """The ladders and matches."""
    return encoded(await asyncio.to_thread(of(request.app.state.context).arena.answer))


ROUTES = [
    Route("/api/runs", runs),
    Route("/api/runs/{run}", run),
    Route("/api/learners", learners),
    Route("/api/arena", arena),
]
