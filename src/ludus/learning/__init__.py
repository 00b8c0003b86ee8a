"""Learners: what makes players better.

A learner is a frozen config with a method `learn`, a generator of Progress. It never prints, never saves and never
reads a clock: whoever runs it records, keeps and shows what it yields.
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Protocol

from msgspec import Struct, field

from ludus.players import Player
from ludus.workers import Workers


class State(Struct, frozen=True, kw_only=True):
    """All that a learner needs to go on from a point; nobody changes it once it is yielded."""

    arrays: dict[str, Any] = field(default_factory=dict)  # NumPy arrays by name
    facts: dict[str, Any] = field(default_factory=dict)  # whatever JSON can say


class Progress(Struct, frozen=True, kw_only=True):
    """How far a learner has come."""

    done: int  # in the learner's unit
    total: int
    state: State  # `learn` from here yields, bit for bit, what comes next
    line: dict[str, Any] | None = None  # figures for the run's record, as JSON can say them
    stage: str = ""  # the part of the work this belongs to, for learners that have several
    note: str = ""  # the last result in a few words, for people who watch
    players: dict[str, Player] = field(default_factory=dict)  # to be kept by these names: champions, clones
    player: Player | None = None  # the result; the last progress has it


class Learner(Protocol):
    """What every config can do. Its fields are the options of its command, and what stands in the run's config file."""

    kind: ClassVar[str]  # td, genetic, ...: the command after `ludus train`, and the tag in the config file
    unit: ClassVar[str]  # what `done` and `total` count: games, generations

    @property
    def seed(self) -> int:
        """Whatever is chosen by chance comes from it."""
        ...

    @property
    def name(self) -> str:
        """What distinguishes this run from others of its kind, fit for the name of a folder."""
        ...

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns from nothing, or from a state it has yielded; `where` runs what can run side by side.

        What it yields does not depend on `where` or `workers`. Raises ValueError for a config that cannot be followed.
        """
        ...
