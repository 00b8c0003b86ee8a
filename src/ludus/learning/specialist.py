"""A specialist: the same cloning, but from boards of its own; one call, wherever it runs."""

from collections.abc import Sequence

from ludus.learning.cloning import Cloning, complete
from ludus.players.networks import Theta


def train(config: Cloning, boards: Sequence[str], theta: Theta | None, seed: int) -> Theta:
    """The weights of a learner trained as `config` says from these start boards, which are also its test boards.

    It starts with `theta`, or with random weights, and its chances are those of `seed`. Everything runs in this thread,
    so that many of them can run side by side. Raises ValueError for no boards, or weights that do not fit.
    """
    if not boards:
        raise ValueError("a specialist needs boards to start from")
    return complete(config.course(boards), config.first_theta(seed) if theta is None else theta, seed)
