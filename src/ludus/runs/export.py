"""The record of a run as a table: CSV for spreadsheets, Parquet for data frames.

A row is a line of the record. A field inside a field has a column of its own, `pool.random.score` for example. `table`
makes a `Table` of a run, `csv` and `parquet` write it as bytes, and `save` keeps them in a new file.

    >>> from ludus.runs import export
    >>> export.csv(export.Table(["games"], [[1000]]))
    b'games\\n1000\\n'
"""

import io
import json
from collections.abc import Iterator
from csv import writer
from pathlib import Path
from typing import Any, NamedTuple

from ludus.files import output_file, write_atomically
from ludus.learning import Record
from ludus.runs.folder import BadRun
from ludus.runs.run import Run, RunState

__all__ = ["Table", "csv", "parquet", "save", "table"]


class Table(NamedTuple):
    """Columns in the order of their first appearance, and rows; None is where a line does not have a field.

    Examples:
        >>> Table(["games", "score"], [[1000, 0.25]]).columns
        ['games', 'score']
    """

    columns: list[str]
    rows: list[list[Any]]


def table(run: Run) -> Table:
    """The record of a run so far. Raises BadRun when the run is broken.

    Examples:
        >>> import tempfile
        >>> from ludus.learning.td import Td
        >>> from ludus.workers import Workers
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = Run.create(Path(folder) / "run", Td(games=20, test_every=10, test_games=2), "an example")
        ...     for _ in run.train(Workers()):
        ...         pass
        ...     found = table(run)
        >>> [row[found.columns.index("games")] for row in found.rows]
        [10, 20]
    """
    status = run.status()
    if status.state is RunState.BROKEN:
        raise BadRun(status.note)
    lines = [dict(_fields(line)) for line in run.record()]
    columns = list(dict.fromkeys(name for line in lines for name in line))
    return Table(columns, [[line.get(name) for name in columns] for line in lines])


def csv(table: Table) -> bytes:
    """The table as CSV, in UTF-8. A list is written as JSON; what is not there is empty.

    Examples:
        >>> print(csv(Table(["games", "score"], [[1000, 0.25], [2000, None]])).decode(), end="")
        games,score
        1000,0.25
        2000,
    """
    text = io.StringIO()
    lines = writer(text, lineterminator="\n")
    lines.writerow(table.columns)
    for row in table.rows:
        lines.writerow([_cell(value) for value in row])
    return text.getvalue().encode()


def parquet(table: Table) -> bytes:
    """The table as a Parquet file. Columns of several types are text, as JSON. Raises ValueError without pyarrow.

    Examples:
        >>> parquet(Table(["games"], [[1000]]))[:4]
        b'PAR1'
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ValueError("Parquet needs pyarrow: pip install pyarrow") from error
    columns = {}
    for index, name in enumerate(table.columns):
        values = [row[index] for row in table.rows]
        if {type(value) for value in values} >= {int, float}:
            values = [float(value) if type(value) is int else value for value in values]
        try:
            columns[name] = pyarrow.array(values)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, OverflowError):
            columns[name] = pyarrow.array([None if value is None else json.dumps(value) for value in values])
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), file)
    return file.getvalue()


def save(path: Path, content: bytes) -> Path:
    """Writes a new file; returns where. Raises BadOutput if there is one of this name that is not empty, OSError.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     saved = save(Path(folder) / "record.csv", csv(Table(["games"], [[1000]])))
        ...     saved.read_text()
        'games\\n1000\\n'
    """
    path = output_file(path, "empty", lambda _: False)
    write_atomically(path, content)
    return path


def _fields(line: Record, within: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in line.items():
        if isinstance(value, dict):
            yield from _fields(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", value


def _cell(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, list | bool) else value
