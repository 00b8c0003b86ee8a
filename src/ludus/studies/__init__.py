"""Studies: the result tables of papers, each beside the results of our own runs; and two of our own.

The module of a study has SCALES, named tuples whose first field is `trials`, and a class Study(scale, seed) with

- `title`, which names the paper, if there is one,
- `steps()`, the list of all that has to be done, each with a `label`, and `unit`, the word in which they are counted,
- `store`, a class that opens the folder of the results and does the missing steps,
- `sections(store)`, the tables and charts of the results so far.

Studies of other packages are entry points of the group `ludus.studies`: modules, or objects with the same two names.
"""

import importlib
from typing import Any

from ludus import plugins

GROUP = "ludus.studies"
NAMES = ("tictactoe3d", "mp-draughts", "ls-draughts", "evolution", "specialists", "champion")  # of our own


class BadStudy(ValueError):
    """The study's folder belongs to another study or cannot be used; the message says why."""


def names() -> list[str]:
    """The names of all studies: our own, then those that installed packages offer."""
    return [*NAMES, *(name for name in plugins.names(GROUP) if name not in NAMES)]


def find(name: str) -> Any:
    """The module of a study, or the object `module:attribute` with what such a module has. Raises ValueError.

    Call it only with a name that a person typed: importing runs code.
    """
    if name in NAMES:
        return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    found = plugins.load(GROUP, name)
    if found is None and plugins.is_object_name(name):
        found = plugins.load_object(name)
    if found is None:
        raise BadStudy(f"there is no study {name}: there are {', '.join(names())}, or write module:study")
    if not (hasattr(found, "SCALES") and hasattr(found, "Study")):
        raise BadStudy(f"{name} is no study: it has no SCALES or no Study; see docs/extending.md")
    return found
