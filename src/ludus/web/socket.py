"""The socket of a tab: reads requests, runs their handlers, sends the answers. Closing it stops all of its work."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

import ludus
from ludus.web import messages
from ludus.web.context import Client, Context, Handler
from ludus.web.messages import Answer, Cancel, Error, Hello, Request, Welcome
from ludus.web.security import is_equal

MOST_SOCKETS = 1000
MOST_REQUESTS = 16  # of a socket at the same time
MOST_ERRORS = 1000  # messages that could not be read, before the socket is closed
HELLO_SECONDS = 10.0
MOST_MESSAGE = 4 << 20  # bytes

BAD_TOKEN = 4401  # close codes that the page knows
TOO_MANY = 4429
BAD_MESSAGES = 4400

_log = logging.getLogger("ludus.web")


class Sockets:
    """All open sockets of a server."""

    def __init__(self, context: Context, handlers: Mapping[type, Handler]) -> None:
        self.context = context
        self.handlers = handlers
        self.open = 0

    async def serve(self, socket: WebSocket) -> None:
        """Serves a tab until it is closed."""
        if self.open >= MOST_SOCKETS:
            await socket.accept()
            await socket.close(TOO_MANY, "too many pages are open")
            return
        self.open += 1
        try:
            await socket.accept()
            await Connection(socket, self.context, self.handlers).serve()
        except (WebSocketDisconnect, OSError, RuntimeError):  # the tab was closed, perhaps while we were sending
            pass
        finally:
            self.open -= 1


class Connection:
    """One tab."""

    def __init__(self, socket: WebSocket, context: Context, handlers: Mapping[type, Handler]) -> None:
        self.socket = socket
        self.context = context
        self.handlers = handlers
        self.client = Client(context=context)
        self.tasks: dict[int, asyncio.Task[None]] = {}

    async def serve(self) -> None:
        """Greets, then answers requests until the tab is closed."""
        if not await self._greet():
            return
        errors = 0
        try:
            while errors < MOST_ERRORS:
                content = await self._receive()
                try:
                    request = messages.decode(content)
                except (msgspec.MsgspecError, UnicodeError) as error:
                    errors += 1
                    await self._send(Error(id=messages.id_of(content), message=_sentence(error)))
                    continue
                await self._take(request)
            await self.socket.close(BAD_MESSAGES, "too many messages that cannot be read")
        finally:
            for task in self.tasks.values():
                task.cancel()

    async def _greet(self) -> bool:
        """The first message must be the right token."""
        try:
            hello = messages.decode(await asyncio.wait_for(self._receive(), HELLO_SECONDS))
        except (msgspec.MsgspecError, UnicodeError, TimeoutError):
            hello = None
        if not isinstance(hello, Hello) or not is_equal(hello.token, self.context.settings.token):
            await self.socket.close(BAD_TOKEN, "say hello with the token of this server first")
            return False
        await self._send(Welcome(id=hello.id, version=ludus.__version__))
        return True

    async def _take(self, request: Request | Hello) -> None:
        if isinstance(request, Hello):
            await self._send(Welcome(id=request.id, version=ludus.__version__))
        elif isinstance(request, Cancel):
            if task := self.tasks.get(request.id):
                task.cancel()
        elif request.id in self.tasks:
            await self._send(Error(id=request.id, message="a request of this id is still being answered"))
        elif len(self.tasks) >= MOST_REQUESTS:
            await self._send(Error(id=request.id, message=f"at most {MOST_REQUESTS} requests at the same time"))
        else:
            task = asyncio.create_task(self._answer(request))
            self.tasks[request.id] = task
            task.add_done_callback(lambda _: self.tasks.pop(request.id, None))

    async def _answer(self, request: Request) -> None:
        """Sends all answers to a request; an error is the last one."""
        answers = self.handlers[type(request)](request, self.client)
        try:
            async with contextlib.aclosing(answers):  # type: ignore[type-var]
                async for answer in answers:
                    await self._send(msgspec.structs.replace(answer, id=request.id))
        except (WebSocketDisconnect, OSError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and not _is_closed(self.socket):
                await self._fail(request, error)
        except ValueError as error:
            await self._send(Error(id=request.id, message=_sentence(error)))
        except Exception as error:
            await self._fail(request, error)

    async def _fail(self, request: Request, error: Exception) -> None:
        """A fault of ours: the log has it, the person reads that it was not theirs."""
        _log.error("%s failed", type(request).__name__, exc_info=error)
        with contextlib.suppress(WebSocketDisconnect, OSError, RuntimeError):
            await self._send(Error(id=request.id, message="the server could not do this; its log says why"))

    async def _receive(self) -> bytes | str:
        message = await self.socket.receive()
        if message["type"] != "websocket.receive":
            raise WebSocketDisconnect(message.get("code", 1000))
        text: str | None = message.get("text")
        content: bytes = message.get("bytes") or b""
        return content if text is None else text

    async def _send(self, answer: Answer) -> None:
        await self.socket.send_text(msgspec.json.encode(answer).decode())


def _is_closed(socket: WebSocket) -> bool:
    from starlette.websockets import WebSocketState

    return WebSocketState.DISCONNECTED in (socket.application_state, socket.client_state)


def _sentence(error: Exception) -> str:
    """What is wrong, on one line and not too long."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 500 else text[:500] + "..."
