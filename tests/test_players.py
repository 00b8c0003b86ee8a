"""Players and their files: what is saved comes back, and what cannot be a player says why in one sentence."""

import json
import random
import struct
from pathlib import Path

import msgspec
import numpy as np
import pytest
import safetensors
import safetensors.numpy

from ludus import files, games, players
from ludus.players import (
    BASELINES,
    ActivePlayer,
    BadPlayer,
    Player,
    Provenance,
    evaluators,
    find,
    load,
    networks,
    save,
    searches,
)
from ludus.players.evaluators import BoardNetwork, CellNetwork, FeatureNetwork, Material
from ludus.players.networks import Layer, dense
from ludus.players.searches import AlphaBeta, Benchmark, Budget, Ept, Greedy, Minimax, Random, Uct

BLONDIE24 = (Layer(inputs=32, outputs=91, structure="subsquares"), *dense(91, 40, 10, 1))
LINES = (
    Layer(inputs=64, outputs=304, activation="logistic", bias=False, structure="lines"),
    *dense(304, 32, 1, activation="logistic", bias=False),
)
EVALUATORS = {
    "draughts": [
        Material(),
        BoardNetwork(layers=dense(32, 40, 10, 1), encoder="squares32", king=2.0, piece_difference=True),
        BoardNetwork(layers=dense(91, 40, 10, 1), encoder="subsquares91"),
        BoardNetwork(layers=BLONDIE24, encoder="squares32", king=1.3),
        FeatureNetwork(layers=dense(38, 20, 1), features=evaluators.FEATUREMAP12),
        FeatureNetwork(layers=dense(83, 20, 1), features=evaluators.FEATUREMAP28, coding="faithful"),
        FeatureNetwork(layers=dense(4, 1, activation="logistic"), features=("PieceAdvantage",)),
    ],
    "tictactoe3d": [
        Material(),
        CellNetwork(layers=LINES),
        CellNetwork(layers=dense(64, 50, 1, activation="logistic")),
    ],
}
SEARCHES = [
    (Greedy(), None),
    (Minimax(), Budget(depth=2)),
    (AlphaBeta(), Budget(nodes=500)),
    (AlphaBeta(quiescence=False, reductions=False, repetition=False, table_megabytes=1), Budget(depth=3)),
    (AlphaBeta(), Budget(seconds=0.5)),
    (Ept(), Budget(playouts=30)),
    (Ept(plies=0, exploration=0.7), Budget(seconds=0.5)),
    (Uct(exploration=0.5), Budget(playouts=30)),
]


def weights(evaluator, seed=1):
    if isinstance(evaluator, Material):
        return None
    return networks.random_theta(evaluator.layers, np.random.default_rng(seed), -0.5, 0.5)


PLAYERS = [
    *BASELINES,
    *(
        Player(name="learner", game=game, search=search, evaluator=evaluator, budget=budget, theta=weights(evaluator))
        for game, kinds in EVALUATORS.items()
        for evaluator in kinds
        for search, budget in SEARCHES
    ),
]
LEARNER = next(
    player for player in PLAYERS if player.theta is not None and player.theta.size == 1741 and player.budget is None
)


def name(player):
    return f"{player.game}-{searches.kind(player.search)}-{player.evaluator}-{player.budget}"


def same(one, other):
    for field in ("name", "game", "search", "evaluator", "budget", "made"):
        assert getattr(one, field) == getattr(other, field)
    assert (one.theta is None) == (other.theta is None)
    if one.theta is not None:
        assert other.theta.dtype == np.float32 and one.theta.tobytes() == other.theta.tobytes()


@pytest.mark.parametrize("player", PLAYERS, ids=name)
def test_what_is_saved_comes_back(player, tmp_path):
    path = tmp_path / "some.player"
    save(player, path)
    loaded = load(path)
    same(player, loaded)
    assert loaded.describe() == player.describe()
    if loaded.budget is None or loaded.budget.unit != "seconds":
        history = games.find(player.game).history()
        assert ActivePlayer(loaded).choose(history, seed=1) == ActivePlayer(player).choose(history, seed=1)


