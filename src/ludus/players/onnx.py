"""Networks as ONNX models, for other programs, and back.

A model has one input, what `Game.encode` makes of positions, and one output, `value`: from -1 to 1 for the side that
has just moved. Its metadata name the encoder and hold the player as its file does, without the weights.

    >>> from ludus import players
    >>> from ludus.players import onnx
    >>> player = players.find("blondie24-1999")
    >>> content = onnx.model(player)
    >>> onnx.check(player, content, count=100) < 1e-5
    True

`inputs_of` says what the model takes, as `Inputs`. `read` makes the player again, and `NoOnnx` is raised without the
packages onnx and onnxruntime.

    >>> onnx.inputs_of(player) == onnx.Inputs("squares32", afterstates=True, king=player.evaluator.king)
    True
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "net.onnx"
    ...     _ = file.write_bytes(content)
    ...     onnx.read(file).name
    'blondie24-1999'
    >>> issubclass(onnx.NoOnnx, players.BadPlayer)
    True
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus import games
from ludus._core import draughts as _draughts
from ludus._core import tictactoe3d as _tictactoe3d
from ludus.games import Position
from ludus.games.core import Evaluator as CoreEvaluator
from ludus.players import networks
from ludus.players.active import ActivePlayer
from ludus.players.evaluators import (
    FEATURES,
    BoardNetwork,
    CellNetwork,
    FeatureNetwork,
    PatternNetwork,
    PhaseNetwork,
)
from ludus.players.networks import Layer, Theta
from ludus.players.player import BadPlayer, Player

__all__ = ["Inputs", "NoOnnx", "check", "inputs_of", "model", "read"]

FORMAT = "ludus-player-1"  # the metadata entry that holds the player
LARGEST_FILE = 64 * 2**20
_OPSET = 17
_UPPER, _PHASES = 16, 4  # of a PhaseNetwork: core/evaluation/phase_network.hpp


class NoOnnx(BadPlayer):
    """The packages that ONNX needs are not there."""


class Inputs(NamedTuple):
    """What a model takes: the arguments of `Game.encode`."""

    encoder: str
    afterstates: bool  # seen by the side that has just moved; else by the side to move
    king: float = 1.5

    def encode(self, game: str, positions: Sequence[Position]) -> NDArray[np.float32]:
        """The inputs of these positions, each of which is one just after a move."""
        return games.find(game).encode(positions, self.encoder, afterstates=self.afterstates, king=self.king)


def inputs_of(player: Player) -> Inputs:
    """What the model of a player takes. Raises BadPlayer if its evaluator is no network that can be exported."""
    match player.evaluator:
        case BoardNetwork(encoder=encoder, king=king):
            return Inputs(encoder, afterstates=True, king=king)
        case FeatureNetwork(coding="clean"):
            return Inputs("featuremap28", afterstates=True)
        case CellNetwork():
            return Inputs("cells64", afterstates=True)
        case PatternNetwork(symmetric=symmetric):
            return Inputs("symmetric-patterns" if symmetric else "patterns", afterstates=True)
        case PhaseNetwork():
            return Inputs("planes", afterstates=False)
    raise BadPlayer(
        f"{player.name} cannot be an ONNX model: its evaluator is not a single network with the clean coding of inputs"
    )


def model(player: Player) -> bytes:
    """The model of a player's network. Raises BadPlayer."""
    onnx, _ = _packages()
    inputs = inputs_of(player)
    theta = np.zeros(0, np.float32) if player.theta is None else player.theta
    graph = _Graph(onnx)
    if isinstance(player.evaluator, PhaseNetwork):
        width = player.evaluator.width
        hidden = graph.pieces(theta, width) if player.game == "draughts" else graph.lines(theta, width)
        net = graph.phases(hidden, theta, width, player.game)
        value = graph.add("Neg", graph.add("Tanh", graph.add("Mul", net, graph.number(0.5))))
        value = graph.add("Cast", value, to=onnx.TensorProto.FLOAT)
    else:
        evaluator = player.evaluator
        assert isinstance(evaluator, BoardNetwork | FeatureNetwork | CellNetwork | PatternNetwork)
        first = "inputs"
        if isinstance(evaluator, FeatureNetwork):
            first = graph.add("Gather", first, graph.constant("columns", _columns(evaluator)), axis=1)
        value = graph.layered(first, evaluator, theta)
    graph.add("Squeeze", value, graph.constant("last", np.array([1], np.int64)), name="value")
    return graph.written(player, inputs)


