"""Adam (Kingma and Ba 2015): steps that depend on how large a weight's gradients usually are.

The inputs of draughts networks are bits, and many of them are seldom on. With one rate for all weights, those of rare
inputs hardly learn. Adam divides the mean of a weight's gradients by their usual size.
"""

import numpy as np
from msgspec import Struct

from ludus.players.networks import Theta

_MEAN, _SQUARE = 0.9, 0.99  # how much of the old means stays at each step
_LEAST = 1e-8  # keeps the division safe for a weight that has had no gradient yet


class Adam(Struct, frozen=True, kw_only=True):
    """The running means of the gradients and of their squares, and how many steps they have had."""

    mean: Theta
    square: Theta
    steps: int = 0

    @staticmethod
    def begin(theta: Theta) -> "Adam":
        """Before the first gradient."""
        return Adam(mean=np.zeros_like(theta), square=np.zeros_like(theta))

    def add(self, gradient: Theta) -> "Adam":
        """With one more gradient."""
        return Adam(
            mean=_MEAN * self.mean + np.float32(1 - _MEAN) * gradient,
            square=_SQUARE * self.square + np.float32(1 - _SQUARE) * gradient * gradient,
            steps=self.steps + 1,
        )

    def step(self, rate: float) -> Theta:
        """The change of the weights by the gradients so far. `rate` is about the most that a weight changes."""
        mean = self.mean / np.float32(1 - _MEAN**self.steps)
        size = np.sqrt(self.square / np.float32(1 - _SQUARE**self.steps))
        change: Theta = (rate * mean / (size + _LEAST)).astype(np.float32)
        return change
