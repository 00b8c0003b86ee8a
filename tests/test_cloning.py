"""TD(lambda) with cloning: the update against NumPy by hand, the promotion of clones, resuming, and that it learns."""

from typing import Any

import msgspec
import numpy as np
import pytest

from ludus import players
from ludus._core import Color, side_seed
from ludus._core import draughts as core
from ludus.arena import matches
from ludus.arena.matches import MatchConfig
from ludus.arena.play import play as play_task
from ludus.arena.task import digest
from ludus.games import draughts
from ludus.learning import Progress, State, cloning, training_games
from ludus.learning.cloning import CloningPlan
from ludus.learning.neurodraughts import NeuroDraughts
from ludus.learning.training_games import TrainingGame, TrainingResult, TrainingSetup
from ludus.learning.visiondraughts import VisionDraughts
from ludus.players import networks
from ludus.players.evaluators import FEATUREMAP12, BoardNetwork, FeatureNetwork
from ludus.players.searches import AlphaBeta, Budget, Greedy, Minimax
from ludus.workers import Workers

# Every move of this game is forced: 25-30 29-25 30-26 25-22 26x17, and White cannot move. Black moves three times.
FORCED = "B:W29:B21,25"

SMALL: dict[str, Any] = {
    "sets": 2,
    "games": 8,
    "batch": 4,
    "budget": "depth=2",
    "test_boards": 3,
    "final_boards": 2,
    "reference_games": 0,
}


def setup(**changes: Any) -> TrainingSetup:
    evaluator = FeatureNetwork(layers=networks.dense(38, 20, 1), features=FEATUREMAP12)
    return msgspec.structs.replace(
        TrainingSetup(evaluator=evaluator, search=AlphaBeta(), budget=Budget(depth=2), momentum=0.9, decay=0.7),
        **changes,
    )


def weights(seed: int = 1) -> networks.Theta:
    return networks.random_theta(networks.dense(38, 20, 1), np.random.default_rng(seed), -0.5, 0.5)


def played(chosen: TrainingSetup, board: str, *, second: bool = False, **more: Any) -> TrainingResult:
    theta = weights()
    game = TrainingGame(setup=chosen, theta=theta, opponent_theta=theta, board=board, second=second, seed=3, **more)
    return training_games.play(game)


def afterstates(board: str, color: Color) -> list[Any]:
    """The boards after each move of a side, in a game where all moves are forced."""
    history, found = draughts.History(draughts.Position(board)), []
    while not history.outcome():
        (move,) = history.position.moves()
        mine = history.position.turn == color
        history.play(move)
        if mine:
            found.append(history.position)
    return found


def by_hand(theta: Any, inputs: list[Any], reward: float, *, gamma: float, decay: float, momentum: float) -> Any:
    """TD(lambda) as the lineage does it, for a 38-20-1 network of tanh, in NumPy."""

    def unpacked(theta: Any) -> tuple[Any, Any, Any, Any]:
        first = theta[:780].reshape(20, 39)
        return first[:, :38], first[:, 38], theta[780:800], theta[800]

    def value(theta: Any, x: Any) -> Any:
        w, b, v, c = unpacked(theta)
        return np.tanh(v @ np.tanh(w @ x + b) + c)

    def gradient(theta: Any, x: Any) -> Any:
        w, b, v, c = unpacked(theta)
        hidden = np.tanh(w @ x + b)
        out = 1 - np.tanh(v @ hidden + c) ** 2
        delta = out * v * (1 - hidden**2)
        return np.concatenate([np.column_stack([np.outer(delta, x), delta]).ravel(), out * hidden, [out]])

    rates = np.concatenate([np.full(780, 1 / 38), np.full(21, 1 / 20)])
    last = np.zeros(801)

    def updated(theta: Any, error: float) -> Any:
        change = rates * error * traces
        change = change + np.where(change * last > 0, momentum * last, 0)
        last[:] = change
        return theta + change

    predicted, traces = value(theta, inputs[0]), gradient(theta, inputs[0])
    for x in inputs[1:]:
        theta = updated(theta, gamma * value(theta, x) - predicted)
        predicted = value(theta, x)
        traces = decay * traces + gradient(theta, x)
    return updated(theta, reward - predicted)


