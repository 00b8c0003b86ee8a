"""The command study: tables of a paper or of our own questions, filled by our own runs."""

import contextlib
import os
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.common import app, exit_at_once, fail
from ludus.cli.options import ClusterOption, ConcurrencyOption, SeedOption, named_path

_MARKS = ("trials.jsonl", "runs", "matches", "exams", "tables.md")  # a folder that has one of these holds a study
_WRITTEN = ("report.html", "tables.md", "pictures")


class ScaleName(StrEnum):
    """How much of the paper's work is repeated."""

    quick = "quick"
    full = "full"


@app.command()
def study(
    name: Annotated[
        str,
        typer.Argument(
            metavar="STUDY",
            help="One of tictactoe3d, mp-draughts, ls-draughts, evolution (each is a paper), specialists and champion "
            "(our own); or another package's study, by its entry point or as module:study.",
        ),
    ],
    scale: Annotated[
        ScaleName, typer.Option(help="Use quick for a few minutes, full for as many games as in the paper (hours).")
    ] = ScaleName.quick,
    trials: Annotated[
        int | None,
        typer.Option(metavar="N", help="Trainings of each kind. Default: set by the scale.", min=1, max=1000),
    ] = None,
    seed: SeedOption = 0,
    out: Annotated[
        Path | None,
        typer.Option(parser=named_path, metavar="FOLDER", help="The folder of the study. Default: studies/NAME-SCALE."),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FILE",
            help="Write the tables and pictures also into this Markdown page, below the line that says so.",
        ),
    ] = None,
    concurrency: ConcurrencyOption = None,
    cluster: ClusterOption = None,
) -> None:
    """Repeat the experiments of a paper and print their tables.

    Finished parts are kept in the folder, so the same command continues a stopped study.
    """
    from rich.console import Console
    from rich.progress import Progress

    from ludus.files import output_folder, remove_unfinished
    from ludus.reports import check_page, fill_page, write_study
    from ludus.reports.page import Section
    from ludus.runs import quoted
    from ludus.studies import find
    from ludus.studies.trainings import hours_text
    from ludus.workers import Workers

    try:
        module = find(name)
    except ValueError as error:
        fail(error)
    chosen = module.SCALES[scale.value]
    if trials is not None:
        chosen = chosen._replace(trials=trials)
    made = module.Study(chosen, seed)
    folder = out or Path("studies") / f"{name.replace(':', '-')}-{scale.value}"
    wanted = made.steps()
    console = Console(stderr=True)

    def write() -> tuple[str, Path]:
        command = f"ludus {shlex.join(sys.argv[1:])}"
        sections = made.sections(kept)
        if done < len(wanted):
            sections = [Section("So far", (f"{done} of {len(wanted)} {made.unit} are done.",)), *sections]
        if page is not None:
            fill_page(page, sections, command, seed, chosen.trials)
        return write_study(folder, made.title, sections, command, seed, chosen.trials)

    done = -1
    try:
        if page is not None:
            check_page(page)
        output_folder(folder, "a study", _MARKS, _WRITTEN)
        kept = made.store(folder)
        remove_unfinished(folder, _WRITTEN)
        with (
            contextlib.closing(kept),
            Workers.open(concurrency, cluster=cluster) as workers,
            Progress(console=console, transient=True, disable=not console.is_terminal) as bars,
        ):
            done = sum(trial in kept for trial in wanted)
            if done < len(wanted):
                left = sum(each.seconds for each in wanted if each not in kept)
                print(
                    f"{len(wanted) - done} {made.unit} are left, {hours_text(left)} of processor time", file=sys.stderr
                )
            bar = bars.add_task(name, total=len(wanted), completed=done)
            for trial in kept.fill(wanted, workers):
                done += 1
                bars.update(bar, completed=done, description=trial.label)
                if not console.is_terminal:
                    print(f"{done} of {len(wanted)} {made.unit}; {trial.label}", file=sys.stderr, flush=True)
            text, report = write()
    except KeyboardInterrupt:
        print(f"ludus: stopped; the same command continues in {quoted(folder)}", file=sys.stderr)
        if done >= 0:
            print(f"the report of what is done: {os.fspath(write()[1])}", file=sys.stderr)
        exit_at_once(130)
    except ValueError as error:
        fail(error)
    print(text)
    print(f"the report: {os.fspath(report)}")
