"""Games as texts over the socket: read, written and saved."""

import pytest

from client import line
from ludus.games import pdn

PDN = """[Event "One"]
[Black "Ann"]
[White "<b>Bob</b>"]
[Result "*"]

1. 11-15 22-18 2. 15x22 25x18 *

[Event "Broken"]

1. 11-15 11-15 *

[Event "Two"]
[Result "1/2-1/2"]

1. 9-14 {a comment} 23-19 1/2-1/2
"""


def test_games_are_read_and_broken_ones_are_noted(tab):
    found = tab.ask("read", text=PDN, game=None)
    assert [game["tags"]["Event"] for game in found["games"]] == ["One", "Two"]
    assert found["games"][0]["line"]["moves"] == ["11-15", "22-18", "15x22", "25x18"]
    assert found["games"][0]["tags"]["White"] == "<b>Bob</b>"
    assert found["games"][1]["result"] == "1/2-1/2"
    assert len(found["notes"]) == 1 and found["notes"][0].startswith("line 10")


@pytest.mark.parametrize(
    ("text", "game", "start", "moves"),
    [
        ("W:W18:B15", "draughts", "W:W18:B15", []),
        ("11-15 23-18", "draughts", None, ["11-15", "23-18"]),
        ("1. 11-15 23-18\n2. 8-11", "draughts", None, ["11-15", "23-18", "8-11"]),
        ("w,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-", "tictactoe3d", "w,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-", []),
        ("a1 b2 c3", "tictactoe3d", None, ["a1", "b2", "c3"]),
        ("1. a1 b2 2. c3", "tictactoe3d", None, ["a1", "b2", "c3"]),
        ("a1 b1 a1 b1 a1 b1 a1 1-0", "tictactoe3d", None, ["a1", "b1", "a1", "b1", "a1", "b1", "a1"]),
    ],
)
def test_positions_and_moves_are_read(tab, text, game, start, moves):
    (found,) = tab.ask("read", text=text)["games"]
    assert found["line"] == {"game": game, "start": start, "moves": moves}


@pytest.mark.parametrize("text", ["", "  \n", "hello", "W:W99:B1", "[Event", "11-15 11-15", "\0\0", "{", "z9 a1"])
def test_what_is_no_game_is_said_in_a_sentence(tab, text):
    answer = tab.ask("read", text=text)
    assert answer["type"] == "error", answer
    assert "Traceback" not in answer["message"] and "\n" not in answer["message"]


def test_results_with_the_points_of_white_first_are_understood(tab):
    text = '[Result "1-0"]\n\n1. 11-15 23-18 1-0\n\n[FEN "W:W18:B15"]\n[SetUp "1"]\n[Result "1-0"]\n\n1. 18x11 1-0\n'
    found = tab.ask("read", text=text)
    assert len(found["games"]) == 2
    assert found["games"][1]["outcome"]["winner"] == "white"


def test_what_is_written_reads_back(tab):
    tags = {"Black": 'a "person"', "White": "<i>champion</i>", "Result": "1-0"}
    text = tab.ask("write", line=line("11-15", "22-18"), tags=tags, winner="white", ending="resignation")["text"]
    (record,) = pdn.read(text.splitlines(keepends=True))
    assert record.tags == {"Black": 'a "person"', "White": "<i>champion</i>"}
    assert str(record.outcome) == "White wins: Black resigned"
    cube = tab.ask("write", line=line("a1", "b2", game="tictactoe3d"), tags={"White": "a person"})
    assert cube["text"] == "a1 b2 *\n"


def test_a_game_is_saved_and_never_over_anything_else(tab, server):
    _, settings = server
    assert tab.ask("save", line=line("11-15"), name="mine", tags={"Black": "a person"})["name"] == "mine.pdn"
    answer = tab.ask("save", line=line("9-14"), name="mine.pdn")
    assert answer["name"] == "mine.pdn" and "now holds 2 games" in answer["message"]
    assert str(settings.runs) not in answer["message"]
    assert len(list(pdn.read((settings.games / "mine.pdn").read_text().splitlines(keepends=True)))) == 2
    other = settings.games / "other.pdn"
    other.write_text("not a game\n")
    answer = tab.ask("save", line=line("9-14"), name="other")
    assert answer["type"] == "error" and str(settings.runs) not in answer["message"]
    assert other.read_text() == "not a game\n"


NAMES = ["", "../x", "a/b", "/etc/passwd", ".hidden", "a\0b", "..", "x" * 101, "a\nb", "\u00e9" * 60]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_are_paths_are_refused(tab, server, name):
    answer = tab.ask("save", line=line("11-15"), name=name)
    assert answer["type"] == "error"


def test_an_ending_that_cannot_be_is_refused(tab):
    answer = tab.ask("write", line=line("11-15"), ending="resignation")
    assert answer["type"] == "error"
