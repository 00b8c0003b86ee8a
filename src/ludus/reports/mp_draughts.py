"""The report of an MP-Draughts run: the map with the boards of its units, and what their specialists are worth."""

from typing import Any

from ludus.games import draughts
from ludus.reports import boards, charts, cloning
from ludus.reports.boards import Unit
from ludus.reports.charts import Dot, Series
from ludus.reports.folder import RunFolder, column
from ludus.reports.page import Figure, Section
from ludus.reports.tables import Table, decimal, span

_A_ROW = 5  # units of a chain that stand side by side


def sections(run: RunFolder) -> list[Section]:
    """The generalist's clones and tests, the boards, the map with its errors, the specialists, and the team."""
    stages = {stage: [line for line in run.progress if line.get("stage") == stage] for stage in _STAGES}
    return [Section(heading, _PARTS[stage](stages)) for stage, heading in _STAGES.items() if stages[stage]]


def units(lines: tuple[dict[str, Any], ...] | list[dict[str, Any]]) -> list[Unit]:
    """Every unit of the map as the record tells it, in order; nothing before the map has learned."""
    shares: list[int] = next((line["shares"] for line in lines if "shares" in line), [])
    trained = {line["unit"]: line for line in lines if line.get("stage") == "specialists"}
    return [_unit(number, share, trained.get(number)) for number, share in enumerate(shares, 1)]


def _unit(number: int, share: int, line: dict[str, Any] | None) -> Unit:
    if line is None:
        return Unit(f"unit {number}", share)
    return Unit(
        f"unit {number}",
        share,
        draughts.Position(line["typical"]),
        tuple(f"{name} {value:.2f}" for name, value in line["attributes"].items()),
        f"{line['score']:.0%}: +{line['wins']} ={line['draws']} -{line['losses']}",
    )


_Stages = dict[str, list[dict[str, Any]]]
_Parts = tuple[str | Figure | Table, ...]


def _generalist(stages: _Stages) -> _Parts:
    lines = stages["generalist"]
    learned = cloning.pool_parts(lines) + cloning.test_parts(lines) + cloning.robin_parts(lines)
    return learned or ("It was given, or is not tested yet.",)


def _boards(stages: _Stages) -> _Parts:
    last = stages["boards"][-1]
    return (f"{last['boards']:,} different boards of the generalist's own {last['played']:,} games.",)


def _features(stages: _Stages) -> _Parts:
    words = (
        "A genetic algorithm chose them. The fitness of a set of features is the share of points that specialists, "
        "trained for a little while, had against the generalist on boards that none of them had learned from."
    )
    return (words, cloning.feature_table(stages["features"]))


def _map(stages: _Stages) -> _Parts:
    lines = stages["map"]
    last = lines[-1]
    parts: list[str | Figure | Table] = []
    if len(lines) > 1:
        epochs = column(lines, "epoch")
        for name, title in (("quantisation", "quantisation error"), ("topographic", "topographic error")):
            series = Series(title, epochs, column(lines, name))
            chart = charts.lines([series], title=f"The map's {title} over epochs", x_title="epoch", y_title=title)
            parts.append(Figure(chart))
    errors = [("quantisation: mean distance of a board from its unit", decimal(last["quantisation"], 3))]
    if "topographic" in last:
        named = "topographic: boards whose two nearest units are not neighbours"
        errors.append((named, f"{last['topographic']:.1%}"))
    parts.append(Table(("error", "at the end"), tuple(errors)))
    found = units([line for lines in stages.values() for line in lines])
    if found:
        columns = last["columns"] if last["rows"] > 1 else _A_ROW
        caption = (
            "Each unit with its boards, the one nearest to it, the attributes in which it is furthest above the mean "
            "of all boards, and the points of its specialist against the generalist on its own boards."
        )
        tiles = boards.map_tiles(found, title="The units of the map", columns=columns)
        parts.append(Figure(tiles, caption, broad=True))
    return tuple(parts)


def _specialists(stages: _Stages) -> _Parts:
    lines = stages["specialists"]
    dots = [Dot(f"unit {line['unit']}", *(100 * part for part in (line["score"], *line["interval"]))) for line in lines]
    rows = [
        (
            f"unit {line['unit']}",
            f"{line['boards']:,}",
            f"+{line['wins']} ={line['draws']} -{line['losses']}",
            decimal(100 * line["score"]),
            span(*(100 * bound for bound in line["interval"])),
        )
        for line in lines
    ]
    return (
        Figure(
            charts.intervals(dots, title="Points of the specialists against the generalist", x_title="points, %"),
            "On the specialist's own boards, both colours; with 95% intervals.",
        ),
        Table(("", "boards", "games", "points, %", "95% interval"), tuple(rows)),
    )


def _team(stages: _Stages) -> _Parts:
    pool = stages["team"][-1].get("pool")
    return cloning.pool_scores(pool) if pool else ("It was not measured.",)


_STAGES = {
    "generalist": "Generalist",
    "boards": "Boards",
    "features": "Features that the map is told of",
    "map": "Map",
    "specialists": "Specialists",
    "team": "The team against players that never change",
}
_PARTS = {
    "generalist": _generalist,
    "boards": _boards,
    "features": _features,
    "map": _map,
    "specialists": _specialists,
    "team": _team,
}
