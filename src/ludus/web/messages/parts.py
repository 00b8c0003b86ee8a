"""The parts of a report as messages: words, tables, charts with their numbers. What is not known is null."""

from msgspec import Struct


class Words(Struct, frozen=True, kw_only=True, tag_field="part", tag="words"):
    """A paragraph."""

    text: str


class TableCell(Struct, frozen=True, kw_only=True):
    """A cell; a note of the table explains its mark."""

    text: str
    mark: str = ""


class TableNote(Struct, frozen=True, kw_only=True):
    """What a mark means."""

    mark: str
    text: str


class TablePart(Struct, frozen=True, kw_only=True, tag_field="part", tag="table"):
    """A table. The first `names` columns and those in `prose` are text; the others are numbers."""

    columns: list[str]
    rows: list[list[TableCell]]
    names: int
    prose: list[int]
    notes: list[TableNote]


class Band(Struct, frozen=True, kw_only=True):
    """The ends of an interval at each point of a curve."""

    low: list[float | None]
    high: list[float | None]


class Curve(Struct, frozen=True, kw_only=True):
    """A named line, with its bands, the widest first."""

    name: str
    x: list[float | None]
    y: list[float | None]
    bands: list[Band]


class ReferenceLine(Struct, frozen=True, kw_only=True):
    """A horizontal line to compare with."""

    value: float
    label: str


class LinesPart(Struct, frozen=True, kw_only=True, tag_field="part", tag="lines"):
    """A chart of curves; `error_bars` draws intervals as bars, not as bands."""

    title: str
    caption: str
    x_title: str
    y_title: str
    curves: list[Curve]
    levels: list[ReferenceLine]
    error_bars: bool


class EstimateRow(Struct, frozen=True, kw_only=True):
    """A named value with its interval. `samples` are what it is the mean of, `mark` a value of others."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    samples: list[float]
    mark: float | None = None
    outside: bool = False  # an outlier: the axis leaves it out


class IntervalsPart(Struct, frozen=True, kw_only=True, tag_field="part", tag="intervals"):
    """A chart of estimates, a row each; `signed` writes +5 for 5."""

    title: str
    caption: str
    x_title: str
    signed: bool
    rows: list[EstimateRow]


class BarsPart(Struct, frozen=True, kw_only=True, tag_field="part", tag="bars"):
    """A histogram: counts, and the edges of their bins."""

    title: str
    caption: str
    x_title: str
    counts: list[int]
    edges: list[float]


class Origin(Struct, frozen=True, kw_only=True):
    """How the champion of a generation was made; `player` names it for play if the run has kept it."""

    generation: int
    origin: str
    player: str | None


class OriginsPart(Struct, frozen=True, kw_only=True, tag_field="part", tag="origins"):
    """The origin of each generation's champion."""

    title: str
    caption: str
    unit: str
    origins: list[Origin]


class AncestorRow(Struct, frozen=True, kw_only=True):
    """An ancestor of a champion. `player` names it for play if it was a champion that the run has kept."""

    number: int
    generation: int
    origin: str
    words: str
    champion: bool
    player: str | None


class TreePart(Struct, frozen=True, kw_only=True, tag_field="part", tag="tree"):
    """The family tree of a champion: the champion first, then its first parent, and so on."""

    title: str
    caption: str
    ancestors: list[AncestorRow]


class BoardPiece(Struct, frozen=True, kw_only=True):
    """A piece of draughts on a square, 1 to 32."""

    square: int
    side: str  # black or white
    king: bool


class MapUnit(Struct, frozen=True, kw_only=True):
    """A unit of a Kohonen map: its number of boards, its typical board, its largest attributes, its score."""

    name: str
    boards: int
    position: str | None
    pieces: list[BoardPiece]
    lines: list[str]
    score: str


class MapPart(Struct, frozen=True, kw_only=True, tag_field="part", tag="map"):
    """A Kohonen map in rows of `columns` units."""

    title: str
    caption: str
    columns: int
    units: list[MapUnit]


Part = Words | TablePart | LinesPart | IntervalsPart | BarsPart | OriginsPart | TreePart | MapPart


class ReportSection(Struct, frozen=True, kw_only=True):
    """A heading and what is below it."""

    heading: str
    parts: list[Part]
