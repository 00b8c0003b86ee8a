"""Networks in training: their sizes, what they value by difference, and that a step is the gradient's."""

import msgspec
import numpy as np
import pytest

from ludus import games
from ludus._core import Derivative, draughts, tictactoe3d
from ludus.players import named_networks, networks
from ludus.players.evaluators import BoardNetwork, CellNetwork, FeatureNetwork
from ludus.players.named_networks import NAMED_NETWORKS
from ludus.players.networks import Layer, dense
from reference_td import inputs

SUBSQUARES = (Layer(inputs=32, outputs=91, structure="subsquares"), *dense(91, 40, 10, 1))
# What no name stands for: a structured first layer in draughts, the piece difference, other activations and codings.
OTHERS = {
    "subsquares": ("draughts", BoardNetwork(layers=SUBSQUARES, encoder="squares32")),
    "difference": (
        "draughts",
        BoardNetwork(layers=dense(32, 9, 1), encoder="squares32", king=1.3, piece_difference=True),
    ),
    "faithful": (
        "draughts",
        FeatureNetwork(
            layers=dense(83, 7, 1, bias=False),
            features=NAMED_NETWORKS["featuremap28"].make(True).features,
            coding="faithful",
        ),
    ),
    "linear": ("tictactoe3d", CellNetwork(layers=(*dense(64, 9), Layer(inputs=9, outputs=1, activation="linear")))),
    "narrow": (
        "tictactoe3d",
        CellNetwork(layers=(Layer(inputs=64, outputs=304, structure="lines"), *dense(304, 5, 1, bias=False))),
    ),
}
ALL = [(name, bias) for name in NAMED_NETWORKS for bias in (False, True)] + [(name, True) for name in OTHERS]


def made(name, bias=True, seed=1):
    """The game, the evaluator, and weights for it."""
    if name in OTHERS:
        game, evaluator = OTHERS[name]
        limit = 0.5
    else:
        named = NAMED_NETWORKS[name]
        game, evaluator, limit = named.game, named.make(bias), named.initial_range
    return game, evaluator, networks.random_theta(evaluator.layers, np.random.default_rng(seed), -limit, limit)


def random_positions(game, index):
    """The positions of a random game whose side to move can move, and the last one."""
    core = games.find(game).core
    position = core.START
    for move in core.random_game(3, index)[0]:
        yield position
        position = position.play(move)
    yield position


@pytest.mark.parametrize(
    ("name", "without", "with_biases"),
    [
        ("small-structured", 1520, 1825),
        ("deep-structured", 10976, 11313),
        ("small-unstructured", 3250, 3301),
        ("deep-unstructured", 10976, 11123),
        ("wide-unstructured", 10985, 11155),
    ],
)
def test_the_networks_of_table_1_have_its_weights(name, without, with_biases):
    named = named_networks.find(name, "tictactoe3d")
    for bias, weights in ((False, without), (True, with_biases)):
        _, evaluator, theta = made(name, bias)
        assert (
            networks.weights(evaluator.layers)
            == weights
            == evaluator.trainable(tictactoe3d, theta, Derivative.EXACT).theta.size
        )
    assert named.initial_range == 0.5
    assert all(layer.activation == "logistic" for layer in named.make(True).layers)


@pytest.mark.parametrize("name", [name for name in NAMED_NETWORKS if "structured" in name])
@pytest.mark.parametrize("bias", [False, True])
def test_without_biases_the_other_side_has_the_opposite_value(name, bias):
    _, evaluator, theta = made(name, bias)
    network = networks.build(evaluator.layers, theta)
    differences = []
    for position in random_positions("tictactoe3d", 1):
        cells = tictactoe3d.encode_cells(position)
        differences.append(abs(network.value(cells) + network.value(-cells)))
    assert (max(differences) == 0) == (not bias)


@pytest.mark.parametrize(("name", "bias"), ALL)
def test_a_move_valued_by_difference_has_the_value_of_the_whole_network(name, bias):
    game, evaluator, theta = made(name, bias)
    core = games.find(game).core
    network = networks.build(evaluator.layers, theta)
    trained, searched = evaluator.trainable(core, theta, Derivative.EXACT), evaluator.build(core, theta)
    compared, spread = 0, set()
    for index in range(3):
        for position in random_positions(game, index):
            if position.outcome():
                continue
            afterstates = [position.play(move) for move in position.moves()]
            whole = [network.value(*inputs(evaluator, afterstate)) for afterstate in afterstates]
            np.testing.assert_allclose(trained.values(position), whole, rtol=0, atol=1e-5)
            # A search cuts off what a linear output says beyond a win.
            found = [searched.value(afterstate) for afterstate in afterstates]
            np.testing.assert_allclose(found, np.clip(whole, -1, 1), rtol=0, atol=1e-5)
            compared += len(whole)
            spread.update(whole)
    assert compared > 300 and len(spread) > 100
    assert trained.theta.tobytes() == theta.tobytes()  # looking changes nothing


@pytest.mark.parametrize(
    ("name", "bias"),
    [("deep-structured", True), ("narrow", True), ("featuremap12", False), ("symmetric-patterns", True)],
)
def test_the_gradient_is_the_slope_of_the_value(name, bias):
    game, evaluator, theta = made(name, bias)
    network = networks.build(evaluator.layers, theta)
    *_, middle = list(random_positions(game, 2))[:20]
    value, gradient = network.gradient(*inputs(evaluator, middle))
    assert value == network.value(*inputs(evaluator, middle))
    rng = np.random.default_rng(5)
    moving = np.flatnonzero(gradient)
    tried = [*rng.choice(moving, 60), *rng.choice(theta.size, 20)]
    for i in tried:
        moved = []
        for by in (0.01, -0.01):
            other = theta.copy()
            other[i] += by
            moved.append(networks.build(evaluator.layers, other).value(*inputs(evaluator, middle)))
        assert abs((moved[0] - moved[1]) / 0.02 - gradient[i]) < 2e-4


