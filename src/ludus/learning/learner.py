"""The contract of a learner: what it yields, and what it needs to go on."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from msgspec import Struct, field
from numpy.typing import NDArray

from ludus.players import Player
from ludus.workers import Workers

Options = dict[str, Any]  # values of a config's fields by name, as TOML and JSON have them
Record = dict[str, Any]  # one line of a run's record, a JSON object
Arrays = dict[str, NDArray[Any]]  # by name; of any type of number
Facts = dict[str, Any]  # JSON values by name


class State(Struct, frozen=True, kw_only=True):
    """All that a learner needs to go on from a point. It is not changed after it was yielded.

    Examples:
        >>> State(facts={"games": 1000}).facts["games"]
        1000
    """

    arrays: Arrays = field(default_factory=dict)
    facts: Facts = field(default_factory=dict)


class Progress(Struct, frozen=True, kw_only=True):
    """How far a learner has come.

    Examples:
        >>> progress = Progress(done=1000, total=4000, state=State(), line={"games": 1000, "wins": 12}, note="wins 12")
        >>> f"{progress.done} of {progress.total}: {progress.note}"
        '1000 of 4000: wins 12'
    """

    done: int  # in the learner's unit
    total: int
    state: State  # `learn` from here yields, bit for bit, what comes next
    line: Record | None = None  # for the run's record
    stage: str = ""  # the current part of the work, for learners that have several
    note: str = ""  # the last result in a few words
    curve: str = ""  # a line of the learning curve, to be shown at once
    players: dict[str, Player] = field(default_factory=dict)  # to be kept by these names: champions, clones
    player: Player | None = None  # the result; only the last progress has it
    now: Player | None = None  # the player as it stands, for a run that is stopped here
    open: bool | None = None  # a run that is longer has this progress too; if not given: all but the last


class Learner(Protocol):
    """A frozen config that can learn. Its fields are the options of its command and the keys of the config file.

    Examples:
        >>> from ludus.learning.td import Td
        >>> learner = Td(games=200, test_every=100, test_games=10)
        >>> for progress in learner.learn(None, Workers()):
        ...     print(progress.done, learner.unit)
        100 games
        200 games
        >>> progress.player.game
        'tictactoe3d'
    """

    kind: ClassVar[str]  # td, genetic, ...: the command after `ludus train`, and the tag in the config file
    unit: ClassVar[str]  # what `done` and `total` count: games, generations

    @property
    def seed(self) -> int:
        """The seed of all random numbers."""
        ...

    @property
    def name(self) -> str:
        """What distinguishes this run from others of its kind; part of the name of a folder."""
        ...

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns from the beginning, or from a state that it has yielded; `workers` run what can run in parallel.

        What it yields does not depend on `workers`. Raises ValueError for options that do not fit together.
        """
        ...


def length_field(learner: "type[Learner] | Learner") -> str | None:
    """The option that says how long a learner learns: the class variable `length`, or else the one named as its unit.

    None if it has neither: a run of it cannot be made longer.

    Examples:
        >>> from ludus.learning.td import Td
        >>> length_field(Td)
        'games'
    """
    found: str | None = getattr(learner, "length", learner.unit)
    return found if found in getattr(learner, "__struct_fields__", ()) else None


@runtime_checkable
class AdaptingLearner(Protocol):
    """A learner some of whose states depend on its length, or that cannot be made longer at all.

    Examples:
        >>> from ludus.learning.champion import Champion
        >>> from ludus.learning.td import Td
        >>> isinstance(Champion(), AdaptingLearner), isinstance(Td(), AdaptingLearner)
        (False, True)
    """

    def adapted(self, state: State, kept: Callable[[str], Player]) -> State:
        """A state of a shorter learner as this one would have it. `kept` gives a player that the run kept, by key.

        Raises ValueError if there is no such state; the message says why.
        """
        ...


@runtime_checkable
class FolderLearner(Protocol):
    """A learner whose data is too large for its state: it keeps files in a folder, which nothing else writes to.

    Examples:
        >>> from ludus.learning.champion import Champion
        >>> from ludus.learning.td import Td
        >>> isinstance(Champion(), FolderLearner), isinstance(Td(), FolderLearner)
        (True, False)
    """

    def learn_in(self, folder: Path, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns like `learn`, with files in `folder`.

        A state that was yielded goes on with the files that were there, also if more was written to them since: what
        the state does not count is written again. Raises ValueError if they are broken or missing, OSError if they
        cannot be written.
        """
        ...
