"""The report of an exam: text tables, a picture of the wins converted, and a page with both."""

import math
import textwrap
from collections.abc import Callable, Sequence

from ludus.arena.exam import ExamConfig, ExamResult, Marks, Question, Share, disagreement
from ludus.reports.charts import Estimate, intervals
from ludus.reports.page import Figure, Footer, Section, render
from ludus.reports.tables import Table

_LONGEST_NAME = 34  # in a text table, so that it fits 100 columns
NOTE = (
    "Wins converted: won positions that the player won against perfect defence. Plies wasted: those beyond the "
    "shortest win, median/mean of the wins converted. Draws held: drawn positions that it did not lose. Resists: "
    "how long it lasted in lost positions, in percent of the longest defence. Intervals are 95%."
)


def ranked(results: Sequence[ExamResult]) -> list[ExamResult]:
    """The players by wins converted, then by draws held, the best first."""
    return sorted(results, key=lambda each: (-each.total.converted.hits, -each.total.held.hits, each.name))


def text(results: Sequence[ExamResult], questions: Sequence[Question]) -> str:
    """The tables in plain columns: in total, by ending and by distance. Two players are compared in words."""
    tables = [table.text() for table in (_totals(results, short=True), *_parts(results, questions))]
    tables[1:] = [f"{title}\n{table}" for title, table in zip(_TITLES, tables[1:], strict=True)]
    compared = [textwrap.fill(line, 100, break_on_hyphens=False) for line in comparison(results, questions)]
    return "\n\n".join([*tables, *compared])


def comparison(results: Sequence[ExamResult], questions: Sequence[Question]) -> list[str]:
    """Sentences that compare two players on the same positions; nothing for another number of players."""
    if len(results) != 2:
        return []
    one, other = results
    won = disagreement(one, other, questions, "win")
    drawn = disagreement(one, other, questions, "draw")
    return [
        f"Of {one.total.converted.size} won positions, only {one.name} converts {won.first} and only {other.name} "
        f"{won.second} (sign test: p = {won.p:.2g}).",
        f"Of {one.total.held.size} drawn positions, only {one.name} holds {drawn.first} and only {other.name} "
        f"{drawn.second} (p = {drawn.p:.2g}).",
    ]


def picture(results: Sequence[ExamResult]) -> str:
    """The share of wins converted with its interval, as an SVG picture."""
    return _chart(results, lambda marks: marks.converted, "Wins converted, with 95% intervals", "won positions won, %")


def page(results: Sequence[ExamResult], questions: Sequence[Question], config: ExamConfig, command: str) -> str:
    """The page of an exam."""
    held = _chart(results, lambda marks: marks.held, "Draws held, with 95% intervals", "drawn positions not lost, %")
    pictures = (
        Figure(picture(results), "Won positions that were won, with 95% intervals."),
        Figure(held, "Drawn positions that were not lost, with 95% intervals."),
    )
    sections = [Section("All endings", (_totals(results),)), Section("Pictures", pictures)]
    for title, table in zip(_TITLES, _parts(results, questions), strict=True):
        sections.append(Section(title, (table,)))
    count = "1 player" if len(results) == 1 else f"{len(results)} players"
    intro = (
        f"{count}, {len(questions):,} positions of at most {config.pieces} pieces, the same for every player. "
        "The examined player is to move; the endgame tables play the other side perfectly."
    )
    lines = [intro, NOTE, *comparison(results, questions)]
    if any(question.distance is None and question.result != "draw" for question in questions):
        lines.insert(1, "Where the tables have no distances, a search chooses among their moves that keep the result.")
    return render("Exam of endgames", "\n".join(lines), sections, Footer(command, seeds=(config.seed,)))


_TITLES = (
    "Wins converted by ending, in percent",
    "Draws held by ending, in percent",
    "Wins converted by the plies of the shortest win, in percent",
)
_DISTANCES = (1, 10, 20, 30, 40, 50)  # where the rows of distances begin


def _totals(results: Sequence[ExamResult], *, short: bool = False) -> Table:
    rows = tuple(
        (
            str(rank),
            _shortened(result.name) if short else result.name,
            _with_interval(result.total.converted),
            _wasted(result.total),
            _with_interval(result.total.held),
            _percent(result.total.resistance),
        )
        for rank, result in enumerate(results, 1)
    )
    return Table(("", "player", "wins converted", "wasted", "draws held", "resists"), rows, names=2)


def _parts(results: Sequence[ExamResult], questions: Sequence[Question]) -> list[Table]:
    """The parts of the result under _TITLES. Players are numbered by their rank."""
    ranks = tuple(str(rank) for rank in range(1, len(results) + 1))
    shares: tuple[Callable[[Marks], Share], ...] = (lambda marks: marks.converted, lambda marks: marks.held)
    tables = []
    for share in shares:
        rows = [(ending, [share(result.endings[ending]) for result in results]) for ending in results[0].endings]
        tables.append(Table(("ending", "games", *ranks), _rows(rows)))
    rows = []
    for low, high in zip(_DISTANCES, (*_DISTANCES[1:], math.inf), strict=True):
        asked = [
            question for question in questions if question.result == "win" and low <= (question.distance or 0) < high
        ]
        label = f"{low} to {high - 1:.0f}" if math.isfinite(high) else f"{low} or more"
        rows.append((label, [result.converted(asked) for result in results]))
    tables.append(Table(("distance", "games", *ranks), _rows(rows)))
    return tables


def _rows(rows: list[tuple[str, list[Share]]]) -> tuple[tuple[str, ...], ...]:
    """Name, games, and the share of each player in percent; rows without games are left out."""
    return tuple(
        (name, str(shares[0].size), *(_percent(share.value) for share in shares))
        for name, shares in rows
        if shares[0].size
    )


def _chart(results: Sequence[ExamResult], share: Callable[[Marks], Share], title: str, x_title: str) -> str:
    estimates = []
    for result in results:
        found = share(result.total)
        low, high = found.interval
        estimates.append(Estimate(result.name, 100 * found.value, 100 * low, 100 * high))
    return intervals(estimates, title=title, x_title=x_title)


def _with_interval(share: Share) -> str:
    if not share.size:
        return "-"
    low, high = share.interval
    return f"{100 * share.value:.1f}% [{100 * low:.1f}, {100 * high:.1f}]"


def _wasted(marks: Marks) -> str:
    return f"{marks.median_wasted:g}/{marks.mean_wasted:.1f}" if marks.wasted else "-"


def _percent(value: float) -> str:
    return f"{100 * value:.0f}" if math.isfinite(value) else "-"


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."
