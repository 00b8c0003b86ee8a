"""A sitting: the work on a run from its start, or from where it goes on, to its end or to Ctrl-C; all that it writes.

A checkpoint knows how long the record was. Whatever came after it is dropped when the run goes on, and comes again: the
same, for a learner does nothing by chance but what its seed says.
"""

import contextlib
import fcntl
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ludus import players
from ludus.files import write_whole
from ludus.learning import Progress, State, options
from ludus.players import Player, Provenance
from ludus.runs import checkpoint
from ludus.runs.checkpoint import Checkpoint

if TYPE_CHECKING:
    from ludus.runs import Run

RECORD = "progress.jsonl"  # locked while somebody is at work
TIMES = "times.jsonl"
CHECKPOINTS = "checkpoints"
BETWEEN = 2.0  # seconds from one checkpoint to the next, at least
UNFINISHED = re.compile(r"\..+\.[0-9a-f]{8}")  # what write_atomically leaves when it is killed


class BadRun(ValueError):
    """The run is not there, is broken, or cannot be kept; says why and what is left of it."""


class Session:
    """The files of a run while somebody is at work; nobody else can be.

    It begins at the newest good checkpoint; `warn` gets a sentence for each that is not good. Raises BadRun.
    """

    def __init__(self, run: "Run", warn: Callable[[str], None]) -> None:
        self._run = run
        self._folder = run.folder
        self._config = run.config.digest()
        self._good: list[Path] = []
        self._saved: Checkpoint | None = None
        self._last: Checkpoint | None = None  # of the last progress, saved or not
        self._times: int | None = None
        try:
            self._record = _lock(self._folder / RECORD)
        except BlockingIOError as error:
            raise BadRun(f"somebody else is running {self._folder} just now") from error
        except OSError as error:
            self._find_start(lambda _: None)
            raise self._refused(error) from error
        try:
            self._find_start(warn)
            self._tidy()
            os.ftruncate(self._record, self._recorded)
            os.lseek(self._record, self._recorded, os.SEEK_SET)
            self._begin_clocks()
        except OSError as error:
            self.close()
            raise self._refused(error) from error
        except BadRun:
            self.close()
            raise
        self._saved_at = time.monotonic()

    @property
    def state(self) -> State | None:
        """Where the learner goes on from."""
        return self._last.state if self._last else None

    @property
    def finished(self) -> bool:
        """Is there nothing more to do?"""
        return self._last is not None and self._last.finished

    def keep(self, progress: Progress) -> None:
        """Records it, keeps its players, and writes a checkpoint when it is time for one. Raises BadRun."""
        size = self._recorded
        try:
            if progress.line is not None:
                line = msgspec.json.encode(progress.line) + b"\n"
                write_whole(self._record, line)
                size += len(line)
                self._note_time(progress.done)
            for name, player in progress.players.items():
                players.save(self._signed(player), players.kept_file(self._folder, name))
            if progress.player is not None:
                players.save(self._signed(progress.player), self._folder / players.RESULT)
        except OSError as error:
            raise self._refused(error) from error
        # At once, for Ctrl-C can come anywhere: what was done before this line will be done again.
        self._last = self._checkpoint(progress, size)
        if self.finished or time.monotonic() - self._saved_at >= BETWEEN:
            self.save()

    def save(self) -> None:
        """Writes a checkpoint of the last progress, if there is none yet, and drops those before the last two."""
        if self._last is None or self._last is self._saved:
            return
        number = 1 + max((int(path.stem) for path in saved(self._folder)), default=0)
        path = self._folder / CHECKPOINTS / f"{number:08}.safetensors"
        try:
            os.fsync(self._record)  # the lines that the checkpoint counts
            checkpoint.save(self._last, path)
            self._note_time(self._last.done)
        except OSError as error:
            raise self._refused(error) from error
        self._saved, self._saved_at = self._last, time.monotonic()
        self._good = [*self._good[-1:], path]
        for other in saved(self._folder):
            if other not in self._good:
                other.unlink()

    def close(self) -> None:
        """Lets others have the files."""
        os.close(self._record)
        if self._times is not None:
            os.close(self._times)

    @property
    def _recorded(self) -> int:
        return self._last.recorded if self._last else 0

    def _find_start(self, warn: Callable[[str], None]) -> None:
        if found := self._run.newest(warn):
            self._good = [found[0]]
            self._saved = self._last = found[1]

    def _checkpoint(self, progress: Progress, size: int) -> Checkpoint:
        return Checkpoint(
            done=progress.done,
            total=progress.total,
            stage=progress.stage,
            note=progress.note or (self._last.note if self._last else ""),
            recorded=size,
            config=self._config,
            finished=progress.player is not None,
            state=progress.state,
        )

    def _signed(self, player: Player) -> Player:
        """With where it comes from. The folder, the workers and the present day are no part of that."""
        learner = self._run.learner
        made = Provenance(
            command=player.made.command or options.command(learner), seed=learner.seed, date=self._run.config.date
        )
        return msgspec.structs.replace(player, made=made)

    def _begin_clocks(self) -> None:
        """Clocks that say what all sittings have taken."""
        path = self._folder / TIMES
        spent = lines(path)[-1:]
        self._times = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        os.ftruncate(self._times, _whole(path.read_bytes()))  # a full disk may have cut a line short
        self._began = time.monotonic() - (spent[0]["seconds"] if spent else 0.0)
        self._worked = time.process_time() - (spent[0]["cpu"] if spent else 0.0)
        if spent:
            self._note_time(self._last.done if self._last else 0, resumed=True)

    def _note_time(self, done: int, *, resumed: bool = False) -> None:
        """What all of it has taken so far; a line that begins another sitting says so."""
        if self._times is not None:
            spent = {
                "done": done,
                "seconds": round(time.monotonic() - self._began, 3),
                "cpu": round(time.process_time() - self._worked, 3),
            } | ({"resumed": True} if resumed else {})
            write_whole(self._times, msgspec.json.encode(spent) + b"\n")

    def _tidy(self) -> None:
        """Takes away what a kill has left half written."""
        for place in (self._folder, self._folder / CHECKPOINTS, self._folder / players.KEPT):
            for path in place.glob(".*"):
                if UNFINISHED.fullmatch(path.name):
                    path.unlink()

    def _refused(self, error: OSError) -> BadRun:
        reason = f"the run cannot be kept in {self._folder}: {error.strerror}"
        if self._saved is None:
            return BadRun(f"{reason}; there is no checkpoint yet")
        where = f"{self._saved.done:,} of {self._saved.total:,} {self._run.learner.unit}"
        return BadRun(f"{reason}; the last good checkpoint is {self._good[-1]}, at {where}")


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Has a folder alone while a run is begun in it. Raises FileExistsError where somebody is at work, or has been.

    An empty record is nobody's: whoever made it was killed before the run began.
    """
    try:
        record = _lock(folder / RECORD)
    except BlockingIOError as error:
        raise FileExistsError from error
    try:
        if os.fstat(record).st_size:
            raise FileExistsError
        yield
    finally:
        os.close(record)


def unclaim(folder: Path) -> None:
    """Takes the files of a run away that has got nowhere."""
    for name in (RECORD, TIMES):
        (folder / name).unlink(missing_ok=True)


def busy(folder: Path) -> bool:
    """Is somebody at work on the run?"""
    try:
        descriptor = os.open(folder / RECORD, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)


def saved(folder: Path) -> list[Path]:
    """The checkpoints, the newest first."""
    found = (folder / CHECKPOINTS).glob("*.safetensors")
    return sorted((path for path in found if re.fullmatch("[0-9]{8}", path.stem)), reverse=True)


def recorded(folder: Path) -> int:
    """How many bytes the record has."""
    try:
        return (folder / RECORD).stat().st_size
    except FileNotFoundError:
        return 0


def lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a file of JSON lines; the last may just be growing. Raises BadRun for a broken one."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    try:
        return [msgspec.json.decode(line, type=dict[str, Any]) for line in content[: _whole(content)].splitlines()]
    except msgspec.MsgspecError as error:
        raise BadRun(f"{path} is broken: {error}") from error


def _whole(content: bytes) -> int:
    """How many bytes of it are whole lines."""
    return content.rfind(b"\n") + 1


def _lock(path: Path) -> int:
    """Opens a file and has it alone. Raises BlockingIOError."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    for patience in (0.05, 0.1, 0.2, 0.0):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:  # perhaps only `busy`, which asks for an instant
            if not patience:
                os.close(descriptor)
                raise
            time.sleep(patience)
    return descriptor
