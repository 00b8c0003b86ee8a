"""The PettingZoo environments: PettingZoo's own tests, and what they do not ask."""

import importlib
import types

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test

from ludus.games import BadPosition, IllegalMove, draughts

NAMES = ["draughts_v0", "tictactoe3d_v0"]
# PettingZoo looks for arrays and boxes, unless an environment is on its own list of those with masks in dictionaries.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),  # of an agent whose game is over
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros"),  # an empty board
    pytest.mark.filterwarnings("ignore:The base environment .* does not have a `render_mode`"),
]


@pytest.fixture(params=NAMES)
def module(request):
    return importlib.import_module(f"ludus.envs.{request.param}")


def play_on(env, rng, plies=10**6):
    """Random legal moves; the last rewards, by agent."""
    rewards = {}
    for agent in env.agent_iter(plies):
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] = rewards.get(agent, 0) + reward
        over = terminated or truncated
        env.step(None if over else rng.choice(np.flatnonzero(observation["action_mask"])))
    return rewards


def test_the_environment_passes_the_api_test(module, capsys):
    api_test(module.env(), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out


def test_the_environment_passes_the_seed_test(module):
    seed_test(module.env, num_cycles=100)
    seed_test(lambda: module.env(illegal="random"), num_cycles=100)


def test_the_environment_passes_the_render_test(module, capsys):
    texts = {"ansi": lambda text: "to move" in text}
    render_test(module.env, texts)
    assert "to move" in capsys.readouterr().out  # the mode human prints


class Rounds:
    """A parallel environment in which a step is a move of each agent, which is what PettingZoo calls a cycle."""

    def __init__(self, parallel):
        self.parallel = parallel

    def __getattr__(self, name):
        return getattr(self.parallel, name)

    def step(self, actions):
        for _ in range(2):
            answer = self.parallel.step(actions)
        return answer


def test_the_environment_passes_the_max_cycles_test(module):
    """It draws actions without the mask, so illegal ones are replaced."""
    made = types.SimpleNamespace(
        env=lambda **options: module.env(illegal="random", **options),
        parallel_env=lambda **options: Rounds(module.parallel_env(illegal="random", **options)),
    )
    max_cycles_test(made)


def test_a_game_has_a_winner_and_a_loser_or_is_drawn(module):
    rng = np.random.default_rng(3)
    env = module.env()
    seen = set()
    for _ in range(20):
        env.reset()
        rewards = play_on(env, rng)
        assert sum(rewards.values()) == 0
        seen.add(rewards["player_0"])
    assert seen >= {1.0, -1.0}


def test_the_end_is_told(module):
    env = module.env()
    env.reset()
    while not any(env.terminations.values()):
        env.step(int(np.argmax(env.last()[0]["action_mask"])))
    assert all("wins:" in info["outcome"] or "Draw:" in info["outcome"] for info in env.infos.values())
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)


def test_an_observation_is_what_the_agent_sees_and_only_the_mover_has_legal_actions(module):
    env = module.env()
    env.reset()
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    game, position = env.unwrapped.table.game, env.unwrapped.table.position
    mover, waiting = env.observe("player_1"), env.observe("player_0")
    np.testing.assert_array_equal(mover["observation"], game.encode([position])[0])
    np.testing.assert_array_equal(waiting["observation"], game.encode([position], afterstates=True)[0])
    assert set(np.flatnonzero(mover["action_mask"])) == {move.id for move in position.moves()}
    assert not waiting["action_mask"].any()


def test_an_illegal_action_is_an_error_by_default(module):
    env = module.env()
    env.reset()
    before = env.unwrapped.table.position
    for action in (-1, 5000, 2**70, 2.5, None):
        with pytest.raises(IllegalMove, match=f"action {action}"):
            env.step(action)
    assert env.unwrapped.table.position == before


def test_an_illegal_move_is_an_error_that_names_the_legal_ones():
    from ludus.envs import draughts_v0

    env = draughts_v0.env()
    env.reset()
    with pytest.raises(IllegalMove, match=r"action 0: '1-5' is not legal in B:W21.*; legal: .*11-15"):
        env.step(0)


