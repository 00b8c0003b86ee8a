"""What a person does at the board: saving, resuming, asking for advice, levels, and how the board looks."""

import os
import re
import select
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from ludus import games, players, signals
from ludus.games import Color, pdn
from ludus.play import analysts, levels, saving, typed, values
from ludus.players import ActivePlayer, find
from ludus.players.searches import Budget, Minimax
from ludus.terminal import analysis, board, session, sides
from test_terminal import table

START = games.find("draughts").start
RANDOM = find("random")


def at_board(*lines, player=RANDOM, start=START, person=Color.BLACK, **options):
    """A table at which these lines were typed, and all that was told."""
    place, told = table(player, start, person, lines, **options)
    place.play()
    return place, "\n".join(told)


def records(path):
    return list(pdn.read(path.read_text().splitlines(keepends=True)))


# Saving.


def test_saving_adds_to_a_file_of_games(tmp_path):
    path = tmp_path / "games.pdn"
    for _ in range(2):
        _, told = at_board("11-15", f"save {path}", "quit")
    first, second = records(path)
    assert first.moves[0] == second.moves[0] and first.tags["Black"] == "a person" and first.tags["Date"][:2] == "20"
    assert re.search(r"a person \(Black\) against random \(White\), \d{4}\.\d\d\.\d\d, 2 moves added to ", told)
    assert "which now holds 2 games." in told


def test_a_game_that_is_saved_again_is_not_written_twice(tmp_path):
    path = tmp_path / "games.pdn"
    at_board("9-13", f"save {path}", "quit")
    _, told = at_board("11-15", f"save {path}", "1", f"save {path}", "quit")
    assert "4 moves brought up to date in" in told
    assert [len(record.moves) for record in records(path)] == [2, 4]


def test_a_game_that_took_another_way_leaves_the_saved_one_alone(tmp_path):
    path = tmp_path / "games.pdn"
    at_board("11-15", f"save {path}", "undo", "9-13", f"save {path}", "quit")
    assert [str(record.moves[0]) for record in records(path)] == ["11-15", "9-13"]


@pytest.mark.parametrize("content", ["my diary\n", "; nothing but a comment\n", "\x00\x01"])
def test_any_other_file_is_refused_and_kept(content, tmp_path):
    path = tmp_path / "notes.pdn"
    path.write_text(content)
    _, told = at_board("11-15", f"save {path}", "quit")
    assert "exists and is not a file of games of English draughts; nothing was changed" in told
    assert path.read_text() == content


def test_no_folder_is_made(tmp_path):
    _, told = at_board("11-15", f"save {tmp_path}/new/game.pdn", "quit")
    assert "here is no folder" in told and not list(tmp_path.iterdir())


def test_games_of_tictactoe3d_are_lines_of_a_file(tmp_path):
    path = tmp_path / "games.txt"
    start = games.find("tictactoe3d").start
    for _ in range(2):
        at_board("a1", f"save {path}", "quit", player=find("random", "tictactoe3d"), start=start, person=start.turn)
    game, found = saving.read(path)
    assert game.name == "tictactoe3d" and len(found) == 2 and path.read_text().count("\n") == 2


def test_a_game_is_saved_when_it_is_left_for_a_new_one(tmp_path):
    path = tmp_path / "games.pdn"
    _, told = at_board("11-15", "new", "9-13", "quit", save_to=path)
    assert len(records(path)) == 1 and "A new game: you are Black, the seed is 1." in told


# Resuming.


