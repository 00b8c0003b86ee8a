"""A player of Ludus as a Hub engine: it answers lines, searches in a thread, and survives every input."""

import contextlib
import math
import threading
from collections.abc import Callable, Mapping
from typing import BinaryIO, cast

import ludus
from ludus.games import DrawRules
from ludus.games.draughts import START, History, Move
from ludus.players import ActivePlayer, Player
from ludus.protocols import hub
from ludus.protocols.background_search import LONGEST, BackgroundSearch, Limits, SearchInfo, supported, usual_limits
from ludus.protocols.clocks import MOVES_TO_GO, SHORTEST, most, share
from ludus.protocols.hub import BadLine, Line


class HubEngine:
    """Answers Hub lines with `write`, which is given one line at a time without its end, also from another thread.

    Every `go` that is heard while no search runs is followed by exactly one `done`.
    """

    def __init__(self, player: Player, write: Callable[[str], None], seed: int = 0) -> None:
        self.player = player
        self._active = ActivePlayer(player)
        self._write = write
        self._writing = threading.Lock()
        self._seed = seed  # grows by one a search, so that random players do not repeat their games
        self._history: History | None = _history("")
        self._limits: Limits | None = None
        self._search: BackgroundSearch | None = None
        self._seconds_to_ponder_hit = 0.0

    def receive(self, text: str) -> bool:
        """Does what a line asks for. Returns False when it asks to quit."""
        try:
            line = hub.read(text)
            if line is None:
                return True
            if line.command == "quit":
                return False
            self._execute(line)
        except ValueError as reason:
            self._send(hub.error(reason))
        return True

    def close(self) -> None:
        """Ends the search that is running, if there is one."""
        if self._search is not None:
            self._search.stop()

    def _send(self, *lines: Line) -> None:
        with self._writing:
            for line in lines:
                self._write(str(line))

    def _execute(self, line: Line) -> None:
        match line.command:
            case "ping":
                self._send(Line("pong", {}))
            case "stop":
                self.close()
            case "ponder-hit":
                if self._search is not None and self._is_searching and self._seconds_to_ponder_hit:
                    self._search.stop_after(self._seconds_to_ponder_hit)
                    self._seconds_to_ponder_hit = 0.0
            case "hub" | "init" | "new-game" | "set-param" | "pos" | "level" | "go" if self._is_searching:
                raise BadLine(f"a search is under way: {line.command} has to wait until it is done")
            case "hub":
                name = f"Ludus {self.player.name}"
                identity = {"name": name, "version": ludus.__version__, "author": "The Ludus authors"}
                variant = {"name": "variant", "value": hub.VARIANT, "type": "enum", "values": hub.VARIANT}
                self._send(Line("id", identity), Line("param", variant), Line("wait", {}))
            case "init":
                self._send(Line("ready", {}))
            case "new-game":
                self._active.search.new_game()
            case "set-param":
                self._set(line.arguments)
            case "pos":
                self._history = None  # after a bad line there is no position: the old one would be the wrong one
                self._history = _history(line.arguments.get("pos", ""), line.arguments.get("moves", ""))
            case "level":
                self._set_level(line.arguments)
            case "go":
                self._go(line.arguments)
            case _:
                raise BadLine(f"there is no command {line.command}")

    @property
    def _is_searching(self) -> bool:
        return self._search is not None and not self._search.is_over

    def _set(self, arguments: Mapping[str, str]) -> None:
        name, value = arguments.get("name", ""), arguments.get("value", "")
        if name != "variant":
            raise BadLine(f"there is no parameter '{name}', only variant")
        if value != hub.VARIANT:
            raise BadLine(f"the variant '{value}' is not played here, only {hub.VARIANT}")

    def _set_level(self, arguments: Mapping[str, str]) -> None:
        self._limits = None
        self._limits = supported(self.player, read_level(arguments))
        if self._limits is None:
            raise BadLine(f"{self.player.name} has no depth: limit its nodes, which are play-outs, or its time")

    def _go(self, arguments: Mapping[str, str]) -> None:
        if self._search is not None:
            self._search.wait()  # its `done` is out, or about to be
        limits, self._limits = self._limits, None
        if self._history is None or self._history.outcome():
            why = "the game is over" if self._history else "there is no position"
            self._send(hub.error(f"{why}: there is nothing to search"), Line("done", {}))
            return
        if limits is None:
            limits = Limits() if "analyze" in arguments else usual_limits(self.player)
        self._seconds_to_ponder_hit = 0.0
        if "ponder" in arguments:  # the clock stands still until the opponent has moved
            self._seconds_to_ponder_hit = limits.usual_seconds or limits.seconds
            limits = Limits(limits.depth, limits.nodes)
        self._seed += 1
        self._search = BackgroundSearch(self._active, self._history, limits, self._seed, self._found, self._done)

    def _found(self, info: SearchInfo) -> None:
        speed = info.nodes / max(info.seconds, 1e-6) / 1e6
        arguments = {
            "depth": str(info.depth),
            "score": hub.score(info.value, info.end_in),
            "nodes": str(info.nodes),
            "time": f"{info.seconds:.3f}",
            "nps": f"{speed:.3f}",  # millions
            "pv": hub.written_moves(_moves(info)),
        }
        self._send(Line("info", arguments))

    def _done(self, end: SearchInfo | Exception) -> None:
        if isinstance(end, Exception):
            self._send(hub.error(end), Line("done", {}))
            return
        best, *answers = map(hub.write_move, _moves(end))
        self._send(Line("done", {"move": best, **({"ponder": answers[0]} if answers else {})}))


