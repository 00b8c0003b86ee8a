"""Self-play with cloning, the training of NeuroDraughts (Lynch 1997) and of the programs that follow it.

The learner plays a frozen clone of itself, the colours alternating, and only the learner learns. After each set of
games both play test games without learning. If the learner reaches the threshold, a copy of it is the new clone. At the
end a round robin of the clones chooses the player.

Ours adds five things to this. The weights change by Adam, a step for each batch of games. The mean of the learner's
weights over its last games is what is tested and copied: the weights themselves go up and down from game to game. The
learning rate falls. A learner that fails its test goes back to the weights of the clone. The first clone is one of
those that the round robin chooses from.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ludus.arena import play as arena
from ludus.learning import training_games
from ludus.learning.adam import Adam
from ludus.learning.learner import Arrays, State
from ludus.learning.training_games import TrainingSetup
from ludus.players.networks import Theta
from ludus.workers import Workers

_CHUNK = 25  # games between two states when one game is trained after the other

# The rate within the games of a batch whose changes only tell a gradient: they are divided by it afterwards. It is so
# low that the weights hardly move during a game, and high enough for single precision.
GRADIENT_RATE = 0.02

Restart = Literal["never", "failed", "always"]  # after which tests the learner goes back to the weights of the clone


class CloningPlan(Struct, frozen=True, kw_only=True):
    """A training by cloning: how long it is, and when the clone is replaced."""

    setup: TrainingSetup
    sets: int
    games: int  # in a set
    batch: int  # games that start from the same weights; 1 trains game by game
    threshold: float  # score in the test, from 0 to 1, at which the learner replaces the clone
    every_board: bool  # the threshold holds for each test board, not for the mean of all
    start_boards: tuple[str, ...]  # of the training games
    test_pool: tuple[str, ...]  # the boards that test boards are drawn from
    test_boards: int  # drawn after each set; 0 uses the start boards
    final_boards: int  # drawn for the round robin; 0 uses the start boards
    average_games: int = 0  # over which the weights are averaged; 0 takes the weights themselves
    rate_halving: int = 0  # games after which the learning rate is half as high; 0 keeps it
    adam_rate: float = 0.0  # of the steps of Adam; 0 adds up the changes of the games, which learn at the setup's rate
    restart: Restart = "never"
    restart_below: float = 1.0  # score in the test below which it counts as failed for `restart`
    first_clone: bool = False  # the first clone takes part in the round robin
    final_clones: int = 0  # the newest clones that take part in it; 0 takes all

    def rate_factor(self, game: int) -> float:
        """The part of the first learning rate that is left at the game with this number."""
        return 1 / (1 + game / self.rate_halving) if self.rate_halving else 1.0

    def draw_boards(self, count: int, *path: int) -> list[str]:
        """`count` random boards of the test pool, all of it if it has no more, or the start boards for 0."""
        if not count or count >= len(self.test_pool):
            return list(self.test_pool if count else self.start_boards)
        indices = np.random.default_rng(path).choice(len(self.test_pool), count, replace=False)
        return [self.test_pool[index] for index in sorted(indices)]

    def restarts(self, points: Sequence[int], *, promoted: bool) -> bool:
        """Whether a learner with these points, 0 to 4 a board, goes back to the weights of the clone."""
        failed = not promoted and sum(points) < 4 * len(points) * self.restart_below
        return self.restart == "always" or (self.restart == "failed" and failed)

    def passes(self, points: Sequence[int]) -> bool:
        """Whether a learner with these points, 0 to 4 a board, replaces the clone."""
        scores = [point / 4 for point in points]
        return (min(scores) if self.every_board else sum(scores) / len(scores)) >= self.threshold


class Average(Struct, frozen=True, kw_only=True):
    """The mean of the learner's weights: of all games at first, and later one that forgets old games."""

    weights: NDArray[np.float64]
    games: int = 0  # that it is the mean of, at most the `most` of `add`

    def add(self, theta: Theta, games: int, most: int) -> "Average":
        """The mean with the weights after `games` more games. It changes as if it were the mean of at most `most`."""
        total = max(games, min(self.games + games, most))
        return Average(weights=self.weights + games / total * (theta - self.weights), games=total)


