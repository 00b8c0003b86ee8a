"""A player of ours as a Hub engine: answers lines, thinks in a thread, never falls over."""

import contextlib
import math
import threading
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import BinaryIO

from ludus.games import DrawRules
from ludus.games.draughts import START, History
from ludus.players import ActivePlayer, Player
from ludus.protocols import hub
from ludus.protocols.hub import BadLine, Line
from ludus.protocols.thinking import LONGEST, Finding, Level, Thinking, own_level, possible

SHORTEST = 0.001  # seconds; who has no time left still has to move
RESERVE = 0.05  # seconds of the clock that are left for the way to and fro
MOVES_TO_GO = 30  # the clock is for this many moves when nobody says


class HubEngine:
    """Answers Hub lines with `write`, which is given one line at a time without its end, also from another thread.

    Every `go` that is heard while no search runs is followed by exactly one `done`.
    """

    def __init__(self, player: Player, write: Callable[[str], None], seed: int = 0) -> None:
        self.player = player
        self._thinker = ActivePlayer(player)
        self._write = write
        self._writing = threading.Lock()
        self._seed = seed  # grows by one a search, so that players of chance do not play the same game again
        self._history: History | None = _history("")
        self._level: Level | None = None
        self._thinking: Thinking | None = None
        self._seconds_to_ponder_hit = 0.0

    def hear(self, text: str) -> bool:
        """Does what a line asks for; False when it asks to quit."""
        try:
            line = hub.read(text)
            if line is None:
                return True
            if line.command == "quit":
                return False
            self._obey(line)
        except ValueError as reason:
            self._say(hub.error(reason))
        return True

    def close(self) -> None:
        """Ends what is under way."""
        if self._thinking is not None:
            self._thinking.stop()

    def _say(self, *lines: Line) -> None:
        with self._writing:
            for line in lines:
                self._write(str(line))

    def _obey(self, line: Line) -> None:
        match line.command:
            case "ping":
                self._say(Line("pong", {}))
            case "stop":
                self.close()
            case "ponder-hit":
                if self._thinking is not None and self._is_searching and self._seconds_to_ponder_hit:
                    self._thinking.stop_after(self._seconds_to_ponder_hit)
                    self._seconds_to_ponder_hit = 0.0
            case "hub" | "init" | "new-game" | "set-param" | "pos" | "level" | "go" if self._is_searching:
                raise BadLine(f"a search is under way: {line.command} has to wait until it is done")
            case "hub":
                name = {"name": f"Ludus {self.player.name}", "version": version("ludus"), "author": "The Ludus authors"}
                variant = {"name": "variant", "value": hub.VARIANT, "type": "enum", "values": hub.VARIANT}
                self._say(Line("id", name), Line("param", variant), Line("wait", {}))
            case "init":
                self._say(Line("ready", {}))
            case "new-game":
                pass  # a search keeps nothing of the one before
            case "set-param":
                self._set(line.arguments)
            case "pos":
                self._history = (
                    None  # a search of another position than the one that was meant would be worse than none
                )
                self._history = _history(line.arguments.get("pos", ""), line.arguments.get("moves", ""))
            case "level":
                self._set_level(line.arguments)
            case "go":
                self._go(line.arguments)
            case _:
                raise BadLine(f"there is no command {line.command}")

    @property
    def _is_searching(self) -> bool:
        return self._thinking is not None and not self._thinking.is_over

    def _set(self, arguments: Mapping[str, str]) -> None:
        name, value = arguments.get("name", ""), arguments.get("value", "")
        if name != "variant":
            raise BadLine(f"there is no parameter '{name}', only variant")
        if value != hub.VARIANT:
            raise BadLine(f"the variant '{value}' is not played here, only {hub.VARIANT}")

    def _set_level(self, arguments: Mapping[str, str]) -> None:
        self._level = None
        asked = read_level(arguments)
        self._level = possible(self.player, asked)
        if self._level is None:
            raise BadLine(f"{self.player.name} has no depth: limit its nodes, which are play-outs, or its time")

    def _go(self, arguments: Mapping[str, str]) -> None:
        if self._thinking is not None:
            self._thinking.wait()  # its `done` is out, or about to be
        level, self._level = self._level, None
        if self._history is None or self._history.outcome():
            why = "the game is over" if self._history else "there is no position"
            self._say(hub.error(f"{why}: there is nothing to search"), Line("done", {}))
            return
        if level is None:
            level = Level() if "analyze" in arguments else own_level(self.player)
        self._seconds_to_ponder_hit = 0.0
        if "ponder" in arguments:  # the clock stands still until the opponent has moved
            self._seconds_to_ponder_hit, level = level.seconds, Level(level.depth, level.nodes)
        self._seed += 1
        self._thinking = Thinking(self._thinker, self._history, level, self._seed, self._found, self._done)

    def _found(self, finding: Finding) -> None:
        speed = finding.nodes / max(finding.seconds, 1e-6) / 1e6
        arguments = {
            "depth": str(finding.depth),
            "score": hub.score(finding.value, finding.end_in),
            "nodes": str(finding.nodes),
            "time": f"{finding.seconds:.3f}",
            "nps": f"{speed:.3f}",  # millions
            "pv": hub.written_moves(finding.variation),
        }
        self._say(Line("info", arguments))

    def _done(self, end: Finding | Exception) -> None:
        if isinstance(end, Exception):
            self._say(hub.error(end), Line("done", {}))
            return
        best, *answers = map(hub.write_move, end.variation)
        self._say(Line("done", {"move": best, **({"ponder": answers[0]} if answers else {})}))


def _history(position: str, moves: str = "") -> History:
    """The game that `pos` tells. Whether it is a draw is the other side's business: we move as long as we are asked."""
    start = hub.read_position(position) if position else START
    history = History(start, DrawRules(repetitions=0, quiet_plies=0))
    for move in hub.read_moves(start, moves):
        history.play(move)
    return history


def read_level(arguments: Mapping[str, str]) -> Level:
    """What a `level` line allows for the next search. Raises BadLine."""
    known = {"depth", "nodes", "move-time", "moves", "time", "inc", "infinite"}
    if not known & arguments.keys():
        raise BadLine("a level is one of depth, nodes, move-time, time and infinite")
    if arguments.keys() & {"moves", "inc"} and "time" not in arguments:
        raise BadLine("moves and inc say how to share out the time: it is missing")
    seconds = []
    if "move-time" in arguments:
        seconds.append(max(SHORTEST, _number(arguments, "move-time")))
    if "time" in arguments:
        moves = _whole(arguments, "moves") if "moves" in arguments else MOVES_TO_GO
        increment = _number(arguments, "inc") if "inc" in arguments else 0.0
        seconds.append(share(_number(arguments, "time"), moves, increment))
    return Level(
        depth=_whole(arguments, "depth") if "depth" in arguments else 0,
        nodes=_whole(arguments, "nodes") if "nodes" in arguments else 0,
        seconds=min(seconds, default=0.0),
    )


def share(remaining: float, moves: int, increment: float) -> float:
    """The seconds for a move when the clock shows `remaining` for this and the next `moves - 1` moves.

    The increment of this move is on the clock already, as Hub has it; those of the later moves will come.
    """
    return max(SHORTEST, min((remaining + increment * (moves - 1)) / moves, remaining - RESERVE))


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
        # Nobody listens any more: the end of `source` will say so.
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
            elif not engine.hear(line.decode("utf-8", "replace")):
                break
    finally:
        engine.close()