def test_saving_again_gives_the_same_bytes(tmp_path):
    save(LEARNER, tmp_path / "one")
    save(load(tmp_path / "one"), tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_where_a_player_comes_from_is_kept(tmp_path):
    made = Provenance(command="ludus train td", seed=7, date="2026-01-02")
    save(msgspec.structs.replace(LEARNER, made=made), tmp_path / "p")
    assert load(tmp_path / "p").made == made
    assert load(tmp_path / "p").describe().splitlines()[-1] == "made by ludus train td, seed 7, 2026-01-02"
    built = msgspec.structs.replace(made, version="1.2.3", instructions="x86-64 avx2")
    save(msgspec.structs.replace(LEARNER, made=built), tmp_path / "p")
    assert load(tmp_path / "p").made == built
    assert load(tmp_path / "p").describe().endswith("2026-01-02, Ludus 1.2.3, x86-64 avx2")


def test_a_person_can_read_the_metadata(tmp_path):
    save(LEARNER, tmp_path / "p")
    with safetensors.safe_open(tmp_path / "p", "numpy") as file:
        assert list(file.keys()) == ["theta"]
        metadata = file.metadata()
    assert list(metadata) == ["ludus-player-1"]
    described = json.loads(metadata["ludus-player-1"])
    assert len(described.pop("crc32")) == 8
    assert described == {
        "name": "learner",
        "game": "draughts",
        "search": {"type": "greedy"},
        "evaluator": {
            "type": "board",
            "layers": [
                {"inputs": a, "outputs": b, "activation": "tanh", "bias": True, "structure": "full"}
                for a, b in ((32, 40), (40, 10), (10, 1))
            ],
            "encoder": "squares32",
            "king": 2.0,
            "piece_difference": True,
        },
    }


def test_a_description_has_search_evaluator_weights_and_origin():
    assert LEARNER.describe().splitlines()[:3] == [
        "learner, a player of draughts",
        "search: greedy",
        "evaluator: 32-40-10-1 network on squares32, with the piece difference; a king is worth 2 men",
    ]
    assert LEARNER.describe().splitlines()[3].startswith("1741 weights from -0.")
    assert find("uct").describe() == "uct, a player of draughts\nsearch: uct, playouts=1000 a move\nevaluator: none"


def test_a_description_names_what_is_not_usual():
    off = AlphaBeta(quiescence=False, reductions=False, repetition=False, endgames=3)
    assert find("material").with_search(off).describe().splitlines()[1:3] == [
        "search: alphabeta, nodes=100000 a move; quiescence off, reductions off, repetition off",
        "endgame tables: up to 3 pieces",
    ]
    assert (
        "search: uct, playouts=1000 a move; exploration 0.5, by_value on"
        in find("uct@exploration=0.5,by_value=on").describe()
    )
    assert "activation" not in find("visiondraughts").describe() + find("mp-draughts").describe()
    lines = find("symmetric-patterns").describe().splitlines()
    assert "search: greedy; avoid_loss on" in lines and "activation: logistic" in lines
    layers = (Layer(inputs=32, outputs=4, activation="logistic"), Layer(inputs=4, outputs=1))
    mixed = BoardNetwork(layers=layers, encoder="squares32")
    assert "activation: logistic, tanh" in msgspec.structs.replace(LEARNER, evaluator=mixed).describe()


def test_a_team_can_play_with_the_other_dynamics():
    team, once = find("mp-draughts"), find("mp-draughts@dynamics=DI,depth=2")
    assert team.evaluator.dynamics == "DII" and "at every own move (DII)" in team.describe()
    assert once.evaluator == msgspec.structs.replace(team.evaluator, dynamics="DI") and once.budget == Budget(depth=2)
    assert once.name == "mp-draughts@dynamics=DI,depth=2" and "once (DI)" in once.describe()
    assert (once.theta == team.theta).all() and find("mp-draughts@dynamics=DII").evaluator == team.evaluator
    assert players.is_named(once.name) and players.games_of(once.name) == {"draughts"}
    game = games.find("draughts")
    assert ActivePlayer(once).choose(game.history()) in game.start.moves()
    with pytest.raises(BadPlayer, match="the dynamics of a team are DI or DII, not 'DIII'"):
        find("mp-draughts@dynamics=DIII")
    for other in ("visiondraughts", "random", "mp-draughts@generalist"):
        with pytest.raises(BadPlayer, match=f"{other} has no dynamics: only a multi-phase player"):
            find(f"{other}@dynamics=DI")


def test_the_baselines_are_found_by_name_and_game():
    assert {(player.name, player.game) for player in BASELINES} >= {
        (name, game) for name in ("random", "material", "uct") for game in ("draughts", "tictactoe3d")
    } | {("benchmark", "tictactoe3d")}
    for player in BASELINES:
        assert find(player.name, player.game) is player
    assert find("material").game == "draughts"
    assert find("benchmark").game == "tictactoe3d"


def test_a_file_is_found_by_its_path(tmp_path):
    save(LEARNER, tmp_path / "p")
    same(find(str(tmp_path / "p"), "draughts"), LEARNER)
    same(find(str(tmp_path / "p")), LEARNER)


@pytest.mark.parametrize(
    ("what", "game", "reason"),
    [
        ("nobody", None, "there is no player nobody: name a file, or one of random, material, uct, benchmark"),
        ("benchmark", "draughts", "benchmark plays tictactoe3d, not draughts"),
        ("", None, "there is no player"),
        ("x" * 5000, None, "there is no player"),
        ("x\0y", None, "there is no player"),
    ],
)
def test_an_unknown_player_is_refused_with_the_reason(what, game, reason):
    with pytest.raises(BadPlayer) as caught:
        find(what, game)
    assert str(caught.value).startswith(reason)


def test_a_player_of_the_other_game_is_refused(tmp_path):
    save(LEARNER, tmp_path / "p")
    with pytest.raises(BadPlayer, match="plays draughts, not tictactoe3d"):
        find(str(tmp_path / "p"), "tictactoe3d")


# Players that do not fit together.


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"theta": np.zeros(1740, np.float32)}, "has 1741 weights, not 1740"),
        ({"theta": None}, "a network needs its weights"),
        ({"theta": np.full(1741, np.nan, np.float32)}, "finite numbers"),
        ({"evaluator": None, "theta": None}, "greedy needs an evaluator"),
        ({"evaluator": None, "search": Uct()}, "it has weights and no network"),
        ({"evaluator": Material()}, "it has weights and no network"),
        ({"game": "tictactoe3d"}, "its evaluator does not know tictactoe3d"),
        ({"evaluator": CellNetwork(layers=LINES), "search": AlphaBeta()}, "its evaluator does not know draughts"),
        ({"evaluator": CellNetwork(layers=LINES), "search": Uct()}, "its evaluator does not know draughts"),
        ({"search": Benchmark()}, "its search, benchmark, does not know draughts"),
        ({"budget": Budget(depth=3)}, "greedy chooses at once: it takes no budget"),
        ({"search": Random(), "budget": Budget(nodes=3)}, "random chooses at once: it takes no budget"),
        ({"search": Uct(), "budget": Budget(depth=3)}, "uct takes a budget of playouts or seconds, not depth"),
        ({"search": Ept(), "budget": Budget(nodes=3)}, "ept takes a budget of playouts or seconds, not nodes"),
        ({"search": Minimax(), "budget": Budget(seconds=3)}, "minimax takes a budget of depth, not seconds"),
        (
            {"search": AlphaBeta(), "budget": Budget(playouts=3)},
            "takes a budget of nodes or depth or seconds, not playouts",
        ),
        ({"search": Uct(exploration=-1)}, "not negative"),
        ({"evaluator": BoardNetwork(layers=dense(32, 1), encoder="subsquares91")}, "subsquares91 has 91 inputs"),
        ({"evaluator": BoardNetwork(layers=(), encoder="squares32")}, "squares32 has 32 inputs"),
        ({"evaluator": FeatureNetwork(layers=dense(38, 1), features=("Luck",))}, "there is no feature 'Luck'"),
        ({"evaluator": FeatureNetwork(layers=dense(38, 1), features=("Node",))}, "1 features has"),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(changes, reason, tmp_path):
    player = msgspec.structs.replace(LEARNER, **changes)
    with pytest.raises(BadPlayer, match=reason) as caught:
        ActivePlayer(player)
    assert "\n" not in str(caught.value)
    save(player, tmp_path / "p")
    with pytest.raises(BadPlayer) as caught:
        load(tmp_path / "p")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Budget(), "one of depth, nodes, playouts and seconds"),
        (lambda: Budget(depth=1, nodes=1), "one of depth, nodes, playouts and seconds"),
        (lambda: Budget(depth=0), "more than 0"),
        (lambda: Budget(seconds=float("nan")), "more than 0"),
        (lambda: Budget(seconds=float("inf")), "at most 1,000,000,000"),
        (lambda: Budget(depth=101), "at most 100"),
        (lambda: Budget(nodes=10**30), "at most"),
        (lambda: AlphaBeta(table_megabytes=0), "1 to 1024 megabytes"),
        (lambda: AlphaBeta(table_megabytes=10**30), "1 to 1024 megabytes"),
        (lambda: Ept(plies=-1), "0 to 1000 plies"),
        (lambda: Player(name="", game="draughts", search=Random()), "printable"),
        (lambda: Player(name="a\nb", game="draughts", search=Random()), "printable"),
    ],
)
def test_parts_that_cannot_be_are_refused(make, reason):
    with pytest.raises(ValueError, match=reason):
        make()


