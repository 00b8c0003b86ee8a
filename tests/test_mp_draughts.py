"""MP-Draughts: which member of the team plays in a game worked by hand, and the training stage by stage."""

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from ludus import players, reports
from ludus.cli import app
from ludus.games import draughts
from ludus.learning import State, endgame_boards, kohonen, specialists, training_games
from ludus.learning.endgame_boards import EndgameBoard
from ludus.learning.mp_draughts import MpDraughts
from ludus.learning.team_state import TeamState
from ludus.players import ActivePlayer, BadPlayer, Player, networks
from ludus.players.evaluators import FEATUREMAP12, FEATURES, FeatureNetwork, MultiPhase
from ludus.players.searches import AlphaBeta, Budget, Ept, Minimax
from ludus.reports import mp_draughts
from ludus.terminal import analysis
from ludus.workers import Workers

MEMBER = FeatureNetwork(layers=networks.dense(38, 4, 1), features=FEATUREMAP12)
WEIGHTS = networks.weights(MEMBER.layers)
GENERALIST, ONE, TWO = np.random.default_rng(5).uniform(-1, 1, (3, WEIGHTS)).astype(np.float32)

# The endgame has 7 pieces here. The attribute of the map is how far the side that has just moved is behind.
TEAM = MultiPhase(
    member=MEMBER,
    units=(3, 8),
    attributes=("PieceDisadvantage",),
    attribute_values="count",
    pieces=7,
    columns=9,
    dynamics="DII",
)
NEAR_2_AND_5 = np.array([2, 5], np.float32)


SEARCH, BUDGET = AlphaBeta(), Budget(depth=4)


def player(dynamics="DII", search=SEARCH, budget=BUDGET):
    team = msgspec.structs.replace(TEAM, dynamics=dynamics)
    theta = np.concatenate([GENERALIST, ONE, TWO, NEAR_2_AND_5])
    return Player(name="team", game="draughts", search=search, evaluator=team, budget=budget, theta=theta)


def alone(theta, like):
    return msgspec.structs.replace(like, evaluator=MEMBER, theta=theta)


def game(*moves):
    history = draughts.History(draughts.Position("B:W19,22,29,32:B1,2,4,15"))
    for move in moves:
        history.play(move)
    return history


# Black takes a man and the endgame begins: White has 6 in material (2 a man, 3 a king), Black has 8. Later Black takes
# another and has a king: White has 4 and Black has 9.
MOVES = ("15x24", "22-18", "1-5", "32-27", "24x31", "18-15")


@pytest.mark.parametrize(
    ("plies", "behind", "once", "always"),
    [
        (0, None, GENERALIST, GENERALIST),  # 8 pieces
        (1, 0, ONE, ONE),  # White's first endgame; 0 is nearer to 2 than to 5
        (2, 2, ONE, ONE),  # Black's first
        (3, 0, ONE, ONE),
        (4, 2, ONE, ONE),
        (5, 0, ONE, ONE),  # White's: Black is not behind
        (6, 5, ONE, TWO),  # DI still asks about the first
    ],
)
@pytest.mark.parametrize(
    ("search", "budget"),
    [(AlphaBeta(), Budget(depth=2)), (Minimax(), Budget(depth=2)), (Ept(plies=1), Budget(playouts=40))],
)
def test_who_speaks_in_a_game_worked_by_hand(plies, behind, once, always, search, budget):
    history = game(*MOVES[:plies])
    for dynamics, speaks in (("DI", once), ("DII", always)):
        team = player(dynamics, search, budget)
        found = ActivePlayer(team).think(history, seed=3)
        wanted = ActivePlayer(alone(speaks, team)).think(history, seed=3)
        assert (found.value, found.variation, found.nodes) == (wanted.value, wanted.variation, wanted.nodes)
        assert (
            len({ActivePlayer(alone(theta, team)).think(history, seed=3).value for theta in (GENERALIST, ONE, TWO)})
            == 3
        )
    choice = TEAM.build(draughts.GAME.core, player().theta).member_choice(history)
    if behind is None:
        assert (choice.member, choice.position, choice.attributes, choice.distances) == (0, None, [], [])
    else:
        assert choice.position == history.position
        assert choice.attributes == [behind]
        assert choice.distances == [(behind - 2) ** 2, (behind - 5) ** 2]
        assert np.array_equal((ONE, TWO)[choice.member - 1], always)


