"""Training games of draughts: a network plays an opponent that does not learn, or itself, and learns from its moves."""

from collections.abc import Callable, Sequence
from typing import cast

import msgspec
import numpy as np
from msgspec import Struct

from ludus._core import TrainingOptions, side_seed
from ludus._core import draughts as _core
from ludus.arena.record import PlayedGame
from ludus.arena.score import Score
from ludus.arena.task import Rules, Task, digest
from ludus.endgames import load as load_tables
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
    both_sides: bool = False  # the learner plays both sides of a training game and learns from both
    rules: Rules = Rules()
    tables: int = 0  # endgame tables of up to so many pieces give values of moves in training games; 0: none do
    tables_end: bool = False  # they also end the game, with the true result
    asked_side: bool = False  # the learner always has the side to move of a start board, not each side in turn

    def __post_init__(self) -> None:
        if self.leaf and not isinstance(self.search, AlphaBeta):
            raise ValueError("TD-Leaf needs alpha-beta: no other search gives a principal variation")
        searches.reproducible(searches.checked_budget(self.search, self.budget))

    def rates(self, factor: float = 1.0) -> Theta:
        """The learning rate of each weight: `factor` times `rate`, divided by the inputs of its layer.

        It is 0 for a fixed weight.
        """
        rate = factor * self.rate
        rates = np.concatenate(
            [np.full(networks.weights([layer]), rate / layer.inputs) for layer in self.evaluator.layers]
        )
        rates[list(self.fixed)] = 0
        return rates.astype(np.float32)

    def options(self) -> TrainingOptions:
        """How the core plays a training game. The trace shrinks by lambda alone, as in the lineage's programs."""
        return TrainingOptions(
            gamma=self.gamma,
            trace_decay=self.decay,
            momentum=self.momentum,
            epsilon=self.epsilon,
            learn_from_random=False,
            rule_win=False,
            leaf=self.leaf,
            opening_plies=self.opening_plies,
            rules=self.rules.core(),
        )

    def side(self, theta: Theta, seed: int) -> _core.MatchSide:
        """The side of a game that plays with these weights and does not learn."""
        return self.side_of(self.evaluator.build(_core, theta), seed)

    def side_of(self, evaluator: _core.Evaluator, seed: int) -> _core.MatchSide:
        """The side of a game that searches with this evaluator."""
        search = self._small_search()
        budget = searches.core_budget(search, searches.checked_budget(search, self.budget))
        return _core.MatchSide(cast(_core.Search, searches.build(search, _core, evaluator)), budget, seed=seed)

    def player(self, name: str, theta: Theta) -> Player:
        """The player with these weights."""
        return Player(
            name=name, game="draughts", search=self.search, evaluator=self.evaluator, budget=self.budget, theta=theta
        )

    def test_player(self, theta: Theta) -> Player:
        """The player with these weights as it plays test games."""
        return msgspec.structs.replace(self.player("learner", theta), search=self._small_search())

    def _small_search(self) -> Greedy | Minimax | AlphaBeta:
        if isinstance(self.search, AlphaBeta):
            return msgspec.structs.replace(self.search, table_megabytes=_TABLE)
        return Minimax(pruned=True) if isinstance(self.search, Minimax) else self.search


class TrainingGame(Struct, frozen=True, kw_only=True):
    """A game to be played. Equal training games give equal results on every machine."""

    setup: TrainingSetup
    theta: Theta  # the learner's weights
    opponent_theta: Theta
    board: str  # the start position
    second: bool  # the learner has the side that is not to move there
    seed: int
    rate_factor: float = 1.0  # by which the setup's rate is multiplied


class TrainingResult(Struct, frozen=True, kw_only=True):
    """The result of a training game."""

    theta: Theta  # the learner's weights after it
    reward: int  # 1 for a win, 0 for a draw, -1 for a loss of the learner, or of the side it would have had
    plies: int


