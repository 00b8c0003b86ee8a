"""The C++ core of Ludus. Use it through ludus.games and its neighbours."""

from collections.abc import Sequence
import enum
import functools
from typing import Annotated

import numpy
from numpy.typing import NDArray

from ludus._core import (
    draughts as draughts,
    tictactoe3d as tictactoe3d
)


class BadPosition(ValueError):
    """A text is not a position; the message says why."""

class IllegalMove(ValueError):
    """
    A move cannot be played; the message says why, and which moves are legal.
    """

class AmbiguousMove(ValueError):
    """A text means several legal moves, which the message lists."""

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
    """
    How a finished game ended: the winner, None for a draw, and the reason.
    """

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

    def __init__(self, *, repetitions: int = 3, quiet_plies: int = 80, plies: int = 0, blocked: bool = False) -> None: ...

    @property
    def repetitions(self) -> int:
        """The same position with the same side to move, this many times."""

    @property
    def quiet_plies(self) -> int:
        """Plies since the last capture or man's move."""

    @property
    def plies(self) -> int:
        """Plies of the whole game."""

    @property
    def blocked(self) -> bool:
        """
        A side that has pieces and no move draws; by the official rules it loses.
        """

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[functools.partial[DrawRules], tuple[()]]: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

INSTRUCTION_SET: str = 'x86-64 avx512'

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

class Budget:
    """How much a search may spend on a move; 0 sets no limit."""

    def __init__(self, *, depth: int = 0, nodes: int = 0, seconds: float = 0.0) -> None: ...

    @property
    def depth(self) -> int:
        """Plies looked ahead."""

    @property
    def nodes(self) -> int:
        """Positions; play-outs for MCTS."""

    @property
    def seconds(self) -> float: ...

    def __repr__(self) -> str: ...

def side_seed(seed: int, side: int) -> int:
    """The seed of a side's searches in a game with this seed."""

class Derivative(enum.Enum):
    """Which derivative of the scaled logistic backpropagation uses."""

    EXACT = 0

    DOUBLED = 1
    """1 - y * y, twice the exact one."""

class LearnerSide(enum.Enum):
    """Which side a learner has."""

    FIRST = 0
    """The side that moves first."""

    SECOND = 1

    BOTH = 2
    """Each in turn."""

class TrainingOptions:
    """How a training game is played and learned from."""

    def __init__(self, *, gamma: float = 1.0, trace_decay: float = 0.0, momentum: float = 0.0, epsilon: float = 0.10000000149011612, learn_from_random: bool = True, rule_win: bool = True, train_terminal: bool = True, avoid_loss: bool = False, leaf: bool = False, opening_plies: int = 0, rules: DrawRules = ...) -> None: ...

    @property
    def gamma(self) -> float:
        """What the next prediction counts."""

    @property
    def trace_decay(self) -> float:
        """The factor by which a trace fades at each step; 0 is one-step TD."""

    @property
    def momentum(self) -> float:
        """
        The share of a weight's last change that is added to the next if both go the same way.
        """

    @property
    def epsilon(self) -> float:
        """How often chance chooses the move."""

    @property
    def learn_from_random(self) -> bool:
        """
        A random move corrects the prediction before it; else it begins a new trace.
        """

    @property
    def rule_win(self) -> bool:
        """A move that wins at once is worth 1, whatever the network says."""

    @property
    def train_terminal(self) -> bool:
        """The last prediction of a game learns the reward itself."""

    @property
    def avoid_loss(self) -> bool:
        """No move after which the opponent wins at once, if there is another."""

    @property
    def leaf(self) -> bool:
        """With a search: predict by the end of its principal variation."""

    @property
    def opening_plies(self) -> int:
        """Random moves of both sides first."""

    @property
    def rules(self) -> DrawRules: ...

class TrainingResult:
    """What training games came to, summed up."""

    @property
    def plies(self) -> int: ...

    @property
    def steps(self) -> int:
        """The updates of the weights."""

    @property
    def squared_error(self) -> float:
        """Summed over the steps."""

    @property
    def winner(self) -> Color | None:
        """Of the last game."""

class TestResult:
    """The learner's games without learning."""

    @property
    def wins(self) -> int: ...

    @property
    def draws(self) -> int: ...

    @property
    def losses(self) -> int: ...

class TrainedGame:
    """A training game that was played, and what was learned from it."""

    @property
    def result(self) -> TrainingResult: ...

    @property
    def theta(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """The weights at the end."""
