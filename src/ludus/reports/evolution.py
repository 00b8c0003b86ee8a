"""The report of an evolution: growth, descent, the spread of points, weights, games and what a generation took."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from ludus.reports import charts, run_parts
from ludus.reports.charts import Reference, Series
from ludus.reports.folder import RunFolder
from ludus.reports.page import Figure, Section
from ludus.reports.tables import Table

ORIGINS = ("elite", "crossover", "mutation", "random")


class Birth(NamedTuple):
    """When and how a member came into the world."""

    generation: int
    origin: str
    parents: tuple[int, ...]


def sections(run: RunFolder) -> list[Section]:
    """All there is to see in the record of an evolution."""
    if not run.progress:
        return [Section("Growth", ("Nothing is recorded yet.",))]
    x = run.column("generation")
    return [
        Section("Growth", tuple(_growth(run, x))),
        Section("Descent", tuple(_descent(run))),
        Section("Population", tuple(_population(run, x))),
        Section("Games", tuple(_games(run, x))),
    ]


def births(progress: Sequence[dict[str, Any]]) -> dict[int, Birth]:
    """Every member of the run by its number; one that stays is born only once."""
    born: dict[int, Birth] = {}
    for line in progress:
        for number, origin, parents in zip(line["members"], line["origins"], line["parents"], strict=True):
            born.setdefault(number, Birth(line["generation"], origin, tuple(parents)))
    return born


def ancestry(progress: Sequence[dict[str, Any]], number: int) -> list[int]:
    """A member, the parent it is most like, and so on back to one of the random ones."""
    born = births(progress)
    line = [number]
    while parents := born[line[-1]].parents:
        line.append(parents[0])
    return line


def seconds_of(times: Sequence[dict[str, Any]], name: str = "seconds") -> dict[int, float]:
    """What each generation took; one that was done again after a resume, what it took then.

    The clock begins again where the lines of earlier sittings were lost.
    """
    took: dict[int, float] = {}
    last, before = None, 0.0
    for line in times:
        now, done = float(line[name]), int(line["done"])
        if line.get("resumed"):
            last, before = None, now
            continue
        spent = now - before if now >= before else now
        took[done] = spent + (took[done] if done == last else 0.0)  # a checkpoint has a line of its own
        last, before = done, now
    return took


def _growth(run: RunFolder, x: list[float]) -> list[str | Figure | Table]:
    known = [value for value in run.column("growth") if math.isfinite(value)]

    def chart(name: str, title: str, y_title: str) -> str:
        level = (Reference(0.0, "no better"),)
        series = [Series(name, x, run.column(name))]
        return charts.lines(series, title=title, x_title="generation", y_title=y_title, references=level)

    caption = "Growth is the mean of means: 1, 0 or -1 a game, six with each of the five champions before."
    parts: list[str | Figure | Table] = [
        Figure(chart("sum", "Running sum of growth", "growth, summed up"), caption),
        Figure(chart("growth", "Growth of each champion", "growth of each champion")),
    ]
    if known:
        better, worse = sum(value > 0 for value in known), sum(value < 0 for value in known)
        parts.append(
            f"Champions that did better than those before them: {better}; worse: {worse}; the sum is {sum(known):+.2f}."
        )
    return parts


def _descent(run: RunFolder) -> list[str | Figure | Table]:
    origins = [(int(line["generation"]), str(line["origins"][0])) for line in run.progress]
    born = births(run.progress)
    champions = Counter(born[number].origin for number in {line["champion"] for line in run.progress})
    everyone = Counter(birth.origin for birth in born.values())
    line = Counter(born[number].origin for number in ancestry(run.progress, run.progress[-1]["champion"]))
    rows = tuple(
        (origin, str(everyone[origin]), str(champions[origin]), str(line[origin]))
        for origin in ORIGINS
        if everyone[origin]
    )
    titles = ("born by", "members", "became champions", "on the last champion's line")
    return [
        Figure(charts.lineage(origins, title="Descent"), "How each generation's champion came into it.", broad=True),
        Table(titles, rows),
        "A line follows the parent that gave a child most of its weights.",
    ]


def _population(run: RunFolder, x: list[float]) -> list[str | Figure | Table]:
    points = [[float(value) for value in line["points"]] for line in run.progress]
    weights = [[float(value) for value in line["weights"]] for line in run.progress]
    parts: list[str | Figure | Table] = [
        Figure(
            charts.spread(x, points, title="Points in each generation", x_title="generation", y_title="points"),
            "The median, the quartiles and the whole range of the population.",
        ),
        Figure(
            charts.spread(x, weights, title="Weights of the champions", x_title="generation", y_title="weight"),
            "The median, the quartiles and the whole range.",
        ),
    ]
    named = (("king", "worth of the champion's king"), ("sigma", "mean step of the champion's weights"))
    return parts + [
        run_parts.curve(run, x, "generation", name, title)
        for name, title in named
        if any(math.isfinite(value) for value in run.column(name))
    ]


def _games(run: RunFolder, x: list[float]) -> list[str | Figure | Table]:
    parts: list[str | Figure | Table] = [
        run_parts.curve(run, x, "generation", "plies", "plies of a game, mean"),
        run_parts.curve(run, x, "generation", "draws", f"draws of {run.progress[-1]['games']:,} games"),
    ]
    if run.times:
        series = []
        for name, called in (("seconds", "by the clock"), ("cpu", "of the processors")):
            took = seconds_of(run.times, name)
            took.pop(0, None)  # it would be all that one sees
            series.append(Series(called, list(took), list(took.values())))
        chart = charts.lines(series, title="Seconds a generation", x_title="generation", y_title="seconds")
        parts.append(Figure(chart, "Without the first, in which the openings are made ready too."))
    return parts
