"""The report of a study: a page, and its tables as Markdown and as text for the terminal."""

import datetime
from pathlib import Path

from ludus.files import write_atomically
from ludus.reports.page import Footer, Section, render
from ludus.reports.tables import Table


def write_study(
    folder: Path, title: str, sections: list[Section], command: str, seed: int, trials: int
) -> tuple[str, Path]:
    """Writes report.html and tables.md into the folder; returns the tables as text, and the path of the page."""
    seeds = f"seeds {seed} to {seed + trials - 1}" if trials > 1 else f"seed {seed}"
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    footer = Footer(command, seeds=tuple(range(seed, seed + trials)), date=today)
    page = folder / "report.html"
    write_atomically(page, render(title, "", sections, footer).encode())
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
