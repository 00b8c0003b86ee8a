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
from ludus.runs import BadRun, Condition, Run, session
from ludus.workers import Workers

MAIN = "from ludus.learning import registry; registry.KINDS['counting'] = 'counting:Counting'\n"
MAIN += "from ludus.cli import main; main()"


@pytest.fixture(autouse=True)
def kinds(monkeypatch):
    monkeypatch.setitem(registry.KINDS, "counting", "counting:Counting")


def follow(run, warn=lambda _: None, stop=None):
    with Workers.open(1) as workers:
        following = run.follow(workers, warn)
        for progress in following:
            if progress.done == stop:
                following.close()
                break


def result(folder):
    """All that must be the same; the config says when and where."""
    names = ["progress.jsonl", "player.safetensors", *(f"players/{p.name}" for p in (folder / "players").iterdir())]
    return {name: (folder / name).read_bytes() for name in names}


@pytest.fixture
def undisturbed(tmp_path):
    run = Run.create(tmp_path / "undisturbed", Counting(), "ludus train counting")
    follow(run)
    return result(run.folder)


def stopped(folder, monkeypatch):
    """A run at 12 of 20 with two checkpoints."""
    monkeypatch.setattr(session, "BETWEEN", 0.0)
    run = Run.create(folder, Counting(), "ludus train counting")
    follow(run, stop=12)
    return run


def test_a_run_that_is_stopped_ends_the_same(tmp_path, monkeypatch, undisturbed):
    run = stopped(tmp_path / "r", monkeypatch)
    status = Run.open(run.folder).status()
    assert (status.condition, status.done, status.total) == (Condition.STOPPED, 12, 20)
    assert [path.name for path in session.saved(run.folder)] == ["00000012.safetensors", "00000011.safetensors"]
    follow(Run.open(run.folder))
    assert result(run.folder) == undisturbed
    assert Run.open(run.folder).status().condition == Condition.FINISHED


def test_killed_at_ten_instants_it_ends_the_same(tmp_path):
    same = Run.create(tmp_path / "same", Counting(steps=150, pause=0.01), "")
    follow(same)
    arguments = ["counting", "--steps", "150", "--pause", "0.01"]
    assert killed_and_resumed(MAIN, arguments, tmp_path / "killed", seed=1, within=0.1) >= 5
    assert result(tmp_path / "killed") == result(same.folder)


@pytest.mark.parametrize("spoil", [lambda b: b[:-7], lambda b: b[:-1] + bytes([b[-1] ^ 1]), lambda b: b[:99]])
def test_a_spoilt_checkpoint_is_named_and_the_one_before_is_used(tmp_path, monkeypatch, undisturbed, spoil):
    run = stopped(tmp_path / "r", monkeypatch)
    newest = session.saved(run.folder)[0]
    newest.write_bytes(spoil(newest.read_bytes()))
    said = []
    follow(run, said.append)
    assert len(said) == 1 and str(newest) in said[0] and "going on from 00000011" in said[0]
    assert result(run.folder) == undisturbed


def test_when_all_checkpoints_are_spoilt_it_says_so(tmp_path, monkeypatch):
    run = stopped(tmp_path / "r", monkeypatch)
    for path in session.saved(run.folder):
        path.write_bytes(b"x")
    with pytest.raises(BadRun, match="has no good checkpoint"):
        follow(run)
    assert run.status().condition == Condition.BROKEN


def test_a_full_disk_names_the_last_good_checkpoint(tmp_path, monkeypatch, undisturbed):
    run = stopped(tmp_path / "r", monkeypatch)

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as context:
        context.setattr(os, "write", full)
        with pytest.raises(BadRun, match=r"No space left on device; the last good .*, at 1\d of 20 steps"):
            follow(run)
    follow(run)
    assert result(run.folder) == undisturbed


def test_a_read_only_folder_names_the_last_good_checkpoint(tmp_path, monkeypatch):
    run = stopped(tmp_path / "r", monkeypatch)

    def refuse(*_):  # whoever is root may write anywhere, so the refusal is made up
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(session, "_lock", refuse)
    with pytest.raises(
        BadRun, match=r"Read-only file system; the last good checkpoint is .*12.safetensors, at 12 of 20"
    ):
        follow(run)


def test_nobody_runs_it_twice(tmp_path):
    run = Run.create(tmp_path / "r", Counting(), "")
    with Workers.open(1) as workers:
        following = run.follow(workers)
        next(following)
        assert run.status().condition == Condition.RUNNING
        with pytest.raises(BadRun, match="somebody else is running"):
            follow(Run.open(run.folder))
        following.close()


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
    follow(Run.create(tmp_path / "r", Counting(steps=3), ""))
    assert Run.open(tmp_path / "r").status().condition == Condition.FINISHED


def test_the_record_of_a_run_that_lost_its_config_is_nobodys_to_write_over(tmp_path, undisturbed):
    folder = tmp_path / "undisturbed"
    (folder / "config.toml").unlink()
    with pytest.raises(BadRun, match="holds a run already"):
        Run.create(folder, Counting(), "")


def test_a_line_of_times_that_was_cut_short_is_dropped(tmp_path, monkeypatch, undisturbed):
    run = stopped(tmp_path / "r", monkeypatch)
    with (run.folder / "times.jsonl").open("ab") as file:
        file.write(b'{"done":13,"sec')
    follow(run)
    assert result(run.folder) == undisturbed
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
        follow(Run.open(run.folder))


def test_the_players_of_a_run_are_found_by_its_folder(tmp_path, undisturbed):
    folder = tmp_path / "undisturbed"
    assert players.find(str(folder)).name == "undisturbed"
    assert players.find(f"{folder}@10").name == "undisturbed@10"
    assert players.find(f"{folder}@000010").theta.tobytes() == players.find(f"{folder}@10").theta.tobytes()
    assert players.find(str(folder)).made.command == "ludus train counting"
    with pytest.raises(BadPlayer, match="has no player 11"):
        players.find(f"{folder}@11")
    assert players.is_named(f"{folder}@10") and not players.is_named(str(tmp_path / "nobody@10"))


def test_the_command_of_a_learner_has_what_is_not_as_usual():
    learner = Counting(steps=5, noisy=False, sizes=(4,), word="a b")
    assert options.command(learner) == "ludus train counting --steps 5 --no-noisy --sizes 4 --word 'a b'"
    assert runs.folders(Path("/nowhere")) == []
