"""Temporal differences: whole games against the plain reference, small cases by hand, and that it learns."""

import math

import msgspec
import numpy as np
import pytest

from kills import killed_and_resumed
from ludus import games
from ludus._core import Derivative, LearnerSide, TrainingOptions, tictactoe3d
from ludus.bench import numpy_td
from ludus.learning.td import Td
from ludus.players import ActivePlayer, Player, named_networks, networks
from ludus.players.searches import Greedy
from ludus.runs import Run
from ludus.workers import Workers
from reference_td import Reference, can_win, mix

BENCHMARK = tictactoe3d.Search.rule_player()
COLORS = {LearnerSide.FIRST: [games.Color.WHITE] * 2, LearnerSide.SECOND: [games.Color.BLACK] * 2}
COLORS[LearnerSide.BOTH] = [games.Color.WHITE, games.Color.BLACK]  # the first game's, the second's


def network_of(reference, game):
    return reference.evaluator.trainable(games.find(game).core, reference.theta, Derivative.EXACT)


def options_of(reference):
    return options(**{name: getattr(reference.options, name) for name in vars(reference.options)})


def options(*, gamma=1.0, lambda_=0.0, **others):
    return TrainingOptions(gamma=gamma, trace_decay=gamma * lambda_, **others)


def rule_player(seed):
    return tictactoe3d.MatchSide(BENCHMARK, seed=seed)


# Whole games.

WHOLE = [
    ("deep-structured", {}),
    ("deep-structured", {"lambda_": 0.7}),
    ("deep-structured", {"rule_win": False, "train_terminal": False, "bias": False}),
    ("deep-structured", {"avoid_loss": True}),
    ("small-structured", {"lambda_": 0.7, "gamma": 0.9, "bias": False}),
    ("small-unstructured", {"gamma": 0.9, "epsilon": 0.5}),
    ("deep-unstructured", {"lambda_": 0.7, "train_terminal": False}),
    ("wide-unstructured", {"rule_win": False}),
    ("line-patterns", {"avoid_loss": True, "epsilon": 0.5}),
    # Its images of a move are worth the same, so which of them is best hangs on the last bit: chance chooses instead.
    ("symmetric-patterns", {"epsilon": 1.0}),
    ("symmetric-patterns", {"lambda_": 0.7, "epsilon": 1.0}),
    ("squares32", {"lambda_": 0.7}),
    ("featuremap12", {}),
]


@pytest.mark.parametrize(("network", "chosen"), WHOLE)
def test_whole_games_of_self_play_are_the_reference_s(network, chosen):
    game = named_networks.NAMED_NETWORKS[network].game
    reference = Reference.of(network, game, **chosen)
    learner, count = network_of(reference, game), 3 if game == "tictactoe3d" else 2
    start = reference.theta
    found = learner.train(0, count, seed=8, options=options_of(reference), rate=0.02)
    plies = sum(len(reference.play(game, 8, index, 0.02)) for index in range(count))
    assert (found.plies, found.steps) == (plies, len(reference.steps))
    assert abs(found.squared_error - sum(error**2 for _, _, error in reference.steps)) < 1e-3
    np.testing.assert_allclose(learner.theta, reference.theta, rtol=0, atol=1e-4)
    assert np.abs(reference.theta - start).max() > 1e-2  # so that 1e-4 says something


@pytest.mark.parametrize(
    ("network", "numpy_learner"),
    [("deep-structured", numpy_td.DeepStructured), ("line-patterns", numpy_td.LinePatterns)],
)
def test_the_numpy_loop_that_speed_is_measured_beside_learns_the_same(network, numpy_learner):
    reference = Reference.of(network, epsilon=0.0)
    learner, beside = network_of(reference, "tictactoe3d"), numpy_learner(reference.theta)
    np.testing.assert_array_equal(beside.theta, reference.theta)
    plies = learner.train(0, 4, seed=1, options=options_of(reference), rate=0.02).plies
    assert sum(numpy_td.self_play(beside, 0.02, 0.0, None) for _ in range(4)) == plies
    np.testing.assert_allclose(beside.theta, learner.theta, rtol=0, atol=1e-4)
    assert np.abs(learner.theta - reference.theta).max() > 1e-2


