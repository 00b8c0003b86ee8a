"""Reports: charts, boards, tables in three forms, pages that need no other file, and the command report."""

import json
import math
import os
import re
import subprocess
import sys
import time
from xml.etree import ElementTree

import pytest

from ludus import players, reports
from ludus.games import draughts, tictactoe3d
from ludus.learning import registry
from ludus.reports import boards, charts, cloning, colours, papers, td, unit_map
from ludus.reports.axes import Axis, labels, ticks
from ludus.reports.charts import Estimate, Reference, Series
from ludus.reports.page import Figure, Footer, Section, render
from ludus.reports.reference_players import ANCHOR, clone_parts, clone_ratings
from ludus.reports.tables import Cell, Table
from ludus.runs import BadRun
from ludus.runs import folder as run_folder

SVG = "{http://www.w3.org/2000/svg}"
EVIL = '<b a="1">&amp;\'</b>'


def drawn(chart, tag):
    return list(ElementTree.fromstring(chart).iter(SVG + tag))


def test_ticks_are_round():
    assert labels(ticks(0, 1_000_000)) == ["0", "200k", "400k", "600k", "800k", "1M"]
    assert labels(ticks(0, 1)) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert labels(ticks(-120, 90), signed=True) == ["-100", "-50", "0", "+50"]


@pytest.mark.parametrize("ends", [(43.75, 56.25), (0, 1), (-3, 997), (0.001, 0.0097), (5, 5)])
def test_a_whole_axis_ends_at_ticks(ends):
    axis = Axis.over(ends, 0, 100, whole=True)
    marks = axis.ticks()
    assert (axis(marks[0]), axis(marks[-1])) == (pytest.approx(0), pytest.approx(100))
    assert marks[0] <= ends[0] and marks[-1] >= ends[1]


def test_points_lie_where_their_values_are():
    chart = charts.lines([Series(EVIL, [0, 5, 10], [0, 50, 100])], title=EVIL, x_title="x", y_title="y")
    (line,) = drawn(chart, "polyline")
    (x0, y0), (x1, y1), (x2, y2) = (map(float, place.split(",")) for place in line.get("points").split())
    assert (x1, y1) == (pytest.approx((x0 + x2) / 2, abs=0.1), (y0 + y2) / 2)
    assert 0 < x0 < x2 < charts.WIDTH and y2 < y0
    assert ElementTree.fromstring(chart).get("aria-label") == EVIL


def test_labels_have_room_beside_the_axis():
    values = [-0.000012345, 0.000012345]
    chart = charts.lines([Series("a", [0, 1_000_000], values)], title="", x_title="x", y_title="y")
    width = float(ElementTree.fromstring(chart).get("viewBox").split()[2])
    for element in drawn(chart, "text"):
        x, long = float(element.get("x")), 0.61 * 14 * len(element.text)
        left = {"end": x - long, "middle": x - long / 2}.get(element.get("text-anchor"), x)
        assert left >= 0 and left + long <= width, element.text


def test_a_reference_line_is_named_in_the_legend():
    chart = charts.lines(
        [Series("a", [0, 1], [2, 3])], title="", x_title="", y_title="", references=[Reference(1, "even")]
    )
    assert drawn(chart, "text")[0].text == "even"


def test_a_band_of_one_point_is_drawn():
    chart = charts.lines([Series("a", [1], [2], bands=(([1], [3]),))], title="", x_title="", y_title="")
    assert [bar.get("stroke") for bar in drawn(chart, "line") if bar.get("stroke-opacity")] == [colours.SERIES[0]]


RATINGS = [Estimate(f"player {i}", 50.0 * i, 50.0 * i - 20, 50.0 * i + 20) for i in range(6)]
WEAK = Estimate("random", -962, -1330, -594)


def test_an_outlier_does_not_squeeze_the_others():
    chart = charts.intervals([*RATINGS, WEAK], title="", signed=True, clip=True)
    dots = [float(dot.get("cx")) for dot in drawn(chart, "circle")]
    assert len(dots) == 6 and dots[-1] - dots[0] > 200
    assert "-962 [-1330, -594]" in [element.text for element in drawn(chart, "text")]
    assert len(drawn(chart, "polygon")) == 1


def test_only_far_estimates_are_outliers():
    assert charts.outliers([*RATINGS, WEAK]) == [WEAK]
    assert charts.outliers([*RATINGS, WEAK._replace(value=-90, low=-130, high=-50)]) == []
    assert charts.outliers(RATINGS[:1]) == charts.outliers([]) == []
    assert charts.outliers([RATINGS[0], RATINGS[1], WEAK]) == []  # more than a quarter of them


def test_long_names_are_whole():
    name = "engine:/a/rather/long/path/to/an/engine --option"
    chart = charts.intervals([Estimate(name, 1, 0, 2)], title="")
    assert name in [element.text for element in drawn(chart, "text")]


def test_a_line_is_broken_where_nothing_is_known():
    series = Series("a", [1, 2, 3, 4, 5], [1, 2, math.nan, 4, 5])
    assert len(drawn(charts.lines([series], title="", x_title="", y_title=""), "polyline")) == 2
    assert "nothing to draw" in charts.lines([], title="", x_title="", y_title="")


