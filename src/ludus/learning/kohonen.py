"""Kohonen maps, which put similar boards together; and two clusterings to compare them with: k-means and random.

A map is an array [units, attributes]. Its units lie in rows and columns; a chain is one row. To learn from a point, the
nearest unit by Euclidean distance (the winner) and its neighbours move towards it by the learning rate alpha.
"""

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Points = NDArray[np.float64]  # [points, attributes], or [units, attributes]
Assignment = NDArray[np.int64]  # the index of a unit for each point

Clustering = Literal["chain", "grid", "kmeans", "random"]


class Schedule(Struct, frozen=True, kw_only=True):
    """How alpha falls: by a factor each epoch, until it would be below the last value."""

    alpha: float = 0.9
    factor: float = 0.99
    last: float = 0.1

    def __post_init__(self) -> None:
        if not (0 < self.last <= self.alpha <= 1 and 0 < self.factor < 1):
            raise ValueError("alpha must fall from at most 1, by a factor below 1, to a last value above 0")

    @property
    def epochs(self) -> int:
        """The number of epochs."""
        return 1 + math.floor(math.log(self.last / self.alpha) / math.log(self.factor) + 1e-9)

    def at(self, epoch: int) -> float:
        """Alpha in an epoch; the first epoch is 0."""
        return self.alpha * self.factor**epoch


def shape(clustering: Clustering, units: int) -> tuple[int, int]:
    """Rows and columns: a grid is as square as its number of units allows, everything else is one row."""
    if clustering != "grid":
        return 1, units
    rows = max(rows for rows in range(1, math.isqrt(units) + 1) if units % rows == 0)
    return rows, units // rows


def radius(rows: int, columns: int, epoch: int, epochs: int) -> int:
    """The radius of the neighbourhood: 1 in a chain; in a grid it shrinks from half the width to 0."""
    if rows == 1:
        return 1
    return round(columns // 2 * (1 - epoch / max(1, epochs - 1)))


def squared_distances(points: Points, units: Points) -> Points:
    """The squared distance of each point from each unit: [points, units]"""
    return np.asarray(((points[:, None, :] - units[None, :, :]) ** 2).sum(axis=2))


def nearest(points: Points, units: Points) -> Assignment:
    """The unit nearest to each point; the first of equally near ones."""
    return np.asarray(squared_distances(points, units).argmin(axis=1), np.int64)


def neighbours(rows: int, columns: int, radius: int) -> NDArray[np.bool_]:
    """Whether two units are neighbours, at most `radius` rows and columns apart: [units, units]"""
    row, column = np.divmod(np.arange(rows * columns), columns)
    apart = np.maximum(abs(row[:, None] - row[None, :]), abs(column[:, None] - column[None, :]))
    return np.asarray(apart <= radius)


def epoch(units: Points, points: Points, near: NDArray[np.bool_], alpha: float) -> Points:
    """The units after they have learned from each point, in order; `near` has the neighbours of each unit."""
    units = units.copy()
    for point in points:
        winner = ((units - point) ** 2).sum(axis=1).argmin()
        units[near[winner]] += alpha * (point - units[near[winner]])
    return units


def initial_units(points: Points, count: int, seed: int) -> Points:
    """Units drawn uniformly from the box that contains the points."""
    rng = np.random.default_rng([seed, 0])
    return np.asarray(rng.uniform(points.min(axis=0), points.max(axis=0), (count, points.shape[1])))


def learn(
    points: Points, rows: int, columns: int, schedule: Schedule, seed: int, units: Points | None = None, done: int = 0
) -> Iterator[Points]:
    """The units after each epoch, from the initial ones or from those after `done` epochs."""
    if units is None:
        units = initial_units(points, rows * columns, seed)
    for index in range(done, schedule.epochs):
        near = neighbours(rows, columns, radius(rows, columns, index, schedule.epochs))
        # A new order each time, because the last points of an epoch have the most influence.
        order = np.random.default_rng([seed, 1, index]).permutation(len(points))
        units = epoch(units, points[order], near, schedule.at(index))
        yield units


def k_means(points: Points, count: int, seed: int, most: int = 100) -> Points:
    """Lloyd's algorithm from `count` of the points, until nothing changes. A unit that loses all points stays."""
    rng = np.random.default_rng([seed, 2])
    distinct = np.unique(points, axis=0)
    chosen = rng.choice(len(distinct), min(count, len(distinct)), replace=False)
    units = np.concatenate([distinct[chosen], np.repeat(distinct[chosen[:1]], count - len(chosen), axis=0)])
    for _ in range(most):
        moved = centres(points, nearest(points, units), units)
        if np.array_equal(moved, units):
            break
        units = moved
    return units


def random_assignment(points: Points, count: int, seed: int) -> Assignment:
    """A random unit for each point; all units have the same number of points, or one more."""
    order = np.random.default_rng([seed, 3]).permutation(len(points))
    assignment = np.empty(len(points), np.int64)
    assignment[order] = np.arange(len(points)) % count
    return assignment


def centres(points: Points, assignment: Assignment, units: Points) -> Points:
    """The mean of the points of each unit; a unit without points stays where it is."""
    result = units.copy()
    for unit in np.unique(assignment):
        result[unit] = points[assignment == unit].mean(axis=0)
    return result


def quantisation_error(points: Points, units: Points) -> float:
    """The mean distance of a point from the nearest unit."""
    return float(np.sqrt(squared_distances(points, units).min(axis=1)).mean())


def topographic_error(points: Points, units: Points, rows: int, columns: int) -> float:
    """The share of points whose two nearest units are not neighbours; 0 for a map of one unit."""
    if rows * columns == 1:
        return 0.0
    first, second = squared_distances(points, units).argsort(axis=1, kind="stable")[:, :2].T
    return float(1 - neighbours(rows, columns, 1)[first, second].mean())
