"""The Gymnasium environments: Gymnasium's own check, opponents, sides, and what an illegal action does."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ludus.envs.gym
from ludus import players
from ludus.games import IllegalMove, draughts
from ludus.players import BadPlayer

NAMES = {"draughts": "ludus/draughts-v0", "tictactoe3d": "ludus/tictactoe3d-v0"}


@pytest.fixture(params=list(NAMES))
def game(request):
    return request.param


def make(game, **options):
    return gymnasium.make(f"ludus.envs.gym:{NAMES[game]}", **options)


def play(env, rng, seed=None):
    """A game of random legal moves: the number of steps, the last reward and the last info."""
    _, info = env.reset(seed=seed)
    steps, over = 0, False
    while not over:
        _, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        steps, over = steps + 1, terminated or truncated
    return steps, reward, info


@pytest.mark.filterwarnings("ignore:.*The environment .* is out of date")
@pytest.mark.parametrize("side", ["first", "second", "random"])
def test_the_environment_passes_gymnasiums_check(game, side, capsys):
    """It draws actions without a mask, so illegal ones are replaced."""
    env = make(game, side=side, illegal="random", disable_env_checker=True)
    check_env(env.unwrapped)
    env = make(game, side=side, illegal="loss", disable_env_checker=True)
    check_env(env.unwrapped)


def test_a_game_against_a_random_opponent_has_a_result(game):
    env = make(game)
    rng = np.random.default_rng(1)
    results = [play(env, rng, seed) for seed in range(30)]
    assert {reward for _, reward, _ in results} >= {1.0, -1.0}
    for _, reward, info in results:
        assert ("wins:" in info["outcome"]) == (reward != 0)
        assert not info["action_mask"].any()


def test_the_same_seed_gives_the_same_game(game):
    first, second = ([play(make(game), np.random.default_rng(1), seed)[:2] for seed in range(5)] for _ in range(2))
    assert first == second


@pytest.mark.parametrize(("side", "player"), [("first", 0), ("second", 1)])
def test_the_agent_has_the_side_that_was_asked_for(game, side, player):
    env = make(game, side=side)
    _, info = env.reset(seed=1)
    table = env.unwrapped.table
    assert info["side"] == player == table.history.plies == table.side
    np.testing.assert_array_equal(env.unwrapped.action_masks(), info["action_mask"].astype(bool))
    assert set(np.flatnonzero(info["action_mask"])) == {move.id for move in table.position.moves()}


def test_a_random_side_is_drawn_for_each_game(game):
    env = make(game)
    assert {env.reset(seed=seed)[1]["side"] for seed in range(20)} == {0, 1}


@pytest.mark.parametrize(
    ("name", "opponent", "budget"),
    [
        ("draughts", "material", "depth=2"),
        ("draughts", "champion", "nodes=50"),
        ("draughts", "uct@playouts=5", None),
        ("draughts", players.find("visiondraughts"), "depth=1"),
        ("tictactoe3d", "benchmark", None),
        ("tictactoe3d", "champion3d", "nodes=50"),
    ],
)
def test_any_player_at_any_budget_can_be_the_opponent(name, opponent, budget):
    env = make(name, opponent=opponent, budget=budget, side="second", max_cycles=5)
    steps, _, _ = play(env, np.random.default_rng(1), seed=1)
    assert 1 <= steps <= 5


def test_a_strong_opponent_beats_random_moves():
    env = make("tictactoe3d", opponent="benchmark", side="first")
    rng = np.random.default_rng(1)
    assert sum(play(env, rng, seed)[1] for seed in range(20)) <= -18


def test_a_function_can_be_the_opponent():
    asked = []

    def first_move(history, seed):
        asked.append(seed)
        return history.position.moves()[0]

    env = make("draughts", opponent=first_move, side="second")
    env.reset(seed=1)
    assert env.unwrapped.table.history.moves == [draughts.START.moves()[0]]
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"opponent": "nobody"}, BadPlayer, "there is no player nobody"),
        ({"opponent": "champion3d"}, BadPlayer, "champion3d plays tictactoe3d, not draughts"),
        ({"opponent": players.find("champion3d")}, BadPlayer, "champion3d plays tictactoe3d, not draughts"),
        ({"opponent": "material", "budget": "playouts=3"}, ValueError, "takes a budget of nodes or depth or seconds"),
        ({"opponent": "material", "budget": "much"}, ValueError, "'much' is not a budget"),
        ({"opponent": lambda history, seed: None, "budget": "depth=1"}, ValueError, "takes no budget"),
        ({"side": "left"}, ValueError, "side is first, second or random, not 'left'"),
        ({"render_mode": "film"}, ValueError, "render_mode is one of human, ansi, rgb_array"),
        ({"repetitions": -1}, ValueError, "a draw rule is a whole number, 0 or more"),
        ({"colour": 3}, ValueError, "these are not draw rules: {'colour': 3}"),
        ({"opponent": None}, ValueError, "an opponent is the name of a player, a Player or a function, not None"),
        ({"max_cycles": 1.5}, ValueError, "max_cycles is a whole number from 1 to 1,000,000,000, not 1.5"),
        ({"max_cycles": 2**40}, ValueError, "max_cycles is a whole number from 1 to"),
    ],
)
def test_bad_options_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        ludus.envs.gym.AgainstPlayer("draughts", **options)


def test_an_illegal_action_is_an_error_by_default(game):
    env = make(game)
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match="action 5000: the ids of moves are 0 to"):
        env.unwrapped.step(5000)


def test_an_illegal_action_can_lose_the_game(game):
    env = make(game, illegal="loss", side="second")
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.unwrapped.step(5000)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["outcome"] == "player 1 chose an illegal action"
    with pytest.raises(IllegalMove, match="the game is over"):
        env.unwrapped.step(0)


def test_the_limit_of_moves_truncates(game):
    env = make(game, max_cycles=1, side="first")
    _, info = env.reset(seed=1)
    _, reward, terminated, truncated, _ = env.step(np.argmax(info["action_mask"]))
    assert (reward, terminated, truncated) == (0.0, False, True)


@pytest.mark.parametrize("mode", ["human", "ansi", "rgb_array"])
def test_every_render_mode_shows_the_board(game, mode, capsys):
    env = make(game, render_mode=mode, side="first")
    _, info = env.reset(seed=1)
    env.step(np.argmax(info["action_mask"]))
    shown = env.render()
    env.close()
    printed = capsys.readouterr().out
    assert {"human": printed, "ansi": shown, "rgb_array": "to move"}[mode].count("to move") >= 1
    assert (mode == "human") == bool(printed)
    if mode == "rgb_array":
        assert (shown.dtype, shown.ndim, shown.shape[2]) == (np.uint8, 3, 3)


def test_a_game_can_begin_anywhere():
    env = make("draughts", side="first")
    env.reset(options={"position": "B:WK32:BK1"})
    assert env.unwrapped.table.position == draughts.Position("B:WK32:BK1")
    with pytest.raises(ValueError, match="the opponent's first move ends the game"):
        env.reset(options={"position": "W:WK10:B6"})


def test_what_is_no_position_is_refused():
    with pytest.raises(ValueError, match="a position of draughts is a Position or its text, not 3"):
        make("draughts").reset(options={"position": 3})


def test_a_game_without_draw_rules_takes_none():
    with pytest.raises(ValueError, match="tictactoe3d has no draw rules, but quiet_plies was given"):
        ludus.envs.gym.AgainstPlayer("tictactoe3d", quiet_plies=40)
