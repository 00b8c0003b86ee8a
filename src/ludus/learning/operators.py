"""Operators of evolution on weights: crossover, mutation, and the search gradient of evolution strategies.

All are pure functions of arrays and a random generator.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.players import networks
from ludus.players.networks import Layer, Network, Theta

LIMIT = 1.0  # weights stay between -LIMIT and LIMIT

Numbers = NDArray[np.float32]
Doubles = NDArray[np.float64]


def largest_step(weights: int) -> float:
    """The largest step of additive mutation for a network of K weights: 1 / sqrt(2 sqrt(K))."""
    return float(1 / np.sqrt(2 * np.sqrt(weights)))


def crossover(dominant: Theta, submissive: Theta, node: slice, threshold: float) -> tuple[Theta, Theta]:
    """Two children: each parent with the other's weights where those of the dominant parent exceed the threshold.

    Only the weights in `node` change: those of the inputs of one node.
    """
    strong = np.zeros(dominant.size, bool)
    strong[node] = np.abs(dominant[node]) > threshold
    return np.where(strong, submissive, dominant), np.where(strong, dominant, submissive)


def mean(thetas: Sequence[Theta]) -> Theta:
    """The mean of several networks' weights. What their mutations have by chance shrinks, what they share stays."""
    return np.asarray(np.mean(thetas, axis=0, dtype=np.float64), np.float32)


def additive_mutation(theta: Theta, rng: np.random.Generator, scale: float = 1.0) -> Theta:
    """Adds a uniform random step to every weight and clips it; `scale` is a factor on the steps."""
    step = scale * largest_step(theta.size)
    return _clipped(theta + step * rng.uniform(-1, 1, theta.size))


def safe_mutation(theta: Theta, sensitivity: Numbers, change: float, rng: np.random.Generator) -> Theta:
    """Safe mutation (Lehman et al. 2017): the more the output depends on a weight, the smaller its step.

    To first order the output changes by `change`, as a root mean square over the positions of the sensitivities. Each
    weight contributes equally. A sensitivity below a tenth of the mean counts as a tenth of the mean.
    """
    floor = 0.1 * float(sensitivity.mean())
    if floor == 0:  # the output is flat: nothing is known about safe steps
        return additive_mutation(theta, rng)
    steps = np.minimum(change * np.sqrt(3 / theta.size) / np.maximum(sensitivity, floor), LIMIT)
    return _clipped(theta + steps * rng.uniform(-1, 1, theta.size))


def sensitivity(network: Network, positions: Iterable[tuple[Numbers, float]]) -> Numbers:
    """How much the output depends on each weight: the root mean square of its derivative over encoded positions.

    A position is given by its inputs and by what is added to the output node.
    """
    squares = np.zeros(network.theta.size, np.float64)
    count = 0
    for inputs, direct in positions:
        squares += np.square(network.gradient(inputs, direct)[1], dtype=np.float64)
        count += 1
    return np.sqrt(squares / max(count, 1)).astype(np.float32)


def rank_weights(points: Sequence[float]) -> Doubles:
    """The rank of each number, from -1/2 for the smallest to 1/2 for the largest; equal numbers share their mean rank.

    So what counts is who was better, not by how much (Wierstra et al. 2014; Salimans et al. 2017).
    """
    values = np.asarray(points, np.float64)
    below = (values[:, None] > values).sum(axis=1)
    above = (values[:, None] < values).sum(axis=1)
    ranks: Doubles = (below - above) / (2 * max(len(values) - 1, 1))
    return ranks


def search_gradient(noise: Doubles, points: Sequence[float]) -> Doubles:
    """The direction of better points, from antithetic samples: the pairs `mean + noise[i]` and `mean - noise[i]`.

    `points` has the two of each pair one after the other. The length is such that without any signal each weight of
    the direction has the variance of its noise. Zero if all points are equal.
    """
    weights = rank_weights(points)
    differences = weights[0::2] - weights[1::2]
    length = float(np.sqrt(np.square(differences).sum()))
    return np.zeros(noise.shape[1]) if length == 0 else differences @ noise / length


def node_scale(layers: Sequence[Layer]) -> Doubles:
    """For each weight, 1 over the root of the inputs of its node: equal steps then change the nodes about equally."""
    sizes = [node.stop - node.start for layer in networks.nodes(layers) for node in layer]
    return np.concatenate([np.full(size, 1 / np.sqrt(size)) for size in sizes])


def _clipped(theta: NDArray[np.float64]) -> Theta:
    return np.clip(theta, -LIMIT, LIMIT).astype(np.float32)