@pytest.mark.parametrize(("momentum", "decay"), [(0.9, 0.1), (0.0, 0.8), (0.9, 0.8)])
def test_a_game_of_three_moves_changes_the_weights_as_by_hand(momentum: float, decay: float) -> None:
    chosen = setup(momentum=momentum, decay=decay)
    inputs = [np.array(core.encode_features(board, core.FEATUREMAP12)) for board in afterstates(FORCED, Color.BLACK)]
    assert len(inputs) == 3
    wanted = by_hand(weights().astype(float), inputs, 1.0, gamma=0.98, decay=decay, momentum=momentum)
    result = played(chosen, FORCED)
    assert result.reward == 1
    assert result.plies == 5
    assert np.abs(wanted - weights()).max() > 1e-3
    np.testing.assert_allclose(result.theta, wanted, atol=1e-6)


def test_the_loser_learns_from_its_own_boards() -> None:
    inputs = [np.array(core.encode_features(board, core.FEATUREMAP12)) for board in afterstates(FORCED, Color.WHITE)]
    assert len(inputs) == 2
    wanted = by_hand(weights().astype(float), inputs, -1.0, gamma=0.98, decay=0.7, momentum=0.9)
    result = played(setup(), FORCED, second=True)
    assert result.reward == -1
    np.testing.assert_allclose(result.theta, wanted, atol=1e-6)


def test_a_won_game_makes_its_last_board_worth_more_and_a_lost_one_less() -> None:
    for second, sign in ((False, 1), (True, -1)):
        board = afterstates(FORCED, Color.WHITE if second else Color.BLACK)[-1]
        chosen = setup(decay=0.0, gamma=0.0, momentum=0.0)
        before = chosen.evaluator.build(core, weights()).value(board)
        after = chosen.evaluator.build(core, played(chosen, FORCED, second=second).theta).value(board)
        assert sign * (after - before) > 0


def test_td_leaf_learns_nothing_when_the_search_sees_the_end_of_the_game() -> None:
    # Five plies ahead the win is seen at every move: each prediction is known to be 1, and so is the reward.
    seen = played(setup(leaf=True, gamma=1.0, budget=Budget(depth=5)), FORCED)
    np.testing.assert_array_equal(seen.theta, weights())
    # From its own afterstates it learns all the same.
    assert (played(setup(gamma=1.0, budget=Budget(depth=5)), FORCED).theta != weights()).any()


def test_the_end_of_the_principal_variation_has_its_sign_changed_on_the_opponent_s_board() -> None:
    # One reply ahead, and nothing is captured there: Black learns at first from White's afterstate, as White's loss.
    chosen = setup(leaf=True, decay=0.0, momentum=0.0, budget=Budget(depth=2), gamma=0.98)
    chosen = msgspec.structs.replace(chosen, search=AlphaBeta(quiescence=False))
    theta, network = weights().astype(float), networks.build(chosen.evaluator.layers, weights())
    whites = afterstates(FORCED, Color.WHITE)
    first, second = (np.array(core.encode_features(board, core.FEATUREMAP12), np.float32) for board in whites)
    value, gradient = network.gradient(first)
    rates = chosen.rates()
    theta += rates * (0.98 * -network.value(second) + value) * -gradient
    network = networks.build(chosen.evaluator.layers, theta.astype(np.float32))
    value, gradient = network.gradient(second)
    theta += rates * (0.98 * 1.0 + value) * -gradient  # the third move wins
    # The prediction after that is known, so its error is 0, but a trace would still carry it: none here.
    np.testing.assert_allclose(played(chosen, FORCED).theta, theta, atol=1e-6)


def test_other_networks_learn_as_well() -> None:
    layers = networks.dense(91, 10, 1)
    theta = networks.random_theta(layers, np.random.default_rng(1), -0.2, 0.2)
    chosen = setup(
        evaluator=BoardNetwork(layers=layers, encoder="subsquares91", piece_difference=True),
        search=Greedy(),
        budget=None,
    )
    result = training_games.play(
        TrainingGame(setup=chosen, theta=theta, opponent_theta=theta, board=FORCED, second=False, seed=1)
    )
    assert result.reward == 1
    assert (result.theta != theta).any()


