"""The tables and curves of the study of evolution: pure functions of the lines that its runs and matches have found.

A cell is by name a list of runs, one a seed; a run is the lines of its record.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ludus.arena.samples import Summary, summary
from ludus.learning.tournaments import GAMES_EACH, PREDECESSORS
from ludus.reports import charts
from ludus.reports.charts import Reference, Series
from ludus.reports.evolution import births
from ludus.reports.page import Figure
from ludus.reports.tables import Table, decimal, span

Lines = list[dict[str, Any]]
Cells = Mapping[str, list[Lines]]

SPEED = (
    "Seconds are those that the processors of this machine spend, so other work on it hardly changes them; what a "
    "cluster's other machines spend is not counted. A generation is "
    "its tournament and the games of the champion with those before it; the first is not counted, in which the "
    "openings are made ready too. The public code was measured on one core, at 1 ply. For 6 plies there is only what "
    "the text reports: 200 generations in about 20 hours on 128 cores, with play-outs whose number it does not say."
)
GROWTH = (
    "Growth is the mean of means: 1, 0 or -1 a game, six with each of the five champions before. A sum that rises "
    "says that champions beat those just before them; how far the last is ahead of the first, the matches say. A "
    "champion that stays plays itself and its like, which brings nothing: good elitism makes small sums."
)
CPU = "What a generation takes changes as the players do: better ones play other games, and longer ones."
ORIGINS = (
    "How each generation's champion came into it, after generation 0, beside the share of the fifteen places that "
    "each means fills; then how those who ever were champions were born. A means whose share of champions is larger "
    "than its share of places does more than its part."
)
DEPTH = (
    "The last champion against the material player, both with the same depth, after late moves a ply or two less; in "
    "percent, with 95% intervals over the seeds. At 50 the network knows as much as the count of pieces."
)
DEPTH_OURS = "The same champions against that of ours, trained at depth 2 with the same seed, at each depth."
MEANS = "The mean over the seeds; the band, with three seeds or more, is its 95% interval."
WAYS = ("elite", "crossover", "mutation")


def ablation(last: int, half: int) -> str:
    """What stands before the table of the inheritance methods."""
    return (
        f"The champion of generation {last} against that of generation {half}, that of generation 0, an untrained "
        "network, and the last champion of ours with the same seed. The text's players choose their moves by MCTS-EPT, "
        "all others by alpha-beta at 2 plies: what the text's score against ours is not only the network's."
    )


def speed(runs: Cells, public: Mapping[str, float]) -> Table:
    """What a generation takes, and what the public code took."""
    rows = []
    for cell, seeds in runs.items():
        timed = [line for lines in seeds for line in lines[1:] if line["cpu"] is not None]
        if not timed:
            continue
        cpu = sum(line["cpu"] for line in timed) / len(timed)
        games = sum(map(_games, timed)) / len(timed)
        theirs = public.get(cell)
        compared = (f"{theirs:,.0f}", f"{theirs / cpu:,.0f}") if theirs else ("", "")
        rows.append((cell, f"{cpu:.2f}", f"{games:.0f}", f"{games / cpu:,.0f}", *compared))
    return Table(("evolved", "s a generation", "games", "games/s", "public code, s", "times faster"), tuple(rows))


def growth(cells: Cells) -> Table:
    """The sum of growth at the end, and how often a champion was better than those before it."""
    rows = []
    for cell, seeds in cells.items():
        if not seeds:
            continue
        known = [line["growth"] for lines in seeds for line in lines if line["growth"] is not None]
        better, worse = sum(value > 0 for value in known), sum(value < 0 for value in known)
        rows.append((cell, *_said([lines[-1]["sum"] for lines in seeds], 2), f"{better}", f"{worse}", f"{len(known)}"))
    return Table(("evolved", "sum of growth", "95% over seeds", "better", "worse", "champions"), tuple(rows))


def growth_curves(cells: Cells) -> Figure:
    """The running sum."""
    level = (Reference(0.0, "no better"),)
    chart = _curves(cells, lambda line: line["sum"], "Running sum of growth", "growth, summed up", level)
    return Figure(chart, MEANS)


def lengths(cells: Cells) -> Table:
    """How long the games of the tournaments are in the first and in the last generation, and how many are draws."""
    rows = []
    for cell, seeds in cells.items():
        if not seeds:
            continue
        ends = [[lines[place]["plies"] for lines in seeds] for place in (0, -1)]
        drawn = [
            100 * sum(lines[place]["draws"] for lines in seeds) / sum(lines[place]["games"] for lines in seeds)
            for place in (0, -1)
        ]
        first, last = map(summary, ends)
        rows.append((cell, *(decimal(each.mean) for each in (first, last)), *(decimal(each) for each in drawn)))
    return Table(("evolved", "plies at first", "at last", "draws at first, %", "at last, %"), tuple(rows))


def length_curves(cells: Cells) -> Figure:
    """The length of games over the generations."""
    chart = _curves(cells, lambda line: line["plies"], "Plies of a game", "plies")
    return Figure(chart, "The mean of a tournament's games, over the seeds; a game of 100 plies is a draw.")


def cpu(cells: Cells) -> Table:
    """What the generations just after the first and the last ones take, and a whole run."""
    rows = []
    for cell, seeds in cells.items():
        taken = [[line["cpu"] for line in lines[1:] if line["cpu"] is not None] for lines in seeds]
        known = [each for each in taken if each]
        if not known:
            continue
        tenth = max(1, max(map(len, known)) // 10)
        first = summary([value for each in known for value in each[:tenth]])
        last = summary([value for each in known for value in each[-tenth:]])
        whole = [sum(each) for each, lines in zip(taken, seeds, strict=True) if len(each) == len(lines) - 1]
        run = f"{summary(whole).mean:.1f}" if whole else "-"
        rows.append((cell, f"{first.mean:.3f}", f"{last.mean:.3f}", run))
    return Table(("evolved", "s a generation, first tenth", "last tenth", "s a run"), tuple(rows))


def cpu_curves(cells: Cells) -> Figure:
    """What each generation takes."""

    def taken(line: dict[str, Any]) -> float | None:
        return line["cpu"] if line["generation"] else None

    chart = _curves(cells, taken, "Seconds of a processor a generation", "seconds")
    return Figure(chart, MEANS)


def origins(cells: Cells) -> Table:
    """How champions came into their generations and into the world."""
    rows = []
    for cell, seeds in cells.items():
        came: Counter[str] = Counter(line["origins"][0] for lines in seeds for line in lines[1:])
        places: Counter[str] = Counter(origin for lines in seeds for line in lines[1:2] for origin in line["origins"])
        born: Counter[str] = Counter()
        for lines in seeds:
            known = births(lines)
            born.update(known[number].origin for number in {line["champion"] for line in lines[1:]})
        if came:
            shares = (f"{_share(came, way)} of {_share(places, way)}" for way in WAYS)
            rows.append((cell, *shares, *(str(born[way]) for way in (*WAYS[1:], "random"))))
    titles = (*(f"{way}, %" for way in WAYS), "born by crossover", "by mutation", "at random")
    return Table(("evolved", *titles), tuple(rows))


def scored(
    title: str,
    rows: Iterable[str],
    opponents: Iterable[str],
    scores: Mapping[tuple[str, str], list[float]],
    named: Mapping[str, str] | None = None,
) -> Table:
    """Scores in percent with their intervals over the seeds; a dash where nothing is played."""
    columns = list(opponents)

    def cell(values: list[float] | None) -> str:
        return " ".join(_said(values, 1, 0, 100)).strip() if values else "-"

    cells = tuple(((named or {}).get(row, row), *(cell(scores.get((row, other))) for other in columns)) for row in rows)
    return Table((title, *columns), cells)


def _games(line: dict[str, Any]) -> int:
    """The tournament's, and the champion's with those before it."""
    return int(line["games"]) + GAMES_EACH * min(PREDECESSORS, int(line["generation"]))


def _said(values: Sequence[float], digits: int, least: float = -1e9, most: float = 1e9) -> tuple[str, str]:
    """The mean and its interval, kept within what is possible; no interval of one value."""
    found = summary(values)
    low, high = found.interval
    interval = span(max(low, least), min(high, most), digits) if found.size > 1 else ""
    return decimal(found.mean, digits), interval


def _share(counts: Counter[str], name: str) -> str:
    return f"{100 * counts[name] / counts.total():.0f}"


def _curves(
    cells: Cells,
    figure: Callable[[dict[str, Any]], float | None],
    title: str,
    y_title: str,
    references: tuple[Reference, ...] = (),
) -> str:
    """The mean over the seeds of a figure of every generation, with its interval as a band."""
    series = []
    for cell, seeds in cells.items():
        points: dict[int, Summary] = {}
        for line in zip(*seeds, strict=True):
            values = [value for each in line if (value := figure(each)) is not None]
            if values:
                points[line[0]["generation"]] = summary(values)
        if points:
            # Two values have an interval that is known, but so wide that nothing else could be seen.
            ends = [point.interval if point.size > 2 else (point.mean, point.mean) for point in points.values()]
            band = ([low for low, _ in ends], [high for _, high in ends])
            means = [point.mean for point in points.values()]
            series.append(Series(cell, list(points), means, bands=(band,)))
    return charts.lines(series, title=title, x_title="generation", y_title=y_title, references=references)
