"""SIGTERM is a polite stop from the first line of a command to its last, and engines never stay behind."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

FAKE = Path(__file__).parent / "fake_engines"


def started(*words, **options):
    command = [sys.executable, "-m", "ludus", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def wait_for(condition, seconds=60.0):
    stop = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < stop
        time.sleep(0.02)


def test_a_match_stops_at_sigterm_and_goes_on(tmp_path):
    words = ("match", "material@nodes=2000", "random", "--games", 2000, "--out", tmp_path)
    journal = tmp_path / "journal.jsonl"
    running = started(*words)
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 3)
    running.terminate()
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 143 and "Traceback" not in errors
    assert "ludus: stopped;" in errors and "the same command continues" in errors


@pytest.mark.parametrize("pause", [0.0, 0.03, 0.1, 0.2, 0.4, 0.8])
def test_sigterm_at_any_moment_leaves_no_traceback(pause):
    running = started("bench")
    time.sleep(pause)
    running.terminate()
    _, errors = running.communicate(timeout=60)
    # Before the first line of the program Python itself is ended, without a sentence.
    assert (running.returncode, errors) in [(-signal.SIGTERM, ""), (143, "ludus: stopped\n")]


def test_sigterm_during_an_import_waits_for_its_end(tmp_path):
    # What is raised in __set_name__ becomes a RuntimeError before Python 3.12.
    (tmp_path / "slow.py").write_text(
        "import os, signal\n"
        "class Name:\n"
        "    def __set_name__(self, *_):\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "class Owner:\n"
        "    name = Name()\n"
        "print('loaded', flush=True)\n"
    )
    program = "import time; from ludus import signals; signals.install()\ntry:\n    import slow; time.sleep(60)\n"
    program += "except KeyboardInterrupt:\n    signals.exit_stopped()"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (143, "loaded\n", "ludus: stopped\n")


@pytest.mark.parametrize(("sent", "status"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_signal_while_an_object_is_cleared_away_is_not_lost(sent, status):
    program = (
        "import os, signal, time\n"
        "from ludus import signals\n"
        "class Last:\n"
        "    def __del__(self):\n"
        f"        os.kill(os.getpid(), signal.{sent})\n"
        "        time.sleep(0)\n"
        "signals.install()\n"
        "try:\n"
        "    Last()\n"
        "    time.sleep(60)\n"
        "except KeyboardInterrupt:\n"
        "    signals.exit_stopped()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stderr) == (status, "ludus: stopped\n")


def test_commands_leave_no_thread_and_no_open_file(run):
    def left():
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()

    run("perft", 1)
    before = left()
    for _ in range(20):
        assert run("perft", 1)[0] == 0
    wait_for(lambda: left() <= before)  # a thread needs a moment to end


def test_a_long_calculation_of_the_core_is_ended_too():
    running = started("perft", 40)
    time.sleep(2)
    running.terminate()
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 143 and errors == "ludus: stopped\n"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_an_engine_ends_with_ludus_whatever_ends_it(tmp_path, how):
    said = tmp_path / "pids.json"
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import json, os, subprocess, sys, time\n"
        "child = subprocess.Popen(['sleep', '1000'])\n"
        f"open({str(said)!r}, 'w').write(json.dumps([os.getpid(), child.pid]))\n"
        "while True: time.sleep(1000)\n"
    )
    running = started("match", f"engine+hub:{sys.executable} {engine}", "random", "--games", 2)
    wait_for(lambda: said.exists() and said.read_text())
    running.send_signal(how)
    running.communicate(timeout=60)
    wait_for(lambda: not any(map(is_alive, json.loads(said.read_text()))), 10)


def is_alive(pid):
    """Whether a process runs; one that has ended and waits to be asked for its status does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        if Path("/proc/self").exists():
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
