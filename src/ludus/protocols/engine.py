"""Outside engines: programs that speak the line protocol of docs/engines.md or, for draughts, Hub.

`engine:COMMAND` names an engine; the protocol is found by trying Hub first, and soon the line protocol beside it.
`engine+hub:COMMAND` and `engine+line:COMMAND` set the protocol. The command is split as a shell would do it, but no
shell runs it.
"""

import shlex
import time
from collections.abc import Sequence
from typing import Literal, NamedTuple, Self

from msgspec import Struct

from ludus.games import GameName, Move, Position, draughts
from ludus.players.searches import Budget
from ludus.protocols.clients import Client, HubClient, LineClient, read_move
from ludus.protocols.process import EngineFailure, Process, shown

__all__ = ["Engine", "EngineFailure", "Patience", "Reply", "names_engine"]

PROBE = 1.0  # seconds without an answer to `hub`, after which a move is asked for in the line protocol

# What the programs of this process have been found to speak.
_found: dict[tuple[str, ...], Literal["hub", "line"]] = {}

PREFIXES: dict[str, Literal["hub", "line"] | None] = {"engine": None, "engine+hub": "hub", "engine+line": "line"}


class Patience(Struct, frozen=True, kw_only=True):
    """How long to wait for an engine, in seconds, and how many lines outside the protocol to accept.

    Examples:
        >>> Patience(grace=0.5).grace
        0.5
    """

    hello: float = 5.0  # for `wait` after `hub`; an engine that has not answered by then gets the line protocol
    ready: float = 60.0  # for `ready` after `init`
    grace: float = 2.0  # for a move, beyond the budget of seconds
    work: float = 300.0  # for a move with a budget of depth or nodes
    farewell: float = 0.5  # to end after `quit`, before it is killed
    nonsense: int = 1000  # lines outside the protocol before each answer


class Reply(NamedTuple):
    """A move, what the engine said of it, and how long it took.

    Examples:
        >>> from ludus.games.draughts import START
        >>> str(Reply(START.move("11-15"), 0.1, 7, 1234, 0.5).move)
        '11-15'
    """

    move: Move
    value: float | None  # for the side that moves, from -1 to 1
    depth: int | None
    nodes: int | None
    seconds: float


def names_engine(name: str) -> bool:
    """Whether this names an outside engine.

    Examples:
        >>> names_engine("engine:./my-engine"), names_engine("champion")
        (True, False)
    """
    return name.partition(":")[0] in PREFIXES and ":" in name


class _Either(LineClient):
    """Reads the answer of a program whose protocol is not known."""

    is_hub = False

    def receive(self, line: str) -> str | None:
        """Returns `answer` for the answer of either protocol."""
        received = super().receive(line)
        if received == self.answer:
            return "answer"
        words = None if received is not None else HubClient().receive(line)
        self.is_hub = words == "wait"
        return "answer" if self.is_hub else received if received is not None else words


