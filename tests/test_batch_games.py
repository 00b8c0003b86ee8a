"""Batches of games: the same games as one by one, whatever the threads and the buffers; illegal actions; resets."""

import threading

import numpy as np
import pytest

from ludus.envs import BatchGames
from ludus.games import DrawRules, IllegalMove, Reason, draughts, tictactoe3d

GAMES = pytest.mark.parametrize("game", [draughts, tictactoe3d], ids=["draughts", "tictactoe3d"])


@GAMES
def test_a_batch_plays_the_games_that_histories_play(game):
    """300 steps of 40 games beside histories: observations, masks, rewards, reasons, sides and numbers."""
    n = 40
    batch = BatchGames(game.GAME, n, seed=3)
    step = batch.reset()
    histories, numbers = [game.History() for _ in range(n)], list(range(n))
    ended = 0
    planes = np.empty(batch.shape, np.float32)
    for _ in range(300):
        assert batch.numbers.tolist() == numbers
        for i, history in enumerate(histories):
            game.GAME.core.observe(history, planes, afterstate=False)
            np.testing.assert_array_equal(step.observations[i], planes)
            assert set(np.flatnonzero(step.masks[i])) == {move.id for move in history.position.moves()}
            assert batch.position(i) == history.position
            assert batch.sides[i] == history.plies % 2
        step = batch.step(actions := batch.random_actions())
        for i, history in enumerate(histories):
            mover = history.position.turn
            history.play(history.position.move(int(actions[i])))
            outcome = history.outcome()
            assert step.ended[i] == (outcome is not None)
            assert batch.reasons[i] == (-1 if outcome is None else outcome.reason.value)
            won = outcome is not None and outcome.winner == mover
            assert step.rewards[i] == (1 if won else 0)
            if outcome:
                ended += 1
                histories[i] = game.History()
                numbers[i] += n
    assert ended > n


@GAMES
def test_the_threads_change_nothing(game):
    def played(threads):
        batch = BatchGames(game.GAME, 1000, seed=5, opening_plies=3, threads=threads)
        step = batch.reset()
        for _ in range(60):
            step = batch.step(batch.random_actions())
        return *(array.copy() for array in step), batch.numbers.copy()

    for one, four in zip(played(1), played(4), strict=True):
        np.testing.assert_array_equal(one, four)


@GAMES
def test_a_game_depends_on_the_seed_and_its_number_alone(game):
    """Game 7 of a batch of 10 is game 7 of a batch of 8."""
    small, large = (BatchGames(game.GAME, n, seed=2, opening_plies=5) for n in (8, 10))
    small.reset()
    large.reset()
    for _ in range(8):
        first, second = small.random_actions(), large.random_actions()
        np.testing.assert_array_equal(first, second[:8])
        small.step(first)
        large.step(second)
        assert [small.position(i) for i in range(8)] == [large.position(i) for i in range(8)]
    other = BatchGames(game.GAME, 8, seed=3, opening_plies=5)
    assert [other.position(i) for i in range(8)] != [small.position(i) for i in range(8)]


@GAMES
def test_a_new_batch_is_ready_to_play(game):
    batch = BatchGames(game.GAME, 6, seed=4, opening_plies=3)
    assert batch.numbers.tolist() == list(range(6))
    assert (batch.sides == 1).all()
    position = batch.position(0)
    step = batch.step(batch.random_actions())
    assert not step.ended.any()
    assert batch.position(0) != position


@GAMES
def test_reset_begins_again(game):
    batch = BatchGames(game.GAME, 20, seed=4, opening_plies=2)
    begun = batch.reset().observations.copy()
    for _ in range(100):
        batch.step(batch.random_actions())
    again = batch.reset()
    np.testing.assert_array_equal(again.observations, begun)
    assert not again.rewards.any()
    assert not again.ended.any()
    assert batch.numbers.tolist() == list(range(20))
    assert (batch.reset(seed=9).observations != begun).any()


@GAMES
def test_buffers_of_the_caller_are_filled_without_a_copy(game):
    n, steps = 16, 5
    batch, plain = (BatchGames(game.GAME, n, seed=1) for _ in range(2))
    rollout = np.full((steps, n, *batch.shape), np.nan, np.float32)
    masks = np.zeros((steps, n, batch.actions), bool)
    batch.reset(observations=rollout[0], masks=masks[0])
    plain.reset()
    for t in range(1, steps):
        step = batch.step(batch.random_actions(), observations=rollout[t], masks=masks[t])
        assert step.observations.base is rollout
        assert step.masks.base is masks
        same = plain.step(plain.random_actions())
        np.testing.assert_array_equal(rollout[t], same.observations)
        np.testing.assert_array_equal(masks[t], same.masks)
    assert not np.isnan(rollout).any()


@GAMES
def test_a_buffer_that_does_not_fit_is_refused_and_nothing_is_played(game):
    batch = BatchGames(game.GAME, 4)
    shape = (4, *batch.shape)
    batch.reset()
    actions = batch.random_actions()
    fixed = np.zeros(shape, np.float32)
    fixed.flags.writeable = False
    for wrong in (np.zeros(shape), np.zeros(shape[::-1], np.float32), np.zeros((*shape, 2), np.float32)[..., 0], fixed):
        with pytest.raises(ValueError, match="observations needs a writable float32 array of shape"):
            batch.step(actions, observations=wrong)
    with pytest.raises(ValueError, match="masks needs a writable bool array of shape"):
        batch.step(actions, masks=np.zeros((4, batch.actions), np.int8))
    assert batch.position(0) == game.START


