"""A match: the same games wherever and in whatever order they are played, however often it was interrupted."""

import io
import json
import math
import os
import resource
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec
import numpy as np
import pytest

from ludus import games, players
from ludus.arena import matches, summary
from ludus.arena.journal import BadJournal, Journal
from ludus.arena.matches import MatchConfig, Standing
from ludus.arena.record import PlayedGame
from ludus.arena.score import Score
from ludus.arena.sprt import Sprt, Verdict
from ludus.arena.task import EnginePlayer, Rules, digest
from ludus.cli.arena import contestant, read_sprt
from ludus.games import Reason, draughts, pdn, tictactoe3d
from ludus.games.draughts import START, Position
from ludus.players import BadPlayer, Player
from ludus.players.evaluators import Material
from ludus.players.searches import AlphaBeta, Budget, Random
from ludus.workers import Workers
from matches import AnyOrder, by_chance, done, end, finish, ludus, match_of, newest_first, pair, shown, timeless

BUDGETS = {
    "depth": ("material@depth=3", "material@depth=2", None, "ballots3"),
    "nodes": ("material@nodes=200", "random", None, "ballots2"),
    "play-outs": ("uct@playouts=30", "material@depth=1", None, "random:6"),
    "the other game": ("uct@playouts=30", "benchmark", "tictactoe3d", "random:4"),
}
# About 10 ms a game: long enough to be interrupted among them.
SLOW = ("match", "material@nodes=300", "uct@playouts=60", "--games", "200", "--concurrency", "2")
KEPT = ("games.pdn", "result.json")


def played(index=0, **fields):
    usual = {
        "moves": "11-15",
        "values": [],
        "depths": [],
        "nodes": (0, 0),
        "seconds": (0.0, 0.0),
        "chosen": (0, 0),
        "winner": None,
        "reason": "NO_MOVES",
        "last": START.text,
    }
    return PlayedGame(index=index, **(usual | fields))


# Pairs


def test_each_opening_is_played_with_both_colours():
    one, other = contestants = pair("material@depth=1", "random")
    tasks = matches.tasks(contestants, MatchConfig(games=20, seed=4))
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert first.opening == second.opening and len(first.opening) == 3
        assert first.players == (one, other) and second.players == (other, one)
        assert first.digests == second.digests[::-1]
    assert [task.index for task in tasks] == list(range(20))
    assert len({task.seed for task in tasks}) == 20
    assert len({task.opening for task in tasks}) == 10


def test_the_score_is_that_of_the_first_player_with_either_colour():
    _, _, standing = match_of("material@nodes=200", "random", games=20)
    assert [each.winner for each in standing.played] == [0, 1] * 10
    assert standing.score == Score((0, 0, 0, 0, 0, 10))
    _, _, standing = match_of("random", "material@nodes=200", games=20)
    assert standing.score == Score((10, 0, 0, 0, 0, 0))


@pytest.mark.parametrize("count", [1, 3, 0, -2])
def test_games_without_a_partner_are_refused(count):
    with pytest.raises(ValueError, match="not an even number"):
        matches.tasks(pair("random", "random"), MatchConfig(games=count))


def test_players_of_two_games_do_not_meet():
    with pytest.raises(BadPlayer, match="random plays draughts and benchmark plays tictactoe3d"):
        matches.tasks((players.find("random"), players.find("benchmark")), MatchConfig())


def test_the_largest_seed_fits_the_core():
    _, _, standing = match_of("random", "random", games=2, seed=2**63 - 1)
    assert standing.score.games == 2


def test_another_seed_is_another_match():
    one, again, other = (match_of("random", "random", games=6, openings="none", seed=seed)[2] for seed in (1, 1, 2))
    assert timeless(one.played) == timeless(again.played)
    assert not {each.moves for each in one.played} & {each.moves for each in other.played}


# Where and in which order


@pytest.mark.parametrize("budget", BUDGETS)
def test_threads_and_the_order_of_the_work_change_nothing(budget):
    one, other, game, openings = BUDGETS[budget]
    contestants, config, standing = match_of(one, other, game, games=24, openings=openings)
    assert [each.index for each in standing.played] == list(range(24))
    for executor in (ThreadPoolExecutor(2), newest_first(), by_chance(1)):
        journal = Journal(None, {})
        with executor:
            again = finish(contestants, config, Workers(executor, 2), journal)
        assert timeless(again.played) == timeless(standing.played)
        assert shown(contestants, config, again) == shown(contestants, config, standing)
        if isinstance(executor, AnyOrder):
            order = [each.index for each in journal.played()]
            assert order != sorted(order)


