"""The options of cloning: averaged weights, the falling rate, the way back to the clone, and the candidates."""

from typing import Any

import msgspec
import numpy as np
import pytest

from ludus.arena import play as arena
from ludus.learning import State, registry, training_games
from ludus.learning.adam import Adam
from ludus.learning.cloning import Average, CloningPlan, CloningState, choose, train, train_fully
from ludus.learning.learner import Options
from ludus.learning.neurodraughts import NeuroDraughts
from ludus.learning.samuel import Samuel
from ludus.learning.training_games import TrainingGame
from ludus.learning.visiondraughts import VisionDraughts
from ludus.workers import Workers

SMALL: dict[str, Any] = {
    "sets": 3,
    "games": 8,
    "batch": 4,
    "budget": "depth=2",
    "test_boards": 3,
    "final_boards": 2,
    "reference_games": 0,
}


def plan(**changes: Any) -> CloningPlan:
    return msgspec.structs.replace(VisionDraughts(**SMALL).plan(), **changes)


def states(chosen: CloningPlan) -> list[CloningState]:
    begun = CloningState.begin(VisionDraughts(**SMALL).initial_theta(3))
    return list(train(chosen, begun, 3, Workers()))


def test_the_average_is_a_mean_and_later_forgets() -> None:
    average = Average(weights=np.array([9.0]))  # of no games: it does not count
    # The mean of 1, of 1 and 3; then, of at most 20 games, half of the old and half of the new.
    for weight, wanted in ((1, 1), (3, 2), (5, 3.5), (7, 5.25)):
        average = average.add(np.array([weight], np.float32), 10, 20)
        assert average.weights.tolist() == [wanted]
    assert average.games == 20


def test_a_step_longer_than_the_average_is_taken_whole() -> None:
    average = Average(weights=np.zeros(1), games=5).add(np.ones(1, np.float32), 10, 5)
    assert average.weights.tolist() == [1]


def test_the_mean_of_the_weights_is_tested_and_copied() -> None:
    chosen = plan(average_games=100, threshold=0.0, restart="never")
    seen = states(chosen)
    assert [state.promoted for state in seen] == [False, True] * 3
    thetas = np.array([state.theta for state in seen], np.float64)
    for number, state in enumerate(seen[1::2], 1):
        mean = thetas[: 2 * number].mean(axis=0)
        np.testing.assert_allclose(state.clone, mean, atol=1e-6)
        np.testing.assert_array_equal(state.clone, state.learned(chosen))
        assert (state.clone != state.theta).any()
    boards, seed = chosen.draw_boards(3, 3, 1, 8), training_games.derived_seed(3, 1, 8)
    tasks = training_games.test_games(chosen.setup, seen[1].clone, seen[1].first, boards, seed)
    assert training_games.board_points([arena.play(task) for task in tasks]) == list(seen[1].points or ())


def test_game_by_game_the_mean_is_of_every_game() -> None:
    chosen = plan(batch=1, adam_rate=0.0, average_games=100, threshold=0.0, restart="never", sets=1)
    (state,) = states(chosen)
    steps, _ = training_games.train(
        chosen.setup,
        state.first,
        state.first,
        chosen.start_boards,
        3,
        range(8),
        Workers(),
        batch=False,
        rate_factor=chosen.rate_factor,
    )
    assert len(steps) == 8
    np.testing.assert_allclose(state.clone, np.mean(steps, axis=0, dtype=np.float64), atol=1e-6)


def test_adam_by_hand() -> None:
    # The first step has the size of the rate and the sign of the gradient, whatever the size of the gradient.
    begun = Adam.begin(np.zeros(3, np.float32))
    first = begun.add(np.array([0.5, -0.001, 0], np.float32))
    np.testing.assert_allclose(first.step(0.02), [0.02, -0.02, 0], rtol=1e-4)
    # Then the means are 0.9 * 0.1 * 0.5 - 0.1 = -0.055 over 0.19 and 0.99 * 0.0025 + 0.01 = 0.012475 over 0.0199.
    second = first.add(np.array([-1, 0, 0], np.float32))
    np.testing.assert_allclose(second.step(0.02)[0], 0.02 * (-0.055 / 0.19) / np.sqrt(0.012475 / 0.0199), rtol=1e-4)
    assert (begun.steps, first.steps, second.steps) == (0, 1, 2)