@pytest.mark.parametrize("seat", list(LearnerSide))
@pytest.mark.parametrize("chosen", [{}, {"lambda_": 0.7, "rule_win": False, "train_terminal": False}])
def test_against_an_opponent_only_own_moves_are_learned(seat, chosen):
    reference = Reference.of("deep-structured", **chosen)
    learner = network_of(reference, "tictactoe3d")
    found = learner.train(0, 2, seed=9, options=options_of(reference), rate=0.02, side=seat, opponent=rule_player(9))
    plies = 0
    for index, color in enumerate(COLORS[seat]):
        before = len(reference.steps)
        moves = reference.play("tictactoe3d", 9, index, 0.02, color, BENCHMARK)
        plies += len(moves)
        # Each own afterstate learns once, from the next or from the end; one that ends the game only if it is trained.
        own = len(moves[color == games.Color.BLACK :: 2])
        ends = len(moves) % 2 == (color == games.Color.WHITE)
        assert len(reference.steps) - before == own - (ends and not reference.options.train_terminal)
        assert all(afterstate.turn != color for afterstate, _, _ in reference.steps[before:])
    assert (found.plies, found.steps) == (plies, len(reference.steps))
    np.testing.assert_allclose(learner.theta, reference.theta, rtol=0, atol=1e-4)


# By hand. A network whose weights are all 0 has one that learns, the bias of its output node, and all moves are alike
# to it: both sides play the first column that is not full, until White's stones in a1, b1 and c1 want a fourth. By rule
# White takes it at once, with ply 11; without the rule when its turn comes, with ply 13.


def zeros(network="small-unstructured"):
    evaluator = named_networks.find(network, "tictactoe3d").make(True)
    return evaluator.trainable(tictactoe3d, np.zeros(networks.weights(evaluator.layers), np.float32), Derivative.EXACT)


@pytest.mark.parametrize(
    ("chosen", "plies", "steps", "error"),
    [
        # White's 6 afterstates and Black's 5 learn once each; they err where the end is near, by 1, 1 and -1.
        ({}, 11, 11, 1 + 1 + 1),
        ({"gamma": 0.5}, 11, 11, 0.5**2 + 1 + 1),  # the afterstate before White's win has half of it for a target
        ({"rule_win": False}, 13, 13, 0 + 1 + 1),  # the win is worth what the network says, which is nothing
        ({"train_terminal": False}, 11, 10, 1 + 1),  # the win itself is not learned
        ({"train_terminal": False, "rule_win": False}, 13, 12, 1 + 1),
        ({"train_terminal": False, "gamma": 0.5}, 11, 10, 1 + 1),  # the reward is no later value: it counts in full
    ],
)
@pytest.mark.parametrize("network", ["small-unstructured", "small-structured", "deep-structured", "symmetric-patterns"])
def test_each_reading_has_the_targets_it_says(network, chosen, plies, steps, error):
    found = zeros(network).train(0, 1, seed=1, options=options(epsilon=0, **chosen), rate=0.0)
    assert (found.plies, found.steps, found.squared_error) == (plies, steps, error)


def taught_bias(rates, gamma=1.0, lambda_=0.0):
    """The bias after a game at each of these rates, with the usual reading."""
    bias = 0.0
    for rate in rates:
        traces = [0.0, 0.0]

        def step(side, target, rate=rate, traces=traces):
            nonlocal bias
            value = math.tanh(bias / 2)
            traces[side] = gamma * lambda_ * traces[side] + 0.5 * (1 - value**2)
            bias += rate * (target - value) * traces[side]

        for ply in range(3, 11):
            step(1 - ply % 2, gamma * math.tanh(bias / 2))
        step(0, gamma * 1.0)
        step(0, 1.0)
        step(1, -1.0)
    return bias


@pytest.mark.parametrize("chosen", [{}, {"lambda_": 0.7}, {"gamma": 0.8}, {"gamma": 0.8, "lambda_": 0.7}])
@pytest.mark.parametrize("network", ["small-unstructured", "deep-structured"])
def test_one_weight_learns_what_it_learns_by_hand(network, chosen):
    learner = zeros(network)
    learner.train(0, 3, seed=1, options=options(epsilon=0, **chosen), rate=0.4, rate_change=-0.1)
    theta = learner.theta
    assert np.count_nonzero(theta) == 1 and abs(theta[-1] - taught_bias([0.4, 0.3, 0.2], **chosen)) < 1e-5


def test_the_rate_falls_in_a_straight_line_to_the_final_one():
    lines = [progress.line for progress in progress_of(tiny(rate=0.02, final_rate=0.005))]
    assert [line["rate"] for line in lines] == pytest.approx([0.0175, 0.015, 0.0125, 0.01, 0.0075, 0.005])
    assert progress_of(tiny(rate=0.0, final_rate=0.0))[-1].state.arrays["theta"].tobytes() == start_of(tiny()).tobytes()


