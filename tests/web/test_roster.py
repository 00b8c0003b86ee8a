"""The players of runs on the page: by ids, never by paths."""

import json

import pytest

from client import get, line
from ludus import players
from ludus.players import save
from ludus.players.catalogue import kept_file
from ludus.web.folders import Folders
from ludus.web.roster import Roster


def make_run(folder, *, kept=(), result=True):
    """What a finished run leaves that the page looks for."""
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("")
    player = players.find("neurodraughts")
    if result:
        save(player, folder / "player.safetensors")
    for key in kept:
        kept_file(folder, key).parent.mkdir(exist_ok=True)
        save(player, kept_file(folder, key))


@pytest.fixture(scope="module")
def runs(server):
    _, settings = server
    make_run(settings.runs / "demo" / "evolution", kept=["000030", "000100"])
    make_run(settings.runs / "<b>bold")
    make_run(settings.runs / "unfinished", kept=["000002", "000010"], result=False)
    make_run(settings.runs / "empty", result=False)
    (settings.runs / "broken").mkdir()
    (settings.runs / "broken" / "config.toml").write_text("")
    (settings.runs / "broken" / "player.safetensors").write_bytes(b"nonsense")
    return settings.runs


def test_the_players_of_runs_are_listed_by_their_ids(port, runs):
    listed = json.loads(get(port, "/api/players?game=draughts")[2])
    found = [player["name"] for player in listed if player["kind"] == "run"]
    assert found == ["<b>bold", "demo:evolution", "unfinished@000010"]
    assert not [each for each in json.loads(get(port, "/api/players?game=tictactoe3d")[2]) if each["kind"] == "run"]


@pytest.mark.parametrize(
    "name", ["demo:evolution", "demo:evolution@30", "demo:evolution@000100", "<b>bold", "unfinished@2"]
)
def test_the_players_of_runs_play(tab, runs, name):
    assert tab.ask("play", line=line("11-15"), player=name, level=2)["type"] == "moved"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("demo", "there is no player demo of draughts"),
        ("demo:evolution@7", "demo:evolution has no player 7"),
        ("demo:evolution@nodes=5", "has kept no player nodes=5"),
        ("demo:evolution@../../unfinished/players/000002", "has kept no player"),
        ("unfinished", "has no player yet"),
        ("empty", "has no player yet"),
        ("broken", "safetensors"),
        ("demo/evolution", "there is no player"),
        ("demo:..:demo:evolution", "there is no player"),
        ("demo::evolution", "there is no player"),
        (":", "there is no player"),
        (".", "there is no player"),
        ("x" * 290, "there is no player"),
    ],
)
def test_other_names_are_refused(tab, runs, name, words):
    answer = tab.ask("play", line=line(), player=name)
    assert answer["type"] == "error"
    assert words in answer["message"]
    assert str(runs) not in answer["message"]


def test_a_player_of_a_run_for_the_other_game_is_refused(tab, runs):
    answer = tab.ask("play", line=line(game="tictactoe3d"), player="demo:evolution")
    assert answer["message"] == "demo:evolution plays draughts, not tictactoe3d"


def test_a_player_that_is_written_again_is_read_again(runs, tmp_path):
    make_run(tmp_path / "run")
    roster = Roster(Folders(tmp_path))
    first = roster.find("run", "draughts")
    assert roster.find("run", "draughts") is first
    save(players.find("visiondraughts"), tmp_path / "run" / "player.safetensors")
    assert roster.find("run", "draughts") is not first


def test_a_player_of_a_run_is_shown_by_its_id(tmp_path):
    make_run(tmp_path / "demo" / "evolution")
    folders = Folders(tmp_path)
    for name in ("demo:evolution@000030", "demo:evolution@nodes=5", "demo:evolution", "champion", "champion@nodes=5"):
        assert folders.shown(folders.player(name)) == name
    for name in ("/elsewhere/run@000030", f"{tmp_path}", ""):
        assert folders.shown(name) == name
