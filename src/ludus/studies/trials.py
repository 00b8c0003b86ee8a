"""Trials: many short trainings that run in parallel. The lines of each are kept in one file of the study's folder.

A trial whose lines are in the file is not run again, so a study that was stopped goes on where it was.
"""

import fcntl
import os
import shlex
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from ludus import lines
from ludus.files import make_folder, sync_folder, write_whole
from ludus.learning import Learner, Options, Record, registry
from ludus.studies import BadStudy
from ludus.workers import Workers

JOURNAL = "trials.jsonl"
_SECONDS = 6e-5  # of a processor for a training game, with its part of the tests: the mean over the networks


class Trial(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One training: a learner as plain values, so that it can be sent to another machine."""

    cell: str  # of the study's tables
    kind: str
    options: Options

    @classmethod
    def of(cls, cell: str, learner: Learner) -> "Trial":
        """The trial of a learner."""
        return cls(cell=cell, kind=registry.kind_of(learner), options=registry.values(learner))

    @property
    def seconds(self) -> float:
        """An estimate of its processor time."""
        return _SECONDS * float(self.options.get("games", 0))

    @property
    def label(self) -> str:
        """The words for it while the study runs."""
        return self.cell

    @property
    def key(self) -> str:
        """Equal for equal learners, also if an earlier version wrote their options."""
        options = registry.current_names(self.kind, self.options)
        return msgspec.json.encode([self.kind, options], order="deterministic").decode()


class TrialResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A trial and the lines of its record: a line of the journal."""

    trial: Trial
    lines: list[Record]
    cpu: float | None = None  # processor seconds; None in the files of earlier versions


_decode = msgspec.json.Decoder(TrialResult).decode


def run(trial: Trial) -> TrialResult:
    """Runs a trial in this thread."""
    learner = registry.make(trial.kind, trial.options)
    before = time.thread_time()
    lines = [progress.line for progress in learner.learn(None, Workers()) if progress.line is not None]
    return TrialResult(trial=trial, lines=lines, cpu=round(time.thread_time() - before, 3))


def _key(line: lines.Line[TrialResult]) -> str:
    """The key of a trial that was read. Raises BadLine for a learner that this version does not have."""
    try:
        return line.value.trial.key
    except (ValueError, KeyError, TypeError) as error:
        raise lines.BadLine(line.number, f"is broken: {error}") from error


def mend(path: Path) -> int:
    """Takes broken lines out of a file of trials, so that they are run again; how many they were. See lines.mend."""
    return lines.mend(path, _decode)


class TrialStore:
    """The results of a study's trials, in a folder that only one process at a time can open."""

    def __init__(self, folder: Path) -> None:
        """Opens the folder, or creates it. Raises BadStudy."""
        self._path = folder / JOURNAL
        self._results: dict[str, TrialResult] = {}
        try:
            make_folder(folder)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            sync_folder(folder)
        except OSError as error:
            raise BadStudy(f"a study cannot be kept in {folder}: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            complete = 0
            self._has_checksums = lines.has_checksums(self._path)
            with self._path.open("rb") as file:
                for line in lines.read(file, _decode):
                    self._results[_key(line)] = line.value
                    complete = line.end
            os.ftruncate(self._file, complete)  # a crash may have cut the last line short
            os.lseek(self._file, complete, os.SEEK_SET)
        except BlockingIOError as error:
            os.close(self._file)
            raise BadStudy(f"another process is at work on the study in {folder}") from error
        except lines.BadLine as error:
            os.close(self._file)
            raise BadStudy(
                f"{self._path} is no file of trials, or a broken one: {error}; to keep the good trials and run the "
                f"others again, type: ludus mend {shlex.quote(os.fspath(folder))}"
            ) from error

    def close(self) -> None:
        """Closes the file; another process can then open the folder."""
        os.fsync(self._file)
        os.close(self._file)

    def __contains__(self, trial: Trial) -> bool:
        return trial.key in self._results

    def __getitem__(self, trial: Trial) -> list[Record]:
        """The lines of a trial's record."""
        return self._results[trial.key].lines

    def cpu(self, trial: Trial) -> float | None:
        """The processor seconds of a trial; None if they are not known."""
        return self._results[trial.key].cpu

    def fill(
        self, trials: Iterable[Trial], workers: Workers, work: Callable[[Trial], TrialResult] = run
    ) -> Iterator[Trial]:
        """Runs the trials that have no result yet, in parallel; yields each after it is written. Raises BadStudy."""
        missing = [trial for trial in trials if trial not in self]
        for trial, result in workers.completed(work, missing):
            try:
                write_whole(self._file, lines.as_line(msgspec.json.encode(result), checked=self._has_checksums))
                os.fsync(self._file)  # a trial takes far longer
            except OSError as error:
                raise BadStudy(f"the study cannot be kept in {self._path.parent}: {error.strerror}") from error
            self._results[trial.key] = result
            yield trial