def test_what_is_counted_are_whole_pairs_without_a_gap():
    contestants, config = pair("material@nodes=200", "random"), MatchConfig(games=20)
    journal = Journal(None, {})
    with newest_first() as executor:
        for standing in matches.play(contestants, config, Workers(executor, 2), journal):
            indices = [each.index for each in standing.played]
            assert indices == list(range(standing.score.games)) and len(indices) % 2 == 0
            there = {each.index for each in journal.played()}
            assert {len(indices), len(indices) + 1} - there


def test_a_player_that_does_not_fit_together_ends_the_match():
    broken = Player(name="broken", game="draughts", search=AlphaBeta())
    with newest_first() as executor, pytest.raises(BadPlayer, match="alphabeta needs an evaluator"):
        workers = Workers(executor, 2)
        list(matches.play((broken, players.find("random")), MatchConfig(games=100), workers, Journal(None, {})))
    assert len(executor.tasks) < 10


@pytest.mark.skipif(sys.platform != "linux", reason="this system does not limit address spaces")
def test_too_little_memory_is_a_sentence(tmp_path):
    hungry = Player(name="hungry", game="draughts", search=AlphaBeta(table_megabytes=1024), evaluator=Material())
    path = tmp_path / "hungry.safetensors"
    players.save(hungry, path)
    # An address space that Python and NumPy fit in, but not the table.
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))}
    status, out, err = done("match", path, "random", "--games", "2", "--concurrency", "1", **limit)
    assert (status, out, err) == (1, "", "ludus: there is not enough memory\n")


def test_the_budget_option_sets_the_budget_of_players_without_their_own(tmp_path):
    players.save(players.find("material@depth=4"), tmp_path / "own")
    found = [contestant(name, None, "depth=2") for name in (str(tmp_path / "own"), "material", "material@depth=3")]
    assert [player.budget for player in found] == [Budget(depth=2), Budget(depth=2), Budget(depth=3)]
    assert contestant("random", None, "depth=2").budget is None


def test_a_player_of_only_one_game_sets_the_game(run):
    status, out, _ = run("match", "random", "benchmark", "--games", 2)
    assert status == 0 and "random against benchmark" in out


def test_digests_tell_players_apart():
    material = players.find("material")
    weights = [msgspec.structs.replace(material, theta=np.full(3, value, np.float32)) for value in (1, 2)]
    different = [
        material,
        players.find("material", "tictactoe3d"),
        material.with_budget(Budget(depth=3)),
        *weights,
        EnginePlayer(name="engine:x"),
        EnginePlayer(name="engine:x", budget=Budget(depth=3)),
    ]
    digests = [digest(player) for player in different]
    assert len(set(digests)) == len(different)
    assert digests == [digest(player) for player in different]


# Interrupted


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    status, _, _ = done(*SLOW, "--out", folder)
    assert status == 0
    return {name: (folder / name).read_bytes() for name in KEPT}


def contents(folder):
    return {name: (folder / name).read_bytes() for name in KEPT}


def lines(folder):
    path = folder / "journal.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def interrupt(folder, at, number):
    """Runs the slow match until its journal has so many games, then sends the signal."""
    running = ludus(*SLOW, "--out", folder)
    deadline = time.monotonic() + 60
    while lines(folder) <= at and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    running.send_signal(number)
    out, err = running.communicate()
    assert at < lines(folder) < 200
    assert not any((folder / name).exists() for name in KEPT)
    return running.returncode, out, err


def test_a_match_killed_three_times_gives_the_same_files(tmp_path, undisturbed):
    for at in (20, 70, 120):
        assert interrupt(tmp_path, at, signal.SIGKILL)[0] == -signal.SIGKILL
    status, out, err = done(*SLOW, "--out", tmp_path)
    assert (status, err) == (0, "")
    assert "of 200" in out
    assert contents(tmp_path) == undisturbed
    indices = [json.loads(line)["index"] for line in (tmp_path / "journal.jsonl").read_bytes().splitlines()[1:]]
    assert sorted(indices) == list(range(200))  # nothing was played twice


def test_ctrl_c_tells_how_far_it_is_and_the_same_command_goes_on(tmp_path, undisturbed):
    for at in (20, 70, 120):
        status, out, err = interrupt(tmp_path, at, signal.SIGINT)
        assert status == 130
        assert out.startswith("material@nodes=300 against uct@playouts=60: +")
        assert err.startswith("ludus: stopped; ") and err.endswith("the same command continues\n")
        assert err.count("\n") == 1
    assert done(*SLOW, "--out", tmp_path)[0] == 0
    assert contents(tmp_path) == undisturbed


