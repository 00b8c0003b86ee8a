"""A ladder: every two players meet once, a later player plays only what is missing; its table, picture and page."""

from html.parser import HTMLParser
from itertools import combinations
from xml.etree import ElementTree

import pytest

from ludus import players
from ludus.arena import ladder as ladders
from ludus.arena.matches import MatchConfig
from ludus.arena.score import Score
from ludus.players import BadPlayer
from ludus.reports import ladder as ladder_page
from ludus.workers import Workers
from matches import finish, newest_first, timeless

CONFIG = MatchConfig(games=10)
SVG = "{http://www.w3.org/2000/svg}"


def last(standings, games, title):
    *_, standing = standings
    assert standing.score.games == games
    return standing


def play(names, folder, config=CONFIG):
    """The standings of all pairs by name, and the tasks that were played for them."""
    with newest_first() as executor:
        ends = ladders.play([players.find(name) for name in names], config, Workers(executor), folder, last)
        standings = {(one.name, other.name): standing for (one, other), standing in ends}
    return standings, executor.tasks


def test_every_two_players_meet_once():
    names = ["random", "material@depth=1", "material@depth=3"]
    standings, tasks = play(names, None)
    assert {frozenset(pair) for pair in standings} == {
        frozenset(("random", "material@depth=1")),
        frozenset(("random", "material@depth=3")),
        frozenset(("material@depth=1", "material@depth=3")),
    }
    assert len(tasks) == 30
    for (one, other), standing in standings.items():
        alone = finish((players.find(one), players.find(other)), CONFIG)
        assert timeless(standing.played) == timeless(alone.played)


def test_the_order_of_the_players_does_not_change_the_matches(tmp_path):
    names = ["random", "material@depth=1", "material@depth=2"]
    first, _ = play(names, tmp_path)
    again, tasks = play(names[::-1], tmp_path)
    assert again == first and tasks == []


def test_what_a_killed_ladder_was_writing_is_swept(tmp_path):
    play(["random", "material@depth=1"], tmp_path)
    (match,) = (tmp_path / "matches").iterdir()
    (match / ".match.json.0123abcd").write_text("{")
    play(["random", "material@depth=1"], tmp_path)
    assert sorted(path.name for path in match.iterdir()) == ["journal.jsonl", "match.json"]


def test_a_player_that_comes_later_plays_only_the_missing_pairs(tmp_path):
    _, tasks = play(["random", "material@depth=1"], tmp_path)
    assert len(tasks) == 10
    _, tasks = play(["random", "material@depth=2", "material@depth=1"], tmp_path)
    assert len(tasks) == 20
    assert all("material@depth=2" in [player.name for player in task.players] for task in tasks)
    _, tasks = play(["material@depth=2", "material@depth=1"], tmp_path)
    assert tasks == []


def test_more_games_are_added_to_every_pair(tmp_path):
    names = ["random", "material@depth=1"]
    play(names, tmp_path)
    standings, tasks = play(names, tmp_path, MatchConfig(games=16))
    assert len(tasks) == 6
    assert [standing.score.games for standing in standings.values()] == [16]


def test_two_players_of_one_name_are_refused(tmp_path):
    with pytest.raises(ValueError, match="two players are called random"):
        play(["random", "uct", "random"], tmp_path)
    assert not list(tmp_path.iterdir())


def test_players_of_two_games_are_refused_before_anything_is_played(tmp_path):
    with pytest.raises(BadPlayer, match="plays draughts and"):
        play(["random", "material@depth=1", "benchmark"], tmp_path)
    assert not list(tmp_path.iterdir())


# What is shown

EVIL = '<b a="1">&amp;\'</b>'


@pytest.fixture
def ladder():
    """The first beats the others, and the second the third."""
    won = Score((0, 0, 0, 0, 5, 45))
    return ladders.Ladder.of({(EVIL, "second"): won, ("third", "second"): won.reversed(), (EVIL, "third"): won})


def test_the_best_is_first_and_scores_are_seen_from_both_sides(ladder):
    assert ladder.names == (EVIL, "second", "third")
    assert ladder.score("second", "third") == ladder.score("third", "second").reversed() == Score((0, 0, 0, 0, 5, 45))


