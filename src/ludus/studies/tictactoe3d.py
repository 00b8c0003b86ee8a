"""The study of Tic-Tac-Toe 3D: van de Steeg, Drugan and Wiering (2015), both result tables and what lies beyond them.

The paper leaves things open; a reading is a stated choice. Table II is filled under ours: nodes have biases, a move
that wins at once is worth 1 by rule, and the last afterstate learns the reward itself. Table III is filled under the
same reading with another derivative, for each way of drawing the benchmark player's order of moves.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ludus.arena.samples import Summary, summary, welch
from ludus.learning.td import Td
from ludus.reports import charts
from ludus.reports.charts import Series
from ludus.reports.page import Figure, Section
from ludus.reports.tables import Cell, Table, plus_minus
from ludus.reports.td import peak_and_end, scores
from ludus.studies import trials
from ludus.studies.trials import Trial, Trials

NETWORKS = ("small-structured", "deep-structured", "small-unstructured", "deep-unstructured", "wide-unstructured")
PAPER_TRIALS = 10


class Claim(NamedTuple):
    """What the paper prints: mean and deviation of the peak and of the end, in percent."""

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
# Against the benchmark player the learner has the first move, in training and in the tests, and backpropagation takes
# 1 - y * y for the derivative: with the exact one it learns far less in a million games, whatever the order.
AGAINST = {"against": "benchmark", "seat": "first", "test_seat": "first", "derivative": "doubled"}

# Beyond the tables: what a row of ours is called, and what is set for it.
BEYOND: dict[str, dict[str, Any]] = {
    "deep-structured, literal reading": {"network": "deep-structured", **LITERAL},
    "line-patterns": {"network": "line-patterns"},
    "symmetric-patterns": {"network": "symmetric-patterns"},
    "symmetric-patterns, avoiding losses": {"network": "symmetric-patterns", "avoid_loss": True},
}


class Scale(NamedTuple):
    """How much is done: a trial has a hundred tests at every scale."""

    trials: int
    games: int
    test_games: int


SCALES = {"quick": Scale(2, 30_000, 200), "full": Scale(PAPER_TRIALS, 1_000_000, 1000)}


class Study:
    """The trials that the tables need, and the tables that they fill."""

    title = "Tic-Tac-Toe 3D by temporal differences"
    unit = "trials"
    store = Trials

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.cells: dict[str, list[Trial]] = {}
        for network in NETWORKS:
            self._add(self_play(network), seed, network=network)
        for row, options in BEYOND.items():
            self._add(row, seed, **options)
        for order in ORDERS:
            for network in NETWORKS:
                self._add(against(network, order), seed, network=network, order=order, **AGAINST)

    def _add(self, cell: str, seed: int, **options: Any) -> None:
        scale = self.scale
        self.cells[cell] = [
            trials.of(
                cell,
                Td(
                    games=scale.games,
                    seed=seed + index,
                    test_every=max(1, scale.games // 100),
                    test_games=scale.test_games,
                    **options,
                ),
            )
            for index in range(scale.trials)
        ]

    def trials(self) -> list[Trial]:
        """All of them, the first of each cell first: a study that is stopped early has something everywhere."""
        return [cell[index] for index in range(self.scale.trials) for cell in self.cells.values()]

    def sections(self, done: Trials) -> list[Section]:
        """The tables and curves, from the trials that are done."""
        found = {
            cell: [[100 * score for score in scores(done[trial])] for trial in wanted if trial in done]
            for cell, wanted in self.cells.items()
        }
        note = (
            f"Trials a cell: {self.scale.trials}, of {self.scale.games:,} games; a test of {self.scale.test_games:,} "
            f"games after every {self.scale.games // 100:,}. A draw is half a win."
        )
        if self.scale != SCALES["full"]:
            note += " The paper has 10 trials of 1,000,000 games: this is a look at the beginning, no reproduction."
        parts = [
            Section(
                "Table II: self-play, tested against the benchmark player",
                (
                    note,
                    compared(TABLE_II, {network: found[self_play(network)] for network in NETWORKS}),
                    curves("Self-play", {network: found[self_play(network)] for network in NETWORKS}, self.scale),
                    self._tests(found, "self-play", (("deep-structured", "wide-unstructured", "higher"),), self_play),
                ),
            ),
            Section("Beyond Table II, in the same games", (beyond(found), self._beyond_curves(found))),
        ]
        for order in ORDERS:
            named = {network: found[against(network, order)] for network in NETWORKS}
            parts.append(
                Section(
                    f"Table III: trained against the benchmark player, order drawn by {ORDER_WORDS[order]}",
                    (
                        compared(TABLE_III, named),
                        curves("Against the benchmark player", named, self.scale),
                        self._tests(found, order, CLAIMS_III, lambda network, order=order: against(network, order)),
                    ),
                )
            )
        return parts

    def _beyond_curves(self, found: dict[str, list[list[float]]]) -> Figure:
        rows = {"deep-structured": found[self_play("deep-structured")]} | {row: found[row] for row in BEYOND}
        return curves("Beyond the paper", rows, self.scale)

    def _tests(self, found: Any, title: str, claims: Sequence[tuple[str, str, str]], cell: Any) -> Table:
        """The comparisons that the paper makes, by Welch's test."""
        rows = []
        for one, other, claim in claims:
            for index, figure in enumerate(("peak", "end")):
                samples = [[peak_and_end(curve)[index] for curve in found[cell(network)]] for network in (one, other)]
                if min(map(len, samples)) < 2:
                    continue
                first, second = map(summary, samples)
                test = welch(first, second)
                rows.append(
                    (
                        f"{one} v {other}",
                        figure,
                        claim,
                        f"{first.mean - second.mean:+.1f}",
                        f"{test.t:.2f}",
                        "< 0.0001" if test.p < 1e-4 else f"{test.p:.4f}",
                    )
                )
        return Table(("Welch's test", "of the", "the paper", "difference", "t", "p"), tuple(rows), names=2)


