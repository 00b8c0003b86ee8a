"""The champion: a network that learns from the results of very many fast games of its own, generation by generation.

Generation 0 learns from uniformly random games. Every later one learns from games that the network before it has played
against itself, with a small budget of nodes and from random openings. The network is fitted anew to the positions of
the last generations. The target of a position is a mix of the game's result and of what the search found. A generation
that is surely worse than the one before does not replace it. A training can also start with a champion that is there
already, which is then its generation 0.
"""

import contextlib
import math
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, ClassVar, get_args

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus import games, players
from ludus.arena.task import Rules
from ludus.endgames import load as load_tables
from ludus.files import make_folder
from ludus.games.core import PhaseFit
from ludus.learning import fields, generation_matches, given_positions, position_files, self_games
from ludus.learning.given_positions import GivenFile
from ludus.learning.learner import Facts, Options, Progress, Record, State
from ludus.learning.position_files import PositionWriter
from ludus.learning.self_games import GamesResult, GamesTask
from ludus.players import Player
from ludus.players.evaluators import PhaseNetwork, PhaseWidth
from ludus.players.networks import Theta
from ludus.players.searches import Pvs
from ludus.workers import Workers

ENDGAMES = 4  # pieces of the tables that come with the package

_RANDOM_TASK, _TASK = 2000, 100  # games of a task: about a second
_FIT_STEP = 4096  # batches between two progresses
_MOST_THREADS = 8  # of a fit: a batch has so many pieces
_GAMES, _WEIGHTS, _ORDER, _MATCHES = range(4)  # the random streams of a generation
_METHOD = 4  # of learning; 1 had games by alpha-beta, 2 by a search without razoring, 3 a network with one view


class Tally(Struct, frozen=True, kw_only=True):
    """The games of a generation so far."""

    games: int = 0
    positions: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    plies: int = 0
    by_table: int = 0

    def add(self, games: int, record: int, found: GamesResult) -> "Tally":
        """With the games of one more task."""
        return Tally(
            games=self.games + games,
            positions=self.positions + len(found.positions) // record,
            wins=self.wins + found.wins,
            draws=self.draws + found.draws,
            losses=self.losses + found.losses,
            plies=self.plies + found.plies,
            by_table=self.by_table + found.by_table,
        )


class Point(Struct, frozen=True, kw_only=True):
    """How far a training has come: all that it needs to go on, with the files of positions."""

    generation: int = 0  # the one that is being made
    tally: Tally = Tally()  # of its games so far
    games: int = 0  # of all generations before
    sizes: dict[str, int] = {}  # of the files of positions in bytes, by generation
    given: list[GivenFile] = []  # of other runs
    gained: float = 0.0  # Elo of each generation over the one before, summed
    theta: Theta | None = None  # of the last generation that was kept: it plays the next games
    kept: int = 0  # that generation
    finished: bool = False
    method: int = 1  # the states of earlier versions do not say it

    def state(self) -> State:
        """The state that a checkpoint keeps."""
        facts: Facts = msgspec.to_builtins(msgspec.structs.replace(self, theta=None))
        return State(arrays={} if self.theta is None else {"theta": self.theta}, facts=facts)

    @staticmethod
    def of(state: State) -> "Point":
        """The inverse of `state`. Raises ValueError for a state of an earlier version."""
        point = msgspec.structs.replace(msgspec.convert(state.facts, Point), theta=state.arrays.get("theta"))
        if point.method != _METHOD:
            raise ValueError("this run was begun by an earlier version, which learned in another way; train it anew")
        return point


