"""The sections of a report as messages: the page draws the same charts with the same words."""

import math
from collections.abc import Callable, Sequence

from ludus.reports import charts
from ludus.reports.figures import Chart, FamilyTree, Histogram, IntervalChart, Lineage, LineChart, UnitMap
from ludus.reports.page import Figure, Section
from ludus.reports.page import Part as ReportPart
from ludus.reports.tables import Cell, Table
from ludus.reports.unit_map import Unit
from ludus.web.messages import parts
from ludus.web.messages.parts import Part, ReportSection

MOST_POINTS = 5000  # of a curve; more are thinned evenly

Named = Callable[[int], str | None]  # the name for play of a generation's champion, if the run has kept it


def section(found: Section, named: Named) -> ReportSection:
    """A section; raises TypeError for a figure that is only a picture."""
    return ReportSection(heading=found.heading, parts=[_part(each, named) for each in found.parts])


def _part(found: ReportPart, named: Named) -> Part:
    match found:
        case Table():
            return table(found)
        case Figure(drawing=str()):
            raise TypeError("a picture has no numbers")
        case Figure():
            return chart(found.drawing, found.caption, named)  # type: ignore[arg-type]  # it is no str
    return parts.Words(text=found)


def table(found: Table) -> parts.TablePart:
    """A table."""
    return parts.TablePart(
        columns=list(found.columns),
        rows=[[_cell(cell) for cell in row] for row in found.rows],
        names=found.names,
        prose=list(found.prose),
        notes=[parts.TableNote(mark=mark, text=text) for mark, text in found.notes.items()],
    )


def _cell(cell: str | Cell) -> parts.TableCell:
    return parts.TableCell(text=cell) if isinstance(cell, str) else parts.TableCell(text=cell.text, mark=cell.mark)


def chart(found: Chart, caption: str, named: Named) -> Part:
    """A chart with its numbers."""
    match found:
        case LineChart():
            return _lines(found, caption)
        case IntervalChart():
            return intervals(found, caption)
        case Histogram():
            counts, edges = found.counted()
            return parts.BarsPart(title=found.title, caption=caption, x_title=found.x_title, counts=counts, edges=edges)
        case Lineage():
            origins = [
                parts.Origin(generation=generation, origin=origin, player=named(generation))
                for generation, origin in found.origins
            ]
            return parts.OriginsPart(title=found.title, caption=caption, unit=found.unit, origins=origins)
        case FamilyTree():
            return parts.TreePart(title=found.title, caption=caption, ancestors=_ancestors(found, named))
        case UnitMap():
            return parts.MapPart(
                title=found.title, caption=caption, columns=found.columns, units=[_unit(each) for each in found.units]
            )


def intervals(found: IntervalChart, caption: str) -> parts.IntervalsPart:
    """Estimates with their intervals."""
    away = charts.outliers(found.estimates) if found.clip else []
    return parts.IntervalsPart(
        title=found.title,
        caption=caption,
        x_title=found.x_title,
        signed=found.signed,
        rows=[
            parts.EstimateRow(
                name=each.name,
                value=_number(each.value),
                low=_number(each.low),
                high=_number(each.high),
                samples=[float(sample) for sample in each.samples],
                mark=_number(each.mark),
                outside=each in away,
            )
            for each in found.estimates
        ],
    )


def _lines(found: LineChart, caption: str) -> parts.LinesPart:
    curves = []
    for each in found.series:
        chosen = _chosen(len(each.x))
        bands = [parts.Band(low=_numbers(low, chosen), high=_numbers(high, chosen)) for low, high in each.bands]
        curves.append(parts.Curve(name=each.name, x=_numbers(each.x, chosen), y=_numbers(each.y, chosen), bands=bands))
    return parts.LinesPart(
        title=found.title,
        caption=caption,
        x_title=found.x_title,
        y_title=found.y_title,
        curves=curves,
        levels=[parts.ReferenceLine(value=each.value, label=each.label) for each in found.references],
        error_bars=found.error_bars,
    )


def _chosen(count: int) -> Sequence[int]:
    if count <= MOST_POINTS:
        return range(count)
    return [round(i * (count - 1) / (MOST_POINTS - 1)) for i in range(MOST_POINTS)]


def _numbers(values: Sequence[float], chosen: Sequence[int]) -> list[float | None]:
    return [_number(values[index]) for index in chosen]


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _ancestors(found: FamilyTree, named: Named) -> list[parts.AncestorRow]:
    return [
        parts.AncestorRow(
            number=each.number,
            generation=each.generation,
            origin=each.origin,
            words=each.words(),
            champion=each.champion_from is not None,
            player=None if each.champion_from is None else named(each.champion_from),
        )
        for each in found.line
    ]


def _unit(found: Unit) -> parts.MapUnit:
    pieces = found.board.pieces() if found.board else {}
    return parts.MapUnit(
        name=found.name,
        boards=found.boards,
        position=found.board.text if found.board else None,
        pieces=[
            parts.BoardPiece(square=square, side="white" if letter.lower() == "w" else "black", king=letter.isupper())
            for square, letter in sorted(pieces.items())
        ],
        lines=list(found.lines),
        score=found.score,
    )
