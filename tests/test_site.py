"""The site has every page, and the files around it agree. `make docs` checks links and anchors."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
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
