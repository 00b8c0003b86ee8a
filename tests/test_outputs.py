"""Output that a person names: nothing of another kind is replaced, links are followed, only files are written."""

import os
import socket
import stat

import pytest

from ludus import files
from ludus.files import BadOutput, output_file, output_folder, remove_unfinished, write_atomically
from ludus.runs import Run
from test_runs import Counting, kinds, train  # noqa: F401  # kinds is a fixture


def is_note(path):
    return path.read_bytes().startswith(b"note")


@pytest.fixture
def finished(tmp_path):
    run = Run.create(tmp_path / "run", Counting(steps=3), "ludus train counting")
    train(run)
    return run.folder


def test_a_file_of_the_same_kind_or_an_empty_one_may_be_replaced(tmp_path):
    path = tmp_path / "a"
    assert output_file(path, "a note", is_note) == path
    path.write_bytes(b"")
    assert output_file(path, "a note", is_note) == path
    path.write_bytes(b"note 1")
    assert output_file(path, "a note", is_note) == path
    path.write_bytes(b"a letter")
    with pytest.raises(BadOutput, match="exists and is not a note; nothing was changed"):
        output_file(path, "a note", is_note)


def test_folders_pipes_and_sockets_are_refused_and_no_folder_is_made(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        for name in ("pipe", "socket"):
            with pytest.raises(BadOutput, match="a device, a pipe or a socket"):
                output_file(tmp_path / name, "a note", is_note)
    with pytest.raises(BadOutput, match="is a folder"):
        output_file(tmp_path, "a note", is_note)
    with pytest.raises(BadOutput, match="there is no folder"):
        output_file(tmp_path / "none" / "a", "a note", is_note)
    assert not (tmp_path / "none").exists()


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    (tmp_path / "there").mkdir()
    link, target = tmp_path / "link", tmp_path / "there" / "target"
    link.symlink_to(target)
    assert output_file(link, "a note", is_note) == target
    write_atomically(link, b"note 1")
    assert link.is_symlink() and target.read_bytes() == b"note 1"
    target.write_bytes(b"a letter")
    with pytest.raises(BadOutput, match="exists and is not a note"):
        output_file(link, "a note", is_note)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises((BadOutput, OSError)):
        output_file(loop, "a note", is_note)


def test_the_names_of_new_folders_are_synced(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(files, "sync_folder", synced.append)
    files.make_folder(tmp_path / "a" / "b")
    assert synced == [tmp_path, tmp_path / "a"] and (tmp_path / "a" / "b").is_dir()
    files.make_folder(tmp_path / "a" / "b")
    assert len(synced) == 2


def test_a_replaced_file_keeps_its_permissions(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"note")
    path.chmod(0o600)
    write_atomically(path, b"note 2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_folder_that_holds_another_persons_file_is_refused(tmp_path):
    output_folder(tmp_path / "new", "a match", ["mark"], ["games.pdn"])
    output_folder(tmp_path, "a match", ["mark"], ["games.pdn"])
    (tmp_path / "games.pdn").write_text("mine")
    with pytest.raises(BadOutput, match=r"holds no match, but a games.pdn that it would replace"):
        output_folder(tmp_path, "a match", ["mark"], ["games.pdn"])
    (tmp_path / "mark").write_text("")
    output_folder(tmp_path, "a match", ["mark"], ["games.pdn"])
    with pytest.raises(BadOutput, match="is no folder: a match needs one"):
        output_folder(tmp_path / "mark", "a match", ["mark"], ["games.pdn"])


@pytest.mark.parametrize("name", ["mark", "games.pdn"])
def test_a_pipe_in_a_folder_is_refused_and_not_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / name)
    (tmp_path / "mark").touch()
    with pytest.raises(BadOutput, match=f"{name} is no file but a device, a pipe or a socket"):
        output_folder(tmp_path, "a match", ["mark"], ["games.pdn"])


def test_tables_are_built_only_in_a_folder_and_not_in_a_pipe(run, tmp_path):
    (tmp_path / "notes").write_text("mine")
    status, _, errors = run("endgame", "build", "--pieces", 2, "--out", tmp_path / "notes")
    assert status == 2 and "notes is no folder: a build of tables needs one" in errors
    os.mkfifo(tmp_path / "2.results")
    status, _, errors = run("endgame", "build", "--pieces", 2, "--out", tmp_path)
    assert status == 2 and "2.results is no file but a device, a pipe or a socket" in errors


def test_only_what_a_killed_process_was_writing_is_removed(tmp_path):
    for name in (".games.pdn.0123abcd", ".other.0123abcd", ".bashrc", ".games.pdn.xyz", "games.pdn"):
        (tmp_path / name).write_text("")
    remove_unfinished(tmp_path, ("games.pdn",), seconds=60)
    assert (tmp_path / ".games.pdn.0123abcd").exists()  # it may be being written
    remove_unfinished(tmp_path, ("games.pdn",))
    assert sorted(p.name for p in tmp_path.iterdir()) == [".bashrc", ".games.pdn.xyz", ".other.0123abcd", "games.pdn"]
    remove_unfinished(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [".bashrc", ".games.pdn.xyz", "games.pdn"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as error:
        write_atomically(path, b"new")
    assert error.value.filename == str(path)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "command",
    [
        ("match", "random", "random", "--out"),
        ("ladder", "random", "uct", "--out"),
        ("train", "td", "--out"),
        ("train", "td", "--config"),
        ("train", "--resume"),
        ("exam", "endgames", "--with", "random", "--out"),
        ("exam", "endgames", "--with", "random", "--tables"),
        ("study", "evolution", "--out"),
        ("study", "evolution", "--page"),
        ("endgame", "build", "--pieces", "2", "--out"),
        ("endgame", "probe", "B:W1:B2", "--folder"),
        ("endgame", "verify"),
        ("play", "--save"),
        ("play", "--resume"),
        ("report", "x", "--out"),
        ("report",),
        ("export", "x", "--csv"),
        ("export", "x", "--parquet"),
        ("export", "x", "--onnx"),
        ("web", "--runs"),
        ("web", "--password-file"),
        ("review",),
        ("runs",),
    ],
)
def test_an_empty_name_is_refused(run, command):
    status, _, errors = run(*command, "")
    assert status == 2 and "the name is empty" in errors


def test_the_report_replaces_a_report_and_nothing_else(run, tmp_path, finished):
    page = tmp_path / "page.html"
    assert run("report", finished, "--out", page)[0] == 0
    assert run("report", finished, "--out", page)[0] == 0
    page.write_text("<!doctype html>\n<html><body>my own page</body></html>")
    status, _, errors = run("report", finished, "--out", page)
    assert status == 2 and "exists and is not a page of Ludus; nothing was changed" in errors
    assert "my own page" in page.read_text()
    status, _, errors = run("report", finished, "--out", tmp_path / "none" / "page.html")
    assert status == 2 and "there is no folder" in errors


def test_pages_of_earlier_versions_are_known(run, tmp_path, finished):
    page = tmp_path / "page.html"
    run("report", finished, "--out", page)
    page.write_text(page.read_text().replace('<meta name="generator" content="ludus">\n', ""))
    assert run("report", finished, "--out", page)[0] == 0


def test_a_match_does_not_replace_games_that_are_not_its_own(run, tmp_path):
    (tmp_path / "games.pdn").write_text("mine")
    status, _, errors = run("match", "random", "random", "--games", 2, "--out", tmp_path)
    assert status == 2 and "holds no match, but a games.pdn" in errors
    assert [path.name for path in tmp_path.iterdir()] == ["games.pdn"]
    (tmp_path / "games.pdn").unlink()
    assert run("match", "random", "random", "--games", 2, "--out", tmp_path)[0] == 0
    (tmp_path / ".games.pdn.0123abcd").write_text("a killed process was writing this")
    assert run("match", "random", "random", "--games", 2, "--out", tmp_path)[0] == 0
    assert not (tmp_path / ".games.pdn.0123abcd").exists()


def test_a_ladder_an_exam_and_a_study_do_not_either(run, tmp_path):
    for command, name in (
        (("ladder", "random", "uct", "--games", 2), "ladder.html"),
        (("exam", "endgames", "--with", "random", "--games", 1), "exam.txt"),
        (("study", "evolution", "--trials", 1), "tables.md"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / name).write_text("mine")
        if name == "tables.md":  # a mark of a study by its name; another file of it is not
            (folder / name).rename(folder / "report.html")
        status, _, errors = run(*command, "--out", folder)
        assert status == 2 and "that it would replace" in errors
        assert [path.read_text() for path in folder.iterdir()] == ["mine"]


def test_a_run_does_not_begin_where_a_player_lies(tmp_path):
    (tmp_path / "player.safetensors").write_bytes(b"mine")
    with pytest.raises(ValueError, match=r"holds no run, but a player.safetensors"):
        Run.create(tmp_path, Counting(), "")


def test_a_run_in_a_folder_whose_name_looks_like_a_budget_is_found(run, tmp_path):
    from ludus import players

    training = Run.create(tmp_path / "a@depth=3", Counting(steps=3), "")
    train(training)
    assert players.find(str(training.folder)).name == "a@depth=3"
    assert players.find(f"{training.folder}@depth=2").budget.depth == 2
    assert players.is_named(str(training.folder))
