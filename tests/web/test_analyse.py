"""Live analyses, reviews and explanations over the socket."""

import threading
import time

import pytest

from client import Tab, line

MOVES = "11-15 23-19 8-11 22-17 11-16 24-20 16-23 27-11 7-16 20-11 3-7 28-24 7-16 24-20 16-19"
GAME = MOVES.split(" ")


def live(tab, until, **fields):
    """The analyses until one of them is enough, which is then cancelled."""
    number = tab.begin("analyse", **fields)
    found = []
    while True:
        answer = tab.receive()
        if answer["id"] != number:
            continue
        found.append(answer)
        assert answer["type"] == "analysis", answer
        if until(answer) or answer["final"]:
            tab.cancel(number)
            return found


def test_an_analysis_deepens_and_values_every_move(tab):
    found = live(tab, lambda each: each["depth"] >= 9, line=line("11-15"), lines=3)
    depths = [each["depth"] for each in found]
    assert depths == sorted(set(depths))
    last = found[-1]
    assert len(last["every"]) == len(tab.ask("look", line=line("11-15"))["moves"])
    assert all(each["exact"] for each in last["every"])
    assert [each["moves"][0] for each in last["best"]] == [each["move"] for each in last["every"][:3]]
    for best in last["best"]:
        assert tab.ask("look", line=line("11-15", *best["moves"]))["type"] == "board"
    assert last["best"][0]["prospect"] == last["prospect"]
    assert last["nodes"] > 0 and last["speed"] > 0


@pytest.mark.parametrize("lines", [1, 2, 5])
def test_one_to_five_lines(tab, lines):
    found = live(tab, lambda each: each["depth"] >= 3, line=line(), lines=lines)
    assert len(found[-1]["best"]) == lines


@pytest.mark.parametrize("player", ["uct", "blondie24-1999", "neurodraughts", "mp-draughts", "genetic", "samuel"])
def test_every_kind_of_player_analyses(tab, player):
    found = live(tab, lambda each: each["nodes"] > 1000, line=line(*GAME), player=player, lines=2)
    assert found[-1]["player"] == player


def test_the_cube_is_analysed_too(tab):
    found = live(tab, lambda each: each["depth"] >= 4, line=line("a1", "b2", game="tictactoe3d"), lines=2)
    assert found[-1]["unit"] == "value"
    assert len(found[-1]["every"]) == 16


def test_an_analysis_that_finds_the_end_is_final(tab):
    *_, last = tab.answers("analyse", line=line(start="W:W18:B15"))
    assert last["final"]
    assert last["value"] == "win in 1"
    assert last["prospect"] == 1


def test_more_tabs_than_threads_all_get_their_turn(server):
    port, settings = server
    tabs = [Tab(port, settings.token) for _ in range(2 * settings.threads + 1)]
    try:
        for tab in tabs:
            tab.begin("analyse", line=line())
        for tab in tabs:  # also those that have to wait for a slice of the others
            assert tab.receive(30)["type"] == "analysis"
    finally:
        for tab in tabs:
            tab.__exit__()


def test_players_move_while_analyses_run(server):
    port, settings = server
    tabs = [Tab(port, settings.token) for _ in range(settings.threads)]
    try:
        for tab in tabs:
            tab.begin("analyse", line=line())
        with Tab(port, settings.token) as other:
            assert other.ask("play", line=line(), player="champion", level=3)["type"] == "moved"
    finally:
        for tab in tabs:
            tab.__exit__()


def test_a_closed_tab_stops_its_search(server):
    port, settings = server
    with Tab(port, settings.token) as tab:
        tab.begin("analyse", line=line())
        tab.receive()
    names = [thread.name for thread in threading.enumerate()]
    assert any(name.startswith("live") for name in names)
    before = time.process_time()
    time.sleep(1.0)
    assert time.process_time() - before < 0.8  # a search would have used a whole second


def test_a_review_judges_every_move_and_finds_the_mistake(tab):
    *judged, summary = tab.answers("review", line=line(*GAME))
    assert [each["ply"] for each in judged] == list(range(len(GAME)))
    assert summary["type"] == "reviewed"
    for name in ("black", "white"):
        assert 0 <= summary[name]["accuracy"] <= 100
    assert summary["black"]["moves"] + summary["white"]["moves"] == len(GAME)
    bad = [each for each in judged if each["kind"]]
    assert all(each["better"] and each["cost"] > 0 for each in bad)
    counted = sum(summary[side][kind] for side in ("black", "white") for kind in ("slips", "mistakes", "blunders"))
    assert counted == len(bad)


def test_a_thrown_win_is_marked(tab):
    start = "W:WK18,K19,K23:BK3"
    moves = [move["text"] for move in tab.ask("look", line=line(start=start))["moves"]]
    marks = {}
    for move in moves:
        judged, _ = tab.answers("review", line=line(move, start=start), player="material")
        marks[move] = judged["thrown"]
    assert not all(marks.values())


def test_what_cannot_be_analysed_is_said(tab):
    assert "no move to review" in tab.ask("review", line=line())["message"]
    assert "moves at random" in tab.ask("analyse", line=line(), player="random")["message"]
    assert "the game is over" in tab.ask("analyse", line=line("18x11", start="W:W18:B15"))["message"]
    assert tab.ask("analyse", line=line(), lines=6)["type"] == "error"


@pytest.mark.parametrize("player", ["neurodraughts", "visiondraughts", "ls-draughts", "samuel"])
def test_features_are_explained(tab, player):
    found = tab.ask("explain", line=line(*GAME), player=player)
    assert found["type"] == "explained", found
    assert found["kind"] == "features"
    assert found["items"] and all(item["words"] for item in found["items"])
    assert found["before"] != found["after"]


@pytest.mark.parametrize("player", ["champion", "material", "blondie24-1999", "evolution-strategy"])
def test_pieces_are_explained(tab, player):
    found = tab.ask("explain", line=line(*GAME), player=player)
    assert found["kind"] == "squares"
    assert found["side"] == "black"
    if player == "material":  # a piece of one's own speaks for, one of the other side against
        signs = {item["name"].split()[0]: item["weight"] for item in found["items"] if item["weight"]}
        assert signs["Black"] > 0 > signs["White"]


def test_the_map_is_explained_in_an_endgame(tab):
    found = tab.ask("explain", line=line("18-15", start="W:W18,K19,23:BK3,12"), player="mp-draughts")
    assert found["kind"] == "map"
    assert found["map"]["chosen"] in [unit["number"] for unit in found["map"]["units"]]
    assert found["map"]["words"][0].startswith("network: ")
    opening = tab.ask("explain", line=line("11-15"), player="mp-draughts")
    assert opening["map"]["chosen"] is None
    assert "generalist" in opening["map"]["words"][0]


def test_visits_are_explained(tab):
    for game, player in (("draughts", "uct"), ("tictactoe3d", "uct")):
        found = tab.ask("explain", line=line(game=game), player=player)
        assert found["kind"] == "visits"
        assert sum(each["visits"] for each in found["visits"]) == 1000


def test_cells_are_explained(tab):
    found = tab.ask("explain", line=line("a1", game="tictactoe3d"), player="champion3d")
    assert found["kind"] == "squares"
    assert len(found["items"]) == 16


def test_a_player_without_an_evaluator_has_nothing_to_explain(tab):
    assert tab.ask("explain", line=line(), player="random")["kind"] == "none"


def test_an_analysis_with_several_threads(tab):
    found = live(tab, lambda each: each["depth"] >= 8, line=line("11-15"), threads=64)
    assert found[-1]["depth"] >= 8
