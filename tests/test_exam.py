"""The exam of endgames: its positions, the perfect opponent, the marks, and the command."""

import json

import pytest

from ludus import endgames, players
from ludus.arena import exam
from ludus.arena.exam import exam as games_of_the_exam
from ludus.arena.exam.opponent import TableOpponent
from ludus.arena.exam.questions import ENDINGS
from ludus.arena.journal import Journal
from ludus.endgames.files import Kind
from ludus.endgames.tables import opened
from ludus.games import Color
from ludus.games.draughts import History, Position
from ludus.reports import exam as report
from ludus.workers import Workers


@pytest.fixture(scope="module")
def tables():
    return endgames.load(4)


@pytest.fixture(scope="module")
def questions(tables):
    return exam.draw_questions(tables, 4, 4, 1)


def taken(player, questions, tables, seed=1):
    """The exam of a player, in this thread and in memory."""
    config = exam.ExamConfig(pieces=4, games=4, seed=seed)
    journal = Journal(None, exam.fingerprint(player, config, tables))
    *_, count = exam.play(player, questions, config, None, Workers(), journal)
    assert count == len(questions)
    return exam.ExamResult.of(player.name, questions, exam.answered(questions, journal))


@pytest.fixture(scope="module")
def random_result(questions, tables):
    return taken(players.find("random", "draughts"), questions, tables)


@pytest.fixture
def perfect_result(questions, tables, monkeypatch):
    monkeypatch.setattr(games_of_the_exam, "active", lambda player, key: TableOpponent(tables, 7))
    return taken(players.find("random", "draughts"), questions, tables)


def test_endings_have_names_that_say_their_material():
    names = [ending.name for ending in ENDINGS]
    assert len(set(names)) == len(names)
    assert {
        "2 kings v king",
        "king and man v king",
        "2 men v man",
        "3 kings v 2 kings",
        "king and 2 men v king and man",
    } < {*names}


def test_positions_are_quiet_and_have_the_result_that_is_asked_for(questions, tables):
    for question in questions:
        position = Position(question.position)
        verdict = tables.verdict(position)
        assert verdict.result.name == question.result.upper()
        assert verdict.distance == question.distance or question.result == "draw"
        other = Position(("W" if position.turn == Color.BLACK else "B") + question.position[1:])
        assert position.moves() and not any(move.captured for move in (*position.moves(), *other.moves()))


def test_the_player_has_the_stronger_side_when_it_is_won_and_both_colours(questions):
    kings = [question for question in questions if question.ending == "2 kings v king"]
    assert kings
    for question in kings:
        position = Position(question.position)
        own = sum(piece == ("B" if position.turn == Color.BLACK else "W") for piece in position.pieces().values())
        assert own == (2 if question.result == "win" else 1)
    assert {Position(question.position).turn for question in questions} == {Color.BLACK, Color.WHITE}


def test_more_games_and_more_pieces_keep_the_positions(questions, tables):
    more = exam.draw_questions(tables, 4, 6, 1)
    assert len(more) > len(questions) and {*questions} < {*more}
    assert {*exam.draw_questions(tables, 3, 4, 1)} < {*questions}
    assert {*exam.draw_questions(tables, 4, 4, 2)}.isdisjoint(
        question for question in questions if question.ending != "First Position"
    )


@pytest.fixture(scope="module")
def results_only():
    """The tables of up to 4 pieces without their distances, as those of 6 pieces are."""
    paths = {pieces: endgames.folder.find(Kind.RESULTS, pieces) for pieces in (2, 3, 4)}
    return endgames.Tables([opened(path, Kind.RESULTS, pieces) for pieces, path in paths.items()])


def test_without_distances_the_opponent_gives_no_result_away(tables, results_only, monkeypatch):
    asked = exam.draw_questions(results_only, 4, 2, 1)
    assert asked and all(question.distance is None for question in asked)
    monkeypatch.setattr(games_of_the_exam, "load", lambda pieces, folder: results_only)
    monkeypatch.setattr(games_of_the_exam, "active", lambda player, key: TableOpponent(tables, 7))
    perfect = taken(players.find("random", "draughts"), asked, results_only)
    total = perfect.total
    assert total.converted.hits == total.converted.size > 10
    assert total.held.hits == total.held.size > 10
    assert total.saved == (0, total.saved.size) and total.saved.size > 10  # it wins what it has won
    assert total.wasted == () and total.distance == 0  # figures that need a distance
    assert "nan" not in report.text([perfect], asked)


