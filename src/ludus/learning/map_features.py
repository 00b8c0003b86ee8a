"""A genetic algorithm looks for the features that a Kohonen map should be told of: the future work of MP-Draughts.

A chromosome is a mask over the features. A map that is told of these puts boards together, and from those of each unit
a specialist learns for a little while. Then each meets the generalist on boards that nobody has learned from and that
lie nearest to its unit; the fitness is the share of the points. Parents and children compete; a mask is tried once.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from ludus.arena import game as arena
from ludus.learning import kohonen, specialist, training_games
from ludus.learning.cloning import VisionDraughts
from ludus.learning.kohonen import Points, Schedule
from ludus.learning.ls_draughts import bred, first_masks
from ludus.workers import Workers

MUTATION = 0.1
HELD = 5  # each so many-th board is held back
_HASTE = 8  # epochs of a map in one: its alpha falls faster, for many maps are made


class Trial(Struct, frozen=True, kw_only=True):
    """A mask to be tried. Equal trials give equal shares of points."""

    mask: int
    points: Any  # what a map can be told of each board: [boards, features]
    boards: tuple[str, ...]
    clusters: kohonen.Method
    units: int
    schedule: Schedule
    config: VisionDraughts  # how a specialist learns
    generalist: Any  # its weights
    seed: int


def share(trial: Trial) -> float:
    """The specialists' share of the points against the generalist on the boards that were held back."""
    points = trial.points[:, [place for place in range(trial.points.shape[1]) if trial.mask >> place & 1]]
    held = np.arange(len(points)) % HELD == HELD - 1
    units = _units(trial, points[~held])
    places = kohonen.nearest(points[~held], units)
    owners = np.unique(places)
    learned_from = [board for board, is_held in zip(trial.boards, held, strict=True) if not is_held]
    thetas = []
    for owner in owners:
        own = [learned_from[index] for index in np.flatnonzero(places == owner)]
        seed = training_games.stream(trial.seed, 20, int(owner))
        thetas.append(specialist.train(trial.config, own, trial.generalist, seed))
    method, won = trial.config.method(), 0
    tested = np.flatnonzero(held)
    for index, owner in zip(tested, kohonen.nearest(points[held], units[owners]), strict=True):
        seed = training_games.stream(trial.seed, 21, int(index))
        games = training_games.duel(method, thetas[owner], trial.generalist, [trial.boards[index]], seed)
        won += sum(training_games.points([arena.play(game) for game in games]))
    return won / (4 * len(tested))


def _units(trial: Trial, points: Points) -> Points:
    if trial.clusters == "kmeans":
        return kohonen.k_means(points, trial.units, trial.seed)
    hasty = msgspec.structs.replace(trial.schedule, factor=trial.schedule.factor**_HASTE)
    rows, columns = kohonen.shape(trial.clusters, trial.units)
    *_, units = kohonen.learn(points, rows, columns, hasty, trial.seed)
    return units


class Selection(Struct, frozen=True, kw_only=True):
    """How far it has come."""

    generation: int  # selected
    parents: tuple[int, ...]  # masks, the best first
    tried: dict[int, float]  # the fitness of every mask there ever was


def select(
    example: Trial, population: int, generations: int, begun: Selection | None, workers: Workers
) -> Iterator[Selection]:
    """A selection after each generation, the first being 0; `example` is a trial of whatever mask."""
    size = example.points.shape[1]
    for generation in range(0 if begun is None else begun.generation + 1, generations + 1):
        rng = np.random.default_rng([example.seed, 22, generation])
        parents, tried = ((), {}) if begun is None else (begun.parents, dict(begun.tried))
        children = bred(parents, size, population, MUTATION, rng) if parents else first_masks(population, size, rng)
        new = [msgspec.structs.replace(example, mask=mask) for mask in dict.fromkeys(children) if mask not in tried]
        tried |= dict(zip((trial.mask for trial in new), workers.map(share, new), strict=True))
        rivals = sorted({*parents, *children}, key=lambda mask: (-tried[mask], mask))
        begun = Selection(generation=generation, parents=tuple(rivals[:population]), tried=tried)
        yield begun


def named(mask: int, features: Sequence[str]) -> tuple[str, ...]:
    """The features of a mask."""
    return tuple(feature for place, feature in enumerate(features) if mask >> place & 1)
