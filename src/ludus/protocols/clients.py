"""The side of a protocol that asks for moves: the lines for an engine, and what its answers mean.

There are two: Hub, and the line protocol of docs/engines.md.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from ludus.games import GameName, Move, Position, draughts
from ludus.players.searches import Budget
from ludus.protocols import hub
from ludus.protocols.process import EngineFailure, shown


class Client(Protocol):
    """Talks to one engine. The fields have its last answer; what the engine has not said is None or empty."""

    answer: str  # the first word of the line that has the move
    move: str
    value: float | None  # for the side to move, from -1 to 1
    depth: int | None
    nodes: int | None
    complaint: str  # the engine's error, as the end of a sentence

    def new_game(self) -> list[str]:
        """The lines before a game."""
        ...

    def request(self, start: Position, moves: Sequence[Move], budget: Budget) -> list[str]:
        """The lines that ask for a move. Clears the last answer."""
        ...

    def receive(self, line: str) -> str | None:
        """Reads a line of the engine. Returns its first word, empty for a blank line, None if it makes no sense."""
        ...


def read_move(position: Position, text: str) -> Move:
    """The legal move that an engine means. Raises IllegalMove or AmbiguousMove."""
    return hub.read_move(position, text) if isinstance(position, draughts.Position) else position.move(text)


class HubClient:
    """Asks for moves in Hub 2."""

    answer = "done"
    WORDS = frozenset({"id", "param", "wait", "ready", "info", "done", "pong", "error"})

    def __init__(self) -> None:
        self.title = ""
        self._variant: Mapping[str, str] = {}
        self._clear()

    def _clear(self) -> None:
        self.move = ""
        self.value: float | None = None
        self.depth: int | None = None
        self.nodes: int | None = None
        self.complaint = ""

    @property
    def has_variant(self) -> bool:
        """Whether the engine has said which variants it plays."""
        return bool(self._variant)

    def set_up(self) -> list[str]:
        """The lines that choose English draughts. Raises EngineFailure if the engine has other variants only."""
        if not self._variant or self._variant.get("value") == hub.VARIANT:
            return []
        values = self._variant.get("values", "")
        if values and hub.VARIANT not in values.split():
            raise EngineFailure(f"does not play the variant {hub.VARIANT}, only {shown(values)}")
        return [str(hub.Line("set-param", {"name": "variant", "value": hub.VARIANT}))]

    def new_game(self) -> list[str]:
        """The lines before a game."""
        return ["new-game"]

    def request(self, start: Position, moves: Sequence[Move], budget: Budget) -> list[str]:
        """Sends the moves since the last irreversible one: repetition needs no others."""
        self._clear()
        position, last, since = _draughts(start), _draughts(start), 0
        played = cast("Sequence[draughts.Move]", moves)
        for number, move in enumerate(played, 1):
            is_reversible = not move.captured and position.pieces()[move.squares[0]].isupper()
            position = position.play(move)
            if not is_reversible:
                last, since = position, number
        arguments = {"pos": hub.write_position(last)}
        if played[since:]:
            arguments["moves"] = hub.written_moves(played[since:])
        unit = "move-time" if budget.unit == "seconds" else budget.unit
        return [str(hub.Line("pos", arguments)), str(hub.Line("level", {unit: _plain(budget.amount)})), "go think"]

    def receive(self, line: str) -> str | None:
        """Reads a line of the engine. Returns its first word, empty for a blank line, None if it makes no sense."""
        try:
            parsed = hub.read(line)
        except hub.BadLine:
            return None
        if parsed is None:
            return ""
        word, arguments = parsed
        match word:
            case "info":
                score = _number(arguments.get("score"))
                self.value = self.value if score is None else hub.value(score)
                self.depth = _count(arguments.get("depth"), self.depth)
                self.nodes = _count(arguments.get("nodes"), self.nodes)
            case "done":
                self.move = arguments.get("move", "")
            case "error":
                self.complaint = f"; its error: {shown(arguments.get('message', ''))}"
            case "id":
                self.title = shown(" ".join(arguments[key] for key in ("name", "version") if arguments.get(key)))
            case "param" if arguments.get("name") == "variant":
                self._variant = arguments
        return word if word in self.WORDS else None


class LineClient:
    """Asks for moves in the line protocol: new, fen, moves, go, and the answer bestmove."""

    answer = "bestmove"
    complaint = ""

    def __init__(self, game: GameName = draughts.GAME.name) -> None:
        self._game = game
        self.move = ""
        self.value: float | None = None
        self.depth: int | None = None
        self.nodes: int | None = None

    def new_game(self) -> list[str]:
        """The lines before a game. Which game it is, is said only where it is not draughts."""
        return ["new"] if self._game == draughts.GAME.name else [f"game {self._game}", "new"]

    def request(self, start: Position, moves: Sequence[Move], budget: Budget) -> list[str]:
        """The whole game each time. The answer is one line, so there is nothing to clear."""
        played = [f"moves {' '.join(map(str, moves))}"] if moves else []
        unit = "time" if budget.unit == "seconds" else budget.unit
        return [f"fen {start.text}", *played, f"go {unit} {_plain(budget.amount)}"]

    def receive(self, line: str) -> str | None:
        """Reads a line of the engine. Returns its first word, empty for a blank line, None if it makes no sense."""
        word, *rest = line.split() or [""]
        if word in ("", "info"):
            return word
        if word != "bestmove":
            return None
        self.move = rest[0] if rest else ""
        attributes = {name: value for name, _, value in (item.partition("=") for item in rest[1:])}
        value = _number(attributes.get("value"))
        self.value = None if value is None else max(-1.0, min(1.0, value))
        self.depth = _count(attributes.get("depth"), None)
        self.nodes = _count(attributes.get("nodes"), None)
        return word


def _draughts(position: Position) -> draughts.Position:
    """The position, which is one of draughts: Hub has no other game."""
    assert isinstance(position, draughts.Position)
    return position


def _plain(amount: float) -> str:
    """A number without an exponent, which not every engine reads."""
    return str(amount) if isinstance(amount, int) else f"{amount:.6f}".rstrip("0").rstrip(".")


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _count(text: str | None, otherwise: int | None) -> int | None:
    number = _number(text)
    return otherwise if number is None or number < 0 else int(number)