class Engine:
    """An outside engine. It may be used by one thread at a time, and plays one game at a time.

    Every method that raises EngineFailure has ended the program; `start` runs it again. Raises ValueError for a name or
    a budget that no engine can have.

    Examples:
        >>> import sys
        >>> with Engine(f"engine+hub:{sys.executable} -m ludus hub --with random", Budget(depth=1)) as engine:
        ...     engine.start()
        ...     engine.choose(draughts.START, []).move in draughts.START.moves()
        True
    """

    def __init__(
        self, name: str, budget: Budget, patience: Patience | None = None, *, game: GameName = draughts.GAME.name
    ) -> None:
        if not names_engine(name):
            raise ValueError(f"'{name}' does not name an engine: write engine:COMMAND")
        if not name.isprintable():  # it stands in records of games
            raise ValueError("the name of an engine is one line of printable text")
        prefix, _, command = name.partition(":")
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"'{command}' is not a command: {error}") from error
        if not self._arguments or not self._arguments[0]:
            raise ValueError(f"'{name}' names no program")
        if budget.unit == "playouts":
            raise ValueError("an outside engine takes a budget of depth, nodes or seconds, not playouts")
        self.name = name
        self.budget = budget
        self.patience = patience or Patience()
        self.title = command  # as the engine calls itself, once it has been asked
        self.nonsense = 0  # lines so far outside the protocol
        self._protocol = PREFIXES[prefix]
        if game != draughts.GAME.name:
            if self._protocol == "hub":
                raise ValueError(f"Hub is a protocol of draughts: an engine of {game} speaks the line protocol")
            self._protocol = "line"
        self._game = game
        self._client: Client = LineClient(game)
        self._process: Process | None = None

    @property
    def pid(self) -> int | None:
        """The number of its process and process group while it runs."""
        return self._process.pid if self._process is not None else None

    @property
    def protocol(self) -> Literal["hub", "line"] | None:
        """What it speaks; None until that has been found out. A program that answers nothing is taken for `line`."""
        return self._protocol

    @property
    def has_answered(self) -> bool:
        """Whether the protocol was found by an answer of the program, now or in an earlier process."""
        return tuple(self._arguments) in _found

    def start(self) -> None:
        """Makes it ready for a new game, whether it runs already or not. Raises EngineFailure."""
        try:
            if self._process is not None and not self._process.is_running:
                self._end()  # it ended between two games, which is no failure
            if self._process is None:
                self._process = Process(self._arguments)
                self._client = self._connect(self._process)
            for line in self._client.new_game():
                self._process.send(line)
        except EngineFailure:
            self._end()
            raise

    def choose(self, start: Position, moves: Sequence[Move]) -> Reply:
        """Its move in the game that began at `start`, went on with `moves` and is not over.

        Waits at most for the seconds of the budget and `patience.grace`, or for `patience.work`. Raises EngineFailure.
        """
        position = start
        for move in moves:
            position = position.play(move)
        if position.outcome():
            raise ValueError(f"the game is over in {position.text}: there is no move to choose")
        if self._process is None:
            raise EngineFailure("is not running")
        try:
            return self._ask(self._process, start, moves, position)
        except EngineFailure:
            self._end()
            raise

    def close(self) -> None:
        """Ends the program; nothing of it stays behind. It may be called twice."""
        if self._process is not None:
            self._process.send("quit")
            self._end(self.patience.farewell)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _end(self, patience: float = 0.0) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end(patience)

    def _connect(self, process: Process) -> Client:
        if self._protocol is None:
            self._protocol = _found.get(tuple(self._arguments))
        if self._protocol == "line":
            return LineClient(self._game)
        process.send("hub")
        client = HubClient()
        begin = time.monotonic()
        try:
            patience = self.patience.hello if self._protocol else min(PROBE, self.patience.hello)
            self._wait_for(process, client, "wait", patience)
        except TimeoutError:
            if self._protocol == "hub":
                raise EngineFailure(f"did not answer hub with wait within {self.patience.hello:g} s") from None
            return self._probe(process, self.patience.hello - (time.monotonic() - begin))
        self._remember("hub")
        self.title = client.title or self.title
        for line in client.set_up():
            process.send(line)
        process.send("init")
        try:
            self._wait_for(process, client, "ready", self.patience.ready)
        except TimeoutError:
            raise EngineFailure(f"was not ready within {self.patience.ready:g} s{client.complaint}") from None
        return client

    def _probe(self, process: Process, seconds: float) -> Client:
        """Finds the protocol of a program that has not answered `hub` yet, by asking for a move in lines as well.

        A program of the line protocol is silent until it is asked for a move. A Hub engine that was only slow to begin
        is started again, because the question may have confused it.
        """
        lines = LineClient()
        for line in (*lines.new_game(), *lines.request(draughts.START, [], Budget(depth=1))):
            process.send(line)
        both = _Either()
        try:
            self._wait_for(process, both, "answer", seconds)
        except TimeoutError:
            self._protocol = "line"
            return lines
        self._remember("hub" if both.is_hub else "line")
        if not both.is_hub:
            return lines
        process.end(0.0)
        self._process = Process(self._arguments)
        return self._connect(self._process)

    def _remember(self, protocol: Literal["hub", "line"]) -> None:
        self._protocol = _found[tuple(self._arguments)] = protocol

    def _ask(self, process: Process, start: Position, moves: Sequence[Move], position: Position) -> Reply:
        self.nonsense += process.discard()  # what came before the request is no answer to it
        for line in self._client.request(start, moves, self.budget):
            process.send(line)
        begin = time.monotonic()
        seconds = self.budget.seconds
        limit = self.patience.work if seconds is None else seconds + self.patience.grace
        try:
            self._wait_for(process, self._client, self._client.answer, limit)
        except TimeoutError:
            raise EngineFailure(f"did not move within {limit:g} s{self._client.complaint}") from None
        took = time.monotonic() - begin
        answer = self._client
        try:
            move = read_move(position, answer.move)
        except ValueError as error:
            raise EngineFailure(f"played an illegal move: {shown(str(error))}{answer.complaint}") from error
        if answer.complaint:  # its move may be for another budget or position
            raise EngineFailure(f"rejected a command{answer.complaint}")
        return Reply(move, answer.value, answer.depth, answer.nodes, took)

    def _wait_for(self, process: Process, client: Client, word: str, seconds: float) -> None:
        """Reads lines until one begins with `word`. Raises TimeoutError, and EngineFailure for too much nonsense."""
        deadline = time.monotonic() + seconds
        nonsense = 0
        while True:
            line = process.receive(deadline)
            received = None if line is None else client.receive(line)
            if received == word:
                return
            if received is None:
                nonsense += 1
                self.nonsense += 1
                if nonsense > self.patience.nonsense:
                    last = "a line without an end" if line is None else shown(line)
                    raise EngineFailure(f"wrote {nonsense} lines of nonsense, the last: {last}")
