"""Runs: a learner at work in a folder, where it can be stopped, killed and resumed.

A run that was killed at any instant can be resumed, and ends with the same files, bit for bit, as a run that was not.
"""

import contextlib
import datetime
import tomllib
from collections.abc import Callable, Generator
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from ludus import players
from ludus.files import BadOutput, make_folder, output_folder, write_atomically
from ludus.learning import FolderLearner, Learner, Progress, Record, length_field, registry
from ludus.runs import folder as run_folder
from ludus.runs.config import Config
from ludus.runs.folder import CHECKPOINTS, CONFIG, DATA, LONGER, RECORD, TIMES, BadRun, quoted
from ludus.runs.session import Session, newest_checkpoint, start_state
from ludus.workers import Workers


class RunState(StrEnum):
    """The state of a run.

    Examples:
        >>> [state.value for state in RunState]
        ['finished', 'running', 'stopped', 'broken']
    """

    FINISHED = "finished"
    RUNNING = "running"
    STOPPED = "stopped"  # it can be resumed
    BROKEN = "broken"


class Status(Struct, frozen=True, kw_only=True):
    """The state of a run and how far it has come.

    Examples:
        >>> status = Status(state=RunState.STOPPED, done=1000, total=4000)
        >>> f"{status.state}: {status.done} of {status.total}"
        'stopped: 1000 of 4000'
    """

    state: RunState
    done: int = 0
    total: int = 0  # 0 until it is known
    stage: str = ""
    note: str = ""  # the last result, or what is broken


