"""Endings in a study: the wins that players throw away in their matches, and the exam against perfect play."""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from ludus.arena.endings import EndingCounts, Endings, add_to, summed
from ludus.arena.exam import ExamResult
from ludus.reports import charts
from ludus.reports.page import Figure
from ludus.reports.tables import Table
from ludus.studies import trainings
from ludus.studies.trainings import POSITIVE, BySeed

THROWN_NOTE = (
    "By the endgame tables of up to 4 pieces, in the paper's matches and against material: how often a player stood "
    "won, and what share of these wins it threw away. By ending, the games of all trainings are counted together, as "
    "wins thrown / wins reached. The ending is named from the side of the player. A win that is reached in one ending "
    "may be thrown in the next."
)
EXAM_NOTE = (
    "Every player plays out the same random positions of up to 4 pieces against the endgame tables, which play "
    "perfectly; other positions for every seed. Wins converted: won positions that it won. Draws held: drawn positions "
    "that it did not lose. Plies wasted: those beyond the shortest win. By ending, the table has the means over "
    "trainings, without intervals."
)
_ROWS = 12  # of endings, in a table
_FEWEST = 10  # wins reached by a player in the chart

Named = Callable[[str], str]  # the short name of a player


def thrown(
    found: Mapping[str, Mapping[int, Endings]], seeds: Sequence[int], named: Named
) -> tuple[Table, Figure, Table, Table]:
    """What each player threw away, by player and seed: every training, in total and by ending."""
    shares: dict[str, BySeed] = {}
    totals: dict[str, Endings] = {}
    for player, by_seed in found.items():
        sums = {seed: summed(endings) for seed, endings in by_seed.items()}
        shares[player] = {seed: 100 * each.thrown / each.won for seed, each in sums.items() if each.won}
        totals[player] = {}
        for endings in by_seed.values():
            add_to(totals[player], endings)
    totals = {player: endings for player, endings in totals.items() if endings}
    return (
        trainings.table("wins thrown, %", shares, seeds),
        _thrown_chart(totals, named),
        _thrown_totals(totals),
        _thrown_by_ending(totals, named),
    )


def _frequent(totals: Mapping[str, Endings]) -> list[str]:
    """The endings, the most frequent first."""
    total: Endings = {}
    for endings in totals.values():
        add_to(total, endings)
    return sorted((name for name, each in total.items() if each.won), key=lambda name: -total[name].won)


def _thrown_totals(totals: Mapping[str, Endings]) -> Table:
    rows = []
    for player, endings in totals.items():
        each = summed(endings)
        rows.append((player, *map(str, (each.won, each.thrown, each.lost_draws, each.saved))))
    return Table(("all trainings", "wins reached", "wins thrown", "draws lost", "losses saved"), tuple(rows))


def _thrown_by_ending(totals: Mapping[str, Endings], named: Named) -> Table:
    """A column for each player; the rarer endings are in one row."""
    names = _frequent(totals)
    others = names[_ROWS:]
    rows = [(name, *(_of(endings.get(name, EndingCounts())) for endings in totals.values())) for name in names[:_ROWS]]
    if others:
        sums = (
            sum((endings.get(name, EndingCounts()) for name in others), EndingCounts()) for endings in totals.values()
        )
        rows.append((f"{len(others)} other{'s' if len(others) > 1 else ''}", *map(_of, sums)))
    return Table(("thrown / reached", *map(named, totals)), tuple(rows))


def _of(counts: EndingCounts) -> str:
    return f"{counts.thrown}/{counts.won}" if counts.won else "-"


def _thrown_chart(totals: Mapping[str, Endings], named: Named) -> Figure:
    won = {player: summed(endings).won for player, endings in totals.items()}
    shown = [player for player in totals if won[player] >= _FEWEST]
    thrown = {
        name: {player: totals[player].get(name, EndingCounts()).thrown for player in shown}
        for name in dict.fromkeys(name for endings in totals.values() for name in endings)
    }
    worst = sorted(
        (name for name in thrown if any(thrown[name].values())), key=lambda name: -sum(thrown[name].values())
    )
    rows = {
        name: {named(player): 100 * count / won[player] for player, count in thrown[name].items() if count}
        for name in worst[:_ROWS]
    }
    picture = charts.dots(rows, title="Wins thrown by ending", x_title="wins thrown, % of all wins reached")
    return Figure(
        picture,
        "Where wins are thrown, in percent of all wins that the player reached; all trainings together. Players with "
        f"fewer than {_FEWEST} wins reached are left out.",
    )


def exam(
    found: Mapping[str, Mapping[int, ExamResult]], seeds: Sequence[int], named: Named
) -> tuple[Table, Table, Table, Figure, Table]:
    """The exams by player and seed: wins converted, draws held, plies wasted, and wins converted by ending."""
    converted = _shares(found, lambda each: 100 * each.total.converted.value)
    held = _shares(found, lambda each: 100 * each.total.held.value)
    wasted = _shares(found, lambda each: each.total.mean_wasted)
    return (
        trainings.table("wins converted, %", converted, seeds),
        trainings.table("draws held, %", held, seeds),
        trainings.table("plies wasted, mean", wasted, seeds, possible=POSITIVE),
        trainings.chart(
            "Wins converted",
            converted,
            x_title="won positions won, %",
        ),
        _exam_by_ending(found, named),
    )


def _shares(found: Mapping[str, Mapping[int, ExamResult]], value: Callable[[ExamResult], float]) -> dict[str, BySeed]:
    """A value of every exam that has one."""
    return {
        player: {seed: value(each) for seed, each in exams.items() if math.isfinite(value(each))}
        for player, exams in found.items()
    }


def _exam_by_ending(found: Mapping[str, Mapping[int, ExamResult]], named: Named) -> Table:
    """The mean over trainings of the wins converted in each ending, a column for each player."""
    known = {player: list(exams.values()) for player, exams in found.items() if exams}
    names = dict.fromkeys(name for exams in known.values() for each in exams for name in each.endings)
    rows = []
    for name in names:
        shares = [[each.endings[name].converted for each in exams if name in each.endings] for exams in known.values()]
        values = [[share.value for share in player if share.size] for player in shares]
        if any(values):
            rows.append((name, *(f"{100 * fmean(each):.0f}" if each else "-" for each in values)))
    return Table(("wins converted by ending, %", *map(named, known)), tuple(rows))