def test_the_table_has_a_line_a_player_with_a_score_against_each(ladder):
    _, *lines = ladder_page.text(ladder).splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]
    cells = [line.rsplit("%", 1)[1].split() for line in lines]
    assert cells == [["-", "98", "98"], ["2", "-", "98"], ["2", "2", "-"]]
    assert lines[1].split()[1] == "second"


def test_the_picture_is_well_formed_and_has_every_name(ladder):
    picture = ElementTree.fromstring(ladder_page.picture(ladder))
    assert picture.tag == f"{SVG}svg"
    texts = [element.text for element in picture.iter(f"{SVG}text")]
    assert [text for text in texts if text in ladder.names] == list(ladder.names)
    dots = [float(element.get("cx")) for element in picture.iter(f"{SVG}circle")]
    assert dots == sorted(dots, reverse=True) and len(dots) == 3


class Reader(HTMLParser):
    """Reads a page strictly: what is opened is closed, in order; collects the cells of its table."""

    VOID = ("meta",)

    def __init__(self):
        super().__init__()
        self.open, self.rows, self.addresses = [], [], []

    def handle_starttag(self, tag, attributes):
        self.addresses += [value for name, value in attributes if name in ("src", "href")]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert "svg" in self.open

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += text


def test_the_page_is_well_formed_and_asks_for_nothing_outside(ladder):
    reader = Reader()
    reader.feed(ladder_page.page(ladder, f"ludus ladder '{EVIL}'"))
    reader.close()
    assert reader.open == [] and reader.addresses == []
    assert [row[1] for row in reader.rows[1:]] == list(ladder.names)
    assert [row[6:] for row in reader.rows] == [
        ["1", "2", "3"],
        ["-", "98", "98"],
        ["2", "-", "98"],
        ["2", "2", "-"],
    ]


@pytest.mark.parametrize(
    "score", [Score((0, 0, 1, 0, 0, 0)), Score((0, 0, 0, 0, 0, 5000)), Score((0, 0, 9**9, 0, 0, 0))]
)
def test_any_result_can_be_drawn(score):
    ladder = ladders.Ladder.of({("one", "other"): score})
    ElementTree.fromstring(ladder_page.picture(ladder))
    assert len(ladder_page.text(ladder).splitlines()) == 3


def test_the_page_says_that_an_arrow_is_outside_the_axis():
    even, lost = Score((0, 0, 10, 0, 0, 0)), Score((50, 0, 0, 0, 0, 0))
    names = ["one", "two", "three", "four"]
    scores = dict.fromkeys(combinations(names, 2), even) | {("random", name): lost for name in names}
    page = ladder_page.page(ladders.Ladder.of(scores), "ludus ladder")
    assert "An arrow marks a rating outside the axis" in page
    assert "An arrow" not in ladder_page.page(ladders.Ladder.of({("one", "two"): even}), "ludus ladder")


# The command


def test_a_ladder_leaves_its_table_its_picture_and_its_page(run, tmp_path):
    command = ("ladder", "random", "material@depth=1", "--games", "10", "--out", tmp_path)
    status, out, err = run(*command)
    assert (status, err) == (0, "")
    assert [line.split()[1] for line in out.splitlines()[1:]] == ["material@depth=1", "random"]
    assert (tmp_path / "ladder.txt").read_text() == out
    ElementTree.parse(tmp_path / "ladder.svg")
    assert "ludus ladder random material@depth=1 --games 10" in (tmp_path / "ladder.html").read_text()
    assert run(*command) == (status, out, err)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["random"], "two players or more"),
        (["random", "random"], "two players are called random"),
        (["random", "nobody"], "there is no player nobody"),
        (["samuel", "benchmark"], "benchmark plays tictactoe3d, not draughts"),
    ],
)
def test_bad_arguments_are_a_sentence_and_status_2(run, arguments, reason, tmp_path):
    status, out, err = run("ladder", *arguments, "--out", tmp_path / "new")
    assert (status, out) == (2, "")
    assert reason in err and err.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_a_folder_holds_one_ladder(run, tmp_path):
    command = ("ladder", "random", "material@depth=1", "--game", "draughts", "--games", "2", "--out", tmp_path)
    assert run(*command)[0] == 0
    status, out, err = run(*command, "--seed", "3")
    assert (status, out) == (2, "")
    assert err == f"ludus: {tmp_path} holds another ladder: another game, other openings, rules or seed\n"
