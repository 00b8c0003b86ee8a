"""The page docs/parameters.md, compared with the learners: every option is there, with the values of the presets."""

import re
from pathlib import Path

import pytest

from ludus.learning import options, registry
from ludus.learning.ls_draughts import CANDIDATES
from ludus.players.evaluators import FEATUREMAP12, FEATUREMAP28

PAGE = (Path(__file__).parent.parent / "docs" / "parameters.md").read_text()
ORIGINS = {"published", "code", "inferred", "remembered", "ours"}
NAMED = {
    ",".join(FEATUREMAP12): "featuremap12",
    ",".join(FEATUREMAP28): "featuremap28",
    ",".join(CANDIDATES): "candidates15",
}
KINDS = list(registry.KINDS)
ROW = re.compile(r"^\| `(--[^`]+)` \| ((?:(?:`[^`|]*`|-) \| )+)(\w+) \| ?([^|]*)\|$")
HEAD = re.compile(r"^\| option \| ((?:`[^`|]+` \| )+)origin \| \|$", re.MULTILINE)


def section(kind):
    """The part of the page about a learner."""
    return PAGE.partition(f"\n## {kind}: ")[2].partition("\n## ")[0]


def cells(text):
    return tuple(text.removesuffix(" | ").split(" | "))


def rows(kind):
    """Its table: the values and the origin, by option."""
    lines = [line for line in section(kind).splitlines() if line.startswith("| `--")]
    found = [ROW.match(line) for line in lines]
    assert all(found), [line for line, match in zip(lines, found, strict=True) if not match]
    table = {match[1]: (cells(match[2]), match[3]) for match in found}
    assert len(table) == len(found), f"an option stands twice in the section {kind}"
    return table


def presets(kind):
    """The names of the presets in the head of the table: ours and that of the source, or ours alone."""
    head = HEAD.search(section(kind))
    assert head, f"docs/parameters.md has no table of {kind}"
    return [name.strip("`") for name in cells(head[1])]


def cell(text):
    return f"`{NAMED.get(text, text)}`" if text else "-"


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_has_every_option_with_the_values_of_the_presets(kind):
    learner = registry.named(kind)
    shown = [learner.presets[name] for name in presets(kind)]
    assert len(shown) == min(2, len(learner.presets))
    table = rows(kind)
    expected = {}
    for option in options.options(learner):
        values = [option.write(preset[option.field]) if option.field in preset else option.default for preset in shown]
        expected[option.flag] = tuple(map(cell, values))
    missing = [
        f"| `{flag}` | {' | '.join(values)} | ours | |" for flag, values in expected.items() if flag not in table
    ]
    assert not missing, "add to the section of docs/parameters.md, with the origin: " + "\n".join(missing)
    assert {flag: values for flag, (values, _) in table.items()} == expected
    assert list(table) == list(expected), "the options stand in the order of the fields"


@pytest.mark.parametrize("kind", KINDS)
def test_every_value_has_an_origin(kind):
    assert {origin for _, origin in rows(kind).values()} <= ORIGINS


@pytest.mark.parametrize("kind", KINDS)
def test_every_preset_is_on_the_page(kind):
    for name in registry.named(kind).presets:
        assert f"`{name}`" in section(kind)


def test_the_page_has_no_other_learner():
    assert re.findall(r"^## ([\w-]+): ", PAGE, re.MULTILINE) == KINDS
