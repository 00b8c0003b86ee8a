"""Starts and stops the server: its address, its signals, the browser."""

import contextlib
import ipaddress
import logging
import os
import secrets
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn

from ludus.web import app
from ludus.web.settings import Settings
from ludus.web.socket import MOST_MESSAGE

PORT = 8710  # the games of a browser belong to the address, so the port is the same at every start
TRIES = 20  # ports after it, if it is in use


class NoAddress(ValueError):
    """The server cannot be reached under this address. The message says why."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bound(host: str, port: int | None) -> socket.socket:
    """A socket that listens there; without a port at the usual one or the next that is free. Raises NoAddress."""
    candidates = range(PORT, PORT + TRIES) if port is None else (port,)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    reason = ""
    for candidate in candidates:
        try:
            return socket.create_server((host, candidate), family=family, backlog=1024)
        except (OSError, OverflowError, UnicodeError) as error:
            # Python adds the address to the system's words; errors of names have words of their own.
            is_system = isinstance(error, OSError) and not isinstance(error, socket.gaierror) and error.errno
            reason = os.strerror(is_system) if is_system else getattr(error, "strerror", None) or str(error)
    where = f"port {port}" if port is not None else f"a port from {PORT} to {PORT + TRIES - 1}"
    raise NoAddress(f"the server cannot listen at {host}, {where}: {reason}")


def settings_of(
    host: str, runs: Path, password: str | None = None, *, allow_training: bool | None = None
) -> tuple[Settings, str | None]:
    """The settings for a host, and a password that was made because other machines can reach it and none was given."""
    made = None
    if is_loopback(host):
        settings = Settings(runs=runs, password=password, allow_training=allow_training is not False)
    else:
        if password is None:
            password = made = secrets.token_urlsafe(9)
        names = {host.lower(), socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}
        settings = Settings(
            runs=runs,
            password=password,
            allow_training=allow_training is True,
            hosts=frozenset(names),
            any_address=True,
        )
    return settings, made


def address(listener: socket.socket, host: str, *, on_this_machine: bool = False) -> str:
    """What to type in a browser, on another machine or on this one."""
    port = listener.getsockname()[1]
    name = host
    if host in ("0.0.0.0", "::"):  # all addresses of the machine
        name = "127.0.0.1" if on_this_machine else socket.gethostname()
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def serve(
    settings: Settings, listener: socket.socket, host: str, *, browser: bool, tell: Callable[[str], None]
) -> None:
    """Serves until Ctrl-C or SIGTERM. `tell` shows a line to the person."""
    url = address(listener, host)
    local = address(listener, host, on_this_machine=True) if browser else None
    logging.getLogger("ludus.web").addHandler(logging.StreamHandler())
    config = uvicorn.Config(
        app.create(settings),
        log_level="critical",
        access_log=False,
        ws_max_size=MOST_MESSAGE,
        ws_max_queue=32,
        ws_ping_interval=20.0,
        ws_per_message_deflate=False,
        limit_concurrency=2000,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=2,
        server_header=False,
        date_header=False,
        lifespan="on",
    )
    server = Server(config, lambda: _started(url, local, tell))
    # uvicorn hands a signal on to the handler that was there before it; ours ends nothing, so we say goodbye below.
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    # The watch over a SIGTERM that is not reacted to would end a server that takes its time to close sockets.
    watch = signal.set_wakeup_fd(-1)
    try:
        server.run(sockets=[listener])
    finally:
        signal.set_wakeup_fd(watch, warn_on_full_buffer=False)
        for number, handler in before.items():
            signal.signal(number, handler)
        listener.close()
    tell("The server has stopped.")


class Server(uvicorn.Server):
    """A server that says when it can be reached."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to listen."""
        await super().startup(sockets=sockets)
        if self.started:
            self._tell()


def _started(url: str, local: str | None, tell: Callable[[str], None]) -> None:
    tell(f"Ludus is at {url}")
    tell("Ctrl-C stops it.")
    if local is not None:
        threading.Thread(target=_open, args=(local,), daemon=True).start()


def _open(url: str) -> None:
    with contextlib.suppress(webbrowser.Error, OSError):  # the address was told
        webbrowser.open(url)