def test_one_search_may_be_used_for_all_of_a_game():
    active, history = ActivePlayer(player("DII")), game()
    for move in (*MOVES, None):
        assert active.think(history).value == ActivePlayer(player("DII")).think(history).value
        if move:
            history.play(move)


def test_a_game_that_begins_in_the_endgame_asks_there():
    history = draughts.History(game(*MOVES).position)
    for dynamics in ("DI", "DII"):
        assert (
            ActivePlayer(player(dynamics)).think(history).value
            == ActivePlayer(alone(TWO, player())).think(history).value
        )


def test_the_value_of_an_afterstate_is_that_of_the_chosen_network():
    evaluator = TEAM.build(draughts.GAME.core, player().theta)
    for plies, theta in ((0, GENERALIST), (2, ONE), (6, TWO)):
        position = game(*MOVES[:plies]).position
        assert evaluator.value(position) == MEMBER.build(draughts.GAME.core, theta).value(position)


def test_analysis_names_the_chosen_network_and_the_reason(tmp_path):
    assert next(analysis.lines(player(), game())) == (
        "network: the generalist, because 8 pieces are no endgame; an endgame has at most 7"
    )
    assert list(analysis.chosen_network(player("DII"), game(*MOVES))) == [
        "network: the specialist of unit 8",
        "why: its unit is the nearest of 2; squared distances: unit 8 0.000, unit 3 9.000",
        "attributes: PieceDisadvantage 5",
    ]
    first = game(*MOVES[:2]).position.text
    assert list(analysis.chosen_network(player("DI"), game(*MOVES)))[:2] == [
        "network: the specialist of unit 3",
        f"why: its unit is the nearest of 2, asked about {first}, where the endgame began; "
        "squared distances: unit 3 0.000, unit 8 9.000",
    ]
    path = tmp_path / "team.safetensors"
    players.save(player(), path)
    said = CliRunner().invoke(app, ["analyse", game(*MOVES).position.text, "--with", str(path)])
    assert said.exit_code == 0
    assert "network: the specialist of unit 8" in said.output
    shown = CliRunner().invoke(app, ["show", str(path)])
    assert "a team of a generalist and 2 specialists" in shown.output


def test_a_team_is_one_file(tmp_path):
    path = tmp_path / "team.safetensors"
    players.save(player("DI"), path)
    loaded = players.load(path)
    assert loaded.evaluator == player("DI").evaluator
    assert np.array_equal(loaded.theta, player().theta)
    members, units = loaded.evaluator.parts(loaded.theta)
    assert np.array_equal(members, [GENERALIST, ONE, TWO])
    assert np.array_equal(units, [[2], [5]])
    players.save(loaded, tmp_path / "again")
    assert path.read_bytes() == (tmp_path / "again").read_bytes()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"units": (3,)}, "a team of 2 networks and their map needs its weights"),
        ({"pieces": 25}, "an endgame has at most 0 to 24 pieces"),
        ({"member": msgspec.structs.replace(MEMBER, features=FEATURES)}, "a network on 28 features has 83 inputs"),
    ],
)
def test_a_team_that_does_not_fit_together_says_why(change, reason):
    broken = msgspec.structs.replace(player(), evaluator=msgspec.structs.replace(TEAM, **change))
    with pytest.raises(BadPlayer, match=reason):
        ActivePlayer(broken)


