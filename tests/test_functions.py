"""Players whose evaluator is a function of Python: in every search, in matches, and what goes wrong with them."""

import gc
import weakref

import msgspec
import numpy as np
import pytest

from ludus import arena, players
from ludus.games import draughts, tictactoe3d
from ludus.players import ActivePlayer, BadPlayer, Player, functions
from ludus.players.evaluators import Material
from ludus.players.searches import AlphaBeta, Ept, Greedy, Minimax, Pvs

SEARCHES = [
    (Greedy(), None),
    (Minimax(), "depth=3"),
    (Minimax(pruned=True), "depth=3"),
    (AlphaBeta(), "depth=5"),
    (AlphaBeta(endgames=4), "depth=4"),
    (Pvs(), "depth=5"),
    (Ept(plies=0), "playouts=60"),
    (Ept(), "playouts=60"),
]
MATERIAL = {game.GAME.name: game._core.Evaluator.material() for game in (draughts, tictactoe3d)}


def counting(game):
    """The core's own piece count as a function of Python; it keeps the sizes of its batches."""

    def value(positions):
        value.batches.append(len(positions))
        return [-MATERIAL[game].value(position) for position in positions]

    value.batches = []
    return value


def positions(game, count=6):
    for index in range(count):
        position = game.START
        for move in game.random_game(3, index)[0][:12]:
            position = position.play(move)
        if not position.outcome():
            yield position


@pytest.mark.parametrize(("search", "budget"), SEARCHES)
@pytest.mark.parametrize("game", [draughts, tictactoe3d], ids=lambda game: game.GAME.name)
def test_it_finds_what_the_same_evaluator_of_the_core_finds(game, search, budget):
    name = game.GAME.name
    if game is tictactoe3d and getattr(search, "endgames", 0):
        pytest.skip("it has no endgame tables")
    function = counting(name)
    ours = ActivePlayer(Player.from_function(function, game=name, search=search, budget=budget))
    core = ActivePlayer(
        msgspec.structs.replace(ours.player, evaluator=Material(), name="core"),
    )
    for position in positions(game):
        history = game.History(position)
        found, expected = (active.think(history, seed=5) for active in (ours, core))
        assert (found.value, found.nodes) == (expected.value, expected.nodes)
        assert [str(move) for move in found.variation] == [str(move) for move in expected.variation]
        assert [(str(each.move), each.value) for each in found.moves] == [
            (str(each.move), each.value) for each in expected.moves
        ]
    assert max(function.batches) > 3


def test_all_moves_of_a_position_are_asked_at_once():
    function = counting("draughts")
    ActivePlayer(Player.from_function(function, search="greedy")).choose(draughts.History())
    assert function.batches == [7]
    ActivePlayer(Player.from_function(function, search="minimax", budget="depth=2")).choose(draughts.History())
    assert function.batches[1:] == [7] * 7


def test_a_value_is_for_the_side_to_move():
    def afraid(positions):
        return [-1.0 if str(position.turn) == "White" and "31" in position.text else 0.0 for position in positions]

    # After every move of Black the side to move, White, is lost: Black is won.
    found = ActivePlayer(Player.from_function(afraid, search="greedy")).think(draughts.History())
    assert found.value == pytest.approx(1.0, abs=1e-5)


def test_the_arrays_of_positions_are_seen_by_the_side_to_move():
    start = draughts.squares([draughts.START, draughts.START.play("11-15")])
    assert start.shape == (2, 32) and start.dtype == np.float32
    assert start[0].tolist() == [1] * 12 + [0] * 8 + [-1] * 12
    assert start[1].sum() == 0 and start[1][:12].tolist() == [1] * 12 and start[1][32 - 15] == -1
    assert draughts.squares([draughts.Position("B:WK1:B28")], 2.0)[0][[0, 27]].tolist() == [-2, 1]
    cells = tictactoe3d.cells([tictactoe3d.START.play("a1").play("b1"), tictactoe3d.START.play("a1")])
    assert cells.shape == (2, 64) and (cells[0][:2].tolist(), cells[1][0]) == ([1, -1], -1)
    assert draughts.squares([]).shape == (0, 32)


def test_weights_are_the_second_argument():
    def linear(positions, theta):
        return np.tanh(draughts.squares(positions) @ theta)

    theta = np.linspace(-0.1, 0.1, 32, dtype=np.float32)
    player = Player.from_function(linear, search="greedy", theta=theta)
    assert ActivePlayer(player).think(draughts.History()).value != 0.0
    assert player.theta is theta


