"""A tab without a browser: speaks to the server over HTTP and its socket."""

import http.client
import json
import threading
from contextlib import ExitStack, contextmanager

import uvicorn
from websockets.sync.client import connect

from ludus.web import app, server
from ludus.web.settings import Settings
from ludus.web.socket import MOST_MESSAGE

INDEX = "<!doctype html><html><head><title>Ludus</title></head><body></body></html>"


@contextmanager
def running(folder, **options):
    """A server in a thread, with a page of one line. Gives its port and its settings."""
    page = folder / "page"
    page.mkdir(exist_ok=True)
    (page / "index.html").write_text(INDEX)
    (page / "assets").mkdir(exist_ok=True)
    (page / "assets" / "a.js").write_text("1;")
    settings = Settings(runs=folder / "runs", page=page, **options)
    listener = server.bound("127.0.0.1", 0)
    config = uvicorn.Config(app.create(settings), log_level="critical", ws_max_size=MOST_MESSAGE, lifespan="on")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not running.started and thread.is_alive():
            thread.join(0.01)
        yield listener.getsockname()[1], settings
    finally:
        running.should_exit = True
        running.force_exit = False
        thread.join(20)
        listener.close()
        assert not thread.is_alive()


class Tab:
    """An open page: its socket, after hello."""

    def __init__(self, port, token, **headers):
        self.stack = ExitStack()
        url = f"ws://127.0.0.1:{port}/socket"
        self.socket = self.stack.enter_context(connect(url, max_size=None, max_queue=None, additional_headers=headers))
        self.number = 0
        self.send({"type": "hello", "token": token})
        assert self.receive()["type"] == "welcome"

    def send(self, message):
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self, timeout=60):
        return json.loads(self.socket.recv(timeout))

    def begin(self, kind, **fields):
        """Sends a request and returns its id."""
        self.number += 1
        self.send({"type": kind, "id": self.number, **fields})
        return self.number

    def answers(self, kind, **fields):
        """Every answer to a request, the last one as well."""
        number = self.begin(kind, **fields)
        while True:
            answer = self.receive()
            if answer["id"] == number:
                yield answer
                if answer["final"]:
                    return

    def ask(self, kind, **fields):
        """The last answer to a request."""
        *_, last = self.answers(kind, **fields)
        return last

    def cancel(self, number):
        self.send({"type": "cancel", "id": number})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.close()


def get(port, path, method="GET", body=None, **headers):
    """The status, the headers and the body of an answer. Underscores in names of headers are hyphens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body=body, headers=named)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def line(*moves, game="draughts", start=None):
    """A game as messages have it."""
    return {"game": game, "start": start, "moves": list(moves)}
