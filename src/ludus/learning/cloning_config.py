"""The options that all learners by cloning share, the values of the original programs, and how these learners learn."""

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta, Struct

from ludus._core import draughts as _core
from ludus.arena import openings
from ludus.arena.task import Rules
from ludus.games import draughts
from ludus.learning import cloning, fields, reference_players, training_games
from ludus.learning.cloning import CloningPlan, CloningState
from ludus.learning.learner import Options, Progress, Record, State
from ludus.learning.training_games import TrainableEvaluator, TrainingSetup
from ludus.players import Player, evaluators, networks
from ludus.players.evaluators import FEATUREMAP12, FEATURES, FeatureNetwork
from ludus.players.networks import Theta
from ludus.players.searches import AlphaBeta, Budget, Minimax
from ludus.workers import Workers

START = draughts.START.text

# The values in the papers and programs of NeuroDraughts and its successors, as far as they are known.
FAITHFUL: Options = {
    "games": 250,
    "batch": 1,
    "gamma": 0.98,
    "lambda_": 0.1,
    "momentum": 0.9,
    "rate": 1.0,
    "epsilon": 0.0,
    "opening_plies": 0,
    "test_boards": 0,
    "threshold": 0.51,
    "final_boards": 0,
    "repetitions": 0,
    "quiet_plies": 0,
    "max_plies": 102,
    # The originals have none of these.
    "both_sides": False,
    "average_games": 0,
    "rate_halving": 0,
    "restart": "never",
    "first_clone": False,
    "final_clones": 0,
    "optimizer": "plain",
}


class CloningConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of all learners by cloning. A learner adds its `setup`."""

    unit: ClassVar[str] = "games"
    length: ClassVar[str] = "sets"
    kind: ClassVar[str]

    seed: fields.Seed = 0
    sets: fields.Sets = 10
    games: fields.SetGames = 500
    batch: Annotated[
        int,
        Meta(
            description="Training games that start from the same weights and run in parallel; their changes are added "
            "up. 1 trains one game after the other.",
            ge=1,
        ),
    ] = 10
    budget: fields.Budget = "depth=4"
    initial_range: fields.InitialRange = 0.2
    gamma: fields.Gamma = 1.0
    lambda_: fields.Lambda = 0.9
    momentum: Annotated[
        float,
        Meta(
            description="Momentum, from 0 to below 1: the part of a weight's last change that is added to the next if "
            "both have the same sign. 0 is none.",
            ge=0,
            lt=1,
        ),
    ] = 0.0
    optimizer: fields.Optimizer = "plain"
    rate: fields.LayerRate = 0.05
    rate_halving: fields.RateHalving = 0
    average_games: fields.AverageGames = 1000
    epsilon: fields.Epsilon = 0.01
    opening_plies: Annotated[
        int, Meta(description="Random plies at the start of a training game. 0 is none.", ge=0, le=40)
    ] = 8
    both_sides: fields.BothSides = False
    test_boards: Annotated[
        int,
        Meta(
            description="Openings (three-move ballots) of the test after a set, each played with both colours. "
            "0 tests from the start position.",
            ge=0,
        ),
    ] = 50
    threshold: Annotated[
        float,
        Meta(description="Score against the clone, from 0 to 1, at which the learner replaces it.", ge=0, le=1),
    ] = 0.53
    every_board: Annotated[
        bool, Meta(description="Require the threshold on every test board, not only on average.")
    ] = False
    restart: fields.Restart = "failed"
    restart_below: fields.RestartBelow = 0.45
    first_clone: Annotated[
        bool,
        Meta(
            description="Let the first clone, which has the initial weights, take part in the final round robin, so "
            "that a training that made the player worse can return the initial weights."
        ),
    ] = True
    final_clones: Annotated[
        int, Meta(description="Newest clones that take part in the final round robin. 0 takes all.", ge=0)
    ] = 3
    final_boards: Annotated[
        int,
        Meta(
            description="Openings (three-move ballots) of each pair of clones in the final round robin, each played "
            "with both colours. 0 plays from the start position.",
            ge=0,
        ),
    ] = 50
    reference_games: fields.ReferenceGames = 20
    repetitions: Annotated[
        int,
        Meta(description="Times a position must occur to make a game a draw. 0 knows no draw by repetition.", ge=0),
    ] = 3
    quiet_plies: fields.QuietPlies = 80
    max_plies: fields.MaxPlies = 0

    def __post_init__(self) -> None:
        if self.reference_games % 2:
            raise ValueError(
                f"games against reference players come in pairs: {self.reference_games} is not an even number"
            )
        if not (self.repetitions or self.quiet_plies or self.max_plies):
            raise ValueError("without repetitions, quiet plies and a limit of plies a game might never end: set one")
        if self.optimizer == "adam" and self.batch == 1:
            raise ValueError("Adam makes one step for a batch of games: set a batch of 2 or more, or a plain optimizer")
        self.setup()  # raises ValueError if the options do not fit together

    @property
    def name(self) -> str:
        """The budget, the length and the seed."""
        return f"{self.budget.replace('=', '')}-{self.sets}x{self.games}-{self.seed}"

    def setup(self) -> TrainingSetup:
        """How it chooses its moves, and how it learns from a game."""
        raise NotImplementedError(f"{type(self).__name__} must define its setup")

    def _setup(
        self,
        evaluator: TrainableEvaluator,
        search: Minimax | AlphaBeta,
        *,
        leaf: bool = False,
        fixed: tuple[int, ...] = (),
    ) -> TrainingSetup:
        """The setup with this evaluator and search, and the values of the options."""
        return TrainingSetup(
            evaluator=evaluator,
            search=search,
            budget=Budget.parse(self.budget),
            gamma=self.gamma,
            decay=self.lambda_,
            momentum=self.momentum,
            rate=cloning.GRADIENT_RATE if self.optimizer == "adam" else self.rate,
            fixed=fixed,
            leaf=leaf,
            epsilon=self.epsilon,
            opening_plies=self.opening_plies,
            rules=Rules(repetitions=self.repetitions, quiet_plies=self.quiet_plies, plies=self.max_plies),
            both_sides=self.both_sides,
        )

    def initial_theta(self, seed: int) -> Theta:
        """Its random initial weights."""
        rng = np.random.default_rng([seed, 3])
        return networks.random_theta(self.setup().evaluator.layers, rng, -self.initial_range, self.initial_range)

    def plan(self, boards: Sequence[str] = ()) -> CloningPlan:
        """The training, from these start boards, which are then its test boards too, or from the start of the game.

        The game has only one start, on which two players play the same two games: there the test boards are ballots.
        """
        ballots = not boards and (self.test_boards or self.final_boards)
        return CloningPlan(
            setup=self.setup(),
            sets=self.sets,
            games=self.games,
            batch=self.batch,
            threshold=self.threshold,
            every_board=self.every_board,
            start_boards=tuple(boards) or (START,),
            test_pool=_ballots() if ballots else tuple(boards) or (START,),
            test_boards=self.test_boards,
            final_boards=self.final_boards,
            average_games=self.average_games,
            rate_halving=self.rate_halving,
            adam_rate=self.rate if self.optimizer == "adam" else 0.0,
            restart=self.restart,
            restart_below=self.restart_below,
            first_clone=self.first_clone,
            final_clones=self.final_clones,
        )

    def train_specialist(self, boards: Sequence[str], theta: Theta | None, seed: int) -> Theta:
        """The weights after a training from these start boards, which are also its test boards.

        It starts from `theta`, or from random weights. It runs in this thread, so that many can run in parallel.
        Raises ValueError for no boards, or weights that do not fit.
        """
        if not boards:
            raise ValueError("a specialist needs boards to start from")
        return cloning.train_fully(self.plan(boards), self.initial_theta(seed) if theta is None else theta, seed)

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns; a progress every few games."""
        plan = self.plan()
        current = CloningState.begin(self.initial_theta(self.seed)) if state is None else CloningState.of(state)
        for reached in cloning.train(plan, current, self.seed, workers):
            current = reached
            yield self._progress(plan, current, workers)
        candidates = current.candidates(plan)
        named, points = cloning.choose(plan, candidates, self.seed, workers)
        note = f"clone {named} of {len(current.clones)} is the player" if current.clones else "it never beat its clone"
        yield Progress(
            done=current.games,
            total=current.games,
            state=current.state(),
            stage="round robin",
            line={"round_robin": points, "candidates": list(candidates), "named": named},
            note=note,
            player=plan.setup.player(self.kind, candidates[named]),
        )

    def _progress(self, plan: CloningPlan, current: CloningState, workers: Workers) -> Progress:
        line: Record | None = None
        note, players = "", {}
        if current.points is not None:  # the end of a set
            line = self._record(plan, current, current.points)
            note = f"set {line['set']}: {line['test_score']:.0%} against the clone"
        if line is not None and current.promoted:
            number = len(current.clones)
            clone = plan.setup.player(f"{self.kind}-clone-{number}", current.clone)
            players[f"clone-{number:02}"] = clone
            line["clone"] = number
            line |= self._reference_scores(clone, workers)
        return Progress(
            done=current.games,
            total=self.sets * self.games,
            state=current.state(),
            stage="training",
            line=line,
            note=note,
            players=players,
            now=plan.setup.player(self.kind, current.clone),
        )

    def _record(self, plan: CloningPlan, current: CloningState, points: tuple[int, ...]) -> Record:
        return {
            "set": current.games // self.games,
            "games": current.games,
            "wins": current.rewards.count(1),
            "draws": current.rewards.count(0),
            "losses": current.rewards.count(-1),
            "test_points": list(points),
            "test_score": sum(points) / (4 * len(points)),
            "test_interval": list(training_games.board_score(points).interval),
            "rate": self.rate * plan.rate_factor(current.games - 1),
            "promoted": current.promoted,
        }

    def _reference_scores(self, player: Player, workers: Workers) -> Record:
        """The scores against the reference players for the record; empty if no such games are wanted."""
        if not self.reference_games:
            return {}
        return {"pool": reference_players.scores(player, self.reference_games, self.seed, workers)}


