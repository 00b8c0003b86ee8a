"""Outside engines in a match: a bad one forfeits its games with a reason in the record, and the match goes on."""

import json
import signal
import sys
import time

import pytest

from ludus.games import Color, Reason, pdn
from matches import end, ludus
from test_engines import Lock, fake


@pytest.fixture
def lock(tmp_path):
    lock = Lock(tmp_path / "lock")
    yield lock
    assert lock.is_soon_free(), "a process was left behind"


@pytest.fixture
def played(run, tmp_path):
    """Plays an engine against material: what is said, the result and the games."""

    def played(engine, games, *arguments):
        folder = tmp_path / "match"
        command = ("match", engine, "material@nodes=100", "--games", games, "--out", folder)
        status, out, err = run(*command, *arguments)
        assert (status, err) == (0, "")
        with (folder / "games.pdn").open() as file:
            return out, json.loads((folder / "result.json").read_text()), list(pdn.read(file))

    return played


@pytest.mark.parametrize(
    ("name", "games", "moves", "reason"),
    [
        ("crashes_on_move_10", 6, 9, "crashed: exit status 3; its error output: out of ideas"),
        ("never_answers", 2, 0, "did not move within 2.05 s"),
        ("plays_illegal_moves", 6, 0, "played an illegal move: "),
        ("closes_its_output", 2, 0, "closed its output"),
    ],
)
def test_a_bad_engine_forfeits_and_the_match_goes_on(played, lock, name, games, moves, reason):
    engine = fake(name, lock)
    out, result, records = played(engine, games, "--budget", "seconds=0.05", "--concurrency", "2")
    assert (result["losses"], result["endings"]) == (games, {"forfeit": games})
    assert f"endings: {games} by forfeit" in out
    for number, record in enumerate(records, 1):
        ours = Color.WHITE if number % 2 else Color.BLACK
        assert (record.outcome.winner, record.outcome.reason) == (ours, Reason.FORFEIT)
        assert record.tags["Forfeit"].startswith(f"{engine} {reason}")
        assert f"game {number}: {record.tags['Forfeit']}" in out.splitlines()
        # After an opening of three plies White moves, who is ours in every first game of a pair.
        assert len(record.moves) - 3 == 2 * moves + number % 2


def test_a_program_that_is_not_there_is_bad_input_and_no_game_is_played(run, tmp_path):
    status, out, err = run("match", "engine:/no/such/program", "random", "--games", "2", "--out", tmp_path / "match")
    assert (status, out) == (2, "")
    assert err == "ludus: engine:/no/such/program cannot start /no/such/program: No such file or directory\n"
    assert not (tmp_path / "match").exists()


def test_an_engine_that_refuses_the_budget_does_not_play_by_another(played):
    uct = f"engine+hub:{sys.executable} -c 'from ludus.cli import main; main()' hub --with uct"
    _, result, records = played(uct, 2, "--budget", "depth=3")
    assert result["endings"] == {"forfeit": 2}
    assert "rejected a command; its error: uct has no depth" in records[0].tags["Forfeit"]


def test_a_good_engine_is_recorded_with_its_values(played, lock, tmp_path):
    engine = fake("speaks_lines", lock, str(tmp_path / "told"), prefix="engine+line")
    _, result, records = played(engine, 2, "--budget", "nodes=50", "--concurrency", "1")
    assert "forfeit" not in result["endings"]
    assert result["nodes_per_move"][0] == 1234
    for number, record in enumerate(records):
        assert record.tags[("Black", "White")[number]] == engine
        own = {text for ply, text in record.comments.items() if ply % 2 != number}  # plies are counted from 1
        assert own == {"+0.2500/7"}
    assert "go nodes 50" in (tmp_path / "told").read_text().splitlines()


def test_ctrl_c_ends_an_engine_that_thinks(lock, tmp_path):
    engine = fake("never_answers", lock)
    running = ludus("match", engine, "random", "--budget", "depth=3", "--out", tmp_path / "match")
    deadline = time.monotonic() + 60
    while lock.is_free() and time.monotonic() < deadline:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, err = end(running)
    assert running.returncode == 130 and "Traceback" not in err
    assert lock.is_soon_free()
