"""What several trainings of a player show: every training on its own, their mean, and its 95% interval.

The interval is Student's, over trainings and not over games: all games of a training share the luck of its seed. With
one training there is none.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ludus.arena.samples import Summary, summary
from ludus.reports import charts
from ludus.reports.charts import Estimate
from ludus.reports.page import Figure
from ludus.reports.tables import Table, decimal, span

BySeed = Mapping[int, float]  # a value of each finished training, by its seed
Text = Callable[[float], str]

EACH = "A small dot is one training, the large dot the mean, the bar its 95% interval over trainings."


class Range(NamedTuple):
    """The values that are possible; intervals are cut there."""

    least: float = 0.0
    most: float = 100.0


PERCENT = Range()
ANY = Range(-math.inf, math.inf)
POSITIVE = Range(0.0, math.inf)


def interval(found: Summary, possible: Range = PERCENT) -> tuple[float, float] | None:
    """The 95% interval of the mean, cut at the possible values; None for one training."""
    if found.size < 2:
        return None
    low, high = found.interval
    return max(low, possible.least), min(high, possible.most)


def mean_cells(values: Iterable[float], possible: Range = PERCENT, text: Text = decimal) -> list[str]:
    """The mean and its interval as cells of a table; dashes where there is none."""
    known = list(values)
    if not known:
        return ["-", "-"]
    found = summary(known)
    ends = interval(found, possible)
    if ends is None:
        return [text(found.mean), "-"]
    digits = len(text(found.mean).partition(".")[2])
    return [text(found.mean), span(*ends, digits)]


def table(
    title: str,
    rows: Mapping[str, BySeed],
    seeds: Sequence[int],
    *,
    possible: Range = PERCENT,
    text: Text = decimal,
    others: Mapping[str, str] | None = None,
    other_title: str = "paper",
) -> Table:
    """The mean and its interval, then a column for each training. Rows without a finished training are left out.

    `title` is that of the names of the rows; `others` fills the column after the interval.
    """
    found = []
    for name, values in rows.items():
        if not values:
            continue
        cells = [text(values[seed]) if seed in values else "-" for seed in seeds]
        beside = [] if others is None else [others.get(name, "-")]
        found.append((name, *mean_cells(values.values(), possible, text), *beside, *cells))
    beside = [] if others is None else [other_title]
    head = (title, "mean", "95% over trainings", *beside, *(f"seed {seed}" for seed in seeds))
    return Table(head, tuple(found), broad=True)


def chart(
    title: str,
    rows: Mapping[str, BySeed],
    *,
    x_title: str = "points, %",
    caption: str = "",
    possible: Range = PERCENT,
    marks: Mapping[str, float] | None = None,
) -> Figure:
    """A row for each player: its trainings, their mean and the interval. `marks` are values of others."""
    estimates = []
    for name, values in rows.items():
        if not values:
            continue
        found = summary(list(values.values()))
        low, high = interval(found, possible) or (found.mean, found.mean)
        samples = tuple(values.values()) if found.size > 1 else ()
        estimates.append(Estimate(name, found.mean, low, high, samples, (marks or {}).get(name, math.nan)))
    picture = charts.intervals(estimates, title=title, x_title=x_title)
    return Figure(picture, " ".join(filter(None, (f"{title}.", caption, EACH))))


def differences(one: BySeed, other: BySeed) -> dict[int, float]:
    """The differences of trainings with the same seed."""
    return {seed: one[seed] - other[seed] for seed in one if seed in other}


def seconds_text(seconds: float) -> str:
    """Processor seconds as a cell of a table."""
    return f"{seconds:,.1f}" if seconds < 100 else f"{seconds:,.0f}"


def cpu_table(title: str, rows: Mapping[str, BySeed], seeds: Sequence[int]) -> Table:
    """The processor seconds of every training."""
    return table(title, rows, seeds, possible=POSITIVE, text=seconds_text)


def hours_text(seconds: float) -> str:
    """An estimate in words: about 3 minutes, about 2.5 hours."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {seconds / 60:.0f} minutes" if seconds < 5400 else f"about {seconds / 3600:.1f} hours"
