"""A player of Ludus as an engine of the line protocol, for every game. docs/engines.md has the protocol."""

import contextlib
from typing import BinaryIO

from ludus import games
from ludus.games import Game, History
from ludus.players import ActivePlayer, Player
from ludus.protocols.background_search import LONGEST, Limits, supported, usual_limits
from ludus.protocols.clocks import MOVES_TO_GO, most, share

MOST_MOVES = 1000  # that a clock can be for
LONGEST_LINE = 65_536  # bytes


class BadCommand(ValueError):
    """A line that cannot be followed; the message says why."""


class LineEngine:
    """Answers the lines of the line protocol. A line that cannot be followed is answered with `info error: ...`."""

    def __init__(self, player: Player, seed: int = 0) -> None:
        self._active = ActivePlayer(player)
        self._game: Game = games.find(player.game)
        self._history: History | None = self._game.history()
        self._seed = seed  # grows by one a search, so that random players do not repeat their games

    def receive(self, text: str) -> str | None:
        """Does what a line asks for. Returns its answer, empty if it has none; None when it asks to quit."""
        word, _, rest = text.strip().partition(" ")
        try:
            match word:
                case "quit":
                    return None
                case "game" if rest.strip() != self._game.name:
                    raise BadCommand(f"this is an engine of {self._game.name}, not of {rest.strip()}")
                case "new":
                    self._history = self._game.history()
                    self._active.search.new_game()
                case "fen":
                    self._history = None
                    self._history = self._game.history(self._game.position(rest.strip()))
                case "moves":
                    self._play(rest.split())
                case "go":
                    return self._choose(rest)
        except ValueError as error:
            return f"info error: {error}"
        return ""  # unknown commands are ignored: a referee may try other protocols first

    def _play(self, texts: list[str]) -> None:
        history, self._history = self._history, None
        if history is None:
            raise BadCommand("there is no position to move from")
        for text in texts:
            history.play(text)
        self._history = history

    def _choose(self, limit: str) -> str:
        if self._history is None:
            raise BadCommand("there is no position: the last fen or moves could not be read")
        if self._history.position.outcome():
            raise BadCommand("the game is over")
        player = self._active.player
        limits = usual_limits(player) if not limit.split() else supported(player, _limits(limit.split()))
        limits = limits or usual_limits(player)
        found = self._active.search.search(
            self._history,
            depth=limits.depth,
            nodes=limits.nodes,
            seconds=limits.seconds,
            usual_seconds=limits.usual_seconds,
            seed=self._seed,
        )
        self._seed += 1
        return f"bestmove {found.variation[0]} value={found.value:.4f} depth={found.depth} nodes={found.nodes}"


def _limits(words: list[str]) -> Limits:
    """Reads `time S`, `depth N`, `nodes N` or `clock S [inc S] [moves N]`. Raises BadCommand."""
    try:
        if words[0] == "clock":
            return _clock(words)
        unit, amount = words
        value = float(amount)
        if value > 0:
            match unit:
                case "time":
                    return Limits(seconds=min(value, 1e7))
                case "depth":
                    return Limits(depth=int(min(value, 100)))
                case "nodes":
                    return Limits(nodes=int(min(value, 2**62)))
    except ValueError:
        pass
    raise BadCommand(
        f"go is followed by time S, depth N, nodes N or clock S [inc S] [moves N], not by '{' '.join(words)}'"
    )


def _clock(words: list[str]) -> Limits:
    """The limits of a move by a clock. Raises ValueError."""
    given = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    remaining, increment = given.pop("clock"), given.pop("inc", 0.0)
    moves = given.pop("moves", float(MOVES_TO_GO))
    if given or not (0 <= remaining <= LONGEST and 0 <= increment <= LONGEST and 1 <= moves <= MOST_MOVES):
        raise ValueError("this is not a clock")
    return Limits(seconds=most(remaining, int(moves), increment), usual_seconds=share(remaining, int(moves), increment))


def serve(player: Player, source: BinaryIO, sink: BinaryIO, seed: int = 0) -> None:
    """Speaks the line protocol until `quit` or the end of `source`."""
    engine = LineEngine(player, seed)
    while line := source.readline(LONGEST_LINE):
        answer = engine.receive(line.decode("utf-8", "replace"))
        if answer is None:
            return
        if answer:
            # A closed pipe is no error here: `source` ends as well.
            with contextlib.suppress(OSError, ValueError):
                sink.write(answer.encode("utf-8", "replace") + b"\n")
                sink.flush()
