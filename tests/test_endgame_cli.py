"""The commands about endgame tables: builds that are stopped, killed and out of room, and what people are told."""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from ludus._core.draughts import EndgameBuilder, endgame_slices
from ludus.endgames import build as building
from ludus.endgames import files, schedule
from ludus.endgames.folder import SHIPPED
from test_terminal import ludus, typed

NAMES = sorted(f"{pieces}.{kind}" for pieces in (2, 3, 4) for kind in ("results", "distances"))


def command(pieces, folder):
    return [sys.executable, "-m", "ludus", "endgame", "build", "--pieces", str(pieces), "--out", str(folder)]


def parts(folder):
    """The finished parts and tables."""
    return {path for path in folder.rglob("[0-9]*") if path.is_file()}


def is_shipped(folder, pieces=4):
    """Whether the folder has the files of the package and nothing else."""
    names = [name for name in NAMES if int(name[0]) <= pieces]
    same = all((folder / name).read_bytes() == (SHIPPED / name).read_bytes() for name in names)
    return same and sorted(path.name for path in folder.iterdir()) == names


def started(folder):
    """A build under way that has finished one part more than it found."""
    before = parts(folder)
    process = subprocess.Popen(command(4, folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and parts(folder) <= before:
        time.sleep(0.002)
    return process


# Building.


@pytest.mark.parametrize("threads", [1, 2])
def test_a_build_gives_the_tables_of_the_package(run, tmp_path, threads):
    status, out, err = run("endgame", "build", "--pieces", 3, "--out", tmp_path / "new", "--concurrency", threads)
    assert (status, err) == (0, "")
    assert "199,520 positions; needs" in out and "MB of memory" in out and "MB of disk space" in out
    assert is_shipped(tmp_path / "new", 3)
    before = {path: path.stat().st_mtime_ns for path in parts(tmp_path)}
    status, out, _ = run("endgame", "build", "--pieces", 3, "--out", tmp_path / "new")
    assert status == 0 and out.endswith("the tables of 2 to 3 pieces are finished\n")
    assert {path: path.stat().st_mtime_ns for path in parts(tmp_path)} == before


def test_a_build_in_little_memory_from_results_alone_gives_the_same_results(run, monkeypatch, tmp_path):
    """The way of 6 pieces, taken with 4: slices are dropped and put back without distances."""
    monkeypatch.setattr(building, "MOST_WITH_DISTANCES", 3)
    monkeypatch.setattr(schedule, "_KEPT", 0)
    schedule.memory.cache_clear()
    dropped, most = [], schedule.memory(4)
    assert most < schedule.size(endgame_slices(4)) / 2

    class Builder(EndgameBuilder):
        def drop(self, name):
            dropped.append(name)
            super().drop(name)

        def build(self, name, threads, progress):
            done = super().build(name, threads, progress)
            held = [other for other in endgame_slices(4) if self.has(other)]
            assert schedule.size(held) <= most
            return done

    monkeypatch.setattr(building, "EndgameBuilder", Builder)
    try:
        assert run("endgame", "build", "--pieces", 4, "--out", tmp_path)[0] == 0
    finally:
        schedule.memory.cache_clear()
    assert dropped and not (tmp_path / "4.distances").exists()
    assert (tmp_path / "4.results").read_bytes() == (SHIPPED / "4.results").read_bytes()


def test_a_killed_build_goes_on_and_gives_the_same_files(tmp_path):
    chance, kills = random.Random(6), 0
    for _ in range(8):
        process = started(tmp_path)
        time.sleep(chance.uniform(0, 0.1))
        process.kill()
        process.communicate()
        kills += process.returncode == -signal.SIGKILL
    assert kills >= 3
    subprocess.run(command(4, tmp_path), check=True, capture_output=True)
    assert is_shipped(tmp_path)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_build_says_so_and_goes_on(tmp_path, sent):
    process = started(tmp_path)
    process.send_signal(sent)
    assert process.communicate()[1] == "ludus: stopped; the same command continues\n"
    assert process.returncode == (130 if sent == signal.SIGINT else 143)
    kept = parts(tmp_path)
    assert kept
    subprocess.run(command(4, tmp_path), check=True, capture_output=True)
    assert is_shipped(tmp_path)


@pytest.mark.parametrize("writes", [0, 1, 5, 12])
def test_a_full_disk_is_one_sentence_and_nothing_is_lost(run, monkeypatch, tmp_path, writes):
    left, write = [writes], files.write_atomically

    def write_until_full(path, content):
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left[0] -= 1
        write(path, content)

    monkeypatch.setattr(files, "write_atomically", write_until_full)
    status, _, err = run("endgame", "build", "--pieces", 3, "--out", tmp_path)
    reason = "No space left on device; what is finished is kept"
    assert (status, err) == (2, f"ludus: the tables cannot be written in {tmp_path}: {reason}\n")
    monkeypatch.setattr(files, "write_atomically", write)
    assert run("endgame", "build", "--pieces", 3, "--out", tmp_path)[0] == 0
    assert is_shipped(tmp_path, 3)


def test_a_disk_that_is_too_full_is_said_first(run, monkeypatch, tmp_path):
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(building.shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
    status, out, err = run("endgame", "build", "--pieces", 5, "--out", tmp_path / "new")
    assert (status, out) == (2, "") and "is too full" in err and "1.0 MB are free" in err
    assert not (tmp_path / "new").exists()


def test_a_broken_part_is_built_again(tmp_path):
    process = started(tmp_path)
    process.kill()
    process.communicate()
    for path in (tmp_path / "building").rglob("[0-9]*.results"):
        path.write_bytes(path.read_bytes()[:-1])
    subprocess.run(command(4, tmp_path), check=True, capture_output=True)
    assert is_shipped(tmp_path)


def test_two_builds_in_one_folder_are_refused(run, tmp_path):
    with building._locked(tmp_path):
        status, _, err = run("endgame", "build", "--pieces", 3, "--out", tmp_path)
    assert status == 2 and err == f"ludus: another process builds endgame tables in {tmp_path}\n"


def test_a_file_in_place_of_the_folder_is_one_sentence(run, tmp_path):
    (tmp_path / "file").write_text("mine")
    for arguments in (("build", "--pieces", 2, "--out"), ("verify",)):
        status, _, err = run("endgame", *arguments, tmp_path / "file")
        assert status == 2 and err.count("\n") == 1
    assert (tmp_path / "file").read_text() == "mine"


# Checking.


def test_verify_counts_what_it_checked(run, tmp_path):
    for name in ("2.results", "2.distances"):
        shutil.copy(SHIPPED / name, tmp_path)
    status, out, err = run("endgame", "verify", tmp_path)
    both = f"{tmp_path / '2.results'} and {tmp_path / '2.distances'}"
    assert (status, out, err) == (0, f"{both}: 3,488 positions in 4 slices, no errors\n", "")
    (tmp_path / "2.results").unlink()
    status, _, err = run("endgame", "verify", tmp_path)
    assert status == 1 and "cannot be checked without 2.results" in err


def test_verify_of_a_folder_without_tables_is_one_sentence(run, tmp_path):
    for folder, words in ((tmp_path, "there are no endgame tables"), (tmp_path / "none", "there is no folder")):
        status, out, err = run("endgame", "verify", folder)
        assert (status, out) == (2, "") and words in err and err.count("\n") == 1


# Asking.

WON = "W:WK32,K31:BK1"


def test_probe_gives_the_verdict_of_the_position_and_of_every_move(run):
    status, out, _ = run("endgame", "probe", "W:W13,14:B5")
    assert status == 0
    assert out.splitlines()[-5:] == [
        "White to move: win in 1",
        "  13-9         win in 1",
        "  14-10        win in 3",
        "  14-9         draw",
        "line: 13-9",
    ]


def test_probe_refuses_in_one_sentence(run, tmp_path):
    cases = {
        "start": "there are endgame tables of 2 to 6 pieces, not of 24",
        "W:WK32,K31,K30:BK1,K2": "build it with: ludus endgame build --pieces 5",
        "W:WK32:B": "endgame tables have positions with pieces of both sides",
        "nonsense": "ludus: ",
    }
    for text, words in cases.items():
        status, out, err = run("endgame", "probe", "--folder", tmp_path, text)
        assert (status, out) == (2, "") and words in err and err.count("\n") == 1, text


def test_show_and_analyse_tell_the_verdict(run):
    line = "table: White to move: win in 33"
    assert line in run("show", WON)[1].splitlines()
    assert line in run("analyse", WON, "--budget", "depth=2")[1].splitlines()
    assert "table:" not in run("show", "start")[1]
    assert "table:" not in run("show", "-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-")[1]


def test_play_has_the_table_and_tells_it_with_a_hint():
    told = ludus("play", "--position", WON, "--budget", "depth=2", text=typed("table", "hint", "quit"))[1]
    assert "White to move: win in 33" in told and "line: 32-28" in told
    assert "  table: White to move: win in 33" in told.splitlines()
    told = ludus("play", "--budget", "depth=2", text=typed("table", "quit"))[1]
    assert "no endgame table here has a position of 24 pieces" in told
    told = ludus("play", "--game", "tictactoe3d", "--budget", "depth=2", text=typed("table", "quit"))[1]
    assert "there are endgame tables of draughts only" in told
