"""Endgame specialists of MP-Draughts: each learns from the boards of one unit, and is accepted if it is better.

A specialist is tested against the generalist on boards of its unit that no training has seen. It plays to the end of
the game, although another may take over in the team: so its own strength is measured, and fewer games are enough. It is
accepted if the 95% interval of its score lies above one half.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import msgspec
import numpy as np
from msgspec import Struct

from ludus._core import draughts as _core
from ludus.arena import play as arena
from ludus.arena.score import Score
from ludus.arena.task import Rules, Task, digest
from ludus.learning import training_games
from ludus.learning.cloning import CloningPlan
from ludus.learning.training_games import TrainingSetup
from ludus.learning.visiondraughts import VisionDraughts
from ludus.players import Player, networks
from ludus.players.evaluators import FeatureNetwork, MultiPhase, TestResult
from ludus.players.networks import Theta
from ludus.players.searches import AlphaBeta


class SpecialistConfig(VisionDraughts, frozen=True, kw_only=True):
    """A training of specialists: that of VisionDraughts, from endgame boards."""

    kind: ClassVar[str] = "specialist"

    tables: int = 0  # endgame tables of up to so many pieces give values of moves; 0: none do
    tables_end: bool = False  # they also end the games
    asked_side: bool = False  # the learner always has the side to move of a board, not each side in turn
    tested: bool = False  # by cloning with its tests; otherwise as `plan` says

    def setup(self) -> TrainingSetup:
        """How it chooses its moves, and how it learns from a game."""
        return msgspec.structs.replace(
            super().setup(), tables=self.tables, tables_end=self.tables_end, asked_side=self.asked_side
        )

    def plan(self, boards: Sequence[str] = ()) -> CloningPlan:
        """The training. Without tests the clone is replaced after every set, and the mean over all games is the result.

        The rate does not fall: the mean is steady without it.
        Boards that are held back decide later if that is good: a few test games would often throw it away.
        """
        plan = super().plan(boards)
        if self.tested:
            return plan
        return msgspec.structs.replace(
            plan,
            threshold=0.0,
            every_board=False,
            test_boards=1,
            final_boards=1,
            average_games=self.sets * self.games,
            rate_halving=0,
            restart="never",
            first_clone=False,
            final_clones=1,
        )


class SpecialistTraining(Struct, frozen=True, kw_only=True):
    """The training and the test of a specialist, as a task for a worker. Equal trainings give equal specialists."""

    unit: int  # from 0
    boards: tuple[str, ...]  # the one nearest to the unit first
    config: SpecialistConfig
    generalist: Player
    random_weights: bool  # the initial weights are random, not those of the generalist
    test_boards: tuple[str, ...]
    accept_all: bool
    seed: int


class TrainedSpecialist(Struct, frozen=True, kw_only=True):
    """A specialist and how it did in its test."""

    theta: Theta
    score: Score
    accepted: bool


def train(task: SpecialistTraining) -> TrainedSpecialist:
    """The specialist and its score against the generalist on its test boards, each with both colours."""
    seed = training_games.derived_seed(task.seed, 10, task.unit)
    network = task.generalist.evaluator
    assert isinstance(network, FeatureNetwork)
    assert task.generalist.theta is not None
    own = task.config.evaluator()
    initial = None if task.random_weights else widened(task.generalist.theta, network, own)
    # In the order of their distance from the unit, one kind of board would come after the other.
    boards = np.random.default_rng([seed, 12]).permutation(np.array(task.boards)).tolist()
    theta = task.config.train_specialist(boards, initial, seed)
    games = TeamTest(
        player=msgspec.structs.replace(task.generalist, evaluator=own, theta=theta),
        opponent=task.generalist,
        boards=task.test_boards,
        rules=task.config.setup().rules,
        seed=training_games.derived_seed(seed, 11),
    )
    score = total(test(games))
    return TrainedSpecialist(theta=theta, score=score, accepted=task.accept_all or score.interval.low > 0.5)


def with_specialists(team: Player, thetas: dict[int, Theta]) -> Player:
    """A team without specialists that is given these: the weights by unit, from 1, in order."""
    evaluator = team.evaluator
    assert isinstance(evaluator, MultiPhase)
    assert not evaluator.specialists
    (generalist,), units = evaluator.parts(team.theta)
    theta = np.concatenate([generalist, *thetas.values(), units.ravel()]).astype(np.float32)
    return msgspec.structs.replace(
        team, evaluator=msgspec.structs.replace(evaluator, accepted=tuple(thetas)), theta=theta
    )


class TeamTest(Struct, frozen=True, kw_only=True):
    """Games of a player against another on some boards, as a task for a worker."""

    player: Player
    opponent: Player
    boards: tuple[str, ...]
    rules: Rules
    seed: int


def test(task: TeamTest) -> list[tuple[float, float]]:
    """The points of the player in its two games on each board; it moves first in one of them."""
    both = _quick(task.player), _quick(task.opponent)
    digests = digest(both[0]), digest(both[1])
    found = []
    for index, board in enumerate(task.boards):
        points = []
        for second in (False, True):
            game = Task(
                index=2 * index + second,
                players=both[::-1] if second else both,
                digests=digests[::-1] if second else digests,
                opening=(),
                rules=task.rules,
                seed=training_games.derived_seed(task.seed, index),
                start=board,
                streams=(0, 1) if second else (1, 0),
            )
            played = arena.play(game).points
            points.append(1 - played if second else played)
        found.append((points[0], points[1]))
    return found


def total(pairs: Iterable[tuple[float, float]]) -> Score:
    """The score of these pairs of games."""
    return sum((Score.pair(*points) for points in pairs), Score())


def test_result(score: Score) -> TestResult:
    """The score as a player's file has it."""
    low, high = score.interval
    return TestResult(wins=score.wins, draws=score.draws, losses=score.losses, interval=(low, high))


def widened(theta: Theta, network: FeatureNetwork, wider: FeatureNetwork) -> Theta:
    """The weights of a network for one that has the same nodes and more features: those of new inputs are 0.

    Raises ValueError if the other network has not all of the features, or other nodes.
    """
    if wider == network:
        return theta
    bits = _core.feature_bits()
    places: list[int] = []
    at = 0
    for feature in wider.features:
        if feature in network.features:
            places += range(at, at + bits[feature])
        at += bits[feature]
    first, *rest = network.layers
    if len(places) != first.inputs or wider.layers[1:] != tuple(rest) or wider.layers[0].outputs != first.outputs:
        raise ValueError("the specialists need all features of the generalist to begin with its weights")
    result = np.zeros(networks.weights(wider.layers), np.float32)
    for old, new in zip(networks.nodes(network.layers), networks.nodes(wider.layers), strict=True):
        for source, target in zip(old, new, strict=True):
            if target.stop - target.start == source.stop - source.start:
                result[target] = theta[source]
            else:
                result[target][places] = theta[source][:-1]
                result[target.stop - 1] = theta[source.stop - 1]
    return result


def _quick(player: Player) -> Player:
    """The same with a small transposition table, which is quick to make."""
    if not isinstance(player.search, AlphaBeta):
        return player
    return msgspec.structs.replace(player, search=msgspec.structs.replace(player.search, table_megabytes=1))