def test_a_histogram_counts():
    bars = drawn(charts.histogram([0, 0, 0, 1, math.nan], title="", x_title="", bins=2), "rect")
    assert [bar[0].text.split()[0] for bar in bars] == ["3", "1"]


def discs(board):
    """The places of the pieces, by their colour."""
    fills = {colours.WHITE_PIECE: "w", colours.BLACK_PIECE: "b"}
    circles = [(fills.get(c.get("fill")), c.get("cx"), c.get("cy")) for c in drawn(board, "circle")]
    return [found for found in circles if found[0]]


def test_boards_have_their_pieces():
    board = boards.draughts_board(draughts.Position("W:WK1,18:B5"))
    assert discs(board) == [("w", "60", "20"), ("b", "20", "60"), ("w", "140", "180")]
    assert [crown.get("fill") for crown in drawn(board, "polygon")] == [colours.CROWN]
    assert [element.text for element in drawn(board, "text")] == [str(square) for square in range(1, 33)]
    cube = boards.tictactoe3d_board(tictactoe3d.START.play("a1").play("a1"))
    assert [x for _, x, _ in discs(cube)] == ["29", "147"]


def test_the_last_move_is_marked():
    position = draughts.Position("W:W18:B14,6")
    (move,) = position.moves()
    board = boards.draughts_board(position.play(move), last_move=move)
    assert len([square for square in drawn(board, "rect") if square.get("fill") == colours.LAST_MOVE]) == 2
    arrow = [line for line in drawn(board, "polyline") if line.get("stroke") == colours.LAST_MOVE_ARROW]
    assert len(arrow) == 2 * len(move.captured) + 1
    assert arrow[-1].get("points").startswith("140,180")


def test_a_map_has_a_tile_a_unit():
    units = [unit_map.Unit(EVIL, 3, draughts.START, (EVIL,), "50%")] * 7
    assert len(drawn(unit_map.unit_map(units, title=""), "g")) == 7
    assert not drawn(unit_map.unit_map([unit_map.Unit("a", 1)], title=""), "g")


def test_one_table_in_three_forms():
    table = Table(("name", "won"), (("a|b", Cell("83.1", "*")), ("c", "7.0")), notes={"*": "better"})
    assert table.text() == "name   won\na|b   83.1*\nc      7.0\n* better"
    assert table.markdown().splitlines()[1:3] == ["| --- | ---: |", "| a\\|b | 83.1\\* |"]
    assert "<td>83.1<sup>*</sup></td>" in table.html()


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two columns of a table are called 'paper'"):
        Table(("a", "paper", "paper"), ())


def test_long_text_in_a_table_breaks_into_lines():
    assert '<td class="prose">a, b</td>' in Table(("name", "value"), (("x", "a, b"),), prose=(1,)).html()


def test_a_page_has_no_empty_table():
    page = render("title", "", [Section("Heading", (Table(("a", "b"), ()), Figure("<svg/>")))], Footer("ludus"))
    assert "<table" not in page and "<svg/>" in page


def test_every_learner_names_its_paper():
    for kind in registry.KINDS:
        assert kind == "champion" or re.search("(19|20)[0-9]{2}|without a date", papers.cited(kind)), kind
    assert papers.cited("champion") == papers.cited("another") == ""  # the champion is no paper's


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
        "test_interval": [0.5, 0.7],
        "rate": 0.025,
        "promoted": True,
        "clone": number,
        "pool": {"random": pool["random"], ANCHOR: pool["material"]},
    }


def test_clones_are_rated_by_their_games_against_the_reference_players():
    lines = [clone(1, random=0.75, material=0.25), {"set": 2}, clone(2, random=0.9, material=0.5)]
    ratings = clone_ratings(lines)
    assert list(ratings) == [1, 2]
    assert ratings[1].games == 40 and ratings[1].points == 20
    assert -200 < ratings[1].elo < -100  # a quarter of the points is 191 less; the virtual draws draw it near
    assert -20 < ratings[2].elo < 40
    assert ratings[2].interval.low < ratings[2].elo < ratings[2].interval.high
    assert clone_ratings([]) == {} and clone_parts([{"test_score": 0.5}]) == ()


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
        "The learner replaced the clone after 2 of 2 sets",
        "5<sup>*</sup>",
        "material@depth=2 has 0",
    ):
        assert words in page
    for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(picture)


def test_the_tests_of_a_run_with_cloning_have_their_rate_interval_and_result():
    lines = [clone(1, random=1, material=0.5), {**clone(2, random=1, material=0.5), "promoted": False}]
    table = cloning.test_parts(lines)[1]
    assert table.rows[0] == ("1", "100", "0.025", "4", "62.5", "[50.0, 70.0]", "clone 1")
    assert table.rows[1][-1] == "failed"
    older = [{name: value for name, value in line.items() if name != "test_interval"} for line in lines]
    assert len(cloning.test_parts(older)) == 1  # a record of an earlier version


