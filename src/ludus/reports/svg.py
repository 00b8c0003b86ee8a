"""The elements of an SVG picture: its frame, lines, rectangles, and text with its estimated width.

A picture takes the width of its place. Text without a colour of its own takes the colour of the picture; a page sets
another one.
"""

from collections.abc import Iterable, Sequence
from html import escape

from ludus.reports.colours import TEXT

LETTER = 14  # the font size
_LETTER_WIDTH = 0.61  # the mean width of a letter in a wide font, for a font size of 1


def picture(width: float, height: float, parts: Iterable[str], title: str) -> str:
    """A whole picture. Screen readers read `title` aloud."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {coordinate(width)} {coordinate(height)}" role="img" '
        f'aria-label="{escaped(title)}" font-family="system-ui, sans-serif" font-size="{LETTER}" fill="{TEXT}">'
        f"{''.join(parts)}</svg>\n"
    )


def escaped(text: str) -> str:
    """Text for a picture or a page; characters that XML forbids are replaced."""
    return escape("".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text))


def coordinate(value: float) -> str:
    """A coordinate, rounded to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def points(places: Iterable[tuple[float, float]]) -> str:
    """The points of a polyline or a polygon."""
    return " ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in places)


def text(x: float, y: float, words: str, *, anchor: str = "start", extra: str = "") -> str:
    """A line of text; `anchor` is start, middle or end."""
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{coordinate(x)}" y="{coordinate(y)}"{anchored}{_spaced(extra)}>{escaped(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, extra: str = "") -> str:
    """A straight line."""
    ends = f'x1="{coordinate(x1)}" y1="{coordinate(y1)}" x2="{coordinate(x2)}" y2="{coordinate(y2)}"'
    return f'<line {ends} stroke="{stroke}"{_spaced(extra)}/>'


def polyline(places: Sequence[tuple[float, float]], stroke: str, extra: str = "") -> str:
    """A line through these points."""
    return f'<polyline points="{points(places)}" fill="none" stroke="{stroke}"{_spaced(extra)}/>'


def polygon(places: Iterable[tuple[float, float]], fill: str, extra: str = "") -> str:
    """A filled shape with these corners."""
    return f'<polygon points="{points(places)}" fill="{fill}"{_spaced(extra)}/>'


def circle(x: float, y: float, radius: float, fill: str, extra: str = "") -> str:
    """A filled circle."""
    place = f'cx="{coordinate(x)}" cy="{coordinate(y)}" r="{coordinate(radius)}"'
    return f'<circle {place} fill="{fill}"{_spaced(extra)}/>'


def rectangle(x: float, y: float, width: float, height: float, fill: str, extra: str = "", tip: str = "") -> str:
    """A filled rectangle; `tip` is shown when the pointer rests on it."""
    place = f'x="{coordinate(x)}" y="{coordinate(y)}" width="{coordinate(width)}" height="{coordinate(height)}"'
    shape = f'<rect {place} fill="{fill}"{_spaced(extra)}'
    return f"{shape}><title>{escaped(tip)}</title></rect>" if tip else f"{shape}/>"


def length(words: str) -> float:
    """The estimated width of a line of text, in a wide font: most fonts need less."""
    return _LETTER_WIDTH * LETTER * len(words)


def shortened(words: str, width: float) -> str:
    """The text, cut with an ellipsis if it is wider than `width`."""
    most = max(2, int(width / (_LETTER_WIDTH * LETTER)))
    return words if len(words) <= most else words[: most - 1] + "…"


def _spaced(extra: str) -> str:
    return f" {extra}" if extra else ""
