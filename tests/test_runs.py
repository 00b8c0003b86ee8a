"""Runs: killed at any instant they end with the same bytes; what is broken is a sentence."""

import errno
import os
from pathlib import Path

import pytest

from counting import Counting
from kills import killed_and_resumed
from ludus import players, runs
from ludus.learning import options, registry
from ludus.players import BadPlayer
from ludus.runs import BadRun, Run, RunState, folder, session
from ludus.workers import Workers

MAIN = "from ludus.learning import registry; registry.KINDS['counting'] = 'counting:Counting'\n"
MAIN += "from ludus.cli import main; main()"


@pytest.fixture(autouse=True)
def kinds(monkeypatch):
    monkeypatch.setitem(registry.KINDS, "counting", "counting:Counting")


def train(run, warn=lambda _: None, stop=None):
    with Workers.open(1) as workers:
        training = run.train(workers, warn)
        for progress in training:
            if progress.done == stop:
                training.close()
                break


def result(folder):
    """All that must be the same; the config says when and where."""
    names = ["progress.jsonl", "player.safetensors", *(f"players/{p.name}" for p in (folder / "players").iterdir())]
    return {name: (folder / name).read_bytes() for name in names}


@pytest.fixture
def uninterrupted(tmp_path):
    run = Run.create(tmp_path / "uninterrupted", Counting(), "ludus train counting")
    train(run)
    return result(run.folder)


def stopped(folder, monkeypatch):
    """A run at 12 of 20 with two checkpoints."""
    monkeypatch.setattr(session, "CHECKPOINT_SECONDS", 0.0)
    run = Run.create(folder, Counting(), "ludus train counting")
    train(run, stop=12)
    return run


def test_a_run_that_is_stopped_ends_the_same(tmp_path, monkeypatch, uninterrupted):
    run = stopped(tmp_path / "r", monkeypatch)
    status = Run.open(run.folder).status()
    assert (status.state, status.done, status.total) == (RunState.STOPPED, 12, 20)
    assert [path.name for path in folder.checkpoints(run.folder)] == ["00000012.safetensors", "00000011.safetensors"]
    train(Run.open(run.folder))
    assert result(run.folder) == uninterrupted
    assert Run.open(run.folder).status().state == RunState.FINISHED


def test_killed_at_ten_instants_it_ends_the_same(tmp_path):
    same = Run.create(tmp_path / "same", Counting(steps=150, pause=0.01), "")
    train(same)
    arguments = ["counting", "--steps", "150", "--pause", "0.01"]
    assert killed_and_resumed(MAIN, arguments, tmp_path / "killed", seed=1, within=0.1) >= 5
    assert result(tmp_path / "killed") == result(same.folder)


@pytest.mark.parametrize("spoil", [lambda b: b[:-7], lambda b: b[:-1] + bytes([b[-1] ^ 1]), lambda b: b[:99]])
def test_a_spoilt_checkpoint_is_named_and_the_one_before_is_used(tmp_path, monkeypatch, uninterrupted, spoil):
    run = stopped(tmp_path / "r", monkeypatch)
    newest = folder.checkpoints(run.folder)[0]
    newest.write_bytes(spoil(newest.read_bytes()))
    said = []
    train(run, said.append)
    assert len(said) == 1 and str(newest) in said[0] and "going on from 00000011" in said[0]
    assert result(run.folder) == uninterrupted


def test_when_all_checkpoints_are_spoilt_it_says_so(tmp_path, monkeypatch):
    run = stopped(tmp_path / "r", monkeypatch)
    for path in folder.checkpoints(run.folder):
        path.write_bytes(b"x")
    with pytest.raises(BadRun, match="has no good checkpoint"):
        train(run)
    assert run.status().state == RunState.BROKEN


def test_a_full_disk_names_the_last_good_checkpoint(tmp_path, monkeypatch, uninterrupted):
    run = stopped(tmp_path / "r", monkeypatch)

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as context:
        context.setattr(os, "write", full)
        with pytest.raises(BadRun, match=r"No space left on device; the last good .*, at 1\d of 20 steps"):
            train(run)
    train(run)
    assert result(run.folder) == uninterrupted


