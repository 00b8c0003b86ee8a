"""The command line: what it prints, and that whatever goes wrong is a sentence and a status, never a traceback."""

import importlib.metadata
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ludus
from ludus import bench
from ludus.bench import measure, td
from ludus.games import draughts, tictactoe3d
from ludus.terminal import board

START_3D = "-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-"


@pytest.fixture
def output(run):
    """The output of a command that succeeds."""

    def output(*arguments):
        status, out, _ = run(*arguments)
        assert status == 0
        return out

    return output


def process(*arguments, **options):
    """Starts a command in a process of its own."""
    command = [sys.executable, "-c", "from ludus.cli import main; main()", *arguments]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **options)


# perft


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["0"], 1),
        (["1"], 7),
        (["8"], 845931),
        (["5", "--plain"], 7361),
        (["3", "--game", "tictactoe3d"], 4096),
        (["3", "--position", START_3D], 4096),
        (["2", "-g", "tictactoe3d", "--plain"], 256),
        (["1", "--position", "W:W18:B6,7,14,15"], 2),
        (["4", "--position", "B:W18:B"], 0),
        (["0", "--position", "B:W18:B"], 1),
    ],
)
def test_perft_prints_the_count(output, arguments, count):
    assert output("perft", *arguments) == f"{count}\n"


@pytest.mark.parametrize("plain", [[], ["--plain"]])
@pytest.mark.parametrize("depth", [1, 2, 6])
@pytest.mark.parametrize("game", [draughts, tictactoe3d], ids=lambda game: game.__name__.split(".")[-1])
def test_the_parts_of_divide_make_the_whole(output, game, depth, plain):
    depth = min(depth, 4) if game is tictactoe3d else depth
    *parts, total = output("perft", str(depth), "--divide", "-p", game.START.text, *plain).splitlines()
    assert [part.split()[0] for part in parts] == [str(move) for move in game.START.moves()]
    assert sum(int(part.split()[1]) for part in parts) == int(total) == game.START.perft(depth)


def test_perft_says_how_it_counted(run):
    assert "the last ply counted, not made" in run("perft", "3")[2]
    assert "every leaf made" in run("perft", "3", "--plain")[2]


# show


def test_show_draws_a_position_with_its_moves(output):
    position = draughts.Position("W:W18:B6,7,14,15")
    drawn = board.drawn(position, board.Style())
    assert output("show", position.text) == f"{drawn}\n{position.text}\n2 legal moves: 18x11x2 18x9x2\n"


def test_show_writes_the_one_form_of_a_position(output):
    assert draughts.START.text in output("show", "b:b1-12:w21-32.")


def test_show_knows_the_game_by_the_position(output):
    assert output("show", START_3D) == output("show", "start", "--game", "tictactoe3d")
    assert output("show", draughts.START.text) == output("show", "start")


def test_show_tells_how_a_game_ended(output):
    assert output("show", "B:W18:B").endswith("White wins: Black cannot move\nB:W18:B\n")


# bench


def hurry(monkeypatch):
    monkeypatch.setitem(measure.speeds.__kwdefaults__, "seconds", 1e-9)


def test_bench_is_one_json_object(output, monkeypatch):
    hurry(monkeypatch)
    report = json.loads(output("bench", "--json", "tictactoe3d/random-games"))
    (figure,) = report.values()
    assert list(report) == ["tictactoe3d/random-games"]
    assert figure.keys() == {"value", "unit", "reference", "ratio"}
    assert figure["value"] > 0 and figure["unit"] == "games/s"
    assert figure["reference"] is None and figure["ratio"] is None


def test_bench_measures_batches_of_games(output, monkeypatch):
    hurry(monkeypatch)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # without OpenSpiel and pgx
    report = json.loads(output("bench", "--json", "envs/draughts", "envs/tictactoe3d", "envs/two-threads"))
    assert list(report) == ["envs/draughts", "envs/tictactoe3d", "envs/two-threads"]
    assert all(figure["value"] > 0 and figure["unit"] == "steps/s" for figure in report.values())
    assert report["envs/two-threads"]["reference"]["name"] == "one thread"


