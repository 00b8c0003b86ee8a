"""The charts: lines with bands, estimates with intervals, dots, histograms, spreads over time, origins of champions.

Each is a function from numbers to an SVG picture. Values that are not finite are left out, and a line is interrupted
there. A chart without data says so. The colours are in colours.py.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ludus.reports import colours
from ludus.reports.axes import Axis, grid, labels, left_margin, legend, rounded, tick_step
from ludus.reports.colours import AXIS, GRID
from ludus.reports.svg import circle, length, line, picture, polygon, polyline, rectangle, shortened, text

WIDTH = 520  # of a chart; chosen so that its letters can be read on a phone
_RIGHT, _TOP, _BOTTOM, _HEIGHT = 18, 30, 46, 240  # margins, and the height of the inside
_DASHES = ("", "7 4", "2 3", "9 3 2 3")  # the first six series have solid lines, the next six the second dash, ...
_MOST_POINTS = 500  # of a line: a screen does not show more
_FEW_POINTS = 24  # up to so many points of a line are marked
_LONGEST_NAME = 480  # the room for the names of estimates, at most


@dataclass(frozen=True)
class Series:
    """A named line. Each band is a pair (low, high) with a value for every point; the widest band comes first."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    bands: tuple[tuple[Sequence[float], Sequence[float]], ...] = ()

    def __post_init__(self) -> None:
        sizes = {len(values) for values in (self.x, self.y, *(side for band in self.bands for side in band))}
        if len(sizes) != 1:
            raise ValueError(f"the series {self.name} has not as many values of one kind as of another")


class Reference(NamedTuple):
    """A horizontal line to compare a series with."""

    value: float
    label: str


class Estimate(NamedTuple):
    """A named value and the ends of its interval.

    `samples` are the values it is the mean of, `mark` a value of others to compare it with.
    """

    name: str
    value: float
    low: float
    high: float
    samples: tuple[float, ...] = ()
    mark: float = math.nan

    @property
    def numbers(self) -> tuple[float, float, float]:
        """The value and the ends of the interval."""
        return self.value, self.low, self.high


def lines(
    series: Sequence[Series],
    *,
    title: str,
    x_title: str,
    y_title: str,
    references: Sequence[Reference] = (),
    error_bars: bool = False,
) -> str:
    """Series over a common axis, with a legend if there is more than one line. `error_bars` draws bars, not bands.

    At most 500 points of a series are drawn, evenly chosen.
    """
    series = [_thinned(each) for each in series]
    named = [each.name for each in series] if len(series) > 1 else []
    names = [*named, *(each.label for each in references)]
    marks = [polyline([(-11, 0), (11, 0)], *_style(index)) for index in range(len(named))]
    parts, top = legend(names, [*marks, *(_reference(-11, 11, 0) for _ in references)], WIDTH)
    top += _TOP
    heights = [value for each in series for value in _heights(each)]
    y = Axis.over(heights + [each.value for each in references], top + _HEIGHT, top, whole=True)
    x = Axis.over((value for each in series for value in each.x), left_margin(y), WIDTH - _RIGHT)
    parts += grid(x, y, x_title, y_title, WIDTH)
    if not heights:
        parts.append(_nothing(top))
    parts += [_reference(x.start, x.end, y(reference.value)) for reference in references]
    for index, each in enumerate(series):
        parts += (_bars if error_bars else _bands)(each, x, y, _colour(index))
    for index, each in enumerate(series):
        runs = _runs(each.x, each.y, x, y)
        parts += [polyline(run, *_style(index)) for run in runs if len(run) > 1]
        marked = error_bars or len(each.x) <= _FEW_POINTS
        parts += [circle(*place, 3, _colour(index)) for run in runs if marked or len(run) == 1 for place in run]
    return picture(WIDTH, top + _HEIGHT + _BOTTOM, parts, title)


def spread(x: Sequence[float], samples: Sequence[Sequence[float]]) -> Series:
    """The median of each sample, with bands for its whole range and for its quartiles."""
    known = [[value for value in sample if math.isfinite(value)] or [math.nan] for sample in samples]
    least, lower, median, upper, most = (
        [float(np.quantile(sample, share)) for sample in known] for share in (0, 0.25, 0.5, 0.75, 1)
    )
    return Series("median", x, median, bands=((least, most), (lower, upper)))