def test_ctrl_c_does_not_wait_for_a_game_that_would_take_days(tmp_path):
    running = ludus("match", "material@seconds=100000", "random", "--concurrency", "2", "--out", tmp_path)
    deadline = time.monotonic() + 60
    while not lines(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(1)  # until the games have begun; earlier there is less to wait for
    running.send_signal(signal.SIGINT)
    _, err = end(running)
    assert running.returncode == 130 and "Traceback" not in err


def test_a_full_disk_loses_nothing(tmp_path, undisturbed):
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))}
    status, out, err = done(*SLOW, "--out", tmp_path, **limit)
    assert (status, out) == (2, "")
    assert err == f"ludus: the games cannot be kept in {tmp_path}: File too large\n"
    assert 0 < lines(tmp_path) < 200
    assert done(*SLOW, "--out", tmp_path)[0] == 0
    assert contents(tmp_path) == undisturbed


def test_a_match_left_three_times_goes_on_where_it_was(tmp_path):
    contestants, config = pair("material@nodes=100", "random"), MatchConfig(games=200)
    whole = finish(contestants, config)
    there = 0
    for more in (10, 51, 90):
        journal = Journal(tmp_path, matches.fingerprint(contestants, config))
        assert len(journal.played()) == there
        with by_chance(more) as executor:
            standings = matches.play(contestants, config, Workers(executor, 2), journal)
            for _ in range(more + 1):  # the first standing is before the first game
                standing = next(standings)
            standings.close()
        journal.close()
        there += more
        assert not standing.finished and standing.score.games <= there
    with by_chance(0) as executor:
        journal = Journal(tmp_path, matches.fingerprint(contestants, config))
        again = finish(contestants, config, Workers(executor, 2), journal)
        assert len(executor.tasks) == 200 - there
    assert timeless(again.played) == timeless(whole.played)
    assert shown(contestants, config, again) == shown(contestants, config, whole)


def test_more_games_continue_a_match_and_fewer_are_its_beginning(tmp_path):
    contestants = pair("material@nodes=100", "random")
    standings = {}
    for count, new in ((20, 20), (40, 20), (30, 0)):
        config = MatchConfig(games=count)
        journal = Journal(tmp_path, matches.fingerprint(contestants, config))
        with newest_first() as executor:
            standings[count] = finish(contestants, config, Workers(executor, 2), journal)
        journal.close()
        assert len(executor.tasks) == new
        assert timeless(standings[count].played) == timeless(finish(contestants, config).played)
    assert standings[30].played == standings[40].played[:30]


def test_a_match_that_is_over_is_not_played_again(run, tmp_path):
    command = ("match", "material@nodes=100", "random", "--games", "10", "--out", tmp_path)
    first, again = run(*command), run(*command)
    assert first == again and first[0] == 0
    assert lines(tmp_path) == 11


# The journal

HEADER = {"players": ["a", "b"], "config": {}}


@pytest.fixture
def journal(tmp_path):
    """The file of a journal with three games."""
    kept = Journal(tmp_path, HEADER)
    for index in range(3):
        kept.add(played(index))
    kept.close()
    return tmp_path / "journal.jsonl"


def reopened(path, header=HEADER):
    kept = Journal(path.parent, header)
    kept.close()
    return kept.played()


def test_a_journal_keeps_what_was_played(journal):
    assert reopened(journal) == [played(0), played(1), played(2)]


def test_a_torn_last_line_is_dropped_wherever_it_is_torn(journal):
    whole = journal.read_bytes()
    last = len(whole.splitlines(keepends=True)[-1])
    for cut in range(1, last + 1):
        journal.write_bytes(whole[:-cut])
        kept = Journal(journal.parent, HEADER)
        assert kept.played() == [played(0), played(1)]
        kept.add(played(2))
        kept.close()
        assert journal.read_bytes() == whole


def test_a_torn_first_line_is_written_again(journal):
    header = journal.read_bytes().splitlines(keepends=True)[0]
    for cut in (0, 1, 10, len(header) - 1):
        journal.write_bytes(header[:cut])
        assert reopened(journal) == []
        assert journal.read_bytes() == header


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_broken_journal_is_refused_and_not_changed(journal, place):
    broken = journal.read_bytes().splitlines(keepends=True)
    broken[place] = broken[place][:10] + b"\n"
    journal.write_bytes(b"".join(broken))
    with pytest.raises(BadJournal, match=rf"line {place + 1} is .*; to keep the good games .* ludus mend"):
        reopened(journal)
    assert journal.read_bytes() == b"".join(broken)


