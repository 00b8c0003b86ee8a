"""Operators on weights: how the genetic learner makes new networks of old ones. Pure functions of arrays and chance."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ludus.players.networks import Network, Theta

LIMIT = 1.0  # weights stay within so much of zero

Numbers = NDArray[np.float32]


def step_of(weights: int) -> float:
    """The largest step of the text's mutation for a network of so many weights: 1 / sqrt(2 sqrt(K))."""
    return float(1 / np.sqrt(2 * np.sqrt(weights)))


def exchange(dominant: Theta, submissive: Theta, node: slice, threshold: float) -> tuple[Theta, Theta]:
    """Two children: each parent with the other's values where the dominant one's exceed the threshold.

    `node` is the part of theta that feeds a node; nothing else changes.
    """
    strong = np.zeros(dominant.size, bool)
    strong[node] = np.abs(dominant[node]) > threshold
    return np.where(strong, submissive, dominant), np.where(strong, dominant, submissive)


def additive(theta: Theta, rng: np.random.Generator, scale: float = 1.0) -> Theta:
    """The text's mutation: every weight moves by a uniform step of its own and is clipped; `scale` widens the steps."""
    step = scale * step_of(theta.size)
    return _clipped(theta + step * rng.uniform(-1, 1, theta.size))


def safe(theta: Theta, sensitivity: Numbers, change: float, rng: np.random.Generator) -> Theta:
    """Safe mutation (Lehman et al. 2017): the steps of a weight are the smaller the more the output depends on it.

    To first order the output changes by `change`, root mean square over the positions the sensitivities come from,
    and each weight has an equal share of it; a weight that hardly matters moves as one of a tenth of the mean.
    """
    floor = 0.1 * float(sensitivity.mean())
    if floor == 0:  # the output is flat: no step is known to be safe, or not to be
        return additive(theta, rng)
    steps = np.minimum(change * np.sqrt(3 / theta.size) / np.maximum(sensitivity, floor), LIMIT)
    return _clipped(theta + steps * rng.uniform(-1, 1, theta.size))


def sensitivity(network: Network, positions: Iterable[tuple[Numbers, float]]) -> Numbers:
    """How much the output depends on each weight: the root mean square of its derivative over encoded positions.

    A position is its inputs and what goes straight into the output node.
    """
    squares = np.zeros(network.theta.size, np.float64)
    count = 0
    for inputs, direct in positions:
        squares += np.square(network.gradient(inputs, direct)[1], dtype=np.float64)
        count += 1
    return np.sqrt(squares / max(count, 1)).astype(np.float32)


def _clipped(theta: NDArray[np.float64]) -> Theta:
    return np.clip(theta, -LIMIT, LIMIT).astype(np.float32)
