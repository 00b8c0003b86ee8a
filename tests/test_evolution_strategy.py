"""The evolution strategy: ranks and gradients by hand, known functions, its games, and that it learns."""

import msgspec
import numpy as np
import pytest

from ludus import players
from ludus.learning import operators
from ludus.learning.evolution_strategy import EvolutionStrategy
from ludus.players import networks
from ludus.players.networks import dense
from test_genetic import learnt, same

TINY = EvolutionStrategy(
    generations=2, hidden="4", openings="random:3", pairs=3, pair_games=2, max_plies=40, end_games=0, depth=1, seed=5
)


def test_ranks_go_from_minus_a_half_to_a_half_and_ties_share_theirs():
    assert operators.rank_weights([7.0, -1.0, 3.0]).tolist() == [0.5, -0.5, 0.0]
    assert operators.rank_weights([2.0, 2.0, 9.0, 0.0, 2.0]).tolist() == [0.0, 0.0, 0.5, -0.5, 0.0]
    assert operators.rank_weights([4.0, 4.0]).tolist() == [0.0, 0.0]
    assert operators.rank_weights([4.0]).tolist() == [0.0]


def test_the_search_gradient_of_two_pairs_by_hand():
    noise = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]])
    # The points 3, 0, 1, 2 have the ranks 1/2, -1/2, -1/6, 1/6: the pairs count 1 and -1/3.
    found = operators.search_gradient(noise, [3.0, 0.0, 1.0, 2.0])
    assert found == pytest.approx(np.array([1.0, -1 / 3, 2 + 1 / 3]) / np.sqrt(10 / 9))
    assert operators.search_gradient(noise, [1.0] * 4).tolist() == [0.0, 0.0, 0.0]


def test_the_search_gradient_points_along_the_gradient_of_a_linear_function():
    rng = np.random.default_rng(1)
    slope = rng.standard_normal(10)
    noise = rng.standard_normal((2000, 10))
    points = [sign * float(step @ slope) for step in noise for sign in (1, -1)]
    found = operators.search_gradient(noise, points)
    assert found @ slope / np.linalg.norm(found) / np.linalg.norm(slope) > 0.99


def test_without_a_signal_the_gradient_has_the_variance_of_its_noise():
    rng = np.random.default_rng(2)
    found = operators.search_gradient(rng.standard_normal((30, 5000)), rng.standard_normal(60).tolist())
    assert found.std() == pytest.approx(1, rel=0.05)


def test_the_search_gradient_finds_the_top_of_a_quadratic_function_from_noisy_ranks():
    rng = np.random.default_rng(3)
    top, mean, sigma = rng.uniform(-1, 1, 20), np.zeros(20), 0.1
    for _ in range(300):
        noise = rng.standard_normal((20, 20))
        samples = (mean + sign * sigma * step for step in noise for sign in (1, -1))
        points = [-float(np.square(sample - top).sum()) + 0.1 * rng.standard_normal() for sample in samples]
        mean = mean + 0.2 * sigma * operators.search_gradient(noise, points)
    assert np.abs(mean - top).max() < 0.1 < np.abs(top).max()


def test_steps_are_smaller_into_nodes_with_more_inputs():
    scale = operators.node_scale(dense(8, 3, 1))
    assert scale == pytest.approx([1 / 3] * 27 + [1 / 2] * 4)
    assert scale.size == networks.weights(dense(8, 3, 1))


def test_the_mean_moves_by_rate_and_momentum_and_the_player_is_the_average():
    config = msgspec.structs.replace(TINY, momentum=0.5, rate=0.7, averaging=2, pair_games=8, max_plies=150)
    first, second, third = learnt(config)
    scale = operators.node_scale(config.template().layers) * config.step_size
    for before, after in ((first, second), (second, third)):
        old, new = before.state.arrays, after.state.arrays
        assert new["mean"] == pytest.approx(old["mean"] + 0.7 * scale * new["velocity"])
        assert new["average"] == pytest.approx((old["average"] + new["mean"]) / 2)
        [kept] = after.players.values()
        assert (kept.theta == new["average"].astype(np.float32)).all()
    assert third.player is third.players["0002"]
    # Equal points would only halve the velocity.
    assert np.abs(second.state.arrays["velocity"] - 0.5 * first.state.arrays["velocity"]).max() > 0


def test_threads_change_nothing_and_a_run_goes_on_from_any_state():
    config = msgspec.structs.replace(TINY, pool=("random", "champions"), pool_games=2, end_games=2)
    whole = learnt(config)
    same(whole, learnt(config, threads=2))
    for place, progress in enumerate(whole):
        facts = msgspec.json.decode(msgspec.json.encode(progress.state.facts))
        same(whole[place + 1 :], learnt(config, state=msgspec.structs.replace(progress.state, facts=facts)))


def test_the_record():
    whole = learnt(msgspec.structs.replace(TINY, end_games=2))
    for number, each in enumerate(whole):
        line = msgspec.json.decode(msgspec.json.encode(each.line))
        assert line["generation"] == number and line["games"] == 6 and len(line["points"]) == 6
        assert sum(line["points"]) == 6 and (line["growth"] is None) == (number == 0)
        assert ("end" in line) == (number == 2)
    assert "half-way champion" in whole[-1].line["end"]


@pytest.mark.parametrize(
    "config",
    [
        {"game": "tictactoe3d", "openings": None},
        {"inputs": "subsquares", "search": "ept", "playouts": 4},
        {"pair_games": 0, "pool_games": 2, "pool": ("material@depth=1",)},
        {"piece_difference": False, "initial_range": 0.0},
    ],
    ids=str,
)
def test_every_game_and_network_evolves(config):
    fields = msgspec.structs.asdict(TINY) | {"generations": 1, "max_plies": 20} | config
    *_, last = learnt(EvolutionStrategy(**fields))
    assert players.ActivePlayer(last.player)


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"pair_games": 0}, "all games are with the pool"),
        ({"game": "tictactoe3d", "inputs": "squares32"}, "squares32 are those of draughts"),
        ({"game": "tictactoe3d", "piece_difference": True}, "no piece difference"),
        ({"hidden": "x"}, "write their sizes as 40-10"),
    ],
)
def test_options_that_do_not_fit_together_are_a_sentence(config, reason):
    with pytest.raises(ValueError, match=reason):
        learnt(msgspec.structs.replace(TINY, **config))