def intervals(
    estimates: Sequence[Estimate], *, title: str, x_title: str = "", signed: bool = False, clip: bool = False
) -> str:
    """A row for each estimate: its name, its interval as a bar and its value as a dot. `signed` writes +5 for 5.

    Samples are small circles below the bar, a mark is a diamond. With `clip` the axis leaves out outliers. Their rows
    have an arrow, the value and the ends of the interval.
    """
    row = 28
    left = min(_LONGEST_NAME, max((length(each.name) for each in estimates), default=0.0) + 14)
    width = WIDTH + max(0.0, left - 240)
    away = outliers(estimates) if clip else []
    shown = [each for each in estimates if each not in away]
    start, end = left + 6, width - 62
    most = max(6, int((end - start) / 40))
    numbers = (number for each in shown for number in (*each.numbers, *each.samples, each.mark))
    x = Axis.over((number for number in numbers if math.isfinite(number)), start, end, most=most)
    bottom = 12 + row * len(estimates)
    parts = []
    for mark, label in zip(x.ticks(), labels(x.ticks(), signed=signed), strict=True):
        parts.append(line(x(mark), 8, x(mark), bottom, GRID))
        parts.append(text(x(mark), bottom + 18, label, anchor="middle"))
    if x_title:
        parts.append(text(x.end, bottom + 38, x_title, anchor="end"))
    step = tick_step(x.low, x.high, x.most)
    for index, each in enumerate(estimates):
        y = 12 + row * (index + 0.5)
        parts.append(text(left - 12, y + 5, shortened(each.name, left - 12), anchor="end"))
        if math.isfinite(each.value):
            parts += (_outlier if each in away else _estimate)(each, x, y, step, signed)
    return picture(width, bottom + (46 if x_title else 26), parts, title)


def outliers(estimates: Sequence[Estimate]) -> list[Estimate]:
    """The estimates without which the axis would be much shorter: less than 60% as long without each of them.

    At most a quarter of the estimates are outliers.
    """
    rest = [each for each in estimates if math.isfinite(each.value)]
    found: list[Estimate] = []
    while len(found) < len(estimates) // 4:
        for extreme in (min(rest, key=lambda each: each.value), max(rest, key=lambda each: each.value)):
            others = [each for each in rest if each != extreme]
            if others and _extent(others) < 0.6 * _extent(rest):
                break
        else:
            break
        found.append(extreme)
        rest = others
    return found


def _extent(estimates: Sequence[Estimate]) -> float:
    ends = [end for each in estimates for end in each.numbers if math.isfinite(end)]
    return max(ends) - min(ends)


def _estimate(each: Estimate, x: Axis, y: float, step: float, signed: bool) -> list[str]:
    low, high = (x(end) if math.isfinite(end) else x(each.value) for end in (each.low, each.high))
    parts = [
        line(low, y, high, y, _colour(0), 'stroke-width="6" stroke-opacity="0.45" stroke-linecap="round"'),
        circle(x(each.value), y, 4.5, _colour(0)),
    ]
    parts += [circle(x(sample), y + 9, 2.2, _colour(0)) for sample in each.samples]
    right = max([high, x(each.value), *map(x, each.samples)])
    if math.isfinite(each.mark):
        place = x(each.mark)
        parts.append(polygon([(place, y - 7), (place + 6, y), (place, y + 7), (place - 6, y)], _colour(1)))
        right = max(right, place)
    return [*parts, text(right + 10, y + 5, rounded(each.value, step, signed=signed))]


