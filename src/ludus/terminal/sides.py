"""Who plays or advises in the terminal: a player of Ludus or an outside engine, behind the same methods."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from ludus import games
from ludus.games import History, Move, Position
from ludus.games.core import Analysis
from ludus.play import analysis_data
from ludus.play.analysts import NoAdvice, check_analyst, history_of
from ludus.play.choosing import choose
from ludus.play.iterations import is_cut_short, iterations, written
from ludus.play.levels import Level
from ludus.play.values import Scale, scale_of
from ludus.players import ActivePlayer, Player, searches
from ludus.players.searches import Benchmark, Random
from ludus.protocols.engine import Engine, EngineFailure, Reply
from ludus.terminal import analysis

EXPECTED = 6  # moves of the expected line that are shown

Progress = Callable[[str], None]


class Choice(NamedTuple):
    """A move, and the words about how it was found."""

    move: Move
    words: str


class Side(Protocol):
    """Chooses moves and gives advice."""

    name: str
    level: Level | None

    @property
    def details(self) -> str:
        """What it is, for a person: its name, and its level or budget."""
        ...

    def choose(self, start: Position, moves: Sequence[Move], seed: int, progress: Progress | None = None) -> Choice:
        """Its move in this game. Raises EngineFailure."""
        ...

    def advise(self, start: Position, moves: Sequence[Move], seed: int) -> Choice:
        """The best move it finds, without chance. Raises EngineFailure."""
        ...

    def values(self, start: Position, moves: Sequence[Move], seed: int) -> list[str]:
        """A line for each move, the best first. Raises NoAdvice."""
        ...

    def analysis(self, start: Position, moves: Sequence[Move], seed: int) -> Iterator[str]:
        """What it finds, as text. Raises NoAdvice and EngineFailure."""
        ...

    def analysis_data(self, start: Position, moves: Sequence[Move], seed: int) -> dict[str, Any]:
        """The same as JSON values. Raises NoAdvice and EngineFailure."""
        ...

    def set_level(self, level: Level) -> None:
        """Plays at this level from now on. Raises ValueError."""
        ...

    def close(self) -> None:
        """Ends what it has started."""
        ...


class PlayerSide:
    """A player of Ludus, at a level or with its own budget."""

    def __init__(self, player: Player, level: Level | None = None) -> None:
        self.name = player.name
        self.game = games.find(player.game)
        self.scale: Scale = scale_of(player)
        self._own = player
        self.level: Level | None = None
        self.player = player
        self._active: dict[bool, ActivePlayer] = {}
        if level is not None:
            self.set_level(level)
        else:
            self._of(exact=False)

    @property
    def details(self) -> str:
        """What it is, for a person: its name, and its level or budget."""
        if self.level is not None:
            return f"{self.name} at level {self.level.number}"
        budget = searches.checked_budget(self.player.search, self.player.budget)
        return f"{self.name}, {budget} a move" if budget and str(budget) not in self.name else self.name

    def set_level(self, level: Level) -> None:
        """Plays at this level from now on. Raises ValueError."""
        self.player = msgspec.structs.replace(level.of(self._own), name=self.name)
        self.level = level
        self._active = {}
        self._of(exact=False)

    def choose(self, start: Position, moves: Sequence[Move], seed: int, progress: Progress | None = None) -> Choice:
        """Its move. At low levels some are made at random; early in a game equally good ones are drawn by lot."""
        history = history_of(self.game, start, moves)
        chosen = choose(
            self.player,
            history,
            level=self.level,
            scale=self.scale,
            seed=seed,
            think=lambda exact: self._think(history, seed, exact=exact, progress=progress),
        )
        if chosen.found is None:
            return Choice(chosen.move, "it moved without looking")
        return Choice(chosen.move, self._words(history.position, chosen.found, chosen.move))

    def advise(self, start: Position, moves: Sequence[Move], seed: int) -> Choice:
        """The best move it finds."""
        history = history_of(self.game, start, moves)
        found, _ = self._think(history, seed, exact=False)
        return Choice(found.variation[0], self._words(history.position, found, found.variation[0]))

    def values(self, start: Position, moves: Sequence[Move], seed: int) -> list[str]:
        """A line for each move, the best first. Raises NoAdvice."""
        check_analyst(self.player)
        history = history_of(self.game, start, moves)
        _, whole = self._think(history, seed, exact=True)
        return list(analysis.move_lines(history.position, whole, self.scale))

    def analysis(self, start: Position, moves: Sequence[Move], seed: int) -> Iterator[str]:
        """What it finds, as text. Raises NoAdvice."""
        check_analyst(self.player)
        return analysis.lines(self.player, history_of(self.game, start, moves), seed)

    def analysis_data(self, start: Position, moves: Sequence[Move], seed: int) -> dict[str, Any]:
        """What it finds, as JSON values. Raises NoAdvice."""
        return analysis_data.data(self.player, history_of(self.game, start, moves), seed)

    def close(self) -> None:
        """Nothing runs between two moves."""

    def _of(self, *, exact: bool) -> ActivePlayer:
        if exact not in self._active:
            self._active[exact] = ActivePlayer(self.player, exact=exact)
        return self._active[exact]

    def _think(
        self, history: History, seed: int, *, exact: bool, progress: Progress | None = None
    ) -> tuple[Analysis, Analysis]:
        """What the search found, and its last iteration that was not cut short."""
        whole: Analysis | None = None
        last: Analysis | None = None
        for found in iterations(self._of(exact=exact), history, seed):
            if progress is not None:
                progress(f"{self.name} thinks: {self._words(history.position, found, found.variation[0])}")
            if last is None or not is_cut_short(last, found):
                whole = found
            last = found
        assert last is not None and whole is not None
        return last, whole

    def _words(self, position: Position, found: Analysis, move: Move) -> str:
        if isinstance(self.player.search, Random | Benchmark):
            return ""
        chosen = next((each for each in found.moves if each.move == move), found)
        value = self.scale.text(chosen if move != found.variation[0] else found)
        unit = "" if value[0] not in "+-" or self.scale.man is None else " men"
        work = "play-outs" if getattr(found.moves[0], "visits", 0) else "positions"
        plies = "1 ply" if found.depth == 1 else f"{found.depth} plies"
        words = f"{value}{unit}, {plies} ahead, {found.nodes:,} {work}, {found.seconds:.1f} s"
        line = list(written(position, found.variation))[1 : 1 + EXPECTED] if move == found.variation[0] else []
        return f"{words}; expects {' '.join(line)}" if line else words


class EngineSide:
    """An outside engine."""

    level: Level | None = None

    def __init__(self, engine: Engine) -> None:
        self.name = engine.name
        self._engine = engine
        self._is_running = False

    @property
    def details(self) -> str:
        """What it is, for a person: its name and its budget."""
        return f"{self.name}, {self._engine.budget} a move"

    def choose(self, start: Position, moves: Sequence[Move], seed: int, progress: Progress | None = None) -> Choice:
        """Its move. Raises EngineFailure."""
        if progress is not None:
            progress(f"{self.name} thinks")
        reply = self._reply(start, moves)
        facts = [] if reply.value is None else [f"{reply.value:+.2f} from -1 to 1"]
        facts += [] if reply.depth is None else [f"{reply.depth} plies ahead"]
        facts += [] if reply.nodes is None else [f"{reply.nodes:,} positions"]
        return Choice(reply.move, ", ".join([*facts, f"{reply.seconds:.1f} s"]))

    def advise(self, start: Position, moves: Sequence[Move], seed: int) -> Choice:
        """Its move. Raises EngineFailure."""
        return self.choose(start, moves, seed)

    def values(self, start: Position, moves: Sequence[Move], seed: int) -> list[str]:
        """Raises NoAdvice: an engine names its best move only."""
        raise NoAdvice(f"{self.name} is an engine and names its best move only: type hint")

    def analysis(self, start: Position, moves: Sequence[Move], seed: int) -> Iterator[str]:
        """Its move and what it says of it. Raises EngineFailure."""
        choice = self.choose(start, moves, seed)
        position = start
        for move in moves:
            position = position.play(move)
        return iter((f"{self.name}: {choice.words}", f"best: {position.write(choice.move)}"))

    def analysis_data(self, start: Position, moves: Sequence[Move], seed: int) -> dict[str, Any]:
        """Its move and what it says of it. Raises EngineFailure."""
        reply = self._reply(start, moves)
        position = start
        for move in moves:
            position = position.play(move)
        found = {"position": position.text, "turn": str(position.turn).lower(), "player": self.name}
        said = {"depth": reply.depth, "nodes": reply.nodes, "value": reply.value}
        return found | said | {"best": position.write(reply.move)}

    def set_level(self, level: Level) -> None:
        """Raises ValueError: an engine has a budget."""
        raise ValueError(f"{self.name} is an engine and has no levels: set its budget with --budget")

    def close(self) -> None:
        """Ends the program."""
        self._engine.close()

    def _reply(self, start: Position, moves: Sequence[Move]) -> Reply:
        try:
            if not self._is_running:
                self._engine.start()
                self._is_running = True
            return self._engine.choose(start, moves)
        except EngineFailure:
            self._is_running = False
            raise