def test_a_batch_is_one_step_of_adam_along_the_gradient_of_its_games() -> None:
    chosen = plan(adam_rate=0.01, rate_halving=0, sets=1)
    begun = CloningState.begin(VisionDraughts(**SMALL).initial_theta(3))
    after = next(train(chosen, begun, 3, Workers()))
    (added,), _ = training_games.train(
        chosen.setup, begun.theta, begun.clone, chosen.start_boards, 3, range(after.games), Workers(), batch=True
    )
    change = added - begun.theta
    moved = np.abs(change) > 1e-6  # below that the rounding of the sum decides the sign
    assert moved.sum() > 20
    np.testing.assert_allclose((after.theta - begun.theta)[moved], 0.01 * np.sign(change[moved]), rtol=1e-2)


def test_adam_needs_batches() -> None:
    with pytest.raises(ValueError, match="a batch of 2 or more"):
        VisionDraughts(batch=1)


def test_the_falling_rate() -> None:
    assert [plan(rate_halving=1000).rate_factor(game) for game in (0, 1000, 3000)] == [1, 0.5, 0.25]
    assert plan(rate_halving=0).rate_factor(10**9) == 1
    setup = VisionDraughts(**SMALL, rate=0.1).setup()
    np.testing.assert_allclose(setup.rates(0.25), setup.rates() / 4)
    config = VisionDraughts(**{**SMALL, "rate": 0.1, "rate_halving": 8})
    lines = [progress.line for progress in config.learn(None, Workers()) if progress.line and "rate" in progress.line]
    assert [line["rate"] for line in lines] == pytest.approx([0.1 / (1 + game / 8) for game in (7, 15, 23)])


def test_the_games_learn_with_the_rate_of_their_number() -> None:
    chosen = plan(rate_halving=2)
    theta = VisionDraughts(**SMALL).initial_theta(3)
    run = (chosen.setup, theta, theta, chosen.start_boards, 3)
    (full,), _ = training_games.train(*run, range(6, 7), Workers(), batch=True)
    (less,), _ = training_games.train(*run, range(6, 7), Workers(), batch=True, rate_factor=chosen.rate_factor)
    setup = msgspec.structs.replace(chosen.setup, rate=chosen.setup.rate / 4)
    (wanted,), _ = training_games.train(setup, theta, theta, chosen.start_boards, 3, range(6, 7), Workers(), batch=True)
    assert (full != less).any()
    np.testing.assert_array_equal(less, wanted)


@pytest.mark.parametrize(
    ("restart", "threshold", "back"),
    [
        ("never", 0.0, False),
        ("never", 1.0, False),
        ("failed", 0.0, False),
        ("failed", 1.0, True),
        ("always", 0.0, True),
        ("always", 1.0, True),
    ],
)
def test_the_way_back_to_the_clone(restart: str, threshold: float, back: bool) -> None:
    chosen = plan(adam_rate=0.0, restart=restart, restart_below=1.0, threshold=threshold, average_games=100)
    for state in states(chosen)[1::2]:
        assert state.promoted == (threshold == 0)
        assert np.array_equal(state.theta, state.clone) == back
        assert state.average.games == (0 if back else state.games)
        if back:
            np.testing.assert_array_equal(state.average.weights, state.clone)


def test_a_learner_goes_back_only_below_a_score() -> None:
    chosen = plan(restart="failed", restart_below=0.5)
    assert chosen.restarts([2, 1], promoted=False)
    assert not chosen.restarts([2, 2], promoted=False)
    assert not chosen.restarts([2, 1], promoted=True)


