"""MP-Draughts: the training stage by stage."""

import msgspec
import numpy as np
import pytest

from ludus import players, reports
from ludus.games import draughts
from ludus.learning import State, endgame_boards, kohonen, training_games
from ludus.learning.endgame_boards import EndgameBoard
from ludus.learning.mp_draughts import MpDraughts
from ludus.learning.team_state import TeamState
from ludus.players import networks
from ludus.players.evaluators import FEATURES
from ludus.reports import mp_draughts
from ludus.workers import Workers

SMALL = MpDraughts(
    seed=7,
    sets=2,
    games=6,
    batch=3,
    budget="depth=2",
    test_boards=2,
    final_boards=2,
    reference_games=0,
    boards=60,
    held_boards=60,
    board_moment="first",
    clusters="grid",
    units=9,
    alpha_factor=0.92,
    specialist_sets=0,
    specialist_games=0,
    specialist_test_boards=2,
    first_clone=False,  # so that every specialist differs from the generalist, however few its games are
    restart="never",
)


def learned(config, state=None, workers=1):
    with Workers.open(workers) as workers:
        return list(config.learn(state, workers))


@pytest.fixture(scope="module")
def whole():
    return learned(SMALL)


def same(one, other):
    for field in ("done", "total", "stage", "note", "line"):
        assert getattr(one, field) == getattr(other, field)
    assert one.state.facts == other.state.facts
    assert one.state.arrays.keys() == other.state.arrays.keys()
    for name, array in one.state.arrays.items():
        assert np.array_equal(array, other.state.arrays[name])
    assert (one.player is None) == (other.player is None)
    if one.player is not None:
        assert one.player.evaluator == other.player.evaluator
        assert np.array_equal(one.player.theta, other.player.theta)


def test_the_stages_come_in_order_and_end_with_the_player(whole):
    assert list(dict.fromkeys(progress.stage for progress in whole)) == [
        "generalist",
        "boards",
        "map",
        "specialists",
        "team",
    ]
    assert [progress.done for progress in whole] == sorted(progress.done for progress in whole)
    last = whole[-1]
    assert last.done == last.total == 12 * (1 + len(last.player.evaluator.units))
    assert all(progress.player is None for progress in whole[:-1])
    generalist = next(progress.players["generalist"] for progress in whole if "generalist" in progress.players)
    members, _ = last.player.evaluator.parts(last.player.theta)
    assert np.array_equal(members[0], generalist.theta)
    assert not any(np.array_equal(members[0], member) for member in members[1:])
    assert len(members) == 1 + len(last.player.evaluator.specialists)


def test_the_boards_have_12_pieces_and_say_where_they_come_from(whole):
    found = [board for progress in whole if progress.stage == "boards" for board in progress.line["found"]]
    assert len(found) == len({board["board"] for board in found}) == 120
    for board in found:
        assert len(draughts.Position(board["board"]).pieces()) == 12
    assert [board["game"] for board in found] == sorted({board["game"] for board in found})


def test_the_map_learns(whole):
    errors = [progress.line["quantisation"] for progress in whole if progress.stage == "map"]
    assert len(errors) == 3  # 27 epochs
    assert errors[-1] < errors[0]
    last = [progress.line for progress in whole if progress.stage == "map"][-1]
    assert (last["rows"], last["columns"], sum(last["shares"])) == (3, 3, 60)


def test_each_unit_with_boards_has_a_specialist_and_speaks_for_them(whole):
    shares = [progress.line for progress in whole if progress.stage == "map"][-1]["shares"]
    team = whole[-1].player
    assert team.evaluator.units == tuple(unit for unit, share in enumerate(shares, 1) if share)
    learning, held = boards_of(whole)[:60], boards_of(whole)[60:]
    counts = dict.fromkeys(team.evaluator.units, 0)
    for position in learning:
        counts[unit_of(team, position)] += 1
    assert counts == {unit: share for unit, share in enumerate(shares, 1) if share}
    lines = [progress.line for progress in whole if progress.stage == "specialists"]
    assert [(line["unit"], line["boards"]) for line in lines] == list(counts.items())
    assert not set(learning) & set(held)
    for line in lines:
        of_unit = [position for position in held[::2] if unit_of(team, position) == line["unit"]]
        games = 2 * min(2, len(of_unit))
        assert line["wins"] + line["draws"] + line["losses"] == games
        assert line["score"] == ((line["wins"] + line["draws"] / 2) / games if games else 0.5)


