"""Self-play with cloning, the training of NeuroDraughts (Lynch 1997) and of the programs that follow it.

The learner plays a frozen clone of itself, the colours alternating, and only the learner learns. After each set of
games both play test games without learning. If the learner reaches the threshold, a copy of it is the new clone. At the
end a round robin of all clones chooses the player.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec
import numpy as np
from msgspec import Struct

from ludus.arena import play as arena
from ludus.learning import training_games
from ludus.learning.learner import State
from ludus.learning.training_games import TrainingSetup
from ludus.players.networks import Theta
from ludus.workers import Workers

_CHUNK = 25  # games between two states when one game is trained after the other


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

    def draw_boards(self, count: int, *path: int) -> list[str]:
        """`count` random boards of the test pool, all of it if it has no more, or the start boards for 0."""
        if not count or count >= len(self.test_pool):
            return list(self.test_pool if count else self.start_boards)
        indices = np.random.default_rng(path).choice(len(self.test_pool), count, replace=False)
        return [self.test_pool[index] for index in sorted(indices)]

    def passes(self, points: Sequence[int]) -> bool:
        """Whether a learner with these points, 0 to 4 a board, replaces the clone."""
        scores = [point / 4 for point in points]
        return (min(scores) if self.every_board else sum(scores) / len(scores)) >= self.threshold


class CloningState(Struct, frozen=True, kw_only=True):
    """How far a training by cloning has come."""

    theta: Theta  # the learner's weights
    clone: Theta  # its opponent's
    clones: tuple[Theta, ...] = ()  # all clones that replaced another, in order
    games: int = 0  # played
    rewards: tuple[int, ...] = ()  # of the games of the current set, or of the one just finished
    points: tuple[int, ...] | None = None  # after a set: those of the test games, 0 to 4 a board
    promoted: bool = False  # after a set: the learner replaced the clone

    def state(self) -> State:
        """The state that a checkpoint keeps."""
        arrays = {"theta": self.theta, "clone": self.clone}
        if self.clones:
            arrays["clones"] = np.stack(self.clones)
        return State(arrays=arrays, facts={"games": self.games, "rewards": list(self.rewards)})

    @staticmethod
    def of(state: State) -> "CloningState":
        """The inverse of `state`, without the results of the last test: they are not needed to go on."""
        return CloningState(
            theta=state.arrays["theta"],
            clone=state.arrays["clone"],
            clones=tuple(state.arrays["clones"]) if "clones" in state.arrays else (),
            games=state.facts["games"],
            rewards=tuple(state.facts["rewards"]),
        )

    def candidates(self) -> tuple[Theta, ...]:
        """The weights that the round robin chooses from: the clones, or the learner if it never replaced its clone."""
        return self.clones or (self.theta,)


def train(plan: CloningPlan, current: CloningState, seed: int, workers: Workers) -> Iterator[CloningState]:
    """Trains to the end of the last set; a state every few games and after each set."""
    while current.games < plan.sets * plan.games:
        in_set = current.games % plan.games
        count = min(plan.batch if plan.batch > 1 else _CHUNK, plan.games - in_set)
        theta, rewards = training_games.train(
            plan.setup,
            current.theta,
            current.clone,
            plan.start_boards,
            seed,
            range(current.games, current.games + count),
            workers,
            batch=plan.batch > 1,
        )
        current = CloningState(
            theta=theta,
            clone=current.clone,
            clones=current.clones,
            games=current.games + count,
            rewards=(*(current.rewards if in_set else ()), *rewards),
        )
        if current.games % plan.games == 0:
            current = _tested(plan, current, seed, workers)
        yield current


def _tested(plan: CloningPlan, current: CloningState, seed: int, workers: Workers) -> CloningState:
    boards = plan.draw_boards(plan.test_boards, seed, 1, current.games)
    games = training_games.test_games(
        plan.setup, current.theta, current.clone, boards, training_games.derived_seed(seed, 1, current.games)
    )
    points = tuple(training_games.board_points(list(workers.map(arena.play, games))))
    if not plan.passes(points):
        return msgspec.structs.replace(current, points=points)
    return msgspec.structs.replace(
        current, clone=current.theta, clones=(*current.clones, current.theta), points=points, promoted=True
    )


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


def train_fully(plan: CloningPlan, theta: Theta, seed: int) -> Theta:
    """The weights of the player after the whole training, from these initial weights. All of it runs in this thread."""
    workers = Workers()
    current = CloningState(theta=theta, clone=theta)
    for reached in train(plan, current, seed, workers):
        current = reached
    clones = current.candidates()
    return clones[int(np.argmax(round_robin(plan, clones, seed, workers)))]
