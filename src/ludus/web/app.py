"""The application: the routes of the page, of its lists and of its socket. `PARTS` lists the modules that have them."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from html import escape
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from ludus.web import analyse, explain, lists, login, play, records, review, trainings
from ludus.web.context import Context, Handler
from ludus.web.lists import encoded
from ludus.web.security import Guard
from ludus.web.settings import Settings
from ludus.web.socket import Sockets

# The modules that answer: each may have HANDLERS of requests on the socket, ROUTES, and `start`, which is called with
# the context when the server starts and returns tasks that run as long as it does, and `stop`, awaited at its end.
PARTS: tuple[Any, ...] = (lists, login, play, analyse, review, explain, records, trainings)

PAGES = ("/", "/play", "/analyse", "/school", "/school/{rest:path}", "/arena", "/arena/{rest:path}")
INDEX = "index.html"
TOKEN = re.compile(r'<meta name="ludus-token"[^>]*>')  # in index.html, where the token comes

MISSING_PAGE = (
    "<!doctype html><html lang=en><title>Ludus</title><h1>Ludus</h1>"
    "<p>The page is not built. <code>make build</code> builds it; a wheel of Ludus contains it.</p>"
)


def is_built(settings: Settings) -> bool:
    """Whether the page is there."""
    return (settings.page / INDEX).is_file()


def create(settings: Settings) -> Starlette:
    """The application."""
    context = Context.of(settings)
    handlers: dict[type, Handler] = {}
    routes: list[BaseRoute] = []
    for part in PARTS:
        handlers |= getattr(part, "HANDLERS", {})
        routes += getattr(part, "ROUTES", [])
    sockets = Sockets(context, handlers)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        context.tasks.add(asyncio.create_task(context.searches.share()))
        for part in PARTS:
            if start := getattr(part, "start", None):
                context.tasks.update(start(context))
        try:
            yield
        finally:
            for part in PARTS:
                if stop := getattr(part, "stop", None):
                    await stop(context)
            await asyncio.to_thread(context.close)

    routes.append(WebSocketRoute("/socket", sockets.serve))
    routes += [Route(path, index) for path in PAGES]
    if is_built(settings):
        routes.append(Mount("/", Built(directory=settings.page)))
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Guard, settings=settings),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=6),
        ],
        lifespan=lifespan,
        exception_handlers={ValueError: _bad_request, HTTPException: _http_error},
    )
    app.state.context = context
    app.state.sockets = sockets
    return app


class Built(StaticFiles):
    """The files of the built page. Those with a digest in their name never change."""

    async def get_response(self, path: str, scope: Any) -> Response:
        """A file, with how long a browser may keep it."""
        response = await super().get_response(path, scope)
        keep = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
        response.headers["cache-control"] = keep
        return response


async def index(request: Request) -> Response:
    """The page, with the token of this start of the server."""
    settings: Settings = request.app.state.context.settings
    if not is_built(settings):
        return HTMLResponse(MISSING_PAGE, 503)
    text = await asyncio.to_thread((settings.page / INDEX).read_text, "utf-8")
    meta = f'<meta name="ludus-token" content="{escape(settings.token)}">'
    text, count = TOKEN.subn(meta, text, count=1)
    if not count:
        text = text.replace("</head>", f"{meta}</head>", 1)
    return HTMLResponse(text, headers={"cache-control": "no-store"})


async def _bad_request(request: Request, error: Exception) -> Response:
    """What a person asked cannot be: one sentence."""
    return encoded({"message": " ".join(str(error).split())[:500]}, 400)


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = {404: "There is nothing here.", 405: "This cannot be asked in this way."}
    return PlainTextResponse(words.get(status, "This cannot be answered."), status)