def test_a_test_is_two_match_games_a_board_without_random_moves() -> None:
    chosen, boards = setup(epsilon=1.0, opening_plies=4), [FORCED, draughts.START.text]
    tasks = training_games.test_games(chosen, weights(1), weights(2), boards, 3)
    assert [task.start for task in tasks] == [FORCED, FORCED, draughts.START.text, draughts.START.text]
    one, other = tasks[0].players
    assert [task.players for task in tasks] == [(one, other), (other, one)] * 2
    results = [play_task(task) for task in tasks]
    assert [game.moves for game in results[:2]] == ["25-30 29-25 30-26 25-22 26x17"] * 2
    assert training_games.board_points(results)[0] == 2  # a win with Black and a loss with White, for either learner
    # The learner's searches draw from the same stream whichever side it has.
    for game, (mine, its) in zip(results[2:], [(1, 2), (2, 1)], strict=True):
        streams = (1, 0) if mine == 1 else (0, 1)
        sides = [
            chosen.side(weights(number), side_seed(training_games.derived_seed(3, 1), stream))
            for number, stream in zip((mine, its), streams, strict=True)
        ]
        assert core.play_game(*sides, rules=chosen.rules.core()).moves == game.moves


def test_only_alpha_beta_has_a_line_to_learn_from() -> None:
    with pytest.raises(ValueError, match="principal variation"):
        setup(search=Minimax(), leaf=True, budget=Budget(depth=2)).__post_init__()
    with pytest.raises(ValueError, match="depth, not nodes"):
        NeuroDraughts(budget="nodes=100")


def plan(**changes: Any) -> CloningPlan:
    usual = VisionDraughts(**SMALL).plan()
    return msgspec.structs.replace(usual, **changes)


@pytest.mark.parametrize(
    ("threshold", "every_board", "points", "passes"),
    [
        (0.75, True, [3, 4], True),
        (0.75, True, [4, 2], False),
        (0.75, False, [4, 2], True),
        (0.75, False, [3, 2], False),
        (0.5, False, [2], True),
    ],
)
def test_the_threshold(threshold: float, every_board: bool, points: list[int], passes: bool) -> None:
    assert plan(threshold=threshold, every_board=every_board).passes(points) == passes


def run(config: Any, workers: Workers, state: State | None = None) -> list[Progress]:
    return list(config.learn(state, workers))


def test_the_clone_is_replaced_only_at_the_threshold() -> None:
    seen = set()
    for threshold in (0.0, 0.6, 1.0):
        config = VisionDraughts(**{**SMALL, "sets": 4, "rate": 1.0, "threshold": threshold, "average_games": 0})
        clone, kept = config.initial_theta(0), []
        with Workers.open(2) as workers:
            for progress in run(config, workers)[:-1]:
                after, line = progress.state.arrays["clone"], progress.line
                promoted = line is not None and sum(line["test_points"]) >= threshold * 4 * len(line["test_points"])
                assert line is None or line["promoted"] == promoted
                wanted = progress.state.arrays["theta"] if promoted else clone
                np.testing.assert_array_equal(after, wanted)
                clone, kept = after, kept + list(progress.players)
                seen |= {promoted} if line else set()
        assert kept == [f"clone-{number:02}" for number in range(1, len(kept) + 1)]
        assert len(kept) == 4 or threshold > 0
    assert seen == {True, False}


def test_a_learner_that_is_never_better_is_not_kept() -> None:
    # At so low a rate it cannot win every test game. The player is the first clone, or the learner without it.
    for first_clone in (True, False):
        options = {**SMALL, "threshold": 1.0, "rate": 1e-4, "first_clone": first_clone, "restart": "never"}
        with Workers.open(2) as workers:
            progresses = run(VisionDraughts(**options), workers)
        last = progresses[-1]
        assert not any(progress.players for progress in progresses)
        assert last.player is not None
        initial, mean = VisionDraughts(**SMALL).initial_theta(0), last.state.arrays["average"].astype(np.float32)
        np.testing.assert_array_equal(last.player.theta, initial if first_clone else mean)
        assert last.line == {"round_robin": [0], "candidates": [1 - first_clone], "named": 1 - first_clone}