def test_a_learner_of_both_sides_learns_what_each_side_would() -> None:
    # Every move is forced, so the games are the same. At a very low rate the changes of the two sides add up.
    forced = "B:W29:B21,25"
    setup = msgspec.structs.replace(plan().setup, rate=1e-3, leaf=False, epsilon=0.0, opening_plies=0)
    theta = VisionDraughts(**SMALL).initial_theta(3)

    def change(*, second: bool, both: bool) -> Any:
        chosen = msgspec.structs.replace(setup, both_sides=both)
        game = TrainingGame(setup=chosen, theta=theta, opponent_theta=theta, board=forced, second=second, seed=1)
        result = training_games.play(game)
        assert result.reward == (-1 if second else 1)
        return result.theta - theta

    black, white, both = (
        change(second=False, both=False),
        change(second=True, both=False),
        change(second=False, both=True),
    )
    assert np.abs(both).max() > 1e-5
    np.testing.assert_allclose(both, black + white, atol=1e-7)


def test_the_candidates() -> None:
    chosen = plan(threshold=0.0)
    state = states(chosen)[-1]
    assert len(state.clones) == 3
    for first, most, numbers in (
        (True, 2, [0, 2, 3]),
        (False, 2, [2, 3]),
        (True, 0, [0, 1, 2, 3]),
        (False, 9, [1, 2, 3]),
    ):
        found = state.candidates(msgspec.structs.replace(chosen, first_clone=first, final_clones=most))
        assert list(found) == numbers
        for number, theta in found.items():
            np.testing.assert_array_equal(theta, state.clones[number - 1] if number else state.first)


def test_the_round_robin_names_the_first_clone_if_it_is_the_best() -> None:
    config = Samuel(**SMALL)
    first = config.initial_theta(0)
    named, points = choose(config.plan(), {0: first, 4: -first, 5: -2 * first}, 1, Workers())
    assert named == 0
    assert points[0] > max(points[1:])


def test_a_checkpoint_of_an_earlier_version_is_refused_in_a_sentence() -> None:
    theta = VisionDraughts(**SMALL).initial_theta(0)
    old = State(arrays={"theta": theta, "clone": theta}, facts={"games": 8, "rewards": []})
    with pytest.raises(ValueError, match="earlier version, which learned in another way"):
        next(VisionDraughts(**SMALL).learn(old, Workers()))


OFF: Options = {
    "both_sides": False,
    "average_games": 0,
    "rate_halving": 0,
    "restart": "never",
    "first_clone": False,
    "final_clones": 0,
}


@pytest.mark.parametrize("kind", ["neurodraughts", "visiondraughts", "samuel", "ls-draughts", "mp-draughts"])
def test_the_originals_have_none_of_this(kind: str) -> None:
    faithful: Options = registry.named(kind).presets["faithful"]  # type: ignore[attr-defined]
    assert {name: faithful[name] for name in OFF} == OFF


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("average_games", -1),
        ("rate_halving", -1),
        ("restart", "sometimes"),
        ("restart_below", 1.1),
        ("final_clones", -1),
    ],
)
def test_a_bad_value_is_a_sentence(name: str, value: Any) -> None:
    with pytest.raises(registry.BadConfig, match=f"neurodraughts cannot be set up: {name}"):
        registry.make(NeuroDraughts.kind, {name: value})


def test_the_interval_of_a_test() -> None:
    score = training_games.board_score([4, 3, 2, 1, 0, 2])
    assert score.score == 0.5
    assert 0.2 < score.interval.low < 0.5 < score.interval.high < 0.8


@pytest.mark.parametrize("both_sides", [False, True])
def test_a_short_training_beats_its_initial_weights(both_sides: bool) -> None:
    # Seeds 1 to 4 scored from 89% to 100% in these 40 games; 80% is asked for.
    config = VisionDraughts(
        sets=3, games=150, rate=0.2, budget="depth=2", test_boards=10, reference_games=0, both_sides=both_sides, seed=1
    )
    chosen = config.plan()
    kept = train_fully(chosen, config.initial_theta(1), 1)
    tasks = training_games.test_games(chosen.setup, kept, config.initial_theta(1), chosen.draw_boards(20, 9), 9)
    points = training_games.board_points([arena.play(task) for task in tasks])
    assert sum(points) >= 0.8 * 4 * len(points)