def test_a_read_only_folder_names_the_last_good_checkpoint(tmp_path, monkeypatch):
    run = stopped(tmp_path / "r", monkeypatch)

    def refuse(*_):  # root may write anywhere, so the error is simulated
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(folder, "lock", refuse)
    with pytest.raises(
        BadRun, match=r"Read-only file system; the last good checkpoint is .*12.safetensors, at 12 of 20"
    ):
        train(run)


def test_two_processes_cannot_run_it(tmp_path):
    run = Run.create(tmp_path / "r", Counting(), "")
    with Workers.open(1) as workers:
        training = run.train(workers)
        next(training)
        assert run.status().state == RunState.RUNNING
        with pytest.raises(BadRun, match="another process is running"):
            train(Run.open(run.folder))
        training.close()


def test_a_folder_holds_one_run(tmp_path):
    Run.create(tmp_path / "r", Counting(), "")
    with pytest.raises(BadRun, match="holds a run already: ludus train --resume"):
        Run.create(tmp_path / "r", Counting(), "")


def test_a_folder_where_a_run_could_not_even_begin_is_free(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as context:
        context.setattr(runs.run, "write_atomically", full)
        with pytest.raises(BadRun, match=r"cannot be kept in .*: No space left on device"):
            Run.create(tmp_path / "r", Counting(), "")
    train(Run.create(tmp_path / "r", Counting(steps=3), ""))
    assert Run.open(tmp_path / "r").status().state == RunState.FINISHED


def test_the_record_of_a_run_without_its_config_is_not_overwritten(tmp_path, uninterrupted):
    folder = tmp_path / "uninterrupted"
    (folder / "config.toml").unlink()
    with pytest.raises(BadRun, match="holds a run already"):
        Run.create(folder, Counting(), "")


def test_a_line_of_times_that_was_cut_short_is_dropped(tmp_path, monkeypatch, uninterrupted):
    run = stopped(tmp_path / "r", monkeypatch)
    with (run.folder / "times.jsonl").open("ab") as file:
        file.write(b'{"done":13,"sec')
    train(run)
    assert result(run.folder) == uninterrupted
    assert [line["done"] for line in run.times() if line.get("resumed")] == [12]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("steps = 20", "steps = 30", "has been changed since the run began"),
        ("steps = 20", "steps = 0", "steps: expected int >= 1"),
        ('kind = "counting"', 'kind = "cooking"', "there is no learner 'cooking'"),
        ("steps = 20", "steps = ", "is no config of a run, or a broken one"),
        ("steps = 20", "paces = 20", "unknown field paces"),
    ],
)
def test_an_edited_config_is_a_sentence(tmp_path, monkeypatch, old, new, reason):
    run = stopped(tmp_path / "r", monkeypatch)
    path = run.folder / "config.toml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(BadRun, match=reason):
        train(Run.open(run.folder))


def test_the_players_of_a_run_are_found_by_its_folder(tmp_path, uninterrupted):
    folder = tmp_path / "uninterrupted"
    assert players.find(str(folder)).name == "uninterrupted"
    assert players.find(f"{folder}@10").name == "uninterrupted@10"
    assert players.find(f"{folder}@000010").theta.tobytes() == players.find(f"{folder}@10").theta.tobytes()
    assert players.find(str(folder)).made.command == "ludus train counting"
    with pytest.raises(BadPlayer, match="has no player 11"):
        players.find(f"{folder}@11")
    assert players.is_named(f"{folder}@10") and not players.is_named(str(tmp_path / "nobody@10"))


def test_the_command_of_a_learner_has_the_options_that_differ_from_their_defaults():
    learner = Counting(steps=5, noisy=False, sizes=(4,), word="a b")
    assert options.command(learner) == "ludus train counting --steps 5 --no-noisy --sizes 4 --word 'a b'"
    assert runs.find(Path("/nowhere")) == []


@pytest.mark.parametrize("name", ["checkpoints", "players", "data", "now.safetensors"])
def test_a_run_that_has_written_something_is_not_discarded(tmp_path, name):
    run = Run.create(tmp_path / "r", Counting(), "ludus train counting")
    (run.folder / name).touch()
    run.discard()
    assert Run.open(run.folder).status().state == RunState.STOPPED
    (run.folder / name).unlink()
    run.discard()
    assert not run.folder.exists()
