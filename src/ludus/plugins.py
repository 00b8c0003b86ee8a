"""What other people's packages offer: learners, networks, evaluators, players and studies, by entry point or module.

An installed package offers an object by an entry point of one of these groups: `ludus.learners`, `ludus.networks`,
`ludus.evaluators`, `ludus.players`, `ludus.studies`. Without a package, `module:attribute` names an object; only what a
person typed is imported.
"""

import functools
import importlib
import importlib.metadata
import os
import re
import sys
from types import ModuleType
from typing import Any

_NAME = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


class BadPlugin(ValueError):
    """A module or an entry point that cannot be loaded; the message says why."""


def names(group: str) -> tuple[str, ...]:
    """The names that installed packages offer in this group, in order."""
    return tuple(sorted(_entry_points(group)))


def load(group: str, name: str) -> Any:
    """What an installed package offers under this name, None if none does. Raises BadPlugin if it cannot be loaded."""
    entry = _entry_points(group).get(name)
    if entry is None:
        return None
    try:
        return entry.load()
    except Exception as error:
        raise BadPlugin(f"{name} of the group {group} cannot be loaded: {_reason(error)}") from error


def is_object_name(name: str) -> bool:
    """Whether this can be the name of an object of a module, `module:attribute`."""
    return _NAME.fullmatch(name) is not None


def load_module(name: str) -> ModuleType:
    """Imports a module, which may lie in the present folder. Raises BadPlugin.

    Call it only for a name that a person typed: importing runs code.
    """
    if (here := os.getcwd()) not in sys.path:  # noqa: PTH109  # a path of sys.path is text
        sys.path.append(here)  # last, so that it hides no installed module
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise BadPlugin(f"{name} cannot be imported: {_reason(error)}") from error


def load_object(name: str) -> Any:
    """Imports the object `module:attribute`. Raises BadPlugin. The same holds for its name as for `load_module`."""
    module, _, wanted = name.partition(":")
    loaded = load_module(module)
    found = attribute(loaded, wanted)
    if found is None:
        raise BadPlugin(f"the module {module} has no {wanted}")
    return found


def attribute(module: ModuleType, path: str) -> Any:
    """What a module has under a name, which may have dots; None if there is no such thing."""
    found: Any = module
    for part in path.split("."):
        found = getattr(found, part, None)
    return found


@functools.cache
def _entry_points(group: str) -> dict[str, importlib.metadata.EntryPoint]:
    return {entry.name: entry for entry in importlib.metadata.entry_points(group=group)}


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
