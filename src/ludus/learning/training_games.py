"""Lessons: the games from which a network learns draughts, each against an opponent that does not learn."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from ludus._core import draughts as _core
from ludus.arena.task import Rules
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

    def thinking(self, evaluator: Any) -> tuple[Any, tuple[int, int, float]]:
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


class Lesson(Struct, frozen=True, kw_only=True):
    """A game to be played. Equal lessons give equal games, whoever plays them and wherever."""

    method: Method
    theta: Any  # the learner's weights
    opponent: Any  # the opponent's
    rival: Method | None = None  # the opponent's method, if it is another
    board: str  # where it starts
    second: bool  # the learner has the side that is not to move there
    seed: int
    test: bool = False  # nothing is learned and no move is random


class Lived(Struct, frozen=True, kw_only=True):
    """What came of a lesson."""

    theta: Any  # the learner's weights after it
    reward: int  # 1, 0 or -1
    plies: int


def play(lesson: Lesson) -> Lived:
    """Plays the game."""
    method, rival = lesson.method, lesson.rival or lesson.method
    evaluator = method.evaluator.build(_core, lesson.theta)
    rates = method.rates()
    start = draughts.Position(lesson.board)
    network, reward, plies = _core.lesson(
        evaluator,
        networks.build(method.evaluator.layers, lesson.theta),
        *method.thinking(evaluator),
        *rival.thinking(rival.evaluator.build(_core, lesson.opponent)),
        start,
        ~start.turn if lesson.second else start.turn,
        rates=np.zeros_like(rates) if lesson.test else rates,
        gamma=method.gamma,
        decay=method.decay,
        momentum=method.momentum,
        leaf=method.leaf and not lesson.test,
        epsilon=0.0 if lesson.test else method.epsilon,
        opening_plies=0 if lesson.test else method.opening_plies,
        rules=method.rules.core(),
        seed=lesson.seed,
    )
    return Lived(theta=network.theta, reward=round(reward), plies=plies)


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
) -> list[Lesson]:
    """Two test games a board, one a colour, between two learners; the second may have a method of its own."""
    return [
        Lesson(
            method=method,
            theta=one,
            opponent=other,
            rival=rival,
            board=board,
            second=second,
            seed=stream(seed, place),
            test=True,
        )
        for place, board in enumerate(boards)
        for second in (False, True)
    ]


def points(lived: Sequence[Lived]) -> list[int]:
    """The points of a duel's first learner on each board: 2 a win and 1 a draw, so 0 to 4."""
    return [one.reward + other.reward + 2 for one, other in zip(lived[::2], lived[1::2], strict=True)]