class CloningState(Struct, frozen=True, kw_only=True):
    """How far a training by cloning has come."""

    theta: Theta  # the learner's weights
    clone: Theta  # its opponent's
    first: Theta  # the first clone's
    average: Average
    adam: Adam
    clones: tuple[Theta, ...] = ()  # all clones that replaced another, in order
    games: int = 0  # played
    rewards: tuple[int, ...] = ()  # of the games of the current set, or of the one just finished
    points: tuple[int, ...] | None = None  # after a set: those of the test games, 0 to 4 a board
    promoted: bool = False  # after a set: the learner replaced the clone

    @staticmethod
    def begin(theta: Theta) -> "CloningState":
        """The state before the first game: the learner and its clone have these weights."""
        average = Average(weights=theta.astype(np.float64))
        return CloningState(theta=theta, clone=theta, first=theta, average=average, adam=Adam.begin(theta))

    def state(self) -> State:
        """The state that a checkpoint keeps."""
        arrays: Arrays = {"theta": self.theta, "clone": self.clone, "first": self.first}
        arrays |= {"average": self.average.weights, "adam_mean": self.adam.mean, "adam_square": self.adam.square}
        if self.clones:
            arrays["clones"] = np.stack(self.clones)
        facts = {
            "games": self.games,
            "rewards": list(self.rewards),
            "averaged": self.average.games,
            "adam_steps": self.adam.steps,
        }
        return State(arrays=arrays, facts=facts)

    @staticmethod
    def of(state: State) -> "CloningState":
        """The inverse of `state`, without the results of the last test: they are not needed to go on.

        Raises ValueError for a state of an earlier version.
        """
        if "average" not in state.arrays or "adam_mean" not in state.arrays:
            raise ValueError("this run was begun by an earlier version, which learned in another way; train it anew")
        return CloningState(
            theta=state.arrays["theta"],
            clone=state.arrays["clone"],
            first=state.arrays["first"],
            average=Average(weights=state.arrays["average"], games=state.facts["averaged"]),
            adam=Adam(
                mean=state.arrays["adam_mean"], square=state.arrays["adam_square"], steps=state.facts["adam_steps"]
            ),
            clones=tuple(state.arrays["clones"]) if "clones" in state.arrays else (),
            games=state.facts["games"],
            rewards=tuple(state.facts["rewards"]),
        )

    def learned(self, plan: CloningPlan) -> Theta:
        """The weights that are tested and copied: the mean of the last games, or the learner's own."""
        return self.average.weights.astype(np.float32) if plan.average_games else self.theta

    def candidates(self, plan: CloningPlan) -> dict[int, Theta]:
        """The weights that the round robin chooses from, by the number of the clone; the first clone has the number 0.

        If the learner never replaced its clone, the first clone is the only one; without it, the learner is number 1.
        """
        found = dict(enumerate(self.clones, 1))
        if plan.final_clones:
            found = {number: theta for number, theta in found.items() if number > len(self.clones) - plan.final_clones}
        if plan.first_clone:
            return {0: self.first, **found}
        return found or {1: self.learned(plan)}


def train(plan: CloningPlan, current: CloningState, seed: int, workers: Workers) -> Iterator[CloningState]:
    """Trains to the end of the last set; a state every few games and after each set."""
    while current.games < plan.sets * plan.games:
        in_set = current.games % plan.games
        count = min(plan.batch if plan.batch > 1 else _CHUNK, plan.games - in_set)
        steps, rewards = training_games.train(
            plan.setup,
            current.theta,
            current.clone,
            plan.start_boards,
            seed,
            range(current.games, current.games + count),
            workers,
            batch=plan.batch > 1,
            rate_factor=(lambda _: 1.0) if plan.adam_rate else plan.rate_factor,
        )
        adam = current.adam
        if plan.adam_rate:
            adam = adam.add(_gradient(plan.setup, steps[-1] - current.theta, count))
            steps = [current.theta + adam.step(plan.adam_rate * plan.rate_factor(current.games))]
        average = current.average
        for theta in steps:
            average = average.add(theta, count // len(steps), plan.average_games)
        current = msgspec.structs.replace(
            current,
            theta=steps[-1],
            average=average,
            adam=adam,
            games=current.games + count,
            rewards=(*(current.rewards if in_set else ()), *rewards),
            points=None,
            promoted=False,
        )
        if current.games % plan.games == 0:
            current = _tested(plan, current, seed, workers)
        yield current


def _gradient(setup: TrainingSetup, change: Theta, games: int) -> Theta:
    """The mean gradient of games that change the weights so; 0 for fixed weights."""
    rates = games * setup.rates()
    return np.divide(change, rates, out=np.zeros_like(change), where=rates > 0)


def _tested(plan: CloningPlan, current: CloningState, seed: int, workers: Workers) -> CloningState:
    boards = plan.draw_boards(plan.test_boards, seed, 1, current.games)
    learned = current.learned(plan)
    games = training_games.test_games(
        plan.setup, learned, current.clone, boards, training_games.derived_seed(seed, 1, current.games)
    )
    points = tuple(training_games.board_points(list(workers.map(arena.play, games))))
    current = msgspec.structs.replace(current, points=points)
    if plan.passes(points):
        clones = (*current.clones, learned)
        current = msgspec.structs.replace(current, clone=learned, clones=clones, promoted=True)
    if plan.restarts(points, promoted=current.promoted):
        average = Average(weights=current.clone.astype(np.float64))
        current = msgspec.structs.replace(current, theta=current.clone, average=average, adam=Adam.begin(current.clone))
    return current


def round_robin(plan: CloningPlan, clones: Sequence[Theta], seed: int, workers: Workers) -> list[int]:
    """The points of each clone in games of all against all."""
    boards = plan.draw_boards(plan.final_boards, seed, 2)
    pairs = list(combinations(range(len(clones)), 2))
    games = [
        game
        for one, other in pairs
        for game in training_games.test_games(
            plan.setup, clones[one], clones[other], boards, training_games.derived_seed(seed, 2)
        )
    ]
    points = training_games.board_points(list(workers.map(arena.play, games)))
    totals = [0] * len(clones)
    for index, (one, other) in enumerate(pairs):
        won = sum(points[index * len(boards) : (index + 1) * len(boards)])
        totals[one] += won
        totals[other] += 4 * len(boards) - won
    return totals


def choose(plan: CloningPlan, candidates: dict[int, Theta], seed: int, workers: Workers) -> tuple[int, list[int]]:
    """The number of the candidate with the most points in the round robin, the first of equals, and all points."""
    points = round_robin(plan, list(candidates.values()), seed, workers)
    return list(candidates)[int(np.argmax(points))], points


def train_fully(plan: CloningPlan, theta: Theta, seed: int) -> Theta:
    """The weights of the player after the whole training, from these initial weights. All of it runs in this thread."""
    workers = Workers()
    current = CloningState.begin(theta)
    for reached in train(plan, current, seed, workers):
        current = reached
    candidates = current.candidates(plan)
    return candidates[choose(plan, candidates, seed, workers)[0]]
