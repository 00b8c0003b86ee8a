"""The report of a study: a page, its tables as Markdown and as text, its pictures; and a page of the documents."""

import datetime
import re
from collections.abc import Iterator
from pathlib import Path

from ludus.files import output_file, write_atomically
from ludus.reports.page import Figure, Footer, Section, render
from ludus.reports.tables import Table

# What stands below this line in a page of the documents is replaced.
MARK = "<!-- Made by ludus study; do not edit below this line. -->"


def write_study(
    folder: Path, title: str, sections: list[Section], command: str, seed: int, trials: int
) -> tuple[str, Path]:
    """Writes report.html, tables.md and pictures into the folder; returns the tables as text, and the page's path."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    footer = Footer(command, seeds=tuple(range(seed, seed + trials)), date=today)
    page = folder / "report.html"
    write_atomically(page, render(title, "", sections, footer).encode())
    _write_pictures(folder, "", sections)
    write_atomically(folder / "tables.md", _markdown(sections, command, seed, trials, "").encode())
    text = []
    for section in sections:
        text.append(f"\n{section.heading}\n")
        for part in section.parts:
            if isinstance(part, Table):
                text.append(f"{part.text()}\n")
            elif isinstance(part, str):
                text.append(f"{part}\n")
    return "\n".join(text), page


def check_page(page: Path) -> None:
    """Raises ValueError if a page of the documents cannot be filled."""
    try:
        output_file(page, "a page", lambda _: True)
        content = page.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{page} cannot be read as a page") from error
    if MARK not in content.splitlines():
        raise ValueError(f"{page} has no place for the results: it needs a line {MARK}")


def fill_page(page: Path, sections: list[Section], command: str, seed: int, trials: int) -> None:
    """Replaces the results in a page of the documents, and its pictures beside it. Raises ValueError."""
    check_page(page)
    before = page.read_text("utf-8").partition(f"{MARK}\n")[0]
    _write_pictures(page.parent, f"{page.stem}-", sections)
    results = _markdown(sections, command, seed, trials, f"{page.stem}-")
    write_atomically(page, f"{before}{MARK}\n\n{results}".encode())


def _markdown(sections: list[Section], command: str, seed: int, trials: int, prefix: str) -> str:
    seeds = f"seeds {seed} to {seed + trials - 1}" if trials > 1 else f"seed {seed}"
    lines = [f"Made by `{command}`, {seeds}.\n"]
    for section in sections:
        lines.append(f"### {section.heading}\n")
        names = iter(_pictures(section))
        for part in section.parts:
            match part:
                case Table():
                    lines.append(f"{part.markdown()}\n")
                case Figure():
                    lines.append(f"![{part.caption}](pictures/{prefix}{next(names)})\n")
                case _:
                    lines.append(f"{part}\n")
    return "\n".join(lines)


def _pictures(section: Section) -> Iterator[str]:
    """The file names of a section's pictures, in order."""
    words = re.sub(r"[^a-z0-9]+", "-", section.heading.lower()).strip("-")
    for number, _ in enumerate((part for part in section.parts if isinstance(part, Figure)), 1):
        yield f"{words}-{number}.svg"


def _write_pictures(folder: Path, prefix: str, sections: list[Section]) -> None:
    pictures = folder / "pictures"
    pictures.mkdir(exist_ok=True)
    for section in sections:
        figures = [part for part in section.parts if isinstance(part, Figure)]
        for name, figure in zip(_pictures(section), figures, strict=True):
            path = output_file(pictures / f"{prefix}{name}", "a picture", _is_picture)
            write_atomically(path, figure.svg.encode())


def _is_picture(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(5) == b"<svg "
