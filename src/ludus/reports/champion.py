"""The report of a champion: its strength by generation, games and time, and the games it learned from."""

import math
from collections.abc import Sequence

from ludus.learning import Record
from ludus.reports import run_parts
from ludus.reports.charts import Reference, Series
from ludus.reports.figures import LineChart
from ludus.reports.folder import RunFolder
from ludus.reports.page import Figure, Part, Section
from ludus.reports.tables import Table, decimal

BEFORE = "the generation before"


def sections(run: RunFolder) -> list[Section]:
    """Strength and games."""
    if not run.progress:
        return [Section("Strength", ("Nothing is recorded yet.",))]
    return [Section("Strength", tuple(_strength(run))), Section("Games", tuple(_games(run)))]


def minutes_of(lines: Sequence[Record], times: Sequence[Record], clock: str = "seconds") -> list[float]:
    """The minutes from the start of the run, all sessions together, to each line of the record; nan if not known.

    They are those of the wall clock, or of the processor with the clock "cpu".
    """
    last = {int(each["done"]): float(each[clock]) / 60 for each in times}
    return [last.get(int(line["games"]), math.nan) for line in lines]


def _strength(run: RunFolder) -> list[Part]:
    measured = [line for line in run.progress if line["pool"]]
    if not measured:
        return ["The generations of this run were not measured."]
    minutes = minutes_of(measured, run.times)
    opponents = [name for name in measured[-1]["pool"] if name != BEFORE]
    each = measured[-1]["pool"][opponents[0]]["games"]
    nodes = run.options.get("match_nodes")
    parts: list[Part] = []
    for x, x_title in (([float(line["games"]) for line in measured], "training games"), (minutes, "minutes")):
        series = [Series(name, x, *elos(measured, name)) for name in opponents]
        chart = LineChart(
            series,
            title=f"Elo above each reference player over {x_title}",
            x_title=x_title,
            y_title="Elo",
            references=(Reference(0.0, "equal"),),
            error_bars=True,
        )
        caption = (
            f"{each} games of each generation against each reference player, {nodes} nodes a move, with 95% "
            "intervals. A generation that won all or lost all has no point."
        )
        parts.append(Figure(chart, caption))
    gained = run_parts.curve(run, run.column("games"), "training games", "gained", "Elo of each generation, summed")
    parts += [gained, _table(measured, minutes)]
    return parts


def elos(lines: Sequence[Record], name: str) -> tuple[list[float], tuple[tuple[list[float], list[float]], ...]]:
    """The Elo of each line against a player, and its interval; nan where it is infinite."""

    def column(key: str) -> list[float]:
        return [line["pool"].get(name, {}).get(key, math.nan) for line in lines]

    return column("elo"), ((column("elo_low"), column("elo_high")),)


def _table(lines: Sequence[Record], minutes: Sequence[float]) -> Table:
    opponents = list(lines[-1]["pool"])
    rows = tuple(
        (
            f"{line['generation']}{'' if line.get('kept', True) else ', not kept'}",
            f"{line['games']:,}",
            decimal(passed),
            *(result_text(line["pool"].get(name)) for name in opponents),
        )
        for line, passed in zip(lines, minutes, strict=True)
    )
    return Table(("generation", "after games", "minutes", *opponents), rows)


def result_text(found: Record | None) -> str:
    """A result of the record in words: wins, draws and losses, and Elo with its interval; empty for no result."""
    if found is None:
        return ""
    counted = f"+{found['wins']} ={found['draws']} -{found['losses']}"
    if "elo" not in found:
        return counted
    low, high = (f"{found[key]:+.0f}" if key in found else "..." for key in ("elo_low", "elo_high"))
    return f"{counted}, {found['elo']:+.0f} [{low}, {high}]"


def _games(run: RunFolder) -> list[Part]:
    x = run.column("generation")
    new = [line["new"] for line in run.progress]
    tables = run.progress[-1]["endgames"]
    counted = {
        "draws, %": [100 * each["draws"] / each["games"] for each in new],
        "games ended by endgame tables, %": [100 * each["by_table"] / each["games"] for each in new],
    }
    shares = [Series(name, x, values) for name, values in counted.items()]
    plies = Series("plies", x, [each["plies"] / each["games"] for each in new])
    positions = sum(each["positions"] for each in new)
    ended = f"Endgame tables of up to {tables} pieces end games." if tables else "No endgame tables end games."
    return [
        f"All generations together played {run.progress[-1]['games']:,} games and kept {positions:,} positions. "
        f"{ended}",
        Figure(
            LineChart(shares, title="How training games end", x_title="generation", y_title="%"),
            "Draws, and games that endgame tables ended.",
        ),
        Figure(
            LineChart([plies], title="Plies of a training game", x_title="generation", y_title="plies"),
            "The mean length of the training games.",
        ),
        *run_parts.curves(run, x, "generation", {"loss": "loss at the end of the fit"}),
    ]