@pytest.mark.parametrize("text", ["depth=8", "nodes=100000", "playouts=300", "seconds=0.5"])
def test_a_budget_reads_back_as_it_is_written(text):
    assert str(Budget.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "8", "depth", "depth=", "depth=x", "depth=1.5", "plies=3", "=3", "depth=8=9", "name=1"]
)
def test_a_bad_budget_is_refused_with_examples(text):
    with pytest.raises(ValueError, match="is not a budget: write depth=8") as caught:
        Budget.parse(text)
    assert "\n" not in str(caught.value)


# Broken, foreign and oversized files.


def bad(path):
    """The sentence about a file that is no player."""
    with pytest.raises(BadPlayer) as caught:
        load(path)
    sentence = str(caught.value)
    assert sentence and "\n" not in sentence and "Traceback" not in sentence
    return sentence


@pytest.fixture
def whole(tmp_path):
    """The bytes of a good file."""
    save(LEARNER, tmp_path / "whole")
    return (tmp_path / "whole").read_bytes()


def test_a_file_cut_short_anywhere_is_refused(whole, tmp_path):
    for size in (*range(0, len(whole), 97), len(whole) - 1):
        (tmp_path / "cut").write_bytes(whole[:size])
        assert "not a safetensors file" in bad(tmp_path / "cut")


