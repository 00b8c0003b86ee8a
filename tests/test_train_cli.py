"""The commands of learning: options made from a config, and sentences for what goes wrong."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludus.learning import registry
from ludus.runs import Run
from test_runs import MAIN


@pytest.fixture(autouse=True)
def kinds(monkeypatch, tmp_path):
    monkeypatch.setitem(registry.KINDS, "counting", "counting:Counting")
    monkeypatch.chdir(tmp_path)


def test_the_options_are_the_fields(run):
    status, out, _ = run("train", "counting", "--help")
    assert status == 0
    for word in (
        "--steps",
        "--noisy",
        "--no-noisy",
        "How many. [default: 20]",
        "--way",
        "--preset",
        "--out",
        "--cluster",
    ):
        assert word in out
    assert "counting" in run("train", "--help")[1]


def test_what_is_typed_is_what_is_learned(run):
    typed = ["--preset", "short", "--no-noisy", "--way", "down", "--sizes", "7,8", "--word", "x", "--seed", "3"]
    status, out, _ = run("train", "counting", *typed)
    assert status == 0 and "the player: runs/counting-down/player.safetensors" in out
    learner = Run.open(Path("runs/counting-down")).learner
    assert (learner.steps, learner.noisy, learner.way, learner.sizes) == (3, False, "down", (7, 8))
    assert (learner.word, learner.seed) == ("x", 3)
    assert run("train", "counting", "--config", "runs/counting-down/config.toml", "--steps", 4)[0] == 0
    assert Run.open(Path("runs/counting-down-2")).learner.steps == 4
    listed = run("runs")[1].splitlines()
    assert listed[0].split("\t") == ["run", "kind", "state", "done", "total", "unit", "result", "date"]
    assert len(listed) == 3 and listed[1].split("\t")[1:6] == ["counting", "finished", "3", "3", "steps"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["counting", "--steps", "0"], "Invalid value for '--steps'"),
        (["counting", "--steps", "x"], "Invalid value for '--steps'"),
        (["counting", "--way", "left"], "'left' is not one of 'down', 'up'"),
        (["counting", "--sizes", "a"], "sizes[0]: expected int, got str"),
        (["counting", "--word", "impossible"], "this cannot be learned"),
        (["counting", "--config", "nothing.toml"], "nothing.toml cannot be read"),
        (["cooking"], "No such command 'cooking'"),
        (["--resume", "nothing"], "nothing is no run: it has no config.toml"),
    ],
)
def test_bad_input_is_a_sentence_and_status_2(run, arguments, reason):
    status, _, err = run("train", *arguments)
    assert status == 2 and reason in err.splitlines()[-1] and "Traceback" not in err
    assert not Path("runs/counting-up").exists()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_says_how_to_go_on(run, how):
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", MAIN, "train", "counting", "--pause", "0.05", "--steps", "60", "--out", "r"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    while not Path("r/progress.jsonl").exists() or not Path("r/progress.jsonl").stat().st_size:
        time.sleep(0.01)
    process.send_signal(how)
    said = process.communicate(timeout=20)[1]
    assert (
        process.returncode == (130 if how == signal.SIGINT else 143)
        and "ludus: stopped; continue with: ludus train --resume r" in said
    )
    assert Run.open(Path("r")).status().done >= 2
    assert "stopped" in run("runs", "r")[1]
