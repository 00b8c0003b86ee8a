"""The report of an MP-Draughts run: the generalist, the map with the boards of its units, the specialists, the team."""

from collections.abc import Sequence

from ludus.games import draughts
from ludus.learning import Record
from ludus.reports import cloning, ls_draughts
from ludus.reports.charts import Estimate, Series
from ludus.reports.figures import IntervalChart, LineChart, UnitMap
from ludus.reports.folder import RunFolder, column
from ludus.reports.page import Figure, Part, Section
from ludus.reports.reference_players import clone_parts, score_parts
from ludus.reports.tables import Table, decimal, span
from ludus.reports.unit_map import Unit

_A_ROW = 5  # the units of a chain are shown in rows of so many


def sections(run: RunFolder) -> list[Section]:
    """A section for each stage of which the record has a line."""
    stages = {stage: [line for line in run.progress if line.get("stage") == stage] for stage in _STAGES}
    found = [Section(heading, _PARTS[stage](stages)) for stage, heading in _STAGES.items() if stages[stage]]
    return found or [Section("Learning", ("Nothing is recorded yet.",))]


def units(lines: Sequence[Record]) -> list[Unit]:
    """The units of the map in order; empty before the map is made."""
    shares: list[int] = next((line["shares"] for line in lines if "shares" in line), [])
    trained = {line["unit"]: line for line in lines if line.get("stage") == "specialists"}
    return [_unit(number, share, trained.get(number)) for number, share in enumerate(shares, 1)]


def _unit(number: int, share: int, line: Record | None) -> Unit:
    if line is None:
        return Unit(f"unit {number}", share)
    return Unit(
        f"unit {number}",
        share,
        draughts.Position(line["typical"]),
        tuple(f"{value:.2f} {name}" for name, value in line["attributes"].items()),
        f"{line['score']:.0%}: +{line['wins']} ={line['draws']} -{line['losses']}{_verdict(line, ', ')}",
    )


def _verdict(line: Record, before: str = "") -> str:
    """Whether the specialist was accepted; empty in records of versions that accepted all."""
    if "accepted" not in line:
        return ""
    return before + ("accepted" if line["accepted"] else "not accepted")


_Stages = dict[str, list[Record]]


def _generalist(stages: _Stages) -> tuple[Part, ...]:
    lines = stages["generalist"]
    learned = clone_parts(lines) + cloning.test_parts(lines) + cloning.round_robin_parts(lines)
    return learned or ("The generalist was given as an option, or is not tested yet.",)


def _boards(stages: _Stages) -> tuple[Part, ...]:
    last = stages["boards"][-1]
    return (f"{last['boards']:,} different boards from {last['played']:,} games.",)


def _features(stages: _Stages) -> tuple[Part, ...]:
    words = (
        "A genetic algorithm chose the features. The fitness of a set of features is the score of briefly trained "
        "specialists against the generalist, on boards that were not used in training."
    )
    return (words, ls_draughts.feature_table(stages["features"]))


def _map(stages: _Stages) -> tuple[Part, ...]:
    lines = stages["map"]
    last = lines[-1]
    parts: list[Part] = []
    if len(lines) > 1:
        epochs = column(lines, "epoch")
        for name, title in (("quantisation", "quantisation error"), ("topographic", "topographic error")):
            series = Series(title, epochs, column(lines, name))
            chart = LineChart([series], title=f"{title} of the map over epochs", x_title="epoch", y_title=title)
            parts.append(Figure(chart))
    errors = [("quantisation: mean distance of a board from its unit", decimal(last["quantisation"], 3))]
    if "topographic" in last:
        named = "topographic: share of boards whose two nearest units are not neighbours"
        errors.append((named, f"{last['topographic']:.1%}"))
    parts.append(Table(("error of the map", "at the end"), tuple(errors), prose=(0,)))
    found = units([line for lines in stages.values() for line in lines])
    if found:
        columns = last["columns"] if last["rows"] > 1 else _A_ROW
        parts.append(Figure(UnitMap(found, title="Units of the map", columns=columns), _caption(found), broad=True))
    return tuple(parts)


def _caption(found: list[Unit]) -> str:
    shown = "Each unit with the number of its boards"
    if not any(unit.board for unit in found):
        return f"{shown}."
    return (
        f"{shown}, the board nearest to it, the attributes in which it is furthest above the mean of all boards, "
        "and the score of its specialist in the test against the generalist (wins, draws, losses)."
    )


def _specialists(stages: _Stages) -> tuple[Part, ...]:
    lines = stages["specialists"]
    estimates = [
        Estimate(f"unit {line['unit']}", *(100 * part for part in (line["score"], *line["interval"]))) for line in lines
    ]
    rows = [
        (
            f"unit {line['unit']}",
            f"{line['boards']:,}",
            f"+{line['wins']} ={line['draws']} -{line['losses']}",
            decimal(100 * line["score"]),
            span(*(100 * bound for bound in line["interval"])),
            _verdict(line),
        )
        for line in lines
    ]
    accepted = sum(line.get("accepted", True) for line in lines)
    return (
        f"{accepted} of {len(lines)} specialists were accepted. For the other units the generalist evaluates.",
        Figure(
            IntervalChart(estimates, title="Scores of the specialists against the generalist", x_title="score, %"),
            "The score in the test, on held-back boards of the unit, with both colours and 95% intervals. A specialist "
            "whose interval lies above 50% is accepted, unless the options accept all.",
        ),
        Table(("", "boards", "wins, draws, losses", "score, %", "95% interval", "verdict"), tuple(rows)),
    )


def _team(stages: _Stages) -> tuple[Part, ...]:
    last = stages["team"][-1]
    pool = last.get("pool")
    return _check_parts(last.get("check", {})) + (
        score_parts(pool) if pool else ("The team has not played the reference players.",)
    )


def _check_parts(check: Record) -> tuple[Part, ...]:
    """The team against its generalist, on held-back boards that decided nothing."""
    names = {"all": "all boards", "accepted": "boards of units with an accepted specialist"}
    rows = [
        (
            names[key],
            f"+{found['wins']} ={found['draws']} -{found['losses']}",
            decimal(100 * (found["wins"] + found["draws"] / 2) / games),
            span(*(100 * bound for bound in found["interval"])),
        )
        for key, found in check.items()
        if (games := found["wins"] + found["draws"] + found["losses"])
    ]
    if not rows:
        return ()
    words = "The team against its generalist, on held-back boards that neither training nor acceptance has used."
    return (words, Table(("", "wins, draws, losses", "score, %", "95% interval"), tuple(rows), prose=(0,)))


_STAGES = {
    "generalist": "Generalist",
    "boards": "Boards",
    "features": "Features that the map uses",
    "map": "Map",
    "specialists": "Specialists",
    "team": "The team",
}
_PARTS = {
    "generalist": _generalist,
    "boards": _boards,
    "features": _features,
    "map": _map,
    "specialists": _specialists,
    "team": _team,
}
