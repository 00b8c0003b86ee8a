"""Descriptions of networks: layer sizes, activation, connections. They build the core's networks."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ludus._core import Activation, Network
from ludus._core import Layer as CoreLayer
from ludus._core import draughts as _draughts
from ludus._core import tictactoe3d as _tictactoe3d

__all__ = ["Activation", "Layer", "Network", "Theta", "build", "dense", "nodes", "random_theta", "shape", "weights"]

Theta = NDArray[np.float32]

# The connections of a layer: all with all; four detectors for each of the 76 lines of Tic-Tac-Toe 3D;
# a node for each of the 91 sub-squares of the draughts board.
Structure = Literal["full", "lines", "subsquares"]

WIDEST = 8192  # inputs or nodes of a layer; what a search takes is narrower still


class Layer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A layer of nodes."""

    inputs: int
    outputs: int
    activation: Literal["tanh", "logistic", "linear"] = "tanh"  # logistic: scaled to [-1, 1], which is tanh(x / 2)
    bias: bool = True
    structure: Structure = "full"

    def __post_init__(self) -> None:
        if not (1 <= self.inputs <= WIDEST and 1 <= self.outputs <= WIDEST):
            raise ValueError(f"a layer has 1 to {WIDEST} inputs and outputs, not {self.inputs} and {self.outputs}")


def dense(
    *sizes: int, activation: Literal["tanh", "logistic", "linear"] = "tanh", bias: bool = True
) -> tuple[Layer, ...]:
    """Fully connected layers of these sizes, the inputs first: dense(32, 40, 10, 1)."""
    return tuple(
        Layer(inputs=inputs, outputs=outputs, activation=activation, bias=bias) for inputs, outputs in pairwise(sizes)
    )


def build(layers: Sequence[Layer], theta: Theta) -> Network:
    """The network with these weights. Raises ValueError when they do not fit."""
    return Network([_core_layer(layer) for layer in layers], theta)


def weights(layers: Sequence[Layer]) -> int:
    """The number of weights and biases."""
    return sum(_core_layer(layer).weights for layer in layers)


def nodes(layers: Sequence[Layer]) -> list[list[slice]]:
    """Where the weights and the bias of each node lie in theta, layer by layer."""
    found: list[list[slice]] = []
    at = 0
    for layer in map(_core_layer, layers):
        sizes = [len(sources) for sources in layer.connections] or [layer.inputs] * layer.outputs
        ends = at + np.cumsum([size + layer.bias for size in sizes])
        found.append([slice(int(begin), int(end)) for begin, end in pairwise([at, *ends])])
        at = int(ends[-1])
    return found


def random_theta(layers: Sequence[Layer], rng: np.random.Generator, low: float, high: float) -> Theta:
    """Weights drawn uniformly from [low, high)."""
    return rng.uniform(low, high, weights(layers)).astype(np.float32)


def shape(layers: Sequence[Layer]) -> str:
    """The sizes as people write them: 32-40-10-1."""
    return "-".join(str(size) for size in (layers[0].inputs, *(layer.outputs for layer in layers)))


def _core_layer(layer: Layer) -> CoreLayer:
    connections: list[list[int]] = []
    if layer.structure == "lines":
        connections = [sorted(line) for line in _tictactoe3d.lines() for _ in range(4)]
    elif layer.structure == "subsquares":
        connections = _draughts.subsquares()
    return CoreLayer(layer.inputs, layer.outputs, Activation[layer.activation.upper()], layer.bias, connections)