def test_training_in_parts_is_training_at_once():
    parts, whole = zeros("deep-structured"), zeros("deep-structured")
    arguments = {"seed": 3, "options": options(), "rate": 0.02, "rate_change": -0.001}
    whole.train(0, 9, **arguments)
    for first, count in ((0, 4), (4, 1), (5, 4)):
        parts.train(first, count, **arguments)
    assert parts.theta.tobytes() == whole.theta.tobytes()


# The choice.


def test_avoiding_losses_gives_no_win_away_that_can_be_avoided():
    reference = Reference.of("small-unstructured")
    careless, careful = (
        ActivePlayer(
            Player(
                name="p",
                game="tictactoe3d",
                search=Greedy(avoid_loss=avoid),
                evaluator=reference.evaluator,
                theta=reference.theta,
            )
        )
        for avoid in (False, True)
    )
    given = kept = 0
    for seed in range(30):
        history = tictactoe3d.History()
        while not history.outcome():
            position = history.position
            if position.turn == games.Color.BLACK:
                history.play(BENCHMARK.search(history, seed=seed).variation[0])
                continue
            safe = [move for move in position.moves() if not can_win(position.play(move))]
            given += bool(safe) and careless.choose(history) not in safe
            kept += bool(safe) and careful.choose(history) not in safe
            history.play(careful.choose(history))
    assert kept == 0 < given


@pytest.mark.parametrize("avoid_loss", [False, True])
def test_a_test_is_the_games_of_the_player_it_makes(avoid_loss):
    reference = Reference.of("deep-structured", avoid_loss=avoid_loss, epsilon=0.0)
    learner, tally = network_of(reference, "tictactoe3d"), {1: 0, 0: 0, -1: 0}
    found = learner.test(40, rule_player(5), options=options_of(reference))
    player = Player(
        name="p",
        game="tictactoe3d",
        search=Greedy(avoid_loss=avoid_loss),
        evaluator=reference.evaluator,
        theta=reference.theta,
    )
    greedy = ActivePlayer(player)
    for index in range(40):
        own = COLORS[LearnerSide.BOTH][index % 2]
        history = tictactoe3d.History()
        while not (outcome := history.outcome()):
            if history.position.turn == own:
                history.play(greedy.choose(history))
            else:
                history.play(BENCHMARK.search(history, seed=mix(mix(5) + index)).variation[0])
        tally[0 if outcome.winner is None else 1 if outcome.winner == own else -1] += 1
    assert (found.wins, found.draws, found.losses) == (tally[1], tally[0], tally[-1])
    assert learner.theta.tobytes() == reference.theta.tobytes()


def test_avoiding_losses_is_worth_much_in_a_test():
    reference = Reference.of("deep-structured")
    careless, careful = (
        network_of(reference, "tictactoe3d").test(200, rule_player(1), options=options(avoid_loss=avoid))
        for avoid in (False, True)
    )
    assert careless.wins + 10 < careful.wins


def test_a_seat_in_a_test_is_who_moves_first():
    # The benchmark player wins more often when it begins, so an untrained network does worse there.
    reference = Reference.of("symmetric-patterns")
    learner = network_of(reference, "tictactoe3d")
    learner.train(0, 4000, seed=1, options=options(), rate=0.005)
    first, second, both = (
        learner.test(600, rule_player(1), options=options(), side=seat).wins
        for seat in (LearnerSide.FIRST, LearnerSide.SECOND, LearnerSide.BOTH)
    )
    assert second < both < first


# The learner.


def tiny(**options):
    return Td(**{"network": "small-unstructured", "games": 60, "test_every": 10, "test_games": 20, **options})


def progress_of(learner, state=None):
    with Workers.open(1) as workers:
        return list(learner.learn(state, workers))


def start_of(learner):
    """The weights that a learner begins with."""
    frozen = msgspec.structs.replace(learner, rate=0.0, final_rate=None, games=1)
    return progress_of(frozen)[-1].state.arrays["theta"]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"against": "benchmark", "seat": "both", "order": "biased", "final_rate": 0.001, "games": 57},
        {"network": "deep-structured", "lambda_": 0.7, "avoid_loss": True},
        {"game": "draughts", "network": "featuremap12", "games": 6, "test_every": 2, "test_games": 2},
    ],
)
def test_from_every_state_it_goes_on_the_same(options):
    learner = tiny(**options)
    whole = progress_of(learner)
    assert (
        whole[-1].done == learner.games
        and whole[-1].player.theta.tobytes() == whole[-1].state.arrays["theta"].tobytes()
    )
    for index, progress in enumerate(whole[:-1]):
        rest = progress_of(learner, progress.state)
        assert [p.line for p in rest] == [p.line for p in whole[index + 1 :]]
        assert [p.note for p in rest] == [p.note for p in whole[index + 1 :]]
        assert rest[-1].player.theta.tobytes() == whole[-1].player.theta.tobytes()


