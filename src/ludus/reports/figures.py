"""What the figures of reports show, as data: a report draws a figure as SVG, the page in the browser draws it itself.

Both have the same words, numbers and, by colours.py, the same colours.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludus.reports import charts, family_tree, unit_map
from ludus.reports.charts import Estimate, Reference, Series
from ludus.reports.family_tree import Ancestor
from ludus.reports.unit_map import Unit


@dataclass(frozen=True)
class LineChart:
    """Series over a common axis; `error_bars` draws intervals as bars, otherwise they are bands."""

    series: Sequence[Series]
    title: str
    x_title: str
    y_title: str
    references: Sequence[Reference] = ()
    error_bars: bool = False

    @property
    def svg(self) -> str:
        """The picture."""
        return charts.lines(**vars(self))


@dataclass(frozen=True)
class IntervalChart:
    """Estimates with their intervals, a row each."""

    estimates: Sequence[Estimate]
    title: str
    x_title: str = ""
    signed: bool = False
    clip: bool = False  # leave outliers out of the axis

    @property
    def svg(self) -> str:
        """The picture."""
        return charts.intervals(**vars(self))


@dataclass(frozen=True)
class Histogram:
    """The number of values in each of `bins` equal parts of their range."""

    values: Sequence[float] | NDArray[np.float32] = field(repr=False)
    title: str
    x_title: str
    bins: int = 40

    @property
    def svg(self) -> str:
        """The picture."""
        return charts.histogram(**vars(self))

    def counted(self) -> tuple[list[int], list[float]]:
        """The counts of the bins, and their edges: one more."""
        counts, edges = charts.binned(self.values, self.bins)
        return [int(count) for count in counts], [float(edge) for edge in edges]


@dataclass(frozen=True)
class Lineage:
    """How the champion of each generation was made: its generation and its origin."""

    origins: Sequence[tuple[int, str]]
    title: str
    unit: str = "generation"

    @property
    def svg(self) -> str:
        """The picture."""
        return charts.lineage(**vars(self))


@dataclass(frozen=True)
class FamilyTree:
    """The ancestors of a champion, along the parent that gave most of the weights; the champion comes first."""

    line: Sequence[Ancestor]
    title: str

    @property
    def svg(self) -> str:
        """The picture."""
        return family_tree.picture_of(self.line, title=self.title)


@dataclass(frozen=True)
class UnitMap:
    """The units of a Kohonen map in rows of `columns`."""

    units: Sequence[Unit]
    title: str
    columns: int = 5

    @property
    def svg(self) -> str:
        """The picture."""
        return unit_map.unit_map(**vars(self))


Chart = LineChart | IntervalChart | Histogram | Lineage | FamilyTree | UnitMap
