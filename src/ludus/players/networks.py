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

# The connections of a layer:
#     full        all with all
#     lines       four detectors for each of the 76 lines of Tic-Tac-Toe 3D
#     crossings   above the lines: a group of nodes for each of the 64 cells, joined to the lines through it
#     planes      a group of nodes for each of the 18 planes, joined to the lines in it, or above crossings to its cells
#     subsquares  a node for each of the 91 sub-squares of the draughts board
Structure = Literal["full", "lines", "crossings", "planes", "subsquares"]

MOST_WEIGHTS = 4_000_000  # of a layer; a player file holds four times as many at most
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
        if self.structure == "full" and self.inputs * self.outputs > MOST_WEIGHTS:
            raise ValueError(f"a layer has at most {MOST_WEIGHTS:,} weights, not {self.inputs * self.outputs:,}")


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


def connections(layer: Layer) -> list[list[int]]:
    """The inputs of each node; empty if every node has all of them."""
    return _core_layer(layer).connections


def _core_layer(layer: Layer) -> CoreLayer:
    connections: list[list[int]] = []
    match layer.structure:
        case "lines":
            connections = [sorted(line) for line in _tictactoe3d.lines() for _ in range(4)]
        case "crossings":
            lines = _tictactoe3d.lines()
            through = [[i for i, line in enumerate(lines) if cell in line] for cell in range(_CELLS)]
            connections = _joined(layer, through, len(lines))
        case "planes":
            planes = [set(plane) for plane in _planes()]
            if layer.inputs == 4 * len(_tictactoe3d.lines()):
                inside = [
                    [i for i, line in enumerate(_tictactoe3d.lines()) if plane.issuperset(line)] for plane in planes
                ]
                connections = _joined(layer, inside, len(_tictactoe3d.lines()))
            else:
                connections = _joined(layer, [sorted(plane) for plane in planes], _CELLS)
        case "subsquares":
            connections = _draughts.subsquares()
    return CoreLayer(layer.inputs, layer.outputs, Activation[layer.activation.upper()], layer.bias, connections)


_CELLS = 64


def _planes() -> list[list[int]]:
    """The cells of the 18 planes of Tic-Tac-Toe 3D, 16 each: 12 along the sides of the cube and 6 diagonal ones."""
    cells = [(cell, (cell % 4, cell // 4 % 4, cell // 16)) for cell in range(_CELLS)]
    along = [[cell for cell, at in cells if at[axis] == place] for axis in range(3) for place in range(4)]
    pairs = ((0, 1), (0, 2), (1, 2))
    rising = [[cell for cell, at in cells if at[one] == at[other]] for one, other in pairs]
    falling = [[cell for cell, at in cells if at[one] + at[other] == 3] for one, other in pairs]
    return along + rising + falling


def _joined(layer: Layer, groups: list[list[int]], below: int) -> list[list[int]]:
    """The connections of groups of nodes of the same size to groups of the layer below, of which there are `below`."""
    if layer.outputs % len(groups) or layer.inputs % below:
        raise ValueError(
            f"a layer of {layer.structure} has a multiple of {len(groups)} nodes and of {below} inputs, "
            f"not {layer.outputs} and {layer.inputs}"
        )
    width = layer.inputs // below
    return [
        [width * group + node for group in sources for node in range(width)]
        for sources in groups
        for _ in range(layer.outputs // len(groups))
    ]