def check(player: Player, content: bytes, count: int, seed: int = 0) -> float:
    """The largest difference between the model in ONNX Runtime and the player's own evaluator on so many positions.

    The positions are those of random games. Raises NoOnnx.
    """
    _, runtime = _packages()
    session = runtime.InferenceSession(content, providers=["CPUExecutionProvider"])
    positions = _random_positions(player.game, count, seed)
    core = games.find(player.game).core
    assert player.evaluator is not None
    evaluator: CoreEvaluator = player.evaluator.build(core, player.theta)
    own = np.array([evaluator.value(position) for position in positions])
    found = [
        session.run(["value"], {"inputs": inputs_of(player).encode(player.game, positions[first : first + 1000])})[0]
        for first in range(0, len(positions), 1000)
    ]
    return float(np.abs(np.concatenate(found) - own).max())


def read(path: Path) -> Player:
    """The player in a model that `model` made. Raises BadPlayer with one sentence."""
    onnx, _ = _packages()
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise BadPlayer(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > LARGEST_FILE:
        raise BadPlayer(f"{path} is no player: a player has at most {LARGEST_FILE:,} bytes")
    try:
        found = onnx.load_model_from_string(content)
    except Exception as error:  # protobuf has its own errors for every kind of broken file
        raise BadPlayer(f"{path} is no ONNX model, or a broken one") from error
    metadata = {entry.key: entry.value for entry in found.metadata_props}
    if FORMAT not in metadata:
        if not found.HasField("graph"):  # an empty file, for protobuf, is a model without fields
            raise BadPlayer(f"{path} is no ONNX model: it has no graph")
        raise BadPlayer(f"{path} is an ONNX model, but not of a player: it has no {FORMAT}")
    try:
        player = msgspec.json.decode(metadata[FORMAT], type=Player)
        tensors = {each.name: each for each in found.graph.initializer}
        player = msgspec.structs.replace(player, theta=_theta(onnx, player, tensors))
    except (msgspec.MsgspecError, ValueError, KeyError, TypeError) as error:
        raise BadPlayer(f"{path} is a broken model of a player: {error}") from error
    ActivePlayer(player)  # says what does not fit together
    if not _same(onnx, found, onnx.load_model_from_string(model(player))):
        raise BadPlayer(f"{path} is not the model of its player: it has other nodes or other numbers than Ludus writes")
    return player


def _same(onnx: Any, found: Any, written: Any) -> bool:
    """Do two models compute the same? Weights are not all: what is done with them may have been changed as well."""
    graph = found.graph
    if found.functions or graph.sparse_initializer or len(graph.initializer) != len(written.graph.initializer):
        return False
    if list(found.opset_import) != list(written.opset_import):
        return False
    if any(list(getattr(graph, part)) != list(getattr(written.graph, part)) for part in ("node", "input", "output")):
        return False
    tensors = {each.name: each for each in graph.initializer}
    for each in written.graph.initializer:
        other = tensors.get(each.name)
        if other is None or not _is_inside(onnx, other) or (other.dims, other.data_type) != (each.dims, each.data_type):
            return False
        try:
            numbers = onnx.numpy_helper.to_array(other)
        except (ValueError, TypeError):  # fewer bytes than its shape needs, or not of numbers
            return False
        if not np.array_equal(numbers, onnx.numpy_helper.to_array(each)):
            return False
    return True


def _is_inside(onnx: Any, tensor: Any) -> bool:
    """Are the numbers of a tensor in the model's own file?"""
    return not tensor.external_data and tensor.data_location == onnx.TensorProto.DEFAULT


def _packages() -> tuple[Any, Any]:
    try:
        import onnx
        import onnxruntime
    except ImportError as error:
        raise NoOnnx("ONNX needs two more packages: pip install 'ludus[onnx]'") from error
    return onnx, onnxruntime


def _columns(evaluator: FeatureNetwork) -> NDArray[np.int64]:
    """The columns of featuremap28 that the features of this network have."""
    bits = _draughts.feature_bits()
    ends = np.cumsum([bits[name] for name in FEATURES])
    chosen = [
        np.arange(end - bits[name], end) for name, end in zip(FEATURES, ends, strict=True) if name in evaluator.features
    ]
    return np.concatenate(chosen).astype(np.int64)


def _dense(layer: Layer, theta: Theta) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The weights of a layer, a column for each node, and the biases. Nodes that are not joined have the weight 0."""
    weights = np.zeros((layer.inputs, layer.outputs), np.float32)
    biases = np.zeros(layer.outputs, np.float32)
    for node, (sources, part) in enumerate(zip(_sources(layer), networks.nodes([layer])[0], strict=True)):
        values = theta[part]
        weights[sources, node] = values[: len(sources)]
        if layer.bias:
            biases[node] = values[-1]
    return weights, biases


def _sources(layer: Layer) -> list[list[int]]:
    """The inputs of each node."""
    return networks.connections(layer) or [list(range(layer.inputs))] * layer.outputs


def _theta(onnx: Any, player: Player, tensors: dict[str, Any]) -> Theta:
    """The weights of a player from the tensors of its model. Raises ValueError or KeyError."""

    def tensor(name: str, *shape: int) -> NDArray[Any]:
        if name not in tensors:
            raise ValueError(f"there is no tensor {name}")
        if not _is_inside(onnx, tensors[name]) or tuple(tensors[name].dims) != shape:
            raise ValueError(f"its tensor {name} is not one of {' x '.join(map(str, shape))} in the file itself")
        if tensors[name].data_type not in (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE):
            raise ValueError(f"its tensor {name} is not one of real numbers")
        found: NDArray[Any] = onnx.numpy_helper.to_array(tensors[name])
        return found

    evaluator = player.evaluator
    if isinstance(evaluator, PhaseNetwork):
        width, rows = evaluator.width, 128 if player.game == "draughts" else _tictactoe3d.pattern_inputs(False) + 64
        parts = [tensor("rows", rows, width), tensor("biases", width)]
        upper = [
            tensor("second", _PHASES, 2 * width, _UPPER).transpose(0, 2, 1).reshape(_PHASES, -1),
            tensor("second_biases", _PHASES, 1, _UPPER).reshape(_PHASES, -1),
            tensor("output", _PHASES, _UPPER, 1).reshape(_PHASES, -1),
            tensor("output_bias", _PHASES, 1, 1).reshape(_PHASES, -1),
        ]
        return np.concatenate([part.ravel() for part in (*parts, np.concatenate(upper, axis=1))]).astype(np.float32)
    if not isinstance(evaluator, BoardNetwork | FeatureNetwork | CellNetwork | PatternNetwork):
        raise ValueError("its evaluator is not a single network")
    found = []
    for number, layer in enumerate(evaluator.layers, 1):
        weights = tensor(f"weights{number}", layer.inputs, layer.outputs)
        biases = tensor(f"biases{number}", layer.outputs)
        for node, sources in enumerate(_sources(layer)):
            found += [weights[sources, node], biases[node : node + 1][: int(layer.bias)]]
    return np.concatenate(found).astype(np.float32)


def _random_positions(game: str, count: int, seed: int) -> list[Position]:
    """Positions of random games in which the game goes on."""
    rules, found = games.find(game), list[Position]()
    for index in range(count):
        position = rules.start
        for move in rules.random_game(seed, index)[0]:
            position = position.play(move)
            if position.moves():
                found.append(position)
        if len(found) >= count:
            break
    return found[:count]


class _Graph:
    """A graph of ONNX that is being made."""

    def __init__(self, onnx: Any) -> None:
        self._onnx = onnx
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def add(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """Adds a node; returns the name of its result."""
        name = name or f"{kind.lower()}{len(self._nodes)}"
        self._nodes.append(self._onnx.helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Adds a tensor; returns its name."""
        self._constants.append(self._onnx.numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def number(self, value: float) -> str:
        """Adds a number of 64 bits; returns its name."""
        return self.constant(f"number{len(self._constants)}", np.array(value))

    def layered(
        self, inputs: str, evaluator: BoardNetwork | FeatureNetwork | CellNetwork | PatternNetwork, theta: Theta
    ) -> str:
        """Layers one above the other."""
        at, found = 0, inputs
        for number, layer in enumerate(evaluator.layers, 1):
            size = networks.weights([layer])
            weights, biases = _dense(layer, theta[at : at + size])
            at += size
            found = self.add(
                "Gemm", found, self.constant(f"weights{number}", weights), self.constant(f"biases{number}", biases)
            )
            is_last = number == len(evaluator.layers)
            if is_last and isinstance(evaluator, BoardNetwork) and evaluator.piece_difference:
                found = self.add("Add", found, self._difference(inputs, evaluator))
            if layer.activation == "logistic":
                found = self.add("Mul", found, self.constant(f"half{number}", np.array(0.5, np.float32)))
            if layer.activation != "linear":
                found = self.add("Tanh", found)
        return found

    def _difference(self, inputs: str, evaluator: BoardNetwork) -> str:
        """The piece difference: the sum of all squares, which is also the last and largest of the sub-squares."""
        count = evaluator.layers[0].inputs
        whole = [1.0] * count if evaluator.encoder == "squares32" else [0.0] * (count - 1) + [1.0]
        return self.add("MatMul", inputs, self.constant("whole", np.array(whole, np.float32)[:, None]))

    def pieces(self, theta: Theta, width: int) -> str:
        """The first layer of a PhaseNetwork of draughts, from the planes."""
        places = [_plane_places(plane) for plane in (0, 1, 2, 3)]
        flat = self.add("Cast", self.add("Flatten", "inputs"), to=self._onnx.TensorProto.DOUBLE)
        pieces = self.add("Gather", flat, self.constant("squares", np.concatenate(places)), axis=1, name="pieces")
        # The other side sees its own pieces where this side sees those of the other, and the board turned round.
        other = np.arange(128).reshape(2, 2, 32)[::-1, :, ::-1].ravel()
        turned = self.add("Gather", pieces, self.constant("turned", other), axis=1)
        rows = self.constant("rows", _rounded(theta[: 128 * width], 9).reshape(128, width))
        return self._first([self.add("MatMul", view, rows) for view in (pieces, turned)], theta, 128, width, 9)

    def lines(self, theta: Theta, width: int) -> str:
        """The first layer of a PhaseNetwork of Tic-Tac-Toe 3D, from the planes."""
        lines = _tictactoe3d.lines()
        count = _tictactoe3d.pattern_inputs(False)
        worth = np.zeros((64, len(lines)))
        for number, line in enumerate(lines):
            for place, cell in enumerate(line):
                worth[cell, number] = 3**place
        below = np.eye(64, k=16)  # takes a cell to the one above it
        planes = self.add("Cast", self.add("Flatten", "inputs"), to=self._onnx.TensorProto.DOUBLE)
        first = self.constant("firsts", np.arange(len(lines)) * 81.0)
        rows = self.constant("rows", _rounded(theta[: (count + 64) * width], 8).reshape(count + 64, width))
        axes = self.constant("axes", np.array([1], np.int64))

        def seen(name: str, own: int, other: int) -> str:
            states = self.constant(name, np.concatenate([own * worth, other * worth]))
            patterns = self.add("Add", self.add("MatMul", planes, states), first)
            patterns = self.add("Cast", patterns, to=self._onnx.TensorProto.INT64)
            return self.add("ReduceSum", self.add("Gather", rows, patterns, axis=0), axes, keepdims=0)

        taken = self.add("MatMul", planes, self.constant("both", np.concatenate([np.eye(64)] * 2)), name="taken")
        support = self.add(
            "Add", self.add("MatMul", taken, self.constant("above", below)), self.constant("floor", _floor())
        )
        empty = self.add("Sub", self.number(1.0), taken)
        open_rows = self.add("Slice", rows, *self._range(count, count + 64))
        falls = self.add("MatMul", self.add("Mul", empty, support), open_rows)
        views = [self.add("Add", view, falls) for view in (seen("states", 1, 2), seen("turned", 2, 1))]
        return self._first(views, theta, count + 64, width, 8)

    def _range(self, begin: int, end: int) -> list[str]:
        return [
            self.constant(f"from{begin}", np.array([begin], np.int64)),
            self.constant(f"to{end}", np.array([end], np.int64)),
        ]

    def _first(self, views: list[str], theta: Theta, rows: int, width: int, bits: int) -> str:
        """The nodes of the first layer from the sums of both views: clipped, squared, and rounded to so many bits."""
        biases = self.constant("biases", _rounded(theta[rows * width : (rows + 1) * width], bits))
        sums = self.add("Concat", *[self.add("Add", view, biases) for view in views], axis=1)
        clipped = self.add("Clip", sums, self.number(0.0), self.number(1.0))
        square = self.add("Mul", self.add("Mul", clipped, clipped), self.number(2.0**bits))
        whole = self.add("Floor", self.add("Add", square, self.number(0.5)))
        return self.add("Div", whole, self.number(2.0**bits))

    def phases(self, hidden: str, theta: Theta, width: int, game: str) -> str:
        """The logit of winning for the side to move: the upper layers of the phase of each position."""
        bits = 9 if game == "draughts" else 8
        nodes_below = 2 * width  # of both views
        weights = _UPPER * nodes_below
        size = weights + 2 * _UPPER + 1
        parts = theta[-_PHASES * size :].reshape(_PHASES, size)
        second = _rounded(parts[:, :weights], 18 - bits).reshape(_PHASES, _UPPER, nodes_below).transpose(0, 2, 1)
        rest = parts[:, weights:]
        biases = _rounded(rest[:, :_UPPER], 18).reshape(_PHASES, 1, _UPPER)
        output = _rounded(rest[:, _UPPER : 2 * _UPPER], 9).reshape(_PHASES, _UPPER, 1)
        output_bias = _rounded(rest[:, 2 * _UPPER :], 22).reshape(_PHASES, 1, 1)
        nodes = self.add(
            "Add", self.add("MatMul", hidden, self.constant("second", second)), self.constant("second_biases", biases)
        )
        # Nodes have 13 bits: what is beyond them is cut off.
        cut = self.add("Div", self.add("Floor", self.add("Mul", nodes, self.number(8192.0))), self.number(8192.0))
        clipped = self.add("Clip", cut, self.number(0.0), self.number(1.0))
        nets = self.add(
            "Add",
            self.add("MatMul", clipped, self.constant("output", output)),
            self.constant("output_bias", output_bias),
        )  # phases x positions x 1
        counted = "pieces" if game == "draughts" else "taken"
        pieces = self.add("ReduceSum", counted, self.constant("count_axes", np.array([1], np.int64)), keepdims=1)
        limits = (6.5, 10.5, 16.5) if game == "draughts" else (12.5, 24.5, 36.5)
        beyond = [
            self.add("Cast", self.add("Greater", pieces, self.number(limit)), to=self._onnx.TensorProto.DOUBLE)
            for limit in limits
        ]
        chosen = self.add("Gather", nets, self.constant("phase0", np.array(0)), axis=0)
        for number, step in enumerate(beyond, 1):
            above = self.add("Gather", nets, self.constant(f"phase{number}", np.array(number)), axis=0)
            chosen = self.add("Add", chosen, self.add("Mul", step, self.add("Sub", above, chosen)))
        return chosen

    def written(self, player: Player, inputs: Inputs) -> bytes:
        """The model as bytes, after ONNX's own check."""
        helper, types = self._onnx.helper, self._onnx.TensorProto
        shape = games.find(player.game).core.encoders()[inputs.encoder]
        graph = helper.make_graph(
            self._nodes,
            "player",
            [helper.make_tensor_value_info("inputs", types.FLOAT, ["positions", *shape])],
            [helper.make_tensor_value_info("value", types.FLOAT, ["positions"])],
            self._constants,
        )
        found = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], producer_name="ludus")
        found.ir_version = 8  # of the time of this opset: what older runtimes read as well
        header = msgspec.json.encode(msgspec.structs.replace(player, theta=None)).decode()
        encoding = msgspec.json.encode(inputs._asdict()).decode()
        for key, value in {FORMAT: header, "ludus-encode": encoding}.items():
            found.metadata_props.add(key=key, value=value)
        self._onnx.checker.check_model(found)
        content: bytes = found.SerializeToString(deterministic=True)
        return content


def _rounded(theta: NDArray[np.float32], bits: int) -> NDArray[np.float64]:
    """Weights as the evaluator rounds them; 2^bits is 1."""
    found: NDArray[np.float64] = np.rint(theta.astype(np.float64) * 2**bits) / 2**bits
    return found


def _floor() -> NDArray[np.float64]:
    """1 for the cells of the lowest level, on which a stone needs no other."""
    return (np.arange(64) < 16).astype(np.float64)


def _plane_places(plane: int) -> NDArray[np.int64]:
    """Where the squares of the ring are in a plane of draughts, the first square of the ring first."""
    places = np.zeros(32, np.int64)
    for square in range(1, 33):
        row, column = divmod(square - 1, 4)
        ring = (10 + 6 * column + 8 * (row // 2) + row % 2) % 32
        places[ring] = 64 * plane + 8 * (7 - row) + 7 - (2 * column + 1 - row % 2)
    return places
