"""The learners by kind, each loaded when it is asked for; their configs as plain values, and back."""

import importlib
from typing import Any

import msgspec

from ludus.learning import Learner

# The kind, and where its class is. Only a name, so that nobody waits for what they do not use.
KINDS: dict[str, str] = {
    "td": "ludus.learning.td:Td",
    "samuel": "ludus.learning.samuel:Samuel",
    "neurodraughts": "ludus.learning.cloning:NeuroDraughts",
    "ls-draughts": "ludus.learning.ls_draughts:LSDraughts",
    "visiondraughts": "ludus.learning.cloning:VisionDraughts",
    "mp-draughts": "ludus.learning.mp_draughts:MpDraughts",
    "genetic": "ludus.learning.genetic:Genetic",
    "blondie24": "ludus.learning.blondie24:Blondie24",
}


class BadConfig(ValueError):
    """There is no learner of this kind, or it cannot be set up like this; says why."""


def named(kind: str) -> type[Learner]:
    """The class of the learners of this kind. Raises BadConfig."""
    if kind not in KINDS:
        raise BadConfig(f"there is no learner {kind!r}; there are {', '.join(KINDS)}")
    module, _, name = KINDS[kind].partition(":")
    learner: type[Learner] = getattr(importlib.import_module(module), name)
    return learner


def make(kind: str, values: dict[str, Any]) -> Learner:
    """The learner with these values in its fields. Raises BadConfig."""
    try:
        return msgspec.convert(values, type=named(kind))
    except msgspec.ValidationError as error:
        # msgspec's own words, as in: Expected `int` >= 1 - at `$.games`
        reason, _, where = str(error).partition(" - at `$")
        field = where.strip(".`")
        reason = (reason[0].lower() + reason[1:]).replace("`", "").replace("object ", "its config ")
        raise BadConfig(f"{kind} cannot be set up: {f'{field}: ' if field else ''}{reason}") from error


def values(learner: Learner) -> dict[str, Any]:
    """The fields of a learner as TOML and JSON can say them; what is None is left out."""
    plain: dict[str, Any] = msgspec.to_builtins(learner)
    return {name: value for name, value in plain.items() if value is not None}