def test_a_game_is_resumed_where_it_was_left(tmp_path, run, monkeypatch):
    path = tmp_path / "games.pdn"
    at_board("11-15", f"save {path}", "quit")
    (left,) = records(path)
    lines = iter(["1", "resign"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    monkeypatch.setattr(session.Console, "__init__", lambda self: setattr(self, "is_terminal", False))
    status, out, _ = run("play", "--resume", path, "--with", "random")
    (record,) = records(path)
    assert status == 0 and record.moves[:2] == left.moves and len(record.moves) == 4
    assert "White wins: Black resigned\nYou have lost; random has won." in out
    assert "every game of" in run("play", "--resume", path)[2]


def test_a_resumed_game_may_have_another_opponent(tmp_path):
    path = tmp_path / "games.pdn"
    at_board("11-15", f"save {path}", "quit", player=find("material@depth=1"), level=levels.find(1))
    place, _ = table(RANDOM, START, Color.BLACK, ["1", "quit"])
    place.resume(records(path)[0], path)
    tags = place.play().tags
    assert (tags["Black"], tags["White"], "Level" in tags) == ("a person", "random", False)


def test_a_saved_game_knows_opponent_level_and_side():
    tags = {"Black": "champion", "White": "a person", "Opponent": "champion", "Level": "4", "Seed": "77"}
    assert session.settings(None, None, None, tags) == ("champion", 4, None)
    assert session.settings("uct", None, None, tags) == ("uct", None, None)
    assert session.settings(None, 9, None, tags) == ("champion", 9, None)
    assert session.settings(None, None, None, {"Opponent": "x", "Budget": "depth=3"}) == ("x", None, "depth=3")
    assert session.person_of(tags) == Color.WHITE and session.person_of({}) is None
    assert session.seed_of(tags) == 77 and 0 <= session.seed_of({}) < 1_000_000


class Typist:
    """A terminal at which these lines are typed."""

    is_terminal = True

    def __init__(self, lines):
        self.lines, self.told = iter(lines), []

    def ask(self, prompt):
        self.told.append(prompt)
        line = next(self.lines)
        if line == "Ctrl-C":
            raise KeyboardInterrupt
        return line

    def tell(self, text):
        self.told.append(text)


def test_a_game_left_by_ctrl_c_is_offered_for_resuming(tmp_path):
    path = tmp_path / "game.pdn"
    person = Typist(["11-15", "Ctrl-C", f"{tmp_path}/no/x.pdn", str(path)])
    place, _ = table(RANDOM, START, Color.BLACK, [])
    place.ask, place.tell = person.ask, person.tell
    assert session.run(place, person) == signals.INTERRUPTED
    assert len(records(path)) == 1 and person.told[-1] == f"Go on with: ludus play --resume {path}"


@pytest.mark.parametrize("answer", ["", "Ctrl-C"])
def test_the_offer_may_be_declined(answer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    person = Typist(["11-15", "Ctrl-C", answer])
    place, _ = table(RANDOM, START, Color.BLACK, [])
    place.ask, place.tell = person.ask, person.tell
    session.run(place, person)
    assert "The game was not saved." in person.told[-1] and not list(tmp_path.iterdir())


IN_TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"


def test_a_terminal_has_history_colour_and_the_offer(tmp_path):
    command = [sys.executable, "-c", IN_TERMINAL, sys.executable, "-m", "ludus", "play", "-w", "random", "--seed", "1"]
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
    environment.pop("NO_COLOR", None)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=tmp_path, env=environment, bufsize=0) as process:
        seen = b""

        def wait_for(words):
            nonlocal seen
            while words not in seen:
                assert select.select([process.stdout], [], [], 30)[0], (words, seen)
                more = os.read(process.stdout.fileno(), 65_536)
                assert more, (words, seen)
                seen += more
            before, _, seen = seen.partition(words)
            return before

        try:
            assert b"\x1b[48;5;" in wait_for(b"your move> ")
            process.stdin.write(b"11-15\n")
            wait_for(b"random plays ")
            wait_for(b"your move> ")
            process.stdin.write(b"\x1b[A\n")  # the arrow up brings the last line back
            wait_for(b"'11-15' is not legal")
            wait_for(b"your move> ")
            process.stdin.write(b"quit\n")
            wait_for(b"To go on later, name a file")
            process.stdin.write(b"left.pdn\n")
            wait_for(b"Go on with: ludus play --resume left.pdn")
            while os.read(process.stdout.fileno(), 65_536):  # pty.spawn hangs if its output is closed before the end
                pass
        except AssertionError:
            process.kill()
            raise
    assert process.returncode == 0
    assert len(records(tmp_path / "left.pdn")) == 1


# Advice.


@pytest.mark.parametrize("game", ["draughts", "tictactoe3d"])
def test_following_the_hints_wins_against_random(game):
    start = games.find(game).start
    adviser = analysts.strongest(game).with_budget(Budget(nodes=300))
    place, told = table(find("random", game), start, start.turn, [], adviser=adviser)
    hints = []
    place.tell = lambda text: (told.append(text), hints.extend(re.findall(r"^  (\S+)  \(", text)))
    asked = []

    def ask(prompt):
        asked.append(prompt)
        return "hint" if len(asked) % 2 else hints[-1]

    place.ask = ask
    outcome = place.play().outcome
    assert outcome.winner == start.turn and "You have won against random." in told


def test_the_adviser_analyses():
    _, told = at_board("analyse", "quit")
    assert "depth" in told and "best: " in told


def test_a_game_without_its_strongest_player_has_another():
    assert analysts.strongest("draughts").name == "champion"
    assert analysts.strongest("tictactoe3d").name in ("champion3d", "symmetric-patterns")


# The board and what is typed.


def test_the_board_has_numbers_the_last_move_and_kings():
    position = games.find("draughts").position("B:W23,K1:B10,K32")
    lines = board.drawn(position, board.Style(), position.move("10-15")).splitlines()
    assert lines[0].split() == ["[W]", "1", ".", "2", ".", "3", ".", "4"]
    assert "b 10*" in lines[2] and ". 15*" in lines[3] and "[B]32" in lines[7] and lines[8] == "Black to move"


def test_the_own_side_is_at_the_bottom_and_flip_turns_the_board():
    _, told = at_board("flip", "quit", style=board.Style(bottom=Color.BLACK))
    first, second = (part.splitlines() for part in told.split("Black to move")[:2])
    assert first[-1].split()[-1] == "1" and second[-1].split()[-1] == "32"


def test_colour_needs_a_terminal_and_no_color_turns_it_off(monkeypatch):
    class Terminal:
        encoding = "utf-8"

        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert board.Style.of_terminal(Terminal()).colour
    assert "\x1b[" in board.drawn(START, board.Style.of_terminal(Terminal()))
    assert "♛" in board.drawn(games.find("draughts").position("B:WK1:B9"), board.Style(colour=True))
    assert "\x1b[" in board.drawn(games.find("tictactoe3d").start.play("a1"), board.Style(colour=True))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not board.Style.of_terminal(Terminal()).colour
    with Path(os.devnull).open("w") as pipe:
        assert not board.Style.of_terminal(pipe).colour


@pytest.mark.parametrize("text", ["11-15", "11 15", " 11  15 ", "11\u201315", "11\u201415", "11 \u2212 15", "4"])
def test_dashes_and_blanks_are_understood(text):
    assert str(typed.move(START, text)) == "11-15"


@pytest.mark.parametrize("text", ["22x15", "22 15", "22\u00d715", "22X15", "22 x 15"])
def test_captures_are_typed_in_many_ways(text):
    assert str(typed.move(games.find("draughts").position("W:W22:B18,1"), text)) == "22x15"


def test_a_message_has_what_was_typed():
    with pytest.raises(games.IllegalMove, match=r"^'Zug é' is not a move"):
        typed.move(START, "Zug é")


def test_a_position_is_set_up_and_the_end_says_that_it_was_you():
    _, told = at_board("setup B:W15:B10", "10x19")
    assert "Black wins: White cannot move\nYou have won against random." in told


def test_a_draw_is_said():
    place, told = table(RANDOM, START, Color.BLACK, [])
    place._tell_end(START, games.Outcome(None, games.Reason.ADJUDICATION))
    assert told[-1].startswith("The game is a draw")


# Levels, thinking and chance.


def test_levels_are_in_words_and_more_work_and_fewer_careless_moves():
    assert [level.number for level in levels.LEVELS] == list(range(1, 10))
    assert len({level.words for level in levels.LEVELS}) == 9
    for weaker, stronger in zip(levels.LEVELS, levels.LEVELS[1:], strict=False):
        assert weaker.careless >= stronger.careless and weaker.playouts < stronger.playouts
        assert weaker.nodes < stronger.nodes
    for player in players.BASELINES:
        if player.name not in ("random", "benchmark"):
            ActivePlayer(levels.find(1).of(player))
    assert levels.find(4).budget(find("uct")) == Budget(playouts=80)
    assert levels.find(4).budget(find("material").with_search(Minimax())) == Budget(depth=4)


def test_a_level_is_changed_in_the_game():
    place, told = at_board("level 7", "level", "quit", player=find("material"), level=levels.find(1))
    assert "You now play against material at level 7, a club player" in told and told.count("  level ") == 9
    assert place.record().tags["Level"] == "7"


def test_the_thinking_of_the_opponent_is_shown():
    _, told = at_board("11-15", "quit", player=find("material@nodes=500"))
    assert re.search(r"\n  \([+-]\d\.\d\d men, \d+ plies ahead, \d+ positions, \d\.\d s", told)


def test_a_strong_player_does_not_play_the_same_game_every_time():
    side = sides.PlayerSide(find("champion@nodes=300"))
    moves = {side.choose(START, [], seed).move for seed in range(30)}
    assert len(moves) > 1
    assert side.choose(START, [], 3).move == side.choose(START, [], 3).move


def test_a_seed_is_drawn_and_shown():
    _, told = at_board("quit", seed=123)
    assert "The seed is 123." in told


# Values, analysis and review.


def test_a_man_more_is_about_a_man():
    champion = find("champion")
    scale = values.scale_of(champion)
    evaluator = champion.evaluator.build(games.find("draughts").core, champion.theta)
    ahead = games.find("draughts").position("W:W21,22,23,24,25,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12")
    assert scale.amount(evaluator.value(ahead)) == pytest.approx(1, abs=0.4)
    assert values.scale_of(find("uct")).unit == "value"
    assert values.scale_of(analysts.strongest("tictactoe3d")).unit == "value"


def test_nodes_never_fall_and_a_depth_cut_short_has_a_plus():
    history = games.find("draughts").history()
    lines = list(analysis.lines(find("champion@nodes=3000"), history))
    rows = [line.split() for line in lines[1 : next(i for i, line in enumerate(lines) if line.startswith("every"))]]
    nodes = [int(row[2].replace(",", "")) for row in rows]
    assert nodes == sorted(set(nodes))
    assert [row[0] for row in rows[:-1]] == [str(depth) for depth in range(1, len(rows))]
    assert rows[-1][0] in (str(len(rows)), f"{len(rows) - 1}+")


def test_costs_end_where_the_game_is_decided():
    class Found(NamedTuple):
        value: float
        end_in: int | None = None

    scale = values.Scale(0.5)
    assert scale.prospect(Found(0.9, 7)) == scale.prospect(Found(0.99)) == values.DECIDED
    assert scale.prospect(Found(-0.9, -7)) == -values.DECIDED and scale.text(Found(-0.9, -7)) == "loss in 7"
    assert (scale.text(Found(1.0)), scale.text(Found(-1.0)), scale.text(Found(-0.0001))) == ("won", "lost", "+0.00")
    assert values.Scale().prospect(Found(0.25)) == 0.25


BLUNDER = """[Event "?"]
[Black "Ann"]
[White "Bob"]
[Result "*"]

1. 9-14 22-18 2. 5-9 25-22 3. 11-16 30-25 *
"""


def test_a_review_marks_mistakes_and_sums_up_both_sides(tmp_path, run):
    path = tmp_path / "games.pdn"
    path.write_text(BLUNDER + "\n" + BLUNDER.replace("Ann", "Cid"))
    status, out, err = run("review", path, "--game", "1", "--budget", "nodes=3000")
    assert (status, err) == (0, "")
    assert out.startswith("Ann (Black) against Bob (White), 6 moves\n")
    assert re.search(r"White  30-25 +-\d\.\d\d \?{1,2}\n +\w+, costs \d\.\d\d: better \d+-\d+ ", out)
    assert re.search(r"\nBlack \(Ann\): 3 moves, \d blunders?, .*\n  A move cost .* men on average", out)
    assert re.search(r"\nWhite \(Bob\): 3 moves, 1 blunder, .*\n.*the costliest was 3\. 30-25", out)
    assert "Cid (Black)" in run("review", path, "-b", "nodes=200")[1]
    assert "has 2 games, not 3" in run("review", path, "--game", "3")[2]
    assert "random moves at random" in run("review", path, "-w", "random")[2]
    assert "is an engine" in run("review", path, "-w", "engine:x")[2]


def test_show_and_analyse_read_files_of_games(tmp_path, run):
    path = tmp_path / "games.pdn"
    path.write_text(BLUNDER + "\n" + BLUNDER.replace("Ann", "Cid"))
    listed = run("show", path)[1].splitlines()
    assert listed[0] == "1  Ann (Black) against Bob (White), 6 moves: not finished" and listed[1].startswith("2  Cid")
    shown = run("show", path, "--number", "1", "--after", "1")[1]
    assert "1. 9-14 22-18 2. 5-9" in shown and "After 1 of 6 moves:" in shown and "b 14*" in shown
    out = run("analyse", path, "--after", "5", "-b", "depth=2")[1]
    assert "White to move" in out and "best: " in out
    assert "the game has 6 moves, not 7" in run("show", path, "--after", "7")[2]


# Engines.

FAKE = Path(__file__).parent / "fake_engines" / "speaks_lines.py"


def test_an_engine_is_an_opponent_and_an_analyst(tmp_path, run):
    (tmp_path / "lock").touch()
    command = shlex.join([sys.executable, str(FAKE), str(tmp_path / "lock"), str(tmp_path / "told")])
    status, out, _ = run("analyse", "start", "--with", f"engine+line:{command}")
    assert status == 0 and "+0.25 from -1 to 1, 7 plies ahead, 1,234 positions" in out
    assert out.splitlines()[-1].startswith("best: ")
