"""The report of an evolution: the matches at its end, growth and descent of the champions, population and games."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ludus.learning import Record
from ludus.reports import charts, run_parts
from ludus.reports.charts import Reference, Series
from ludus.reports.family_tree import Ancestor
from ludus.reports.figures import FamilyTree, Lineage, LineChart
from ludus.reports.folder import RunFolder
from ludus.reports.page import Figure, Part, Section
from ludus.reports.tables import Table, decimal, span

ORIGINS = ("elite", "crossover", "mutation", "random")


class Birth(NamedTuple):
    """The generation, the origin and the parents of a member."""

    generation: int
    origin: str
    parents: tuple[int, ...]


def sections(run: RunFolder) -> list[Section]:
    """The matches at the end, growth, descent, population and games. An evolution strategy has no descent."""
    if not run.progress:
        return [Section("Growth", ("Nothing is recorded yet.",))]
    x = run.column("generation")
    sections = [
        Section("Growth", tuple(_growth(run, x))),
        Section("Population", tuple(_population(run, x))),
        Section("Games", tuple(_games(run, x))),
    ]
    if "origins" in run.progress[-1]:
        sections.insert(1, Section("Descent", tuple(_descent(run))))
    if end := run.progress[-1].get("end"):
        sections.insert(0, Section("Matches at the end", tuple(_end(end))))
    return sections


def births(progress: Sequence[Record]) -> dict[int, Birth]:
    """Every member of the run by its number. A member that survives is listed once."""
    born: dict[int, Birth] = {}
    for line in progress:
        for number, origin, parents in zip(line["members"], line["origins"], line["parents"], strict=True):
            born.setdefault(number, Birth(line["generation"], origin, tuple(parents)))
    return born


def ancestry(progress: Sequence[Record], number: int) -> list[int]:
    """A member, its first parent, and so on back to a random member. The first parent gave most of the weights."""
    born = births(progress)
    line = [number]
    while parents := born[line[-1]].parents:
        line.append(parents[0])
    return line


def family(progress: Sequence[Record]) -> list[Ancestor]:
    """The last champion and its ancestors, along the parent that gave most of the weights."""
    born = births(progress)
    reigned: dict[int, list[int]] = {}
    for line in progress:
        reigned.setdefault(line["champion"], []).append(line["generation"])
    found = []
    for number in ancestry(progress, progress[-1]["champion"]):
        generations = reigned.get(number, [None])
        found.append(Ancestor(number, *born[number], generations[0], generations[-1]))
    return found


def seconds_of(times: Sequence[Record], name: str = "seconds") -> dict[int, float]:
    """The seconds of each generation. A generation that was repeated after a resume counts with its last time.

    The clock starts again where the lines of earlier sessions were lost.
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


def _end(end: Record) -> list[Part]:
    rows = tuple(
        (name, f"{found['games']:,}", decimal(100 * found["score"]), span(*(100 * side for side in found["interval"])))
        for name, found in end.items()
    )
    return [
        "The last champion, with the search it was trained with, against fixed players and the half-way champion. "
        "Every opening is played with both colours; a draw is half a win.",
        Table(("opponent", "games", "score, %", "95% interval"), rows),
    ]


def _growth(run: RunFolder, x: list[float]) -> list[Part]:
    known = [value for value in run.column("growth") if math.isfinite(value)]
    if not known:
        return ["Growth is measured from the second generation on."]

    def chart(name: str, title: str, y_title: str) -> LineChart:
        level = (Reference(0.0, "equal to the champions before"),)
        series = [Series(name, x, run.column(name))]
        return LineChart(series, title=title, x_title="generation", y_title=y_title, references=level)

    caption = (
        "Growth is the mean result of a champion against the five champions before it, six games against each: "
        "1 for a win, 0 for a draw, -1 for a loss."
    )
    better, worse = sum(value > 0 for value in known), sum(value < 0 for value in known)
    return [
        Figure(chart("sum", "Running sum of growth", "running sum of growth"), caption),
        Figure(chart("growth", "Growth of each champion", "growth"), "The growth of each champion."),
        f"{better} champions scored more than half of the points against those before them, {worse} less than half. "
        f"The sum of growth is {sum(known):+.2f}.",
    ]


def _descent(run: RunFolder) -> list[Part]:
    origins = [(int(line["generation"]), str(line["origins"][0])) for line in run.progress]
    born = births(run.progress)
    champions = Counter(born[number].origin for number in {line["champion"] for line in run.progress})
    members = Counter(birth.origin for birth in born.values())
    line = Counter(born[number].origin for number in ancestry(run.progress, run.progress[-1]["champion"]))
    rows = tuple(
        (origin, str(members[origin]), str(champions[origin]), str(line[origin]))
        for origin in ORIGINS
        if members[origin]
    )
    titles = ("origin", "members", "champions", "ancestors of the last champion")
    return [
        Figure(
            Lineage(origins, title="How each generation's champion was made"),
            "How each generation's champion was made. A champion that stays from the generation before is an elite.",
        ),
        Figure(
            FamilyTree(family(run.progress), title="Ancestors of the last champion"),
            "The last champion and its ancestors, along the parent that gave a child most of its weights, with the "
            "generation in which each came into the population.",
        ),
        Table(titles, rows),
    ]


def _population(run: RunFolder, x: list[float]) -> list[Part]:
    points = [[float(value) for value in line["points"]] for line in run.progress]
    weights = [[float(value) for value in line["weights"]] for line in run.progress]
    parts: list[Part] = [
        Figure(
            _spread(x, points, "Points in each generation", "points"),
            "The points of all members: the median, the quartiles (dark) and the whole range (light).",
        ),
        Figure(
            _spread(x, weights, "Weights of the champions", "weight"),
            "The weights of the champion: the median, the quartiles (dark) and the whole range (light).",
        ),
    ]
    titles = {
        "king": "value of a king for the champion",
        "sigma": "mean step size of the champion's weights",
        "signal": "length of the mean of the last search gradients",
    }
    return parts + run_parts.curves(run, x, "generation", titles)


def _spread(x: list[float], samples: list[list[float]], title: str, y_title: str) -> LineChart:
    return LineChart([charts.spread(x, samples)], title=title, x_title="generation", y_title=y_title)


def _games(run: RunFolder, x: list[float]) -> list[Part]:
    titles = {"plies": "mean plies of a game", "draws": f"draws in {run.progress[-1]['games']:,} games"}
    parts = run_parts.curves(run, x, "generation", titles)
    if max(seconds_of(run.times), default=0) > 0:
        series = []
        for name, called in (("seconds", "by the clock"), ("cpu", "of processor time")):
            took = seconds_of(run.times, name)
            took.pop(0, None)  # so much longer than the others that it would flatten their curve
            series.append(Series(called, list(took), list(took.values())))
        chart = LineChart(series, title="Seconds a generation", x_title="generation", y_title="seconds")
        parts.append(
            Figure(chart, "Seconds per generation. The first generation is left out: it also prepares the openings.")
        )
    return parts
