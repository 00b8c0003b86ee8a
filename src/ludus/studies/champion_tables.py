"""The tables and charts of the study of the champion: pure functions of the records of its runs and of match scores."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ludus.arena.score import Score
from ludus.learning import Record
from ludus.learning.generation_matches import BEFORE
from ludus.reports.champion import elos as recorded_elos
from ludus.reports.champion import minutes_of, result_text
from ludus.reports.charts import Reference, Series
from ludus.reports.figures import LineChart
from ludus.reports.page import Figure, Part
from ludus.reports.tables import Table, decimal
from ludus.studies import trainings
from ludus.studies.trainings import ANY, POSITIVE

Pair = tuple[str, str]  # a table and a row of it
BySeed = Mapping[int, Score]
FIRST, FIXED, GROWTH, BOUNDS, PARTS = "first", "fixed", "growth", "bounds", "parts"

PASS_NOTE = (
    "The minutes of processor time, with the matches, after which a generation scores more than half against a player "
    "and the 95% interval of its games excludes a half. A dash: no generation does."
)
EVERY_NOTE = "Wins, draws and losses of every generation, and its Elo with the 95% interval of its games."
HALF_NOTE = (
    "The learner with half of the games in every generation, against the champion of the same seed: the Elo that it "
    "has less says what the data is worth."
)
PARTS_NOTE = (
    "The last champion against itself without one part of the search, at equal nodes. `endgames` is the use of endgame "
    "tables in the search. The intervals are over trainings; one in twenty misses the truth by chance."
)
CPU_NOTE = "Processor seconds of every training; those of the champion include the matches of its generations."


class Run(NamedTuple):
    """The lines of a training's record, and those of its times."""

    lines: Sequence[Record]
    times: Sequence[Record]

    @property
    def minutes(self) -> list[float]:
        """The minutes of processor time up to each line."""
        return minutes_of(self.lines, self.times, "cpu")


def fixed_note(nodes: int) -> str:
    """The text before the table of fixed players."""
    return f"Points in percent against players that never change, all with {nodes:,} nodes a move; random has none."


def growth_note(half_way: int) -> str:
    """The text before the table of later generations."""
    return f"Generations of the second half against generation {half_way}, in Elo."


def curves(runs: Mapping[int, Run]) -> list[Part]:
    """The Elo of every training above each reference player, over minutes of processor time and over games."""
    parts: list[Part] = []
    for name in _opponents(runs):
        for axis in ("minutes of processor time", "training games"):
            series = [
                Series(
                    f"seed {seed}",
                    run.minutes if axis.startswith("minutes") else [float(line["games"]) for line in run.lines],
                    *recorded_elos(run.lines, name),
                )
                for seed, run in runs.items()
            ]
            chart = LineChart(
                series,
                title=f"Elo above {name} over {axis}",
                x_title=axis,
                y_title="Elo",
                references=(Reference(0.0, "equal"),),
                error_bars=True,
            )
            caption = "With 95% intervals over games. A generation that won all or lost all has no point."
            parts.append(Figure(chart.svg, f"{chart.title}. {caption}"))
    return parts or ["No training is finished yet."]


def minutes_to_pass(runs: Mapping[int, Run], found: Mapping[Pair, BySeed], seeds: Sequence[int]) -> Table:
    """The minutes of processor time until a generation is surely better than a player."""
    rows: dict[str, dict[int, float]] = {"random": {}}
    for seed, score in found[FIRST, "random"].items():
        if seed in runs and score.interval[0] > 0.5:
            rows["random"][seed] = runs[seed].minutes[0]
    for name in _opponents(runs):
        rows[name] = {}
        for seed, run in runs.items():
            for line, minutes in zip(run.lines, run.minutes, strict=True):
                if line["pool"][name]["interval"][0] > 0.5:
                    rows[name][seed] = minutes
                    break
    return trainings.table("better than", rows, seeds, possible=POSITIVE)


def generations(runs: Mapping[int, Run], seeds: Sequence[int]) -> list[Part]:
    """A table for each reference player: the result of every generation of every training."""
    tables: list[Part] = []
    for name in _opponents(runs):
        first = next(iter(runs.values()))
        rows = tuple(
            (
                str(line["generation"]),
                f"{line['games']:,}",
                *(result_text(runs[seed].lines[place]["pool"][name]) if seed in runs else "-" for seed in seeds),
            )
            for place, line in enumerate(first.lines)
        )
        columns = (f"generation, against {name}", "after games", *(f"seed {seed}" for seed in seeds))
        tables.append(Table(columns, rows, broad=True))
    return tables


def scores(table: str, title: str, found: Mapping[Pair, BySeed], seeds: Sequence[int]) -> Table:
    """The points of the first player, in percent."""
    rows = {
        row: {seed: 100 * score.score for seed, score in by_seed.items()}
        for (of, row), by_seed in found.items()
        if of == table
    }
    return trainings.table(title, rows, seeds)


def elos(table: str, title: str, found: Mapping[Pair, BySeed], seeds: Sequence[int]) -> tuple[Part, ...]:
    """The Elo of the first player above the second: a table, and a chart if it has rows. Infinite Elo is left out."""
    rows = {
        row: {seed: score.elo for seed, score in by_seed.items() if math.isfinite(score.elo)}
        for (of, row), by_seed in found.items()
        if of == table
    }
    table_of_elos = trainings.table(title, rows, seeds, possible=ANY, text=_signed)
    if not any(rows.values()):
        return (table_of_elos,)
    return table_of_elos, trainings.chart(title.capitalize(), rows, x_title="Elo", caption="0 is equal.", possible=ANY)


def _opponents(runs: Mapping[int, Run]) -> list[str]:
    """The reference players of the records."""
    first = next(iter(runs.values()), None)
    return [name for name in first.lines[-1]["pool"] if name != BEFORE] if first else []


def _signed(value: float) -> str:
    text = decimal(value)
    return text if text.startswith("-") or value == 0 else f"+{text}"
