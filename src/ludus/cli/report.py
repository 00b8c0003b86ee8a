"""The command report: writes the report of a run."""

import os
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.common import app, fail
from ludus.cli.options import named_path


@app.command()
def report(
    run: Annotated[Path, typer.Argument(parser=named_path, metavar="RUN", help="The folder of a run.")],
    out: Annotated[
        Path | None,
        typer.Option(
            parser=named_path, metavar="FILE", help="The file to write. Default: report.html in the folder of the run."
        ),
    ] = None,
) -> None:
    """Write the report of a run, also while it goes on."""
    from ludus import reports
    from ludus.runs import CONFIG, Config, RunState, status_of

    if not (run / CONFIG).is_file():
        fail(_not_a_run(run))
    try:
        status = status_of(run, Config.read(run / CONFIG))
        if status.state is RunState.BROKEN:
            fail(status.note)
        print(os.fspath(reports.write(run, out)))
    except ValueError as error:
        fail(error)
    except OSError as error:
        fail(f"the report cannot be written: {error.filename or out or run}: {error.strerror}")


def _not_a_run(folder: Path) -> str:
    """A sentence that says what a folder is, if it is not a run."""
    if not folder.is_dir():
        return f"there is no folder {folder}"
    ladders = [path.with_suffix(".html") for path in sorted(folder.glob("**/ladder.json"))]
    if ladders:
        pages = ", ".join(map(str, ladders))
        return f"{folder} is the folder of a ladder; the same ludus ladder command writes its page again: {pages}"
    if (folder / "journal.jsonl").is_file():
        return f"{folder} is the folder of a match, which has no page; its result is in {folder / 'result.json'}"
    if (folder / "tables.md").is_file() or (folder / "trials.jsonl").is_file():
        page = folder / "report.html"
        return f"{folder} is the folder of a study; the same ludus study command writes its page again: {page}"
    return f"{folder} is not a run: it has no config.toml"