@pytest.mark.parametrize(("name", "bias"), ALL)
def test_a_step_is_the_rate_times_the_error_times_the_gradient(name, bias):
    game, evaluator, theta = made(name, bias)
    trained = evaluator.trainable(games.find(game).core, theta, Derivative.EXACT)
    positions = list(random_positions(game, 4))
    rate, rng, moved = 0.01, np.random.default_rng(1), 0.0
    for number, at in enumerate(rng.integers(1, len(positions), 12)):
        # Now from where the network has looked just before, now from far off, now from one step after another.
        if number % 3 == 0 and not positions[at - 1].outcome():
            trained.values(positions[at - 1])
        elif number % 3 == 1:
            trained.values(positions[0])
        before = trained.theta
        value, gradient = networks.build(evaluator.layers, before).gradient(*inputs(evaluator, positions[at]))
        target = float(rng.uniform(-1, 1))
        error = trained.learn(positions[at], target, rate)
        assert abs(error - (target - value)) < 1e-5
        np.testing.assert_allclose(trained.theta, before + rate * error * gradient, rtol=0, atol=1e-6)
        moved = max(moved, np.abs(rate * error * gradient).max())
    assert moved > 1e-4  # so that 1e-6 says something


@pytest.mark.parametrize("name", [name for name in NAMED_NETWORKS if NAMED_NETWORKS[name].game == "tictactoe3d"])
def test_the_doubled_derivative_doubles_a_step_once_a_layer(name):
    _, evaluator, theta = made(name)
    *_, position = list(random_positions("tictactoe3d", 6))[:15]
    steps = []
    for derivative in Derivative:
        trained = evaluator.trainable(tictactoe3d, theta, derivative)
        trained.learn(position, 1.0, 0.01)
        steps.append(trained.theta - theta)
    exact, doubled = steps
    for below_output, nodes in enumerate(reversed(networks.nodes(evaluator.layers))):
        layer = slice(nodes[0].start, nodes[-1].stop)
        assert np.abs(exact[layer]).max() > 1e-5
        np.testing.assert_allclose(doubled[layer], 2 ** (below_output + 1) * exact[layer], rtol=0, atol=1e-6)


def test_the_doubled_derivative_is_no_other_for_tanh():
    _, evaluator, theta = made("featuremap12")
    thetas = []
    for derivative in Derivative:
        trained = evaluator.trainable(draughts, theta, derivative)
        trained.learn(draughts.START, 1.0, 0.1)
        thetas.append(trained.theta.tobytes())
    assert thetas[0] == thetas[1] != theta.tobytes()


@pytest.mark.parametrize("name", ["small-structured", "deep-structured", "subsquares"])
def test_what_is_not_connected_does_not_learn(name):
    # Theta holds no other weights, so a step outside the connections would show as a value that is not the network's.
    game, evaluator, theta = made(name)
    trained = evaluator.trainable(games.find(game).core, theta, Derivative.EXACT)
    positions = list(random_positions(game, 7))
    for position in positions[1:20]:
        trained.learn(position, 1.0, 0.05)
    after = networks.build(evaluator.layers, trained.theta)
    for position in positions[:20]:
        whole = [after.value(*inputs(evaluator, position.play(move))) for move in position.moves()]
        np.testing.assert_allclose(trained.values(position), whole, rtol=0, atol=1e-5)


def network(*layers):
    return networks.build(layers, np.zeros(networks.weights(layers), np.float32))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: tictactoe3d.TrainableNetwork.cells(network(*dense(64, 1))), "has a hidden layer"),
        (lambda: tictactoe3d.TrainableNetwork.cells(network(*dense(63, 5, 1))), "does not fit its inputs"),
        (lambda: tictactoe3d.TrainableNetwork.cells(network(*dense(64, 513, 1))), "at most 512 nodes"),
        (
            lambda: tictactoe3d.TrainableNetwork.cells(network(*dense(64, 9, 1, activation="linear"))),
            "only the output node",
        ),
        (
            lambda: tictactoe3d.TrainableNetwork.cells(network(SUBSQUARES[0], *dense(91, 1))),
            "four nodes on each of the 76 lines",
        ),
        (
            lambda: tictactoe3d.TrainableNetwork.cells(
                network(Layer(inputs=64, outputs=304, structure="lines"), *dense(304, 33, 1))
            ),
            "at most 32 nodes",
        ),
        (
            lambda: tictactoe3d.TrainableNetwork.patterns(network(*dense(64, 5, 1)), symmetric=True),
            "does not fit its inputs",
        ),
        (lambda: draughts.TrainableNetwork.board(network(*dense(38, 5, 1)), king=1.5), "does not fit its inputs"),
        (
            lambda: draughts.TrainableNetwork.features(network(*dense(38, 5, 1)), chosen=0),
            "a mask of 28 bits and not empty",
        ),
        (lambda: draughts.TrainableNetwork.features(network(*dense(38, 5, 1)), chosen=1), "does not fit its inputs"),
    ],
)
def test_a_network_that_cannot_be_trained_is_a_sentence(make, reason):
    with pytest.raises(ValueError, match=reason):
        make()


def test_every_named_network_is_saved_and_read_as_it_is():
    for name in NAMED_NETWORKS:
        _, evaluator, _ = made(name)
        assert msgspec.json.decode(msgspec.json.encode(evaluator), type=type(evaluator)) == evaluator