def test_without_distances_the_opponent_defends_nearly_as_long_as_it_can(tables, results_only, questions):
    """Played against the fastest wins, it lasts at least 90% of the longest defence."""
    lasted = distance = 0
    for question in [each for each in questions if each.result == "win"]:
        start = Position(question.position)
        winner, loser = TableOpponent(tables, 3), TableOpponent(results_only, 3)
        moves = []
        history = History(start)
        while history.outcome() is None:
            moves.append((winner, loser)[len(moves) % 2].choose(start, moves).move)
            history.play(moves[-1])
        lasted += len(moves)
        distance += question.distance
    assert 0.9 * distance <= lasted <= distance


def test_no_index_and_no_position_of_a_kind_comes_twice(questions):
    assert len({question.index for question in questions}) == len(questions)
    assert len({question.position for question in questions}) == len(questions)


def test_the_first_position_is_won_with_the_move_and_drawn_without(questions):
    found = {question.position: question.result for question in questions if question.ending == "First Position"}
    assert found["W:WK19,K23:B12,K28"] == "win" and found["B:WK19,K23:B12,K28"] == "draw"
    assert sorted(found.values()) == ["draw", "draw", "win", "win"]  # and with the colours changed


def test_play_by_the_tables_converts_everything_and_wastes_nothing(perfect_result):
    total = perfect_result.total
    assert total.converted.value == 1 and set(total.wasted) == {0} and total.lost_from_won == 0
    assert total.held.value == 1 and total.resistance == 1 and total.saved.hits == 0
    assert all(marks.converted.value == 1 for marks in perfect_result.endings.values() if marks.converted.size)


def test_alphabeta_with_the_tables_converts_everything(questions, tables):
    total = taken(players.find("material@depth=2,endgames=4"), questions, tables).total
    assert total.converted.value == 1 and set(total.wasted) == {0}
    assert total.held.value == 1 and total.resistance == 1


def test_random_converts_few(random_result):
    total = random_result.total
    assert total.converted.value < 0.4 and total.held.value < 0.9 and total.resistance < 1
    assert total.saved.hits == 0  # perfect play never lets a lost position go
    assert all(plies >= 0 and plies % 2 == 0 for plies in total.wasted)


def test_the_opponent_never_makes_a_mistake(questions, tables, random_result):
    """The player's result never gets better: only its own moves make it worse."""
    order = ("LOSS", "DRAW", "WIN")
    for question in questions[:40]:
        history = History(Position(question.position))
        best = order.index(question.result.upper())
        for ply, move in enumerate(random_result.games[question.index].moves.split()):
            history.play(move)
            if ply % 2:
                now = order.index(tables.verdict(history.position).result.name)
                assert now <= best
                best = now


def test_marks_by_ending_add_up(random_result):
    for share in ("converted", "held", "saved"):
        count, size = map(sum, zip(*(getattr(marks, share) for marks in random_result.endings.values()), strict=True))
        assert (count, size) == getattr(random_result.total, share)


def test_a_share_has_an_interval_inside_0_and_1():
    for count in (0, 7, 20):
        low, high = exam.Share(count, 20).interval
        assert 0 <= low <= count / 20 <= high <= 1 and high - low > 0.05
    low, high = exam.Share(50, 100).interval  # Wilson: [0.404, 0.596]
    assert low == pytest.approx(0.404, abs=0.005) and high == pytest.approx(0.596, abs=0.005)


def test_two_players_are_compared_on_the_same_positions(questions, random_result, perfect_result):
    found = exam.disagreement(perfect_result, random_result, questions, "win")
    lost = random_result.total.converted.size - random_result.total.converted.hits
    assert (found.first, found.second) == (lost, 0)
    assert found.p == pytest.approx(2 / 2**lost)
    drawn = exam.disagreement(random_result, perfect_result, questions, "draw")
    assert (drawn.first, drawn.second) == (0, random_result.total.held.size - random_result.total.held.hits)
    assert exam.disagreement(random_result, random_result, questions, "win").p == 1


def test_the_report_fits_100_columns_and_shows_every_player(questions, random_result, perfect_result):
    import msgspec

    long = msgspec.structs.replace(perfect_result, name="a-name-" * 14)
    others = [msgspec.structs.replace(random_result, name=f"random-{i}") for i in range(13)]
    results = report.ranked([*others, long])
    assert results[0] is long
    text = report.text(results, questions)
    assert max(map(len, text.splitlines())) <= 100
    assert "100.0% [" in text and "0/0.0" in text
    distances = [line.split()[:4] for line in text.splitlines() if " to " in line or " or more" in line]
    assert sum(int(line[3]) for line in distances) == long.total.converted.size
    page = report.page(results, questions, exam.ExamConfig(), "ludus exam endgames")
    assert all(result.name in page for result in results) and page.count("<svg") == 2