def test_each_option_has_an_effect():
    learned = {}
    for options in (
        {},
        {"seed": 2},
        {"rate": 0.01},
        {"final_rate": 0.001},
        {"gamma": 0.9},
        {"lambda_": 0.5},
        {"epsilon": 0.2},
        {"rule_win": False},
        {"train_terminal": False},
        {"avoid_loss": True},
        {"bias": False},
        {"derivative": "doubled"},
        {"initial_range": 0.1},
        {"against": "benchmark"},
        {"against": "benchmark", "seat": "first"},
        {"against": "benchmark", "seat": "second"},
        {"against": "benchmark", "order": "game"},
        {"against": "benchmark", "order": "biased"},
        {"against": "random"},
    ):
        learned[str(options)] = progress_of(tiny(**options))[-1].player.theta.tobytes()
    assert len(set(learned.values())) == len(learned)
    # Who tests, and how often, changes no weight.
    for options in ({"test_every": 7}, {"test_games": 3}, {"test_against": "random"}, {"test_seat": "first"}):
        assert progress_of(tiny(**options))[-1].player.theta.tobytes() == learned["{}"]
    theta = start_of(tiny(initial_range=0.1))
    assert -0.1 <= theta.min() < -0.09 and 0.09 < theta.max() < 0.1


def test_the_presets_are_two_readings():
    assert Td(**Td.presets["paper"]) == Td()
    literal = Td(**Td.presets["literal"])
    assert (literal.rule_win, literal.train_terminal, literal.bias) == (False, False, False)


def test_20_000_games_beat_random_99_times_in_100():
    learner = Td(network="symmetric-patterns", games=20_000, test_every=20_000, test_games=100, test_against="random")
    line = progress_of(learner)[-1].line
    assert line["tests"] == 100 and line["wins"] >= 99


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--network", "nothing"], "tictactoe3d has no network nothing: there are small-structured, deep-structured"),
        (["--network", "squares32"], "tictactoe3d has no network squares32: there are small-structured"),
        (
            ["--game", "draughts", "--network", "deep-structured"],
            "draughts has no network deep-structured: there are squares32",
        ),
        (["--against", "nobody"], "there is no player nobody"),
        (["--test-against", "nobody"], "there is no player nobody"),
        (
            ["--game", "draughts", "--network", "squares32", "--against", "benchmark"],
            "benchmark plays tictactoe3d, not draughts",
        ),
        (["--final-rate", "-1"], "'--final-rate'"),
        (["--final-rate", "nan"], "'--final-rate'"),
        (["--initial-range", "0"], "td cannot be set up: initial_range: expected float > 0"),
        (["--initial-range", "inf"], "'--initial-range'"),
        (["--rate", "-1"], "'--rate'"),
        (["--rate", "nan"], "'--rate'"),
        (["--lambda", "1.5"], "--lambda"),
        (["--order", "none"], "'none' is not one of"),
    ],
)
def test_bad_options_are_a_sentence(run, tmp_path, monkeypatch, arguments, reason):
    monkeypatch.chdir(tmp_path)
    status, _, err = run("train", "td", "--games", 10, *arguments)
    assert status == 2 and reason in err.splitlines()[-1] and "Traceback" not in err
    assert not list(tmp_path.glob("runs/*"))


def test_killed_at_ten_instants_it_ends_with_the_same_bytes(tmp_path):
    options = {"network": "small-structured", "games": 40_000, "test_every": 200, "test_games": 20}
    whole = Run.create(tmp_path / "whole", Td(**options), "")
    with Workers.open(1) as workers:
        for _ in whole.train(workers):
            pass
    typed = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    main = "from ludus.cli import main; main()"
    folder = tmp_path / "killed"
    assert killed_and_resumed(main, ["td", *typed], folder, seed=2, within=0.05) >= 8
    for name in ("progress.jsonl", "player.safetensors"):
        assert (folder / name).read_bytes() == (whole.folder / name).read_bytes()