def test_an_illegal_action_names_its_game_and_the_legal_moves_and_changes_nothing():
    batch = BatchGames("draughts", 3)
    batch.reset()
    actions = batch.random_actions()
    for bad, message in ((0, "(1-5)"), (1426, "which is not one of 0 to 1425,"), (-1, "which is not"), (5000, "which")):
        wrong = actions.astype(np.int64)
        wrong[2] = bad
        with pytest.raises(IllegalMove) as error:
            batch.step(wrong)
        assert str(error.value).startswith(f"game 2: action {bad}")
        assert message in str(error.value)
        assert "is not legal in B:W21" in str(error.value)
        assert "legal: " in str(error.value)
    for bad in (np.int64(2**40 + 1), np.int64(-(2**40)), np.uint32(2**32 - 1), np.uint64(2**63)):
        with pytest.raises(IllegalMove) as error:
            batch.step(np.array([actions[0], bad, actions[2]], bad.dtype))
        assert str(error.value) == f"game 1: action {bad} is not one of 0 to 1425"
    assert all(batch.position(i) == draughts.START for i in range(3))


@GAMES
def test_actions_of_another_shape_or_kind_are_refused(game):
    batch = BatchGames(game.GAME, 3)
    batch.reset()
    for wrong in ([1, 2], [[1, 2, 3]], [1.0, 2.0, 3.0], 1, ["a", "b", "c"]):
        with pytest.raises(ValueError, match="actions are 3 whole numbers, not"):
            batch.step(wrong)
    batch.step([int(action) for action in batch.random_actions()])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "a batch has 1 to 10,000,000 games"),
        ({"n": -1}, "whole numbers, 0 or more"),
        ({"n": 2.5}, "whole numbers, 0 or more"),
        ({"threads": 0}, "a batch has 1 to 256 threads"),
        ({"opening_plies": 101}, "an opening has 0 to 100 random plies"),
        ({"seed": -1}, "whole numbers, 0 or more"),
        ({"rules": DrawRules(repetitions=1)}, "every game is a draw before its first move"),
        ({"rules": DrawRules(plies=4), "opening_plies": 4}, "leaves no move after the opening"),
    ],
)
def test_values_that_cannot_be_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        BatchGames("draughts", **({"n": 2} | options))


def test_an_opening_that_no_game_is_long_enough_for_is_shorter():
    batch = BatchGames("tictactoe3d", 50, opening_plies=100)
    masks = batch.reset().masks
    assert masks.any(axis=1).all()
    assert all(batch.position(i) != tictactoe3d.START for i in range(50))


def test_an_unknown_game_is_refused():
    with pytest.raises(ValueError, match="there is no game chess"):
        BatchGames("chess", 2)


def test_the_draw_rules_end_games():
    batch = BatchGames("draughts", 50, rules=DrawRules(plies=6))
    batch.reset()
    for ply in range(1, 13):
        step = batch.step(batch.random_actions())
        assert step.ended.all() == (ply % 6 == 0)
    assert not step.rewards.any()
    assert (batch.reasons == Reason.LENGTH.value).all()


@GAMES
def test_afterstates_are_all_legal_actions_and_what_follows(game):
    batch = BatchGames(game.GAME, 30, seed=6, opening_plies=20)
    masks = batch.reset().masks
    places, actions, planes = batch.afterstates()
    assert list(zip(places, actions, strict=True)) == sorted(
        zip(places, actions, strict=True), key=lambda pair: pair[0]
    )
    legal = np.zeros_like(masks)
    legal[places, actions] = True
    np.testing.assert_array_equal(legal, masks)
    after = [batch.position(p).play(batch.position(p).move(int(a))) for p, a in zip(places, actions, strict=True)]
    np.testing.assert_array_equal(planes, game.encode(after, afterstates=True))


def test_python_goes_on_while_a_batch_works():
    batch = BatchGames("draughts", 20_000)
    batch.reset()
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    other = threading.Thread(target=count)
    other.start()
    for _ in range(20):
        batch.step(batch.random_actions())
    done.set()
    other.join()
    assert counted[0] > 0


def test_a_place_that_is_not_there_is_refused():
    for place in (2, -1):
        with pytest.raises(IndexError, match=f"there is no game {place}: there are 0 to 1"):
            BatchGames("draughts", 2).position(place)


def test_a_bad_seed_changes_nothing():
    batch = BatchGames("draughts", 2, seed=5)
    for seed in (-1, "x", 1.5, 2**64):
        with pytest.raises(ValueError, match="a seed is a whole number"):
            batch.reset(seed)
    batch.reset()
    again = BatchGames("draughts", 2, seed=5)
    again.reset()
    assert (batch.random_actions() == again.random_actions()).all()


def test_other_things_than_rules_and_arrays_are_refused():
    with pytest.raises(ValueError, match="rules are DrawRules, not 3"):
        BatchGames("draughts", 2, rules=3)
    with pytest.raises(ValueError, match="observations needs a writable float32 array"):
        BatchGames("draughts", 2).reset(observations=[1])
