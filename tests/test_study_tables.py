"""What studies share: values over trainings, endings, and exams as steps."""

import math
from pathlib import Path

import pytest

from ludus import studies
from ludus.arena.endings import EndingCounts
from ludus.arena.exam import ExamConfig
from ludus.reports import charts, check_page, fill_page
from ludus.reports.charts import Estimate
from ludus.reports.page import Figure, Section
from ludus.reports.study import MARK
from ludus.reports.tables import Table
from ludus.studies import endgame_tables, trainings
from ludus.studies.steps import ExamStep, MatchPlayer, StepStore
from ludus.workers import Workers


def test_the_interval_is_student_s_over_trainings():
    # Student's t for four degrees of freedom is 2.776; the deviation of 1..5 is 1.581.
    values = {seed: float(seed) for seed in range(1, 6)}
    half = 2.7764 * math.sqrt(2.5) / math.sqrt(5)
    low, high = trainings.interval(trainings.summary(list(values.values())), trainings.ANY)
    assert (low, high) == (pytest.approx(3 - half, abs=1e-3), pytest.approx(3 + half, abs=1e-3))
    table = trainings.table("who", {"a": values, "none": {}}, range(1, 7), others={"a": "9"})
    assert table.columns == ("who", "mean", "95% over trainings", "paper", *(f"seed {seed}" for seed in range(1, 7)))
    assert table.rows == (("a", "3.0", "[1.0, 5.0]", "9", "1.0", "2.0", "3.0", "4.0", "5.0", "-"),)


def test_one_training_has_no_interval():
    assert trainings.mean_cells([70.0]) == ["70.0", "-"]
    assert trainings.mean_cells([]) == ["-", "-"]
    figure = trainings.chart("Points", {"a": {1: 70.0}, "none": {}})
    assert figure.svg.count("<circle") == 1


def test_every_training_has_a_dot_and_the_paper_a_diamond():
    figure = trainings.chart("Points", {"a": {1: 70.0, 2: 80.0, 3: 75.0}}, marks={"a": 60.0})
    assert figure.svg.count("<circle") == 4 and figure.svg.count("<polygon") == 1


def test_trainings_are_compared_seed_by_seed():
    assert trainings.differences({1: 5.0, 2: 7.0}, {2: 4.0, 3: 1.0}) == {2: 3.0}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "about 1 s"), (60, "about 60 s"), (1800, "about 30 minutes"), (9000, "about 2.5 hours")],
)
def test_times_in_words(seconds, words):
    assert trainings.hours_text(seconds) == words


def test_dots_are_coloured_by_name():
    picture = charts.dots({"2 kings v king": {"a": 10.0, "b": 20.0}, "king v king": {"b": 5.0}}, title="t", x_title="%")
    assert picture.count("<circle") == 2 + 3  # the legend's too
    assert "2 kings v king" in picture
    assert "nothing to draw yet" in charts.dots({}, title="t", x_title="%")


def test_a_chart_has_room_for_samples_and_marks():
    assert Estimate("a", 1, 0, 2, (5.0,), 9.0).numbers == (1, 0, 2)
    assert ">8<" in charts.intervals([Estimate("a", 1, 0, 2, (5.0,), 9.0)], title="")


def test_the_results_go_into_a_page_of_the_documents(tmp_path):
    page = tmp_path / "study-x.md"
    page.write_text(f"# Study\n\nText.\n\n{MARK}\n\nOld results.\n")
    picture = charts.dots({}, title="t", x_title="%")
    parts = ("A note.", Table(("a", "b"), (("x", "1"),)), Figure(picture, "What it shows."))
    fill_page(page, [Section("Thrown wins", parts)], "ludus study x", 1, 5)
    written = page.read_text()
    assert written.startswith("# Study\n\nText.\n") and "Old results" not in written
    for words in ("Made by `ludus study x`, seeds 1 to 5.", "### Thrown wins", "A note.", "| x | 1 |"):
        assert words in written
    assert "![What it shows.](pictures/study-x-thrown-wins-1.svg)" in written
    assert (tmp_path / "pictures" / "study-x-thrown-wins-1.svg").read_text() == picture
    fill_page(page, [], "ludus study x", 1, 1)
    assert page.read_text().count(MARK) == 1 and page.read_text().endswith("Made by `ludus study x`, seed 1.\n")


