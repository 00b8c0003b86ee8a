"""Files of many games: checked, counted, filtered, searched by position, merged, without doubles."""

import json
import subprocess
import sys

import pytest

from ludus.games import draughts, pdn
from ludus.games.record import Record

LUDUS = [sys.executable, "-m", "ludus", "pdn"]


def ludus(*words):
    done = subprocess.run([*LUDUS, *map(str, words)], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def records():
    """Random games between three people."""
    found = []
    for index in range(30):
        moves, outcome = draughts.random_game(1, index)
        people = ("Ann", "Bob", "Cy Ruß")
        tags = {"Event": f"Round {index % 3}", "Black": people[index % 3], "White": people[(index + 1) % 3]}
        found.append(Record(draughts.START, tuple(moves), outcome, tags))
    return found


@pytest.fixture
def file(records, tmp_path):
    path = tmp_path / "games.pdn"
    path.write_text("".join(map(pdn.write, records)), encoding="utf-8")
    return path


def test_check_counts_games_and_names_broken_ones(file):
    assert ludus("check", file) == (0, "30 games can be read, 0 of them after mending; 0 cannot be read\n", "")
    file.write_text(file.read_text(encoding="utf-8") + "1. 11-15 11-16 *\n\n1. 10x14 *\n", encoding="utf-8")
    status, out, err = ludus("check", file)
    assert status == 1 and out == "31 games can be read, 1 of them after mending; 1 cannot be read\n"
    assert err.startswith("mended: 1 time a quiet move written with x\n")
    assert str(file) in err and "'11-16' is not legal" in err
    assert "2 cannot be read" in ludus("check", file, "--strict")[1]
    file.write_text("1. 11-15 *\n", encoding="utf-8")
    assert ludus("check", file)[1] == "1 game can be read, 0 of them after mending; 0 cannot be read\n"


def test_count_is_what_the_records_say(file, records):
    _, out, _ = ludus("count", file, "--json")
    data = json.loads(out)
    assert data["games"] == 30 and data["moves"] == sum(len(record.moves) for record in records)
    assert data["players"] == {"Ann": 20, "Bob": 20, "Cy Ruß": 20}
    wins = [record for record in records if record.outcome.winner == draughts.START.turn]
    assert data["results"]["black"] == len(wins)
    assert json.loads(ludus("count", file, "--event", "round 2", "--json")[1])["games"] == 10


def test_filter_by_player_result_and_length(file, records, tmp_path):
    out = tmp_path / "some.pdn"
    status, said, _ = ludus("filter", file, "--player", "ruß", "--result", "white", "--most-moves", "70", "--out", out)
    found = list(pdn.read(out.read_text(encoding="utf-8").splitlines()))
    wanted = [
        record
        for record in records
        if "Cy Ruß" in (record.tags["Black"], record.tags["White"])
        and record.outcome.winner not in (None, draughts.START.turn)
        and len(record.moves) <= 70
    ]
    assert status == 0 and said == f"{out}: {len(wanted)} games\n"
    assert [record.moves for record in found] == [record.moves for record in wanted]


def test_a_position_is_found_in_the_games_that_have_it(file, records):
    position = list(records[4].positions())[12]
    _, out, _ = ludus("filter", file, "--position", position.text)
    found = [record.moves for record in pdn.read(out.splitlines())]
    assert found == [record.moves for record in records if position in record.positions()]
    assert records[4].moves in found


def test_merge_keeps_each_game_once(file, tmp_path):
    out = tmp_path / "all.pdn"
    assert ludus("merge", file, file, "--out", out)[1] == f"{out}: 60 games\n"
    assert ludus("merge", file, out, "--unique", "--out", tmp_path / "once.pdn")[1].endswith(": 30 games\n")
    before = out.read_bytes()
    status, _, err = ludus("merge", file, "--out", out)
    assert status == 2 and "nothing was changed" in err and out.read_bytes() == before


def test_a_lost_game_is_told_by_every_command(file, tmp_path):
    file.write_text(file.read_text(encoding="utf-8") + "1. 11-15 11-16 *\n", encoding="utf-8")
    for words in (("count",), ("filter",), ("merge",), ("merge", "--unique"), ("merge", "--out", tmp_path / "all.pdn")):
        status, out, err = ludus(words[0], file, *words[1:])
        assert status == 1 and out and "'11-16' is not legal" in err


def test_names_in_latin_1_are_kept(tmp_path):
    old, new = tmp_path / "old.pdn", tmp_path / "new.pdn"
    old.write_bytes('[Black "M\xfcller"]\n[White "Grün"]\n1. 11-15 *\n'.encode().replace(b"M\xc3\xbc", b"M\xfc"))
    assert ludus("merge", old, "--out", new)[0] == 0
    assert "Müller" in new.read_text(encoding="utf-8") and "Grün" in new.read_text(encoding="utf-8")


def test_what_cannot_be_is_one_sentence(file, tmp_path):
    for words, sentence in (
        (
            ("merge", file, tmp_path / "nowhere.pdn", "--out", tmp_path / "x"),
            "nowhere.pdn cannot be read: No such file",
        ),
        (("check", tmp_path / "nowhere.pdn"), "nowhere.pdn cannot be read: No such file or directory"),
        (("count", tmp_path), "cannot be read: Is a directory"),
        (("filter", file, "--result", "lost"), "a result is black, white, draw or unknown, not lost"),
        (("filter", file, "--position", "nonsense"), "is not a position"),
    ):
        status, out, err = ludus(*words)
        assert status == 2 and out == "" and sentence in err and err.count("\n") == 1, err


def test_merge_turns_results_that_give_whites_points_first(tmp_path):
    old, new = tmp_path / "old.pdn", tmp_path / "new.pdn"
    old.write_text('[FEN "W:W18:B14"]\n1. 18x9 1-0\n', encoding="utf-8")
    status, _, err = ludus("check", old)
    assert status == 1 and "ludus pdn merge --white-first" in err
    assert ludus("merge", old, "--white-first", "--out", new)[0] == 0
    assert ludus("check", new)[0] == 0
    assert json.loads(ludus("count", new, "--json")[1])["results"] == {"black": 0, "white": 1, "draw": 0, "unknown": 0}
