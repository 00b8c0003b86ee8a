"""Networks: their sizes, and their arithmetic against plain NumPy formulas."""

import numpy as np
import pytest

from ludus._core import Activation, Network, draughts, tictactoe3d
from ludus._core import Layer as CoreLayer
from ludus.players import networks
from ludus.players.networks import Layer, dense


def lines(*sizes: int, bias: bool) -> tuple[Layer, ...]:
    """Four detectors for each of the 76 lines, and full layers above them."""
    first = Layer(inputs=64, outputs=304, activation="logistic", bias=bias, structure="lines")
    return (first, *dense(304, *sizes, activation="logistic", bias=bias))


def unstructured(*sizes: int, bias: bool) -> tuple[Layer, ...]:
    return dense(*sizes, activation="logistic", bias=bias)


BLONDIE24 = (Layer(inputs=32, outputs=91, structure="subsquares"), *dense(91, 40, 10, 1))


@pytest.mark.parametrize(
    ("layers", "weights"),
    [
        (dense(91, 40, 10, 1), 4101),
        (dense(32, 40, 10, 1), 1741),
        (dense(38, 20, 1), 801),
        (BLONDIE24, 5046),
        (lines(1, bias=False), 1520),
        (lines(32, 1, bias=False), 10976),
        (unstructured(64, 50, 1, bias=False), 3250),
        (unstructured(64, 95, 51, 1, bias=False), 10976),
        (unstructured(64, 169, 1, bias=False), 10985),
        (lines(1, bias=True), 1825),
        (lines(32, 1, bias=True), 11313),
        (unstructured(64, 50, 1, bias=True), 3301),
        (unstructured(64, 95, 51, 1, bias=True), 11123),
        (unstructured(64, 169, 1, bias=True), 11155),
    ],
)
def test_the_papers_networks_have_as_many_weights_as_the_papers_say(layers, weights):
    assert networks.weights(layers) == weights
    theta = networks.random_theta(layers, np.random.default_rng(1), -0.5, 0.5)
    assert theta.dtype == np.float32 and theta.size == weights
    assert networks.build(layers, theta).theta.tobytes() == theta.tobytes()


def test_a_shape_is_written_as_people_write_it():
    assert networks.shape(dense(32, 40, 10, 1)) == "32-40-10-1"
    assert networks.shape(BLONDIE24) == "32-91-40-10-1"


def test_random_weights_fill_their_interval():
    theta = networks.random_theta(dense(91, 40, 10, 1), np.random.default_rng(1), -0.2, 0.2)
    assert -0.2 <= theta.min() < -0.19 and 0.19 < theta.max() <= 0.2


# The oracle: each layer as a full matrix in double precision, zero where there is no connection.


def sources(layer):
    if layer.structure == "lines":
        return [sorted(line) for line in tictactoe3d.lines() for _ in range(4)]
    if layer.structure == "subsquares":
        return draughts.subsquares()
    return [range(layer.inputs)] * layer.outputs


def unpacked(layers, theta):
    """For each layer: its matrix, its biases, and the places of both in theta, -1 where there is none."""
    at = 0
    result = []
    for layer in layers:
        places = np.full((layer.outputs, layer.inputs + 1), -1)
        for node, inputs in enumerate(sources(layer)):
            for source in [*inputs, *([layer.inputs] if layer.bias else [])]:
                places[node, source] = at
                at += 1
        matrix = np.where(places < 0, 0.0, theta.astype(np.float64)[places])
        result.append((matrix[:, :-1], matrix[:, -1], places))
    assert at == theta.size
    return result


def squash(layer, net):
    return {"tanh": np.tanh(net), "logistic": 2 / (1 + np.exp(-net)) - 1, "linear": net}[layer.activation]


def slope(layer, y):
    return {"tanh": 1 - y**2, "logistic": (1 - y**2) / 2, "linear": np.ones_like(y)}[layer.activation]


def reference(layers, theta, inputs, direct=0.0):
    """The output and its gradient."""
    parts = unpacked(layers, theta)
    values = [inputs.astype(np.float64)]
    for i, (layer, (matrix, bias, _)) in enumerate(zip(layers, parts, strict=True)):
        last = i == len(layers) - 1
        values.append(squash(layer, matrix @ values[-1] + bias + (direct if last else 0)))
    gradient = np.zeros(theta.size)
    delta = np.ones(1)
    for i in reversed(range(len(layers))):
        matrix, _, places = parts[i]
        delta = delta * slope(layers[i], values[i + 1])
        by_weight = np.outer(delta, np.append(values[i], 1.0))
        gradient[places[places >= 0]] = by_weight[places >= 0]
        delta = matrix.T @ delta
    return values[-1][0], gradient


SMALL = [
    pytest.param(dense(7, 5, 3, 1, activation=activation, bias=bias), id=f"7-5-3-1 {activation} bias={bias}")
    for activation in ("tanh", "logistic", "linear")
    for bias in (False, True)
]
STRUCTURED = [
    *(
        pytest.param(lines(*sizes, bias=bias), id=f"lines {sizes} {bias}")
        for sizes in ((1,), (32, 1))
        for bias in (False, True)
    ),
    pytest.param(BLONDIE24, id="Blondie24 tanh"),
    pytest.param(
        (Layer(inputs=32, outputs=91, structure="subsquares", activation="logistic", bias=False), *dense(91, 1)),
        id="sub-squares logistic",
    ),
]


