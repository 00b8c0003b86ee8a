"""The arena: ladders and matches as they are, live; their games; matches that the page starts, stops and resumes."""

import contextlib
import time

import pytest

from client import Tab, running
from ludus import games, players
from ludus.arena import kept, ladder, matches
from ludus.arena.description import describe
from ludus.arena.journal import Journal
from ludus.arena.matches import MatchConfig
from ludus.arena.sprt import Sprt
from ludus.workers import Workers

NAMES = ("random", "material@depth=1", "material@depth=2")
CONFIG = MatchConfig(games=4)


def found(*names):
    return [players.find(name, "draughts") for name in names]


def last(standings, *_):
    *_, standing = standings
    return standing


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with a ladder of three players and a match."""
    folder = tmp_path_factory.mktemp("arena") / "runs"
    for _ in ladder.play(found(*NAMES), CONFIG, Workers(), folder / "ladder", last):
        pass
    play(folder / "matches" / "one", CONFIG)
    return folder


def play(folder, config, names=NAMES[1:]):
    pair = tuple(found(*names))
    with contextlib.closing(Journal(folder, matches.fingerprint(pair, config))) as journal:
        describe(folder, pair, config)
        return last(matches.play(pair, config, Workers(), journal))


@pytest.fixture(scope="module")
def server(runs):
    with running(runs.parent, threads=1) as found:
        yield found


@pytest.fixture
def tab(server):
    with Tab(server[0], server[1].token) as tab:
        yield tab


def first(tab, kind, **fields):
    number = tab.begin(kind, **fields)
    while (answer := tab.receive())["id"] != number:  # a late one of a stream before it
        pass
    tab.cancel(number)
    return answer


def test_ladders_and_matches_are_listed(tab):
    answer = first(tab, "watch-arena")
    (one,) = answer["ladders"]
    assert (one["ladder"], one["players"], one["games"], one["running"]) == ("ladder", 3, 12, False)
    listed = {line["match"]: line for line in answer["matches"]}
    assert "matches:one" in listed and not any(name.startswith("ladder") for name in listed)
    assert listed["matches:one"]["state"] == "finished" and listed["matches:one"]["players"] == list(NAMES[1:])
    first_names = [ladder["rows"][0]["name"] for ladder in answer["package"]]
    assert first_names == ["champion", "champion3d"]


def test_a_ladder_has_the_numbers_of_its_report(tab, runs):
    view = first(tab, "watch-ladder", ladder="ladder")["view"]
    rated = kept.read_ladder(runs / "ladder").ladder()
    assert [row["name"] for row in view["rows"]] == list(rated.names)
    assert [row["elo"] for row in view["rows"]] == pytest.approx([rating.elo for rating in rated.ratings])
    for row in view["rows"]:
        for cell, other in zip(row["cells"], rated.names, strict=True):
            if other == row["name"]:
                assert cell["match"] is None
            else:
                assert cell["score"] == rated.score(row["name"], other).score
                pair = first(tab, "watch-match", match=cell["match"])["view"]
                assert set(pair["line"]["players"]) == {row["name"], other} and pair["ladder"] == "ladder"


def test_a_match_is_shown_with_its_games(tab):
    view = first(tab, "watch-match", match="matches:one")["view"]
    score = view["line"]["score"]
    assert score["games"] == 4 == score["wins"] + score["draws"] + score["losses"]
    assert score["low"] <= score["score"] <= score["high"]
    assert sum(each["games"] for each in view["endings"]) == 4 and sum(view["pentanomial"]) == 2
    assert [game["number"] for game in view["games"]] == [1, 2, 3, 4]
    assert {view["games"][0]["black"], view["games"][0]["white"]} == set(NAMES[1:])
    assert view["games"][0]["black"] == view["games"][1]["white"]


def test_a_game_of_a_match_can_be_replayed(tab):
    answer = tab.ask("match-game", match="matches:one", number=2)
    position = games.find("draughts").start
    for move in answer["moves"]:
        position = position.play(move)
    read = tab.ask("read", text=answer["text"], game=None)
    assert read["type"] == "games" and len(read["games"]) == 1
    assert len(read["games"][0]["line"]["moves"]) == len(answer["moves"])
    assert tab.ask("match-game", match="matches:one", number=5)["type"] == "error"


@pytest.mark.parametrize("name", ["nothing", "../runs", "matches/one", "matches:..:one"])
def test_an_id_that_was_not_found_is_no_path(tab, name):
    for kind, field in (("watch-match", "match"), ("watch-ladder", "ladder"), ("resume-match", "match")):
        assert tab.ask(kind, **{field: name})["type"] == "error"


def test_a_match_that_goes_on_in_another_process_is_seen_growing(tab, runs):
    folder, config = runs / "matches" / "growing", MatchConfig(games=20, sprt=Sprt(0, 20))
    pair = tuple(found(*NAMES[1:]))
    with contextlib.closing(Journal(folder, matches.fingerprint(pair, config))) as journal:
        describe(folder, pair, config)
        standings = matches.play(pair, config, Workers(), journal)
        next(standings)
        tab.begin("watch-match", match="matches:growing")
        seen = []
        while len(seen) < 3:
            view = tab.receive()["view"]
            assert view["line"]["state"] == "running" and view["line"]["planned"] == 20
            assert view["sprt"]["low"] < view["sprt"]["llr"] < view["sprt"]["high"]
            seen.append(view["line"]["score"]["games"])
            for _ in range(2):
                next(standings)
        assert seen == [0, 2, 4]
        assert tab.ask("stop-match", match="matches:growing")["type"] == "error"


BAD = [
    ({"first": "engine:sh -c true", "second": "random"}, "no player"),
    ({"first": "/etc/passwd", "second": "random"}, "no player"),
    ({"first": "random", "second": "runs/td"}, "no player"),
    ({"first": "random", "second": "nobody"}, "no player"),
    ({"first": "random", "second": "material", "second_budget": "depth=many"}, "budget"),
    ({"first": "random", "second": "material", "games": 3}, "even"),
    ({"first": "random", "second": "material", "openings": "best"}, "openings"),
    ({"first": "random", "second": "material", "elo0": 5}, "two differences"),
    ({"first": "random", "second": "material", "elo0": 5, "elo1": 1}, "elo0"),
]


@pytest.mark.parametrize(("request_", "words"), BAD)
def test_a_bad_match_gets_a_sentence(tab, runs, request_, words):
    before = {path.name for path in (runs / "matches").iterdir()}
    answer = tab.ask("match", game="draughts", **request_)
    assert answer["type"] == "error" and words in answer["message"]
    assert {path.name for path in (runs / "matches").iterdir()} == before


def test_a_match_is_started_stopped_and_resumed(tab, runs):
    asked = {"first": "material", "second": "material", "first_budget": "depth=3", "second_budget": "depth=2"}
    started = tab.ask("match", game="draughts", games=2000, **asked)
    assert started["type"] == "match-started", started
    name = started["match"]
    seen = first(tab, "watch-match", match=name)
    line = seen.get("view", seen)["line"]
    assert line["state"] == "running" and line["here"] and line["players"] == ["material@depth=3", "material@depth=2"]
    folder = runs / "matches" / name.partition(":")[2]
    until = time.monotonic() + 60
    while not kept.read_match(folder).standing.played and time.monotonic() < until:
        time.sleep(0.05)
    assert tab.ask("stop-match", match=name)["type"] == "match-started"
    stopped = kept.read_match(folder)
    assert not stopped.running and 0 < len(stopped.standing.played) < 2000
    line = first(tab, "watch-match", match=name)["view"]["line"]
    assert line["state"] == "stopped" and line["again"]
    assert tab.ask("resume-match", match=name)["type"] == "match-started"
    assert tab.ask("stop-match", match=name)["type"] == "match-started"
    assert len(kept.read_match(folder).standing.played) >= len(stopped.standing.played)


def test_an_old_match_without_names_is_shown(tmp_path):
    play(tmp_path, CONFIG)
    (tmp_path / "match.json").unlink()
    read = kept.read_match(tmp_path)
    assert read.game == "draughts" and read.config.games == 4 and read.players[0].startswith("player ")


def test_a_broken_journal_is_a_sentence(tmp_path):
    (tmp_path / "journal.jsonl").write_text('{"players": 3}\n')
    with pytest.raises(ValueError, match="broken"):
        kept.read_match(tmp_path)