def test_a_file_with_something_after_its_end_is_refused(whole, tmp_path):
    (tmp_path / "long").write_bytes(whole + b"\0")
    assert "not a safetensors file" in bad(tmp_path / "long")


@pytest.mark.parametrize(
    "content",
    [b"", b"\0" * 8, b"\xff" * 100, b"PK\x03\x04", b'[Event "x"]\n1. 11-15 *\n', struct.pack("<Q", 2) + b"[]"],
    ids=["empty", "zeros", "ones", "zip", "pdn", "list"],
)
def test_what_is_no_safetensors_file_is_refused(content, tmp_path):
    (tmp_path / "foreign").write_bytes(content)
    assert "not a safetensors file" in bad(tmp_path / "foreign")


def test_foreign_safetensors_are_refused(tmp_path):
    path = tmp_path / "foreign"
    path.write_bytes(safetensors.numpy.save({"layer.0": np.zeros((3, 3), np.float32)}))
    assert "no player of this version" in bad(path)
    path.write_bytes(safetensors.numpy.save({}, {"format": "pt"}))
    assert "no player of this version" in bad(path)
    text = b'{"__metadata__":null}'
    path.write_bytes(struct.pack("<Q", len(text)) + text)
    bad(path)


def test_a_directory_and_a_missing_file_are_refused(tmp_path):
    assert "Is a directory" in bad(tmp_path)
    assert "No such file" in bad(tmp_path / "nothing")


