"""Endgame tables in matches: thrown wins and saved losses are counted, games adjudicated, and the tables named."""

import json

import msgspec
import pytest

from ludus import endgames, players
from ludus.arena import endings, matches, summary
from ludus.arena.endings import EndingCounts
from ludus.arena.journal import Journal
from ludus.arena.ladder import Ladder
from ludus.arena.matches import MatchConfig
from ludus.arena.task import Rules
from ludus.endgames import NoTable, Result
from ludus.games import Reason, draughts, pdn
from ludus.games.draughts import Position
from ludus.reports import ladder as ladder_page
from ludus.workers import Workers
from matches import finish, match_of, pair, shown

TABLES = endgames.load(4)
TWO_KINGS = "2 kings v king"
SHUFFLE = "32-28 1-5 28-32 5-1"  # of two kings and one, which stay won and lost


def checked(text, moves, *, drawn=False, opening=0, **rules):
    """The endings of the side that moves first, and of the other."""
    position = start = Position(text)
    played = []
    for word in moves.split():
        played.append(position.move(word))
        position = position.play(played[-1])
    return endings.check(start, played, opening, drawn=drawn, rules=Rules(**rules), tables=TABLES).sides


# Counting


def test_a_move_that_gives_a_win_away_is_a_thrown_win_and_saves_the_opponent():
    first, second = checked("W:WK5,K9:BK1", "9-6")
    assert first == {TWO_KINGS: EndingCounts(won=1, thrown=1)}
    assert second == {"king v 2 kings": EndingCounts(saved=1)}


def test_a_win_that_becomes_a_loss_is_thrown_and_won_by_the_other_side():
    first, second = checked("W:WK6,K2:BK1", "2-7")
    assert first == {TWO_KINGS: EndingCounts(won=1, thrown=1)}
    assert second == {"king v 2 kings": EndingCounts(won=1, saved=1)}


def test_a_win_that_is_kept_is_counted_once():
    assert checked("W:WK32,K31:BK1", SHUFFLE) == ({TWO_KINGS: EndingCounts(won=1)}, {})


def test_a_draw_that_is_lost():
    first, second = checked("B:WK3,K4:BK7", "7-10")  # 7-11 takes a king
    assert first == {"king v 2 kings": EndingCounts(lost_draws=1)}
    assert second == {TWO_KINGS: EndingCounts(won=1)}


def test_a_won_game_that_is_drawn_is_a_thrown_win():
    first, second = checked("W:WK32,K31:BK1", f"{SHUFFLE} {SHUFFLE}", drawn=True)
    assert first == {TWO_KINGS: EndingCounts(won=1, thrown=1)}
    assert second == {"king v 2 kings": EndingCounts(saved=1)}


def test_a_win_for_which_no_time_is_left_is_none():
    # It takes 33 plies.
    assert checked("W:WK32,K31:BK1", SHUFFLE, drawn=True, quiet_plies=32) == ({}, {})
    assert checked("W:WK32,K31:BK1", SHUFFLE, drawn=True, plies=32) == ({}, {})
    assert checked("W:WK32,K31:BK1", SHUFFLE, quiet_plies=33)[0] == {TWO_KINGS: EndingCounts(won=1)}
    assert checked("W:WK32,K31:BK1", SHUFFLE, quiet_plies=0)[0] == {TWO_KINGS: EndingCounts(won=1)}


def test_moves_of_the_opening_are_nobodys():
    first, second = checked("W:WK5,K9:BK1", "9-6 1x10", opening=1)
    assert (first, second) == ({}, {})


def test_endings_are_named_as_each_side_sees_them():
    position = Position("B:WK5,K9,22:B1,K3")
    assert endings.name(position, mover=True) == "king and man v 2 kings and man"
    assert endings.name(position, mover=False) == "2 kings and man v king and man"


# Matches


def test_a_player_with_tables_throws_no_win_and_one_without_does():
    contestants, config, standing = match_of("material@depth=2,endgames=4", "material@depth=2", games=40, seed=2)
    with_tables, without = map(endings.summed, standing.endings())
    assert with_tables.won > 0
    assert with_tables.thrown == with_tables.lost_draws == 0
    assert with_tables.saved == without.thrown > 0
    found = summary.data(contestants, config, standing)
    assert found["endgames"] == {"4": TABLES.digest}
    assert (found["thrown_wins"]["pieces"], found["thrown_wins"]["tables"]) == (4, TABLES.digest)
    one, other = found["thrown_wins"]["players"]
    assert one["all"] == {name: getattr(with_tables, name) for name in ("won", "thrown", "lost_draws", "saved")}
    assert other["all"]["thrown"] == without.thrown
    assert json.loads(json.dumps(found)) == found
    text = summary.text(contestants, config, standing)
    assert "endings of at most 4 pieces, by the endgame tables:" in text
    assert [line.split()[0] for line in text.splitlines() if " all " in line] == [each.name for each in contestants]
    ladder = Ladder.of_matches({("with", "without"): standing})
    assert ladder.endings == dict(zip(("with", "without"), standing.endings(), strict=True))
    assert "wins thrown" in ladder_page.text(ladder)
    assert TWO_KINGS in ladder_page.page(ladder, "ludus ladder")


