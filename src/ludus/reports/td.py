"""The report of a TD run: its tests, and its training games."""

from collections.abc import Sequence

from ludus.arena.score import Interval, Score
from ludus.learning import Record
from ludus.reports import run_parts
from ludus.reports.charts import Series
from ludus.reports.figures import LineChart
from ludus.reports.folder import RunFolder
from ludus.reports.page import Figure, Part, Section
from ludus.reports.tables import Cell, Table, decimal, span

LAST = 0.4  # the end of a run is the mean of this share of its tests, the last ones


def sections(run: RunFolder) -> list[Section]:
    """The learning curve with its peak and its end, and the curves of the training games."""
    games = run.column("games")
    tested = [line for line in run.progress if line.get("tests")]
    parts: list[Part] = []
    if tested:
        rates = scores(tested)
        bounds = [score_interval(line) for line in tested]
        percents = [100 * rate for rate in rates]
        band = ([100 * low for low, _ in bounds], [100 * high for _, high in bounds])
        series = Series("score", [float(line["games"]) for line in tested], percents, bands=(band,))
        title = "Score in the tests over training games"
        chart = LineChart([series], title=title, x_title="training games", y_title="score, %")
        caption = f"Tests of {tested[-1]['tests']:,} games. A draw is half a win. The band is the 95% interval."
        parts = [Figure(chart, caption), _results(tested, rates, bounds)]
    titles = {"plies": "mean plies of a training game", "error": "mean squared TD error"}
    if len(set(run.column("rate"))) > 1:
        titles["rate"] = "learning rate"
    training = run_parts.curves(run, games, "training games", titles)
    return [
        Section("Learning", tuple(parts) or ("Nothing is tested yet.",)),
        Section("Training games", tuple(training) or ("Nothing is recorded yet.",)),
    ]


def peak_and_end(rates: list[float]) -> tuple[float, float]:
    """The best test, and the mean of the last 40% of the tests (one at least)."""
    last = rates[-last_tests(len(rates)) :]
    return max(rates), sum(last) / len(last)


def last_tests(count: int) -> int:
    """The number of tests, of `count`, that are the end."""
    return max(1, round(LAST * count))


def scores(lines: Sequence[Record]) -> list[float]:
    """The score in each test of a record, from 0 to 1. A draw is half a win."""
    return [(line["wins"] + line["draws"] / 2) / line["tests"] for line in lines if line.get("tests")]


def score_interval(*lines: Record) -> Interval:
    """The 95% interval of the score in all of these tests together."""
    losses, draws, wins = (sum(line[name] for line in lines) for name in ("losses", "draws", "wins"))
    return Score(singles=(losses, draws, wins)).interval


def _results(tested: list[Record], rates: list[float], bounds: list[Interval]) -> Table:
    peak, end = peak_and_end(rates)
    best = rates.index(peak)
    last = last_tests(len(rates))

    def row(name: str, games: str, rate: float, interval: Interval, mark: str = "") -> tuple[str | Cell, ...]:
        low, high = interval
        return name, games, Cell(decimal(100 * rate), mark), span(100 * low, 100 * high)

    return Table(
        ("", "after games", "score, %", "95% interval"),
        (
            row("first test", f"{tested[0]['games']:,}", rates[0], bounds[0]),
            row("peak", f"{tested[best]['games']:,}", peak, bounds[best], "*"),
            row("last test", f"{tested[-1]['games']:,}", rates[-1], bounds[-1]),
            row("end", f"last {last} of {len(rates)} tests", end, score_interval(*tested[-last:])),
        ),
        notes={"*": "The best of many tests is partly chance. The end is the fairer result."},
    )
