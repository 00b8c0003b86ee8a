"""The C++ core of Ludus. Use it through ludus.games and its neighbours."""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

from ludus._core import (
    draughts as draughts,
    tictactoe3d as tictactoe3d
)


class BadPosition(ValueError):
    pass

class IllegalMove(ValueError):
    pass

class AmbiguousMove(ValueError):
    pass

class Color(enum.Enum):
    """A side."""

    def __str__(self) -> str: ...

    BLACK = 0

    WHITE = 1

    def __invert__(self) -> Color: ...

class Reason(enum.Enum):
    """Why a game ended."""

    NO_MOVES = 0

    FOUR_IN_LINE = 1

    FULL_BOARD = 2

    REPETITION = 3

    QUIET_MOVES = 4

    LENGTH = 5

    RESIGNATION = 6

    AGREEMENT = 7

    FORFEIT = 8

    ADJUDICATION = 9

class Outcome:
    """How a finished game ended: who won, or nobody, and why."""

    def __init__(self, winner: Color | None, reason: Reason) -> None: ...

    @property
    def winner(self) -> Color | None: ...

    @property
    def reason(self) -> Reason: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[type[Outcome], tuple[Color | None, Reason]]: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class DrawRules:
    """When a game that could go on is a draw; 0 turns a rule off."""

    def __init__(self, *, repetitions: int = 3, quiet_plies: int = 80, plies: int = 0) -> None: ...

    @property
    def repetitions(self) -> int:
        """The same position with the same side to move, this many times."""

    @property
    def quiet_plies(self) -> int:
        """Plies since the last capture or man's move."""

    @property
    def plies(self) -> int:
        """Plies of the whole game."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[int, int, int]: ...

    def __setstate__(self, arg: tuple[int, int, int], /) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class Activation(enum.Enum):
    """What a node makes of its net input."""

    TANH = 0

    LOGISTIC = 1
    """The logistic function scaled to [-1, 1]: tanh(x / 2)."""

    LINEAR = 2

class Layer:
    """The nodes of one layer and where their inputs come from."""

    def __init__(self, inputs: int, outputs: int, activation: Activation = Activation.TANH, bias: bool = True, connections: Sequence[Sequence[int]] = []) -> None:
        """
        `connections` lists the inputs of each node of a structured layer; without it every node has all inputs.
        """

    @property
    def inputs(self) -> int: ...

    @property
    def outputs(self) -> int: ...

    @property
    def activation(self) -> Activation: ...

    @property
    def bias(self) -> bool: ...

    @property
    def connections(self) -> list[list[int]]: ...

    @property
    def weights(self) -> int:
        """The number of its weights and biases."""

class Network:
    """
    Layers and one flat vector theta of their weights, node by node, each node's bias last.
    """

    def __init__(self, layers: Sequence[Layer], theta: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def layers(self) -> list[Layer]: ...

    @property
    def theta(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """A copy of the weights."""

    def value(self, inputs: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], direct: float = 0.0) -> float:
        """The output; `direct` is added to the output node as it is."""

    def values(self, inputs: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """The outputs for each row of inputs."""

    def gradient(self, inputs: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], direct: float = 0.0) -> tuple[float, Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
        """The output, and its derivative by each weight of theta."""

class Derivative(enum.Enum):
    """Which derivative of the scaled logistic backpropagation uses."""

    EXACT = 0

    DOUBLED = 1
    """1 - y * y, twice the exact one."""

class Seat(enum.Enum):
    """Which side a learner has."""

    FIRST = 0
    """The side that moves first."""

    SECOND = 1

    BOTH = 2
    """Each in turn."""

class TdOptions:
    """
    How a game of training is played and learned from; see core/learning/td.hpp.
    """

    def __init__(self, *, gamma: float = 1.0, lambda_: float = 0.0, epsilon: float = 0.10000000149011612, rule_win: bool = True, train_terminal: bool = True, avoid_loss: bool = False) -> None: ...
