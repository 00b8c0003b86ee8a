"""Results for other programs: JSON with one style, and lines on stderr while a command works in a pipe."""

import json
import re
import sys
from pathlib import Path

import pytest

from ludus.cli import progress
from ludus.games import draughts

PAGE = (Path(__file__).parent.parent / "docs" / "json.md").read_text()


def documented(kind):
    """The fields of a format that docs/json.md lists."""
    section = PAGE.partition(f"\n## `ludus-{kind}-1`")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)` ", section, re.MULTILINE))


@pytest.fixture
def short(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("train", "td", "--games", "40", "--test-every", "20", "--test-games", "2", "--out", "runs/a")[0] == 0
    Path("runs/broken").mkdir()
    Path("runs/broken/config.toml").write_text("nonsense")
    Path("games.pdn").write_text('[Black "Ann"]\n1. 11-15 22-18 2. 15x22 1-0\n')


COMMANDS = {
    "runs": ("runs",),
    "match": ("match", "random", "material@depth=1", "--games", "4"),
    "ladder": ("ladder", "random", "material@depth=1", "--games", "2", "--game", "draughts"),
    "analysis": ("analyse", "start", "--with", "material@depth=3"),
    "exam": ("exam", "endgames", "--with", "material@depth=1", "--pieces", "3", "--games", "1"),
    "probe": ("endgame", "probe", "W:W20,K15:B12,K28"),
    "pdn": ("pdn", "count", "games.pdn"),
    "engine-check": ("engines", "check", "engine+line:no-such-program"),
}


@pytest.mark.parametrize("kind", COMMANDS)
def test_every_format_is_one_object_that_names_itself(run, short, kind):
    status, out, err = run(*COMMANDS[kind], "--json")
    assert (status, err) == (1 if kind == "engine-check" else 0, "")
    found = json.loads(out)
    assert next(iter(found)) == "format" and found["format"] == f"ludus-{kind}-1"
    assert "Infinity" not in out and "NaN" not in out


@pytest.mark.parametrize("kind", COMMANDS)
def test_every_field_is_documented(run, short, kind):
    found = json.loads(run(*COMMANDS[kind], "--json")[1])
    values = (found.get(name) for name in ("runs", "ladders", "moves", "ratings", "matches", "checks"))
    inner = [each for value in values if isinstance(value, list) for each in value]
    inner += [each for ladder in found.get("ladders", []) for each in ladder["ratings"] + ladder["matches"]]
    names = set(found).union(*(each for each in inner if isinstance(each, dict))) - {"format"}
    assert names <= documented(kind), names - documented(kind)


def test_what_the_fields_say(run, short):
    rows = json.loads(run("runs", "--json")[1])["runs"]
    assert [(row["run"], row["state"], row["done"], row["unit"], row["length"]) for row in rows] == [
        ("runs/a", "finished", 40, "games", "games"),
        ("runs/broken", "broken", None, None, None),
    ]
    assert "benchmark: scores" in rows[0]["result"] and rows[0]["player"] == "runs/a/player.safetensors"
    found = json.loads(run(*COMMANDS["match"], "--json")[1])
    assert (found["games"], found["finished"], found["elo"]) == (4, True, None)  # it lost them all: minus infinity
    found = json.loads(run(*COMMANDS["ladder"], "--json")[1])["ladders"][0]
    assert found["ratings"][0]["player"] == "material@depth=1" and found["matches"][0]["score"] == 1.0
    found = json.loads(run(*COMMANDS["analysis"], "--json")[1])
    assert found["depth"] == 3 and len(found["moves"]) == 7 and found["best"] == found["line"][0]
    assert found["moves"][0]["move"] == found["best"] and found["table"] is None
    found = json.loads(run(*COMMANDS["pdn"], "--json")[1])
    assert found["results"] == {"black": 1, "white": 0, "draw": 0, "unknown": 0}
    assert (found["openings"], found["players"]) == ({"11-15 22-18 15x22": 1}, {"Ann": 1})
    found = json.loads(run(*COMMANDS["engine-check"], "--json")[1])
    assert not found["passed"] and [each["check"] for each in found["checks"]] == ["starts"]
    found = json.loads(run(*COMMANDS["probe"], "--json")[1])
    assert found["result"] in ("win", "draw", "loss") and found["moves"][0]["result"] == found["result"]


def test_an_analysis_of_an_engine_is_what_it_says(run, tmp_path):
    fake = Path(__file__).parent / "fake_engines" / "speaks_lines.py"
    (tmp_path / "lock").touch()
    name = f"engine+line:{sys.executable} {fake} {tmp_path / 'lock'} {tmp_path / 'told'}"
    found = json.loads(run("analyse", "start", "--with", name, "--json")[1])
    assert (found["value"], found["depth"], found["nodes"]) == (0.25, 7, 1234)


def test_a_list_of_runs_fits_80_columns_in_a_terminal(run, short, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = run("runs")
    assert max(map(len, out.splitlines())) <= 80
    assert out.splitlines()[0] == "runs/a"
    assert out.splitlines()[1].startswith("  td, finished after 40 games, ")
    assert "than benchmark: scores" in out or "strong as benchmark: scores" in out


@pytest.mark.parametrize(
    "arguments",
    [COMMANDS["match"], COMMANDS["ladder"], COMMANDS["exam"], ("perft", "9")],
    ids=lambda arguments: arguments[0],
)
def test_a_long_command_tells_a_pipe_how_far_it_is(run, monkeypatch, arguments):
    monkeypatch.setattr(progress, "SECONDS", 0.0)
    status, _, err = run(*arguments)
    assert status == 0 and re.search(r"^(.+: )?[\d,]+ of [\d,]+ (games|parts)\b.*left$", err, re.MULTILINE), err


def test_perft_is_the_same_in_parts(run):
    assert int(run("perft", "9")[1].splitlines()[0]) == draughts.START.perft(9)
