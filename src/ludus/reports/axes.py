"""The axes of a chart: round ticks, their labels, the grid and the legend."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ludus.reports.colours import AXIS, GRID
from ludus.reports.svg import coordinate, length, line, shortened, text


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from `low` to `high`, at most `most` of them, in steps of 1, 2 or 5 times a power of ten."""
    if not high > low:
        return [low]
    step = tick_step(low, high, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    # Not i * step, which is 0.30000000000000004 for 3 * 0.1.
    return [round(i * step, _digits(step)) + 0.0 for i in range(first, last + 1)]


def tick_step(low: float, high: float, most: int = 6) -> float:
    """The smallest round step that gives at most `most` ticks from `low` to `high`."""
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    steps = (factor * power for factor in (1.0, 2.0, 5.0, 10.0, 20.0))
    return next(step for step in steps if (high - low) / step <= most - 1 + 1e-9)


def labels(values: Sequence[float], *, signed: bool = False) -> list[str]:
    """The labels of the ticks of one axis: 0, 200k, 400k, or 0.25, 0.50. `signed` writes +5 for 5."""
    largest = max(map(abs, values), default=0.0)
    gaps = [b - a for a, b in pairwise(values)]
    step = min(gaps, default=largest) or 1.0
    return [_label(value, step, largest, signed) for value in values]


def rounded(value: float, step: float, *, signed: bool = False) -> str:
    """A value beside an axis whose ticks are `step` apart, with one digit more than the ticks have."""
    return _label(value, step / 10, 0.0, signed)


def _label(value: float, step: float, largest: float, signed: bool) -> str:
    sign = "+" if signed and value > 0 else ""
    if step < 1e-4:
        return f"{sign}{value:.3g}"
    if largest >= 10_000:
        for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
            if abs(value) >= size:
                return f"{sign}{value / size:.4g}{letter}"
        return f"{sign}{value:.4g}"
    return f"{sign}{value:.{_digits(step)}f}".replace("-0", "-0" if round(value, _digits(step)) else "0")


def _digits(step: float) -> int:
    """The decimals that a multiple of this step needs."""
    return max(0, -math.floor(math.log10(step) + 1e-9))


@dataclass(frozen=True)
class Axis:
    """A linear scale: values from `low` to `high` lie on a picture from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    most: int = 8  # ticks

    @staticmethod
    def over(values: Iterable[float], start: float, end: float, *, whole: bool = False, most: int = 8) -> "Axis":
        """The axis that holds all finite values. With `whole` it begins and ends at a tick."""
        known = [value for value in values if math.isfinite(value)]
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        if high - low <= 1e-12 * max(abs(low), abs(high)):  # one value only: it lies in the middle
            margin = abs(low) / 2 or 1.0
            low, high = low - margin, high + margin
        for _ in range(3 if whole else 0):  # a longer axis may need a larger step
            step = tick_step(low, high, most)
            low, high = step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
        return Axis(low, high, start, end, most)

    def __call__(self, value: float) -> float:
        """The place of a value on the picture."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Round values on the axis."""
        return ticks(self.low, self.high, self.most)

    def labels(self) -> list[str]:
        """The labels of the ticks."""
        return labels(self.ticks())


def left_margin(y: Axis) -> float:
    """The room that the labels of a vertical axis need on their left side."""
    return max(map(length, y.labels())) + 10


def grid(x: Axis, y: Axis, x_title: str, y_title: str, width: float) -> list[str]:
    """The grid lines, the labels of the ticks and the titles of both axes, in a picture of this width."""
    left, right, bottom, top = x.start, x.end, y.start, y.end
    parts = []
    for mark, label in zip(y.ticks(), y.labels(), strict=True):
        parts.append(line(left, y(mark), right, y(mark), GRID))
        parts.append(text(left - 7, y(mark) + 5, label, anchor="end"))
    for mark, label in zip(x.ticks(), x.labels(), strict=True):
        parts.append(line(x(mark), bottom, x(mark), bottom + 4, AXIS))
        parts.append(text(min(x(mark), width - length(label) / 2), bottom + 20, label, anchor="middle"))
    parts.append(line(left, bottom, right, bottom, AXIS))
    parts.append(text(right, bottom + 38, x_title, anchor="end"))
    parts.append(text(0, top - 15, y_title))
    return parts


def legend(names: Sequence[str], marks: Sequence[str], width: float) -> tuple[list[str], float]:
    """Names beside their marks, in as many rows as needed; and the height of the rows.

    A mark is drawn around the point (0, 0) and is 22 wide.
    """
    parts = []
    x, y = 0.0, 0.0
    for name, mark in zip(names, marks, strict=True):
        name = shortened(name, width - 40)
        if x and x + 28 + length(name) > width:
            x, y = 0.0, y + 20
        parts.append(f'<g transform="translate({coordinate(x + 11)} {coordinate(y + 9)})">{mark}</g>')
        parts.append(text(x + 27, y + 14, name))
        x += 42 + length(name)
    return parts, y + 26 if names else 0.0