@pytest.mark.parametrize("content", [b"my diary", b"my diary\n", b"[]\n", b"\xff\xfe\n", b"\0" * 2000, b"{}"])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path, content):
    path = tmp_path / "journal.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadJournal):
        reopened(path)
    assert path.read_bytes() == content


def test_a_journal_has_one_writer_at_a_time(journal):
    kept = Journal(journal.parent, HEADER)
    with pytest.raises(BadJournal, match="another process is playing"):
        Journal(journal.parent, HEADER)
    kept.close()
    assert len(reopened(journal)) == 3


def test_a_line_that_the_system_takes_in_pieces_is_whole(tmp_path, monkeypatch):
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, content: write(descriptor, content[:7]))
    kept = Journal(tmp_path, HEADER)
    kept.add(played(0))
    kept.close()
    assert reopened(tmp_path / "journal.jsonl") == [played(0)]


MATCH = ("match", "material@nodes=100", "random", "--games", "4")


@pytest.mark.parametrize(
    "change",
    [
        ["--seed", "1"],
        ["--openings", "ballots2"],
        ["--maxmoves", "50"],
        ["--quietmoves", "20"],
        ["--repetitions", "2"],
    ],
)
def test_the_folder_of_another_match_is_refused(run, tmp_path, change):
    assert run(*MATCH, "--out", tmp_path)[0] == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    status, out, err = run(*MATCH, "--out", tmp_path, *change)
    assert (status, out) == (2, "")
    why = "other players, openings, rules, seed or endgame tables"
    assert err == f"ludus: {tmp_path}/journal.jsonl holds other games: {why}\n"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_that_cannot_be_is_a_sentence(run, tmp_path):
    (tmp_path / "file").write_text("precious")
    for name, reason in (("file", "is no folder: a match needs one"), ("file/below", "Not a directory")):
        status, out, err = run(*MATCH, "--out", tmp_path / name)
        assert (status, out) == (2, "")
        assert err.startswith("ludus: ") and str(tmp_path / name) in err and reason in err
    assert (tmp_path / "file").read_text() == "precious"


# SPRT


def test_sprt_stops_at_the_same_game_in_whatever_order():
    contestants = pair("material@nodes=200", "random")
    config = MatchConfig(games=200, sprt=Sprt(elo0=0, elo1=100))
    # n won pairs are n log(s1 / 0.5), where s1 is the score expected of 100 Elo: more than log 19 from 12 on.
    pairs = math.ceil(math.log(19) / math.log(2 / (1 + 10 ** (-100 / 400))))
    assert pairs == 12
    for executor in (ThreadPoolExecutor(1), ThreadPoolExecutor(2), newest_first(), by_chance(1), by_chance(2)):
        with executor:
            standing = finish(contestants, config, Workers(executor, 3))
        assert standing.verdict is Verdict.H1
        assert standing.score == Score((0, 0, 0, 0, 0, pairs))
        assert [each.index for each in standing.played] == list(range(2 * pairs))


def test_sprt_is_asked_for_on_the_command_line(run, tmp_path):
    command = ("match", "random", "material@nodes=200", "--games", "200", "--sprt", "elo0=0,elo1=100")
    status, out, _ = run(*command, "--out", tmp_path)
    assert status == 0
    assert "SPRT of Elo 0 against 100: LLR -" in out and "accept H0" in out
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["sprt"]["verdict"] == "accept H0" and result["losses"] == result["games"] < 200


@pytest.mark.parametrize("text", ["", "elo0", "elo0=0", "elo0=a,elo1=5", "elo0=5,elo1=0", "elo0=0,elo1=5,gamma=1", "="])
def test_what_is_no_sprt_is_refused(text):
    with pytest.raises(ValueError, match="is no SPRT"):
        read_sprt(text)


# What is shown