def _outlier(each: Estimate, x: Axis, y: float, step: float, signed: bool) -> list[str]:
    """An arrow at the end of the axis beyond which the estimate lies, and its numbers."""
    below = x.low > each.value
    tip, back = (x.start - 6, 1) if below else (x.end, -1)
    value, low, high = (rounded(number, step, signed=signed) for number in each.numbers)
    return [
        line(tip + 8 * back, y, tip + 26 * back, y, _colour(0), 'stroke-width="2" stroke-dasharray="4 3"'),
        polygon([(tip, y), (tip + 9 * back, y - 5), (tip + 9 * back, y + 5)], _colour(0)),
        text(tip + 34 * back, y + 5, f"{value} [{low}, {high}]", anchor="start" if below else "end"),
    ]


def dots(rows: Mapping[str, Mapping[str, float]], *, title: str, x_title: str) -> str:
    """A row for each name, with a dot of another colour for each of its values; a legend names the colours."""
    names = list(dict.fromkeys(name for values in rows.values() for name in values))
    parts, top = legend(names, [circle(0, 0, 5, _colour(index)) for index in range(len(names))], WIDTH)
    row = max(28, 9 * len(names) + 8)
    left = min(_LONGEST_NAME, max((length(name) for name in rows), default=0.0) + 14)
    width = WIDTH + max(0.0, left - 240)
    x = Axis.over([0.0, *(value for values in rows.values() for value in values.values())], left + 6, width - 30)
    bottom = top + 12 + row * len(rows)
    for mark, label in zip(x.ticks(), labels(x.ticks()), strict=True):
        parts += [line(x(mark), top + 8, x(mark), bottom, GRID), text(x(mark), bottom + 18, label, anchor="middle")]
    parts.append(text(x.end, bottom + 38, x_title, anchor="end"))
    for index, (name, values) in enumerate(rows.items()):
        y = top + 12 + row * (index + 0.5)
        parts.append(text(left - 12, y + 5, shortened(name, left - 12), anchor="end"))
        if index:
            parts.append(line(x.start, y - row / 2, x.end, y - row / 2, GRID))
        for each, value in values.items():
            place = names.index(each)
            parts.append(circle(x(value), y + 9 * (place - (len(names) - 1) / 2), 4.5, _colour(place)))
    if not any(rows.values()):
        parts.append(text(width / 2, bottom + 8, "nothing to draw yet", anchor="middle"))
    return picture(width, bottom + 46, parts, title)


def histogram(
    values: Sequence[float] | np.typing.NDArray[np.float32], *, title: str, x_title: str, bins: int = 40
) -> str:
    """The number of values in each of `bins` equal parts of their range."""
    counts, edges = binned(values, bins)
    total = int(counts.sum())
    y = Axis.over([0.0, float(counts.max())], _TOP + _HEIGHT, _TOP, whole=True)
    x = Axis.over(map(float, edges) if total else (), left_margin(y), WIDTH - _RIGHT)
    parts = grid(x, y, x_title, f"number of values ({total:,} in all)", WIDTH)
    if not total:
        parts.append(_nothing(_TOP))
    for count, low, high in zip(map(int, counts), map(float, edges), map(float, edges[1:]), strict=False):
        if count:
            tip = f"{count:,} from {low:.4g} to {high:.4g}"
            width = max(x(high) - x(low) - 0.7, 0.5)
            parts.append(rectangle(x(low), y(count), width, y(0) - y(count), _colour(0), tip=tip))
    return picture(WIDTH, _TOP + _HEIGHT + _BOTTOM, parts, title)


def binned(
    values: Sequence[float] | np.typing.NDArray[np.float32], bins: int
) -> tuple[np.typing.NDArray[np.int64], np.typing.NDArray[np.float64]]:
    """How many of the values that are finite lie in each of `bins` equal parts of their range, and the parts' edges."""
    known = np.asarray(values, dtype=np.float64)
    counts, edges = np.histogram(known[np.isfinite(known)], bins=bins)
    return counts, edges


