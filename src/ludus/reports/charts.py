"""Charts: lines with bands, values with intervals, distributions, spreads over time, lineages. Pure functions to SVG.

What is not a number is left out, and a line is broken there; without anything to draw, the chart says so.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ludus.reports.svg import (
    COLOURS,
    DASHES,
    FAINT,
    GREY,
    WIDTH,
    Axis,
    Frame,
    labels,
    legend,
    length,
    line,
    number,
    picture,
    rectangle,
    rounded,
    shortened,
    text,
    tick_step,
)

_LEFT, _RIGHT, _HEIGHT = 56, 10, 240  # margins of a chart, and the height of its inside
_MOST_POINTS = 500  # of a line: more than a screen shows


@dataclass(frozen=True)
class Series:
    """A named line. Each band is a (low, high) with a value for every point; the widest comes first."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    bands: tuple[tuple[Sequence[float], Sequence[float]], ...] = ()

    def __post_init__(self) -> None:
        sizes = {len(values) for values in (self.x, self.y, *(side for band in self.bands for side in band))}
        if len(sizes) != 1:
            raise ValueError(f"the series {self.name} has not as many values of one kind as of another")


class Reference(NamedTuple):
    """A horizontal line to compare with."""

    value: float
    label: str


class Dot(NamedTuple):
    """A named value with its interval."""

    name: str
    value: float
    low: float
    high: float


def lines(
    series: Sequence[Series],
    *,
    title: str,
    x_title: str,
    y_title: str,
    references: Sequence[Reference] = (),
    log_x: bool = False,
    error_bars: bool = False,
) -> str:
    """Series over a common axis, with a legend when there are several. `error_bars` draws points and bars, not bands.

    At most 500 points of a series are drawn, evenly chosen.
    """
    series = [_thinned(each) for each in series]
    names = [each.name for each in series] if len(series) > 1 else []
    marks = [_stroke([(-11, 0), (11, 0)], *_style(index)) for index in range(len(names))]
    parts, top = legend(names, marks, WIDTH, 0)
    height = top + 24 + _HEIGHT + 42
    x = Axis.over((value for each in series for value in each.x), _LEFT, WIDTH - _RIGHT, log=log_x)
    values = [value for each in series for value in _heights(each, x)] + [each.value for each in references]
    y = Axis.over(values, top + 24 + _HEIGHT, top + 24, whole=True)
    parts += Frame(x, y, height).grid(x_title, y_title)
    if not any(_heights(each, x) for each in series):
        parts.append(text((_LEFT + WIDTH) / 2, top + 24 + _HEIGHT / 2, "nothing to draw yet", anchor="middle"))
    for reference in references:
        level = y(reference.value)
        parts.append(line(x.start, level, x.end, level, GREY, 'stroke-dasharray="5 4"'))
        parts.append(text(x.end, level - 5, reference.label, anchor="end", extra='font-size="12"'))
    for index, each in enumerate(series):
        colour, dash = _style(index)
        parts += _bars(each, x, y, colour) if error_bars else _bands(each, x, y, colour)
    for index, each in enumerate(series):
        colour, dash = _style(index)
        runs = _runs([(a, b) for a, b in zip(each.x, each.y, strict=True)], x, y)
        parts += [_stroke(run, colour, dash) for run in runs if len(run) > 1]
        parts += [
            f'<circle cx="{number(a)}" cy="{number(b)}" r="3" fill="{colour}"/>'
            for run in runs
            if error_bars or len(run) == 1
            for a, b in run
        ]
    return picture(WIDTH, height, parts, title)


def spread(x: Sequence[float], samples: Sequence[Sequence[float]], *, title: str, x_title: str, y_title: str) -> str:
    """How a population changes: the median of each sample, with bands of its quartiles and of its whole range."""
    known = [[value for value in sample if math.isfinite(value)] or [math.nan] for sample in samples]
    least, lower, median, upper, most = (
        [float(np.quantile(sample, share)) for sample in known] for share in (0, 0.25, 0.5, 0.75, 1)
    )
    series = Series("median", x, median, bands=((least, most), (lower, upper)))
    return lines([series], title=title, x_title=x_title, y_title=y_title)


def intervals(dots: Sequence[Dot], *, title: str, x_title: str = "", signed: bool = False) -> str:
    """A row for each value: its name, its interval as a bar and the value as a dot. `signed` writes +5 for 5."""
    row = 26
    left = min(240.0, max((length(dot.name) for dot in dots), default=0.0) + 14)
    right = 60
    height = row * len(dots) + (58 if x_title else 42)
    x = Axis.over(
        (value for dot in dots for value in (dot.value, dot.low, dot.high)), left, WIDTH - right, whole=True, most=6
    )
    bottom = 12 + row * len(dots)
    parts = []
    marks = x.ticks()
    for mark, label in zip(marks, labels(marks, signed=signed), strict=True):
        parts.append(line(x(mark), 8, x(mark), bottom, FAINT))
        parts.append(text(x(mark), bottom + 17, label, anchor="middle"))
    if x_title:
        parts.append(text(x.end, bottom + 36, x_title, anchor="end"))
    step = tick_step(x.low, x.high, x.most)
    for index, dot in enumerate(dots):
        y = 12 + row * (index + 0.5)
        parts.append(text(left - 10, y + 4, shortened(dot.name, left - 10), anchor="end"))
        if not math.isfinite(dot.value):
            continue
        low, high = (x(end) if math.isfinite(end) else x(dot.value) for end in (dot.low, dot.high))
        bar = 'stroke-width="6" stroke-opacity="0.45" stroke-linecap="round"'
        parts.append(line(low, y, high, y, COLOURS[0], bar))
        parts.append(f'<circle cx="{number(x(dot.value))}" cy="{number(y)}" r="4.5" fill="{COLOURS[0]}"/>')
        parts.append(text(max(high, x(dot.value)) + 9, y + 4, rounded(dot.value, step, signed=signed)))
    return picture(WIDTH, height, parts, title)