class Champion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A network that learns from its own games.

    It plays very many fast games against itself and is fitted to their results; the new network plays the next games.
    """

    kind: ClassVar[str] = "champion"
    unit: ClassVar[str] = "games"
    length: ClassVar[str] = "generations"
    presets: ClassVar[dict[str, Options]] = {"ours": {}}

    generations: fields.Generations = 14
    seed: fields.Seed = 0
    game: fields.GameName = "draughts"
    width: Annotated[PhaseWidth, Meta(description="Nodes of the first layer of the network.")] = 64
    start: Annotated[
        str,
        Meta(
            description="Player to start with, by name or file: a champion of any width. It is generation 0 and plays "
            "the games of generation 1. If not given, generation 0 learns from random games."
        ),
    ] = ""

    other_runs: Annotated[
        tuple[str, ...],
        Meta(
            description="Runs of other champions, separated by commas, such as runs/champion-1,runs/champion-2. Their "
            "last generations count as those before generation 1: a network learns from the ones that --window reaches."
        ),
    ] = ()

    random_games: Annotated[int, Meta(description="Random games that generation 0 learns from.", ge=1)] = 60_000
    games: Annotated[int, Meta(description="Games that generation 1 learns from.", ge=1)] = 12_000
    growth: Annotated[
        float, Meta(description="Factor by which the number of games grows from generation to generation.", ge=1, le=10)
    ] = 1.4
    most_games: Annotated[int, Meta(description="Most games of a generation.", ge=1)] = 60_000
    quiet_plies: fields.QuietPlies = 40
    nodes: Annotated[
        int,
        Meta(description="Nodes that the search may visit for a move in the games of generation 1.", ge=1, le=10**9),
    ] = 300
    nodes_growth: Annotated[
        float, Meta(description="Factor by which these nodes grow from generation to generation.", ge=1, le=10)
    ] = 1.0
    most_nodes: Annotated[int, Meta(description="Most nodes for a move of a training game.", ge=1, le=10**9)] = 2000
    even: Annotated[
        float,
        Meta(
            description="An opening that the search values beyond this for either side, from 0 to 1, is replaced by "
            "another one three times in four. 1 takes all openings.",
            ge=0,
            le=1,
        ),
    ] = 0.4
    endgames: Annotated[
        Annotated[int, Meta(ge=0, le=8)] | None,
        Meta(
            description="End training games by the endgame tables of up to N pieces; 0 plays them out. If not given: "
            "4, or 0 for a game without tables."
        ),
    ] = None

    window: Annotated[
        int, Meta(description="Generations, the newest included, whose games a network learns from.", ge=1)
    ] = 4
    keep_positions: Annotated[bool, Meta(description="Keep the files of positions that no network needs any more.")] = (
        False
    )
    epochs: Annotated[
        int, Meta(description="How often a network sees each position while it is fitted.", ge=1, le=1000)
    ] = 4
    rate: Annotated[float, Meta(description="First learning rate of a fit. It falls to 0 as a cosine.", gt=0, le=1)] = (
        0.002
    )
    result_share: Annotated[
        float,
        Meta(
            description="Share of the game's result in the target of a position, from 0 to 1. The rest is the value "
            "that the search found.",
            ge=0,
            le=1,
        ),
    ] = 0.25

    ending_share: Annotated[
        float,
        Meta(
            description="Share of the positions of endings that a network learns from, from 0 to 1: those of up to 10 "
            "pieces in draughts, of more than 36 stones in Tic-Tac-Toe 3D.",
            ge=0,
            le=1,
        ),
    ] = 1.0

    match_games: Annotated[
        int,
        Meta(
            description="Games of each generation against each reference player and the generation before; an even "
            "number. A generation that is surely worse than the one before is not kept. 0 plays none, and keeps all.",
            ge=0,
        ),
    ] = 40
    match_nodes: Annotated[int, Meta(description="Nodes of a move in these matches.", ge=1, le=10**9)] = 2000

    def __post_init__(self) -> None:
        if self.match_games % 2:
            raise ValueError(f"match games are played in pairs: {self.match_games} is not an even number of them")
        if self.start and not self.generations:
            raise ValueError("a training that starts with a player has one generation at least")
        if self.other_runs and not self.generations:
            raise ValueError("generation 0 does not learn from other runs: a training with them has one more at least")

    @property
    def name(self) -> str:
        """The game, the width and the seed."""
        return f"{self.game}-{self.width}-{self.seed}"

    def games_of(self, generation: int) -> int:
        """How many games a generation learns from that are its own."""
        if generation == 0:
            return 0 if self.start else self.random_games
        return _grown(self.games, self.growth, self.most_games, generation)

    def nodes_of(self, generation: int) -> int:
        """How many nodes a move of its games has."""
        return _grown(self.nodes, self.nodes_growth, self.most_nodes, generation)

    @property
    def total(self) -> int:
        """The games of all generations."""
        return sum(map(self.games_of, range(self.generations + 1)))

    @property
    def tables(self) -> int:
        """The pieces of the endgame tables that end games; 0 without any."""
        if self.endgames is not None:
            return self.endgames
        return ENDGAMES if games.find(self.game).has_endgames else 0

    def player(self, name: str, theta: Theta) -> Player:
        """The player with these weights."""
        tables = ENDGAMES if games.find(self.game).has_endgames else 0
        return Player(
            name=name, game=self.game, search=Pvs(endgames=tables), evaluator=self._network(theta), theta=theta
        )

    def _network(self, theta: Theta) -> PhaseNetwork:
        """The network that has these weights: the one to start with may have another width."""
        core = games.find(self.game).core
        (width,) = (width for width in get_args(PhaseWidth) if core.phase_weights(width) == theta.size)
        return PhaseNetwork(width=width)

    def _begin(self) -> Point:
        """Where a training begins. Raises ValueError for a start that is no champion, or other runs without games."""
        record = games.find(self.game).core.POSITION_BYTES
        given = given_positions.find(self.other_runs, self.window, self.game, record)
        if not self.start:
            return Point(method=_METHOD, given=given)
        start = players.find(self.start, self.game)
        if not isinstance(start.evaluator, PhaseNetwork):
            raise ValueError(f"a training of a champion cannot start with {self.start}, which is no champion")
        return Point(method=_METHOD, generation=1, theta=start.theta, given=given)

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns with files of positions in a temporary folder; so it cannot go on from a state."""
        if state is not None:
            raise ValueError("a champion goes on only in the folder of its run, where its positions are")
        with tempfile.TemporaryDirectory() as folder:
            yield from self.learn_in(Path(folder), state, workers)

    def learn_in(self, folder: Path, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns; the files of positions are in `folder`, and a state belongs to those that were there with it.

        Raises BadPositions, a ValueError, if they are not.
        """
        if self.tables:
            if not games.find(self.game).has_endgames:
                raise ValueError(f"there are no endgame tables of {self.game}")
            load_tables(self.tables)
        make_folder(folder)
        point = self._begin() if state is None else Point.of(state)
        while not point.finished:
            for reached in self._play(folder, point, workers):
                point = reached
                yield self._progress(point, "games")
            fit = self._fit(folder, point)
            loss = 0.0
            while fit.done < fit.total:
                loss = fit.step(_FIT_STEP, min(workers.count, os.cpu_count() or 1, _MOST_THREADS))
                yield self._progress(point, f"fit {fit.done / fit.total:.0%}, loss {loss:.4f}")
            point, progress = self._finish(point, fit.theta, loss, workers)
            self._remove(folder, point.generation)
            yield progress

    def _progress(self, point: Point, stage: str) -> Progress:
        return Progress(
            done=point.games + point.tally.games,
            total=self.total,
            state=point.state(),
            stage=f"generation {point.generation}: {stage}",
        )

    def _seed(self, generation: int, stream: int) -> int:
        return int(np.random.SeedSequence([self.seed, generation, stream]).generate_state(1, np.uint64)[0])

    def _play(self, folder: Path, point: Point, workers: Workers) -> Iterator[Point]:
        """Plays the games of a generation that are not there yet; a point after each task."""
        number, wanted = point.generation, self.games_of(point.generation)
        record = games.find(self.game).core.POSITION_BYTES
        size = point.sizes.get(str(number))
        path = position_files.path_of(folder, number)
        with contextlib.closing(PositionWriter(path, self.game, record, number, size)) as writer:
            tasks = self._tasks(point, wanted)
            for task, found in zip(tasks, workers.map(self_games.play, tasks), strict=True):
                writer.append(found.positions)
                writer.sync()
                tally = point.tally.add(task.games, record, found)
                sizes = point.sizes | {str(number): writer.size}
                point = msgspec.structs.replace(point, tally=tally, sizes=sizes)
                yield point

    def _tasks(self, point: Point, wanted: int) -> list[GamesTask]:
        step = _RANDOM_TASK if point.theta is None else _TASK
        return [
            GamesTask(
                game=self.game,
                first=first,
                games=min(step, wanted - first),
                seed=self._seed(point.generation, _GAMES),
                theta=point.theta,
                network=None if point.theta is None else self._network(point.theta),
                nodes=self.nodes_of(point.generation),
                even=self.even,
                rules=Rules(quiet_plies=self.quiet_plies),
                endgames=self.tables,
            )
            for first in range(point.tally.games, wanted, step)
        ]

    def _learned(self, generation: int) -> range:
        """The generations whose games a network learns from: random games teach only the first."""
        return range(max(min(1, generation), generation - self.window + 1), generation + 1)

    def _fit(self, folder: Path, point: Point) -> PhaseFit:
        """The fit of a new network to the positions of the last generations. Raises BadPositions."""
        core, number = games.find(self.game).core, point.generation
        blocks: list[memoryview] = []
        for each in self._learned(number):
            path, size = position_files.path_of(folder, each), point.sizes[str(each)]
            blocks += position_files.read(path, self.game, core.POSITION_BYTES, each, size)
        if number:
            blocks += given_positions.read(point.given, self.window - number, self.game, core.POSITION_BYTES)
        return core.PhaseFit.of(
            core.initial_phase_theta(self.width, self._seed(number, _WEIGHTS)),
            width=self.width,
            positions=blocks,
            epochs=self.epochs,
            rate=self.rate,
            result_share=self.result_share,
            ending_share=self.ending_share,
            seed=self._seed(number, _ORDER),
        )

    def _finish(self, point: Point, theta: Theta, loss: float, workers: Workers) -> tuple[Point, Progress]:
        """Measures a new network; the next generation can begin."""
        number, tally = point.generation, point.tally
        player = self.player(f"champion {number:04}", theta)
        before = None if point.theta is None else self.player(f"champion {point.kept:04}", point.theta)
        pool = {}
        if self.match_games:
            seed = self._seed(number, _MATCHES) % 2**32
            pool = generation_matches.play(player, before, self.match_games, self.match_nodes, seed, workers)
        is_kept = not generation_matches.is_worse(pool)
        gain = pool.get(generation_matches.BEFORE, {}).get("elo") if is_kept else None
        gained = point.gained + (gain or 0.0)
        total = point.games + tally.games
        learned = self._learned(number)
        line: Record = {
            "generation": number,
            "games": total,
            "new": msgspec.to_builtins(tally),
            "nodes": self.nodes_of(number) if number else 0,
            "learned": [learned[0], learned[-1]],
            "loss": loss,
            "endgames": self.tables,
            "pool": pool,
            "gained": gained,
            "kept": is_kept,
        }
        last = number == self.generations
        sizes = {each: size for each, size in point.sizes.items() if self.keep_positions or int(each) >= learned[0]}
        best = player if before is None or is_kept else before
        following = Point(
            method=_METHOD,
            generation=number if last else number + 1,
            games=total,
            sizes=sizes,
            given=point.given,
            gained=gained,
            theta=best.theta,
            kept=number if best is player else point.kept,
            finished=last,
        )
        progress = Progress(
            done=total,
            total=self.total,
            state=following.state(),
            line=line,
            stage=f"generation {number}",
            note=generation_matches.note(number, pool, is_kept),
            curve=generation_matches.curve(number, total, pool),
            players={f"{number:04}": player},
            player=best if last else None,
            now=best,
        )
        return following, progress

    def _remove(self, folder: Path, generation: int) -> None:
        """Deletes files that neither the next fit nor a checkpoint before this point needs."""
        if self.keep_positions:
            return
        oldest = self._learned(generation)[0] - 2
        for path in folder.glob("*.positions"):
            if path.stem.isdigit() and int(path.stem) < oldest:
                path.unlink()


def _grown(first: int, factor: float, most: int, generation: int) -> int:
    """A number that is `first` in generation 1 and grows by a factor from generation to generation, up to `most`."""
    # Capped: the power of a long run does not fit a float.
    return min(round(first * math.exp(min(math.log(factor) * (generation - 1), 100.0))), max(first, most))
