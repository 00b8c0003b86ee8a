"""The tables of teams: how many specialists were accepted, and what a changed option is worth."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from ludus.learning import Record
from ludus.reports.page import Figure
from ludus.reports.tables import Table, decimal
from ludus.studies import trainings
from ludus.studies.trainings import ANY, BySeed

Records = Mapping[str, Mapping[int, Sequence[Record]]]  # the lines of a team's record, by row and seed

SPECIALIST_NOTE = (
    "Each specialist plays the generalist from boards of its own unit that were held back. The score is the mean over "
    "the specialists of a team; 50 is even. A specialist that is not accepted is left out: the generalist plays in its "
    "place. Being accepted favours luck: the score on other boards does not."
)
GAMES_NOTE = "Matches from the three-move ballots with both colours, at depth 4. 50 is even."
CPU_NOTE = "Processor seconds of every team, without its generalist."


def specialists(records: Records) -> Table:
    """How many specialists each training has, how many were accepted, and their mean score against the generalist."""
    rows: list[tuple[str, ...]] = []
    for row, runs in records.items():
        means: list[float] = []
        for seed, lines in runs.items():
            trained = [line for line in lines if line.get("stage") == "specialists" and "score" in line]
            if not trained:
                continue
            scored = [100 * float(line["score"]) for line in trained]
            kept = [line["accepted"] for line in trained if "accepted" in line]
            better = [100 * float(line["score"]) for line in trained if line.get("accepted", True)]
            means.append(fmean(scored))
            accepted = f"{sum(kept)}" if kept else "all"
            cells = (decimal(means[-1]), "", decimal(fmean(better)) if better else "-")
            rows.append((row if len(means) == 1 else "", f"seed {seed}", str(len(trained)), accepted, *cells))
        if means:
            rows.append(("", f"mean of {len(means)}", "", "", *trainings.mean_cells(means), ""))
    columns = (
        "team",
        "training",
        "specialists",
        "accepted",
        "score of all, %",
        "95% over trainings",
        "of the accepted, %",
    )
    return Table(columns, tuple(rows), names=2)


def checked_teams(records: Records, seeds: Sequence[int]) -> Table:
    """The score of each team against its generalist on boards of the units that have an accepted specialist."""
    rows = {row: _checks(runs, "accepted") for row, runs in records.items()}
    return trainings.table("the team on boards held back, points in %", rows, seeds)


def on_boards(records: Records, usual: str, seeds: Sequence[int]) -> tuple[Table, Table, Figure]:
    """The score of each team against its generalist on all boards held back, and how it differs from the usual one."""
    found = {row: _checks(runs, "all") for row, runs in records.items()}
    differ = {row: trainings.differences(scores, found[usual]) for row, scores in found.items() if row != usual}
    return (
        trainings.table("points against the generalist, %", found, seeds),
        trainings.table("difference from the team, points in %", differ, seeds, possible=ANY, text=signed),
        trainings.chart(
            "Difference from the team",
            differ,
            x_title="difference in points, %",
            caption="0 is as good as the team.",
            possible=ANY,
        ),
    )


def points(title: str, scores: Mapping[str, Mapping[str, BySeed]], opponent: str, seeds: Sequence[int]) -> Table:
    """The points of every row that has met an opponent."""
    return trainings.table(title, {row: met[opponent] for row, met in scores.items() if opponent in met}, seeds)


def _checks(runs: Mapping[int, Sequence[Record]], part: str) -> BySeed:
    """The points on the boards that served for nothing else, by seed, as the records have them."""
    checks = {seed: line["check"][part] for seed, lines in runs.items() for line in lines if "check" in line}
    return {seed: _points(check) for seed, check in checks.items() if _games(check)}


def _games(check: Record) -> int:
    return int(check["wins"] + check["draws"] + check["losses"])


def _points(check: Record) -> float:
    return 100 * float(check["wins"] + check["draws"] / 2) / _games(check)


def signed(value: float) -> str:
    """A difference with its sign."""
    text = decimal(value)
    return text if text.startswith("-") or not text.strip("0.") else f"+{text}"