ORDER_WORDS = {"move": "chance at every move", "game": "chance once a game", "biased": "a biased shuffle at every move"}
CLAIMS_III = (
    ("deep-structured", "deep-unstructured", "higher, p < 0.01 and < 0.05"),
    ("deep-unstructured", "wide-unstructured", "higher"),
    ("small-structured", "small-unstructured", "no difference"),
)


def self_play(network: str) -> str:
    """The cell of a network in Table II."""
    return f"{network}, self-play"


def against(network: str, order: str) -> str:
    """The cell of a network in Table III."""
    return f"{network}, against benchmark, order {order}"


def compared(paper: dict[str, Claim], found: dict[str, list[list[float]]]) -> Table:
    """The paper's table beside ours; a star where the difference is significant."""
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


def beyond(found: dict[str, list[list[float]]]) -> Table:
    """The rows of ours that the paper does not have, below its best."""
    rows = []
    for row in (self_play("deep-structured"), *BEYOND):
        figures = [peak_and_end(curve) for curve in found[row]]
        if not figures:
            continue
        peak, end = (summary([figure[index] for figure in figures]) for index in (0, 1))
        interval = f"{end.interval.low:.1f} to {end.interval.high:.1f}" if end.size > 1 else "-"
        rows.append((row, plus_minus(peak), plus_minus(end), interval, str(end.size)))
    return Table(("row", "peak, %", "end, %", "95% of the mean end", "trials"), tuple(rows))


def curves(title: str, found: dict[str, list[list[float]]], scale: Scale) -> Figure:
    """The mean score in the tests, with the 95% interval of the mean over the trials as a band."""
    lines = []
    for name, trials_of in found.items():
        if not trials_of:
            continue
        points = [summary(values) for values in zip(*trials_of, strict=True)]
        games = [scale.games / len(points) * (index + 1) for index in range(len(points))]
        bands: tuple[Any, ...] = ()
        if len(trials_of) > 1:
            # Of two or three trials the interval can pass what a score can be.
            bands = (([max(0.0, p.interval.low) for p in points], [min(100.0, p.interval.high) for p in points]),)
        lines.append(Series(name, games, [point.mean for point in points], bands=bands))
    chart = charts.lines(lines, title=title, x_title="training games", y_title="score, %")
    return Figure(chart, "The mean over the trials; the band is its 95% interval.")
