"""Reports: where things lie on a chart, what a table says in three forms, and pages that ask for nothing outside."""

import json
import math
import re
from xml.etree import ElementTree

import pytest

from ludus import players, reports
from ludus.games import draughts, tictactoe3d
from ludus.reports import boards, charts, cloning, td
from ludus.reports.charts import Series
from ludus.reports.svg import labels, ticks
from ludus.reports.tables import Cell, Table
from ludus.runs import BadRun

SVG = "{http://www.w3.org/2000/svg}"
EVIL = '<b a="1">&amp;\'</b>'


def drawn(chart, tag):
    return list(ElementTree.fromstring(chart).iter(SVG + tag))


def test_ticks_are_round():
    assert labels(ticks(0, 1_000_000)) == ["0", "200k", "400k", "600k", "800k", "1M"]
    assert labels(ticks(0, 1)) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert labels(ticks(-120, 90), signed=True) == ["-100", "-50", "0", "+50"]


def test_points_lie_where_their_values_are():
    chart = charts.lines([Series(EVIL, [0, 5, 10], [0, 50, 100])], title=EVIL, x_title="x", y_title="y")
    (line,) = drawn(chart, "polyline")
    assert line.get("points") == "56,264 283,144 510,24"
    assert ElementTree.fromstring(chart).get("aria-label") == EVIL


def test_a_line_is_broken_where_nothing_is_known():
    series = Series("a", [1, 2, 3, 4, 5], [1, 2, math.nan, 4, 5])
    assert len(drawn(charts.lines([series], title="", x_title="", y_title=""), "polyline")) == 2
    assert "nothing to draw" in charts.lines([], title="", x_title="", y_title="")


def test_a_histogram_counts():
    bars = drawn(charts.histogram([0, 0, 0, 1, math.nan], title="", x_title="", bins=2), "rect")
    assert [bar[0].text.split()[0] for bar in bars] == ["3", "1"]


def test_boards_have_their_pieces():
    board = boards.draughts_board(draughts.Position("W:WK1,18:B5"))
    assert [(c.get("cx"), c.get("cy")) for c in drawn(board, "circle")] == [("60", "20"), ("20", "60"), ("140", "180")]
    assert len(drawn(board, "polygon")) == 1
    cube = boards.tictactoe3d_board(tictactoe3d.START.play("a1").play("a1"))
    assert [c.get("cx") for c in drawn(cube, "circle")] == ["28", "138"]


def test_a_map_has_a_tile_a_unit():
    units = [boards.Unit(EVIL, 3, draughts.START, (EVIL,), "50%")] * 7
    assert len(drawn(boards.map_tiles(units, title=""), "g")) == 7


def test_one_table_in_three_forms():
    table = Table(("name", "won"), (("a|b", Cell("83.1", "*")), ("c", "7.0")), notes={"*": "better"})
    assert table.text() == "name   won\na|b   83.1*\nc      7.0\n* better"
    assert table.markdown().splitlines()[1:3] == ["| --- | ---: |", "| a\\|b | 83.1\\* |"]
    assert "<td>83.1<sup>*</sup></td>" in table.html()


def test_peak_and_end():
    assert td.peak_and_end([0.1, 0.9, 0.5, 0.6, 0.8]) == (0.9, pytest.approx(0.7))


@pytest.mark.parametrize("kind", ["td", "another"])
def test_the_report_of_a_run(tmp_path, kind):
    (tmp_path / "config.toml").write_text(
        f'kind = "{kind}"\ncommand = "ludus <x>"\ndate = "2020-01-02"\n[options]\nseed = 7\n'
    )
    line = {"tests": 10, "wins": 5, "draws": 0, "losses": 5, "rate": 0.1, "plies": 20.5, "error": 0.2}
    lines = [json.dumps({"games": 10 * i, **line}) for i in (1, 2, 3)]
    (tmp_path / "progress.jsonl").write_text("\n".join(lines) + '\n{"games": 4')
    players.save(players.find("benchmark"), tmp_path / "player.safetensors")
    page = reports.write(tmp_path).read_text()
    for words in ("ludus &lt;x&gt;", "seed 7", "2020-01-02", "a player of tictactoe3d"):
        assert words in page
    assert set(re.findall(r"https?://[^\"]*", page)) == {"http://www.w3.org/2000/svg"}
    for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(picture)


def clone(number, **scores):
    pool = {name: {"games": 20, "score": share, "interval": [0, 1]} for name, share in scores.items()}
    return {
        "set": number,
        "games": 100 * number,
        "wins": 5,
        "draws": 0,
        "losses": 5,
        "test_points": [3, 2],
        "test_score": 0.625,
        "promoted": True,
        "clone": number,
        "pool": {"random": pool["random"], cloning.ANCHOR: pool["material"]},
    }


def test_clones_are_rated_by_their_games_against_the_pool():
    lines = [clone(1, random=0.75, material=0.25), {"set": 2}, clone(2, random=0.9, material=0.5)]
    ratings = cloning.rated(lines)
    assert list(ratings) == [1, 2]
    assert ratings[1].games == 40 and ratings[1].points == 20
    assert -200 < ratings[1].elo < -100  # a quarter of the points is 191 less; the virtual draws draw it near
    assert -20 < ratings[2].elo < 40
    assert ratings[2].interval.low < ratings[2].elo < ratings[2].interval.high
    assert cloning.rated([]) == {} and cloning.pool_parts([{"test_score": 0.5}]) == ()


@pytest.mark.parametrize("kind", ["neurodraughts", "visiondraughts", "samuel"])
def test_the_report_of_a_run_with_cloning(tmp_path, kind):
    (tmp_path / "config.toml").write_text(f'kind = "{kind}"\n[options]\nseed = 7\nthreshold = 0.55\n')
    assert "Nothing is tested yet" in reports.write(tmp_path).read_text()
    lines = [clone(1, random=0.75, material=0.25), clone(2, random=0.9, material=0.5)]
    lines.append({"round_robin": [3, 5], "named": 2})
    (tmp_path / "progress.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    page = reports.write(tmp_path).read_text()
    for words in (
        "Rating of the clones",
        "In 2 of 2 sets it became the clone",
        "5<sup>*</sup>",
        "material@depth=2 has 0",
    ):
        assert words in page
    for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(picture)


def test_the_report_of_ls_draughts(tmp_path):
    (tmp_path / "config.toml").write_text('kind = "ls-draughts"\n[options]\nseed = 7\n')
    assert "Nothing is selected yet" in reports.write(tmp_path).read_text()
    line = {"generation": 0, "fitness": 0.6, "features": ["Dyke", "Node"], "population": {"3": 0.6}, "trained": 2}
    (tmp_path / "progress.jsonl").write_text(
        json.dumps(line) + "\n" + json.dumps({"pool": clone(1, random=1, material=0.5)["pool"]}) + "\n"
    )
    page = reports.write(tmp_path).read_text()
    for words in ("Dyke, Node", "60.0", "20 games each"):
        assert words in page


def test_what_is_no_run_is_a_sentence(tmp_path):
    with pytest.raises(BadRun, match=r"config\.toml cannot be read"):
        reports.write(tmp_path)
