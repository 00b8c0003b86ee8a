"""Every public name has a docstring with an example, and the examples are true."""

import doctest
import importlib.util
import inspect
import re
from pathlib import Path

import pytest

from ludus.players import catalogue

MODULES = [
    "ludus.arena",
    "ludus.endgames",
    "ludus.envs",
    "ludus.envs.draughts_v0",
    "ludus.envs.gym",
    "ludus.envs.openspiel",
    "ludus.envs.tictactoe3d_v0",
    "ludus.games",
    "ludus.games.draughts",
    "ludus.games.pdn",
    "ludus.games.pdn_files",
    "ludus.games.pdn_mending",
    "ludus.games.tictactoe3d",
    "ludus.learning",
    "ludus.players",
    "ludus.players.onnx",
    "ludus.protocols",
    "ludus.runs",
    "ludus.runs.export",
    "ludus.workers",
]
# Packages of an extra without which an example cannot run.
NEEDED = {"ludus.players.onnx": ("onnx", "onnxruntime"), "ludus.runs.export.parquet": ("pyarrow",)}
REFERENCE = Path(__file__).parents[1] / "docs" / "reference"


def imported(name):
    """The module of this name; the test is left out where the extra that it needs is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        pytest.skip(str(error))


def public(module):
    return [(name, getattr(module, name)) for name in getattr(module, "__all__", [])]


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_has_an_example(name):
    """In its own docstring; a constant, a type of the core and an alias have theirs in the docstring of the module."""
    module = imported(name)
    examples = doctest.DocTestParser().get_examples(module.__doc__ or "")
    shown = "".join(example.source + example.want for example in examples)
    names = {public_name for public_name, value in public(module) if ">>>" not in (value.__doc__ or "")}
    assert not {each for each in names if not re.search(rf"\b{each}\b", shown)}


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name, monkeypatch):
    monkeypatch.setattr(catalogue, "_added", {})  # an example adds a player, which other tests must not find
    module = imported(name)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    subjects = {name: module}
    for public_name, value in public(module):
        if inspect.isclass(value) or inspect.isfunction(value):
            subjects[f"{name}.{public_name}"] = value
    report = []
    for subject, value in subjects.items():
        if any(importlib.util.find_spec(package) is None for package in NEEDED.get(subject, ())):
            continue
        names = dict(vars(inspect.getmodule(value) or module))
        test = doctest.DocTestParser().get_doctest(value.__doc__ or "", names, subject, None, 0)
        runner.run(test, out=report.append)
    assert not runner.failures, "".join(report)


@pytest.mark.parametrize("name", MODULES)
def test_the_reference_has_a_page_for_it(name):
    text = "".join(page.read_text() for page in REFERENCE.glob("*.md"))
    assert f"::: {name}\n" in text
