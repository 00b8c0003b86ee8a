"""What the faithful presets need, by positions worked by hand: a blocked side, the choice of a move, play-outs.

The coding of the features is tested with the features.
"""

import math
from collections import Counter
from typing import Any

import msgspec
import numpy as np
import pytest

import ludus
from ludus import players, runs
from ludus._core import draughts as core
from ludus._core import tictactoe3d
from ludus.arena.matches import MatchConfig
from ludus.arena.play import play
from ludus.arena.task import Rules, Task, digest
from ludus.games import DrawRules, Outcome, Reason, draughts
from ludus.learning import training_games
from ludus.learning.genetic import Genetic
from ludus.learning.ls_draughts import LSDraughts
from ludus.learning.mp_draughts import MpDraughts
from ludus.learning.neurodraughts import NeuroDraughts
from ludus.learning.samuel import Samuel
from ludus.learning.visiondraughts import VisionDraughts
from ludus.players import ActivePlayer, Player, searches
from ludus.players.evaluators import Material
from ludus.players.searches import AlphaBeta, Budget, Ept, Minimax, Uct
from ludus.workers import Workers
from test_searches import positions, valued

__all__ = ["valued"]  # a fixture

BLOCKED = DrawRules(blocked=True)
# Black is to move and can block White's only man by 8-12: White has no move then. By 4-... there is no such move.
SHUT = "B:W20:B8,11,16"
MATERIAL = core.Evaluator.material()
TINY = {"sets": 1, "games": 6, "budget": "depth=1", "reference_games": 0}


# A blocked side.


def test_a_blocked_side_loses_by_the_official_rules_and_draws_if_the_rules_say_so() -> None:
    for rules, winner in ((DrawRules(), draughts.Position(SHUT).turn), (BLOCKED, None)):
        history = draughts.History(draughts.Position(SHUT), rules)
        assert history.outcome() is None
        history.play("8-12")
        assert len(history.position.pieces()) == 4  # White still has its man
        assert history.outcome() == Outcome(winner, Reason.NO_MOVES)
    assert str(history.outcome()) == "Draw: the side to move cannot move"


def test_a_side_without_pieces_loses_under_both_rules() -> None:
    for rules in (DrawRules(), BLOCKED):
        history = draughts.History(draughts.Position("B:W18:B14"), rules)
        history.play("14x23")
        outcome = history.outcome()
        assert outcome is not None and outcome.winner == draughts.Position("B:W18:B14").turn


