"""Tables, written once and shown as plain text for a terminal, as Markdown for a document or as HTML for a page."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from ludus.arena.samples import Summary
from ludus.reports.svg import escaped


class Cell(NamedTuple):
    """A cell with a mark that one of the table's notes explains."""

    text: str
    mark: str = ""


@dataclass(frozen=True)
class Table:
    """Cells under column titles. Raises ValueError for two columns of one name, and for a row that does not fit.

    The first `names` columns name the row and are aligned left; numbers are aligned right. Columns in `prose`, by
    index, hold long text: they are aligned left and break into lines on a page.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    names: int = 1
    notes: dict[str, str] = field(default_factory=dict)  # what the marks mean
    prose: tuple[int, ...] = ()
    broad: bool = False  # takes the whole width of a page; so does a table with prose or with many columns

    def __post_init__(self) -> None:
        for title in self.columns:
            if self.columns.count(title) > 1:
                raise ValueError(f"two columns of a table are called {title!r}")
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
                text = cell.text.ljust(widths[index]) if self._left(index) else cell.text.rjust(widths[index])
                words.append(text + cell.mark.ljust(marks[index]))
            lines.append("  ".join(words).rstrip())
        return "\n".join(lines + [f"{mark} {note}" for mark, note in self.notes.items()])

    def markdown(self) -> str:
        """The table for a document."""
        rule = ["---" if self._left(index) else "---:" for index in range(len(self.columns))]
        rows = [
            [_in_markdown(cell.text + cell.mark) for cell in row] for row in (self._head(), *map(_cells, self.rows))
        ]
        lines = [f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:])]
        notes = [f"\n{_in_markdown(mark)} {note}" for mark, note in self.notes.items()]
        return "\n".join(lines + notes)

    def html(self) -> str:
        """The table for a page."""
        head = "".join(f"<th{self._class(index)}>{escaped(title)}</th>" for index, title in enumerate(self.columns))
        rows = []
        for row in map(_cells, self.rows):
            cells = []
            for index, cell in enumerate(row):
                mark = f"<sup>{escaped(cell.mark)}</sup>" if cell.mark else ""
                tag = "th" if index < self.names else "td"
                cells.append(f"<{tag}{self._class(index)}>{escaped(cell.text)}{mark}</{tag}>")
            rows.append(f"<tr>{''.join(cells)}</tr>\n")
        notes = "".join(f'<p class="note">{escaped(mark)} {escaped(note)}</p>\n' for mark, note in self.notes.items())
        broad = " broad" if self.broad or self.prose or len(self.columns) > 6 else ""
        return (
            f'<div class="table{broad}"><table><thead><tr>{head}</tr></thead>\n<tbody>{"".join(rows)}</tbody></table>\n'
            f"{notes}</div>\n"
        )

    def _head(self) -> tuple[Cell, ...]:
        return _cells(self.columns)

    def _columns(self) -> list[tuple[Cell, ...]]:
        return list(zip(self._head(), *map(_cells, self.rows), strict=True))

    def _left(self, index: int) -> bool:
        return index < self.names or index in self.prose

    def _class(self, index: int) -> str:
        if index in self.prose:
            return ' class="prose"'
        return ' class="name"' if index < self.names else ""


def plus_minus(summary: Summary, digits: int = 1) -> str:
    """Mean and standard deviation: 83.1 ± 2.0; the mean alone if the deviation is not known."""
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