def histogram(
    values: Sequence[float] | np.typing.NDArray[np.float32], *, title: str, x_title: str, bins: int = 40
) -> str:
    """How many values lie in each of `bins` parts of their range, which are equally wide."""
    known = np.asarray(values, dtype=np.float64)
    known = known[np.isfinite(known)]
    counts, edges = np.histogram(known, bins=bins)
    top = 24
    x = Axis.over(map(float, edges) if len(known) else (), _LEFT, WIDTH - _RIGHT)
    y = Axis.over([0.0, float(counts.max())], top + _HEIGHT, top, whole=True)
    parts = Frame(x, y, top + _HEIGHT + 42).grid(x_title, f"how many of {len(known):,}")
    if not len(known):
        parts.append(text((_LEFT + WIDTH) / 2, top + _HEIGHT / 2, "nothing to draw yet", anchor="middle"))
    for count, low, high in zip(map(int, counts), map(float, edges), map(float, edges[1:]), strict=False):
        if count:
            tip = f"{count:,} from {low:.4g} to {high:.4g}"
            width = max(x(high) - x(low) - 0.7, 0.5)
            parts.append(rectangle(x(low), y(count), width, y(0) - y(count), COLOURS[0], tip=tip))
    return picture(WIDTH, top + _HEIGHT + 42, parts, title)


def lineage(origins: Sequence[tuple[int, str]], *, title: str, unit: str = "generation") -> str:
    """Where each generation's champion came from: (generation, origin) as a strip of cells, a colour an origin."""
    a_row = 40
    kinds = list(dict.fromkeys(origin for _, origin in origins))
    colours = {kind: COLOURS[index % len(COLOURS)] for index, kind in enumerate(kinds)}
    marks = [rectangle(-8, -8, 16, 16, colours[kind]) for kind in kinds]
    shares = [f"{kind}, {sum(origin == kind for _, origin in origins)}" for kind in kinds]
    parts, top = legend(shares, marks, WIDTH, 0)
    cell = (WIDTH - 48) / a_row
    rows = max(1, -(-len(origins) // a_row))
    if not origins:
        parts.append(text(WIDTH / 2, top + 16, "nothing to draw yet", anchor="middle"))
    for index, (generation, origin) in enumerate(origins):
        row, column = divmod(index, a_row)
        y = top + 6 + row * 26
        if column == 0:
            parts.append(text(40, y + 15, str(generation), anchor="end"))
        tip = f"{unit} {generation}: {origin}"
        parts.append(rectangle(48 + column * cell, y, cell - 1.5, 20, colours[origin], tip=tip))
    return picture(WIDTH, top + 6 + rows * 26, parts, title)


def _style(index: int) -> tuple[str, str]:
    """The colour and the dashes of a series."""
    return COLOURS[index % len(COLOURS)], DASHES[index // len(COLOURS) % len(DASHES)]


def _stroke(points: Sequence[tuple[float, float]], colour: str, dash: str) -> str:
    path = " ".join(f"{number(a)},{number(b)}" for a, b in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'


def _thinned(series: Series) -> Series:
    if len(series.x) <= _MOST_POINTS:
        return series
    chosen = [round(i * (len(series.x) - 1) / (_MOST_POINTS - 1)) for i in range(_MOST_POINTS)]

    def some(values: Sequence[float]) -> list[float]:
        return [values[i] for i in chosen]

    bands = tuple((some(low), some(high)) for low, high in series.bands)
    return replace(series, x=some(series.x), y=some(series.y), bands=bands)


def _heights(series: Series, x: Axis) -> list[float]:
    """All heights of a series that can be drawn."""
    sides = (series.y, *(side for band in series.bands for side in band))
    return [b for side in sides for a, b in zip(series.x, side, strict=True) if x.holds(a) and math.isfinite(b)]


def _runs(points: Sequence[tuple[float, float]], x: Axis, y: Axis) -> list[list[tuple[float, float]]]:
    """The points on the picture, in runs that nothing interrupts."""
    runs: list[list[tuple[float, float]]] = [[]]
    for a, b in points:
        if x.holds(a) and y.holds(b):
            runs[-1].append((x(a), y(b)))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _bands(series: Series, x: Axis, y: Axis, colour: str) -> list[str]:
    parts = []
    for low, high in series.bands:
        whole = [math.isfinite(a) and math.isfinite(b) for a, b in zip(low, high, strict=True)]
        below = _runs([(a, b if ok else math.nan) for a, b, ok in zip(series.x, low, whole, strict=True)], x, y)
        above = _runs([(a, b if ok else math.nan) for a, b, ok in zip(series.x, high, whole, strict=True)], x, y)
        for under, over in zip(below, above, strict=True):
            path = " ".join(f"{number(a)},{number(b)}" for a, b in [*over, *reversed(under)])
            parts.append(f'<polygon points="{path}" fill="{colour}" fill-opacity="0.2"/>')
    return parts


def _bars(series: Series, x: Axis, y: Axis, colour: str) -> list[str]:
    parts = []
    for low, high in series.bands:
        for a, under, over in zip(series.x, low, high, strict=True):
            if x.holds(a) and y.holds(under) and y.holds(over):
                parts.append(line(x(a), y(under), x(a), y(over), colour, 'stroke-width="2" stroke-opacity="0.6"'))
                for end in (under, over):
                    parts.append(line(x(a) - 3, y(end), x(a) + 3, y(end), colour, 'stroke-width="2"'))
    return parts
