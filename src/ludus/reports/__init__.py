"""Reports: a run or a study as one page that needs nothing else.

A kind of learner that has more to show than its figures has an entry in SECTIONS.
"""

import datetime
from collections.abc import Callable
from pathlib import Path

from ludus.files import write_atomically
from ludus.reports import cloning, evolution, mp_draughts, run_parts, td
from ludus.reports.folder import RunFolder, read
from ludus.reports.page import Made, Section, render
from ludus.reports.tables import Table

SECTIONS: dict[str, Callable[[RunFolder], list[Section]]] = {
    "blondie24": evolution.sections,
    "genetic": evolution.sections,
    "ls-draughts": cloning.selection_sections,
    "mp-draughts": mp_draughts.sections,
    "neurodraughts": cloning.sections,
    "samuel": cloning.sections,
    "td": td.sections,
    "visiondraughts": cloning.sections,
}


def write(folder: Path) -> Path:
    """Writes the report of the run in this folder, finished or not, into it. Raises ValueError for a broken run."""
    run = read(folder)
    sections = SECTIONS.get(run.kind, run_parts.figures)(run) + run_parts.about(run)
    seed = run.options.get("seed")
    made = Made(run.command, seeds=() if seed is None else (int(seed),), date=run.date)
    page = render(f"{run.kind}: {run.path.resolve().name}", run_parts.standing(run), sections, made)
    path = folder / "report.html"
    write_atomically(path, page.encode())
    return path


def write_study(
    folder: Path, title: str, sections: list[Section], command: str, seed: int, trials: int
) -> tuple[str, Path]:
    """Writes a study as a page and as Markdown; gives the tables as text for the terminal, and the page's path."""
    seeds = f"seeds {seed} to {seed + trials - 1}" if trials > 1 else f"seed {seed}"
    made = Made(
        command, seeds=tuple(range(seed, seed + trials)), date=datetime.datetime.now(datetime.UTC).date().isoformat()
    )
    page = folder / "report.html"
    write_atomically(page, render(title, "", sections, made).encode())
    markdown = [f"Made by `{command}`, {seeds}.\n"]
    text = []
    for section in sections:
        markdown.append(f"### {section.heading}\n")
        text.append(f"\n{section.heading}\n")
        for part in section.parts:
            if isinstance(part, Table):
                markdown.append(f"{part.markdown()}\n")
                text.append(f"{part.text()}\n")
            elif isinstance(part, str):
                markdown.append(f"{part}\n")
                text.append(f"{part}\n")
    write_atomically(folder / "tables.md", "\n".join(markdown).encode())
    return "\n".join(text), page