@pytest.mark.parametrize(
    "change",
    [
        {"units": ()},
        {"units": (8, 3)},
        {"units": (3, 10)},
        {"attributes": ("Gap", "Apex")},
        {"rows": 100, "columns": 9},
    ],
)
def test_a_map_that_cannot_be(change):
    with pytest.raises(ValueError, match=r"units|attributes"):
        MultiPhase(**{"member": MEMBER, "units": (3, 8), "columns": 9, **change})


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


def test_the_generalist_speaks_for_a_unit_without_a_specialist():
    team = msgspec.structs.replace(TEAM, accepted=(8,))
    theta = np.concatenate([GENERALIST, TWO, NEAR_2_AND_5])
    one = msgspec.structs.replace(player(), evaluator=team, theta=theta)
    for plies, speaks in ((0, GENERALIST), (2, GENERALIST), (6, TWO)):
        history = game(*MOVES[:plies])
        assert ActivePlayer(one).think(history).value == ActivePlayer(alone(speaks, one)).think(history).value
    assert next(analysis.chosen_network(one, game(*MOVES[:2]))) == (
        "network: the generalist, because unit 3 has no specialist"
    )
    assert next(analysis.chosen_network(one, game(*MOVES))) == "network: the specialist of unit 8"
    assert "a generalist and 1 specialist," in str(team)
    none = msgspec.structs.replace(team, accepted=())
    alone_theta = np.concatenate([GENERALIST, NEAR_2_AND_5])
    assert ActivePlayer(msgspec.structs.replace(one, evaluator=none, theta=alone_theta)).think(game(*MOVES)).value == (
        ActivePlayer(alone(GENERALIST, one)).think(game(*MOVES)).value
    )


def test_a_specialist_with_more_features_begins_as_its_generalist():
    wider = MpDraughts(specialist_features=FEATURES, hidden=4, generalist="x").specialist_config(1).evaluator()
    theta = specialists.widened(GENERALIST, MEMBER, wider)
    one, other = MEMBER.build(draughts.GAME.core, GENERALIST), wider.build(draughts.GAME.core, theta)
    for plies in range(7):
        position = game(*MOVES[:plies]).position
        assert other.value(position) == pytest.approx(one.value(position), abs=1e-6)


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


def counts_pieces(repetition):
    """A team of our preset whose members know nothing but material."""
    config = MpDraughts(
        hidden=1,
        units=2,
        budget="depth=4",
        repetition=repetition,
        attributes=("PieceAdvantage",),
        specialist_features=(),
    )
    member = np.zeros(networks.weights(config.evaluator().layers), np.float32)
    member[:4] = 0.1 * 2.0 ** np.arange(4)  # the bits of PieceAdvantage
    member[4:8] = -member[:4]  # and of PieceDisadvantage
    member[39] = 1  # from the hidden node to the output
    state = TeamState(generalist=member, units=np.array([[0.0], [1.0]]))
    return specialists.with_specialists(config._team_player(state, np.array([0, 1])), {1: member, 2: member})


@pytest.mark.parametrize("dynamics", ["DI", "DII"])
def test_no_won_endgame_is_lost_to_a_repetition_that_the_search_can_see(dynamics):
    # Three kings against two pieces, one of them in a double corner: Black is ahead, but four plies show no win.
    endings = {True: set(), False: set()}
    defender = ActivePlayer(players.find("material@depth=4", "draughts"))
    for repetition, found in endings.items():
        team = counts_pieces(repetition)
        evaluator = msgspec.structs.replace(team.evaluator, dynamics=dynamics)
        sides = ActivePlayer(msgspec.structs.replace(team, evaluator=evaluator)), defender
        for text in ("B:WK1,K5:BK18,K19,K14", "B:W29,K1:BK18,K19,K10"):
            for seed in range(4):
                history = draughts.History(draughts.Position(text))
                while not (outcome := history.outcome()):
                    history.play(sides[history.plies % 2].choose(history, seed=seed))
                found.add(outcome.reason.name)
    assert "REPETITION" not in endings[True]
    assert "REPETITION" in endings[False]  # a search that does not value it walks into it
