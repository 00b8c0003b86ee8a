"""The games from which a network learns draughts, each against an opponent that does not learn, and its test games."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from ludus._core import TrainingOptions, side_seed
from ludus._core import draughts as _core
from ludus.arena import game as arena
from ludus.arena.game import Played, Rules, Task
from ludus.games import draughts
from ludus.players import Player, networks, searches
from ludus.players.evaluators import BoardNetwork, FeatureNetwork, Polynomial
from ludus.players.networks import Theta
from ludus.players.searches import AlphaBeta, Budget, Greedy, Minimax
from ludus.workers import Workers

_TABLE = 1  # megabytes: enough for the depths of training, and quick to make


Valuing = FeatureNetwork | BoardNetwork | Polynomial  # evaluators that can learn so


class Method(Struct, frozen=True, kw_only=True):
    """How a learner chooses its moves, and what it learns from a game: everything but its weights."""

    evaluator: Valuing
    search: Greedy | Minimax | AlphaBeta
    budget: Budget | None = None
    gamma: float = 0.98
    decay: float = 0.1  # lambda
    momentum: float = 0.9
    rate: float = 1.0  # times 1 / inputs in each layer
    held: tuple[int, ...] = ()  # weights that stay as they are, by their place in theta
    leaf: bool = False  # learn from the end of the principal variation, not from the move's own afterstate
    epsilon: float = 0.0  # how often a random move is played instead
    opening_plies: int = 0  # random moves of both sides before the lesson begins
    rules: Rules = Rules()

    def __post_init__(self) -> None:
        if self.leaf and not isinstance(self.search, AlphaBeta):
            raise ValueError("only alpha-beta tells the principal variation, whose end is to be learned from")
        searches.reproducible(searches.checked_budget(self.search, self.budget))

    def rates(self) -> Theta:
        """The learning rate of each weight: 1 / inputs in each layer, times `rate`."""
        rates = np.concatenate(
            [np.full(networks.weights([layer]), self.rate / layer.inputs) for layer in self.evaluator.layers]
        )
        rates[list(self.held)] = 0
        return rates.astype(np.float32)

    def options(self) -> TrainingOptions:
        """How the core plays a training game. The trace fades by lambda alone, as in the papers."""
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

    def side(self, evaluator: Any, seed: int) -> _core.MatchSide:
        """The core's search with this evaluator."""
        search = self._small_search()
        budget = searches.core_budget(search, searches.checked_budget(search, self.budget))
        return _core.MatchSide(searches.build(search, _core, evaluator), budget, seed=seed)

    def player(self, name: str, theta: Theta) -> Player:
        """The player with these weights."""
        return Player(
            name=name, game="draughts", search=self.search, evaluator=self.evaluator, budget=self.budget, theta=theta
        )

    def tested(self, theta: Theta) -> Player:
        """The player with these weights as it plays test games."""
        return msgspec.structs.replace(self.player("learner", theta), search=self._small_search())

    def _small_search(self) -> Greedy | Minimax | AlphaBeta:
        if isinstance(self.search, AlphaBeta):
            return msgspec.structs.replace(self.search, table_megabytes=_TABLE)
        return self.search


class Lesson(Struct, frozen=True, kw_only=True):
    """A game to be played. Equal lessons give equal games, whoever plays them and wherever."""

    method: Method
    theta: Any  # the learner's weights
    opponent: Any  # the opponent's
    board: str  # where it starts
    second: bool  # the learner has the side that is not to move there
    seed: int


class Lived(Struct, frozen=True, kw_only=True):
    """What came of a lesson."""

    theta: Any  # the learner's weights after it
    reward: int  # 1, 0 or -1
    plies: int


def play(lesson: Lesson) -> Lived:
    """Plays the game."""
    method = lesson.method
    evaluator = method.evaluator.build(_core, lesson.theta)
    start = draughts.Position(lesson.board)
    side = ~start.turn if lesson.second else start.turn
    played = _core.play_training_game(
        evaluator,
        networks.build(method.evaluator.layers, lesson.theta),
        method.side(evaluator, side_seed(lesson.seed, 1)),
        method.side(method.evaluator.build(_core, lesson.opponent), side_seed(lesson.seed, 0)),
        _core.TrainingGame(start=start, learner=side, rates=method.rates(), options=method.options(), seed=lesson.seed),
    )
    winner = played.result.winner
    reward = 0 if winner is None else 1 if winner == side else -1
    return Lived(theta=played.theta, reward=reward, plies=played.result.plies)


def stream(seed: int, *path: int) -> int:
    """The seed of one game of a run."""
    return int(np.random.default_rng([seed, *path]).integers(2**63))


def teach(
    method: Method,
    theta: Theta,
    opponent: Theta,
    boards: Sequence[str],
    seed: int,
    games: range,
    workers: Workers,
    *,
    together: bool,
) -> tuple[Theta, list[int]]:
    """The weights after these games of a run, and their rewards. Game by game the colours change, then the boards.

    Games `together` all begin with the same weights, and what each of them changed is added up in their order; else
    each begins with what the one before it has learned.
    """

    def lesson(game: int, weights: Theta) -> Lesson:
        return Lesson(
            method=method,
            theta=weights,
            opponent=opponent,
            board=boards[game // 2 % len(boards)],
            second=game % 2 == 1,
            seed=stream(seed, 0, game),
        )

    rewards: list[int] = []
    learned = theta.copy()
    if together:
        for lived in workers.map(play, (lesson(game, theta) for game in games)):
            learned += lived.theta - theta
            rewards.append(lived.reward)
        return learned, rewards
    for game in games:
        lived = play(lesson(game, learned))
        learned = lived.theta
        rewards.append(lived.reward)
    return learned, rewards


def duel(
    method: Method, one: Theta, other: Theta, boards: Sequence[str], seed: int, rival: Method | None = None
) -> list[Task]:
    """Two test games a board, one a colour, between two learners; the second may have a method of its own.

    Each is a match game. The first learner moves first in the first of the two.
    """
    players = method.tested(one), (rival or method).tested(other)
    digests = arena.digest(players[0]), arena.digest(players[1])
    return [
        Task(
            index=2 * place + second,
            players=players[::-1] if second else players,
            digests=digests[::-1] if second else digests,
            opening=(),
            rules=method.rules,
            seed=stream(seed, place),
            start=board,
            streams=(0, 1) if second else (1, 0),
        )
        for place, board in enumerate(boards)
        for second in (False, True)
    ]


def points(played: Sequence[Played]) -> list[int]:
    """The points of a duel's first learner on each board: 2 a win and 1 a draw, so 0 to 4."""
    return [round(2 * (one.points + 1 - other.points)) for one, other in zip(played[::2], played[1::2], strict=True)]
