"""Play and analysis as a person sees them: the program itself, through pipes."""

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import msgspec
import numpy as np
import pytest

from ludus import games, players
from ludus.games import Color, pdn, tictactoe3d
from ludus.learning.td import Td
from ludus.players import ActivePlayer, find, named_networks, networks, searches
from ludus.players.searches import Budget
from ludus.terminal import analysis, play, sides
from ludus.workers import Workers

LUDUS = str(Path(sysconfig.get_path("scripts")) / "ludus")
EMPTY = "-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-"
QUICK = ("--budget", "nodes=200")


def ludus(*arguments, text="", environment=None):
    """Runs the command; text may be bytes."""
    done = subprocess.run(
        [LUDUS, *arguments],
        input=text.encode() if isinstance(text, str) else text,
        capture_output=True,
        timeout=60,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    output, errors = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    assert "Traceback" not in output + errors
    return done.returncode, output, errors


def refused(*arguments, text=""):
    """The sentence with which a command is refused."""
    status, output, errors = ludus(*arguments, text=text)
    assert status == 2 and output == ""
    assert errors.startswith("ludus: ") and errors.count("\n") == 1
    return errors.removeprefix("ludus: ").rstrip("\n")


def typed(*words):
    return "".join(f"{word}\n" for word in words)


# A whole game.


@pytest.mark.parametrize("opponent", ["random", "material"])
@pytest.mark.parametrize("game", ["draughts", "tictactoe3d"])
@pytest.mark.parametrize("side", ["first", "second"])
def test_a_game_is_played_to_its_end_and_saved(game, opponent, side, tmp_path):
    budget = QUICK if opponent == "material" else ()
    path = tmp_path / "game"
    status, output, errors = ludus(
        *("play", "--game", game, "--with", opponent, "--side", side, "--save", str(path), *budget), text="1\n" * 300
    )
    assert (status, errors) == (0, "")
    moves, outcome, start = saved(game, path)
    position = start
    for move in moves:
        position = position.play(move)
    assert outcome is not None and str(outcome) in output
    assert output.count(f"{opponent} plays ") == (len(moves) + (side == "second")) // 2
    assert output.count("your move> ") == (len(moves) + (side == "first")) // 2


def saved(game, path):
    if game == "draughts":
        (record,) = pdn.read(path.read_text().splitlines(keepends=True))
        assert record.tags["Event"] == "Ludus"
    else:
        record = tictactoe3d.read_game(path.read_text())
    return record.moves, record.outcome, record.start


def test_moves_are_typed_as_people_write_them_or_picked_by_number(tmp_path):
    path = tmp_path / "game.pdn"
    lines = typed("moves", "11-15", "2", f"save {path}", "quit")
    status, output, _ = ludus("play", "--with", "random", "--seed", "1", text=lines)
    assert status == 0
    assert "   1  " in output and "   7  " in output
    (record,) = pdn.read(path.read_text().splitlines(keepends=True))
    assert str(record.moves[0]) == "11-15"
    third = record.start.play(record.moves[0]).play(record.moves[1])
    assert record.moves[2] == third.moves()[1]
    assert len(record.moves) == 4 and record.outcome is None
    assert record.tags["Black"] == "a person" and record.tags["White"] == "random"


def test_a_stone_is_dropped_by_its_column(tmp_path):
    path = tmp_path / "game"
    status, output, _ = ludus("play", "-g", "tictactoe3d", "-w", "benchmark", text=typed("b3", f"save {path}", "quit"))
    assert status == 0 and "benchmark plays " in output
    record = tictactoe3d.read_game(path.read_text())
    assert str(record.moves[0]) == "b3" and len(record.moves) == 2


def test_a_hint_is_a_legal_move_and_changes_nothing():
    _, output, _ = ludus("play", *QUICK, text=typed("hint", "quit"))
    hint = re.search(r"your move>\s+(\S+)  \(champion: ", output)[1]
    assert hint in {str(move) for move in games.find("draughts").start.moves()}
    assert output.count("your move> ") == 2 and " plays " not in output


def test_values_are_shown_for_every_move():
    _, output, _ = ludus("play", *QUICK, text=typed("values", "quit"))
    listed = re.findall(r"(\d+-\d+)\s+[+-]\d\.\d{2}\n", output)
    assert set(listed) == {str(move) for move in games.find("draughts").start.moves()} and len(listed) == 7


@pytest.mark.parametrize("search", [searches.Greedy(), searches.Minimax(), searches.AlphaBeta(quiescence=False)])
@pytest.mark.parametrize(("game", "network"), [("tictactoe3d", "deep-structured"), ("draughts", "featuremap12")])
def test_the_values_of_a_trained_player_are_its_network_s(game, network, search):
    learner = Td(game=game, network=network)
    evaluator = named_networks.find(network, game).make(True)
    theta = networks.random_theta(evaluator.layers, np.random.default_rng(1), -0.3, 0.3)
    budget = None if isinstance(search, searches.Greedy) else Budget(depth=1)
    player = msgspec.structs.replace(learner.player(theta), search=search, budget=budget)
    side = sides.PlayerSide(player)
    core = games.find(game).core
    valued = evaluator.build(core, theta)
    listed = [line.split() for line in side.values(core.START, [], 0)]
    assert {move: float(value) for move, value in listed} == {
        core.START.write(move): pytest.approx(side.scale.amount(valued.value(core.START.play(move))), abs=6e-3)
        for move in core.START.moves()
    }


def test_the_four_levels_stand_side_by_side_and_columns_have_values(tmp_path):
    learner = Td(network="symmetric-patterns", games=1, test_games=1)
    with Workers.open(1) as workers:
        *_, last = learner.learn(None, workers)
    players.save(last.player, tmp_path / "p")
    path = str(tmp_path / "p")
    _, output, _ = ludus("play", "-g", "tictactoe3d", "-w", path, "--adviser", path, text=typed("a1", "values", "quit"))
    rows = [line for line in output.splitlines() if re.match(r"[1-4] ", line)]
    assert len(rows) == 8 and all(re.fullmatch(r"[1-4]( [.wb]){4}((   [.wb])( [.wb]){3}){3}", row) for row in rows)
    assert rows[7].startswith("1 w") and "level 1   level 2   level 3   level 4" in output
    columns = {f"{letter}{digit}" for letter in "abcd" for digit in "1234"}
    assert set(re.findall(r"([a-d][1-4])\s+[+-]\d\.\d{2}", output)) == columns


def test_a_player_without_values_is_reported():
    _, output, _ = ludus("play", "-w", "random", "--adviser", "random", text=typed("values", "quit"))
    assert "random moves at random and values no moves" in output


def test_a_win_is_shown_as_the_plies_to_it():
    _, output, _ = ludus("play", *QUICK, "-p", "B:W15:B10", text=typed("values", "quit"))
    assert re.search(r"10x19\s+win in 1", output)


def test_back_takes_back_a_move_and_its_answer(tmp_path):
    path = tmp_path / "game.pdn"
    lines = typed("back", "11-15", "9-13", "back", "back", "back", "12-16", f"save {path}", "quit")
    _, output, _ = ludus("play", "-w", "random", "--seed", "1", text=lines)
    assert output.count("There is no move of yours to take back.") == 2
    (record,) = pdn.read(path.read_text().splitlines(keepends=True))
    assert str(record.moves[0]) == "12-16" and len(record.moves) == 2


def test_the_second_side_has_nothing_to_take_back_after_one_move():
    _, output, _ = ludus("play", "-w", "random", "--side", "second", text=typed("back", "quit"))
    assert output.startswith("You are White, against random.")
    assert "There is no move of yours to take back." in output


def test_resigning_ends_the_game(tmp_path):
    path = tmp_path / "game.pdn"
    status, output, _ = ludus("play", "-w", "random", "--save", str(path), text=typed("11-15", "resign"))
    assert status == 0 and "White wins: Black resigned" in output
    assert saved("draughts", path)[1] == games.Outcome(Color.WHITE, games.Reason.RESIGNATION)


@pytest.mark.parametrize("word", ["quit", "exit", "QUIT"])
def test_leaving_saves_nothing_by_itself(word, tmp_path):
    status, output, errors = ludus("play", "-w", "random", text=typed(word))
    assert (status, errors) == (0, "") and output.endswith("your move> ")
    assert not list(tmp_path.iterdir())


def test_the_end_of_the_input_leaves_the_game(tmp_path):
    path = tmp_path / "game.pdn"
    status, output, errors = ludus("play", "-w", "random", "--seed", "1", "--save", str(path), text="11-15\n9-13")
    assert (status, errors) == (0, "")
    assert "Nothing more to read: the game is left here.\n" in output
    assert output.endswith(f"which holds this game.\nGo on with: ludus play --resume {path}\n")
    moves, outcome, _ = saved("draughts", path)
    assert len(moves) == 4 and outcome is None


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("1-2", "'1-2' is not legal"),
        ("0", "Type help for help."),
        ("8", "Type help for help."),
        ("9" * 5000, "Type help for help."),
        ("hello", "Type help for help."),
        ("é", "Type help for help."),
        ("save", "Say where: save game.pdn"),
        ("save /", "Say where: save game.pdn"),
        ("save /dev/null/x", "There is no folder /dev/null: make it first"),
        ("save /dev/null", "is no file but a device, a pipe or a socket; nothing was written"),
        ("save a\0b", "mbedded null byte."),
        ("level 0", "levels are 1 to 9, not 0."),
        ("level x", "Say which level: level 1 to level 9."),
        ("setup", "Say which position: setup B:W21"),
        ("setup nonsense", "'nonsense' is not a position"),
        ("help", "take back your last move"),
        ("?", "take back your last move"),
        ("   ", ""),
    ],
)
def test_bad_input_is_answered_and_asked_again(line, answer):
    status, output, errors = ludus("play", "-w", "random", text=typed(line, "11-15", "quit"))
    assert (status, errors) == (0, "")
    assert answer in output and "random plays " in output
    assert output.count("your move> ") == 3


