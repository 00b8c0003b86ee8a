"""The command runs: the runs in a folder, for a person, for a pipe or as JSON."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ludus.cli.common import RUNS, app, fail, print_json
from ludus.cli.options import JsonOption, named_path
from ludus.harmless import harmless

_WIDTH = 80  # columns, if the terminal has no fewer


@app.command()
def runs(
    folder: Annotated[
        Path, typer.Argument(parser=named_path, metavar="FOLDER", help="The folder to search, with all folders in it.")
    ] = RUNS,
    json: JsonOption = False,
) -> None:
    """List the runs in a folder, with their states and results.

    In a pipe it prints a line for each run, with tabs between the columns.
    """
    from ludus.runs import find

    if not folder.is_dir() and folder != RUNS:
        fail(f"there is no folder {folder}")
    rows = [_row(found) for found in find(folder)]
    if json:
        print_json("runs", {"runs": rows})
    elif not sys.stdout.isatty():
        print("\t".join(_COLUMNS))
        for row in rows:
            print(harmless("\t".join(_cell(row[name]) for name in _COLUMNS)))
    elif not rows:
        print(f"there are no runs in {folder}")
    else:
        print(harmless("\n".join(line for row in rows for line in _lines(row))))


_COLUMNS = ("run", "kind", "state", "done", "total", "unit", "result", "date")


def _row(folder: Path) -> dict[str, Any]:
    """What there is to say of a run; learners of other people's modules are not imported."""
    from ludus import players
    from ludus.learning import length_field, registry
    from ludus.reports import verdicts
    from ludus.runs import CONFIG, Config, Run, RunState, status_of
    from ludus.runs import folder as files

    row: dict[str, Any] = dict.fromkeys((*_COLUMNS, "stage", "seed", "command", "seconds", "player", "length"))
    row |= {"run": str(folder), "state": RunState.BROKEN.value}
    try:
        config = Config.read(folder / CONFIG)
        row |= {"kind": config.kind, "date": config.date, "command": config.command, "seed": config.options.get("seed")}
        try:
            learner = registry.named(config.kind)
            row |= {"unit": learner.unit, "length": length_field(learner)}
            Run.open(folder)
        except registry.BadConfig:
            if config.kind in registry.kinds() or ":" not in config.kind:
                raise
        status = status_of(folder, config)
        row |= {"state": status.state.value, "stage": status.stage, "result": status.note}
        if status.state is not RunState.BROKEN:
            record, times = (files.read_lines(folder / name) for name in (files.RECORD, files.TIMES))
            if status.total:
                row |= {"done": status.done, "total": status.total}
            row["result"] = verdicts.verdict(config.kind, config.options, record, status.note)
            row["seconds"] = times[-1]["seconds"] if times else 0.0
        written = (folder / name for name in (players.RESULT, players.NOW))
        row["player"] = next((str(path) for path in written if path.is_file()), None)
    except ValueError as error:
        row["result"] = str(error)
    return row


def _cell(value: Any) -> str:
    return "" if value is None else " ".join(str(value).split())


def _lines(row: dict[str, Any]) -> list[str]:
    """The run for a person: its folder, its state, and how well it does."""
    import shutil
    import textwrap

    width = min(_WIDTH, shutil.get_terminal_size().columns)
    state = row["state"]
    if row["total"]:
        unit = f" {row['unit']}" if row["unit"] else ""
        count = f"{row['done']:,} of {row['total']:,}{unit}"
        state += f" after {row['done']:,}{unit}" if state == "finished" else f" at {count}"
    words = [word for word in (row["kind"], state, row["date"]) if word]
    told = [", ".join(words), row["result"] or ""]
    wrapped = [line for text in told for line in textwrap.wrap(text, width - 2, break_on_hyphens=False)]
    return [row["run"], *(f"  {line}" for line in wrapped)]