SEARCHES = {
    "minimax": (core.Search.minimax(MATERIAL), {"depth": 2}),
    "pruned": (core.Search.minimax(MATERIAL, pruned=True), {"depth": 2}),
    "alphabeta": (core.Search.alphabeta(MATERIAL), {"depth": 2}),
    "uct": (core.Search.uct(), {"nodes": 300}),
    "ept": (core.Search.ept(MATERIAL, plies=2), {"nodes": 300}),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_knows_by_which_rule_its_game_is_played(name: str) -> None:
    search, budget = SEARCHES[name]
    found = {
        rules.blocked: search.search(core.History(core.Position(SHUT), rules), **budget)
        for rules in (DrawRules(), BLOCKED, DrawRules())
    }
    if "depth" in budget:  # for play-outs there are other ways to win
        assert str(found[False].variation[0]) == "8-12"
    assert {move: root.value for root in found[False].moves if (move := str(root.move)) == "8-12"} == {"8-12": 1.0}
    if name != "pruned":  # it has only bounds for moves that are not the best
        assert {move: root.value for root in found[True].moves if (move := str(root.move)) == "8-12"} == {"8-12": 0.0}


def test_draw_rules_are_written_hashed_and_kept() -> None:
    assert repr(BLOCKED) == "DrawRules(repetitions=3, quiet_plies=80, plies=0, blocked=True)"
    assert repr(DrawRules()) == "DrawRules(repetitions=3, quiet_plies=80, plies=0)"
    assert DrawRules() != BLOCKED and hash(BLOCKED) != hash(DrawRules())
    assert "blocked" not in str(MatchConfig().identity())  # as journals have always had it
    assert MatchConfig(rules=Rules(blocked=True)).identity()["rules"] == {**Rules().identity(), "blocked": True}


def test_a_game_of_the_arena_ends_by_its_rules() -> None:
    player = Player(name="m", game="draughts", search=AlphaBeta(), evaluator=Material(), budget=Budget(depth=2))
    for blocked, winner in ((False, 0), (True, None)):
        task = Task(
            index=0,
            players=(player, player),
            digests=(digest(player), digest(player)),
            opening=("8-12",),
            rules=Rules(blocked=blocked),
            seed=1,
            start=SHUT,
        )
        assert play(task).winner == winner


# The choice of a move, and play-outs.


@pytest.mark.parametrize("game", [core, tictactoe3d])
def test_the_move_is_the_one_with_most_visits_or_the_best_mean(game: Any) -> None:
    differ = 0
    for seed, position in enumerate(positions(game, 40)):
        for by_value in (False, True):
            found = game.Search.uct(by_value=by_value).search(game.History(position), nodes=60, seed=seed)
            best = found.moves[0]
            assert str(best.move) == str(found.variation[0])
            if by_value:
                assert best.value == max(root.value for root in found.moves if root.visits)
                differ += best.visits < max(root.visits for root in found.moves)
            else:
                assert best.visits == max(root.visits for root in found.moves)
    assert differ > 0


def test_a_move_without_a_play_out_is_not_chosen_for_its_value() -> None:
    # Seven moves and three play-outs, all of which a much stronger opponent wins: four moves have no value, which is 0.
    lost = core.Position("B:WK14,K15,K18,K19,K22,K23,K10,K11:B1,2,3,4")
    found = core.Search.uct(by_value=True).search(core.History(lost), nodes=2, seed=3)
    assert found.moves[0].visits > 0


def test_skewed_play_outs_let_the_opponent_capture_less_often() -> None:
    # After 14-17 White captures; after 14-18 it does too; 1-5, 1-6 and others are safe.
    position = core.Position("B:W21,22,23:B1,14")
    careless = [m for m in position.moves() if position.play(m).moves() and "x" in str(position.play(m).moves()[0])]
    assert 0 < len(careless) < len(position.moves())
    one = core.Search.uct().search(core.History(position), nodes=2000, seed=1)
    other = core.Search.uct(skewed=True).search(core.History(position), nodes=2000, seed=1)
    assert [root.value for root in one.moves] != [root.value for root in other.moves]
    again = core.Search.uct(skewed=True).search(core.History(position), nodes=2000, seed=1)
    assert [root.value for root in again.moves] == [root.value for root in other.moves]


def test_the_options_of_a_player_reach_its_search_and_its_file(tmp_path: Any) -> None:
    for search in (Uct(skewed=True, by_value=True), Ept(plies=3, skewed=True, by_value=True)):
        evaluator = Material() if isinstance(search, Ept) else None
        player = Player(name="p", game="draughts", search=search, evaluator=evaluator, budget=Budget(playouts=40))
        players.save(player, tmp_path / "p")
        assert players.load(tmp_path / "p").search == search
        plain = msgspec.structs.replace(player, search=type(search)())
        chosen: Counter[bool] = Counter()
        for position in positions(core, 25):
            history = draughts.History(position)
            chosen[str(ActivePlayer(player).choose(history)) == str(ActivePlayer(plain).choose(history))] += 1
        assert chosen[False] > 0
    # A file without the options is as it has always been.
    assert msgspec.json.encode(Minimax()) == b'{"type":"minimax"}'
    assert msgspec.json.encode(Uct()) == b'{"type":"uct"}'


# Minimax with cuts.


def test_pruned_minimax_finds_the_move_and_the_value_of_minimax(valued: Any) -> None:
    game, evaluator = valued
    plain, pruned = game.Search.minimax(evaluator), game.Search.minimax(evaluator, pruned=True)
    saved = 0
    for position in positions(game, 40):
        for depth in (1, 2, 4):
            one = plain.search(game.History(position), depth=depth)
            other = pruned.search(game.History(position), depth=depth)
            assert str(one.variation[0]) == str(other.variation[0]) and one.value == other.value
            assert other.nodes <= one.nodes
            saved += one.nodes - other.nodes
    assert saved > 0
    with pytest.raises(ValueError, match="pruned minimax has no values"):
        game.Search.minimax(evaluator, avoid_loss=True, pruned=True)


def test_training_with_cuts_gives_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    config = NeuroDraughts(**{**NeuroDraughts.presets["faithful"], **TINY, "budget": "depth=3"})
    setup, theta, board = config.setup(), config.initial_theta(3), [draughts.START.text]
    assert setup.search == Minimax() == setup.player("p", theta).search  # the player itself searches plainly
    assert setup.test_player(theta).search == Minimax(pruned=True)
    fast, rewards = training_games.train(setup, theta, theta, board, 3, range(4), Workers(), batch=False)
    monkeypatch.setattr(training_games.TrainingSetup, "_small_search", lambda self: self.search)
    slow, others = training_games.train(setup, theta, theta, board, 3, range(4), Workers(), batch=False)
    np.testing.assert_array_equal(fast, slow)
    assert rewards == others


# The presets.


def test_the_lineage_has_the_draw_rule_of_its_code_and_no_knowledge_beyond_its_depth() -> None:
    for kind in (NeuroDraughts, LSDraughts, VisionDraughts, MpDraughts):
        config = kind(**kind.presets["faithful"])
        setup = config.setup()
        assert setup.rules == Rules(repetitions=0, quiet_plies=0, plies=102)
        assert (config.coding, setup.leaf, setup.epsilon, setup.opening_plies) == ("faithful", False, 0, 0)
        if isinstance(setup.search, AlphaBeta):
            assert setup.search == AlphaBeta(repetition=False, reductions=False, quiescence=False)
        else:
            assert setup.search == Minimax()
    assert Samuel(**Samuel.presets["faithful"]).setup().rules == Rules()


def test_a_game_of_the_lineage_is_a_draw_after_51_moves_of_each_side() -> None:
    config = NeuroDraughts(**{**NeuroDraughts.presets["faithful"], **TINY})
    theta, board = config.initial_theta(1), [draughts.START.text]
    played = [play(task) for task in training_games.test_games(config.setup(), theta, theta, board, 1)]
    lengths = [game.moves.count(" ") + 1 for game in played]
    assert max(lengths) <= 102
    for game, length in zip(played, lengths, strict=True):
        assert (game.winner is None) == (length == 102)


def test_a_clone_is_replaced_by_more_than_half_of_the_points() -> None:
    for kind in (NeuroDraughts, VisionDraughts):
        plan = kind(**kind.presets["faithful"]).plan()
        assert plan.passes([3]) and not plan.passes([2])  # one board: a win and a draw are enough
        assert plan.passes([2, 2, 3, 2]) and not plan.passes([2, 2, 2, 2])  # the boards of a specialist, together
        assert not plan.passes([4, 0, 1, 2])


def test_games_that_might_never_end_are_refused() -> None:
    with pytest.raises(ValueError, match="a game might never end"):
        NeuroDraughts(repetitions=0, quiet_plies=0, max_plies=0)


def test_the_dissertation_s_rules_are_those_of_its_preset() -> None:
    config = Genetic(**Genetic.presets["faithful"])
    template = config.template()
    assert template.search == Ept(plies=6, skewed=True, by_value=True)
    assert config.tournament().rules == Rules(repetitions=3, quiet_plies=0, plies=100, blocked=True)
    assert {layer.activation for layer in template.layers} == {"logistic"}
    ours = Genetic()
    assert {layer.activation for layer in ours.template().layers} == {"tanh"}
    assert not ours.tournament().rules.blocked
    uct = Genetic(search="uct", skewed_playouts=True, best_value=True).template().search
    assert uct == Uct(skewed=True, by_value=True)
    lines = Genetic(game="tictactoe3d", inputs="lines", activation="logistic").template()
    assert {layer.activation for layer in lines.layers} == {"logistic"}


def test_the_logistic_of_the_figure() -> None:
    layer = players.networks.Layer(inputs=1, outputs=1, activation="logistic", bias=False)
    network = players.networks.build([layer], np.ones(1, np.float32))
    for x in (-3.0, -0.5, 0.0, 1.0, 4.0):
        value = network.value(np.array([x], np.float32))
        assert value == pytest.approx(2 / (1 + math.exp(-x)) - 1, abs=1e-6)


# LS-Draughts.

LS: dict[str, Any] = {
    **TINY,
    "population": 3,
    "generations": 1,
    "match_boards": 1,
    "test_boards": 0,
    "final_boards": 0,
    "finalists": 2,
    "finalist_sets": 1,
    "finalist_games": 8,
    "finalist_boards": 2,
}


def test_the_features_of_neurodraughts_are_among_the_first() -> None:
    known = (1 << 12) - 1
    assert LSDraughts(**LS)._initial_masks()[0] == known
    assert len(set(LSDraughts(**LS)._initial_masks())) == 3
    assert known not in LSDraughts(**LS, known_features=False)._initial_masks()
    few = LSDraughts(**{**LS, "features": ("Dyke", "PieceTake", "Node")})  # by name, in the order of the table
    assert few.individual(few._initial_masks()[0]).features == ("PieceTake",)


def test_the_finalists_train_again_and_the_player_is_the_best_of_them() -> None:
    config = LSDraughts(**LS)
    with Workers.open(1) as one, Workers.open(2) as two:
        whole = list(config.learn(None, one))
        stages = [progress.stage for progress in whole]
        assert stages[-3:] == ["finalists", "finalists", "result"]
        line, player = whole[-1].line, whole[-1].player
        assert line is not None and player is not None
        assert len(line["finalists"]) == 2 and sum(line["finalists"].values()) == pytest.approx(1)
        best = max(line["finalists"], key=lambda mask: line["finalists"][mask])
        assert line["features"] == list(config.individual(int(best)).features)
        np.testing.assert_array_equal(player.theta, whole[-1].state.arrays[f"final-{best}"])
        again = list(config.learn(whole[-3].state, two))
        assert [each.line for each in again] == [each.line for each in whole[-2:]]
        assert again[-1].player is not None and digest(again[-1].player) == digest(player)


def test_each_individual_has_so_many_opponents() -> None:
    config = LSDraughts(**LS, opponents=2)
    rivals = list(range(1, 9))
    pairs = config._pairs(rivals, 4)
    assert pairs == config._pairs(rivals, 4) != config._pairs(rivals, 5)
    assert all(one < other for one, other in pairs) and len(set(pairs)) == len(pairs) < 28
    for mask in rivals:
        assert sum(mask in pair for pair in pairs) >= 2
    assert len(LSDraughts(**LS)._pairs(rivals, 4)) == 28


# The file of a player.


def test_a_trained_player_says_with_which_version_and_instructions_it_was_made(tmp_path: Any) -> None:
    run = runs.Run.create(tmp_path / "run", NeuroDraughts(**TINY), "ludus train neurodraughts")
    for _ in run.train(Workers()):
        pass
    made = players.load(run.player).made
    assert made.version == ludus.__version__ and made.version
    assert made.instructions == players.INSTRUCTION_SET and made.instructions
    assert searches.kind(players.load(run.player).search) == "minimax"


SMALL = ("--sets", 1, "--games", 4, "--reference-games", 0)
COMMANDS: dict[str, tuple[Any, ...]] = {
    "neurodraughts": (*SMALL, "--budget", "depth=1"),
    "visiondraughts": (*SMALL, "--budget", "depth=2"),
    "ls-draughts": (*SMALL, "--budget", "depth=1", "--population", 3, "--generations", 1, "--finalist-games", 4),
    "mp-draughts": (*SMALL, "--budget", "depth=1", "--boards", 4, "--units", 2),
    "genetic": ("--generations", 1, "--playouts", 4, "--rounds", 1),
}
PLAYED = {
    "neurodraughts": Minimax(),
    "visiondraughts": AlphaBeta(repetition=False, reductions=False, quiescence=False),
    "ls-draughts": Minimax(),
    "mp-draughts": AlphaBeta(repetition=False, reductions=False, quiescence=False),
    "genetic": Ept(plies=6, skewed=True, by_value=True),
}


@pytest.mark.parametrize("kind", COMMANDS)
def test_the_trained_player_keeps_its_faithful_search(kind: str, run: Any, tmp_path: Any) -> None:
    status, _, error = run(
        "train", kind, "--preset", "faithful", *COMMANDS[kind], "--seed", 5, "--out", tmp_path / "run"
    )
    assert status == 0, error
    player = players.load(tmp_path / "run" / "player.safetensors")
    assert player.search == PLAYED[kind]
    position = draughts.START
    assert ActivePlayer(player).choose(draughts.History(position)) in position.moves()
