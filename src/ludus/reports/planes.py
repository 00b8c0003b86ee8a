"""A picture of planes: what a network or an agent sees of a position, a small grid for each plane."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.reports import colours
from ludus.reports.svg import LETTER, length, picture, rectangle, text

_CELL = 15
_GAP = 26  # between grids
_CAPTION = LETTER + 10


def planes_picture(
    planes: NDArray[np.float32], captions: Sequence[str], *, columns: int, title: str, cell: int = _CELL
) -> str:
    """The planes, an array of planes by rows by columns of numbers from 0 to 1, in so many columns of grids.

    The larger a number, the darker its cell. Each grid has its number and a caption.
    """
    count, rows, cells = planes.shape
    width = max(cells * cell, *(length(f"{n} {caption}") for n, caption in enumerate(captions))) + _GAP
    height = rows * cell + _CAPTION + _GAP / 2
    parts = []
    for number in range(count):
        left, top = number % columns * width, number // columns * height
        parts.append(text(left, top + LETTER, f"{number} {captions[number]}"))
        for row in range(rows):
            for column in range(cells):
                x, y = left + column * cell, top + _CAPTION + row * cell
                parts.append(rectangle(x, y, cell, cell, "none", f'stroke="{colours.GRID}"'))
                value = float(planes[number, row, column])
                if value > 0:
                    shade = f'fill-opacity="{0.15 + 0.85 * value:.2f}"'
                    parts.append(rectangle(x + 1, y + 1, cell - 2, cell - 2, colours.SERIES[0], shade))
    return picture(columns * width - _GAP, -(-count // columns) * height, parts, title)
