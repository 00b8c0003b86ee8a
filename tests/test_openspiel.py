"""Our games in OpenSpiel: its own tests, its algorithms, and bots both ways. Needs OpenSpiel (`make oracles`)."""

import numpy as np
import pytest

from ludus.games import draughts, tictactoe3d
from ludus.players import BadPlayer

pyspiel = pytest.importorskip("pyspiel")
openspiel = pytest.importorskip("ludus.envs.openspiel")
NAMES = ["ludus_draughts", "ludus_tictactoe3d"]


@pytest.fixture(params=NAMES)
def game(request):
    return pyspiel.load_game(request.param)


def test_the_game_passes_openspiels_random_simulations(game):
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_the_game_is_what_openspiel_is_told(game):
    ours = draughts if "draughts" in game.get_type().short_name else tictactoe3d
    assert game.num_distinct_actions() == ours.GAME.core.ACTIONS
    assert game.num_players() == 2
    state = game.new_initial_state()
    assert state.legal_actions() == sorted(move.id for move in ours.START.moves())
    moves, outcome = ours.random_game(1, 0)
    for move in moves:
        assert state.action_to_string(move.id) == state.ludus.position.write(move)
        state.apply_action(move.id)
    assert state.is_terminal()
    assert state.returns() == (
        [0, 0] if outcome.winner is None else [1, -1] if outcome.winner == ours.START.turn else [-1, 1]
    )


def test_a_clone_goes_its_own_way(game):
    state = game.new_initial_state()
    other = state.clone()
    other.apply_action(other.legal_actions()[0])
    assert (len(state.history()), len(other.history())) == (0, 1)
    assert state.ludus.plies == 0


def test_a_state_is_serialised_as_its_actions(game):
    state = game.new_initial_state()
    for _ in range(6):
        state.apply_action(state.legal_actions()[-1])
    same = game.deserialize_state(state.serialize())
    assert str(same) == str(state)
    assert same.history() == state.history()


def test_an_observation_is_the_planes_of_the_player(game):
    from open_spiel.python.observation import make_observation

    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    observation = make_observation(game)
    ours = draughts if "draughts" in game.get_type().short_name else tictactoe3d
    for player, afterstates in ((1, False), (0, True)):
        observation.set_from(state, player)
        expected = ours.encode([state.ludus.position], afterstates=afterstates)[0]
        np.testing.assert_array_equal(observation.dict["observation"], expected)
    assert state.ludus.position.text in observation.string_from(state, 0)


def test_the_draw_rules_are_parameters():
    game = pyspiel.load_game("ludus_draughts(repetitions=0,quiet_plies=2,plies=9)")
    assert game.max_game_length() == 9
    state = game.new_initial_state()
    plies = 0
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
        plies += 1
    assert plies <= 9


def test_an_algorithm_of_openspiel_plays_our_game():
    """Its own MCTS, written in C++, against random moves of Tic-Tac-Toe 3D."""
    game = pyspiel.load_game("ludus_tictactoe3d")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    search = pyspiel.MCTSBot(game, evaluator, 2.0, 30, 100, False, 1, False)
    other = pyspiel.make_uniform_random_bot(1, 2)
    returns = pyspiel.evaluate_bots(game.new_initial_state(), [search, other], 3)
    assert sum(returns) == 0


def test_a_python_algorithm_of_openspiel_plays_our_draughts():
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("ludus_draughts(plies=6)")
    rng = np.random.RandomState(1)
    bots = [mcts.MCTSBot(game, 2.0, 4, mcts.RandomRolloutEvaluator(1, rng), random_state=rng) for _ in range(2)]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert state.ludus.plies == 6


def test_a_player_of_ours_is_a_bot_of_openspiel():
    game = pyspiel.load_game("ludus_tictactoe3d")
    player = openspiel.PlayerBot("benchmark", game, seed=1)
    other = pyspiel.make_uniform_random_bot(1, 2)
    results = [pyspiel.evaluate_bots(game.new_initial_state(), [player, other], seed)[0] for seed in range(10)]
    assert sum(results) >= 8


def test_a_player_chooses_the_same_as_in_our_own_games():
    from ludus import players
    from ludus.games import side_seed

    game = pyspiel.load_game("ludus_draughts")
    bot = openspiel.PlayerBot("material@depth=3", game, seed=7)
    state = game.new_initial_state()
    for _ in range(4):
        history = state.ludus.copy()
        active = players.ActivePlayer(players.find("material@depth=3", "draughts"))
        action = bot.step(state)
        assert action == active.choose(history, seed=side_seed(7, history.plies)).id
        state.apply_action(action)


def test_a_bot_of_openspiel_is_an_opponent_in_gymnasium():
    import gymnasium

    game = pyspiel.load_game("ludus_draughts")
    bot = pyspiel.make_uniform_random_bot(0, 5)
    env = gymnasium.make(
        "ludus.envs.gym:ludus/draughts-v0", opponent=openspiel.chooser(bot, game), side="second", max_cycles=3
    )
    _, info = env.reset(seed=1)
    truncated = False
    while not truncated:
        _, _, _, truncated, info = env.step(np.argmax(info["action_mask"]))
    with pytest.raises(ValueError, match="OpenSpiel's games begin at the start"):
        env.reset(options={"position": "B:WK32:BK1"})


def test_wrong_players_and_games_are_refused():
    game = pyspiel.load_game("ludus_draughts")
    with pytest.raises(BadPlayer, match="champion3d plays tictactoe3d, not draughts"):
        openspiel.PlayerBot("champion3d", game)
    with pytest.raises(ValueError, match="checkers is not a game of this package: load ludus_draughts or"):
        openspiel.PlayerBot("material", pyspiel.load_game("checkers"))