COMMAND = ("exam", "endgames", "--games", 1, "--seed", 3)
TWO = ("--with", "random", "--with", "material@depth=2")


def test_the_command_prints_a_table_and_writes_page_picture_and_data(run, tmp_path):
    status, out, err = run(*COMMAND, *TWO, "--concurrency", 1, "--out", tmp_path / "one")
    assert (status, err) == (0, "")
    assert "wins converted" in out and "only material@depth=2 converts" in out
    assert max(map(len, out.splitlines())) <= 100
    assert (tmp_path / "one" / "exam.txt").read_text() == out
    assert (tmp_path / "one" / "exam.svg").read_text().startswith("<svg")
    assert "<h1>Exam of endgames</h1>" in (tmp_path / "one" / "exam.html").read_text()
    found = json.loads((tmp_path / "one" / "exam.json").read_text())
    assert [player["name"] for player in found["players"]] == ["material@depth=2", "random"]
    assert len(found["positions"]) == found["players"][0]["total"]["wins_converted"]["of"] + sum(
        found["players"][0]["total"][name]["of"] for name in ("draws_held", "losses_saved")
    )


def test_the_result_is_the_same_on_two_workers_and_after_a_crash(run, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    first = run(*COMMAND, *TWO, "--concurrency", 1, "--out", one)
    assert first == run(*COMMAND, *TWO, "--concurrency", 2, "--out", two)
    assert (one / "exam.json").read_bytes() == (two / "exam.json").read_bytes()
    for journal in (two / "players").glob("*/journal.jsonl"):
        journal.write_bytes(journal.read_bytes()[: journal.stat().st_size // 2])  # a crash cut it short
    assert run(*COMMAND, *TWO, "--out", two) == first
    assert (one / "exam.json").read_bytes() == (two / "exam.json").read_bytes()


def test_a_player_that_is_added_plays_alone(run, tmp_path):
    run(*COMMAND, "--with", "random", "--out", tmp_path)
    (journal,) = (tmp_path / "players").glob("*/journal.jsonl")
    before = journal.read_bytes()
    assert run(*COMMAND, *TWO, "--out", tmp_path)[0] == 0
    assert journal.read_bytes() == before
    assert len(list((tmp_path / "players").iterdir())) == 2


def test_a_budget_is_for_players_that_have_none(run):
    status, out, _ = run(
        *COMMAND, "--pieces", 3, "--with", "material", "--with", "uct@playouts=3", "--budget", "depth=1"
    )
    assert status == 0 and "material " in out and "uct@playouts=3" in out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "an exam needs a player: give --with PLAYER, or --all"),
        (("--with", "nobody"), "there is no player nobody"),
        (("--with", "random", "--with", "random"), "two players are called random"),
        (("--with", "symmetric-patterns"), "symmetric-patterns plays tictactoe3d, not draughts"),
        (("--with", "material@generalist"), "material has no generalist"),
        (("--with", "random", "--pieces", 6, "--tables", "/nowhere"), "ludus endgame build"),
        (("--all", "--budget", "depth=3"), "equal budgets are of nodes, as nodes=2000, not of depth"),
    ],
)
def test_bad_input_is_a_sentence_and_status_2(run, arguments, reason):
    status, out, err = run("exam", "endgames", *arguments)
    assert (status, out) == (2, "") and reason in err and err.count("\n") == 1


def test_another_seed_is_another_exam(run, tmp_path):
    assert run("exam", "endgames", "--pieces", 3, "--games", 1, "--with", "random", "--out", tmp_path)[0] == 0
    status, _, err = run(
        "exam", "endgames", "--pieces", 3, "--games", 1, "--with", "random", "--seed", 1, "--out", tmp_path
    )
    assert status == 2 and "holds other games" in err


def test_the_generalist_of_a_team_is_a_player():
    team = players.find("mp-draughts")
    alone = players.find("mp-draughts@generalist@nodes=50")
    assert alone.name == "mp-draughts@generalist@nodes=50" and alone.budget.nodes == 50
    assert alone.evaluator == team.evaluator.member
    assert (alone.theta == team.evaluator.parts(team.theta)[0][0]).all()
    assert players.is_named("mp-draughts@generalist") and not players.is_named("nobody@generalist")
    assert players.games_of("mp-draughts@generalist@nodes=50") == {"draughts"}
