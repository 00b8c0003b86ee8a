"""What an evaluator's value is made of."""

import numpy as np
import pytest

from ludus import games, players
from ludus.games import draughts
from ludus.players import contributions


def afterstates():
    for index in range(5):
        moves, _ = draughts.random_game(3, index)
        position = draughts.START
        for ply, move in enumerate(moves):
            position = position.play(move)
            if ply % 7 == 3 and position.outcome() is None:
                yield position


@pytest.mark.parametrize("name", ["neurodraughts", "visiondraughts", "ls-draughts", "samuel"])
def test_a_feature_at_zero_adds_nothing_and_the_inputs_are_those_of_the_evaluator(name):
    player = players.find(name)
    evaluator = player.evaluator.build(games.find("draughts").core, player.theta)
    for position in afterstates():
        found = contributions.of_features(player.evaluator, player.theta, position)
        assert all(each.weight == 0 for each in found if each.amount == 0 and each.name != "Advancement")
        if name == "samuel":  # one node: the terms alone say what the value is
            inputs = np.array([each.amount for each in found], np.float32)
            assert player.evaluator.network(player.theta).value(inputs) == pytest.approx(
                evaluator.value(position), abs=1e-6
            )


def test_a_piece_of_material_is_worth_its_sign():
    player = players.find("material")
    evaluator = player.evaluator.build(games.find("draughts").core, None)
    for each in contributions.of_pieces(evaluator, draughts.Position("W:W18,K19:B3,K4")):
        assert (each.weight > 0) == each.name.startswith("Black")  # who has just moved


def test_every_feature_has_words():
    assert set(contributions.WORDS) == set(contributions.TERMS)


def test_passing_changes_the_turn_only():
    position = draughts.Position("W:W18,K19:B3,K4")
    assert contributions.passed(position).pieces() == position.pieces()
    assert contributions.passed(contributions.passed(position)) == position
