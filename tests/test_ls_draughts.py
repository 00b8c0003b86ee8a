"""Samuel's player and LS-Draughts: the polynomial, what is learned and what is held, and a GA that repeats nothing."""

from typing import Any

import numpy as np
import pytest

from ludus import players
from ludus._core import draughts as core
from ludus.games import draughts
from ludus.learning import State, ls_draughts
from ludus.learning.ls_draughts import POOL, Herd, LSDraughts
from ludus.learning.samuel import SAMUELS, Samuel
from ludus.players import Player
from ludus.players.evaluators import FEATURES, TERMS, Polynomial
from ludus.players.networks import Layer
from ludus.players.searches import AlphaBeta
from ludus.workers import Workers

TINY: dict[str, Any] = {
    "sets": 1,
    "games": 4,
    "budget": "depth=1",
    "population": 3,
    "generations": 2,
    "meeting_boards": 1,
    "test_boards": 0,
    "final_boards": 0,
    "pool_games": 0,
}


def boards(count: int) -> list[Any]:
    """Some of those of random games."""
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
    player = samuel.method().player("samuel", samuel.first_theta(0))
    players.save(player, tmp_path / "samuel.player")
    again = players.load(tmp_path / "samuel.player")
    assert again.evaluator == player.evaluator
    assert "polynomial of 27 terms" in again.describe()
    with pytest.raises(players.BadPlayer, match="does not know tictactoe3d"):
        players.ActivePlayer(
            Player(name="lost", game="tictactoe3d", search=AlphaBeta(), evaluator=player.evaluator, theta=player.theta)
        )


def test_samuel_s_coefficients_move_but_those_of_the_pieces() -> None:
    config = Samuel(sets=1, games=10, batch=5, budget="depth=3", test_boards=2, final_boards=2, pool_games=0)
    with Workers.open(2) as workers:
        last = list(config.learn(None, workers))[-1]
    before, after = config.first_theta(0), last.state.arrays["theta"]
    moved = dict(zip(SAMUELS, after != before, strict=True))
    assert not moved["PieceAdvantage"]
    assert not moved["PieceDisadvantage"]
    assert sum(moved.values()) >= 15
    assert after[SAMUELS.index("PieceAdvantage")] == np.float32(0.1)


def test_the_pool_of_ls_draughts() -> None:
    assert len(POOL) == 15
    assert FEATURES[:13] == POOL[:13]
    config = LSDraughts(**TINY)
    assert config.individual(0b100000000000011).features == ("PieceAdvantage", "PieceDisadvantage", "Taken")
    with pytest.raises(ValueError, match="fewer sets than 3"):
        LSDraughts(**{**TINY, "features": ("Dyke",)})


def test_a_mask_is_trained_once_and_two_meet_once(monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[int] = []
    met: list[tuple[int, int]] = []
    train, meet = ls_draughts.train, LSDraughts._meet

    def counted(training: Any) -> Any:
        trained.append(training.mask)
        return train(training)

    def noted(self: LSDraughts, herd: Herd, pairs: Any, *rest: Any) -> Any:
        met.extend(pairs)
        return meet(self, herd, pairs, *rest)

    monkeypatch.setattr(ls_draughts, "train", counted)
    monkeypatch.setattr(LSDraughts, "_meet", noted)
    # Three features and many generations: the seven masks must come again and again.
    config = LSDraughts(**{**TINY, "features": ("PieceAdvantage", "Dyke", "Node"), "generations": 6})
    with Workers.open(1) as workers:
        last = list(config.learn(None, workers))[-1]
    assert 3 < len(trained) == len(set(trained)) <= 7
    assert len(met) == len(set(met)) <= 21
    assert 0 not in trained
    assert last.player is not None
    assert last.done == last.total == 21


def test_children_are_never_empty() -> None:
    config = LSDraughts(**{**TINY, "features": ("PieceAdvantage", "Dyke", "Node"), "mutation": 0.5})
    for generation in range(200):
        herd = Herd(generation=generation, parents=[1, 2, 4])
        assert all(1 <= mask <= 7 for mask in config._bred(herd))


def test_the_best_have_most_points() -> None:
    herd = Herd(points={(1, 2): 4, (1, 3): 3, (2, 3): 1})
    assert herd.fitness([1, 2, 3], 4) == {1: 7 / 8, 2: 1 / 8, 3: 4 / 8}


def test_ls_draughts_goes_on_from_every_state() -> None:
    config = LSDraughts(**TINY)
    with Workers.open(1) as one, Workers.open(2) as two:
        whole = list(config.learn(None, one))
        assert {progress.stage for progress in whole} == {"training", "meetings", "selection", "naming"}
        for begun, progress in enumerate(whole[:-1], start=1):
            again = list(config.learn(State(arrays=progress.state.arrays, facts=progress.state.facts), two))
            assert len(again) == len(whole) - begun
            for other, known in zip(again, whole[begun:], strict=True):
                assert (other.done, other.line, other.state.facts) == (known.done, known.line, known.state.facts)
                assert other.state.arrays.keys() == known.state.arrays.keys()
                for name, array in known.state.arrays.items():
                    np.testing.assert_array_equal(other.state.arrays[name], array)
    final = whole[-1].player
    assert final is not None
    players.ActivePlayer(final)
