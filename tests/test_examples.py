"""The examples of learning programs, at toy size: they run, they learn something, and their results are players."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from ludus import players
from ludus.games import tictactoe3d
from ludus.players import ActivePlayer

EXAMPLES = Path(__file__).parent.parent / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_self_play_with_numpy_alone_makes_a_player(tmp_path, capsys):
    self_play = example("self_play")
    self_play.PLACES = 16
    network = self_play.main(["--games", "300", "--out", str(tmp_path / "player.safetensors")])
    assert capsys.readouterr().out.count("against random moves") == 11
    player = players.load(tmp_path / "player.safetensors")
    core = tictactoe3d.GAME.core
    evaluator = player.evaluator.build(core, player.theta)
    position = tictactoe3d.START
    for move in tictactoe3d.random_game(1, 0)[0][:15]:
        position = position.play(move)
        (value,) = network.values(tictactoe3d.encode([position], "cells64", afterstates=True))[0]
        assert evaluator.value(position) == pytest.approx(value, abs=1e-5)
    assert ActivePlayer(player).choose(tictactoe3d.History()) in tictactoe3d.START.moves()


def test_self_play_refuses_a_folder_before_it_trains(tmp_path, capsys):
    for out in (tmp_path, tmp_path / "nowhere" / "player.safetensors"):
        with pytest.raises(SystemExit):
            example("self_play").main(["--out", str(out)])
        said = capsys.readouterr()
        assert said.out == "" and "--out is a file in a folder that exists, not" in said.err


def test_self_play_learns_the_results_of_its_games():
    """Its error on positions before the end of games gets smaller."""
    self_play = example("self_play")
    network = self_play.Network(np.random.default_rng(1))
    won = [
        moves for moves, outcome in (tictactoe3d.random_game(3, i) for i in range(200)) if outcome.winner is not None
    ]
    last = []
    for moves in won:
        position = tictactoe3d.START
        for move in moves:
            position = position.play(move)
        last.append(position)  # seen by the side that has just made four in a line
    seen = tictactoe3d.encode(last, "cells64", afterstates=True)
    before = np.mean((1 - network.values(seen)[0]) ** 2)
    for _ in range(50):
        network.learn(seen, np.ones(len(seen)), 0.1)
    assert np.mean((1 - network.values(seen)[0]) ** 2) < before / 2


def test_the_images_of_a_board_are_those_of_the_rules():
    self_play = example("self_play")
    position = tictactoe3d.START
    for move in tictactoe3d.random_game(4, 0)[0][:9]:
        position = position.play(move)
    images = self_play.images(tictactoe3d.encode([position], "cells64"))
    ours = tictactoe3d.encode([position.symmetric(i) for i in range(8)], "cells64")
    assert {tuple(row) for row in images} == {tuple(row) for row in ours}


def test_a_policy_learns_with_gymnasiums_tools():
    reinforce = example("gymnasium_reinforce")
    lines = []
    weights, mean = reinforce.train("random", games=600, seed=1, report=lines.append)
    assert len(lines) == 10
    assert weights.any()
    assert mean > 0.2  # random moves have 0


def test_the_opponent_of_the_policy_is_any_player():
    reinforce = example("gymnasium_reinforce")
    _, mean = reinforce.train("champion3d", games=20, budget="nodes=50", report=lambda line: None)
    assert mean < 0
