"""The command web: the page in a browser."""

import os
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.common import app, fail
from ludus.cli.options import named_path


@app.command()
def web(
    port: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The port. 0: any that is free. Default: 8710, or the next that is free.",
            min=0,
            max=65535,
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="The address to listen at. Other machines can reach any other than the default; then a password is "
            "needed, and trainings cannot be started from the page.",
        ),
    ] = "127.0.0.1",
    runs: Annotated[
        Path,
        typer.Option(
            parser=named_path, metavar="FOLDER", help="The folder of the runs. Saved games are in games/ below it."
        ),
    ] = Path("runs"),
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    password_file: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FILE",
            help="A file whose first line is the password. Default: the variable LUDUS_PASSWORD; without it, a server "
            "that other machines can reach makes a password and prints it.",
        ),
    ] = None,
    allow_training: Annotated[
        bool, typer.Option("--allow-training", help="Let people on other machines start trainings and matches.")
    ] = False,
) -> None:
    """Open the page: play, analyse, train and compare in a browser.

    The page needs no other machine: nothing leaves this one. Ctrl-C stops it.
    """
    try:
        from ludus.web import app as application
        from ludus.web import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "websockets", "anyio"):
            raise
        fail("the page needs more packages: pip install 'ludus[web]'")
    password = os.environ.get("LUDUS_PASSWORD") or None
    if password_file is not None:
        try:
            password = password_file.read_text().partition("\n")[0].strip()
        except (OSError, UnicodeDecodeError) as error:
            fail(f"the password cannot be read from {password_file}: {getattr(error, 'strerror', error)}")
        if not password:
            fail(f"the first line of {password_file} is empty: it is the password")
    settings, made = server.settings_of(host, runs, password, allow_training=allow_training or None)
    if not application.is_built(settings):
        fail("the page is not built: run make build in the source of Ludus")
    try:
        listener = server.bound(host, port)
    except server.NoAddress as error:
        fail(error)
    if made is not None:
        print(f"The password is {made}", flush=True)
    server.serve(settings, listener, host, browser=browser, tell=lambda text: print(text, flush=True))