def test_a_match_in_one_line():
    function = counting("draughts")
    player = Player.from_function(function, name="counter", budget="depth=1")
    result = arena.match(player, "random", games=4, concurrency=2, seed=1)
    again = arena.match(player, "random", games=4, concurrency=1, seed=1)
    assert result.score == again.score and result.score.games == 4 and result.score.score > 0.5
    assert str(result).startswith("counter against random: +")
    assert [game.tags["Black"] for game in result.games()] == ["counter", "random"] * 2
    assert result.data()["players"] == ["counter", "random"]


def test_a_match_deduces_the_game_and_has_budgets():
    assert arena.match("benchmark", "random", games=2).data()["game"] == "tictactoe3d"
    result = arena.match("material", "material@depth=1", games=2, budget="depth=2", game="tictactoe3d")
    assert [str(player.budget) for player in result.players] == ["depth=2", "depth=1"]
    with pytest.raises(ValueError, match="pairs of games"):
        arena.match("random", "random", games=3)
    with pytest.raises(BadPlayer, match="there is no player nobody"):
        arena.match("nobody", "random")


@pytest.mark.parametrize(
    ("function", "error", "reason"),
    [
        (lambda positions: [2.0] * len(positions), ValueError, "returned the value 2: values are numbers from -1 to 1"),
        (lambda positions: [float("nan")] * len(positions), ValueError, "returned the value nan"),
        (lambda positions: [0.0], ValueError, r"was asked for 7 values, and returned an array of shape \(1,\)"),
        (lambda positions: "nothing", ValueError, "could not convert"),
        (lambda positions: {}[0], KeyError, "0"),
    ],
)
def test_what_a_function_does_wrong_comes_out_of_the_search(function, error, reason):
    for search in ("greedy", "alphabeta", "pvs", "ept"):
        with pytest.raises(error, match=reason if search != "ept" else None):
            ActivePlayer(Player.from_function(function, search=search)).think(draughts.History())


def test_an_error_in_a_match_ends_it():
    def bad(positions):
        raise RuntimeError("the network is gone")

    with pytest.raises(RuntimeError, match="the network is gone"):
        arena.match(Player.from_function(bad), "random", games=2)


def test_players_that_do_not_fit():
    function = counting("draughts")
    with pytest.raises(ValueError, match="uct uses no evaluator"):
        Player.from_function(function, search="uct")
    with pytest.raises(ValueError, match="there is no search magic"):
        Player.from_function(function, search="magic")
    with pytest.raises(ValueError, match="minimax takes a budget of depth, not nodes"):
        Player.from_function(function, search="minimax", budget="nodes=5")
    with pytest.raises(BadPlayer, match="a search that asks a function has one thread"):
        ActivePlayer(Player.from_function(function, search=Pvs(threads=2)))


def test_a_function_of_a_process_cannot_be_saved(tmp_path):
    player = Player.from_function(lambda positions: [0.0] * len(positions), name="nameless")
    with pytest.raises(BadPlayer, match=r"nameless cannot be saved: its evaluator is .*<lambda>#"):
        players.save(player, tmp_path / "p.safetensors")


def module_function(positions):
    return [0.0] * len(positions)


def test_a_function_of_a_module_is_found_again(tmp_path):
    player = Player.from_function(module_function)
    assert player.evaluator == functions.Function("test_functions:module_function")
    players.save(player, tmp_path / "p.safetensors")
    assert players.load(tmp_path / "p.safetensors").evaluator == player.evaluator
    assert players.load(tmp_path / "p.safetensors").name == "module_function"


def test_the_core_lets_a_function_go():
    class Network:
        def __call__(self, positions):
            return np.zeros(len(positions), np.float32)

    network = Network()
    gone = weakref.ref(network)
    evaluator = draughts._core.Evaluator.function(network)
    search = draughts._core.Search.alphabeta(evaluator)
    search.search(draughts.History(), depth=2)
    del network, evaluator, search
    gc.collect()
    assert gone() is None


def test_a_network_of_torch_plays():
    torch = pytest.importorskip("torch")
    model = torch.nn.Sequential(torch.nn.Linear(32, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1), torch.nn.Tanh())

    def value(positions):
        with torch.no_grad():
            return model(torch.from_numpy(draughts.squares(positions))).squeeze(1).numpy()

    assert ActivePlayer(Player.from_function(value)).choose(draughts.History()) in draughts.START.moves()
