"""Evaluators that are functions of Python: a function from a batch of positions to their values.

A function has a name, which is all that a player keeps of it. The name of a function that an installed package offers
is that of its entry point in the group `ludus.evaluators`. A function of a module has the name `module:function`, and
is found when the module is imported. Others, such as lambdas, live as long as the process.
"""

import itertools
import sys
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from ludus import plugins
from ludus.games.core import Core
from ludus.games.core import Evaluator as CoreEvaluator
from ludus.players.networks import Theta

# From a list of positions to the value of each, from -1 to 1, for the side to move. With weights they come second.
ValueFunction = Callable[..., ArrayLike]

GROUP = "ludus.evaluators"

_registered: dict[str, ValueFunction] = {}
_numbers = itertools.count(1)


def register(function: ValueFunction) -> str:
    """Gives a function a name in this process, the same one if it has one already."""
    for name, known in _registered.items():
        if known is function:
            return name
    called = f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', type(function).__qualname__)}"
    if _loaded(called) is not function:  # a lambda, an object or a function in a function
        called += f"#{next(_numbers)}"
    _registered[called] = function
    return called


def find(name: str) -> ValueFunction:
    """The function of this name. Raises ValueError if neither this process nor an installed package has it.

    It does not import a module: a name may come from a file.
    """
    found = _registered.get(name) or _loaded(name) or plugins.load(GROUP, name)
    if found is None:
        raise ValueError(
            f"its evaluator is {name}, a function of Python that is not here: "
            "import its module first (ludus --import MODULE), or install the package that has it"
        )
    return found


def can_be_found_again(name: str) -> bool:
    """Whether another process can have the function: it is that of a module, or an installed package offers it."""
    return name in plugins.names(GROUP) or (plugins.is_object_name(name) and not name.startswith("__main__:"))


def _loaded(name: str) -> ValueFunction | None:
    """What a module that is imported already has under `module:attribute`."""
    module, _, attribute = name.partition(":")
    return plugins.attribute(sys.modules[module], attribute) if module in sys.modules and attribute else None


class Function(Struct, frozen=True, tag="function", forbid_unknown_fields=True):
    """A function of Python that values positions in batches."""

    game: ClassVar[None] = None  # any

    name: str

    def build(self, core: Core, theta: Theta | None) -> CoreEvaluator:
        """The core's evaluator. Raises ValueError if the function is not here."""
        function = find(self.name)
        more = () if theta is None else (theta,)

        def values(positions: Sequence[Any]) -> NDArray[np.float32]:
            return checked(function(positions, *more), len(positions), self.name)

        return core.Evaluator.function(values)

    def __str__(self) -> str:
        return f"the function {self.name}"


def checked(values: ArrayLike, count: int, name: str) -> NDArray[np.float32]:
    """The values as the core takes them. Raises ValueError if they are not `count` numbers from -1 to 1."""
    found = np.ascontiguousarray(values, np.float32)
    if found.shape not in ((count,), (count, 1)):
        raise ValueError(f"{name} was asked for {count} values, and returned an array of shape {found.shape}")
    found = found.reshape(count)
    if not (np.abs(found) <= 1).all():
        wrong = found[~(np.abs(found) <= 1)][0]
        raise ValueError(f"{name} returned the value {wrong:g}: values are numbers from -1 to 1")
    return found