def test_a_figure_has_the_ratio_to_its_reference(output, monkeypatch):
    figure = measure.Measurement("draughts/perft", 6.0, "leaves/s", "draughts/perft-plain", 2.0)
    monkeypatch.setattr(bench, "measurements", lambda names: iter([figure]))
    assert json.loads(output("bench", "--json", "draughts/perft")) == {
        "draughts/perft": {
            "value": 6.0,
            "unit": "leaves/s",
            "reference": {"name": "draughts/perft-plain", "value": 2.0},
            "ratio": 3.0,
        }
    }
    assert output("bench").split() == ["draughts/perft", "6.00", "leaves/s", "3.0", "x", "draughts/perft-plain"]


def test_the_ratio_of_a_time_is_how_many_times_as_fast(output, monkeypatch):
    hurry(monkeypatch)
    monkeypatch.setattr(td, "_BEFORE", 10)
    (figure,) = json.loads(output("bench", "--json", "td/deep-structured")).values()
    assert figure["unit"] == "us/ply" and figure["reference"]["name"] == "NumPy"
    assert figure["ratio"] == figure["reference"]["value"] / figure["value"]


# What goes wrong


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["perft"], "Missing argument 'DEPTH'"),
        (["perft", "ten"], "Invalid value for 'DEPTH'"),
        (["perft", "--", "-1"], "Invalid value for 'DEPTH'"),
        (["perft", "-1"], "No such option: -1"),
        (["perft", "101"], "Invalid value for 'DEPTH'"),
        (["perft", "9" * 30], "Invalid value for 'DEPTH'"),
        (["perft", "3", "--game", "chess"], "'chess' is not one of 'draughts', 'tictactoe3d'"),
        (["perft", "3", "--position", "e2e4"], "ludus: 'e2e4' is not a position"),
        (["analyse"], "Missing argument 'POSITION'"),
        (["show", ""], "ludus: '' is neither a position nor a player; name a file, or one of "),
        (["show", "B:W4:B"], "ludus: a man of White cannot stand on 4"),
        (["show", "B" * 100_000], "BBB' is neither a position nor a player"),
        (["show", "Ъ:♛"], "is not a position"),
        (
            ["show", "\udcff"],
            r"ludus: '\udcff' is neither a position nor a player",
        ),  # what is left of bytes that are not UTF-8
        (["perft", "3", "--position", "\udcff"], "ludus: a position is one line of printable text"),
        (["show", START_3D, "--game", "draughts"], "is not a position: it begins with the side to move"),
        (["show", draughts.START.text, "--game", "tictactoe3d"], "it is made of w, b, -, commas and /"),
        (["bench", "nope"], "ludus: there is no figure 'nope'; there are draughts/perft, "),
        (["bench", "\udcff\n"], r"ludus: there is no figure '\udcff\n'"),
        (["dance"], "No such command 'dance'"),
    ],
)
def test_bad_input_is_a_sentence_and_status_2(run, arguments, reason):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert reason in err.splitlines()[-1]
    assert "Traceback" not in err


def test_ctrl_c_stops_a_count_that_would_take_years():
    running = process("perft", "90", stdout=subprocess.PIPE)
    time.sleep(2)  # the command has begun by then
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=60) == ("", "ludus: stopped\n") and running.returncode == 130


def test_a_reader_that_has_seen_enough_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    running = process("perft", "3", "--divide", stdout=writer)
    os.close(writer)
    assert running.communicate()[1] == "" and running.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full disk to write to")
def test_a_full_disk_is_a_sentence():
    with Path("/dev/full").open("w") as full:
        running = process("show", "start", stdout=full)
    assert running.communicate()[1] == "ludus: No space left on device\n" and running.returncode == 1


# Starting


def test_the_version_is_that_of_the_package(output):
    assert output("--version") == f"ludus {ludus.__version__}\n"
    assert ludus.__version__ == importlib.metadata.version("ludus")


def test_help_does_not_load_the_core():
    code = "import sys; from ludus.cli import main\ntry: main()\nfinally: print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True).stdout
    assert "perft" in out and "bench" in out
    assert not {"ludus._core", "ludus.games", "numpy", "rich"} & set(out.split())
