"""The line protocol for both games: a player of Ludus as the engine, and an outside program as the opponent."""

import subprocess
import sys
from pathlib import Path

import pytest

from ludus import arena, players
from ludus.games import draughts, tictactoe3d
from ludus.players.searches import Budget
from ludus.protocols.background_search import Limits
from ludus.protocols.engine import Engine, EngineFailure
from ludus.protocols.line_engine import LineEngine, _limits

FAKE = Path(__file__).parent / "fake_engines"
LUDUS = f"{sys.executable} -m ludus"


@pytest.fixture
def fake(tmp_path):
    """The name of the fake engine, and the file of what it was told."""
    lock, told = tmp_path / "lock", tmp_path / "told"
    lock.touch()
    return f"engine:{sys.executable} {FAKE / 'plays_tictactoe3d.py'} {lock} {told}", told


def test_an_outside_engine_plays_tictactoe3d(fake):
    name, told = fake
    with Engine(name, Budget(depth=2), game="tictactoe3d") as engine:
        engine.start()
        moves = tictactoe3d.GAME.moves(["a1", "b2"])
        reply = engine.choose(tictactoe3d.START, moves)
        assert (str(reply.move), reply.value, reply.depth) == ("b1", 0.5, 1)
    empty = tictactoe3d.START.text
    assert told.read_text().splitlines() == [
        "game tictactoe3d",
        "new",
        f"fen {empty}",
        "moves a1 b2",
        "go depth 2",
        "quit",
    ]


def test_it_plays_matches_and_against_a_person(fake, run, tmp_path):
    name, _ = fake
    status, out, err = run("match", name, "random", "--game", "tictactoe3d", "--games", "2", "--seed", "3")
    assert status == 0 and "against random: +" in out and "forfeit" not in out, err
    assert arena.match(name, "benchmark", games=2).score.games == 2
    status, out, _ = run("analyse", "start", "--game", "tictactoe3d", "--with", name)
    assert status == 0 and "best: a1" in out


def test_hub_is_for_draughts_only():
    with pytest.raises(ValueError, match="Hub is a protocol of draughts"):
        Engine("engine+hub:x", Budget(depth=1), game="tictactoe3d")


def talk(player, *lines, seed=0):
    engine = LineEngine(players.find(*player), seed)
    return [engine.receive(line) for line in lines]


def test_the_engine_answers_only_go():
    start = tictactoe3d.START.text
    answers = talk(
        ("material@depth=2", "tictactoe3d"),
        "hub",
        "game tictactoe3d",
        "new",
        f"fen {start}",
        "moves a1 b1",
        "go depth 3",
    )
    assert answers[:-1] == [""] * 5
    word, move, value, depth, nodes = answers[-1].split()
    assert word == "bestmove" and depth == "depth=3" and nodes.startswith("nodes=") and value.startswith("value=")
    assert move in map(str, tictactoe3d.START.play("a1").play("b1").moves())


def test_the_engine_plays_the_game_of_draughts_too():
    *_, answer = talk(
        ("material", "draughts"), "new", f"fen {draughts.START.text}", "moves 11-15 22-18", "go nodes 500"
    )
    assert answer.startswith("bestmove 15x22 ")


def test_the_engine_has_its_own_budget_where_it_cannot_keep_to_another():
    assert talk(("uct@playouts=20", "draughts"), "go depth 3")[0].endswith("nodes=20")
    assert talk(("uct@playouts=20", "draughts"), "go nodes 7")[0].endswith("nodes=7")
    assert talk(("random", "draughts"), "go time 5")[0].startswith("bestmove ")
    assert talk(("material@depth=2", "draughts"), "go")[0].split()[3] == "depth=2"


def test_the_engine_moves_by_a_clock():
    assert _limits(["clock", "30"]) == Limits(seconds=4, usual_seconds=1)
    assert _limits(["clock", "30", "moves", "10", "inc", "1"]) == Limits(seconds=15, usual_seconds=3.9)
    assert _limits(["clock", "0"]) == Limits(seconds=0.001, usual_seconds=0.001)
    for name in ("champion", "material", "uct", "random"):
        assert talk((name, "draughts"), "go clock 0.5 inc 0.01 moves 20")[0].startswith("bestmove ")
    # A forced move takes no time: the clock shows an hour.
    assert talk(("champion", "draughts"), "fen W:W18,30:B15,1", "go clock 3600")[-1].startswith("bestmove 18x11 ")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["fen nonsense"], "info error: "),
        (["fen nonsense", "go depth 1"], "info error: there is no position: the last fen or moves could not be read"),
        (["moves z9"], "info error: 'z9'"),
        (["moves a1", "moves q", "moves a1"], "info error: there is no position to move from"),
        (
            ["go fast"],
            "info error: go is followed by time S, depth N, nodes N or clock S [inc S] [moves N], not by 'fast'",
        ),
        (["go clock"], "info error: go is followed by"),
        (["go clock -1"], "info error: go is followed by"),
        (["go clock nan"], "info error: go is followed by"),
        (["go clock 9 moves 0"], "info error: go is followed by"),
        (["go clock 9 inc"], "info error: go is followed by"),
        (["go clock 9 hours 2"], "info error: go is followed by"),
        (["go depth -1"], "info error: go is followed by"),
        (["go depth nan"], "info error: go is followed by"),
        (["game draughts"], "info error: this is an engine of tictactoe3d, not of draughts"),
        (["moves a1 b1 a1 b1 a1 b1 a1", "go depth 1"], "info error: the game is over"),
    ],
)
def test_a_line_that_cannot_be_followed_is_answered(lines, reason):
    assert talk(("random", "tictactoe3d"), *lines)[-1].startswith(reason)


def test_quit_ends_it_and_so_does_the_end_of_the_input():
    assert talk(("random", "tictactoe3d"), "quit") == [None]
    for text in ("new\nquit\n", "new\n", ""):
        command = [sys.executable, "-m", "ludus", "lines", "--with", "random", "--game", "tictactoe3d"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=30, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_two_engines_of_ludus_play_each_other(run):
    one, other = (f"engine:{LUDUS} lines --with {name} --game tictactoe3d" for name in ("benchmark", "random"))
    status, out, err = run("match", one, other, "--game", "tictactoe3d", "--games", "2", "--budget", "depth=1")
    assert status == 0 and "forfeit" not in out, err


def test_an_engine_of_another_game_loses_its_games(fake):
    name, _ = fake
    with Engine(name.replace("engine:", "engine+line:"), Budget(depth=1)) as engine:
        engine.start()
        with pytest.raises(EngineFailure):
            engine.choose(draughts.START, [])
