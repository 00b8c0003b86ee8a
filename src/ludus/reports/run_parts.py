"""What the reports of all runs share: the state of the run, curves of its record, its player and its config."""

import math
from itertools import pairwise
from typing import Any

from ludus.reports.charts import Series
from ludus.reports.figures import Histogram, LineChart
from ludus.reports.folder import RunFolder, numbers
from ludus.reports.page import Figure, Part, Section
from ludus.reports.tables import Table


def state(run: RunFolder) -> str:
    """A sentence that says whether the run is finished."""
    if run.player is not None and run.finished:
        return f"This run of {run.kind} is finished. Its result is {run.player.name}, a player of {run.player.game}."
    lines = f"{len(run.progress):,} line{'' if len(run.progress) == 1 else 's'}"
    now = "is going on" if run.running else "was stopped before its end"
    return f"This run of {run.kind} {now}. Its record has {lines} so far."


def record(run: RunFolder) -> list[Section]:
    """Every number of the record as a curve."""
    over = progress_name(run)
    x = run.column(over) if over else [float(line) for line in range(1, len(run.progress) + 1)]
    parts = [curve(run, x, over or "line of the record", name) for name in numbers(run.progress) if name != over]
    return [Section("Record", tuple(parts) or ("Nothing is recorded yet.",))]


def curve(run: RunFolder, x: list[float], x_title: str, name: str, y_title: str = "") -> Figure:
    """A number of the record as a curve."""
    y_title = y_title or name
    series = Series(name, x, run.column(name))
    return Figure(LineChart([series], title=f"{y_title} over {x_title}", x_title=x_title, y_title=y_title))


def curves(run: RunFolder, x: list[float], x_title: str, titles: dict[str, str]) -> list[Part]:
    """A curve for each of these numbers that the record has; `titles` gives the title of each."""
    known = (name for name in titles if any(map(math.isfinite, run.column(name))))
    return [curve(run, x, x_title, name, titles[name]) for name in known]


def progress_name(run: RunFolder) -> str | None:
    """The number that counts the progress of the run: `done`, or the first one that grows from line to line."""
    for name in ("done", *numbers(run.progress)):
        if run.progress and all(name in line for line in run.progress):
            values = run.column(name)
            if all(a < b for a, b in pairwise(values)):
                return name
    return None


def player_and_config(run: RunFolder) -> list[Section]:
    """The player with a histogram of its weights, and the config of the run."""
    sections = []
    if run.player is not None:
        parts: list[Part] = [run.player.describe()]
        if run.player.theta is not None:
            chart = Histogram(run.player.theta, title="Histogram of the weights", x_title="weight")
            parts.append(Figure(chart, "All weights of the player."))
        sections.append(Section("Player", tuple(parts)))
    rows = tuple((name.rstrip("_"), _word(value) or "none") for name, value in run.options.items())
    table = Table(("option", "value"), (("kind", run.kind), *rows), prose=(1,))
    return [*sections, Section("Config", (table,))]


def _word(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}" if abs(value) >= 10_000 else str(value)
        case list():
            return ", ".join(map(_word, value))
        case dict():
            return ", ".join(f"{name} {_word(part)}" for name, part in value.items())
    return str(value)