def test_an_unreadable_file_is_refused(whole, tmp_path, monkeypatch):
    def denied(self, *args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    assert "cannot be read: Permission denied" in bad(tmp_path / "whole")


def test_an_oversized_file_is_refused(tmp_path):
    path = tmp_path / "big"
    with path.open("wb") as file:
        file.truncate(10 * 2**30)  # no such room is taken: the file is one hole
    assert "at most 67,108,864 bytes" in bad(path)


def spoiled(tmp_path, tensors=None, **fields):
    """A file whose header has other fields: None takes a field away."""
    header = json.loads(msgspec.json.encode(msgspec.structs.replace(LEARNER, theta=None)))
    for key, value in fields.items():
        header.pop(key, None) if value is None else header.update({key: value})
    tensors = {"theta": LEARNER.theta} if tensors is None else tensors
    path = tmp_path / "spoiled"
    path.write_bytes(safetensors.numpy.save(tensors, {players.file.FORMAT: json.dumps(header)}))
    return path


LAYER = {"inputs": 32, "outputs": 1}


def board(**changes):
    return {"type": "board", "layers": [LAYER], "encoder": "squares32"} | changes


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"search": {"type": "oracle"}}, "oracle"),
        ({"search": {"type": "alphabeta", "table_megabytes": -1}}, "1 to 1024 megabytes"),
        ({"search": {"type": "alphabeta", "table_megabytes": 10**30}}, "megabytes"),
        ({"search": {"type": "alphabeta", "speed": 9}}, "speed"),
        ({"search": {"type": "ept", "plies": 10**12}}, "0 to 1000 plies"),
        ({"search": {"type": "uct", "exploration": -1}}, "not negative"),
        ({"search": None}, "search"),
        ({"game": "chess"}, "chess"),
        ({"name": None}, "name"),
        ({"name": "two\nlines"}, "printable"),
        ({"name": 3}, "str"),
        ({"colour": "red"}, "colour"),
        ({"budget": {"depth": 3, "nodes": 4}}, "one of depth"),
        ({"budget": {}}, "one of depth"),
        ({"budget": {"nodes": -1}}, "more than 0"),
        ({"budget": {"nodes": 5}}, "takes no budget"),
        ({"evaluator": board()}, "has 33 weights, not 1741"),
        ({"evaluator": board(layers=[])}, "32 inputs"),
        ({"evaluator": board(layers=[{**LAYER, "outputs": 10**12}])}, "1 to 8192"),
        ({"evaluator": board(layers=[{**LAYER, "outputs": -1}])}, "1 to 8192"),
        ({"evaluator": board(layers=[{**LAYER, "activation": "relu"}])}, "relu"),
        ({"evaluator": board(layers=[{**LAYER, "structure": "lines"}])}, "each of its nodes"),
        ({"evaluator": board(king=1e300)}, "does not fit together"),
        ({"evaluator": board(king=-1)}, "does not fit together"),
        ({"evaluator": {"type": "cells", "layers": [LAYER]}}, "does not know draughts"),
        ({"evaluator": {"type": "stars"}}, "stars"),
        ({"made": {"command": 3}}, "str"),
    ],
)
def test_a_header_that_cannot_be_is_refused(fields, reason, tmp_path):
    assert reason in bad(spoiled(tmp_path, **fields))


