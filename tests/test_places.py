"""What docs/extending.md says about adding a game, compared with the source: the places, and the files of one game."""

import ast
import re
from pathlib import Path

import pytest

from ludus.game_names import GAME_NAMES
from test_layers import imports

ROOT = Path(__file__).parent.parent
SECTION = (ROOT / "docs" / "extending.md").read_text().partition("\n## A game\n")[2].partition("\n## ")[0]
MOST_PLACES = 6
FOLDERS_OF_ONE_GAME = ("endgames", "learning", "studies", "bench")


def places():
    """The paths of the numbered list: each is the first thing of its item."""
    return re.findall(r"^\d+\. `([^`]+)`", SECTION, re.MULTILINE)


def files_of_one_game():
    """The paths in the table of files that need no change."""
    table = SECTION.partition("| file | about |")[2]
    return {path for path in re.findall(r"`([^`]+)`", table) if path.endswith(".py")}


def names_a_game(path):
    """Whether a file imports the module of a game, or has its name as a string."""
    modules = tuple(f"ludus.{package}.{name}." for package in ("games", "_core") for name in GAME_NAMES)
    strings = (node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant))
    return any(f"{name}.".startswith(modules) for name in imports(path)) or any(text in GAME_NAMES for text in strings)


def test_a_game_is_added_in_at_most_six_places():
    assert 1 <= len(places()) <= MOST_PLACES


def test_the_package_names_games_only_where_the_documentation_says():
    documented = files_of_one_game()
    for place in places():
        if place.startswith("src/"):
            documented |= {place.replace("NAME", name) for name in GAME_NAMES}
    source = ROOT / "src" / "ludus"
    folders = [folder for folder in source.iterdir() if folder.name not in (*FOLDERS_OF_ONE_GAME, "_core")]
    files = [path for folder in folders for path in ([folder] if folder.is_file() else folder.rglob("*.py"))]
    found = {path.relative_to(ROOT).as_posix() for path in files if path.suffix == ".py" and names_a_game(path)}
    found.discard("src/ludus/cli/study.py")  # the study of a paper about a game has the game's name
    assert found == documented


@pytest.mark.skipif(not (ROOT / "core" / "games").is_dir(), reason="the core has no folders yet")
@pytest.mark.parametrize("name", GAME_NAMES)
def test_the_files_of_a_game_in_the_core_are_in_the_folders_that_the_documentation_names(name):
    found = {path.relative_to(ROOT).parent.as_posix() + "/" for path in (ROOT / "core").rglob(f"*{name}*")}
    assert found <= {place for place in places() if place.startswith("core/")}


def test_every_place_exists():
    for place in places():
        if place.startswith("src/"):
            assert all((ROOT / place.replace("NAME", name)).exists() for name in GAME_NAMES)
