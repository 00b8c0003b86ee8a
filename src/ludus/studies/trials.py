"""Trials: a learner with a seed, run from nothing to its end somewhere; what they found is kept in a file.

A study is many of them. One that is in the file is never run again, so a study that was stopped goes on where it was.
"""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ludus.files import write_whole
from ludus.learning import Learner, registry
from ludus.workers import Workers

JOURNAL = "trials.jsonl"


class BadStudy(ValueError):
    """The study's folder belongs to another study or cannot be used; says why."""


class Trial(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A learner as plain values, so that it can go to another machine."""

    cell: str  # of the study, for people
    kind: str
    options: dict[str, Any]

    @property
    def key(self) -> str:
        """The same for the same trial."""
        return msgspec.json.encode([self.kind, self.options], order="deterministic").decode()


class Done(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A trial and the lines of its record."""

    trial: Trial
    lines: list[dict[str, Any]]


def of(cell: str, learner: Learner) -> Trial:
    """The trial of a learner."""
    return Trial(cell=cell, kind=learner.kind, options=registry.values(learner))


def run(trial: Trial) -> Done:
    """Runs a trial, here and in one thread."""
    learner = registry.make(trial.kind, trial.options)
    lines = [progress.line for progress in learner.learn(None, Workers()) if progress.line is not None]
    return Done(trial=trial, lines=lines)


class Trials:
    """The trials of a study that are done, in a folder that nobody else has meanwhile."""

    def __init__(self, folder: Path) -> None:
        """Opens the folder, or makes it. Raises BadStudy."""
        self._path = folder / JOURNAL
        self._done: dict[str, Done] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise BadStudy(f"a study cannot be kept in {folder}: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            content = self._path.read_bytes()
            whole = content.rfind(b"\n") + 1
            for line in content[:whole].splitlines():
                done = msgspec.json.decode(line, type=Done)
                self._done[done.trial.key] = done
            os.ftruncate(self._file, whole)  # a line that a crash cut short
            os.lseek(self._file, whole, os.SEEK_SET)
        except BlockingIOError as error:
            os.close(self._file)
            raise BadStudy(f"somebody else is at work on the study in {folder} just now") from error
        except msgspec.MsgspecError as error:
            os.close(self._file)
            raise BadStudy(f"{self._path} is no file of trials, or a broken one: {error}") from error

    def close(self) -> None:
        """Lets others have the folder."""
        os.fsync(self._file)
        os.close(self._file)

    def __contains__(self, trial: Trial) -> bool:
        return trial.key in self._done

    def __getitem__(self, trial: Trial) -> list[dict[str, Any]]:
        """What a trial found."""
        return self._done[trial.key].lines

    def fill(self, wanted: Iterable[Trial], workers: Workers, work: Callable[[Trial], Done] = run) -> Iterator[Trial]:
        """Runs the trials that are not done, side by side; each once it is kept. Raises BadStudy."""
        missing = [trial for trial in wanted if trial not in self]
        for trial, done in workers.completed(work, missing):
            try:
                write_whole(self._file, msgspec.json.encode(done) + b"\n")
            except OSError as error:
                raise BadStudy(f"the study cannot be kept in {self._path.parent}: {error.strerror}") from error
            self._done[trial.key] = done
            yield trial