def test_a_page_without_a_place_for_results_is_refused_before_anything_runs(run, tmp_path):
    page = tmp_path / "page.md"
    for content, words in ((b"# Study", "has no place for the results"), (b"\xff\xfe", "cannot be read as a page")):
        page.write_bytes(content)
        status, _, err = run("study", "tictactoe3d", "--page", page, "--out", tmp_path / "study")
        assert status == 2 and words in err and not (tmp_path / "study").exists()


def test_the_pages_of_the_studies_have_a_place_for_results():
    pages = sorted((Path(__file__).parents[1] / "docs").glob("study-*.md"))
    assert [page.stem.removeprefix("study-") for page in pages] == sorted(studies.names())
    for page in pages:
        check_page(page)


KINGS = "2 kings v king"


def test_thrown_wins_are_counted_by_training_and_by_ending():
    found = {
        "a": {
            1: {KINGS: EndingCounts(won=10, thrown=2)},
            2: {KINGS: EndingCounts(won=10, thrown=4), "x": EndingCounts(won=10)},
        },
        "b": {1: {"x": EndingCounts(won=4, thrown=1, lost_draws=2, saved=3)}},
        "c": {},
    }
    shares, chart, totals, endings = endgame_tables.thrown(found, (1, 2), str.upper)
    assert shares.rows == (
        ("a", "20.0", "[20.0, 20.0]", "20.0", "20.0"),
        ("b", "25.0", "-", "25.0", "-"),
    )
    assert totals.rows == (("a", "30", "6", "0", "0"), ("b", "4", "1", "2", "3"))
    assert endings.columns == ("thrown / reached", "A", "B")
    assert endings.rows == ((KINGS, "6/20", "-"), ("x", "0/10", "1/4"))
    # b has reached too few wins for the chart.
    assert chart.svg.count("<circle") == 2


def test_rare_endings_have_one_row():
    many = {f"ending {place:02}": EndingCounts(won=20 - place, thrown=1) for place in range(14)}
    rows = endgame_tables.thrown({"a": {1: many}}, (1,), str)[3].rows
    assert len(rows) == 13 and rows[-1] == ("2 others", "2/15")


def test_an_exam_is_a_step_that_goes_on_where_it_was(tmp_path):
    config = ExamConfig(pieces=3, games=1, seed=7)
    step = ExamStep(player=MatchPlayer("material@depth=2"), config=config)
    other = ExamStep(player=MatchPlayer("random"), config=config)
    assert (step.name, step.label) == ("material-depth2-7", "exam of material@depth=2")
    kept = StepStore(tmp_path)
    assert step not in kept and kept.exam(step) is None
    assert list(kept.fill([step, other], Workers())) == [step, other]
    journal = tmp_path / "exams" / step.name / "journal.jsonl"
    lines = journal.read_text().splitlines()
    assert len(lines) == 1 + len(kept.questions(config))
    journal.write_text("\n".join(lines[:3]) + "\n")
    again = StepStore(tmp_path)
    assert step not in again and other in again
    assert list(again.fill([step, other], Workers())) == [step]
    found = {"material": {7: again.exam(step)}, "random": {7: again.exam(other)}, "none": {}}
    converted, held, wasted, chart, endings = endgame_tables.exam(found, (7,), str)
    assert [row[0] for row in converted.rows] == ["material", "random"] == [row[0] for row in held.rows]
    assert float(converted.rows[0][1]) >= float(converted.rows[1][1])
    assert wasted.columns[0] == "plies wasted, mean" and chart.svg
    assert endings.columns[1:] == ("material", "random") and endings.rows[0][0] == "2 kings v king"