def boards_of(progresses):
    return [position for position, _, _ in progresses[-1].state.facts["boards"]]


def unit_of(team, position):
    """The unit of the map that is nearest to a position."""
    distances = team.evaluator.choice(team.theta, draughts.History(draughts.Position(position))).distances
    return team.evaluator.units[int(np.argmin(distances))]


def test_only_specialists_that_are_better_join_the_team(whole):
    lines = [progress.line for progress in whole if progress.stage == "specialists"]
    for line in lines:
        assert line["accepted"] == (line["interval"][0] > 0.5)
    last = whole[-1]
    accepted = [line["unit"] for line in lines if line["accepted"]]
    assert last.line["accepted"] == accepted == list(last.player.evaluator.specialists)
    assert [(test.unit, test.accepted) for test in last.player.evaluator.tests] == [
        (line["unit"], line["accepted"]) for line in lines
    ]
    assert f"{len(accepted)} of {len(lines)} specialists accepted" in last.note
    assert f"{len(accepted)} of {len(lines)} specialists accepted" in str(last.player.evaluator)


def test_all_may_be_accepted_and_the_check_plays_the_other_half_of_the_held_boards(whole):
    config = msgspec.structs.replace(SMALL, acceptance="all", specialist_test_boards=1, sets=1)
    last = learned(config)[-1]
    assert last.player.evaluator.specialists == last.player.evaluator.units
    members, _ = last.player.evaluator.parts(last.player.theta)
    assert len(members) == 1 + len(last.player.evaluator.units)
    for part in ("all", "accepted"):
        assert sum(last.line["check"][part][key] for key in ("wins", "draws", "losses")) == 60


def test_specialists_learn_with_options_of_their_own(whole, tmp_path):
    path = tmp_path / "generalist.safetensors"
    players.save(next(progress.players["generalist"] for progress in whole if "generalist" in progress.players), path)
    config = msgspec.structs.replace(
        SMALL,
        generalist=str(path),
        sets=1,
        units=2,
        boards=20,
        held_boards=20,
        board_moment="any",
        acceptance="all",
        specialist_sets=2,
        specialist_games=4,
        specialist_rate=0.01,
        specialist_gamma=0.9,
        specialist_lambda=0.5,
        specialist_budget="depth=3",
        specialist_features=FEATURES,
        specialist_side="asked",
        specialist_tables=4,
    )
    own = config.specialist_config(1)
    assert (own.sets, own.games, own.rate, own.gamma, own.budget, own.features) == (
        2,
        4,
        0.01,
        0.9,
        "depth=3",
        FEATURES,
    )
    setup = own.setup()
    assert setup.decay == 0.5
    assert (setup.asked_side, setup.tables, setup.tables_end) == (True, 4, False)
    all_of_it = learned(config)
    team = all_of_it[-1].player
    members, _ = team.evaluator.parts(team.theta)
    assert members[0].size < members[1].size
    assert {len(draughts.Position(board).pieces()) for board in boards_of(all_of_it)} <= set(range(4, 13))
    assert len({len(draughts.Position(board).pieces()) for board in boards_of(all_of_it)}) > 2
    players.save(team, tmp_path / "team.safetensors")
    assert players.load(tmp_path / "team.safetensors").evaluator == team.evaluator


