"""What every picture is made of: its frame, escaped text, colours that most eyes tell apart, axes with round ticks.

Pictures are SVG, as wide as their place allows. Text without a colour of its own takes the picture's, a grey that can
be read on white and on black; a page may set another. Widths are chosen so that a phone shows letters that can be read.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

WIDTH = 520  # of a chart
_BROAD = 0.61  # of a letter's size, its breadth, on the mean in a broad font
LETTER = 13  # the size of text
GREY = "#777"
FAINT = "#8884"  # lines of the grid

# Okabe and Ito's colours without yellow and black, which vanish on one of the backgrounds.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9")
DASHES = ("", "7 4", "2 3", "9 3 2 3")  # the second six series, the third, ...


def picture(width: float, height: float, parts: Iterable[str], title: str) -> str:
    """A whole picture; `title` is what is said to those who do not see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" role="img" '
        f'aria-label="{said(title)}" font-family="system-ui, sans-serif" font-size="{LETTER}" fill="{GREY}">'
        f"{''.join(parts)}</svg>\n"
    )


def said(text: str) -> str:
    """Text as it may stand in a picture or a page; characters that XML forbids are replaced."""
    return escape("".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text))


def number(value: float) -> str:
    """A coordinate, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def text(x: float, y: float, words: str, *, anchor: str = "start", extra: str = "") -> str:
    """A line of text."""
    place = f'x="{number(x)}" y="{number(y)}"'
    return f"<text {place}{_anchored(anchor)}{' ' if extra else ''}{extra}>{said(words)}</text>"


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, extra: str = "") -> str:
    """A straight line."""
    ends = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
    return f'<line {ends} stroke="{stroke}"{" " if extra else ""}{extra}/>'


def rectangle(x: float, y: float, width: float, height: float, fill: str, extra: str = "", tip: str = "") -> str:
    """A filled rectangle, with what is said when one points at it."""
    shape = f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" fill="{fill}"'
    shape += f"{' ' if extra else ''}{extra}"
    return f"{shape}><title>{said(tip)}</title></rect>" if tip else f"{shape}/>"


def length(words: str) -> float:
    """About how wide a line of text is; fonts differ, so it is a little more than most need."""
    return _BROAD * LETTER * len(words)


def shortened(words: str, width: float) -> str:
    """The text, cut where it would be wider than this."""
    most = max(2, int(width / (_BROAD * LETTER)))
    return words if len(words) <= most else words[: most - 1] + "…"


def _anchored(anchor: str) -> str:
    return "" if anchor == "start" else f' text-anchor="{anchor}"'


# Axes


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers (steps of 1, 2 or 5 times a power of ten), at most so many, within these ends."""
    if not high > low:
        return [low]
    step = tick_step(low, high, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    # Not i * step, which is 0.30000000000000004 for 3 * 0.1.
    return [round(i * step, _digits(step)) + 0.0 for i in range(first, last + 1)]


def tick_step(low: float, high: float, most: int = 6) -> float:
    """The smallest round step of which at most `most` multiples lie within any ends so far apart."""
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    steps = (factor * power for factor in (1.0, 2.0, 5.0, 10.0, 20.0))
    return next(step for step in steps if (high - low) / step <= most - 1 + 1e-9)


def labels(values: Sequence[float], *, signed: bool = False) -> list[str]:
    """The ticks of one axis as people write them: 0, 200k, 400k; 0.25, 0.50."""
    largest = max(map(abs, values), default=0.0)
    gaps = [b - a for a, b in pairwise(values)]
    step = min(gaps, default=largest) or 1.0
    return [_label(value, step, largest, signed) for value in values]


def rounded(value: float, step: float, *, signed: bool = False) -> str:
    """A value beside an axis with ticks `step` apart: a digit more than they have, and no more than are worth it."""
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
    """Decimals that a multiple of this step needs."""
    return max(0, -math.floor(math.log10(step) + 1e-9))


@dataclass(frozen=True)
class Axis:
    """Where values lie on a picture, in a straight line from the first end to the last; logarithmic if asked for."""

    low: float
    high: float
    start: float  # where `low` lies
    end: float
    log: bool = False
    most: int = 8  # ticks

    @staticmethod
    def over(
        values: Iterable[float], start: float, end: float, *, log: bool = False, whole: bool = False, most: int = 8
    ) -> "Axis":
        """The axis on which all of these values lie that can; it ends at ticks if it is `whole`."""
        known = [value for value in values if math.isfinite(value) and (value > 0 or not log)]
        low, high = (min(known), max(known)) if known else ((1.0, 10.0) if log else (0.0, 1.0))
        if high - low <= 1e-12 * max(abs(low), abs(high)):  # one value only: it lies in the middle
            margin = abs(low) / 2 or 1.0
            low, high = (low / 2, high * 2) if log else (low - margin, high + margin)
        if whole and not log:
            step = tick_step(low, high, most)
            low, high = step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
        return Axis(low, high, start, end, log, most)

    def __call__(self, value: float) -> float:
        """Where this value lies."""
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def holds(self, value: float) -> bool:
        """Can this value be drawn?"""
        return math.isfinite(value) and (value > 0 or not self.log)

    def ticks(self) -> list[float]:
        """Round values on it."""
        if not self.log:
            return ticks(self.low, self.high, self.most)
        decades = range(math.floor(math.log10(self.low) - 1e-9), math.ceil(math.log10(self.high) + 1e-9) + 1)
        factors = (1, 2, 5) if math.log10(self.high / self.low) < 2.5 else (1,)
        stride = max(1, len(decades) // 7) if factors == (1,) else 1
        marks = [factor * 10.0**decade for decade in decades[::stride] for factor in factors]
        return [mark for mark in marks if self.low * (1 - 1e-9) <= mark <= self.high * (1 + 1e-9)] or [self.low]


@dataclass(frozen=True)
class Frame:
    """The place of a chart with two axes, between its titles and labels."""

    x: Axis
    y: Axis
    height: float  # of the whole picture

    def grid(self, x_title: str, y_title: str) -> list[str]:
        """The lines of the grid, the numbers and the titles of both axes."""
        left, right, bottom, top = self.x.start, self.x.end, self.y.start, self.y.end
        parts = []
        marks = self.y.ticks()
        for mark, label in zip(marks, labels(marks), strict=True):
            parts.append(line(left, self.y(mark), right, self.y(mark), FAINT))
            parts.append(text(left - 6, self.y(mark) + 4, label, anchor="end"))
        marks = self.x.ticks()
        for mark, label in zip(marks, labels(marks), strict=True):
            x = self.x(mark)
            parts.append(line(x, bottom, x, bottom + 4, GREY))
            parts.append(text(min(x, WIDTH - length(label) / 2), bottom + 18, label, anchor="middle"))
        parts.append(line(left, bottom, right, bottom, GREY))
        parts.append(text(right, bottom + 35, x_title, anchor="end"))
        parts.append(text(2, top - 10, y_title))
        return parts


def legend(names: Sequence[str], marks: Sequence[str], width: float, top: float) -> tuple[list[str], float]:
    """Names beside their marks (drawn around 0, 0, 22 wide), in as many rows as they need; and where the rows end."""
    parts = []
    x, y = 0.0, top
    for name, mark in zip(names, marks, strict=True):
        name = shortened(name, width - 40)
        if x and x + 28 + length(name) > width:
            x, y = 0.0, y + 18
        parts.append(f'<g transform="translate({number(x + 11)} {number(y + 8)})">{mark}</g>')
        parts.append(text(x + 27, y + 12.5, name))
        x += 42 + length(name)
    return parts, y + 22 if names else top
