"""Networks as ONNX models: the same values in ONNX Runtime, the same player back, and broken files refused."""

import msgspec
import numpy as np
import pytest

from ludus import games, players
from ludus.players import onnx
from ludus.players.player import BadPlayer

pytest.importorskip("onnxruntime")

EXPORTED = (
    "champion",
    "champion3d",
    "visiondraughts",
    "ls-draughts",
    "mp-draughts@generalist",
    "genetic",
    "blondie24-1999",
    "blondie24-2001",
    "symmetric-patterns",
)


@pytest.mark.parametrize("name", EXPORTED)
def test_the_runtime_gives_the_values_of_the_player(name):
    player = players.find(name)
    assert onnx.check(player, onnx.model(player), 10_000 if name == "champion" else 1000) < 1e-5


def test_a_model_with_other_weights_is_found():
    player = players.find("visiondraughts")
    changed = msgspec.structs.replace(player, theta=player.theta * 1.01)
    assert onnx.check(player, onnx.model(changed), 100) > 1e-4


@pytest.mark.parametrize("name", EXPORTED)
def test_a_model_is_read_back_as_the_same_player(name, tmp_path):
    player = players.find(name)
    path = tmp_path / "net.onnx"
    path.write_bytes(onnx.model(player))
    back = players.load(path)
    assert (back.name, back.game, back.search, back.evaluator) == (
        player.name,
        player.game,
        player.search,
        player.evaluator,
    )
    core = games.find(player.game).core
    position = games.find(player.game).start.moves()[0]
    after = games.find(player.game).start.play(position)
    values = [each.evaluator.build(core, each.theta).value(after) for each in (player, back)]
    assert values[0] == values[1]
    if not name.startswith("champion"):  # its weights come back rounded, as its evaluator uses them
        assert np.array_equal(player.theta, back.theta)


@pytest.mark.parametrize("name", ["material", "samuel", "mp-draughts"])
def test_what_is_no_single_network_is_refused(name):
    with pytest.raises(BadPlayer, match="cannot be an ONNX model: its evaluator is not a single network"):
        onnx.model(players.find(name, "draughts"))


def test_broken_and_foreign_models_are_refused(tmp_path):
    import onnx as library

    good = onnx.model(players.find("blondie24-1999"))
    path = tmp_path / "net.onnx"
    path.write_bytes(good[:1000])
    with pytest.raises(BadPlayer, match=r"net.onnx is no ONNX model, or a broken one|net.onnx is a"):
        players.load(path)
    path.write_bytes(b"")
    with pytest.raises(BadPlayer, match="is no ONNX model: it has no graph"):
        players.load(path)
    model = library.load_model_from_string(good)
    del model.metadata_props[:]
    path.write_bytes(model.SerializeToString())
    with pytest.raises(BadPlayer, match="is an ONNX model, but not of a player"):
        players.load(path)
    model = library.load_model_from_string(good)
    model.graph.initializer[0].name = "other"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(BadPlayer, match="is a broken model of a player: there is no tensor"):
        players.load(path)
    model = library.load_model_from_string(good)
    model.graph.initializer[0].dims[0] = 10**9
    path.write_bytes(model.SerializeToString())
    with pytest.raises(BadPlayer, match="is a broken model of a player: its tensor"):
        players.load(path)
    model = library.load_model_from_string(good)
    entry = model.graph.initializer[0].external_data.add()
    entry.key, entry.value = "location", "/etc/hostname"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(BadPlayer, match="is a broken model of a player: its tensor"):
        players.load(path)
    for field, value in (
        ("data_location", library.TensorProto.EXTERNAL),
        ("data_type", library.TensorProto.COMPLEX64),
        ("data_type", library.TensorProto.INT4),
    ):
        model = library.load_model_from_string(good)
        setattr(model.graph.initializer[0], field, value)
        path.write_bytes(model.SerializeToString())
        with pytest.raises(BadPlayer, match="is a broken model of a player: its tensor"):
            players.load(path)
    with pytest.raises(BadPlayer, match=r"nowhere.onnx cannot be read"):
        players.load(tmp_path / "nowhere.onnx")


def _other_node(graph):
    graph.node[1].op_type = "Relu"


def _other_order(graph):
    graph.node[0].input[0], graph.node[0].input[1] = graph.node[0].input[1], graph.node[0].input[0]


def _one_node_less(graph):
    del graph.node[-1]


def _other_constant(graph):
    constant = next(each for each in graph.initializer if each.name == "whole")
    constant.raw_data = bytes(len(constant.raw_data))


def _short_constant(graph):
    constant = next(each for each in graph.initializer if each.name == "whole")
    constant.raw_data = constant.raw_data[:-1]


def _not_a_number(graph):
    graph.initializer[0].raw_data = b"\xff" * len(graph.initializer[0].raw_data)


def _far_constant(graph):
    next(each for each in graph.initializer if each.name == "whole").data_location = 1  # in another file


def _no_output(graph):
    del graph.output[:]


def _sparse(graph):
    graph.sparse_initializer.add()


@pytest.mark.parametrize(
    "change",
    [
        _other_node,
        _other_order,
        _one_node_less,
        _other_constant,
        _short_constant,
        _far_constant,
        _not_a_number,
        _no_output,
        _sparse,
    ],
)
def test_a_model_whose_graph_was_changed_is_refused(change, tmp_path):
    """Its player would not play what the model computes."""
    import onnx as library

    model = library.load_model_from_string(onnx.model(players.find("blondie24-1999")))
    change(model.graph)
    path = tmp_path / "net.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(BadPlayer, match=r"is not the model of its player|finite"):
        players.load(path)


def test_a_model_of_another_opset_is_refused(tmp_path):
    import onnx as library

    model = library.load_model_from_string(onnx.model(players.find("blondie24-1999")))
    model.opset_import[0].version = 1
    path = tmp_path / "net.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(BadPlayer, match="is not the model of its player"):
        players.load(path)
