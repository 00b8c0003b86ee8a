"""A specialist: the same cloning, but from boards of its own; one call, wherever it runs."""

from collections.abc import Sequence

import numpy as np

from ludus.learning.cloning import Cloning, Stand, follow, robin
from ludus.learning.lessons import School
from ludus.networks import Theta


def train(config: Cloning, boards: Sequence[str], theta: Theta | None, seed: int) -> Theta:
    """The weights of a learner trained as `config` says from these start boards, which are also its test boards.

    It starts with `theta`, or with random weights, and its chances are those of `seed`. Everything runs in this thread,
    so that many of them can run side by side. Raises ValueError for no boards, or weights that do not fit.
    """
    if not boards:
        raise ValueError("a specialist needs boards to start from")
    course, school = config.course(boards), School()
    first = config.first_theta(seed) if theta is None else theta
    stand = Stand(theta=first, clone=first, clones=(), games=0, rewards=())
    for reached in follow(course, stand, seed, school):
        stand = reached
    clones = stand.clones or (stand.theta,)
    best: Theta = clones[int(np.argmax(robin(course, clones, seed, school)))]
    return best
