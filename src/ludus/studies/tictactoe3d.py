"""The study of Tic-Tac-Toe 3D: van de Steeg, Drugan and Wiering (2015), both result tables and rows of our own.

The paper does not state everything; a reading is one choice of what it leaves open. Our reading fills Table II: nodes
have biases, a move that wins at once has the value 1, and the target of the last afterstate is the reward. Table III is
filled under the same reading with another derivative, for each order of the benchmark player's moves.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from ludus.arena.samples import Summary, summary, welch
from ludus.learning import Options
from ludus.learning.td import Td
from ludus.reports import charts
from ludus.reports.charts import Series
from ludus.reports.page import Figure, Section
from ludus.reports.tables import Cell, Table, plus_minus
from ludus.reports.td import peak_and_end, scores
from ludus.studies import trainings
from ludus.studies.trials import Trial, TrialStore

NETWORKS = ("small-structured", "deep-structured", "small-unstructured", "deep-unstructured", "wide-unstructured")
PAPER_TRIALS = 10


Curves = dict[str, list[list[float]]]  # by cell: for each trial the scores in its tests, in percent


class Claim(NamedTuple):
    """The paper's values: mean and standard deviation of the peak and of the end, in percent."""

    peak: tuple[float, float]
    end: tuple[float, float]


TABLE_II = {
    "small-structured": Claim((50.6, 4.9), (29.4, 8.8)),
    "deep-structured": Claim((65.9, 5.0), (52.7, 6.8)),
    "small-unstructured": Claim((31.2, 6.2), (20.2, 4.3)),
    "deep-unstructured": Claim((38.2, 5.4), (24.8, 4.9)),
    "wide-unstructured": Claim((54.1, 5.5), (36.1, 7.1)),
}
TABLE_III = {
    "small-structured": Claim((94.3, 3.1), (90.7, 2.4)),
    "deep-structured": Claim((98.7, 0.3), (97.3, 0.8)),
    "small-unstructured": Claim((93.3, 1.8), (90.4, 1.5)),
    "deep-unstructured": Claim((98.1, 0.5), (96.2, 1.0)),
    "wide-unstructured": Claim((96.8, 0.8), (94.4, 1.5)),
}
ORDERS = ("move", "game", "biased")

LITERAL = {"rule_win": False, "train_terminal": False, "bias": False}
# Against the benchmark player the learner moves first, in training and in the tests, and backpropagation uses
# 1 - y * y as the derivative: with the exact one it learns far less in a million games, with every order.
AGAINST = {"against": "benchmark", "seat": "first", "test_seat": "first", "derivative": "doubled"}

# Rows of our own beyond Table II, and their options. Several structured layers and weights shared over the symmetries
# are the paper's future work.
BEYOND: dict[str, Options] = {
    "deep-structured, literal reading": {"network": "deep-structured", **LITERAL},
    "plane-structured": {"network": "plane-structured"},
    "cell-structured": {"network": "cell-structured"},
    "cell-plane-structured": {"network": "cell-plane-structured"},
    "line-patterns": {"network": "line-patterns"},
    "symmetric-patterns": {"network": "symmetric-patterns"},
    "symmetric-patterns, avoiding losses": {"network": "symmetric-patterns", "avoid_loss": True},
}


class Scale(NamedTuple):
    """The size of the study. A trial has a hundred tests at every scale."""

    trials: int
    games: int
    test_games: int


SCALES = {"quick": Scale(2, 30_000, 200), "full": Scale(PAPER_TRIALS, 1_000_000, 1000)}


