"""Kohonen maps: boards that look alike come to lie together. Also k-means and chance, to compare with.

A map is an array [units, attributes]. Its units lie in rows and columns; a chain is one row. To learn from a point, the
nearest unit by Euclidean distance (the winner) and its neighbours move towards it by the share alpha.
"""

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Points = NDArray[np.float64]  # [points, attributes], or units
Places = NDArray[np.int64]  # a unit for each point

Method = Literal["chain", "grid", "kmeans", "random"]


class Schedule(Struct, frozen=True, kw_only=True):
    """How alpha falls: by a factor each epoch, as long as it is not below the last one."""

    alpha: float = 0.9
    factor: float = 0.99
    last: float = 0.1

    def __post_init__(self) -> None:
        if not (0 < self.last <= self.alpha <= 1 and 0 < self.factor < 1):
            raise ValueError("alpha falls from at most 1 by a factor below 1 to more than 0")

    @property
    def epochs(self) -> int:
        """How many epochs that makes."""
        return 1 + math.floor(math.log(self.last / self.alpha) / math.log(self.factor) + 1e-9)

    def at(self, epoch: int) -> float:
        """Alpha in an epoch, the first being 0."""
        return self.alpha * self.factor**epoch


def shape(method: Method, units: int) -> tuple[int, int]:
    """Rows and columns: a grid is as square as its number of units allows, everything else is a row."""
    if method != "grid":
        return 1, units
    rows = max(rows for rows in range(1, math.isqrt(units) + 1) if units % rows == 0)
    return rows, units // rows


def reach(rows: int, columns: int, epoch: int, epochs: int) -> int:
    """How far from the winner units still move: one place in a chain; in a grid it shrinks from half its width to 0."""
    if rows == 1:
        return 1
    return round(columns // 2 * (1 - epoch / max(1, epochs - 1)))


def squared_distances(points: Points, units: Points) -> Points:
    """[points, units]"""
    return np.asarray(((points[:, None, :] - units[None, :, :]) ** 2).sum(axis=2))


def nearest(points: Points, units: Points) -> Places:
    """The unit nearest to each point, the first where several are."""
    return np.asarray(squared_distances(points, units).argmin(axis=1), np.int64)


def neighbours(rows: int, columns: int, distance: int) -> NDArray[np.bool_]:
    """[units, units]: who is within this distance of whom, rows and columns counted alike."""
    row, column = np.divmod(np.arange(rows * columns), columns)
    apart = np.maximum(abs(row[:, None] - row[None, :]), abs(column[:, None] - column[None, :]))
    return np.asarray(apart <= distance)


def epoch(units: Points, points: Points, near: NDArray[np.bool_], alpha: float) -> Points:
    """The units after they have learned from each point, in order."""
    units = units.copy()
    for point in points:
        winner = ((units - point) ** 2).sum(axis=1).argmin()
        units[near[winner]] += alpha * (point - units[near[winner]])
    return units


def first_units(points: Points, count: int, seed: int) -> Points:
    """Units drawn uniformly from the box in which the points lie."""
    rng = np.random.default_rng([seed, 0])
    return np.asarray(rng.uniform(points.min(axis=0), points.max(axis=0), (count, points.shape[1])))


def learn(
    points: Points, rows: int, columns: int, schedule: Schedule, seed: int, units: Points | None = None, done: int = 0
) -> Iterator[Points]:
    """The units after each epoch, from the first or from those that `done` epochs have led to."""
    if units is None:
        units = first_units(points, rows * columns, seed)
    for index in range(done, schedule.epochs):
        near = neighbours(rows, columns, reach(rows, columns, index, schedule.epochs))
        # In another order each time, for the last points of an epoch are remembered best.
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


def dealt(points: Points, count: int, seed: int) -> Places:
    """A unit by chance for each point, as evenly as can be."""
    order = np.random.default_rng([seed, 3]).permutation(len(points))
    places = np.empty(len(points), np.int64)
    places[order] = np.arange(len(points)) % count
    return places


def centres(points: Points, places: Places, units: Points) -> Points:
    """The mean of the points of each unit; a unit without points is where it was."""
    result = units.copy()
    for unit in np.unique(places):
        result[unit] = points[places == unit].mean(axis=0)
    return result


def quantisation_error(points: Points, units: Points) -> float:
    """The mean distance of a point from the nearest unit."""
    return float(np.sqrt(squared_distances(points, units).min(axis=1)).mean())


def topographic_error(points: Points, units: Points, rows: int, columns: int) -> float:
    """The share of points whose two nearest units do not lie side by side; a map of one unit has none."""
    if rows * columns == 1:
        return 0.0
    first, second = squared_distances(points, units).argsort(axis=1, kind="stable")[:, :2].T
    return float(1 - neighbours(rows, columns, 1)[first, second].mean())
