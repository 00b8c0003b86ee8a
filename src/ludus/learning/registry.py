"""The learners by kind, each imported when it is needed; their configs as plain values, and back."""

import importlib
import os
import sys

import msgspec

from ludus import plugins
from ludus.learning.learner import Learner, Options

GROUP = "ludus.learners"  # of the entry points of other packages

# The kind, and where its class is. Only a name, so that no learner is imported that is not used.
KINDS: dict[str, str] = {
    "td": "ludus.learning.td:Td",
    "samuel": "ludus.learning.samuel:Samuel",
    "neurodraughts": "ludus.learning.neurodraughts:NeuroDraughts",
    "ls-draughts": "ludus.learning.ls_draughts:LSDraughts",
    "visiondraughts": "ludus.learning.visiondraughts:VisionDraughts",
    "mp-draughts": "ludus.learning.mp_draughts:MpDraughts",
    "genetic": "ludus.learning.genetic:Genetic",
    "blondie24": "ludus.learning.blondie24:Blondie24",
    "evolution-strategy": "ludus.learning.evolution_strategy:EvolutionStrategy",
    "champion": "ludus.learning.champion:Champion",
}

# Options that had other names in earlier versions, by kind: the old name, and the new one. Old config files are read.
_CLONING = {"init": "initial_range", "everywhere": "every_board", "pool_games": "reference_games"}
RENAMED: dict[str, dict[str, str]] = {
    "td": {"start": "initial_range"},
    "samuel": {**_CLONING, "piece": "piece_value"},
    "neurodraughts": _CLONING,
    "ls-draughts": {**_CLONING, "mutation": "mutation_rate", "meeting_boards": "match_boards"},
    "visiondraughts": _CLONING,
    "mp-draughts": {
        **_CLONING,
        "told": "attribute_values",
        "select": "selection_generations",
        "select_population": "selection_population",
        "select_games": "selection_games",
        "first_weights": "specialist_weights",
        "matched": "share_games",
        "trial_boards": "specialist_test_boards",
    },
    "genetic": {
        "initial": "initial_range",
        "decision": "search",
        "plies": "max_plies",
        "threshold": "crossover_threshold",
        "scale": "mutation_scale",
        "change": "mutation_change",
    },
    "blondie24": {"plies": "max_plies"},
    "evolution-strategy": {},
    "champion": {},
}


MOST = 10**9  # of anything that is worked off one after the other

# The most of what is held in memory all at once, by the name of the option.
AT_ONCE = {
    "rounds": 10_000,
    **dict.fromkeys(("pool_games", "end_games", "pair_games", "match_games", "reference_games"), 100_000),
    **dict.fromkeys(("test_boards", "final_boards", "match_boards", "finalist_boards"), 100_000),
    **dict.fromkeys(("selection_games", "specialist_test_boards", "opponents", "finalists"), 100_000),
    **dict.fromkeys(("population", "selection_population", "elite", "final_clones"), 10_000),
    **dict.fromkeys(("boards", "held_boards", "batch"), 1_000_000),
}
_MEMBERS = ("population", "parents", "pairs")  # options that say how many networks a generation has; twice as many
_COPIES = 3  # of each network in memory: its weights, its step sizes, and the player that is made of them


class BadConfig(ValueError):
    """No learner has this kind, or the options do not fit it; the message says why."""


def named(kind: str) -> type[Learner]:
    """The class of the learners of this kind. Raises BadConfig.

    A kind is one of KINDS, one that an installed package offers, or `module:class` of a module that is imported.
    """
    if kind in KINDS:
        module, _, name = KINDS[kind].partition(":")
        learner: type[Learner] = getattr(importlib.import_module(module), name)
        return learner
    try:
        found = plugins.load(GROUP, kind)
    except plugins.BadPlugin as error:
        raise BadConfig(str(error)) from error
    if found is None and plugins.is_object_name(kind):
        module, _, name = kind.partition(":")
        if module not in sys.modules:
            raise BadConfig(f"the learner {kind} is not loaded: ludus train --resume RUN loads it")
        found = plugins.attribute(sys.modules[module], name)
    if found is None:
        raise BadConfig(f"there is no learner {kind!r}; there are {', '.join(kinds())}, or write module:class")
    return _checked(found, kind)