@pytest.mark.parametrize("layers", SMALL + STRUCTURED)
def test_forward_batch_and_gradient_are_the_formulas(layers):
    rng = np.random.default_rng(7)
    theta = networks.random_theta(layers, rng, -0.5, 0.5)
    network = networks.build(layers, theta)
    batch = rng.uniform(-1, 1, (10, layers[0].inputs)).astype(np.float32)
    wanted = [reference(layers, theta, inputs) for inputs in batch]
    np.testing.assert_allclose(network.values(batch), [value for value, _ in wanted], atol=1e-5)
    for inputs, (value, gradient) in zip(batch, wanted, strict=True):
        assert network.value(inputs) == pytest.approx(value, abs=1e-5)
        found, slopes = network.gradient(inputs)
        assert found == network.value(inputs)
        np.testing.assert_allclose(slopes, gradient, atol=1e-5)


def test_what_goes_direct_is_added_to_the_output_node():
    layers = dense(4, 3, 1)
    rng = np.random.default_rng(3)
    theta = networks.random_theta(layers, rng, -1, 1)
    inputs = rng.uniform(-1, 1, 4).astype(np.float32)
    value, gradient = reference(layers, theta, inputs, direct=0.75)
    found, slopes = networks.build(layers, theta).gradient(inputs, 0.75)
    assert found == pytest.approx(value, abs=1e-5)
    assert value != pytest.approx(reference(layers, theta, inputs)[0], abs=0.05)
    np.testing.assert_allclose(slopes, gradient, atol=1e-5)


@pytest.mark.parametrize("layers", [lines(32, 1, bias=False), unstructured(64, 95, 51, 1, bias=False)])
def test_without_biases_a_network_is_odd(layers):
    rng = np.random.default_rng(5)
    network = networks.build(layers, networks.random_theta(layers, rng, -0.5, 0.5))
    for _ in range(20):
        inputs = rng.integers(-1, 2, 64).astype(np.float32)
        assert network.value(-inputs) == -network.value(inputs) != 0


def test_theta_goes_node_by_node_with_the_bias_last():
    # Two nodes of two inputs, and an output node: w w b, w w b, w w b.
    layers = dense(2, 2, 1, activation="linear")
    network = networks.build(layers, np.array([1, 2, 3, 10, 20, 30, 100, 1000, 5], np.float32))
    # (1*7 + 2*11 + 3) * 100 + (10*7 + 20*11 + 30) * 1000 + 5
    assert network.value(np.array([7, 11], np.float32)) == 32 * 100 + 320 * 1000 + 5
    _, gradient = network.gradient(np.array([7, 11], np.float32))
    assert gradient.tolist() == [700, 1100, 100, 7000, 11000, 1000, 32, 320, 1]


def test_theta_of_a_structured_layer_has_only_its_connections():
    layers = [CoreLayer(3, 2, Activation.LINEAR, True, [[0, 2], [1]]), CoreLayer(2, 1, Activation.LINEAR, False)]
    network = Network(layers, np.array([1, 2, 3, 10, 20, 100, 1000], np.float32))
    # node 0: 1*7 + 2*13 + 3; node 1: 10*11 + 20
    assert network.value(np.array([7, 11, 13], np.float32)) == 36 * 100 + 130 * 1000


def test_theta_is_copied():
    theta = np.ones(3, np.float32)
    network = networks.build(dense(2, 1), theta)
    theta[0] = 7
    network.theta[1] = 7
    assert network.theta.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: networks.build(dense(32, 40, 10, 1), np.zeros(1740, np.float32)), "has 1741 weights, not 1740"),
        (lambda: networks.build(dense(32, 2), np.zeros(66, np.float32)), "has one output"),
        (lambda: networks.build((*dense(3, 2), *dense(3, 1)), np.zeros(12, np.float32)), "takes what the one before"),
        (lambda: networks.build((), np.zeros(0, np.float32)), "at least one layer"),
        (lambda: networks.build(dense(2, 1), np.array([1, 2, np.nan], np.float32)), "finite numbers"),
        (lambda: networks.build(dense(2, 1), np.array([1, 2, np.inf], np.float32)), "finite numbers"),
        (lambda: networks.build(dense(2, 1), np.array([1, 2, 1e10], np.float32)), "at most a billion"),
        (lambda: networks.build(dense(2, 1), np.ones(3, np.float32)).value(np.ones(3, np.float32)), "2 inputs, not 3"),
        (
            lambda: networks.build(dense(2, 1), np.ones(3, np.float32)).gradient(np.ones(1, np.float32)),
            "2 inputs, not 1",
        ),
        (lambda: networks.build(dense(2, 1), np.ones(3, np.float32)).values(np.ones((4, 3), np.float32)), "2 inputs"),
        (lambda: dense(0, 1), "1 to 8192 inputs"),
        (lambda: dense(2, -1), "1 to 8192 inputs"),
        (lambda: dense(2, 10**12, 1), "1 to 8192 inputs"),
        (lambda: networks.weights([Layer(inputs=64, outputs=303, structure="lines")]), "each of its nodes"),
        (lambda: networks.weights([Layer(inputs=32, outputs=304, structure="lines")]), "of 32"),
        (lambda: CoreLayer(2, 1, Activation.TANH, True, [[1, 0]]), "once each, ascending"),
        (lambda: CoreLayer(2, 1, Activation.TANH, True, [[1, 1]]), "once each, ascending"),
    ],
)
def test_a_network_that_cannot_be_is_refused_in_a_sentence(make, reason):
    with pytest.raises(ValueError, match=reason) as caught:
        make()
    assert "\n" not in str(caught.value)