def test_specialists_without_tests_keep_the_mean_of_all_games():
    config = msgspec.structs.replace(SMALL, specialist_sets=3, specialist_games=40)
    plan = config.specialist_config(1).plan(["B:W10,11,26,27,28,32:B3,4,8"])
    assert (plan.sets, plan.games, plan.average_games) == (3, 40, 120)
    assert (plan.threshold, plan.restart, plan.first_clone, plan.final_clones) == (0, "never", False, 1)
    assert plan.passes([0])
    assert plan.rate_factor(5000) == 1
    tested = msgspec.structs.replace(config, specialist_clones="tested").specialist_config(1).plan()
    assert (tested.threshold, tested.restart, tested.average_games) == (
        SMALL.threshold,
        SMALL.restart,
        SMALL.average_games,
    )


def test_training_games_end_in_the_tables_with_the_true_result():
    won = training_games.TrainingGame(
        setup=SMALL.specialist_config(1).setup(),
        theta=np.zeros(networks.weights(SMALL.specialist_config(1).evaluator().layers), np.float32),
        opponent_theta=np.zeros(networks.weights(SMALL.specialist_config(1).evaluator().layers), np.float32),
        board="B:WK1:BK18,K19",
        second=False,
        seed=1,
    )
    assert training_games.play(won).plies > 0
    taught = msgspec.structs.replace(won, setup=msgspec.structs.replace(won.setup, tables=4))
    assert training_games.play(taught).plies > 0  # the game goes on, with the tables' values as targets
    assert not np.array_equal(training_games.play(taught).theta, training_games.play(won).theta)
    judged = msgspec.structs.replace(taught, setup=msgspec.structs.replace(taught.setup, tables_end=True))
    result = training_games.play(judged)
    assert (result.plies, result.reward) == (0, 1)
    assert training_games.play(msgspec.structs.replace(judged, second=True)).reward == -1


def test_boards_from_games_of_several_players(whole):
    progress = next(progress for progress in whole if progress.stage == "boards")
    config = msgspec.structs.replace(SMALL, board_players=("generalist", "material@depth=2", "random"), boards=30)
    state = TeamState(generalist=progress.state.arrays["generalist"]).state()
    with Workers.open(1) as workers:
        stages = config.learn(state, workers)
        first = next(stages)
    boards = [board["board"] for board in first.line["found"]]
    assert boards
    assert boards != [board["board"] for board in progress.line["found"]]
    source = endgame_boards.BoardSource(
        players=config._board_players(TeamState.of(state)), pieces=12, least=None, epsilon=0, seed=1
    )
    pairs = [tuple(one.name for one in task.players) for task in source.games(range(6))]
    assert len(set(pairs)) == 6
    assert {name for pair in pairs for name in pair} == {"generalist", "material@depth=2", "random"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"held_boards": 0}, "specialists are accepted on boards that are held back: hold some back, or accept all"),
        ({"specialist_features": ("Gap",)}, "the specialists need all features of the generalist"),
        ({"specialist_tables": 1}, "endgame tables have 2 pieces or more"),
    ],
)
def test_options_that_do_not_fit_together(change, reason):
    with pytest.raises(ValueError, match=reason):
        msgspec.structs.replace(SMALL, **change)


def test_a_run_of_an_earlier_version_is_refused(whole):
    state = next(progress.state for progress in whole if progress.stage == "map")
    old = State(arrays=state.arrays, facts={key: value for key, value in state.facts.items() if key != "tested"})
    with pytest.raises(ValueError, match="this run is of an earlier version"):
        learned(SMALL, old)


def test_it_goes_on_from_wherever_it_was_stopped(whole):
    seen = set()
    for index, progress in enumerate(whole[:-1]):
        if progress.stage in seen and index % 4:
            continue  # one place in the middle of each stage, and some more
        seen.add(progress.stage)
        kept = State(
            arrays={name: array.copy() for name, array in progress.state.arrays.items()},
            facts=msgspec.json.decode(msgspec.json.encode(progress.state.facts)),
        )
        rest = learned(SMALL, kept)
        assert len(rest) == len(whole) - index - 1
        for one, other in zip(rest, whole[index + 1 :], strict=True):
            same(one, other)


