"""Feature masks: the chromosomes of genetic algorithms that select features. Bit i of a mask stands for feature i."""

from collections.abc import Sequence

import numpy as np


def features_of(mask: int, features: Sequence[str]) -> tuple[str, ...]:
    """The features that a mask selects."""
    return tuple(feature for index, feature in enumerate(features) if mask >> index & 1)


def random_masks(count: int, size: int, rng: np.random.Generator, most: int = 0) -> list[int]:
    """Different random masks of `size` features, none of them empty.

    None has more than `most` features; 0 sets no limit.
    """
    most = most or size
    masks: dict[int, None] = {}
    while len(masks) < count:
        mask = int(rng.integers(1, 2**size))
        # Drawn again where at least half of all masks fit. Where few do that would take forever: features are dropped.
        while mask.bit_count() > most:
            mask = int(rng.integers(1, 2**size)) if 2 * most >= size else mask & ~(1 << int(rng.integers(size)))
        masks[mask] = None
    return list(masks)


def offspring(
    parents: Sequence[int],
    size: int,
    count: int,
    mutation: float,
    rng: np.random.Generator,
    most: int = 0,
) -> list[int]:
    """Children by uniform crossover of two parents and mutation of each bit with this probability.

    `parents` has the best first; a parent is the better one of two random choices. No child is empty or has more than
    `most` features; 0 sets no limit.
    """
    children: list[int] = []
    while len(children) < count:
        one, other = (min(rng.integers(len(parents), size=2)) for _ in range(2))
        from_one, mutated = rng.random(size) < 0.5, rng.random(size) < mutation
        child = 0
        for index in range(size):
            bit = parents[one if from_one[index] else other] >> index & 1
            child |= (bit ^ int(mutated[index])) << index
        if 0 < child.bit_count() <= (most or size):
            children.append(child)
    return children
