"""The checker of engines names what an engine does wrong, and nothing else."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from ludus.protocols import check
from ludus.protocols.conversation import Limits

FAKE = Path(__file__).parent / "fake_engines" / "has_a_fault.py"
QUICK = Limits(hello=60, move=0.02, grace=20, work=60, prompt=20, pause=0.1)


def command(tmp_path, fault, protocol):
    lock = tmp_path / "lock"
    lock.touch()
    return shlex.join([sys.executable, str(FAKE), str(lock), fault, protocol])


def failures(tmp_path, fault, protocol, limits=QUICK):
    found = list(check.findings(command(tmp_path, fault, protocol), protocol, limits))
    return {finding.check: finding.failure for finding in found if not finding.passed}


@pytest.mark.parametrize("protocol", ["hub", "line"])
def test_a_good_engine_passes_every_check(tmp_path, protocol):
    assert failures(tmp_path, "none", protocol) == {}


@pytest.mark.parametrize(
    ("protocol", "fault", "name", "reason"),
    [
        ("hub", "nameless", "answers hub with wait", "did not say its name"),
        ("hub", "numbers", "writes values, counts and lines that can be read", "depth=deep, which is not a number"),
        ("hub", "pv", "writes values, counts and lines that can be read", "a pv that cannot be played"),
        ("hub", "strange", "writes nothing outside the protocol", "the first: la la la"),
        ("hub", "crashes", "survives commands that it does not know", "exit status 4"),
        ("line", "chatters", "writes nothing when it is not asked for a move", "info a new game"),
        ("line", "value", "writes values, counts and lines that can be read", "from -1 to 1"),
    ],
)
def test_a_fault_is_named(tmp_path, protocol, fault, name, reason):
    found = failures(tmp_path, fault, protocol)
    assert list(found) == [name]
    assert reason in found[name]


def test_a_second_answer_is_named(tmp_path):
    assert "answered again: bestmove" in failures(tmp_path, "twice", "line")["answers go once"]


def test_illegal_moves_are_named_where_they_happen(tmp_path):
    found = failures(tmp_path, "illegal", "line")
    assert "plays a legal move as White" in found
    assert "plays a legal move in the start position" not in found
    assert "illegal move: '1-32' is not legal" in found["plays a legal move as White"]


@pytest.mark.parametrize(
    ("protocol", "fault", "name"),
    [
        ("hub", "pingless", "answers ping with pong"),
        ("hub", "unstoppable", "answers stop with done, in analysis"),
        ("line", "stays", "ends after quit"),
        ("line", "deaf", "ends after quit"),
        ("hub", "deaf", "ends after quit"),
        ("line", "lingers", "ends at the end of its input"),
    ],
)
def test_what_never_comes_is_not_waited_for(tmp_path, protocol, fault, name):
    found = failures(tmp_path, fault, protocol, QUICK._replace(prompt=1.0))
    assert name in found


def test_a_limit_that_is_ignored_is_named(tmp_path):
    assert "accepts a limit of depth" in failures(tmp_path, "depth", "line", QUICK._replace(work=1.0))


def test_a_slow_engine_is_told_how_slow_it_is(tmp_path):
    found = failures(tmp_path, "slow", "line", QUICK._replace(grace=0.1))
    assert list(found) == ["keeps to 0.02 s a move"]
    assert "with 0.02 s to think" in found["keeps to 0.02 s a move"]


def test_an_engine_that_is_not_ready_gets_no_further_checks(tmp_path):
    found = list(check.findings(command(tmp_path, "none", "line"), "hub", QUICK._replace(hello=1.0)))
    assert [finding.check for finding in found] == ["starts", "answers hub with wait"]
    assert found[-1].failure == "did not answer hub with wait within 1 s"


@pytest.mark.parametrize(("protocol", "word"), [("hub", "done"), ("line", "bestmove")])
def test_an_answer_without_a_move_is_named(tmp_path, protocol, word):
    found = list(check.findings(command(tmp_path, "wordless", protocol), protocol, QUICK._replace(hello=2.0)))
    assert found[-1].check == "answers go with a move"
    assert found[-1].failure == f"answered {word} without a move"


def test_an_engine_of_the_other_game_can_be_checked(tmp_path):
    fake = FAKE.with_name("plays_tictactoe3d.py")
    (tmp_path / "lock").touch()
    engine = shlex.join([sys.executable, str(fake), str(tmp_path / "lock"), str(tmp_path / "told")])
    found = list(check.findings(engine, None, QUICK, "tictactoe3d"))
    assert [finding.check for finding in found if not finding.passed] == []
    assert "plays a legal move where three columns are left" in [finding.check for finding in found]
    assert "game tictactoe3d\n" in (tmp_path / "told").read_text()
    with pytest.raises(ValueError, match="Hub is a protocol of draughts"):
        next(check.findings(engine, "hub", QUICK, "tictactoe3d"))


@pytest.mark.parametrize("protocol", ["hub", "line"])
def test_an_engine_that_never_moves_gets_no_further_checks(tmp_path, protocol):
    found = list(check.findings(command(tmp_path, "mute", protocol), protocol, QUICK._replace(hello=1.0)))
    assert found[-1].check == "answers go with a move"
    assert found[-1].failure == "did not move within 1 s"


def test_the_command_prints_a_line_a_check(run, tmp_path):
    status, out, _ = run("engines", "check", command(tmp_path, "value", "line"), "--seconds", "0.02", "--grace", "20")
    lines = out.splitlines()
    assert status == 1
    assert lines[:2] == ["ok    speaks Hub or the line protocol (line)", "ok    starts"]
    assert "FAIL  writes values, counts and lines that can be read: wrote value=7: a value is from -1 to 1" in lines
    # On a loaded machine the engine may also end too late.
    assert re.fullmatch(rf"{len(lines) - 1} checks, [1-3] failed", lines[-1])


def test_the_command_has_json_for_programs(run, tmp_path):
    status, out, _ = run("engines", "check", "engine+line:no-such-program", "--json")
    assert status == 1
    (found,) = json.loads(out)["checks"]
    assert found["check"] == "starts" and found["failure"].startswith("cannot start no-such-program")


def test_a_program_that_never_answers_fails_the_first_check():
    (found,) = check.findings(f"{sys.executable} -c 'import time; time.sleep(60)'", None, QUICK._replace(hello=1.5))
    assert (found.check, found.passed) == ("speaks Hub or the line protocol", False)
    assert found.failure == "answered neither hub nor go within 1.5 s"


@pytest.mark.parametrize("words", [("engines", "check", ""), ("engines", "check", "'x")])
def test_what_is_no_command_gets_a_sentence(run, words):
    status, _, err = run(*words)
    assert status == 2
    assert err.startswith("ludus: ")
    assert err.count("\n") == 1


def test_the_protocol_can_be_named(run):
    status, out, _ = run("engines", "check", "true", "--protocol", "hub")
    assert status == 1
    assert out.splitlines()[:1] == ["ok    starts"]
