"""Outside engines as opponents: any program that speaks Hub, or the line protocol of docs/engines.md.

`engine:COMMAND` names one, and which of the two it speaks is found out; `engine+hub:COMMAND` and `engine+line:COMMAND`
say it. The command is split as a shell would, but no shell runs it.
"""

import shlex
import time
from collections.abc import Sequence
from typing import Literal, NamedTuple, Self

from msgspec import Struct

from ludus.arena.dialogues import Dialogue, Hub, Lines
from ludus.arena.process import EngineFailure, Process, shown
from ludus.games.draughts import Move, Position
from ludus.players.searches import Budget
from ludus.protocols import hub

__all__ = ["Engine", "EngineFailure", "Patience", "Reply", "names_engine"]

PREFIXES: dict[str, Literal["hub", "line"] | None] = {"engine": None, "engine+hub": "hub", "engine+line": "line"}


class Patience(Struct, frozen=True, kw_only=True):
    """How long we wait for an engine, in seconds, and how much nonsense we bear."""

    hello: float = 5.0  # for `wait` after `hub`; an engine that has not said it by then speaks the line protocol
    ready: float = 60.0  # for `ready` after `init`
    grace: float = 2.0  # for a move, beyond the budget of seconds
    work: float = 300.0  # for a move with a budget of depth or nodes, which is nothing that a clock knows
    farewell: float = 0.5  # to end by itself after `quit`
    nonsense: int = 1000  # lines that are none of the protocol, for each answer


class Reply(NamedTuple):
    """A move, what the engine said of it, and how long we waited."""

    move: Move
    value: float | None  # for the side that moves, from -1 to 1
    depth: int | None
    nodes: int | None
    seconds: float


def names_engine(name: str) -> bool:
    """Does this name an outside engine, and not a player?"""
    return name.partition(":")[0] in PREFIXES and ":" in name


class Engine:
    """An outside engine. It may be used by one thread at a time, and plays one game at a time.

    Every method that raises EngineFailure has ended the program; `start` runs it again. Raises ValueError for a name or
    a budget that no engine can have.
    """

    def __init__(self, name: str, budget: Budget, patience: Patience | None = None) -> None:
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
        self.nonsense = 0  # lines so far that nobody could make sense of
        self._protocol = PREFIXES[prefix]
        self._dialogue: Dialogue = Lines()
        self._process: Process | None = None

    @property
    def pid(self) -> int | None:
        """The number of its process and process group while it runs."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Makes it ready for a new game, whether it runs already or not. Raises EngineFailure."""
        try:
            if self._process is not None and not self._process.is_running:
                self._end()  # it left between two games: no harm done
            if self._process is None:
                self._process = Process(self._arguments)
                self._dialogue = self._greet(self._process)
            for line in self._dialogue.new_game():
                self._process.send(line)
        except EngineFailure:
            self._end()
            raise

    def choose(self, start: Position, moves: Sequence[Move]) -> Reply:
        """Its move in the game that began at `start` and went on with `moves`, and is not over. Raises EngineFailure.

        Waits for the seconds of the budget and `patience.grace`, or for `patience.work`, and not longer.
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

    def _greet(self, process: Process) -> Dialogue:
        if self._protocol == "line":
            return Lines()
        process.send("hub")
        dialogue = Hub()
        try:
            self._listen(process, dialogue, "wait", self.patience.hello)
        except TimeoutError:
            if self._protocol == "hub":
                raise EngineFailure(f"did not answer hub with wait within {self.patience.hello:g} s") from None
            self._protocol = "line"
            return Lines()
        self._protocol = "hub"
        self.title = dialogue.title or self.title
        for line in dialogue.set_up():
            process.send(line)
        process.send("init")
        try:
            self._listen(process, dialogue, "ready", self.patience.ready)
        except TimeoutError:
            raise EngineFailure(f"was not ready within {self.patience.ready:g} s{dialogue.complaint}") from None
        return dialogue

    def _ask(self, process: Process, start: Position, moves: Sequence[Move], position: Position) -> Reply:
        self.nonsense += process.unasked()  # what was said before the question is no answer to it
        for line in self._dialogue.question(start, moves, self.budget):
            process.send(line)
        begin = time.monotonic()
        seconds = self.budget.seconds
        limit = self.patience.work if seconds is None else seconds + self.patience.grace
        try:
            self._listen(process, self._dialogue, self._dialogue.answer, limit)
        except TimeoutError:
            raise EngineFailure(f"did not move within {limit:g} s{self._dialogue.complaint}") from None
        took = time.monotonic() - begin
        said = self._dialogue
        try:
            move = hub.read_move(position, said.move)
        except ValueError as error:
            raise EngineFailure(f"played an illegal move: {shown(str(error))}{said.complaint}") from error
        if said.complaint:  # it plays, but not by the budget or from the position that the match is about
            raise EngineFailure(f"did not accept what it was told{said.complaint}")
        return Reply(move, said.value, said.depth, said.nodes, took)

    def _listen(self, process: Process, dialogue: Dialogue, word: str, seconds: float) -> None:
        """Listens until a line begins with `word`. Raises TimeoutError, and EngineFailure for too much nonsense."""
        deadline = time.monotonic() + seconds
        nonsense = 0
        while True:
            line = process.receive(deadline)
            understood = None if line is None else dialogue.hear(line)
            if understood == word:
                return
            if understood is None:
                nonsense += 1
                self.nonsense += 1
                if nonsense > self.patience.nonsense:
                    last = "a line without an end" if line is None else shown(line)
                    raise EngineFailure(f"wrote {nonsense} lines of nonsense, the last: {last}")
