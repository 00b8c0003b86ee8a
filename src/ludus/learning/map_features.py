"""A genetic algorithm selects the attributes of a Kohonen map: what MP-Draughts' paper names as future work.

A chromosome is a mask of the features. A map on the selected features clusters the boards, and a specialist learns from
the boards of each unit for a short time. Then the specialists play the generalist on boards that were held out, each on
those nearest to its unit. The fitness is their score. Parents and children compete; a mask is evaluated once.
"""

from collections.abc import Iterator

import msgspec
import numpy as np
from msgspec import Struct

from ludus.learning import feature_masks, kohonen, specialists, training_games
from ludus.learning.kohonen import Clustering, Points, Schedule
from ludus.learning.specialists import SpecialistConfig, TeamTest
from ludus.players import Player
from ludus.players.evaluators import FeatureNetwork
from ludus.workers import Workers

MUTATION_RATE = 0.1
HOLD_OUT = 5  # every fifth board is held out
_SPEED_UP = 8  # alpha falls as fast as in so many epochs, because many maps are made


class FitnessTask(Struct, frozen=True, kw_only=True):
    """A mask whose fitness is wanted, as a task for a worker."""

    mask: int
    points: Points  # the attributes of each board: [boards, features]
    boards: tuple[str, ...]
    clustering: Clustering
    units: int
    schedule: Schedule
    config: SpecialistConfig  # trains a specialist
    generalist: Player
    seed: int


def fitness(task: FitnessTask) -> float:
    """The specialists' score against the generalist, from 0 to 1, on the boards that were held out."""
    points = task.points[:, [index for index in range(task.points.shape[1]) if task.mask >> index & 1]]
    held_out = np.arange(len(points)) % HOLD_OUT == HOLD_OUT - 1
    units = _units(task, points[~held_out])
    assignment = kohonen.nearest(points[~held_out], units)
    owners = np.unique(assignment)
    training_boards = [board for board, is_held_out in zip(task.boards, held_out, strict=True) if not is_held_out]
    network, theta = task.generalist.evaluator, task.generalist.theta
    assert isinstance(network, FeatureNetwork)
    assert theta is not None
    initial = specialists.widened(theta, network, task.config.evaluator())
    thetas = []
    for owner in owners:
        boards = [training_boards[index] for index in np.flatnonzero(assignment == owner)]
        seed = training_games.derived_seed(task.seed, 20, int(owner))
        thetas.append(task.config.train_specialist(boards, initial, seed))
    won = 0.0
    tested = np.flatnonzero(held_out)
    for index, owner in zip(tested, kohonen.nearest(points[held_out], units[owners]), strict=True):
        specialist = msgspec.structs.replace(task.generalist, evaluator=task.config.evaluator(), theta=thetas[owner])
        games = TeamTest(
            player=specialist,
            opponent=task.generalist,
            boards=(task.boards[index],),
            rules=task.config.setup().rules,
            seed=training_games.derived_seed(task.seed, 21, int(index)),
        )
        won += sum(map(sum, specialists.test(games)))
    return won / (2 * len(tested))


def _units(task: FitnessTask, points: Points) -> Points:
    if task.clustering == "kmeans":
        return kohonen.k_means(points, task.units, task.seed)
    schedule = msgspec.structs.replace(task.schedule, factor=task.schedule.factor**_SPEED_UP)
    rows, columns = kohonen.shape(task.clustering, task.units)
    *_, units = kohonen.learn(points, rows, columns, schedule, task.seed)
    return units


class Selection(Struct, frozen=True, kw_only=True):
    """The state of the genetic algorithm after a generation."""

    generation: int
    parents: tuple[int, ...]  # masks, the best first
    tried: dict[int, float]  # the fitness of every mask so far


def select(
    example: FitnessTask, population: int, generations: int, latest: Selection | None, workers: Workers
) -> Iterator[Selection]:
    """The selection after each generation from 0, or from the one after `latest`; `example` has any mask."""
    size = example.points.shape[1]
    for generation in range(0 if latest is None else latest.generation + 1, generations + 1):
        rng = np.random.default_rng([example.seed, 22, generation])
        parents, tried = ((), {}) if latest is None else (latest.parents, dict(latest.tried))
        if parents:
            children = feature_masks.offspring(parents, size, population, MUTATION_RATE, rng)
        else:
            children = feature_masks.random_masks(population, size, rng)
        new = [msgspec.structs.replace(example, mask=mask) for mask in dict.fromkeys(children) if mask not in tried]
        tried |= dict(zip((task.mask for task in new), workers.map(fitness, new), strict=True))
        rivals = sorted({*parents, *children}, key=lambda mask: (-tried[mask], mask))
        latest = Selection(generation=generation, parents=tuple(rivals[:population]), tried=tried)
        yield latest