def test_the_first_clone_is_in_the_round_robin():
    last = {"round_robin": [1, 5, 3], "candidates": [0, 2, 3], "named": 2}
    (table,) = cloning.round_robin_parts([clone(1, random=1, material=0.5), last])
    assert [row[0] for row in table.rows] == ["first clone", "clone 2", "clone 3"]
    assert [row[1].mark for row in table.rows] == ["", "*", ""]
    never = {"round_robin": [0], "candidates": [0], "named": 0}
    assert cloning.round_robin_parts([never]) == (
        "The learner never replaced its first clone. The result has the initial weights.",
    )


def test_the_report_of_ls_draughts(tmp_path):
    (tmp_path / "config.toml").write_text('kind = "ls-draughts"\n[options]\nseed = 7\n')
    assert "Nothing is selected yet" in reports.write(tmp_path).read_text()
    line = {"generation": 0, "fitness": 0.6, "features": ["Dyke", "Node"], "population": {"3": 0.6}, "trained": 2}
    (tmp_path / "progress.jsonl").write_text(
        json.dumps(line) + "\n" + json.dumps({"pool": clone(1, random=1, material=0.5)["pool"]}) + "\n"
    )
    page = reports.write(tmp_path).read_text()
    for words in ("Dyke, Node", "60.0", "20 games against each"):
        assert words in page
    assert "Finalists" not in page
    line["population"] = {"3": 0.6, "9": 0.55}
    final = {"finalists": {"3": 0.25, "9": 0.75}, "features": ["Dyke", "Node"]}
    (tmp_path / "progress.jsonl").write_text(json.dumps(line) + "\n" + json.dumps(final) + "\n")
    page = reports.write(tmp_path).read_text()
    for words in ("Finalists", "1 4", "55.0", "75.0"):
        assert words in page


def test_what_is_no_run_is_a_sentence(tmp_path):
    with pytest.raises(BadRun, match=r"config\.toml cannot be read"):
        reports.write(tmp_path)


# The command


@pytest.fixture
def trained(run, tmp_path):
    folder = tmp_path / "run"
    status, _, err = run("train", "td", "--games", 200, "--test-every", 100, "--test-games", 10, "--out", folder)
    assert status == 0, err
    return folder


def test_a_report_is_written_again(run, trained, tmp_path):
    page = (trained / "report.html").read_text()
    (trained / "report.html").unlink()
    assert run("report", trained) == (0, f"{trained / 'report.html'}\n", "")
    assert (trained / "report.html").read_text() == page and "is finished" in page
    out = tmp_path / "page.html"
    assert run("report", trained, "--out", out) == (0, f"{out}\n", "")
    assert out.read_text() == page


def test_a_run_has_a_report_while_it_goes_on_and_when_it_is_stopped(run, tmp_path):
    folder = tmp_path / "run"
    learner = ["td", "--games", "100000000", "--test-every", "100", "--test-games", "10", "--out", os.fspath(folder)]
    with subprocess.Popen([sys.executable, "-m", "ludus", "train", *learner], stderr=subprocess.PIPE) as process:
        try:
            while process.poll() is None and not run_folder.read_lines(folder / run_folder.RECORD):
                time.sleep(0.02)
            assert run("report", folder) == (0, f"{folder / 'report.html'}\n", "")
            assert process.poll() is None
            page = (folder / "report.html").read_text()
            assert "is going on" in page and page.endswith("</html>\n")
        finally:
            process.kill()
    assert not [path for path in folder.iterdir() if path.name.startswith(".report")]
    assert run("report", folder)[0] == 0
    assert "was stopped before its end" in (folder / "report.html").read_text()


def sentence(run, folder, *options):
    status, out, err = run("report", folder, *options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    return err


def test_a_broken_run_is_a_sentence(run, trained):
    (trained / "progress.jsonl").write_text("x\n")
    assert "progress.jsonl" in sentence(run, trained)
    (trained / "config.toml").write_text("kind")
    assert "config.toml" in sentence(run, trained)


def test_what_is_not_a_run_is_a_sentence(run, tmp_path):
    assert "there is no folder" in sentence(run, tmp_path / "nothing")
    assert "is not a run: it has no config.toml" in sentence(run, tmp_path)
    match = tmp_path / "match"
    run("match", "random", "material@depth=1", "--games", 2, "--out", match)
    assert f"its result is in {match / 'result.json'}" in sentence(run, match)
    ladder = tmp_path / "ladder"
    run("ladder", "random", "material@depth=1", "--games", 2, "--out", ladder)
    assert f"writes its page again: {ladder / 'ladder.html'}" in sentence(run, ladder)
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "trials.jsonl").touch()
    assert "the same ludus study command" in sentence(run, tmp_path / "study")


def test_where_nothing_can_be_written_is_a_sentence(run, trained, tmp_path):
    (tmp_path / "file").touch()
    assert "there is no folder" in sentence(run, trained, "--out", tmp_path / "file" / "page.html")
    assert f"{tmp_path} is a folder: name a file" in sentence(run, trained, "--out", tmp_path)
