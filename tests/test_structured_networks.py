"""Networks of Tic-Tac-Toe 3D with several structured layers: what is joined, a gradient by hand, learning."""

import math

import numpy as np
import pytest

from ludus._core import Derivative, tictactoe3d
from ludus.games import tictactoe3d as games
from ludus.learning.td import Td
from ludus.players import ActivePlayer, load, networks, save
from ludus.players.named_networks import NAMED_NETWORKS
from ludus.players.networks import Layer
from ludus.workers import Workers

NAMES = ("plane-structured", "cell-structured", "cell-plane-structured")
LINES = [set(line) for line in tictactoe3d.lines()]


def layers(name, bias=True):
    return NAMED_NETWORKS[name].make(bias).layers


def connections(name, layer):
    """The inputs of each node of a layer."""
    built = networks.build(layers(name), np.zeros(networks.weights(layers(name)), np.float32))
    return built.layers[layer].connections


@pytest.mark.parametrize(
    ("name", "shape", "without", "with_biases"),
    [
        ("plane-structured", "64-304-144-1", 304 * 4 + 144 * 40 + 144, 7569),
        ("cell-structured", "64-304-512-1", 304 * 4 + 304 * 4 * 8 + 512, 12273),
        ("cell-plane-structured", "64-304-256-144-1", 304 * 4 + 304 * 4 * 4 + 144 * 64 + 144, 16145),
    ],
)
def test_the_sizes_are_those_of_the_structure(name, shape, without, with_biases):
    assert networks.shape(layers(name)) == shape
    assert networks.weights(layers(name, bias=False)) == without
    assert networks.weights(layers(name)) == with_biases


def test_a_plane_is_joined_to_the_ten_lines_in_it():
    nodes = connections("plane-structured", 1)
    planes = set()
    for first in range(0, 144, 8):
        assert all(nodes[first + k] == nodes[first] for k in range(8))
        inside = {source // 4 for source in nodes[first]}
        assert len(inside) == 10 and sorted(nodes[first]) == sorted(4 * line + k for line in inside for k in range(4))
        cells = frozenset().union(*(LINES[line] for line in inside))
        assert len(cells) == 16 and inside == {i for i, line in enumerate(LINES) if line <= cells}
        planes.add(cells)
    assert len(planes) == 18


@pytest.mark.parametrize(("name", "width"), [("cell-structured", 8), ("cell-plane-structured", 4)])
def test_a_cell_is_joined_to_the_lines_through_it(name, width):
    nodes = connections(name, 1)
    for node, sources in enumerate(nodes):
        lines = [i for i, line in enumerate(LINES) if node // width in line]
        assert sources == [4 * line + k for line in lines for k in range(4)]


def test_a_plane_above_cells_is_joined_to_its_sixteen_cells():
    of_lines = connections("plane-structured", 1)
    for plane, sources in enumerate(connections("cell-plane-structured", 2)[::8]):
        cells = set().union(*(LINES[source // 4] for source in of_lines[8 * plane]))
        assert sources == [4 * cell + k for cell in sorted(cells) for k in range(4)]


def test_a_gradient_by_hand():
    """One path of weights from a stone to the output: the only nodes that are not 0."""
    shape = layers("plane-structured", bias=False)
    theta = np.zeros(networks.weights(shape), np.float32)
    nodes = networks.nodes(shape)
    position = tictactoe3d.START.play(tictactoe3d.START.moves()[0])
    (cell,) = np.flatnonzero(tictactoe3d.encode_cells(position))
    line = next(i for i, each in enumerate(LINES) if cell in each)
    node = next(i for i, sources in enumerate(connections("plane-structured", 1)) if 4 * line in sources)
    a = nodes[0][4 * line].start + sorted(LINES[line]).index(cell)
    b = nodes[1][node].start + connections("plane-structured", 1)[node].index(4 * line)
    c = nodes[2][0].start + node
    theta[[a, b, c]] = 0.7, -1.2, 0.9
    one = math.tanh(0.7 / 2)
    two = math.tanh(-1.2 * one / 2)
    value = math.tanh(0.9 * two / 2)
    slope = (1 - value**2) / 2
    by_b = slope * 0.9 * (1 - two**2) / 2
    expected = {a: by_b * -1.2 * (1 - one**2) / 2, b: by_b * one, c: slope * two}
    trained = NAMED_NETWORKS["plane-structured"].make(False).trainable(tictactoe3d, theta, Derivative.EXACT)
    error = trained.learn(position, 1.0, 0.5)
    assert error == pytest.approx(1 - value, abs=1e-6)
    moved = trained.theta - theta
    for at, gradient in expected.items():
        assert moved[at] == pytest.approx(0.5 * error * gradient, abs=1e-6)
    assert set(np.flatnonzero(moved)) == set(expected)


@pytest.mark.parametrize("name", NAMES)
def test_only_what_the_structure_joins_ever_learns(name):
    """A full network with zeros where the structure has nothing values every position alike after training."""
    learner = Td(network=name, games=200, test_every=200, test_games=2, seed=1)
    with Workers.open(1) as workers:
        *_, last = learner.learn(None, workers)
    shape = layers(name)
    theta = last.player.theta
    structured = networks.build(shape, theta)
    full = [Layer(inputs=each.inputs, outputs=each.outputs, activation="logistic") for each in shape]
    wide = []
    for places, core in zip(networks.nodes(shape), structured.layers, strict=True):
        for node, place in enumerate(places):
            row = np.zeros(core.inputs + 1, np.float32)
            own = theta[place]
            row[[*(core.connections[node] if core.connections else range(core.inputs)), core.inputs]] = own
            wide.append(row)
    dense = networks.build(full, np.concatenate(wide))
    trained = NAMED_NETWORKS[name].make(True).trainable(tictactoe3d, theta, Derivative.EXACT)
    position = tictactoe3d.START
    for move in tictactoe3d.random_game(3, 1)[0]:
        afterstates = [position.play(each) for each in position.moves()]
        values = [dense.value(tictactoe3d.encode_cells(each)) for each in afterstates]
        np.testing.assert_allclose(trained.values(position), values, rtol=0, atol=1e-5)
        position = position.play(move)


@pytest.mark.parametrize("name", NAMES)
def test_a_short_training_beats_random(name, tmp_path):
    learner = Td(network=name, games=3000, test_every=3000, test_games=200, test_against="random", seed=1)
    with Workers.open(1) as workers:
        *_, last = learner.learn(None, workers)
    assert last.line["wins"] / 200 > 0.8
    save(last.player, tmp_path / "player")
    loaded = load(tmp_path / "player")
    assert (loaded.theta == last.player.theta).all()
    assert ActivePlayer(loaded).choose(games.History()) in games.START.moves()


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        (Layer(inputs=304, outputs=100, structure="planes"), "a multiple of 18 nodes"),
        (Layer(inputs=300, outputs=64, structure="crossings"), "a multiple of 64 nodes and of 76 inputs"),
    ],
)
def test_a_size_that_does_not_fit_is_refused(layer, message):
    with pytest.raises(ValueError, match=message):
        networks.weights([layer])
