"""A session: the work on a run from its start, or from a checkpoint, to its end or to Ctrl-C; it writes all files.

A checkpoint has the size of the record. Lines after it are dropped when the run is resumed, and are then written again:
they are the same, because all random numbers of a learner come from its seed.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

import ludus
from ludus import players
from ludus.files import remove_unfinished, write_whole
from ludus.learning import Learner, Progress, State, options
from ludus.players import Player, Provenance
from ludus.runs import checkpoint, folder
from ludus.runs.checkpoint import BadCheckpoint, Checkpoint
from ludus.runs.config import Config
from ludus.runs.folder import CHECKPOINTS, CONFIG, DATA, RECORD, TIMES, BadRun

CHECKPOINT_SECONDS = 2.0  # from one checkpoint to the next, at least


def newest_checkpoint(
    path: Path, config: Config, learner: Learner, warn: Callable[[str], None] = lambda _: None
) -> tuple[Path, Checkpoint] | None:
    """The newest good checkpoint of the run in this folder and its file; None if there are no checkpoints yet.

    `warn` gets a sentence for each newer one that is not good. Raises BadRun if none of them is good.
    """
    bad = []
    for file in folder.checkpoints(path):
        try:
            found = checkpoint.load(file)
            _check(found, file, path, config)
        except BadCheckpoint as error:
            bad.append(str(error))
            continue
        for reason in bad:
            warn(f"{reason}; going on from {file.name}, at {found.done:,} {learner.unit}")
        return file, found
    if bad:
        raise BadRun(f"{path} has no good checkpoint: {', and '.join(bad)}")
    return None


def _check(found: Checkpoint, file: Path, path: Path, config: Config) -> None:
    """Raises BadCheckpoint if it does not fit the other files of the run, BadRun if it does not fit the config."""
    if found.config != config.digest():
        raise BadRun(f"{path / CONFIG} has been changed since the run began")
    if found.recorded > folder.record_size(path):
        raise BadCheckpoint(f"{file} belongs to a longer {RECORD} than there is")
    if found.finished and not (path / players.RESULT).is_file():
        raise BadCheckpoint(f"{file} belongs to a {players.RESULT} that is gone")


class Session:
    """Writes the files of a run. Only one process at a time can have a session of a run.

    It begins at the newest good checkpoint; `warn` gets a sentence for each that is not good. Raises BadRun.
    """

    def __init__(self, path: Path, config: Config, learner: Learner, warn: Callable[[str], None]) -> None:
        self._folder = path
        self._config = config
        self._learner = learner
        self._good: list[Path] = []
        self._saved: Checkpoint | None = None
        self._last: Checkpoint | None = None  # of the last progress, saved or not
        self._times: int | None = None
        try:
            self._record = folder.lock(path / RECORD)
        except BlockingIOError as error:
            raise BadRun(f"another process is running {path}") from error
        except OSError as error:
            self._find_start(lambda _: None)
            raise self._write_error(error) from error
        try:
            self._find_start(warn)
            self._remove_unfinished()
            os.ftruncate(self._record, self._recorded)
            os.lseek(self._record, self._recorded, os.SEEK_SET)
            self._start_clocks()
        except OSError as error:
            self.close()
            raise self._write_error(error) from error
        except BadRun:
            self.close()
            raise
        self._saved_at = time.monotonic()

    @property
    def state(self) -> State | None:
        """The state from which the learner goes on; None at the beginning."""
        return self._last.state if self._last else None

    @property
    def finished(self) -> bool:
        """Whether the result is written."""
        return self._last is not None and self._last.finished

    def keep(self, progress: Progress) -> None:
        """Writes the line and the players of a progress, and a checkpoint if it is time for one. Raises BadRun."""
        size = self._recorded
        try:
            if progress.line is not None:
                line = msgspec.json.encode(progress.line) + b"\n"
                write_whole(self._record, line)
                size += len(line)
                self._write_time(progress.done)
            for name, player in progress.players.items():
                players.save(self._with_provenance(player), players.kept_file(self._folder, name))
            if progress.player is not None:
                players.save(self._with_provenance(progress.player), self._folder / players.RESULT)
        except OSError as error:
            raise self._write_error(error) from error
        # One assignment, because Ctrl-C can come at any point: what was done before it is done again.
        self._last = self._checkpoint(progress, size)
        if self.finished or time.monotonic() - self._saved_at >= CHECKPOINT_SECONDS:
            self.save()

    def save(self) -> None:
        """Writes a checkpoint of the last progress, unless there is one, and deletes those before the last two."""
        if self._last is None or self._last is self._saved:
            return
        number = 1 + max((int(path.stem) for path in folder.checkpoints(self._folder)), default=0)
        path = self._folder / CHECKPOINTS / f"{number:08}.safetensors"
        try:
            os.fsync(self._record)  # the lines that the checkpoint counts
            checkpoint.save(self._last, path)
            self._write_time(self._last.done)
        except OSError as error:
            raise self._write_error(error) from error
        self._saved, self._saved_at = self._last, time.monotonic()
        self._good = [*self._good[-1:], path]
        for other in folder.checkpoints(self._folder):
            if other not in self._good:
                other.unlink()

    def close(self) -> None:
        """Closes the files; another process can then run it."""
        os.close(self._record)
        if self._times is not None:
            os.close(self._times)

    @property
    def _recorded(self) -> int:
        return self._last.recorded if self._last else 0

    def _find_start(self, warn: Callable[[str], None]) -> None:
        if found := newest_checkpoint(self._folder, self._config, self._learner, warn):
            self._good = [found[0]]
            self._saved = self._last = found[1]

    def _checkpoint(self, progress: Progress, size: int) -> Checkpoint:
        return Checkpoint(
            done=progress.done,
            total=progress.total,
            stage=progress.stage,
            note=progress.note or (self._last.note if self._last else ""),
            recorded=size,
            config=self._config.digest(),
            finished=progress.player is not None,
            state=progress.state,
        )

    def _with_provenance(self, player: Player) -> Player:
        """The player with the command, the seed, the date and the build; not with the folder, the workers or today."""
        made = Provenance(
            command=player.made.command or options.command(self._learner),
            seed=self._learner.seed,
            date=self._config.date,
            version=ludus.__version__,
            instructions=players.INSTRUCTION_SET,
        )
        return msgspec.structs.replace(player, made=made)

    def _start_clocks(self) -> None:
        """Starts the clocks at the times of all earlier sessions."""
        path = self._folder / TIMES
        spent = folder.read_lines(path)[-1:]
        self._times = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        os.ftruncate(self._times, folder.complete_size(path.read_bytes()))  # a full disk may have cut a line short
        self._began = time.monotonic() - (spent[0]["seconds"] if spent else 0.0)
        self._worked = time.process_time() - (spent[0]["cpu"] if spent else 0.0)
        if spent:
            self._write_time(self._last.done if self._last else 0, resumed=True)

    def _write_time(self, done: int, *, resumed: bool = False) -> None:
        """Writes the time of all sessions so far; the first line of a resumed session is marked."""
        if self._times is not None:
            spent = {
                "done": done,
                "seconds": round(time.monotonic() - self._began, 3),
                "cpu": round(time.process_time() - self._worked, 3),
            } | ({"resumed": True} if resumed else {})
            write_whole(self._times, msgspec.json.encode(spent) + b"\n")

    def _remove_unfinished(self) -> None:
        """Deletes the files that a killed session was writing."""
        remove_unfinished(self._folder, folder.WRITTEN)
        for name in (CHECKPOINTS, players.KEPT, DATA):
            remove_unfinished(self._folder / name)

    def _write_error(self, error: OSError) -> BadRun:
        reason = f"the run cannot be kept in {self._folder}: {error.strerror}"
        if self._saved is None:
            return BadRun(f"{reason}; there is no checkpoint yet")
        where = f"{self._saved.done:,} of {self._saved.total:,} {self._learner.unit}"
        return BadRun(f"{reason}; the last good checkpoint is {self._good[-1]}, at {where}")
