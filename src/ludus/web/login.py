"""The login form, for servers that other machines reach. It works without scripts."""

import asyncio
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ludus.web.context import Context
from ludus.web.security import COOKIE, is_equal, session_of

WRONG_SECONDS = 1.0  # that a wrong password takes, one after another
KEPT_SECONDS = 30 * 24 * 3600

FORM = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Ludus: log in</title>
<link rel="stylesheet" href="/login.css"></head>
<body><main><h1>Ludus</h1>
<form method="post" action="/login">
<p>{words}</p>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button>Log in</button>
</form></main></body></html>
"""
STYLE = """:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 22rem; margin: 15vh auto 0; padding: 0 1rem }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; margin: .4rem 0 }
input, button { padding: .6rem }
"""


async def form(request: Request) -> Response:
    """The form; a server without a password needs none."""
    context: Context = request.app.state.context
    if context.settings.password is None:
        return RedirectResponse("/", 303)
    return HTMLResponse(FORM.format(words="The person who started the server knows the password."))


async def log_in(request: Request) -> Response:
    """Checks the password. A wrong one takes a second, so that trying many takes long."""
    context: Context = request.app.state.context
    password = context.settings.password
    if password is None:
        return RedirectResponse("/", 303)
    given = parse_qs((await request.body()).decode(errors="replace")).get("password", [""])[0]
    async with context.logging_in:
        if not is_equal(given, password):
            await asyncio.sleep(WRONG_SECONDS)
            return HTMLResponse(FORM.format(words="That is not the password."), 403)
    response = RedirectResponse("/", 303)
    session = await asyncio.to_thread(session_of, password)
    response.set_cookie(COOKIE, session, max_age=KEPT_SECONDS, httponly=True, samesite="strict")
    return response


async def style(_: Request) -> Response:
    """The look of the form."""
    return Response(STYLE, media_type="text/css")


ROUTES = [Route("/login", form), Route("/login", log_in, methods=["POST"]), Route("/login.css", style)]