def test_workers_change_nothing(whole):
    for one, other in zip(learned(SMALL, workers=2), whole, strict=True):
        same(one, other)


@pytest.mark.parametrize(
    ("clusters", "units"), [("chain", 4), ("kmeans", 4), ("random", 4), ("chain", 1), ("grid", 25)]
)
def test_other_clusters_from_a_given_generalist(clusters, units, whole, tmp_path):
    path = tmp_path / "generalist.safetensors"
    players.save(next(progress.players["generalist"] for progress in whole if "generalist" in progress.players), path)
    config = msgspec.structs.replace(
        SMALL, generalist=str(path), clusters=clusters, units=units, boards=20, sets=1, games=units, share_games=True
    )
    all_of_it = learned(config)
    assert all_of_it[0].stage == "generalist"
    team = all_of_it[-1].player.evaluator
    assert 1 <= len(team.units) <= units
    assert all_of_it[-1].done == all_of_it[-1].total
    if clusters == "random":
        shares = next(progress.line["shares"] for progress in all_of_it if progress.stage == "map")
        assert shares == [5, 5, 5, 5]
    if units == 25:  # 20 boards leave units empty
        assert len(team.units) < 25


def test_specialists_can_share_the_number_of_games():
    assert SMALL.specialist_config(3).games == 6
    shared = msgspec.structs.replace(SMALL, share_games=True, games=250, specialist_games=40)
    assert [shared.specialist_config(count).games for count in (1, 4, 25, 400)] == [250, 62, 10, 1]


def test_a_player_with_another_network_cannot_be_the_generalist(tmp_path):
    with pytest.raises(
        ValueError, match="material cannot be the generalist of this team: it has counts what is on the board"
    ):
        learned(msgspec.structs.replace(SMALL, generalist="material"))


def test_a_player_whose_games_give_too_few_boards_is_refused(monkeypatch):
    monkeypatch.setattr(endgame_boards, "_MOST_GAMES", 0)
    config = msgspec.structs.replace(SMALL, boards=100)
    with pytest.raises(ValueError, match=r"generalist reached only \d+ different boards of 12 pieces in 50 games"):
        learned(config)


def test_the_attributes_of_a_board():
    board = EndgameBoard("B:W12,14,24,27,30,31,32:B1,2,3,4,5", 0, 0)
    values = draughts.GAME.core.features(draughts.Position(board.position))
    names = ("PieceAdvantage", "DiagonalMoment")
    assert endgame_boards.attributes([board], names, "count").tolist() == [[values[name] for name in names]]
    assert endgame_boards.attributes([board], names, "scaled").tolist() == [
        [pytest.approx(values[name] / 15) for name in names]
    ]
    assert endgame_boards.attributes([board], FEATURES, "binary").tolist() == [
        [float(value > 0) for value in values.values()]
    ]
    assert kohonen.nearest(
        endgame_boards.attributes([board], names, "binary"), np.array([[0.0, 0], [1, 1]])
    ).tolist() == [1]


def test_the_report_draws_the_map(whole, tmp_path):
    (tmp_path / "config.toml").write_text(
        'kind = "mp-draughts"\ncommand = "x"\ndate = "2020-01-02"\n[options]\nseed = 7\n'
    )
    record = b"".join(msgspec.json.encode(progress.line) + b"\n" for progress in whole if progress.line)
    (tmp_path / "progress.jsonl").write_bytes(record)
    players.save(whole[-1].player, tmp_path / "player.safetensors")
    lines = [progress.line for progress in whole if progress.line]
    drawn = mp_draughts.units(lines)
    shares = [progress.line for progress in whole if progress.stage == "map"][-1]["shares"]
    assert [unit.boards for unit in drawn] == shares
    assert [unit.board is not None for unit in drawn] == [share > 0 for share in shares]
    page = reports.write(tmp_path).read_text()
    for words in (
        "<h2>Generalist",
        "<h2>Boards",
        "<h2>Map",
        "<h2>Specialists",
        "<h2>The team",
        "unit 9",
        "topographic",
    ):
        assert words in page
