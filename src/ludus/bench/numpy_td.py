"""TD(0) on afterstates of Tic-Tac-Toe 3D in NumPy, the reference for the speed of the core.

It is written to be fast: all afterstates of a position are one batch, and the only loop is that over the plies. All
arrays are float32.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludus._core import tictactoe3d
from ludus.players.networks import Theta

Cells = NDArray[np.float32]  # [..., 64]: 1 the mover's, -1 the other's

_LINES = np.sort(np.array(tictactoe3d.lines()), axis=1)  # [76, 4]
_DETECTORS = _LINES.repeat(4, axis=0)  # the cells of each node of a structured layer, [304, 4]
# The lines through each cell, [64, 7]; a cell on fewer has one of them several times.
_THROUGH = np.array([np.resize(np.argwhere(np.equal(_LINES, cell))[:, 0], 7) for cell in range(64)])


class Learner(Protocol):
    """A network with biases and tanh(x / 2) for its nodes."""

    def values(self, boards: Cells) -> Theta:
        """Of several boards."""
        ...

    def learn(self, board: Cells, target: float, rate: float) -> None:
        """A step of gradient descent."""
        ...


class DeepStructured:
    """64-304-32-1, four nodes a line."""

    def __init__(self, theta: Theta) -> None:
        first, second, third = np.split(theta, [304 * 5, 304 * 5 + 32 * 305])
        self.first, self.first_biases = _apart(first.reshape(304, 5))
        self.second, self.second_biases = _apart(second.reshape(32, 305))
        self.third, self.third_bias = _apart(third)

    def values(self, boards: Cells) -> Theta:
        """Of several boards, [n, 64]."""
        one = np.tanh(0.5 * (np.einsum("bnc,nc->bn", boards[:, _DETECTORS], self.first) + self.first_biases))
        two = np.tanh(0.5 * (one @ self.second.T + self.second_biases))
        values: Theta = np.tanh(0.5 * (two @ self.third + self.third_bias))
        return values

    def learn(self, board: Cells, target: float, rate: float) -> None:
        """A step of gradient descent."""
        cells = board[_DETECTORS]
        one = np.tanh(0.5 * (np.einsum("nc,nc->n", cells, self.first) + self.first_biases))
        two = np.tanh(0.5 * (self.second @ one + self.second_biases))
        value = np.tanh(0.5 * (two @ self.third + self.third_bias))
        step = np.float32(rate) * (target - value) * 0.5 * (1 - value * value)
        above = step * self.third * (0.5 * (1 - two * two))
        below = (above @ self.second) * (0.5 * (1 - one * one))
        self.third += step * two
        self.third_bias += step
        self.second += np.outer(above, one)
        self.second_biases += above
        self.first += below[:, None] * cells
        self.first_biases += below

    @property
    def theta(self) -> Theta:
        """The weights so far, as the core has them."""
        first = np.column_stack([self.first, self.first_biases]).ravel()
        second = np.column_stack([self.second, self.second_biases]).ravel()
        return np.concatenate([first, second, self.third, [self.third_bias]]).astype(np.float32)


class LinePatterns:
    """6156-32-1: a row of weights for each pattern of each line."""

    def __init__(self, theta: Theta) -> None:
        first, second = np.split(theta, [32 * 6157])
        nodes, self.biases = _apart(first.reshape(32, 6157))
        self.rows = np.ascontiguousarray(nodes.T)
        self.second, self.second_bias = _apart(second)

    def _patterns(self, boards: Cells) -> NDArray[np.intp]:
        digits = boards[..., _LINES].astype(np.intp) % 3  # -1 is 2
        patterns: NDArray[np.intp] = digits @ np.array([1, 3, 9, 27]) + np.arange(0, 6156, 81)
        return patterns

    def values(self, boards: Cells) -> Theta:
        """Of several boards, [n, 64]."""
        one = np.tanh(0.5 * (self.rows[self._patterns(boards)].sum(axis=1) + self.biases))
        values: Theta = np.tanh(0.5 * (one @ self.second + self.second_bias))
        return values

    def learn(self, board: Cells, target: float, rate: float) -> None:
        """A step of gradient descent."""
        there = self._patterns(board)
        one = np.tanh(0.5 * (self.rows[there].sum(axis=0) + self.biases))
        value = np.tanh(0.5 * (one @ self.second + self.second_bias))
        step = np.float32(rate) * (target - value) * 0.5 * (1 - value * value)
        below = step * self.second * (0.5 * (1 - one * one))
        self.second += step * one
        self.second_bias += step
        self.rows[there] += below  # no pattern is there twice
        self.biases += below

    @property
    def theta(self) -> Theta:
        """The weights so far, as the core has them."""
        first = np.column_stack([self.rows.T, self.biases])
        return np.concatenate([first.ravel(), self.second, [self.second_bias]]).astype(np.float32)


def _apart(nodes: Theta) -> tuple[Theta, Theta]:
    """The weights of the nodes, and their biases, which come last."""
    return nodes[..., :-1].copy(), nodes[..., -1].copy()


def self_play(learner: Learner, rate: float, epsilon: float, rng: np.random.Generator) -> int:
    """A game of training in which wins are taken by rule and the last afterstate learns the reward; its plies."""
    board, heights = np.zeros(64, np.float32), np.zeros(16, np.intp)  # the board as the mover sees it
    own: Cells | None = None  # the last afterstate of the side to move, and of the other
    others: Cells | None = None
    for ply in range(1, 65):
        columns = np.flatnonzero(heights < 4)
        cells = columns + 16 * heights[columns]
        winning = (board[_LINES].sum(axis=1)[_THROUGH[cells]] == 3).any(axis=1)
        explores = epsilon > 0 and rng.random() < epsilon
        if explores:
            chosen = int(rng.integers(len(cells)))
        elif winning.any():
            chosen = int(winning.argmax())
        if (explores or winning.any()) and winning[chosen]:
            value = 1.0
        else:
            tried = cells[chosen : chosen + 1] if explores else cells
            boards = np.repeat(board[None], len(tried), axis=0)
            boards[np.arange(len(tried)), tried] = 1
            values = learner.values(boards)
            best = int(values.argmax())
            value = float(values[best])
            chosen = chosen if explores else best
        wins = bool(winning[chosen])
        board[cells[chosen]] = 1
        heights[columns[chosen]] += 1
        if own is not None:
            learner.learn(own, value, rate)
        own = board.copy()
        if wins or ply == 64:
            learner.learn(own, float(wins), rate)
            if others is not None:
                learner.learn(others, -float(wins), rate)
            return ply
        board = -board
        own, others = others, own
    raise AssertionError("the board has 64 cells")