class FeatureCloningConfig(CloningConfig, frozen=True, kw_only=True):
    """The options of learners by cloning whose network has features as inputs (NET-FEATUREMAP)."""

    features: fields.Features = FEATUREMAP12
    coding: Annotated[
        Literal["clean", "faithful"],
        Meta(description="How large and negative feature values become input bits; faithful is the original's way."),
    ] = "clean"
    hidden: fields.HiddenNodes = 20
    # Measured in docs/cloning.md.
    optimizer: fields.Optimizer = "adam"
    rate: fields.LayerRate = 0.02
    rate_halving: fields.RateHalving = 2000
    average_games: fields.AverageGames = 500
    gamma: fields.Gamma = 0.99
    lambda_: fields.Lambda = 0.7
    both_sides: fields.BothSides = True

    def evaluator(self) -> FeatureNetwork:
        """Its network, without the weights."""
        for feature in self.features:
            if feature not in FEATURES:
                raise ValueError(f"there is no feature '{feature}'; there are {', '.join(FEATURES)}")
        bits = _core.feature_bits()
        chosen = tuple(feature for feature in FEATURES if feature in self.features)
        if not chosen:
            raise ValueError("a network needs at least one feature")
        layers = networks.dense(sum(bits[feature] for feature in chosen), self.hidden, 1)
        return evaluators.FeatureNetwork(layers=layers, features=chosen, coding=self.coding)


def _ballots() -> tuple[str, ...]:
    boards = []
    for moves in openings.ballots(draughts.GAME, 3):
        position = draughts.GAME.start
        for move in moves:
            position = position.play(move)
        boards.append(position.text)
    return tuple(boards)