def test_an_illegal_action_can_lose_the_game(module):
    env = module.env(illegal="loss")
    env.reset()
    env.step(5000)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert env.infos["player_0"]["outcome"] == "player 0 chose an illegal action"


def test_an_illegal_action_can_be_replaced_by_a_random_one(module):
    positions = []
    for seed in (1, 1, 2, 3, 4):
        env = module.env(illegal="random")
        env.reset(seed=seed)
        env.step(5000)
        positions.append(env.unwrapped.table.position)
    assert positions[0] == positions[1]
    assert len(set(positions)) > 1


def test_the_limit_of_moves_truncates(module):
    env = module.env(max_cycles=2)
    env.reset()
    for _ in range(4):
        env.step(int(np.argmax(env.last()[0]["action_mask"])))
    assert env.truncations == {"player_0": True, "player_1": True}
    assert not any(env.terminations.values())
    assert env.infos["player_0"]["outcome"] == "Draw: the game reached its limit"


KINGS = {"position": "B:WK32:BK1"}


@pytest.mark.parametrize(
    ("rules", "plies", "ending"),
    [
        ({}, 8, "Draw: the position was repeated"),
        ({"repetitions": 2}, 4, "Draw: the position was repeated"),
        ({"repetitions": 0, "quiet_plies": 10}, 10, "Draw: too long without a capture or a man's move"),
    ],
)
def test_the_draw_rules_of_draughts_are_options(rules, plies, ending):
    from ludus.envs import draughts_v0

    env = draughts_v0.env(**rules)
    env.reset(options=KINGS)
    played = 0
    while not any(env.terminations.values()):
        move = ("1-6", "32-27", "6-1", "27-32")[played % 4]
        env.step(env.unwrapped.table.position.move(move).id)
        played += 1
    assert (played, env.infos["player_0"]["outcome"]) == (plies, ending)


def test_the_last_planes_count_quiet_plies_and_repetitions():
    from ludus.envs import draughts_v0

    env = draughts_v0.env(quiet_plies=20)
    env.reset(options=KINGS)
    for move in ("1-6", "32-27", "6-1", "27-32"):
        env.step(env.unwrapped.table.position.move(move).id)
    for agent in env.agents:
        planes = env.observe(agent)["observation"]
        assert (planes[4] == np.float32(4 / 20)).all()
        assert (planes[5] == np.float32(1 / 2)).all()


def test_a_blocked_side_can_draw():
    from ludus.envs import draughts_v0

    for options, reward in (({}, 1.0), ({"blocked": True}, 0.0)):
        env = draughts_v0.env(**options)
        env.reset(options={"position": "B:W12:B1,3,4"})
        env.step(draughts.Move("4-8").id)
        assert env.terminations["player_1"]
        assert env.rewards == {"player_0": reward, "player_1": -reward}


@pytest.mark.parametrize("mode", ["window", "rgb"])
def test_an_unknown_render_mode_is_refused(module, mode):
    with pytest.raises(ValueError, match=f"render_mode is one of human, ansi, rgb_array, not '{mode}'"):
        module.env(render_mode=mode)


def test_bad_options_are_refused(module):
    with pytest.raises(ValueError, match="illegal is one of error, loss, random, not 'ignore'"):
        module.env(illegal="ignore")
    with pytest.raises(ValueError, match="max_cycles is a whole number from 1 to 1,000,000,000, not 0"):
        module.env(max_cycles=0)
    env = module.env()
    with pytest.raises(BadPosition):
        env.reset(options={"position": "nonsense"})


def test_a_position_without_moves_is_refused():
    from ludus.envs import draughts_v0

    with pytest.raises(ValueError, match="there is no move in B:WK1:B: White wins"):
        draughts_v0.env().reset(options={"position": "B:WK1:B"})


def test_a_picture_shows_pieces_and_the_last_move():
    from ludus.envs import draughts_v0

    env = draughts_v0.env(render_mode="rgb_array")
    env.reset()
    before = env.render()
    env.step(draughts.Move("11-15").id)
    after = env.render()
    assert before.shape == after.shape == (320, 320, 3)
    changed = np.argwhere((before != after).any(axis=2)) // 40
    assert set(map(tuple, changed.tolist())) == {(2, 5), (3, 4)}  # squares 11 and 15
