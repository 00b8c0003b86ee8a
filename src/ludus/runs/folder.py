"""The folder of a run: the names of its files, who works in it, and what its files of JSON lines say.

config.toml         the learner, and the command and the date that began the run
progress.jsonl      the record: the lines that the learner yielded
times.jsonl         the time it took; the only file that differs when the same learner runs again
checkpoints/        the last two
players/            those that were kept on the way
data/               files of a learner whose data is too large for a checkpoint
player.safetensors  the result
"""

import contextlib
import fcntl
import os
import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ludus import files, lines, players
from ludus.learning import Record

CONFIG = "config.toml"
RECORD = "progress.jsonl"  # locked while a process works on the run
TIMES = "times.jsonl"
CHECKPOINTS = "checkpoints"
LONGER = "longer.safetensors"  # among them: from where the run goes on if it is made longer
DATA = "data"
REPORT = "report.html"
WRITTEN = (CONFIG, players.RESULT, players.NOW, REPORT)  # the files in the folder itself that are written as a whole

# What a folder without a run must not have.
OWN = (players.RESULT, players.NOW, TIMES, REPORT, CHECKPOINTS, players.KEPT, DATA)


_decode = msgspec.json.Decoder(Record).decode


class BadRun(ValueError):
    """The run does not exist, is broken, or cannot be written; the message says why and what is left of it.

    Examples:
        >>> from ludus.runs import Run
        >>> Run.open(Path("nowhere"))
        Traceback (most recent call last):
        ludus.runs.folder.BadRun: nowhere is no run: it has no config.toml
    """


def find(folder: Path) -> list[Path]:
    """The folders of runs: this one, or those anywhere below it.

    Examples:
        >>> find(Path("nowhere"))
        []
    """
    return sorted(path.parent for path in folder.rglob(CONFIG) if path.is_file())


def free(first: Path) -> Path:
    """The path itself, or with a number behind it, where no file or folder is."""
    path, number = first, 1
    while path.exists():
        number += 1
        path = first.with_name(f"{first.name}-{number}")
    return path


def quoted(path: str | os.PathLike[str]) -> str:
    """A path as it is typed in a shell.

    Examples:
        >>> quoted("runs/my first run")
        "'runs/my first run'"
    """
    return shlex.quote(os.fspath(path))


def checkpoints(folder: Path) -> list[Path]:
    """The files of the checkpoints, the newest first."""
    found = (folder / CHECKPOINTS).glob("*.safetensors")
    return sorted((path for path in found if re.fullmatch("[0-9]{8}", path.stem)), reverse=True)


def record_size(folder: Path) -> int:
    """The size of the record in bytes; 0 if there is none."""
    try:
        return (folder / RECORD).stat().st_size
    except FileNotFoundError:
        return 0


def read_lines(path: Path) -> list[Record]:
    """The complete lines of a file of JSON lines; the last may be being written. Raises BadRun for a broken line."""
    try:
        return [line.value for line in checked_lines(path)]
    except lines.BadLine as error:
        raise BadRun(f"{path}: {error}; {how_to_mend(path)}") from error
    except OSError as error:
        raise BadRun(f"{path} cannot be read: {error.strerror}") from error


def checked_lines(path: Path) -> Iterator[lines.Line[Record]]:
    """The complete lines of a file of JSON lines; none if there is no file. Raises BadLine and OSError."""
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        yield from lines.read(file, _decode, ordered=True)


def mend_times(path: Path) -> int:
    """Takes broken lines out of the times of a run; how many they were. See lines.mend."""
    return lines.mend(path, _decode, ordered=True)


def how_to_mend(path: Path) -> str:
    """What a person can do about a broken record or broken times, as the end of a sentence."""
    if path.name == TIMES:
        return f"to drop the broken times, type: ludus mend {quoted(path.parent)}"
    return f"to train again from a checkpoint before it, type: ludus train --resume {quoted(path.parent)}"


def lock(path: Path) -> int:
    """Opens a file and locks it; returns its descriptor. Raises BlockingIOError if another process has the lock."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    for pause in (0.05, 0.1, 0.2, 0.0):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:  # perhaps only `is_locked`, which has the lock for an instant
            if not pause:
                os.close(descriptor)
                raise
            time.sleep(pause)
    return descriptor


def is_locked(folder: Path) -> bool:
    """Whether a process works on the run."""
    return files.is_locked(folder / RECORD)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Locks a run, so that no process works on it. Raises BadRun if one does, or the folder cannot be written."""
    try:
        record = lock(folder / RECORD)
    except BlockingIOError as error:
        raise BadRun(f"another process is running {folder}") from error
    except OSError as error:
        raise BadRun(f"{folder} cannot be written: {error.strerror}") from error
    try:
        yield
    finally:
        os.close(record)


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Locks a folder while a run is created in it. Raises FileExistsError if it holds a record or is locked.

    An empty record does not count: the process that made it was killed before its run began.
    """
    try:
        record = lock(folder / RECORD)
    except BlockingIOError as error:
        raise FileExistsError from error
    try:
        if os.fstat(record).st_size:
            raise FileExistsError
        yield
    finally:
        os.close(record)


def discard(folder: Path) -> None:
    """Removes a run that has learned nothing yet, and its folder if nothing else is in it.

    A run that has more than its config and empty records stays: the disk was full, and it can be resumed.
    """
    if any((folder / name).exists() for name in OWN if name != TIMES):
        return
    for name in (CONFIG, RECORD, TIMES):
        (folder / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # there are other files in it
        folder.rmdir()