@pytest.mark.parametrize(
    ("tensors", "reason"),
    [
        ({}, "a network needs its weights"),
        ({"theta": LEARNER.theta[:-1]}, "has 1741 weights, not 1740"),
        ({"theta": np.append(LEARNER.theta, np.float32(0))}, "has 1741 weights, not 1742"),
        ({"theta": np.where(np.arange(1741) == 7, np.float32(np.nan), LEARNER.theta)}, "finite"),
        ({"theta": np.where(np.arange(1741) == 7, np.float32(np.inf), LEARNER.theta)}, "finite"),
        ({"theta": LEARNER.theta * np.float32(1e12)}, "at most a billion"),
        ({"theta": LEARNER.theta.astype(np.float64)}, "32-bit"),
        ({"theta": LEARNER.theta.reshape(1, -1)}, "list"),
        ({"theta": np.zeros(0, np.float32)}, "has 1741 weights, not 0"),
        ({"theta": LEARNER.theta, "sigma": LEARNER.theta}, "nothing is known of its tensor 'sigma'"),
    ],
)
def test_weights_that_cannot_be_are_refused(tensors, reason, tmp_path):
    assert reason in bad(spoiled(tmp_path, tensors))


def test_any_flipped_bytes_give_a_player_or_a_sentence(whole, tmp_path):
    rng = random.Random(1)
    (length,) = struct.unpack("<Q", whole[:8])
    path = tmp_path / "flipped"
    good = 0
    for _ in range(2000):
        content = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            # Mostly in the header, where the meaning is.
            at = rng.randrange(8 + length) if rng.random() < 0.8 else rng.randrange(len(content))
            content[at] = rng.choice((rng.randrange(256), content[at] ^ 1 << rng.randrange(8), *b'0123456789"{}[],:-'))
        path.write_bytes(content)
        try:
            load(path).describe()
            good += 1
        except BadPlayer as error:
            assert "\n" not in str(error) and "Traceback" not in str(error)
    assert 0 < good < 2000


# Files that are either whole or not there.


@pytest.mark.parametrize("step", ["fsync", "replace", "write"])
def test_an_error_in_the_middle_leaves_the_old_file_whole(step, whole, tmp_path, monkeypatch):
    def fails(*args, **kwargs):
        raise OSError(28, "No space left on device")

    path = tmp_path / "whole"
    if step == "fsync":
        monkeypatch.setattr(files.os, "fsync", fails)
    elif step == "replace":
        monkeypatch.setattr(Path, "replace", fails)
    else:
        opened = Path.open

        def half(self, mode):
            file = opened(self, mode)
            file.write(b"half")
            file.close()
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "open", half)
    with pytest.raises(OSError, match="No space left"):
        save(msgspec.structs.replace(LEARNER, name="another"), path)
    monkeypatch.undo()
    assert path.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_in_the_middle_leaves_no_temporary_file(tmp_path, monkeypatch):
    def interrupted(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(LEARNER, tmp_path / "p")
    assert not any(tmp_path.iterdir())


def test_saving_makes_the_folders_it_needs(tmp_path):
    save(LEARNER, tmp_path / "a" / "b" / "p")
    same(load(tmp_path / "a" / "b" / "p"), LEARNER)


def test_a_greedy_player_with_a_budget_looks_ahead_by_the_same_values():
    greedy, ahead = find("symmetric-patterns"), find("symmetric-patterns@depth=3")
    assert isinstance(greedy.search, Greedy) and isinstance(ahead.search, AlphaBeta)
    assert ahead.budget == Budget(depth=3) and (ahead.theta == greedy.theta).all()


def test_every_shipped_player_names_the_command_that_made_it():
    trained = [player for player in players.named_players() if player.theta is not None]
    assert len(trained) == len(players.SHIPPED) > 0
    for player in trained:
        assert player.made.command.startswith("ludus train ") and player.made.seed is not None and player.made.date
        assert f"--seed {player.made.seed}" in player.made.command and player.made.version and player.made.instructions
        assert players.SHIPPED[player.name].stat().st_size < 2_000_000