def test_the_tables_that_decide_games_are_named_in_the_record():
    contestants, config, standing = match_of("material@depth=1,endgames=3", "random", games=2, adjudicate=4)
    record = next(iter(pdn.read("".join(summary.records(contestants, standing, config)).splitlines(keepends=True))))
    small = endgames.load(3)
    assert record.tags["Endgames"] == (
        f"material@depth=1,endgames=3: 3 pieces, {small.digest}; adjudication: 4 pieces, {TABLES.digest}"
    )
    found = matches.fingerprint(contestants, config)
    assert found["endgames"] == {"3": small.digest, "4": TABLES.digest}
    assert found["config"]["adjudicate"] == 4


def test_a_match_without_tables_has_the_journal_it_always_had():
    contestants, config, standing = match_of("material@depth=1", "random", games=2, thrown_wins=0)
    assert matches.fingerprint(contestants, config).keys() == {"players", "config"}
    assert matches.fingerprint(contestants, config)["config"].keys() == {"games", "openings", "seed", "rules", "sprt"}
    assert "endings" not in msgspec.json.decode(msgspec.json.encode(standing.played[0]))
    assert "Endgames" not in summary.records(contestants, standing, config)


def test_a_match_is_continued_with_another_count(tmp_path):
    contestants = pair("material@depth=2", "uct@playouts=20")
    config = MatchConfig(games=20, seed=5)
    whole = finish(contestants, config, Workers())
    assert any(whole.endings())
    for first in (0, 3):
        folder = tmp_path / str(first)
        begun = msgspec.structs.replace(config, games=10, thrown_wins=first)
        for step in (begun, config):
            journal = Journal(folder, matches.fingerprint(contestants, step))
            standing = finish(contestants, step, Workers(), journal)
            journal.close()
        assert shown(contestants, config, standing) == shown(contestants, config, whole)


def test_games_are_adjudicated_by_the_table():
    contestants, config, standing = match_of("material@depth=1", "material@depth=2", games=40, adjudicate=4)
    reasons = [played.reason for played in standing.played]
    assert reasons.count("ADJUDICATION") > 5
    for played in standing.played:
        last = Position(played.last)
        if played.reason == "ADJUDICATION":
            assert len(last.pieces()) <= 4 and not any(move.captured for move in last.moves())
            turn = int(last.turn != draughts.START.turn)
            winner = {Result.WIN: turn, Result.DRAW: None, Result.LOSS: 1 - turn}[TABLES.verdict(last).result]
            assert played.winner == winner
    assert all(counts.thrown == 0 for each in standing.endings() for counts in each.values())
    played_out = finish(contestants, msgspec.structs.replace(config, adjudicate=0), Workers())
    for short, whole in zip(standing.played, played_out.played, strict=True):
        assert whole.moves.startswith(short.moves)


@pytest.mark.parametrize(
    ("text", "winner"),
    [("W:WK32,K31:BK1", 1), ("B:WK32,K31:BK1", 1), ("W:WK32:BK1", None)],
)
def test_games_with_engines_are_adjudicated_in_the_same_way(text, winner):
    outcome = endings.adjudicated(Position(text), 4)
    assert outcome.reason is Reason.ADJUDICATION
    assert outcome.winner == (None if winner is None else ~draughts.START.turn)
    assert endings.adjudicated(Position(text), 0) is None
    assert endings.adjudicated(Position("W:WK32,K14:BK10"), 4) is None  # a capture is compulsory
    assert endings.adjudicated(draughts.START, 4) is None


def test_tables_that_are_not_there_are_refused_before_a_game(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDUS_ENDGAMES", str(tmp_path))
    contestants = pair("random", "random")
    for config in (MatchConfig(thrown_wins=6), MatchConfig(adjudicate=6)):
        with pytest.raises(NoTable, match="build it with: ludus endgame build --pieces 6"):
            matches.tasks(contestants, config)


def test_the_other_game_has_no_tables():
    contestants = players.find("benchmark"), players.find("random", "tictactoe3d")
    assert matches.tasks(contestants, MatchConfig(openings="random:4"))[0].thrown_wins == 0
    with pytest.raises(ValueError, match="no endgame tables of tictactoe3d"):
        matches.tasks(contestants, MatchConfig(openings="random:4", adjudicate=4))


# The commands


def test_the_options_of_a_match(run, tmp_path):
    command = ("match", "material@depth=2", "material@depth=2,endgames=0", "--games", 20, "--out", tmp_path)
    status, out, err = run(*command, "--endgames", 4, "--adjudicate", 3)
    assert (status, err) == (0, "")
    assert "endings of at most 4 pieces" in out and "by adjudication" in out
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["endgames"].keys() == {"3", "4"}  # the first player's, and those of the adjudication
    assert run(*command, "--endgames", 4)[0] == 2  # it is another match


def test_a_command_without_its_tables_says_how_to_build_them(run, monkeypatch, tmp_path):
    monkeypatch.setenv("LUDUS_ENDGAMES", str(tmp_path))
    for command in (("play", "--endgames", 6), ("analyse", "start", "--endgames", 6), ("hub", "--endgames", 6)):
        status, _, err = run(*command)
        assert status == 2
        assert err.count("\n") == 1
        assert "ludus endgame build --pieces 6" in err
    status, _, err = run("analyse", "start", "--with", "uct", "--endgames", 4)
    assert (status, err) == (2, "ludus: uct does not use endgame tables, only alphabeta and pvs do\n")
    status, _, err = run("match", "material@endgames=6", "random")
    assert status == 2 and "ludus endgame build --pieces 6" in err