def lineage(origins: Sequence[tuple[int, str]], *, title: str, unit: str = "generation") -> str:
    """The origin of each generation's champion: (generation, origin) as rows of cells, with a colour for an origin."""
    a_row = 40
    kinds = list(dict.fromkeys(origin for _, origin in origins))
    fills = {kind: _colour(index) for index, kind in enumerate(kinds)}
    marks = [rectangle(-8, -8, 16, 16, fills[kind]) for kind in kinds]
    shares = [f"{kind}: {sum(origin == kind for _, origin in origins)}" for kind in kinds]
    parts, top = legend(shares, marks, WIDTH)
    left = 12 + max((length(str(generation)) for generation, _ in origins), default=0.0)
    cell = (WIDTH - left) / min(a_row, max(len(origins), 20))
    if not origins:
        parts.append(text(WIDTH / 2, top + 16, "nothing to draw yet", anchor="middle"))
    for index, (generation, origin) in enumerate(origins):
        row, column = divmod(index, a_row)
        y = top + 6 + row * 26
        if column == 0:
            parts.append(text(left - 8, y + 15, str(generation), anchor="end"))
        tip = f"{unit} {generation}: {origin}"
        parts.append(rectangle(left + column * cell, y, cell - 1.5, 20, fills[origin], tip=tip))
    return picture(WIDTH, top + 6 + max(1, -(-len(origins) // a_row)) * 26, parts, title)


def _colour(index: int) -> str:
    return colours.SERIES[index % len(colours.SERIES)]


def _style(index: int) -> tuple[str, str]:
    """The colour of the line of a series, and its other attributes."""
    dash = _DASHES[index // len(colours.SERIES) % len(_DASHES)]
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return _colour(index), f'stroke-width="2" stroke-linejoin="round"{dashes}'


def _reference(left: float, right: float, y: float) -> str:
    return line(left, y, right, y, AXIS, 'stroke-width="1.5" stroke-dasharray="5 4"')


def _nothing(top: float) -> str:
    return text(WIDTH / 2, top + _HEIGHT / 2, "nothing to draw yet", anchor="middle")


def _thinned(series: Series) -> Series:
    if len(series.x) <= _MOST_POINTS:
        return series
    chosen = [round(i * (len(series.x) - 1) / (_MOST_POINTS - 1)) for i in range(_MOST_POINTS)]

    def some(values: Sequence[float]) -> list[float]:
        return [values[i] for i in chosen]

    bands = tuple((some(low), some(high)) for low, high in series.bands)
    return replace(series, x=some(series.x), y=some(series.y), bands=bands)


def _heights(series: Series) -> list[float]:
    """All heights of a series that can be drawn."""
    sides = (series.y, *(side for band in series.bands for side in band))
    return [b for side in sides for a, b in zip(series.x, side, strict=True) if math.isfinite(a) and math.isfinite(b)]


def _runs(xs: Sequence[float], ys: Sequence[float], x: Axis, y: Axis) -> list[list[tuple[float, float]]]:
    """The places of the points on the picture, in runs without a gap."""
    runs: list[list[tuple[float, float]]] = [[]]
    for a, b in zip(xs, ys, strict=True):
        if math.isfinite(a) and math.isfinite(b):
            runs[-1].append((x(a), y(b)))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _bands(series: Series, x: Axis, y: Axis, colour: str) -> list[str]:
    parts = []
    for low, high in series.bands:
        whole = [math.isfinite(a) and math.isfinite(b) for a, b in zip(low, high, strict=True)]
        below, above = (
            _runs(series.x, [value if ok else math.nan for value, ok in zip(side, whole, strict=True)], x, y)
            for side in (low, high)
        )
        for under, over in zip(below, above, strict=True):
            if len(under) == 1:  # a band of one point has no width
                bar = 'stroke-width="6" stroke-opacity="0.25"'
                parts.append(line(*under[0], *over[0], colour, bar))
            else:
                parts.append(polygon([*over, *reversed(under)], colour, 'fill-opacity="0.2"'))
    return parts


def _bars(series: Series, x: Axis, y: Axis, colour: str) -> list[str]:
    parts = []
    for low, high in series.bands:
        for a, under, over in zip(series.x, low, high, strict=True):
            if all(map(math.isfinite, (a, under, over))):
                parts.append(line(x(a), y(under), x(a), y(over), colour, 'stroke-width="2" stroke-opacity="0.6"'))
                for end in (under, over):
                    parts.append(line(x(a) - 3, y(end), x(a) + 3, y(end), colour, 'stroke-width="2"'))
    return parts
