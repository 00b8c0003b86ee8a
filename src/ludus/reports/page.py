"""An HTML page in one file: sections of text, figures and tables. It needs no other file and no network.

The layout and the fonts of all pages are in _STYLE; the colours are in colours.py.
"""

from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from ludus.reports import colours
from ludus.reports.figures import Chart
from ludus.reports.svg import escaped
from ludus.reports.tables import Table

_STYLE = f"""
  :root {{
    color-scheme: light dark;
    --text: {colours.PAGE_TEXT[0]}; --quiet: {colours.PAGE_QUIET_TEXT[0]}; --background: {colours.PAGE_BACKGROUND[0]}
  }}
  @media (prefers-color-scheme: dark) {{
    :root {{
      --text: {colours.PAGE_TEXT[1]}; --quiet: {colours.PAGE_QUIET_TEXT[1]}; --background: {colours.PAGE_BACKGROUND[1]}
    }}
  }}
  body {{ font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--background) }}
  body {{ max-width: 80rem; margin: 1.5rem auto; padding: 0 1rem }}
  h1, h2 {{ line-height: 1.2 }}
  h2 {{ margin-top: 2.5rem }}
  p {{ white-space: pre-line; overflow-wrap: anywhere; max-width: 45rem; margin: 0 }}
  header p {{ margin-bottom: .7rem }}
  .parts {{ display: grid; gap: 1.2rem 2.5rem; align-items: start }}
  .parts {{ grid-template-columns: repeat(auto-fit, minmax(min(100%, 29rem), 1fr)) }}
  .parts > p, .parts > .broad {{ grid-column: 1 / -1 }}
  figure {{ margin: 0; max-width: 46rem }}
  figure.broad {{ max-width: none; overflow-x: auto }}
  figure.broad svg {{ min-width: 48rem; max-width: 70rem }}
  svg {{ display: block; width: 100%; height: auto; fill: var(--text) }}
  figcaption, .note, footer {{ color: var(--quiet); font-size: .9rem }}
  figcaption {{ margin-top: .3rem }}
  .table {{ overflow-x: auto; min-width: 0 }}
  .note {{ margin-top: .5rem }}
  table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
  td, th {{ padding: .2rem .6rem; border-bottom: 1px solid {colours.PAGE_RULE} }}
  td, th {{ text-align: right; white-space: nowrap; vertical-align: top }}
  td:first-child, th:first-child {{ padding-left: 0 }}
  tbody th {{ font-weight: normal }}
  th.name {{ text-align: left }}
  td.prose, th.prose {{ text-align: left; white-space: normal; overflow-wrap: anywhere }}
  thead th {{ vertical-align: bottom; white-space: normal }}
  @media (max-width: 40rem) {{ table {{ font-size: .85rem }} td, th {{ padding: .2rem .35rem }} }}
  sup {{ display: inline-block; width: 0; line-height: 0 }}
  code {{ font-size: .9em; overflow-wrap: anywhere }}
  footer {{ margin-top: 3rem; padding-top: .7rem; border-top: 1px solid {colours.PAGE_RULE} }}
"""


_LARGEST = 100 << 20  # bytes of a page; the largest of ours have a few hundred thousand
_GENERATOR = '<meta name="generator" content="ludus">'


@dataclass(frozen=True)
class Figure:
    """A chart, or an SVG picture, and its caption. A broad figure takes the whole width of a page, and scrolls."""

    drawing: Chart | str
    caption: str = ""
    broad: bool = False

    @property
    def svg(self) -> str:
        """The picture."""
        return self.drawing if isinstance(self.drawing, str) else self.drawing.svg


Part = str | Figure | Table  # a string is a paragraph, which keeps its line breaks


@dataclass(frozen=True)
class Section:
    """A heading and the parts below it, in order. Tables without rows are left out."""

    heading: str
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        filled = tuple(part for part in self.parts if not isinstance(part, Table) or part.rows)
        object.__setattr__(self, "parts", filled)


@dataclass(frozen=True)
class Footer:
    """The command, the seeds, the date and the version that made what a page shows."""

    command: str
    seeds: tuple[int, ...] = ()
    date: str = ""
    version: str = field(default_factory=lambda: version("ludus"))

    def html(self) -> str:
        """The last lines of a page."""
        facts = [f"ludus {self.version}"]
        if self.seeds:
            facts.append(f"seed{'s' if len(self.seeds) > 1 else ''} {', '.join(map(str, self.seeds))}")
        if self.date:
            facts.append(self.date)
        made = f"Made by <code>{escaped(self.command)}</code>\n" if self.command else ""
        return f"<footer>\n<p>{made}{escaped(', '.join(facts))}</p>\n</footer>\n"


def render(title: str, intro: str, sections: list[Section], footer: Footer) -> str:
    """The page as HTML. The lines of `intro` are paragraphs below the title."""
    paragraphs = "".join(f"<p>{escaped(line)}</p>\n" for line in intro.splitlines())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{_GENERATOR}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escaped(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<header>
<h1>{escaped(title)}</h1>
{paragraphs}</header>
{"".join(map(_section, sections))}{footer.html()}</body>
</html>
"""


def is_page(path: Path) -> bool:
    """Whether a file is a page that `render` made, also by an earlier version. Raises OSError."""
    content = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    if not content.startswith(b"<!doctype html>"):
        return False
    return _GENERATOR.encode() in content[:500] or b"\n<footer>\n<p>" in content[-5000:]


def _section(section: Section) -> str:
    parts = "".join(map(_part, section.parts))
    return f'<section>\n<h2>{escaped(section.heading)}</h2>\n<div class="parts">\n{parts}</div>\n</section>\n'


def _part(part: Part) -> str:
    match part:
        case Figure():
            caption = f"<figcaption>{escaped(part.caption)}</figcaption>" if part.caption else ""
            kind = ' class="broad"' if part.broad else ""
            return f"<figure{kind}>{part.svg}{caption}</figure>\n"
        case Table():
            return part.html()
    return f"<p>{escaped(part)}</p>\n"
