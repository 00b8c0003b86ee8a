"""The command export: what Ludus has made, in the formats of other programs."""

import os
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.common import app, fail


@app.command()
def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the record of the run as CSV, a row a line.")
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it as Parquet. This needs pyarrow.")
    ] = None,
) -> None:
    """Write the record of a run as a table for other programs.

    A row is a line of the record and a column is a field. A field inside a
    field has a column of its own. Existing files are not overwritten.
    """
    from ludus.runs import Run, export

    if csv is None and parquet is None:
        fail("name a file with --csv or --parquet")
    try:
        table = export.table(Run.open(run))
        for path, write in ((csv, export.csv), (parquet, export.parquet)):
            if path is not None:
                saved = export.save(path, write(table))
                print(f"{os.fspath(saved)}: {len(table.rows):,} rows, {len(table.columns)} columns")
    except ValueError as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename or csv or parquet} cannot be written: {error.strerror}")
