"""A page of its own: text, figures and tables in one file, readable on a phone, without outside requests."""

from dataclasses import dataclass, field
from importlib.metadata import version

from ludus.reports.svg import said
from ludus.reports.tables import Table

_STYLE = """
  :root { color-scheme: light dark; --ink: #333; --quiet: #666 }
  @media (prefers-color-scheme: dark) { :root { --ink: #ddd; --quiet: #aaa } }
  body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink) }
  body { max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem }
  h1, h2 { line-height: 1.2 }
  h2 { margin-top: 2.5rem }
  p { white-space: pre-line; overflow-wrap: anywhere; max-width: 45rem }
  figure { margin: 1.2rem 0; max-width: 40rem }
  figure.broad { max-width: none; overflow-x: auto }
  figure.broad svg { min-width: 52rem }
  svg { display: block; width: 100%; height: auto; fill: var(--ink) }
  figcaption, .note, footer { color: var(--quiet); font-size: .9rem }
  .wide { overflow-x: auto; margin: 1rem 0 }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums }
  td, th { padding: .2rem .6rem; border-bottom: 1px solid #8884; text-align: right; white-space: nowrap }
  th.name { text-align: left; font-weight: normal }
  thead th, thead th.name { font-weight: bold }
  sup { display: inline-block; width: 0; line-height: 0 }
  code { font-size: .9em; overflow-wrap: anywhere }
  footer { margin-top: 3rem; border-top: 1px solid #8884 }
"""


@dataclass(frozen=True)
class Figure:
    """A picture and what is to be seen in it; a broad one is scrolled on a phone instead of being made small."""

    svg: str
    caption: str = ""
    broad: bool = False


@dataclass(frozen=True)
class Section:
    """A heading and what follows it, in order; text is a paragraph, and keeps its line ends."""

    heading: str
    parts: tuple[str | Figure | Table, ...]


@dataclass(frozen=True)
class Made:
    """By what a page was made, so that it can be made again."""

    command: str
    seeds: tuple[int, ...] = ()
    date: str = ""
    version: str = field(default_factory=lambda: version("ludus"))


def render(title: str, intro: str, sections: list[Section], made: Made) -> str:
    """The page as HTML."""
    body = "".join(f"<h2>{said(section.heading)}</h2>\n{''.join(map(_part, section.parts))}" for section in sections)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{said(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{said(title)}</h1>
{_part(intro)}{body}<footer>
<p>Made by <code>{said(made.command)}</code>{_facts(made)}</p>
</footer>
</body>
</html>
"""


def _part(part: str | Figure | Table) -> str:
    match part:
        case Figure():
            caption = f"<figcaption>{said(part.caption)}</figcaption>" if part.caption else ""
            kind = ' class="broad"' if part.broad else ""
            return f"<figure{kind}>{part.svg}{caption}</figure>\n"
        case Table():
            return part.html()
    return f"<p>{said(part)}</p>\n"


def _facts(made: Made) -> str:
    facts = [f"ludus {made.version}"]
    if made.seeds:
        facts.append(f"seed{'s' if len(made.seeds) > 1 else ''} {', '.join(map(str, made.seeds))}")
    if made.date:
        facts.append(made.date)
    return said(f"\n{', '.join(facts)}")