class Run:
    """A learner at work in a folder of its own.

    Examples:
        >>> import tempfile
        >>> from ludus.learning.td import Td
        >>> from ludus.workers import Workers
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = Run.create(Path(folder, "first"), Td(games=200, test_every=100, test_games=10), "an example")
        ...     for progress in run.train(Workers()):
        ...         pass
        ...     print(run.status().state, [line["games"] for line in run.record()], run.player.name)
        finished [100, 200] player.safetensors
    """

    def __init__(self, folder: Path, config: Config, learner: Learner) -> None:
        self.folder = folder
        self.config = config
        self.learner = learner

    @classmethod
    def create(cls, folder: Path, learner: Learner, command: str) -> "Run":
        """Creates a run; nothing is learned yet. Raises BadRun, also for a folder that holds a run."""
        config = Config(
            kind=registry.kind_of(learner),
            command=command.encode(errors="backslashreplace").decode(),  # bytes that are no text can be typed too
            date=datetime.datetime.now(datetime.UTC).date().isoformat(),
            options=registry.values(learner),
        )
        content = config.toml()
        if registry.make(config.kind, tomllib.loads(content)["options"]) != learner:
            raise TypeError(f"a config file cannot hold the options of {learner}")
        try:
            output_folder(folder, "a run", (CONFIG, RECORD), run_folder.OWN)
        except BadOutput as error:
            raise BadRun(str(error)) from error
        try:
            make_folder(folder)
            with run_folder.claimed(folder):
                if (folder / CONFIG).exists():
                    raise FileExistsError
                write_atomically(folder / CONFIG, content.encode())
        except FileExistsError as error:
            raise BadRun(
                f"{folder} holds a run already: ludus train --resume {quoted(folder)} goes on with it"
            ) from error
        except OSError as error:
            raise BadRun(f"a run cannot be kept in {folder}: {error.strerror}") from error
        return cls(folder, config, learner)

    @classmethod
    def open(cls, folder: Path) -> "Run":
        """The run in this folder. Raises BadRun."""
        if not (folder / CONFIG).is_file():
            raise BadRun(f"{folder} is no run: it has no {CONFIG}")
        config = Config.read(folder / CONFIG)
        try:
            return cls(folder, config, registry.make(config.kind, config.options))
        except registry.BadConfig as error:
            raise BadRun(f"{folder / CONFIG} is broken or of another version: {error}") from error

    def lengthen(self, option: str, value: int) -> "Run":
        """The same run with another length, which must be more than before; `train` goes on with it.

        On the same build its files are then those of a run that had this length from the start. `option` is the name
        of the learner's option. Raises BadRun if it is not that of its length, or the learner cannot be made longer.
        """
        wanted = length_field(self.learner)
        flag = f"--{option.replace('_', '-')}"
        if wanted is None:
            raise BadRun(f"a run of {self.config.kind} cannot be made longer: its learner has no option for its length")
        if option != wanted:
            raise BadRun(f"{flag} cannot be changed: the length of a run of {self.config.kind} is its --{wanted}")
        present = getattr(self.learner, wanted)
        if value <= present:
            raise BadRun(f"{self.folder} has {flag} {present:,} already: to make it longer, give more than that")
        if wanted not in self.config.options:
            raise BadRun(f"{self.folder / CONFIG} does not say how long the run is: write {wanted} under [options]")
        config = self.config.longer(wanted, value)
        try:
            learner = registry.make(config.kind, config.options)
        except registry.BadConfig as error:
            raise BadRun(str(error)) from error
        with run_folder.locked(self.folder):
            found = newest_checkpoint(self.folder, self.config)
            if found and (found[1].finished or not found[1].open) and not (self.folder / CHECKPOINTS / LONGER).exists():
                raise BadRun(
                    f"{self.folder} was finished by an earlier version, which kept no state to go on from; begin a "
                    f"longer one: ludus train {config.kind} --config {quoted(self.folder / CONFIG)} {flag} {value}"
                )
            try:
                if found := newest_checkpoint(self.folder, config):
                    start_state(self.folder, config, learner, found[1])
            except ValueError as error:
                raise BadRun(f"{self.folder} cannot be made longer: {error}") from error
            try:
                write_atomically(self.folder / CONFIG, config.toml().encode())
            except OSError as error:
                raise BadRun(f"{self.folder / CONFIG} cannot be written: {error.strerror}") from error
        return Run(self.folder, config, learner)

    def discard(self) -> None:
        """Removes a run whose learner could not begin."""
        run_folder.discard(self.folder)

    def train(self, workers: Workers, warn: Callable[[str], None] = lambda _: None) -> Generator[Progress, None, None]:
        """Learns from the newest good checkpoint to the end; yields each progress after it is recorded.

        Only one process at a time can do so. If it is stopped early, by Ctrl-C or by closing this generator, a
        checkpoint of the last progress is written. `warn` gets a sentence for each checkpoint that is not good. Raises
        BadRun, and what the learner raises.
        """
        with contextlib.closing(Session(self.folder, self.config, self.learner, warn)) as session:
            if session.finished:
                return
            if isinstance(self.learner, FolderLearner):
                learning = self.learner.learn_in(self.folder / DATA, session.state, workers)
            else:
                learning = self.learner.learn(session.state, workers)
            try:
                for progress in learning:
                    session.keep(progress)
                    yield progress
                    if session.finished:
                        return
            except BadRun:  # nothing can be written
                raise
            except BaseException:
                session.save()
                raise
            finally:
                learning.close()  # type: ignore[attr-defined]  # it is a generator: waiting tasks are cancelled
            raise RuntimeError(f"{self.config.kind} has ended without a player")

    @property
    def player(self) -> Path:
        """The file of the result."""
        return self.folder / players.RESULT

    def status(self) -> Status:
        """The state of the run and how far it has come."""
        return status_of(self.folder, self.config)

    def record(self) -> list[Record]:
        """The lines of the record so far."""
        return run_folder.read_lines(self.folder / RECORD)

    def times(self) -> list[Record]:
        """The times so far: `done`, the `seconds` of all sessions, and their processor seconds, `cpu`."""
        return run_folder.read_lines(self.folder / TIMES)


def status_of(folder: Path, config: Config) -> Status:
    """The state of the run in a folder; its learner is not needed.

    Examples:
        >>> status_of(Path("nowhere"), Config(kind="td")).state.value
        'stopped'
    """
    try:
        found = newest_checkpoint(folder, config)
    except BadRun as error:
        return Status(state=RunState.BROKEN, note=str(error))
    state = RunState.STOPPED
    if found and found[1].finished and found[1].config == config.digest():
        state = RunState.FINISHED
    elif run_folder.is_locked(folder):
        state = RunState.RUNNING
    if found is None:
        return Status(state=state)
    _, latest = found
    return Status(state=state, done=latest.done, total=latest.total, stage=latest.stage, note=latest.note)
