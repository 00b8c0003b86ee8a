"""A conversation with an engine under test: lines go out, lines come back, and nothing is forgiven."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from ludus.games import Game, Move, Position
from ludus.players.searches import Budget
from ludus.protocols.clients import Client, HubClient, LineClient, read_move
from ludus.protocols.process import EngineFailure, Process, shown

MOST_LINES = 10_000  # before one answer


class Limits(NamedTuple):
    """How long the engine may take, in seconds.

    Examples:
        >>> Limits(move=1.0).grace
        0.3
    """

    hello: float = 10.0  # for `wait` and `ready`, and at least so long for a move
    move: float = 0.5  # the time it is given for a move
    grace: float = 0.3  # for a move, beyond the time it is given
    work: float = 60.0  # for a move with a limit of depth or nodes
    prompt: float = 2.0  # to answer ping and stop, and to end after quit
    pause: float = 0.2  # in which nothing more may come


class Answer(NamedTuple):
    """A legal move, how long it took, and the lines that came, the one with the move too."""

    move: Move
    seconds: float
    lines: list[str]


class Conversation:
    """One process of an engine. Every method raises EngineFailure when the engine does something wrong."""

    def __init__(self, arguments: list[str], protocol: str, limits: Limits, game: Game) -> None:
        self.game = game
        self.limits = limits
        self.is_hub = protocol == "hub"
        self.client: Client = HubClient() if self.is_hub else LineClient(game.name)
        self.strange: list[str] = []  # lines outside the protocol
        self._process: Process | None = None
        self._arguments = arguments

    @property
    def is_open(self) -> bool:
        """Whether the engine runs."""
        return self._process is not None and self._process.is_running

    def open(self) -> None:
        """Starts the program."""
        self.close()
        self._process = Process(self._arguments)

    def greet(self) -> None:
        """Makes a Hub engine ready; the line protocol has no greeting, but the name of another game than draughts."""
        if isinstance(self.client, HubClient):
            self.expect("hub", "wait", self.limits.hello)
            for line in self.client.set_up():
                self.send(line)
            self.expect("init", "ready", self.limits.hello)
        else:
            self.new_game()

    def new_game(self) -> None:
        """Says that a new game begins."""
        for line in self.client.new_game():
            self.send(line)

    def close(self) -> None:
        """Ends the program at once."""
        process, self._process = self._process, None
        if process is not None:
            process.end()

    def send(self, line: str) -> None:
        """Sends a line."""
        self._running().send(line)

    def expect(self, line: str, word: str, seconds: float) -> list[str]:
        """Sends a line and waits for one that begins with `word`. Returns what came, the last line too."""
        self.send(line)
        return self.wait(word, seconds, f"did not answer {line.split()[0]} with {word} within {seconds:g} s")

    def wait(self, word: str, seconds: float, failure: str) -> list[str]:
        """Waits for a line that begins with `word`; `failure` is the reason when it does not come."""
        deadline = time.monotonic() + seconds
        lines: list[str] = []
        while len(lines) < MOST_LINES:
            try:
                line = self._running().receive(deadline)
            except TimeoutError:
                last = f"; its last line: {shown(lines[-1])}" if lines else ""
                raise EngineFailure(f"{failure}{self.client.complaint}{last}") from None
            lines.append(line or "")
            if self._read(line) == word:
                return lines
        raise EngineFailure(f"wrote {MOST_LINES} lines and no {word}; the last: {shown(lines[-1])}")

    def silence(self, seconds: float | None = None) -> list[str]:
        """The lines that come in a short time, in which a good engine may have nothing to say."""
        deadline = time.monotonic() + (self.limits.pause if seconds is None else seconds)
        lines: list[str] = []
        try:
            while len(lines) < MOST_LINES:
                line = self._running().receive(deadline)
                self._read(line)
                lines.append(line or "")
        except TimeoutError:
            pass
        return lines

    def ask(self, start: Position, moves: Sequence[Move], budget: Budget) -> Answer:
        """Asks for a move after `moves` and checks that it is legal."""
        position = start
        for move in moves:
            position = position.play(move)
        took, lines = self.go(start, moves, budget)
        if self.client.complaint:
            raise EngineFailure(f"rejected a command{self.client.complaint}")
        try:
            return Answer(read_move(position, self.client.move), took, lines)
        except ValueError as error:
            raise EngineFailure(f"played an illegal move: {shown(str(error))}") from error

    def go(self, start: Position, moves: Sequence[Move], budget: Budget) -> tuple[float, list[str]]:
        """Asks for a move, legal or not. Returns how long it took, and the lines that came."""
        self.silence(0.005)  # what came before the question is no answer to it
        for line in self.client.request(start, moves, budget):
            self.send(line)
        seconds = self.limits.work if budget.seconds is None else max(10 * budget.seconds, self.limits.hello)
        begin = time.monotonic()
        lines = self.wait(self.client.answer, seconds, f"did not move within {seconds:g} s")
        if not self.client.move:
            raise EngineFailure(f"answered {self.client.answer} without a move{self.client.complaint}")
        return time.monotonic() - begin, lines

    def leave(self, line: str | None) -> None:
        """Sends the last line, or closes the input if there is none, and waits for the program to end."""
        process = self._running()
        if line is None:
            process.close_input()
        else:
            process.send(line)
        begin = time.monotonic()
        while process.is_running and time.monotonic() < begin + self.limits.prompt:
            time.sleep(0.01)
        ended = not process.is_running
        self.close()
        if not ended:
            cause = line if line is not None else "the end of its input"
            raise EngineFailure(f"was still running {self.limits.prompt:g} s after {cause}")

    def _running(self) -> Process:
        if self._process is None:
            raise EngineFailure("is not running")
        return self._process

    def _read(self, line: str | None) -> str | None:
        """The first word of a line; one outside the protocol is noted."""
        word = None if line is None else self.client.receive(line)
        if word is None:
            self.strange.append("a line that is too long" if line is None else shown(line))
        return word
