"""The site has every page, every link leads to a file, and the files around it agree. `make docs` checks anchors."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [*sorted(DOCS.rglob("*.md")), *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md"))]
LINK = re.compile(r"""\]\(<?([^)>\s]+)|\b(?:src|href)=["']([^"']+)""")
TEXTS = [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("*.md")), ROOT / "CITATION.cff", ROOT / "pyproject.toml"]


def pages(entries):
    """The files that a navigation names."""
    for entry in entries:
        for value in entry.values():
            if isinstance(value, str):
                yield value
            else:
                yield from pages(value)


def test_every_page_is_in_the_navigation_once():
    config = tomllib.loads((ROOT / "zensical.toml").read_text())
    there = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    assert sorted(pages(config["project"]["nav"])) == there


def links(page):
    """The files that a page links to or shows; what stands in code is no link."""
    text = re.sub(r"^(```+).*?^\1`*$|`[^`\n]*`", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    targets = (one or other for one, other in LINK.findall(text))
    return {(page.parent / target.partition("#")[0]).resolve() for target in targets if is_local(target)}


def is_local(target):
    return not re.match(r"[a-z]+:|#", target)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_is_there(page):
    assert [path for path in links(page) if not path.exists()] == []


def test_every_picture_is_on_a_page():
    shown = set().union(*map(links, PAGES))
    assert [path.name for path in sorted((DOCS / "pictures").iterdir()) if path not in shown] == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_no_text_names_a_machine(path):
    found = re.findall(
        r"(?<![\w./-])/(?:root|home|work|opt|tmp)/[\w./-]*|https?://(?:localhost|[\w.-]*:\d+)\S*", path.read_text()
    )
    allowed = [text for text in found if not text.startswith(("http://localhost:8", "http://127.0.0.1:8"))]
    assert allowed == []


def test_the_changelog_and_the_citation_name_the_same_version():
    newest = re.search(r"^## (\d+\.\d+\.\d+) \(", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert f"\nversion: {newest[1]}\n" in (ROOT / "CITATION.cff").read_text()
