"""Runs: a folder for each, with the config, the record, the checkpoints and the players of one learner at work.

    config.toml         the learner, and the command and the date that began the run
    progress.jsonl      the record: a line for whatever the learner found worth one
    times.jsonl         what it took; the only file here that differs when the same learner runs again
    checkpoints/        the last two
    players/            those that were kept on the way
    player.safetensors  the result

A run that was killed at any instant goes on, and ends with the files of a run that nobody disturbed, bit for bit.
"""

import contextlib
import datetime
import hashlib
import os
import shlex
import tomllib
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ludus import players
from ludus.files import write_atomically
from ludus.learning import Learner, Progress, registry
from ludus import toml
from ludus.runs import session
from ludus.runs.checkpoint import BadCheckpoint, Checkpoint, load
from ludus.runs.session import BadRun as BadRun
from ludus.workers import Workers

CONFIG = "config.toml"


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands in the config file."""

    kind: str
    command: str = ""  # as it was typed
    date: str = ""
    options: dict[str, Any] = {}

    @classmethod
    def read(cls, path: Path) -> "Config":
        """Reads a config file. Raises BadRun."""
        try:
            return msgspec.convert(tomllib.loads(path.read_text("utf-8")), type=cls)
        except OSError as error:
            raise BadRun(f"{path} cannot be read: {error.strerror}") from error
        except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadRun(f"{path} is no config of a run, or a broken one: {error}") from error

    def digest(self) -> str:
        """The same for the same values, however they are laid out."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()


class Condition(StrEnum):
    """What is the matter with a run."""

    FINISHED = "finished"
    RUNNING = "running"
    STOPPED = "stopped"  # it can go on
    BROKEN = "broken"


class Status(Struct, frozen=True, kw_only=True):
    """How a run stands, for people who ask."""

    condition: Condition
    done: int = 0
    total: int = 0  # 0 until it is known
    stage: str = ""
    note: str = ""  # the last result in words, or what is broken


class Run:
    """One learner at work in a folder of its own."""

    def __init__(self, folder: Path, config: Config, learner: Learner) -> None:
        self.folder = folder
        self.config = config
        self.learner = learner

    @classmethod
    def create(cls, folder: Path, learner: Learner, command: str) -> "Run":
        """Begins a run; nothing is learned yet. Raises BadRun, also for a folder that holds a run."""
        config = Config(
            kind=learner.kind,
            command=command.encode(errors="backslashreplace").decode(),  # bytes that are no text can be typed too
            date=datetime.datetime.now(datetime.UTC).date().isoformat(),
            options=registry.values(learner),
        )
        content = toml.dumps(msgspec.to_builtins(config)).encode()
        if registry.make(learner.kind, tomllib.loads(content.decode())["options"]) != learner:
            raise TypeError(f"a config file cannot say what {learner} is")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with session.claimed(folder):
                if (folder / CONFIG).exists():
                    raise FileExistsError
                write_atomically(folder / CONFIG, content)
        except FileExistsError as error:
            if not folder.is_dir():
                raise BadRun(f"{folder} is a file; a run needs a folder") from error
            raise BadRun(
                f"{folder} holds a run already: ludus train --resume {quoted(folder)} goes on with it"
            ) from error
        except OSError as error:
            raise BadRun(f"a run cannot be kept in {folder}: {error.strerror}") from error
        return cls(folder, config, learner)

    @classmethod
    def open(cls, folder: Path) -> "Run":
        """The run that was created in this folder. Raises BadRun."""
        if not (folder / CONFIG).is_file():
            raise BadRun(f"{folder} is no run: it has no {CONFIG}")
        config = Config.read(folder / CONFIG)
        try:
            return cls(folder, config, registry.make(config.kind, config.options))
        except registry.BadConfig as error:
            raise BadRun(f"{folder / CONFIG} is broken or of another version: {error}") from error

    def discard(self) -> None:
        """Takes the folder away again, for a learner that could not even begin."""
        (self.folder / CONFIG).unlink()
        session.unclaim(self.folder)
        with contextlib.suppress(OSError):  # somebody has other things in it
            self.folder.rmdir()

    def follow(self, workers: Workers, warn: Callable[[str], None] = lambda _: None) -> Iterator[Progress]:
        """Learns on from the newest good checkpoint to the end; each progress once it is recorded.

        Nobody else can run it meanwhile. Whoever stops early, by Ctrl-C or by closing this, finds a checkpoint of the
        last progress. `warn` gets a sentence for each checkpoint that is not good. Raises BadRun, and what the learner
        raises.
        """
        with contextlib.closing(session.Session(self, warn)) as sitting:
            if sitting.finished:
                return
            learning = self.learner.learn(sitting.state, workers)
            try:
                for progress in learning:
                    sitting.keep(progress)
                    yield progress
                    if sitting.finished:
                        return
            except BadRun:  # it cannot be kept
                raise
            except BaseException:
                sitting.save()
                raise
            finally:
                learning.close()  # type: ignore[attr-defined]  # it is a generator: what waits is called off
            raise RuntimeError(f"{self.config.kind} has ended without a player")

    def newest(self, warn: Callable[[str], None] = lambda _: None) -> tuple[Path, Checkpoint] | None:
        """The newest good checkpoint; None where there is none yet. Raises BadRun when none of them is good."""
        bad = []
        for path in session.saved(self.folder):
            try:
                checkpoint = load(path)
                self._check(path, checkpoint)
            except BadCheckpoint as error:
                bad.append(str(error))
                continue
            for reason in bad:
                warn(f"{reason}; going on from {path.name}, at {checkpoint.done:,} {self.learner.unit}")
            return path, checkpoint
        if bad:
            raise BadRun(f"{self.folder} has no good checkpoint: {', and '.join(bad)}")
        return None

    def _check(self, path: Path, checkpoint: Checkpoint) -> None:
        """Does it belong to what else is in the folder?"""
        if checkpoint.config != self.config.digest():
            raise BadRun(f"{self.folder / CONFIG} has been changed since the run began")
        if checkpoint.recorded > session.recorded(self.folder):
            raise BadCheckpoint(f"{path} belongs to a longer {session.RECORD} than there is")
        if checkpoint.finished and not self.player.is_file():
            raise BadCheckpoint(f"{path} belongs to a {players.RESULT} that is gone")

    @property
    def player(self) -> Path:
        """The file of the result."""
        return self.folder / players.RESULT

    def status(self) -> Status:
        """How it stands."""
        try:
            found = self.newest()
        except BadRun as error:
            return Status(condition=Condition.BROKEN, note=str(error))
        condition = Condition.STOPPED
        if found and found[1].finished:
            condition = Condition.FINISHED
        elif session.busy(self.folder):
            condition = Condition.RUNNING
        if found is None:
            return Status(condition=condition)
        _, checkpoint = found
        return Status(
            condition=condition,
            done=checkpoint.done,
            total=checkpoint.total,
            stage=checkpoint.stage,
            note=checkpoint.note,
        )

    def record(self) -> list[dict[str, Any]]:
        """The lines of the record so far."""
        return session.lines(self.folder / session.RECORD)

    def times(self) -> list[dict[str, Any]]:
        """What it took: `done`, and the `seconds` and processor seconds, `cpu`, of this process so far."""
        return session.lines(self.folder / session.TIMES)


def folders(folder: Path) -> list[Path]:
    """The folders that look like runs: this one, or those anywhere under it."""
    return sorted(path.parent for path in folder.rglob(CONFIG) if path.is_file())


def quoted(path: str | os.PathLike[str]) -> str:
    """A path as one types it in a shell."""
    return shlex.quote(os.fspath(path))
