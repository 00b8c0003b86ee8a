"""Samuel's player: the polynomial of his terms, and which coefficients are learned."""

from typing import Any

import numpy as np
import pytest

from ludus import players
from ludus._core import draughts as core
from ludus.games import draughts
from ludus.learning.samuel import SAMUEL_TERMS, Samuel
from ludus.players import Player
from ludus.players.evaluators import TERMS, Polynomial
from ludus.players.networks import Layer
from ludus.players.searches import AlphaBeta
from ludus.workers import Workers


def boards(count: int) -> list[Any]:
    """Positions of random games."""
    found = []
    for index in range(count):
        moves, _ = draughts.random_game(4, index)
        position = draughts.START
        for move in moves[: 10 + 3 * index]:
            position = position.play(move)
        found.append(position)
    return found


def test_a_polynomial_is_the_sum_of_its_terms() -> None:
    layer = Layer(inputs=len(TERMS), outputs=1, activation="linear", bias=True)
    theta = np.random.default_rng(1).uniform(-0.01, 0.01, len(TERMS) + 1).astype(np.float32)
    evaluator = Polynomial(layers=(layer,), terms=TERMS).build(core, theta)
    for board in boards(20):
        terms = [*core.features(board).values(), core.corner_credit(board), core.the_move(board)]
        assert evaluator.value(board) == pytest.approx(float(theta[:-1] @ np.array(terms, float) + theta[-1]), abs=1e-6)


def test_a_polynomial_has_the_terms_it_was_given() -> None:
    layer = Layer(inputs=2, outputs=1, bias=False)
    evaluator = Polynomial(layers=(layer,), terms=("TotalMobility", "TheMove"))
    built = evaluator.build(core, np.array([0.05, -0.5], np.float32))
    for board in boards(20):
        value = np.tanh(0.05 * core.features(board)["TotalMobility"] - 0.5 * core.the_move(board))
        assert built.value(board) == pytest.approx(value, abs=1e-6)
    with pytest.raises(ValueError, match="no term 'Luck'"):
        Polynomial(layers=(layer,), terms=("TotalMobility", "Luck")).build(core, np.zeros(2, np.float32))
    with pytest.raises(ValueError, match="one node"):
        deep = (Layer(inputs=2, outputs=2), Layer(inputs=2, outputs=1))
        Polynomial(layers=deep, terms=("TotalMobility", "TheMove")).build(core, np.zeros(9, np.float32))


def test_a_player_with_a_polynomial_is_a_file(tmp_path: Any) -> None:
    samuel = Samuel()
    player = samuel.setup().player("samuel", samuel.initial_theta(0))
    players.save(player, tmp_path / "samuel.player")
    again = players.load(tmp_path / "samuel.player")
    assert again.evaluator == player.evaluator
    assert "polynomial of 27 terms" in again.describe()
    with pytest.raises(players.BadPlayer, match="does not know tictactoe3d"):
        players.ActivePlayer(
            Player(name="lost", game="tictactoe3d", search=AlphaBeta(), evaluator=player.evaluator, theta=player.theta)
        )


def test_all_coefficients_are_learned_but_those_of_the_pieces() -> None:
    config = Samuel(
        sets=1,
        games=10,
        batch=5,
        budget="depth=3",
        restart="never",
        test_boards=2,
        final_boards=2,
        reference_games=0,
    )
    with Workers.open(2) as workers:
        last = list(config.learn(None, workers))[-1]
    before, after = config.initial_theta(0), last.state.arrays["theta"]
    changed = dict(zip(SAMUEL_TERMS, after != before, strict=True))
    assert not changed["PieceAdvantage"]
    assert not changed["PieceDisadvantage"]
    assert sum(changed.values()) >= 15
    assert after[SAMUEL_TERMS.index("PieceAdvantage")] == np.float32(0.1)
