"""Training games of draughts: a network plays an opponent that does not learn, and learns from its own moves."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from ludus._core import draughts as _core
from ludus.arena.game import Rules
from ludus.games import draughts
from ludus.players import Player, networks, searches
from ludus.players.evaluators import BoardNetwork, FeatureNetwork, Polynomial
from ludus.players.networks import Theta
from ludus.players.searches import AlphaBeta, Budget, Greedy, Minimax
from ludus.workers import Workers

_TABLE = 1  # megabytes of the transposition table: enough for the depths of training, and quick to make

TrainableEvaluator = FeatureNetwork | BoardNetwork | Polynomial  # those that training games can change


class TrainingSetup(Struct, frozen=True, kw_only=True):
    """How a learner chooses its moves and learns from a game: everything but its weights."""

    evaluator: TrainableEvaluator
    search: Greedy | Minimax | AlphaBeta
    budget: Budget | None = None
    gamma: float = 0.98
    decay: float = 0.1  # lambda
    momentum: float = 0.9
    rate: float = 1.0  # each layer uses it divided by its number of inputs
    fixed: tuple[int, ...] = ()  # indices of the weights that are not trained
    leaf: bool = False  # TD-Leaf: learn from the end of the principal variation, not from the move's own afterstate
    epsilon: float = 0.0  # probability of a random move
    opening_plies: int = 0  # random plies at the start of the game
    rules: Rules = Rules()

    def __post_init__(self) -> None:
        if self.leaf and not isinstance(self.search, AlphaBeta):
            raise ValueError("TD-Leaf needs alpha-beta: no other search gives a principal variation")
        searches.reproducible(searches.checked_budget(self.search, self.budget))

    def rates(self) -> Theta:
        """The learning rate of each weight: `rate` divided by the inputs of its layer, 0 for a fixed weight."""
        rates = np.concatenate(
            [np.full(networks.weights([layer]), self.rate / layer.inputs) for layer in self.evaluator.layers]
        )
        rates[list(self.fixed)] = 0
        return rates.astype(np.float32)

    def searcher(self, evaluator: Any) -> tuple[Any, tuple[int, int, float]]:
        """The core's search with this evaluator, and its limits."""
        search = self.search
        if isinstance(search, AlphaBeta):
            search = msgspec.structs.replace(search, table_megabytes=_TABLE)
        budget = searches.checked_budget(search, self.budget)
        return searches.build(search, _core, evaluator), searches.limits(search, budget)

    def player(self, name: str, theta: Theta) -> Player:
        """The player with these weights."""
        return Player(
            name=name, game="draughts", search=self.search, evaluator=self.evaluator, budget=self.budget, theta=theta
        )


class TrainingGame(Struct, frozen=True, kw_only=True):
    """A game to be played. Equal training games give equal results on every machine."""

    setup: TrainingSetup
    theta: Theta  # the learner's weights
    opponent_theta: Theta
    opponent_setup: TrainingSetup | None = None  # the learner's if None
    board: str  # the start position
    second: bool  # the learner has the side that is not to move there
    seed: int
    test: bool = False  # nothing is learned and no move is random


class TrainingResult(Struct, frozen=True, kw_only=True):
    """The result of a training game."""

    theta: Theta  # the learner's weights after it
    reward: int  # the learner's: 1 for a win, 0 for a draw, -1 for a loss
    plies: int


def play(game: TrainingGame) -> TrainingResult:
    """Plays the game."""
    setup, opponent = game.setup, game.opponent_setup or game.setup
    evaluator = setup.evaluator.build(_core, game.theta)
    rates = setup.rates()
    start = draughts.Position(game.board)
    network, reward, plies = _core.lesson(
        evaluator,
        networks.build(setup.evaluator.layers, game.theta),
        *setup.searcher(evaluator),
        *opponent.searcher(opponent.evaluator.build(_core, game.opponent_theta)),
        start,
        ~start.turn if game.second else start.turn,
        rates=np.zeros_like(rates) if game.test else rates,
        gamma=setup.gamma,
        decay=setup.decay,
        momentum=setup.momentum,
        leaf=setup.leaf and not game.test,
        epsilon=0.0 if game.test else setup.epsilon,
        opening_plies=0 if game.test else setup.opening_plies,
        rules=setup.rules.core(),
        seed=game.seed,
    )
    return TrainingResult(theta=network.theta, reward=round(reward), plies=plies)


def derived_seed(seed: int, *path: int) -> int:
    """A seed for one part of a run: one game, for example. Different paths give independent seeds."""
    return int(np.random.default_rng([seed, *path]).integers(2**63))


def train(
    setup: TrainingSetup,
    theta: Theta,
    opponent_theta: Theta,
    boards: Sequence[str],
    seed: int,
    games: range,
    workers: Workers,
    *,
    batch: bool,
) -> tuple[Theta, list[int]]:
    """The weights after the games of a run with these numbers, and the rewards. Each board is played with both colours.

    In a batch all games start from the same weights, and their changes are added up in order. Otherwise each game
    starts from the weights after the game before it.
    """

    def numbered(number: int, weights: Theta) -> TrainingGame:
        return TrainingGame(
            setup=setup,
            theta=weights,
            opponent_theta=opponent_theta,
            board=boards[number // 2 % len(boards)],
            second=number % 2 == 1,
            seed=derived_seed(seed, 0, number),
        )

    rewards: list[int] = []
    trained = theta.copy()
    if batch:
        for result in workers.map(play, (numbered(number, theta) for number in games)):
            trained += result.theta - theta
            rewards.append(result.reward)
        return trained, rewards
    for number in games:
        result = play(numbered(number, trained))
        trained = result.theta
        rewards.append(result.reward)
    return trained, rewards


def test_games(
    setup: TrainingSetup,
    theta: Theta,
    opponent_theta: Theta,
    boards: Sequence[str],
    seed: int,
    opponent_setup: TrainingSetup | None = None,
) -> list[TrainingGame]:
    """Two games without learning on each board, one with each colour."""
    return [
        TrainingGame(
            setup=setup,
            theta=theta,
            opponent_theta=opponent_theta,
            opponent_setup=opponent_setup,
            board=board,
            second=second,
            seed=derived_seed(seed, index),
            test=True,
        )
        for index, board in enumerate(boards)
        for second in (False, True)
    ]


def board_points(results: Sequence[TrainingResult]) -> list[int]:
    """The learner's points on each board of its test games: 2 for a win, 1 for a draw, so 0 to 4 a board."""
    return [one.reward + other.reward + 2 for one, other in zip(results[::2], results[1::2], strict=True)]