@pytest.mark.parametrize("budget", ["depth", "nodes", "play-outs"])
def test_the_games_read_back_with_their_results_and_values(budget):
    one, other, _, openings = BUDGETS[budget]
    contestants, _, standing = match_of(one, other, games=24, openings=openings)
    records = list(pdn.read(io.StringIO("".join(summary.records(contestants, standing)))))
    assert len(records) == 24
    for each, record in zip(standing.played, records, strict=True):
        assert record.outcome == each.outcome(draughts.GAME)
        *_, last = record.positions()
        assert last.text == each.last
        names = (one, other) if each.index % 2 == 0 else (other, one)
        assert (record.tags["Black"], record.tags["White"]) == names
        assert record.tags["Round"] == str(each.index + 1)
        opening = len(record.moves) - len(each.values)
        assert opening == int(openings[-1])
        values = [f"{value:+.4f}/{depth}" for value, depth in zip(each.values, each.depths, strict=True)]
        assert record.comments == {opening + 1 + ply: text for ply, text in enumerate(values)}


def test_a_match_of_tictactoe3d_is_a_line_a_game(run, tmp_path):
    command = ("match", "benchmark", "random", "--game", "tictactoe3d", "--games", "10", "--out", tmp_path)
    status, out, _ = run(*command)
    assert status == 0
    assert out.startswith("benchmark against random: +10 =0 -0 of 10") and "loops" not in out
    result = json.loads((tmp_path / "result.json").read_text())
    assert (result["game"], result["openings"], result["endings"]) == ("tictactoe3d", "random:4", {"four in line": 10})
    game = games.find("tictactoe3d")
    records = list(game.read((tmp_path / "games.txt").read_text().splitlines()))
    assert [record.outcome.winner == game.first for record in records] == [True, False] * 5


ONE_KING, THREE_MEN = "W:WK1:BK32,K31", "W:WK1,K2:B10,11,12"


def test_a_loop_is_a_repetition_with_twelve_pieces_or_fewer():
    twelve = Position("B:W21,22,23,24,25,26:B1,2,3,4,5,6").text
    thirteen = Position("B:W21,22,23,24,25,26,27:B1,2,3,4,5,6").text
    assert played(reason="REPETITION", last=twelve).is_loop(draughts.GAME)
    assert not played(reason="REPETITION", last=thirteen).is_loop(draughts.GAME)
    assert not played(reason="QUIET_MOVES", last=twelve).is_loop(draughts.GAME)
    assert not played(reason="REPETITION", last=twelve).is_loop(tictactoe3d.GAME)


@pytest.mark.parametrize(
    ("last", "side"),
    [
        (ONE_KING, 0),  # Black moves first and has two kings against one
        ("W:WK1:B10", 1),  # a king is worth more than a man
        ("W:WK1,K2:B10,11,12", None),  # and two of them three men
        ("B:W20,21:B10,11,12", 0),
        ("B:WK1:BK2", None),
    ],
)
def test_ahead_is_who_has_more_at_two_a_man_and_three_a_king(last, side):
    assert played(last=last).ahead(draughts.GAME) == side


def test_loops_while_ahead_are_counted_for_the_player_not_the_side():
    contestants, config = pair("material", "random"), MatchConfig(games=6)
    loop = {"reason": "REPETITION"}
    standing = Standing(
        score=Score((0, 0, 3, 0, 0, 0)),
        played=(
            played(0, last=ONE_KING, **loop),  # the first player has Black, who is ahead
            played(1, last=ONE_KING, **loop),  # the second has
            played(2, last="W:WK1:B10", **loop),  # White is: the second
            played(3, last=THREE_MEN, **loop),  # nobody
            played(4, last=ONE_KING, reason="QUIET_MOVES"),  # no loop
            played(5, last=ONE_KING, **loop),  # the second
        ),
        finished=True,
    )
    found = summary.data(contestants, config, standing)
    assert found["loops"] == 5
    assert found["loops_while_ahead"] == [1, 3]
    assert "loops (draws by repetition with 12 pieces or fewer): 5, 1 with material ahead and 3 with random ahead" in (
        summary.text(contestants, config, standing)
    )


def test_work_and_lengths_are_counted_for_the_player_not_the_side():
    contestants, config = pair("material", "random"), MatchConfig(games=2)
    first = played(0, moves="11-15 22-18 15x22", nodes=(10, 3), chosen=(2, 1), seconds=(4.0, 1.0))
    second = played(1, moves="11-15", nodes=(5, 30), chosen=(1, 2), seconds=(1.0, 4.0))
    standing = Standing(score=Score((0, 0, 1, 0, 0, 0)), played=(first, second), finished=True)
    found = summary.data(contestants, config, standing)
    assert found["mean_plies"] == 2
    assert found["nodes_per_move"] == [40 / 4, 8 / 2]
    assert "material: 10 nodes and 2000.000 ms a move" in summary.text(contestants, config, standing)
    assert "random: 4 nodes and 1000.000 ms a move" in summary.text(contestants, config, standing)


