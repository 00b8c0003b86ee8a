"""Who plays or advises in the terminal: a player of Ludus or an outside engine, behind the same methods."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec

from ludus import games, players
from ludus.games import Game, History, Move, Position
from ludus.games.core import Analysis
from ludus.players import ActivePlayer, Player, searches
from ludus.players.searches import AlphaBeta, Benchmark, Budget, Greedy, Minimax, Pvs, Random
from ludus.protocols.engine import Engine, EngineFailure, Reply
from ludus.terminal import analysis
from ludus.terminal.levels import Level
from ludus.terminal.values import Scale, scale_of

ADVICE = Budget(nodes=100_000)  # of an adviser that would look one move ahead only
VARIED_PLIES = 12  # of a game, in which equally good moves are drawn by lot
VARIED_MEN = 0.25  # what a move may be worse by and still count as equally good
VARIED_VALUE = 0.03  # the same in games without men
EXPECTED = 6  # moves of the expected line that are shown

Progress = Callable[[str], None]


class Choice(NamedTuple):
    """A move, and the words about how it was found."""

    move: Move
    words: str


class NoAdvice(ValueError):
    """A side that cannot say what was asked. The message says why."""


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

    def set_level(self, level: Level) -> None:
        """Plays at this level from now on. Raises ValueError."""
        ...

    def close(self) -> None:
        """Ends what it has started."""
        ...


def strongest(game: str) -> Player:
    """The strongest player of the game that comes with the package.

    A game whose player is not there yet has its first trained one, or the one that counts.
    """
    name = games.find(game).analyst
    if not players.is_named(name):
        trained = (
            player.name for player in players.named_players() if player.game == game and player.theta is not None
        )
        name = next(trained, "material")
    player = players.find(name, game)
    return player.with_budget(ADVICE) if isinstance(player.search, Greedy) else player


def check_analyst(player: Player) -> None:
    """Raises NoAdvice for a player that finds nothing out about a position."""
    if isinstance(player.search, Random | Benchmark):
        how = "moves at random" if isinstance(player.search, Random) else "follows rules"
        raise NoAdvice(f"{player.name} {how} and values no moves: name a player that searches")


def history_of(game: Game, start: Position, moves: Sequence[Move]) -> History:
    """The game as the core has it."""
    history = game.history(start)
    for move in moves:
        history.play(move)
    return history


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
        position = history.position
        lot = random.Random(f"{seed} {len(moves)}")
        legal = position.moves()
        if self.level is not None and len(legal) > 1 and lot.random() < self.level.careless:
            return Choice(lot.choice(legal), "it moved without looking")
        varied = len(moves) < VARIED_PLIES and isinstance(self.player.search, AlphaBeta | Pvs | Greedy | Minimax)
        found, whole = self._think(history, seed, exact=varied, progress=progress)
        move = found.variation[0]
        if varied and found.end_in is None:
            move = lot.choice(self._as_good(whole, move))
        return Choice(move, self._words(position, found, move))

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
        for found in analysis.iterations(self._of(exact=exact), history, seed):
            if progress is not None:
                progress(f"{self.name} thinks: {self._words(history.position, found, found.variation[0])}")
            if last is None or not analysis.is_cut_short(last, found):
                whole = found
            last = found
        assert last is not None and whole is not None
        return last, whole

    def _as_good(self, found: Analysis, best: Move) -> list[Move]:
        margin = VARIED_VALUE if self.scale.man is None else VARIED_MEN
        worth = {each.move: self.scale.amount(each.value) for each in found.moves if each.exact and each.end_in is None}
        top = worth.get(best)
        return [best] if top is None else [move for move, value in worth.items() if value >= top - margin]

    def _words(self, position: Position, found: Analysis, move: Move) -> str:
        if isinstance(self.player.search, Random | Benchmark):
            return ""
        chosen = next((each for each in found.moves if each.move == move), found)
        value = self.scale.text(chosen if move != found.variation[0] else found)
        unit = "" if value[0] not in "+-" or self.scale.man is None else " men"
        work = "play-outs" if getattr(found.moves[0], "visits", 0) else "positions"
        plies = "1 ply" if found.depth == 1 else f"{found.depth} plies"
        words = f"{value}{unit}, {plies} ahead, {found.nodes:,} {work}, {found.seconds:.1f} s"
        line = list(analysis.written(position, found.variation))[1 : 1 + EXPECTED] if move == found.variation[0] else []
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