def play(game: TrainingGame) -> TrainingResult:
    """Plays the game."""
    setup = game.setup
    evaluator = setup.evaluator.build(_core, game.theta)
    start = draughts.Position(game.board)
    learner = ~start.turn if game.second else start.turn
    tables = load_tables(setup.tables).core if setup.tables else None
    played = _core.play_training_game(
        evaluator,
        networks.build(setup.evaluator.layers, game.theta),
        setup.side_of(evaluator, side_seed(game.seed, 1)),
        setup.side(game.opponent_theta, side_seed(game.seed, 0)),
        _core.TrainingGame(
            start=start,
            learner=None if setup.both_sides else learner,
            rates=setup.rates(game.rate_factor),
            options=setup.options(),
            seed=game.seed,
            adjudicate=tables if setup.tables_end else None,
            targets=None if setup.tables_end else tables,
        ),
    )
    winner = played.result.winner
    reward = 0 if winner is None else 1 if winner == learner else -1
    return TrainingResult(theta=played.theta, reward=reward, plies=played.result.plies)


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
    rate_factor: Callable[[int], float] = lambda _: 1.0,
) -> tuple[list[Theta], list[int]]:
    """The weights after each game of a run with these numbers, and the rewards. Each board is played with both colours.

    In a batch all games start from the same weights, their changes are added up in order, and there are weights only
    after the last. Otherwise each game starts from the weights after the game before it. `rate_factor` is that of the
    game with a number.
    """

    def numbered(number: int, weights: Theta) -> TrainingGame:
        return TrainingGame(
            setup=setup,
            theta=weights,
            opponent_theta=opponent_theta,
            board=boards[(number if setup.asked_side else number // 2) % len(boards)],
            second=number % 2 == 1 and not setup.asked_side,
            seed=derived_seed(seed, 0, number),
            rate_factor=rate_factor(number),
        )

    rewards: list[int] = []
    if batch:
        added = theta.copy()
        for result in workers.map(play, (numbered(number, theta) for number in games)):
            added += result.theta - theta
            rewards.append(result.reward)
        return [added], rewards
    trained = [theta]
    for number in games:
        result = play(numbered(number, trained[-1]))
        trained.append(result.theta)
        rewards.append(result.reward)
    return trained[1:], rewards


def test_games(
    setup: TrainingSetup,
    theta: Theta,
    opponent_theta: Theta,
    boards: Sequence[str],
    seed: int,
    opponent_setup: TrainingSetup | None = None,
) -> list[Task]:
    """Two games without learning on each board: the learner moves first in one of them and second in the other."""
    players = setup.test_player(theta), (opponent_setup or setup).test_player(opponent_theta)
    digests = digest(players[0]), digest(players[1])
    return [
        Task(
            index=2 * index + second,
            players=players[::-1] if second else players,
            digests=digests[::-1] if second else digests,
            opening=(),
            rules=setup.rules,
            seed=derived_seed(seed, index),
            start=board,
            streams=(0, 1) if second else (1, 0),  # the learner has stream 1, as in its training games
        )
        for index, board in enumerate(boards)
        for second in (False, True)
    ]


def board_points(played: Sequence[PlayedGame]) -> list[int]:
    """The learner's points on each board of its test games: 2 for a win, 1 for a draw, so 0 to 4 a board."""
    return [round(2 * (one.points + 1 - other.points)) for one, other in zip(played[::2], played[1::2], strict=True)]


def board_score(points: Sequence[int]) -> Score:
    """The score of test games with these points, 0 to 4 a board.

    A board with 2 points counts as two draws. A win and a loss would have the same part in the score and its interval.
    """
    halves = {0: (0.0, 0.0), 1: (0.0, 0.5), 2: (0.5, 0.5), 3: (0.5, 1.0), 4: (1.0, 1.0)}
    score = Score()
    for point in points:
        score += Score.pair(*halves[point])
    return score
