"""The signature of the engine: a change of the rules, a search or an evaluation is never an accident."""

import json
from pathlib import Path

import pytest

from ludus import players

GOLDEN = Path(__file__).parent / "golden" / "signature.json"


def test_the_nodes_of_fixed_searches_are_those_of_the_golden_file(run):
    """`ludus bench --signature --json` prints the new numbers; docs/reliability.md says when they may change."""
    known = json.loads(GOLDEN.read_text())
    kind = players.INSTRUCTION_SET.split()[0]  # all builds for x86-64 have the same signature
    if kind not in known:
        pytest.skip(f"there is no signature for {kind}")
    status, out, errors = run("bench", "--signature", "--json")
    assert (status, errors) == (0, "")
    assert json.loads(out) == {"instructions": players.INSTRUCTION_SET, "nodes": known[kind]}


def test_the_signature_has_no_figures(run):
    status, _, errors = run("bench", "draughts/perft", "--signature")
    assert status == 2 and "--signature has no figures to choose from" in errors


def test_the_signature_is_a_table_too(run):
    status, out, _ = run("bench", "--signature")
    assert status == 0 and f"all, on {players.INSTRUCTION_SET}" in out.splitlines()[-1]