def kinds() -> list[str]:
    """The kinds of the package, then those that installed packages offer."""
    return [*KINDS, *(name for name in plugins.names(GROUP) if name not in KINDS)]


def load(kind: str) -> None:
    """Imports the module of a kind `module:class`, so that `named` knows it. Raises BadConfig.

    Call it only for a kind that a person asked for: importing runs code.
    """
    if kind not in kinds() and plugins.is_object_name(kind):
        try:
            plugins.load_object(kind)
        except plugins.BadPlugin as error:
            raise BadConfig(str(error)) from error


def kind_of(learner: Learner) -> str:
    """The kind by which `named` finds the class of a learner."""
    own = type(learner)
    place = f"{own.__module__}:{own.__qualname__}"
    if KINDS.get(learner.kind) == place:
        return learner.kind
    if learner.kind not in KINDS and plugins.load(GROUP, learner.kind) is own:
        return learner.kind
    return place


def _checked(found: object, kind: str) -> type[Learner]:
    """What a package offers, if it can be a learner. Raises BadConfig."""
    if not (isinstance(found, type) and issubclass(found, msgspec.Struct)):
        raise BadConfig(f"{kind} is no learner: a learner is a class that inherits from msgspec.Struct")
    missing = [name for name in ("kind", "unit", "name", "seed", "learn") if not hasattr(found, name)]
    if missing:
        raise BadConfig(f"{kind} is no learner: it has no {' and no '.join(missing)}; see docs/extending.md")
    learner: type[Learner] = found  # type: ignore[assignment]  # a Protocol cannot be asked about class variables
    return learner


def current_names(kind: str, options: Options) -> Options:
    """The options under the names of this version. A value under its new name has precedence over one under the old."""
    renamed = RENAMED.get(kind, {})
    old = {renamed[name]: value for name, value in options.items() if name in renamed}
    return old | {name: value for name, value in options.items() if name not in renamed}


def make(kind: str, options: Options) -> Learner:
    """The learner with these options. Raises BadConfig."""
    try:
        learner = msgspec.convert(current_names(kind, options), type=named(kind))
        _check_bounds(learner)
        return learner
    except msgspec.ValidationError as error:
        # msgspec's message looks like: Expected `int` >= 1 - at `$.games`
        reason, _, where = str(error).partition(" - at `$")
        field = where.strip(".`")
        reason = (reason[0].lower() + reason[1:]).replace("`", "").replace("object ", "its config ")
        raise BadConfig(f"{kind} cannot be set up: {f'{field}: ' if field else ''}{reason}") from error
    except RecursionError as error:
        raise BadConfig(f"{kind} cannot be set up: its options are nested too deeply") from error


def _check_bounds(learner: Learner) -> None:
    """Raises BadConfig for numbers that no machine could work off, and for a population that does not fit in memory."""
    for field, value in msgspec.structs.asdict(learner).items():  # type: ignore[arg-type]  # every learner is a Struct
        most = AT_ONCE.get(field, MOST)
        if isinstance(value, int) and field != "seed" and value > most:
            raise BadConfig(f"{learner.kind} cannot be set up: {field.strip('_')}: at most {most:,}")
    members = next((2 * getattr(learner, name) for name in _MEMBERS if hasattr(learner, name)), 0)
    if not members or not hasattr(learner, "template"):
        return
    try:
        layers = learner.template().layers
    except ValueError:  # the learner says so itself when it begins
        return
    needed = 4 * _COPIES * members * sum(layer.inputs * layer.outputs for layer in layers)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if needed > memory:
        raise BadConfig(
            f"{learner.kind} cannot be set up: the networks of a generation need about {needed / 1e9:,.1f} GB of "
            f"memory, and this machine has {memory / 1e9:,.1f} GB"
        )


def values(learner: Learner) -> Options:
    """The options of a learner as TOML and JSON values, without those that are None."""
    plain: Options = msgspec.to_builtins(learner)
    return {name: value for name, value in plain.items() if value is not None}
