"""The command export: what Ludus has made, in the formats of other programs."""

import os
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.common import app, fail
from ludus.cli.options import named_path

_CHECKED = 10_000  # positions on which a model is compared with the player
_TOLERANCE = 1e-4  # networks of 32 bits add up in another order elsewhere


@app.command()
def export(
    what: Annotated[str, typer.Argument(metavar="RUN|PLAYER", help="The folder of a run, or a player.")],
    csv: Annotated[
        Path | None,
        typer.Option(parser=named_path, metavar="FILE", help="Write the record of the run as CSV, a row a line."),
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option(parser=named_path, metavar="FILE", help="Write it as Parquet. This needs pyarrow.")
    ] = None,
    onnx: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FILE.onnx",
            help="Write the network of the player, or of the run's player, as an ONNX model. This needs ludus[onnx].",
        ),
    ] = None,
) -> None:
    """Write what Ludus has made in the formats of other programs.

    The record of a run is a table: a row is a line of the record and a
    column is a field. A field inside a field has a column of its own.

    A network is an ONNX model. Before it is written, ONNX Runtime computes
    10,000 positions with it, which must give the player's own values. The
    model names the encoder that makes its inputs. Wherever a player can be
    named, the file can be named instead.

    Existing files are not overwritten.
    """
    if csv is None and parquet is None and onnx is None:
        fail("name a file with --csv, --parquet or --onnx")
    try:
        _check([path for path in (csv, parquet, onnx) if path is not None])
        if onnx is not None:
            _model(what, onnx)
        if csv is not None or parquet is not None:
            _table(Path(what), csv, parquet)
    except ValueError as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename or onnx or csv or parquet} cannot be written: {error.strerror}")


def _check(paths: list[Path]) -> None:
    """Raises ValueError if one of the files cannot be written: then none is."""
    from ludus.files import output_file

    found = [output_file(path, "empty", lambda _: False) for path in paths]
    if len(set(found)) < len(found):
        raise ValueError("one file cannot have two formats: name different files")


def _table(run: Path, csv: Path | None, parquet: Path | None) -> None:
    from ludus.runs import Run, export

    table = export.table(Run.open(run))
    for path, write in ((csv, export.csv), (parquet, export.parquet)):
        if path is not None:
            saved = export.save(path, write(table))
            print(f"{os.fspath(saved)}: {len(table.rows):,} rows, {len(table.columns)} columns")


def _model(name: str, path: Path) -> None:
    from ludus import players
    from ludus.players import onnx
    from ludus.runs import export

    if path.suffix != ".onnx":
        raise ValueError(f"the name of a model ends with .onnx, not as {path} does")
    player = players.find(name)
    content = onnx.model(player)
    difference = onnx.check(player, content, _CHECKED)
    if not difference <= _TOLERANCE:
        raise ValueError(f"ONNX Runtime gives other values, by up to {difference:.2g}; nothing was written")
    saved = export.save(path, content)
    inputs = onnx.inputs_of(player)
    seen = "side that has just moved" if inputs.afterstates else "side to move"
    print(f"{os.fspath(saved)}: {len(content):,} bytes; its inputs are {inputs.encoder}, seen by the {seen}")
    print(f"ONNX Runtime gives the player's values on {_CHECKED:,} positions, within {difference:.1e}")
