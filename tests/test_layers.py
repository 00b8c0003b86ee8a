"""Where the package calls its core. The layers of the packages are in pyproject.toml; `lint-imports` holds them."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "ludus"

CALL_THE_CORE = {"bench", "endgames", "games", "learning", "players"}


def imports(path):
    """The modules that a file imports, with the names it takes from them."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_only_these_packages_import_the_core():
    found = {
        path.relative_to(SOURCE).parts[0]
        for path in SOURCE.rglob("*.py")
        if any(name.startswith("ludus._core") for name in imports(path))
    }
    assert found == CALL_THE_CORE
