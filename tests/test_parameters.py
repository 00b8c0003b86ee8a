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
# The learners that follow a source; the others have only our own values.
FOLLOWING = [kind for kind in registry.KINDS if len(registry.named(kind).presets) > 1]
ROW = re.compile(r"^\| `(--[^`]+)` \| ([^|]+) \| ([^|]+) \| (\w+) \| ?([^|]*)\|$")


def section(kind):
    """The part of the page about a learner."""
    return PAGE.partition(f"\n## {kind}: ")[2].partition("\n## ")[0]


def rows(kind):
    """Its table: our value, the preset's and the origin, by option."""
    found = [match for line in section(kind).splitlines() if (match := ROW.match(line))]
    table = {match[1]: (match[2], match[3], match[4]) for match in found}
    assert len(table) == len(found), f"an option stands twice in the section {kind}"
    return table


def presets(kind):
    """The names of the two presets in the head of the table."""
    head = re.search(r"^\| option \| `([^`]+)` \| `([^`]+)` \| origin \| \|$", section(kind), re.MULTILINE)
    assert head, f"docs/parameters.md has no table of {kind}"
    return head[1], head[2]


def cell(text):
    return f"`{NAMED.get(text, text)}`" if text else "-"


@pytest.mark.parametrize("kind", FOLLOWING)
def test_the_page_has_every_option_with_the_values_of_the_presets(kind):
    learner = registry.named(kind)
    ours, faithful = (learner.presets[name] for name in presets(kind))
    table = rows(kind)
    expected = {}
    for option in options.options(learner):
        values = [
            option.write(preset[option.field]) if option.field in preset else option.default
            for preset in (ours, faithful)
        ]
        expected[option.flag] = (cell(values[0]), cell(values[1]))
    missing = [
        f"| `{flag}` | {one} | {other} | ours | |" for flag, (one, other) in expected.items() if flag not in table
    ]
    assert not missing, "add to the section of docs/parameters.md, with the origin: " + "\n".join(missing)
    assert {flag: row[:2] for flag, row in table.items()} == expected
    assert list(table) == list(expected), "the options stand in the order of the fields"


@pytest.mark.parametrize("kind", FOLLOWING)
def test_every_value_has_an_origin(kind):
    assert {origin for _, _, origin in rows(kind).values()} <= ORIGINS


def test_every_preset_of_a_source_is_on_the_page():
    for kind in FOLLOWING:
        for name in registry.named(kind).presets:
            assert f"`{name}`" in section(kind)


def test_the_page_has_no_other_learner():
    assert re.findall(r"^## ([\w-]+): ", PAGE, re.MULTILINE) == FOLLOWING
