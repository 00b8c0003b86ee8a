"""The report of a run. A kind of learner with sections of its own has an entry in SECTIONS."""

from collections.abc import Callable
from pathlib import Path

from ludus.files import output_file, write_atomically
from ludus.reports import champion, cloning, evolution, ls_draughts, mp_draughts, papers, run_parts, td
from ludus.reports.folder import RunFolder, read
from ludus.reports.page import Footer, Section, is_page, render
from ludus.runs.folder import REPORT

SECTIONS: dict[str, Callable[[RunFolder], list[Section]]] = {
    "blondie24": evolution.sections,
    "champion": champion.sections,
    "evolution-strategy": evolution.sections,
    "genetic": evolution.sections,
    "ls-draughts": ls_draughts.sections,
    "mp-draughts": mp_draughts.sections,
    "neurodraughts": cloning.sections,
    "samuel": cloning.sections,
    "td": td.sections,
    "visiondraughts": cloning.sections,
}


def write(folder: Path, out: Path | None = None) -> Path:
    """Writes the report of the run in this folder, finished or not, and returns its path.

    The report goes to `out`, or else to report.html in the folder; a file there that is no report is not replaced.
    Raises ValueError for a broken run, BadOutput for a file that cannot be written.
    """
    path = output_file(out or folder / REPORT, "a page of Ludus", is_page)
    run = read(folder)
    seed = run.options.get("seed")
    footer = Footer(run.command, seeds=() if seed is None else (int(seed),), date=run.date)
    write_atomically(path, render(_title(run), intro(run), sections(run), footer).encode())
    return path


def intro(run: RunFolder) -> str:
    """The state of the run and the source of its method, a line each."""
    return "\n".join(line for line in (run_parts.state(run), papers.cited(run.kind)) if line)


def sections(run: RunFolder) -> list[Section]:
    """What the run has learned, its player and its config."""
    return SECTIONS.get(run.kind, run_parts.record)(run) + run_parts.player_and_config(run)


def _title(run: RunFolder) -> str:
    """The name of the folder, with the kind before it unless it begins with that."""
    name = run.path.resolve().name
    return name if name.startswith(run.kind) else f"{run.kind}: {name}"
