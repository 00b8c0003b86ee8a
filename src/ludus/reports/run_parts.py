"""What the reports of all runs share: how it stands, its figures as curves, its player and its config."""

from itertools import pairwise
from typing import Any

from ludus.reports import charts
from ludus.reports.charts import Series
from ludus.reports.folder import RunFolder, numbers
from ludus.reports.page import Figure, Section
from ludus.reports.tables import Table


def standing(run: RunFolder) -> str:
    """How far the run has come, in a sentence."""
    if run.player is not None:
        return f"A finished run of {run.kind}; its player is {run.player.name}, a player of {run.player.game}."
    return f"A run of {run.kind} that is not finished: {len(run.progress)} lines of its record are there."


def figures(run: RunFolder) -> list[Section]:
    """Every figure of the record as a curve over how far the run had come."""
    over = progress_name(run)
    x = run.column(over) if over else [float(line) for line in range(1, len(run.progress) + 1)]
    parts = [curve(run, x, over or "line of the record", name) for name in numbers(run.progress) if name != over]
    return [Section("Figures", tuple(parts) or ("Nothing is recorded yet.",))]


def curve(run: RunFolder, x: list[float], x_title: str, name: str, y_title: str = "") -> Figure:
    """A figure of the record as a curve."""
    y_title = y_title or name
    series = Series(name, x, run.column(name))
    return Figure(charts.lines([series], title=f"{y_title} over {x_title}", x_title=x_title, y_title=y_title))


def progress_name(run: RunFolder) -> str | None:
    """The figure that tells how far the run had come: `done`, else the first that every line has and that grows."""
    for name in ("done", *numbers(run.progress)):
        if run.progress and all(name in line for line in run.progress):
            values = run.column(name)
            if all(a < b for a, b in pairwise(values)):
                return name
    return None


def about(run: RunFolder) -> list[Section]:
    """The player that was made, with the distribution of its weights, and the config of the run."""
    sections = []
    if run.player is not None:
        parts: list[str | Figure | Table] = [run.player.describe()]
        if run.player.theta is not None:
            parts.append(
                Figure(charts.histogram(run.player.theta, title="Distribution of the weights", x_title="weight"))
            )
        sections.append(Section("Player", tuple(parts)))
    rows = tuple((name, _word(value)) for name, value in run.options.items())
    return [*sections, Section("Config", (Table(("option", "value"), (("kind", run.kind), *rows)),))]


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