def _history(position: str, moves: str = "") -> History:
    """The game of a `pos` line, without draw rules: the other program decides when the game is a draw."""
    start = hub.read_position(position) if position else START
    history = History(start, DrawRules(repetitions=0, quiet_plies=0))
    for move in hub.read_moves(start, moves):
        history.play(move)
    return history


def _moves(info: SearchInfo) -> tuple[Move, ...]:
    return cast("tuple[Move, ...]", info.variation)


def read_level(arguments: Mapping[str, str]) -> Limits:
    """The limits that a `level` line sets for the next search. Raises BadLine."""
    known = {"depth", "nodes", "move-time", "moves", "time", "inc", "infinite"}
    if not known & arguments.keys():
        raise BadLine("a level is one of depth, nodes, move-time, time and infinite")
    if arguments.keys() & {"moves", "inc"} and "time" not in arguments:
        raise BadLine("moves and inc say how to share out the time: it is missing")
    seconds = []
    usual = 0.0
    if "move-time" in arguments:
        seconds.append(max(SHORTEST, _number(arguments, "move-time")))
    if "time" in arguments:
        moves = _whole(arguments, "moves") if "moves" in arguments else MOVES_TO_GO
        increment = _number(arguments, "inc") if "inc" in arguments else 0.0
        remaining = _number(arguments, "time")
        usual = share(remaining, moves, increment)
        seconds.append(most(remaining, moves, increment))
    return Limits(
        depth=_whole(arguments, "depth") if "depth" in arguments else 0,
        nodes=_whole(arguments, "nodes") if "nodes" in arguments else 0,
        seconds=min(seconds, default=0.0),
        usual_seconds=min([*seconds, usual]) if usual else 0.0,
    )


def _number(arguments: Mapping[str, str], name: str) -> float:
    with contextlib.suppress(ValueError):
        if math.isfinite(number := float(arguments[name])) and number >= 0:
            return min(number, LONGEST)
    raise BadLine(f"{name} is a number of seconds, not '{arguments[name]}'")


def _whole(arguments: Mapping[str, str], name: str) -> int:
    text = arguments[name]
    if text.isascii() and text.isdigit() and len(text) <= 18 and int(text) > 0:
        return int(text)
    raise BadLine(f"{name} is a whole number from 1, not '{text}'")


def serve(player: Player, source: BinaryIO, sink: BinaryIO, seed: int = 0) -> None:
    """Speaks Hub until `quit` or the end of `source`."""

    def write(line: str) -> None:
        # A closed pipe is no error here: `source` ends as well.
        with contextlib.suppress(OSError, ValueError):
            sink.write(line.encode("utf-8", "replace") + b"\n")
            sink.flush()

    engine = HubEngine(player, write, seed)
    try:
        while line := source.readline(hub.LONGEST_LINE):
            if len(line) == hub.LONGEST_LINE and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = source.readline(hub.LONGEST_LINE)
                write(str(hub.error(f"a line has at most {hub.LONGEST_LINE} bytes")))
            elif not engine.receive(line.decode("utf-8", "replace")):
                break
    finally:
        engine.close()