@pytest.mark.parametrize("environment", [{}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_bytes_that_are_no_text_are_no_move(environment):
    status, output, errors = ludus("play", "-w", "random", text=b"\xff\xfe\n11-15\nquit\n", environment=environment)
    assert (status, errors) == (0, "")
    assert "random plays " in output


def test_a_closed_input_leaves_the_game():
    command = f"'{LUDUS}' play -w random <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and "the game is left here" in done.stdout and done.stderr == ""


def test_a_game_begins_at_the_given_position(tmp_path):
    path = tmp_path / "game.pdn"
    status, output, _ = ludus("play", "-w", "random", "-p", "B:W15:B10", "--save", str(path), text=typed("10x19"))
    assert status == 0 and "Black wins: White cannot move" in output
    assert saved("draughts", path)[2].text == "B:W15:B10"


def test_the_position_tells_the_game():
    _, output, _ = ludus("play", "-p", EMPTY, *QUICK, text=typed("a1", "quit"))
    assert output.startswith("You are White, against champion3d, nodes=200 a move.")


@pytest.mark.parametrize(
    ("side", "you"), [("black", "Black"), ("white", "White"), ("first", "White"), ("second", "Black")]
)
def test_the_side_is_a_colour_or_an_order(side, you):
    _, output, _ = ludus("play", "-w", "random", "-p", "W:W22:B9", "--side", side, text="quit\n")
    assert output.startswith(f"You are {you}, against ")


def test_the_strongest_player_plays_at_a_level():
    status, output, _ = ludus("play", "--level", "1", text=typed("11-15", "quit"))
    assert status == 0 and "champion plays " in output
    assert output.startswith("You are Black, against champion at level 1.\nLevel 1, a beginner")


def test_the_same_seed_plays_the_same_game():
    def game(seed):
        return ludus("play", "-w", "random", "--seed", seed, text="1\n" * 20)[1]

    assert game("1") == game("1") != game("2")


def test_a_player_from_a_file_plays(tmp_path):
    players.save(find("material").with_budget(Budget(nodes=100)), tmp_path / "p")
    status, output, _ = ludus("play", "-w", str(tmp_path / "p"), text=typed("11-15", "quit"))
    assert status == 0 and "material plays " in output


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("play", "-w", "nobody"), "there is no player nobody"),
        (("play", "-g", "draughts", "-w", "benchmark"), "benchmark plays tictactoe3d, not draughts"),
        (("play", "-p", "nonsense"), "'nonsense' is not a position"),
        (("play", "-g", "draughts", "-p", EMPTY), "is not a position"),
        (("play", "-b", "soon"), "'soon' is not a budget: write depth=8"),
        (("play", "-b", "depth=0"), "a budget of depth is more than 0, not 0"),
        (("play", "-b", "nodes=" + "9" * 30), "a budget of nodes is at most"),
        (("play", "-b", "playouts=3"), "pvs takes a budget of nodes or depth or seconds, not playouts"),
        (("play", "-w", "random", "-b", "depth=3"), "random chooses at once"),
        (("play", "--level", "3", "-b", "depth=3"), "give a level or a budget, not both"),
        (("play", "--level", "3", "-w", "random"), "random moves at random, so it has no levels"),
        (("play", "--save", "nowhere/game.pdn"), "the game cannot be saved: there is no folder nowhere"),
        (("play", "--resume", "nowhere.pdn"), "nowhere.pdn cannot be read: No such file"),
        (("play", "--number", "1"), "--number chooses a game of the file of --resume"),
        (("play", "--adviser", "nobody"), "there is no player nobody"),
        (("play", "-g", "tictactoe3d", "-w", "engine+hub:x"), "Hub is a protocol of draughts"),
        (("play", "-w", "engine:x", "--level", "3"), "engine:x is an engine and has no levels"),
        (("analyse", "start", "-w", "random"), "random moves at random and values no moves: name a player that"),
        (("analyse", "start", "-w", "benchmark"), "benchmark follows rules and values no moves"),
        (("analyse", "start", "-w", "engine:/nowhere/x"), "engine:/nowhere/x cannot start /nowhere/x: No such file"),
        (("analyse", "start", "--after", "3"), "--number and --after choose a position of a file of games"),
        (("review", "nowhere.pdn"), "nowhere.pdn cannot be read: No such file"),
        (("train", "samuel", "--budget", "seconds=1"), "must not depend on the clock"),
        (("train", "td", "--against", "uct@seconds=1"), "must not depend on the clock"),
        (("runs", "nowhere"), "there is no folder nowhere"),
        (("analyse", "nonsense"), "'nonsense' is not a position"),
        (("analyse", "a\nb"), "a position is one line of printable text"),
        (("analyse", "start", "-w", "nobody"), "there is no player nobody"),
        (("analyse", "B:W15:B"), "there is nothing to analyse"),
        (("analyse", "start", "-b", "depth=1000"), "a budget of depth is at most 100"),
        (("show", "nobody"), "'nobody' is neither a position nor a player"),
        (("show", "x" * 5000), "is neither a position nor a player"),
        (("show", "B:W99:B1"), "'99' is not a square"),
        (("show", "/"), "is neither a position nor a player"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_status_2(arguments, reason):
    assert reason in refused(*arguments)


def test_an_argument_that_is_no_text_is_refused():
    for arguments in (("show", b"\xff"), ("analyse", b"\xff"), ("play", "-p", b"\xff"), ("play", "-w", b"\xff")):
        assert refused(*arguments)


@pytest.mark.parametrize("seed", ["-1", str(2**64)])
def test_a_seed_has_64_bits(seed):
    assert ludus("play", "--seed", seed)[0] == 2
    assert ludus("analyse", "start", "--seed", seed)[0] == 2


@pytest.mark.parametrize("spoil", ["empty", "foreign", "cut"])
def test_a_broken_player_is_one_sentence(spoil, tmp_path):
    path = tmp_path / "p"
    players.save(find("material"), path)
    path.write_bytes({"empty": b"", "foreign": b"hello, world", "cut": path.read_bytes()[:-1]}[spoil])
    for arguments in (("show", str(path)), ("play", "-w", str(path)), ("analyse", "start", "-w", str(path))):
        assert "not a safetensors file" in refused(*arguments)


def test_a_game_that_cannot_be_saved_is_reported():
    status, _, errors = ludus("play", "-w", "random", "--save", "/dev/null/x", text="quit\n")
    assert status == 2 and "the game cannot be saved: there is no folder /dev/null" in errors


# Leaving early.


@pytest.mark.parametrize("arguments", [("play",), ("analyse", "start", "-b", "seconds=1000")])
def test_an_interrupt_leaves_no_traceback(arguments):
    with subprocess.Popen(
        [LUDUS, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        output = b""
        while (b"your move" if arguments == ("play",) else b"depth ") not in output:
            output += process.stdout.read1()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert b"Traceback" not in output + errors


@pytest.mark.parametrize("command", ["analyse start -b depth=9", "show start", "play"])
def test_a_reader_that_leaves_early_leaves_no_traceback(command):
    line = f"yes 1 | '{LUDUS}' {command} | head -1"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.count("\n") == 1 and "Traceback" not in done.stderr and "Error" not in done.stderr


# Analysis.


def test_analysis_prints_depth_value_and_nodes_and_every_move_once():
    status, output, errors = ludus("analyse", "B:W22,23:B5,8,9,11,14", "-b", "depth=3")
    assert (status, errors) == (0, "")
    lines = output.splitlines()
    table = lines[next(i for i, line in enumerate(lines) if line.split()[:3] == ["depth", "men", "nodes"]) :]
    end = next(i for i, line in enumerate(table) if line.startswith("every move and its value in men, for Black"))
    rows, moves = table[1:end], table[end + 1 : -2]
    assert [row.split()[0] for row in rows] == ["1", "2", "3"]
    assert "win in 3" in rows[-1] and "14-18" in rows[-1]
    counts = [int(re.search(r"\s([\d,]+)\s", row[17:])[1].replace(",", "")) for row in rows]
    legal = {str(move) for move in games.find("draughts").position("B:W22,23:B5,8,9,11,14").moves()}
    assert len(legal) <= counts[0] < counts[1] <= counts[2]
    assert sorted(line.split()[0] for line in moves) == sorted(legal)
    assert table[-2].startswith("best line: 14-18 ") and table[-1] == "best: 14-18"


def test_the_position_sets_the_game_of_an_analysis():
    status, output, _ = ludus("analyse", "w,w,w,-/b,b,b,-/-,-,-,-/-,-,-,-")
    assert status == 0
    assert output.splitlines()[-1] == "best: d1" and "win in 1" in output


def test_analysis_by_playouts_shows_the_last_of_them():
    history = games.find("draughts").history()
    seen = list(analysis.iterations(ActivePlayer(find("uct").with_budget(Budget(playouts=25_000))), history))
    assert [found.nodes for found in seen] == [10_000, 20_000, 25_000]


def test_analysis_shows_an_iteration_once():
    history = games.find("draughts").history()
    seen = list(analysis.iterations(ActivePlayer(find("material").with_budget(Budget(nodes=5000))), history))
    assert [found.depth for found in seen] == list(range(1, len(seen) + 1)) and len(seen) > 3


def test_to_stop_asking_is_to_stop_the_search():
    history = games.find("draughts").history()
    iterations = analysis.iterations(ActivePlayer(find("material").with_budget(Budget(seconds=10**6))), history)
    assert next(iterations).depth == 1
    iterations.close()  # returns, for the search has ended


def test_an_error_of_the_search_comes_out_of_the_analysis():
    history = games.find("draughts").history(games.find("draughts").position("W:W29:B25,22"))
    with pytest.raises(ValueError, match="the game is over"):
        list(analysis.iterations(ActivePlayer(find("material")), history))


@pytest.mark.parametrize("player", players.BASELINES, ids=lambda player: f"{player.game}-{player.name}")
def test_every_baseline_can_be_asked(player):
    status, output, _ = ludus("analyse", "start", "-g", player.game, "-w", player.name)
    can_search = player.name not in ("random", "benchmark")
    assert (status == 0 and output.splitlines()[-1].startswith("best: ")) if can_search else status == 2
    assert ludus("show", player.name, "-g", player.game)[1] == player.describe() + "\n"


def test_show_draws_a_position():
    _, output, _ = ludus("show", "B:W15:B10")
    assert output.splitlines()[-3:] == ["B:W15:B10", "1 legal move: 10x19", "table: Black to move: win in 1"]


# At the board, without a process.


def table(player, start, person, lines, seed=0, **options):
    """A table where these lines are typed, and what is told at it."""
    told = []
    typing = iter(lines)
    game = games.find(player.game)
    adviser = options.pop("adviser", find("champion@nodes=2000") if player.game == "draughts" else player)
    return play.TerminalGame(
        game,
        sides.PlayerSide(player, options.pop("level", None)),
        start,
        person,
        lambda prompt: next(typing, None),
        told.append,
        seed=seed,
        adviser=lambda: sides.PlayerSide(adviser),
        **options,
    ), told


def test_a_finished_position_is_shown_and_nothing_is_asked():
    start = games.find("draughts").position("W:W29:B25,22")
    board, told = table(find("random"), start, Color.WHITE, ["1"])
    record = board.play()
    assert record.moves == () and str(record.outcome) == "Black wins: White cannot move"
    assert "\n".join(told).count("Black wins") == 1


def test_a_game_drawn_by_the_rules_ends():
    start = games.find("draughts").position("W:WK1:BK32")
    material = find("material").with_budget(Budget(depth=1))
    board, told = table(material, start, Color.WHITE, ["1"] * 200)
    record = board.play()
    assert record.outcome is not None
    assert str(record.outcome) in "\n".join(told)


def test_the_player_sees_the_game_and_not_only_the_position():
    # A random player's move depends on how many plies have been played: taking back and playing again repeats it.
    board, _ = table(find("random"), games.find("draughts").start, Color.BLACK, ["11-15", "back", "11-15", "quit"])
    record = board.play()
    board, _ = table(find("random"), games.find("draughts").start, Color.BLACK, ["11-15", "quit"])
    assert board.play().moves == record.moves


def test_ctrl_c_saves_the_game(tmp_path):
    path = tmp_path / "game.pdn"
    command = [sys.executable, "-m", "ludus", "play", "--level", "1", "--save", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write("11-15\n")
        process.stdin.flush()
        while "champion plays" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "11-15" in path.read_text() and f"Go on with: ludus play --resume {path}" in output


def test_the_metadata_of_a_saved_player_is_what_show_tells(tmp_path):
    players.save(find("material"), tmp_path / "p")
    content = (tmp_path / "p").read_bytes()
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    assert json.loads(header["__metadata__"][players.file.FORMAT])["name"] == "material"
    assert ludus("show", str(tmp_path / "p"))[1] == find("material").describe() + "\n"
