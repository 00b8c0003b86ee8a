"""Messages to the server of the page, for tests/fuzz.py: a socket that takes one message without a network."""

import asyncio
import json
from pathlib import Path

from starlette.websockets import WebSocketDisconnect

from ludus.web import app, messages
from ludus.web.settings import Settings
from ludus.web.socket import Connection

SECONDS = 0.05  # for the answers; a search or a list that is watched is then stopped

_LINE = {"game": "draughts", "start": None, "moves": ["11-15", "22-18", "15x22"]}
_CUBE = {"game": "tictactoe3d", "start": None, "moves": ["a1", "b2"]}
_PIECE = {"square": 18, "side": "white", "king": False}
_REQUESTS = [
    {"type": "look", "line": _LINE},
    {"type": "look", "line": _CUBE},
    {"type": "look", "line": {"game": "draughts", "start": "W:W18:B15", "moves": []}},
    {"type": "play", "line": _LINE, "player": "random", "level": 1, "seed": 3, "clock": {"left_ms": 1000}},
    {"type": "draw", "line": _LINE, "player": "champion"},
    {
        "type": "setup",
        "game": "draughts",
        "pieces": [_PIECE, {**_PIECE, "square": 9, "side": "black"}],
        "turn": "white",
    },
    {"type": "read", "text": '[Event "a"] 1. 11-15 22-18 *', "game": "draughts"},
    {"type": "write", "line": _LINE, "tags": {"White": "a"}, "winner": "black", "ending": "resignation"},
    {"type": "save", "line": _CUBE, "name": "mine"},
    {"type": "analyse", "line": _LINE, "lines": 2},
    {"type": "train", "learner": "td", "preset": "literal", "options": {"games": 10}, "name": "one"},
    {"type": "watch-run", "run": "one"},
    {"type": "watch-match", "match": "one"},
    {"type": "resume-training", "run": "one"},
    {"type": "cancel"},
]
SEEDS = [json.dumps({**request, "id": number}) for number, request in enumerate(_REQUESTS, 1)]
TAGS = [str(each.__struct_config__.tag) for each in messages.REQUESTS]


class _Socket:
    """Sends hello and a message, waits for the answers and closes."""

    def __init__(self, waiting: list[str]) -> None:
        self.waiting = waiting
        self.answers: list[dict] = []
        self.connection: Connection | None = None

    async def receive(self) -> dict:
        if self.waiting:
            return {"type": "websocket.receive", "text": self.waiting.pop(0)}
        if tasks := set(self.connection.tasks.values()):
            await asyncio.wait(tasks, timeout=SECONDS)
        return {"type": "websocket.disconnect", "code": 1000}

    async def send_text(self, text: str) -> None:
        self.answers.append(json.loads(text))

    async def close(self, *_: object) -> None:
        raise AssertionError("the socket was closed")


class Server:
    """A server without a network. It starts no trainings."""

    def __init__(self, folder: Path) -> None:
        self.loop = asyncio.new_event_loop()
        settings = Settings(runs=folder / "runs", allow_training=False, threads=1)
        state = self.loop.run_until_complete(self._create(settings))
        self.context, self.handlers = state.context, state.sockets.handlers

    async def _create(self, settings: Settings) -> object:
        return app.create(settings).state

    def close(self) -> None:
        """Ends the threads of its searches."""
        self.context.close()
        self.loop.close()

    def check(self, text: str) -> bool:
        """True if a message was a request, False if it was refused. Raises AssertionError if the server failed."""
        hello = json.dumps({"type": "hello", "token": self.context.settings.token})
        socket = _Socket([hello, text])
        socket.connection = Connection(socket, self.context, self.handlers)
        self.loop.run_until_complete(self._serve(socket.connection))
        welcome, *answers = socket.answers
        assert welcome["type"] == "welcome"
        errors = [each["message"] for each in answers if each["type"] == "error"]
        assert not any("its log says why" in each or not each or len(each) > 510 for each in errors), errors
        return not errors

    async def _serve(self, connection: Connection) -> None:
        try:
            await connection.serve()
        except WebSocketDisconnect:
            tasks = list(connection.tasks.values())
            await asyncio.gather(*tasks, return_exceptions=True)
