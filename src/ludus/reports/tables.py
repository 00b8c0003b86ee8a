"""Tables: written once, read in the terminal, in Markdown and on a page."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from ludus.arena.samples import Summary
from ludus.reports.svg import said


class Cell(NamedTuple):
    """A cell with a mark that one of the table's notes explains."""

    text: str
    mark: str = ""


@dataclass(frozen=True)
class Table:
    """Cells under column titles. The first `names` columns say whose row it is and stand left, numbers stand right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    names: int = 1
    notes: dict[str, str] = field(default_factory=dict)  # what the marks mean

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells does not fit under {len(self.columns)} columns")

    def text(self) -> str:
        """The table in plain columns."""
        widths = [max(len(cell.text) for cell in column) for column in self._columns()]
        marks = [max(len(cell.mark) for cell in column) for column in self._columns()]
        lines = []
        for row in (self._head(), *map(_cells, self.rows)):
            words = []
            for index, cell in enumerate(row):
                text = cell.text.ljust(widths[index]) if index < self.names else cell.text.rjust(widths[index])
                words.append(text + cell.mark.ljust(marks[index]))
            lines.append("  ".join(words).rstrip())
        return "\n".join(lines + [f"{mark} {note}" for mark, note in self.notes.items()])

    def markdown(self) -> str:
        """The table for a document."""
        rule = ["---" if index < self.names else "---:" for index in range(len(self.columns))]
        rows = [
            [_in_markdown(cell.text + cell.mark) for cell in row] for row in (self._head(), *map(_cells, self.rows))
        ]
        lines = [f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:])]
        notes = [f"\n{_in_markdown(mark)} {note}" for mark, note in self.notes.items()]
        return "\n".join(lines + notes)

    def html(self) -> str:
        """The table for a page."""
        head = "".join(f"<th{self._side(index)}>{said(title)}</th>" for index, title in enumerate(self.columns))
        rows = []
        for row in map(_cells, self.rows):
            words = [f"{said(cell.text)}{f'<sup>{said(cell.mark)}</sup>' if cell.mark else ''}" for cell in row]
            cells = (
                f"<th{self._side(index)}>{word}</th>" if index < self.names else f"<td>{word}</td>"
                for index, word in enumerate(words)
            )
            rows.append(f"<tr>{''.join(cells)}</tr>\n")
        notes = "".join(f'<p class="note">{said(mark)} {said(note)}</p>\n' for mark, note in self.notes.items())
        return (
            f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>{"".join(rows)}</tbody></table></div>\n'
            f"{notes}"
        )

    def _head(self) -> tuple[Cell, ...]:
        return _cells(self.columns)

    def _columns(self) -> list[tuple[Cell, ...]]:
        return list(zip(self._head(), *map(_cells, self.rows), strict=True))

    def _side(self, index: int) -> str:
        return ' class="name"' if index < self.names else ""


def plus_minus(summary: Summary, digits: int = 1) -> str:
    """Mean and standard deviation: 83.1 ± 2.0; the mean alone when nothing is known of the spread."""
    spread = "" if math.isnan(summary.deviation) else f" ± {summary.deviation:.{digits}f}"
    return decimal(summary.mean, digits) + spread


def span(low: float, high: float, digits: int = 1) -> str:
    """An interval: [81.0, 85.2]."""
    return f"[{decimal(low, digits)}, {decimal(high, digits)}]"


def decimal(value: float, digits: int = 1) -> str:
    """A number with so many decimals, and no sign before a zero."""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if not text.strip("-0.") else text


def _cells(row: tuple[str | Cell, ...]) -> tuple[Cell, ...]:
    return tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row)


def _in_markdown(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\|*_`<" else c for c in text.replace("\n", " "))