class Study:
    """The trials that the tables need, and the tables."""

    title = "Tic-Tac-Toe 3D by temporal differences (van de Steeg, Drugan and Wiering 2015)"
    unit = "trials"
    store = TrialStore

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seed = seed
        self.cells: dict[str, list[Trial]] = {}
        for network in NETWORKS:
            self._add(self_play(network), seed, network=network)
        for row, options in BEYOND.items():
            self._add(row, seed, **options)
        for order in ORDERS:
            for network in NETWORKS:
                self._add(against(network, order), seed, network=network, order=order, **AGAINST)

    def _add(self, cell: str, seed: int, **options: object) -> None:
        scale = self.scale
        common = {
            "games": scale.games,
            "test_every": max(1, scale.games // 100),
            "test_games": scale.test_games,
        }
        self.cells[cell] = [
            Trial.of(cell, msgspec.convert({**options, **common, "seed": seed + index}, type=Td))
            for index in range(scale.trials)
        ]

    def steps(self) -> list[Trial]:
        """All trials, the first of each cell first: a study that is stopped early has results in every cell."""
        return [cell[index] for index in range(self.scale.trials) for cell in self.cells.values()]

    def sections(self, store: TrialStore) -> list[Section]:
        """The tables and curves of the finished trials."""
        found = {
            cell: [[100 * score for score in scores(store[trial])] for trial in trials if trial in store]
            for cell, trials in self.cells.items()
        }
        note = (
            f"Trials a cell: {self.scale.trials}, of {self.scale.games:,} games; a test of {self.scale.test_games:,} "
            f"games after every {self.scale.games // 100:,}. A draw is half a win."
        )
        full = SCALES["full"]
        if self.scale[1:] != full[1:]:
            note += " The paper has 10 trials of 1,000,000 games: this shorter training is no reproduction."
        elif self.scale.trials != full.trials:
            note += f" The paper has {PAPER_TRIALS} trials."
        parts = [
            Section(
                "Table II: self-play, tested against the benchmark player",
                (
                    note,
                    compared(TABLE_II, {network: found[self_play(network)] for network in NETWORKS}),
                    curves("Self-play", {network: found[self_play(network)] for network in NETWORKS}, self.scale),
                    self._tests(found, (("deep-structured", "wide-unstructured", "higher"),), self_play),
                ),
            ),
            Section(
                "Beyond Table II, in the same games",
                (
                    beyond(found, (self_play("deep-structured"), *BEYOND)),
                    self._beyond_curves(found),
                ),
            ),
        ]
        for order in ORDERS:
            named = {network: found[against(network, order)] for network in NETWORKS}
            parts.append(
                Section(
                    f"Table III: trained against the benchmark player, order drawn by {ORDER_LABELS[order]}",
                    (
                        compared(TABLE_III, named),
                        curves("Against the benchmark player", named, self.scale),
                        self._tests(found, CLAIMS_III, partial(against, order=order)),
                    ),
                )
            )
        return [*parts, Section("Every trial", (EVERY_NOTE, *self._every_trial(found, store)))]

    def _every_trial(self, found: Curves, store: TrialStore) -> tuple[Table, Table]:
        """The end and the processor time of every trial."""
        ends, times = {}, {}
        for cell, cell_trials in self.cells.items():
            done = [trial for trial in cell_trials if trial in store]
            seeds = [int(trial.options["seed"]) for trial in done]
            ends[cell] = {seed: peak_and_end(curve)[1] for seed, curve in zip(seeds, found[cell], strict=True)}
            spent = dict(zip(seeds, map(store.cpu, done), strict=True))
            times[cell] = {seed: seconds for seed, seconds in spent.items() if seconds is not None}
        shown = range(self.seed, self.seed + self.scale.trials)
        return trainings.table("end, %", ends, shown), trainings.cpu_table("processor seconds", times, shown)

    def _beyond_curves(self, found: Curves) -> Figure:
        rows = {"deep-structured": found[self_play("deep-structured")]} | {row: found[row] for row in BEYOND}
        return curves("Beyond the paper", rows, self.scale)

    def _tests(self, found: Curves, claims: Sequence[tuple[str, str, str]], cell: Callable[[str], str]) -> Table:
        """The paper's comparisons of networks, by Welch's test; `cell` is the cell of a network."""
        rows = []
        for one, other, claim in claims:
            for index, measure in enumerate(("peak", "end")):
                samples = [[peak_and_end(curve)[index] for curve in found[cell(network)]] for network in (one, other)]
                if min(map(len, samples)) < 2:
                    continue
                first, second = map(summary, samples)
                test = welch(first, second)
                rows.append(
                    (
                        f"{one} v {other}",
                        measure,
                        claim,
                        f"{first.mean - second.mean:+.1f}",
                        f"{test.t:.2f}",
                        "< 0.0001" if test.p < 1e-4 else f"{test.p:.4f}",
                    )
                )
        return Table(("Welch's test", "of the", "the paper", "difference", "t", "p"), tuple(rows), names=2)


ORDER_LABELS = {
    "move": "chance at every move",
    "game": "chance once a game",
    "biased": "a biased shuffle at every move",
}
CLAIMS_III = (
    ("deep-structured", "deep-unstructured", "higher, p < 0.01 and < 0.05"),
    ("deep-unstructured", "wide-unstructured", "higher"),
    ("small-structured", "small-unstructured", "no difference"),
)


EVERY_NOTE = "The end of every trial, and its processor time; a trial of an earlier version has no time."


def self_play(network: str) -> str:
    """The cell of a network in Table II."""
    return f"{network}, self-play"


def against(network: str, order: str) -> str:
    """The cell of a network in Table III."""
    return f"{network}, against benchmark, order {order}"


def compared(paper: dict[str, Claim], found: Curves) -> Table:
    """Our values beside the paper's, with a star where the difference is significant."""
    rows: list[tuple[str | Cell, ...]] = []
    for network, claim in paper.items():
        row: list[str | Cell] = [network]
        for index, (mean, deviation) in enumerate(claim):
            theirs = Summary(mean, deviation, PAPER_TRIALS)
            values = [peak_and_end(curve)[index] for curve in found[network]]
            ours = summary(values) if values else None
            differs = ours is not None and ours.size > 1 and welch(ours, theirs).p < 0.05
            row += [Cell(plus_minus(ours) if ours else "-", "*" if differs else ""), plus_minus(theirs)]
        rows.append(tuple(row))
    notes = {"*": "differs from the paper's, p < 0.05 by Welch's test"}
    return Table(("network", "peak, %", "paper's peak", "end, %", "paper's end"), tuple(rows), notes=notes)


def beyond(found: Curves, wanted: Sequence[str]) -> Table:
    """The rows of our own, below the paper's best network."""
    rows = []
    for row in wanted:
        measured = [peak_and_end(curve) for curve in found[row]]
        if not measured:
            continue
        peak, end = (summary([both[index] for both in measured]) for index in (0, 1))
        interval = f"{end.interval.low:.1f} to {end.interval.high:.1f}" if end.size > 1 else "-"
        rows.append((row, plus_minus(peak), plus_minus(end), interval, str(end.size)))
    return Table(("row", "peak, %", "end, %", "95% of the mean end", "trials"), tuple(rows))


def curves(title: str, found: Curves, scale: Scale) -> Figure:
    """The mean score in the tests, with a band for the 95% interval of the mean over the trials."""
    lines = []
    for name, trials in found.items():
        if not trials:
            continue
        points = [summary(values) for values in zip(*trials, strict=True)]
        games = [scale.games / len(points) * (index + 1) for index in range(len(points))]
        bands: tuple[tuple[list[float], list[float]], ...] = ()
        if len(trials) > 1:
            # The interval of two or three trials can be wider than 0 to 100.
            bands = (([max(0.0, p.interval.low) for p in points], [min(100.0, p.interval.high) for p in points]),)
        lines.append(Series(name, games, [point.mean for point in points], bands=bands))
    chart = charts.lines(lines, title=title, x_title="training games", y_title="score, %")
    return Figure(chart, "The mean over the trials; the band is its 95% interval.")