def test_nothing_that_is_not_json_stands_in_the_result():
    contestants, config, standing = match_of("material@nodes=200", "random", games=4)
    found = json.loads(json.dumps(summary.data(contestants, config, standing), allow_nan=False))
    assert found["elo"] is None  # four wins and nothing else: no number
    assert found["score"] == 1.0


# Rules


def occurrences(each):
    """How often the last position was there."""
    position, seen = START, [START]
    for text in each.moves.split():
        position = position.play(position.move(text))
        seen.append(position)
    return seen.count(position)


@pytest.mark.parametrize("repetitions", [2, 3, 4])
def test_a_game_is_drawn_when_a_position_comes_often_enough(repetitions):
    rules = Rules(repetitions=repetitions)
    _, _, standing = match_of("material@depth=3", "material@depth=2", games=40, rules=rules)
    drawn = [each for each in standing.played if each.reason == Reason.REPETITION.name]
    assert drawn
    assert {occurrences(each) for each in drawn} == {repetitions}
    assert all(each.winner is None for each in drawn)


@pytest.mark.parametrize("quiet", [4, 16])
def test_a_game_is_drawn_after_enough_quiet_plies(quiet):
    rules = Rules(repetitions=0, quiet_plies=quiet)
    _, _, standing = match_of("material@depth=1", "material@depth=1", games=20, rules=rules)
    drawn = [each for each in standing.played if each.reason == Reason.QUIET_MOVES.name]
    assert drawn
    for each in drawn:
        position, calm = START, 0
        for text in each.moves.split():
            assert calm < quiet
            move = position.move(text)
            is_loud = move.captured or position.pieces()[move.squares[0]].islower()
            calm = 0 if is_loud else calm + 1
            position = position.play(move)
        assert calm == quiet


def test_maxmoves_ends_a_game_after_so_many_moves_of_each_side(run, tmp_path):
    status, out, _ = run(*MATCH, "--maxmoves", "7", "--out", tmp_path)
    assert status == 0
    assert "endings: 4 by length; 14.0 plies a game" in out
    assert [len(record.moves) for record in pdn.read((tmp_path / "games.pdn").open())] == [14] * 4


# Who plays


def test_a_budget_with_the_name_goes_before_the_budget_for_all(run, tmp_path):
    command = ("match", "material@nodes=100", "uct", "--games", "2", "--budget", "playouts=7", "--out", tmp_path)
    assert run(*command)[0] == 0
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["players"] == ["material@nodes=100", "uct"]
    assert result["nodes_per_move"][0] <= 100
    assert result["nodes_per_move"][1] == 7


def test_the_budget_for_all_is_for_those_that_take_one():
    assert contestant("material", None, "depth=3").budget == Budget(depth=3)
    assert contestant("material@depth=5", None, "depth=3").budget == Budget(depth=5)
    assert contestant("random", None, "depth=3").search == Random()
    assert contestant("engine:x", None, "depth=3") == EnginePlayer(name="engine:x", budget=Budget(depth=3))
    assert contestant("engine:x", None, None).budget == Budget(seconds=1.0)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nobody", "random"], "there is no player nobody"),
        (["samuel", "benchmark"], "benchmark plays tictactoe3d, not draughts"),
        (["random", "random", "--games", "3"], "not an even number"),
        (["random", "random", "--openings", "ballots4"], "names no openings"),
        (["uct", "random", "--budget", "depth=3"], "takes a budget of playouts or seconds"),
        (["uct@nodes=3", "random"], "takes a budget of playouts or seconds"),
        (["random", "random", "--budget", "speed=3"], "is not a budget"),
        (["random", "random", "--sprt", "elo0=3"], "is no SPRT"),
        (["engine:", "random"], "names no program"),
        (["engine:x\ny", "random"], "printable"),
        (["engine:x", "random", "--budget", "playouts=3"], "not playouts"),
        (["engine+hub:x", "uct", "--game", "tictactoe3d"], "Hub is a protocol of draughts"),
    ],
)
def test_what_cannot_be_played_is_a_sentence_and_status_2(run, arguments, reason, tmp_path):
    folder = tmp_path / "new"
    status, out, err = run("match", *arguments, "--out", folder)
    assert (status, out) == (2, "")
    assert reason in err and err.count("\n") == 1
    assert not folder.exists()
