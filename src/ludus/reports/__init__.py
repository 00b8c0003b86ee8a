"""Reports: a run or a study as one page that needs nothing else.

A kind of learner that has more to show than its figures has an entry in SECTIONS.
"""

from collections.abc import Callable
from pathlib import Path

from ludus.files import write_atomically
from ludus.reports import common, td
from ludus.reports.folder import RunFolder, read
from ludus.reports.page import Made, Section, render

SECTIONS: dict[str, Callable[[RunFolder], list[Section]]] = {"td": td.sections}


def write(folder: Path) -> Path:
    """Writes the report of the run in this folder, finished or not, into it. Raises ValueError for a broken run."""
    run = read(folder)
    sections = SECTIONS.get(run.kind, common.figures)(run) + common.about(run)
    seed = run.options.get("seed")
    made = Made(run.command, seeds=() if seed is None else (int(seed),), date=run.date)
    page = render(f"{run.kind}: {run.path.resolve().name}", common.standing(run), sections, made)
    path = folder / "report.html"
    write_atomically(path, page.encode())
    return path
