"""Self-play with cloning: NeuroDraughts (Lynch 1997) and VisionDraughts (Caixeta and Julia 2008).

The learner plays a frozen clone of itself, the colours alternating, and only the learner learns. After each set of
games both play test games without learning; when the learner reaches the threshold, its weights are the new clone's. At
the end a round robin of the clones names the player.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus._core import draughts as _core
from ludus.arena import game as arena
from ludus.arena import openings
from ludus.games import draughts
from ludus.learning import Progress, State, reference_players, training_games
from ludus.learning.training_games import Method, Valuing
from ludus.players import evaluators, networks
from ludus.players.evaluators import FEATUREMAP12, FEATURES, FeatureNetwork
from ludus.players.networks import Theta
from ludus.players.searches import AlphaBeta, Budget, Minimax
from ludus.workers import Workers

START = draughts.START.text
_TURN = 25  # games between two progresses of a learner that plays one game after the other


class Course(Struct, frozen=True, kw_only=True):
    """A training by cloning: how long, and when the clone is replaced."""

    method: Method
    sets: int
    games: int  # a set
    batch: int  # games that begin with the same weights; 1 learns game by game
    threshold: float  # the share of the test points that the learner needs to become the clone
    everywhere: bool  # it needs them on each test board, not only over all
    boards: tuple[str, ...]  # where lessons start
    tests: tuple[str, ...]  # what test boards are drawn from
    test_boards: int  # how many of them there are after a set; 0: the start boards instead
    final_boards: int  # and for each pair of clones at the end

    def drawn(self, count: int, *path: int) -> list[str]:
        """So many of the test boards, drawn by chance; all of them if there are no more; the start boards if 0."""
        if not count or count >= len(self.tests):
            return list(self.tests if count else self.boards)
        places = np.random.default_rng(path).choice(len(self.tests), count, replace=False)
        return [self.tests[place] for place in sorted(places)]

    def passes(self, points: Sequence[int]) -> bool:
        """Do these points, 0 to 4 a board, make the learner the clone?"""
        shares = [point / 4 for point in points]
        return (min(shares) if self.everywhere else sum(shares) / len(shares)) >= self.threshold


class CloningState(Struct, frozen=True, kw_only=True):
    """How far a course has come."""

    theta: Any  # the learner's weights
    clone: Any  # its opponent's
    clones: tuple[Any, ...]  # the weights of all clones that were saved, in their order
    games: int  # played
    rewards: tuple[int, ...]  # of the games of the set under way, or just finished
    points: tuple[int, ...] | None = None  # after a set: those of the test games, 0 to 4 a board
    promoted: bool = False  # after a set: the learner became the clone

    def state(self) -> State:
        """The same for a run to keep."""
        arrays = {"theta": self.theta, "clone": self.clone}
        if self.clones:
            arrays["clones"] = np.stack(self.clones)
        return State(arrays=arrays, facts={"games": self.games, "rewards": list(self.rewards)})

    @staticmethod
    def of(state: State) -> "CloningState":
        """The inverse, as far as it is needed to go on."""
        return CloningState(
            theta=state.arrays["theta"],
            clone=state.arrays["clone"],
            clones=tuple(state.arrays["clones"]) if "clones" in state.arrays else (),
            games=state.facts["games"],
            rewards=tuple(state.facts["rewards"]),
        )


def follow(course: Course, stand: CloningState, seed: int, workers: Workers) -> Iterator[CloningState]:
    """The course from a stand to the end of its last set, a stand every few games."""
    while stand.games < course.sets * course.games:
        begun = stand.games % course.games
        count = min(course.batch if course.batch > 1 else _TURN, course.games - begun)
        theta, rewards = training_games.teach(
            course.method,
            stand.theta,
            stand.clone,
            course.boards,
            seed,
            range(stand.games, stand.games + count),
            workers,
            together=course.batch > 1,
        )
        stand = CloningState(
            theta=theta,
            clone=stand.clone,
            clones=stand.clones,
            games=stand.games + count,
            rewards=(*(stand.rewards if begun else ()), *rewards),
        )
        if stand.games % course.games == 0:
            stand = _tested(course, stand, seed, workers)
        yield stand


def _tested(course: Course, stand: CloningState, seed: int, workers: Workers) -> CloningState:
    boards = course.drawn(course.test_boards, seed, 1, stand.games)
    games = training_games.duel(
        course.method, stand.theta, stand.clone, boards, training_games.stream(seed, 1, stand.games)
    )
    points = tuple(training_games.points(list(workers.map(arena.play, games))))
    if not course.passes(points):
        return msgspec.structs.replace(stand, points=points)
    return msgspec.structs.replace(
        stand, clone=stand.theta, clones=(*stand.clones, stand.theta), points=points, promoted=True
    )


def candidates(stand: CloningState) -> tuple[Any, ...]:
    """The clones; a learner that never beat its first clone is all there is."""
    return stand.clones or (stand.theta,)


def robin(course: Course, clones: Sequence[Theta], seed: int, workers: Workers) -> list[int]:
    """The points of each clone in games of all against all."""
    boards = course.drawn(course.final_boards, seed, 2)
    pairs = list(combinations(range(len(clones)), 2))
    games = [
        task
        for one, other in pairs
        for task in training_games.duel(
            course.method, clones[one], clones[other], boards, training_games.stream(seed, 2)
        )
    ]
    points = training_games.points(list(workers.map(arena.play, games)))
    totals = [0] * len(clones)
    for place, (one, other) in enumerate(pairs):
        won = sum(points[place * len(boards) : (place + 1) * len(boards)])
        totals[one] += won
        totals[other] += 4 * len(boards) - won
    return totals


def complete(course: Course, theta: Theta, seed: int) -> Theta:
    """The weights of the player that the whole course makes of these, in this thread and in one go."""
    workers = Workers()
    stand = CloningState(theta=theta, clone=theta, clones=(), games=0, rewards=())
    for reached in follow(course, stand, seed, workers):
        stand = reached
    clones = candidates(stand)
    best: Theta = clones[int(np.argmax(robin(course, clones, seed, workers)))]
    return best


class Cloning(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all learners by cloning can be told."""

    unit: ClassVar[str] = "games"
    kind: ClassVar[str]

    seed: Annotated[int, Meta(description="For whatever is chosen by chance.", ge=0)] = 0
    sets: Annotated[int, Meta(description="Sets of games; after each the clone may be replaced.", ge=1)] = 10
    games: Annotated[int, Meta(description="Games a set.", ge=1)] = 500
    batch: Annotated[int, Meta(description="Games that run side by side with the same weights; 1: none.", ge=1)] = 10
    budget: Annotated[str, Meta(description="What the search may spend on a move: depth=4, nodes=2000.")] = "depth=4"
    init: Annotated[float, Meta(description="The first weights lie between this and its negative.", ge=0, le=10)] = 0.2
    gamma: Annotated[float, Meta(description="How much the next prediction counts.", ge=0, le=1)] = 1.0
    lambda_: Annotated[float, Meta(description="How fast traces of earlier moves fade.", ge=0, le=1)] = 0.9
    momentum: Annotated[
        float, Meta(description="How much of the last change is added if it went the same way.", ge=0, lt=1)
    ] = 0.0
    rate: Annotated[float, Meta(description="The learning rate, times 1 / inputs in each layer.", ge=0, le=100)] = 0.05
    epsilon: Annotated[float, Meta(description="How often the learner plays a random move.", ge=0, le=1)] = 0.01
    opening_plies: Annotated[int, Meta(description="Random moves before a game begins.", ge=0, le=40)] = 8
    test_boards: Annotated[
        int, Meta(description="Ballots on which learner and clone are tested after a set; 0: the start.", ge=0)
    ] = 20
    threshold: Annotated[float, Meta(description="The share of points that makes the clone.", ge=0, le=1)] = 0.55
    everywhere: Annotated[bool, Meta(description="The threshold must be reached on every test board.")] = False
    final_boards: Annotated[
        int, Meta(description="Ballots for each pair of clones in the last round robin; 0: the start.", ge=0)
    ] = 20
    pool_games: Annotated[
        int, Meta(description="Games of each new clone against each of the fixed pool, an even number.", ge=0)
    ] = 20

    def __post_init__(self) -> None:
        if self.pool_games % 2:
            raise ValueError(f"games against the pool come in pairs: {self.pool_games} is not an even number")
        self.method()  # says what does not fit together

    @property
    def name(self) -> str:
        """What distinguishes this run from others of its kind."""
        return f"{self.budget.replace('=', '')}-{self.sets}x{self.games}-{self.seed}"

    def method(self) -> Method:
        """How it chooses its moves, and what it learns from a game."""
        raise NotImplementedError(f"{type(self).__name__} is a kind of learner only by a method of its own")

    def by(self, evaluator: Valuing, search: Minimax | AlphaBeta, **own: Any) -> Method:
        """The method with this evaluator and search, as the options say; `own` is what only some learners have."""
        return Method(
            evaluator=evaluator,
            search=search,
            budget=Budget.parse(self.budget),
            gamma=self.gamma,
            decay=self.lambda_,
            momentum=self.momentum,
            rate=self.rate,
            epsilon=self.epsilon,
            opening_plies=self.opening_plies,
            **own,
        )

    def first_theta(self, seed: int) -> Theta:
        """The weights it starts with."""
        rng = np.random.default_rng([seed, 3])
        return networks.random_theta(self.method().evaluator.layers, rng, -self.init, self.init)

    def course(self, boards: Sequence[str] = ()) -> Course:
        """The training, from these start boards, which are then its test boards too, or from the start of the game.

        The game has only one start, on which two players play the same two games: there the test boards are ballots.
        """
        ballots = not boards and (self.test_boards or self.final_boards)
        return Course(
            method=self.method(),
            sets=self.sets,
            games=self.games,
            batch=self.batch,
            threshold=self.threshold,
            everywhere=self.everywhere,
            boards=tuple(boards) or (START,),
            tests=_ballots() if ballots else tuple(boards) or (START,),
            test_boards=self.test_boards,
            final_boards=self.final_boards,
        )

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns, a progress every few games."""
        course, workers = self.course(), workers
        total = self.sets * self.games
        if state is None:
            theta = self.first_theta(self.seed)
            stand = CloningState(theta=theta, clone=theta, clones=(), games=0, rewards=())
        else:
            stand = CloningState.of(state)
        for reached in follow(course, stand, self.seed, workers):
            stand = reached
            if stand.points is None:
                yield Progress(done=stand.games, total=total, state=stand.state(), stage="training")
                continue
            number = len(stand.clones)
            line = self._line(stand)
            players = {}
            if stand.promoted:
                clone = course.method.player(f"{self.kind}-clone-{number}", stand.clone)
                players[f"clone-{number:02}"] = clone
                line["clone"] = number
                if self.pool_games:
                    line["pool"] = reference_players.measure(clone, self.pool_games, self.seed, workers)
            yield Progress(
                done=stand.games,
                total=total,
                state=stand.state(),
                stage="training",
                line=line,
                note=f"set {line['set']}: {line['test_score']:.0%} against the clone",
                players=players,
            )
        clones = candidates(stand)
        points = robin(course, clones, self.seed, workers)
        best = int(np.argmax(points))  # the earlier one of equals
        yield Progress(
            done=total,
            total=total,
            state=stand.state(),
            stage="round robin",
            line={"round_robin": points, "named": best + 1},
            note=f"clone {best + 1} of {len(clones)} is the player" if stand.clones else "it never beat its clone",
            player=course.method.player(self.kind, clones[best]),
        )

    def _line(self, stand: CloningState) -> dict[str, Any]:
        points = stand.points or ()
        return {
            "set": stand.games // self.games,
            "games": stand.games,
            "wins": stand.rewards.count(1),
            "draws": stand.rewards.count(0),
            "losses": stand.rewards.count(-1),
            "test_points": list(points),
            "test_score": sum(points) / (4 * len(points)),
            "promoted": stand.promoted,
        }


def _ballots() -> tuple[str, ...]:
    boards = []
    for moves in openings.ballots(3):
        position = draughts.START
        for move in moves:
            position = position.play(move)
        boards.append(position.text)
    return tuple(boards)


# What the lineage's programs and papers say, or what is remembered of them.
FAITHFUL: dict[str, Any] = {
    "games": 250,
    "batch": 1,
    "gamma": 0.98,
    "lambda_": 0.1,
    "momentum": 0.9,
    "rate": 1.0,
    "epsilon": 0.0,
    "opening_plies": 0,
    "test_boards": 0,
    "threshold": 0.75,
    "everywhere": True,
    "final_boards": 0,
}


class Featured(Cloning, frozen=True, kw_only=True):
    """What the learners with a network on NET-FEATUREMAP can be told besides."""

    features: Annotated[tuple[str, ...], Meta(description="The features its network sees.")] = FEATUREMAP12
    coding: Annotated[
        Literal["clean", "faithful"], Meta(description="How large and negative values of features become bits.")
    ] = "clean"
    hidden: Annotated[int, Meta(description="Nodes of the hidden layer.", ge=1, le=512)] = 20

    def evaluator(self) -> FeatureNetwork:
        """Its network, without the weights."""
        for feature in self.features:
            if feature not in FEATURES:
                raise ValueError(f"there is no feature '{feature}'; there are {', '.join(FEATURES)}")
        bits = _core.feature_bits()
        chosen = tuple(feature for feature in FEATURES if feature in self.features)
        if not chosen:
            raise ValueError("a network sees at least one feature")
        layers = networks.dense(sum(bits[feature] for feature in chosen), self.hidden, 1)
        return evaluators.FeatureNetwork(layers=layers, features=chosen, coding=self.coding)


class NeuroDraughts(Featured, frozen=True, kw_only=True):
    """NeuroDraughts: TD(lambda) with cloning on 12 features, with plain minimax."""

    kind: ClassVar[str] = "neurodraughts"
    presets: ClassVar[dict[str, dict[str, Any]]] = {"ours": {}, "faithful": {**FAITHFUL, "coding": "faithful"}}

    def method(self) -> Method:
        """How it chooses its moves, and what it learns from a game."""
        return self.by(self.evaluator(), Minimax())


# What VisionDraughts' search and learning did not have yet.
_PLAIN: dict[str, Any] = {"leaf": False, "repetition": False, "reductions": False}


class VisionDraughts(Featured, frozen=True, kw_only=True):
    """VisionDraughts: as NeuroDraughts, with alpha-beta, a transposition table and iterative deepening."""

    kind: ClassVar[str] = "visiondraughts"
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "ours": {},
        "faithful": {**FAITHFUL, "coding": "faithful", "budget": "depth=6", **_PLAIN},
    }

    leaf: Annotated[bool, Meta(description="Learn from the end of the line it expects, not the move's own board.")] = (
        True
    )
    repetition: Annotated[bool, Meta(description="In its search a position that comes back is a draw.")] = True
    reductions: Annotated[bool, Meta(description="It looks less far after moves that promise little.")] = True

    def method(self) -> Method:
        """How it chooses its moves, and what it learns from a game."""
        search = AlphaBeta(repetition=self.repetition, reductions=self.reductions)
        return self.by(self.evaluator(), search, leaf=self.leaf)