def same(one: Progress, other: Progress) -> bool:
    if (one.done, one.total, one.stage, one.line, one.note) != (
        other.done,
        other.total,
        other.stage,
        other.line,
        other.note,
    ):
        return False
    if one.state.facts != other.state.facts or one.state.arrays.keys() != other.state.arrays.keys():
        return False
    return all(np.array_equal(one.state.arrays[name], other.state.arrays[name]) for name in one.state.arrays) and (
        (one.player is None) == (other.player is None)
        and (one.player is None or other.player is None or digest(one.player) == digest(other.player))
    )


@pytest.mark.parametrize(
    "config",
    [
        VisionDraughts(**{**SMALL, "reference_games": 2, "threshold": 0.3}),
        NeuroDraughts(**{**SMALL, **NeuroDraughts.presets["faithful"], "games": 26, "budget": "depth=1"}),
    ],
)
def test_from_every_state_it_goes_on_the_same(config: Any) -> None:
    with Workers.open(1) as one, Workers.open(2) as two:
        whole = run(config, one)
        assert len(whole) == 5
        for begun, progress in enumerate(whole[:-1], start=1):
            state = msgspec.json.decode(msgspec.json.encode(progress.state.facts))
            again = run(config, two, State(arrays=progress.state.arrays, facts=state))
            assert len(again) == len(whole) - begun
            assert all(map(same, again, whole[begun:]))


def test_the_games_of_a_batch_add_up_what_each_has_changed() -> None:
    chosen, theta, boards = setup(epsilon=0.1, opening_plies=4), weights(), [draughts.START.text]
    with Workers.open(2) as workers:
        (found,), rewards = training_games.train(chosen, theta, theta, boards, 5, range(6), workers, batch=True)
    (here,), _ = training_games.train(chosen, theta, theta, boards, 5, range(6), Workers(), batch=True)
    alone = [
        training_games.train(chosen, theta, theta, boards, 5, range(i, i + 1), Workers(), batch=False) for i in range(6)
    ]
    np.testing.assert_array_equal(found, here)
    np.testing.assert_allclose(found, theta + sum(after - theta for (after,), _ in alone), atol=1e-5)
    assert rewards == [reward for _, (reward,) in alone]


def test_a_specialist_trains_from_its_own_boards() -> None:
    config = VisionDraughts(**SMALL, threshold=0.0, first_clone=False)
    boards = [FORCED, "W:W18,22,K30:B5,9,K3"]
    first = config.initial_theta(7)
    trained = config.train_specialist(boards, None, 7)
    np.testing.assert_array_equal(trained, config.train_specialist(boards, first, 7))
    np.testing.assert_array_equal(trained, cloning.train_fully(config.plan(boards), first, 7))
    assert (trained != first).any()
    with pytest.raises(ValueError, match="needs boards"):
        config.train_specialist([], None, 7)
    with pytest.raises(ValueError, match="weights"):
        config.train_specialist(boards, first[:-1], 7)


def test_the_points_of_a_board_are_those_of_the_papers() -> None:
    # Won and lost by the learner, which moves first in the first game of each board and second in the other.
    tasks = training_games.test_games(setup(), weights(), weights(), [FORCED], 3)
    first_wins, second_wins, draw = (
        msgspec.structs.replace(play_task(tasks[0]), winner=winner) for winner in (0, 1, None)
    )
    results = [first_wins, second_wins, first_wins, draw, draw, first_wins, second_wins, first_wins]
    assert training_games.board_points([*results, first_wins, first_wins]) == [4, 3, 1, 0, 2]


def test_a_short_training_beats_random() -> None:
    config = VisionDraughts(
        sets=3, games=100, budget="depth=2", test_boards=4, final_boards=4, reference_games=0, seed=1
    )
    with Workers.open(2) as workers:
        player = run(config, workers)[-1].player
        assert player is not None
        tasks = matches.tasks((player, players.find("random", "draughts")), MatchConfig(games=100, seed=2))
        done = workers.completed(play_task, tasks)
        scored = sum(played.points if task.index % 2 == 0 else 1 - played.points for task, played in done)
    assert scored >= 90
