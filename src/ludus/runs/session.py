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
from ludus import lines, players
from ludus.files import remove_unfinished, write_whole
from ludus.learning import AdaptingLearner, Learner, Progress, Record, State, options, registry
from ludus.players import BadPlayer, Player, Provenance
from ludus.runs import checkpoint, folder
from ludus.runs.checkpoint import BadCheckpoint, Checkpoint
from ludus.runs.config import Config
from ludus.runs.folder import CHECKPOINTS, CONFIG, DATA, LONGER, RECORD, TIMES, BadRun

CHECKPOINT_SECONDS = 2.0  # from one checkpoint to the next, at least


def newest_checkpoint(
    path: Path, config: Config, unit: str = "", warn: Callable[[str], None] = lambda _: None
) -> tuple[Path, Checkpoint] | None:
    """The newest good checkpoint of the run in this folder and its file; None if there are no checkpoints yet.

    `warn` gets a sentence for each newer one that is not good. After the run was made longer, it is the last point that
    the longer run has too. Raises BadRun if none of them is good.
    """
    bad = []
    for file in folder.checkpoints(path):
        try:
            found = checkpoint.load(file)
            _check(found, file, path, config)
            if found.config != config.digest() and (found.finished or not found.open):
                file = path / CHECKPOINTS / LONGER
                found = checkpoint.load(file)
                _check(found, file, path, config)
        except BadCheckpoint as error:
            bad.append(str(error))
            continue
        for reason in bad:
            warn(f"{reason}; going on from {file.name}, at {found.done:,} {unit}".rstrip())
        return file, found
    if bad:
        again = f"ludus train {config.kind} --config {folder.quoted(path / CONFIG)} --out NEW"
        raise BadRun(f"{path} has no good checkpoint: {', and '.join(bad)}; to train it anew, type: {again}")
    return None


def _check(found: Checkpoint, file: Path, path: Path, config: Config) -> None:
    """Raises BadCheckpoint if it does not fit the other files of the run, BadRun if it does not fit the config."""
    if found.config not in [each.digest() for each in (config, *config.shorter())]:
        raise BadRun(f"{path / CONFIG} has been changed since the run began")
    _check_record(found, file, path)
    if found.finished:
        if not (path / players.RESULT).is_file():
            raise BadCheckpoint(f"{file} belongs to a {players.RESULT} that is gone")
        try:
            players.check_file(path / players.RESULT)
        except BadPlayer as error:
            raise BadCheckpoint(str(error)) from error


def _check_record(found: Checkpoint, file: Path, path: Path) -> None:
    """Raises BadCheckpoint if the lines of the record up to this point are not what was written."""
    if found.recorded > folder.record_size(path):
        raise BadCheckpoint(f"{file} belongs to a longer {RECORD} than there is")
    end = 0
    try:
        for line in folder.checked_lines(path / RECORD):
            end = line.end
            if end >= found.recorded:
                break
    except lines.BadLine as error:
        raise BadCheckpoint(f"{path / RECORD}: {error}") from error
    if end < found.recorded:
        raise BadCheckpoint(f"{path / RECORD}: its last line is not what was written")


def start_state(path: Path, config: Config, learner: Learner, found: Checkpoint) -> State | None:
    """The state from which the learner goes on at this checkpoint; None at the beginning.

    Raises ValueError if it is of a shorter run and the learner cannot go on from it.
    """
    if not found.state.arrays and not found.state.facts:
        return None
    if found.config == config.digest() or not isinstance(learner, AdaptingLearner):
        return found.state
    return learner.adapted(found.state, lambda key: players.load(players.kept_file(path, key)))


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
        self._open: Checkpoint | None = None  # the last that a longer run has too
        self._now: Player | None = None  # as it stands, if that is not in its file yet
        self._times: int | None = None
        self._lines = 0  # of the record
        self._timed = 0  # lines of the times
        self._has_checksums: dict[str, bool] = {}  # of the files of lines
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
            self._lines = self._count_lines()
            self._rename_command()
            os.ftruncate(self._record, self._recorded)
            os.lseek(self._record, self._recorded, os.SEEK_SET)
            self._has_checksums[RECORD] = lines.has_checksums(path / RECORD)
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
        """The state from which the learner goes on; None at the beginning. Raises ValueError."""
        return start_state(self._folder, self._config, self._learner, self._last) if self._last else None

    @property
    def finished(self) -> bool:
        """Whether the result is written."""
        return self._last is not None and self._last.finished

    def keep(self, progress: Progress) -> None:
        """Writes the line and the players of a progress, and a checkpoint if it is time for one. Raises BadRun."""
        if progress.player is not None:
            self.save()  # the result can be made again from here if its file is ever broken
        size = self._recorded
        try:
            if progress.line is not None:
                self._lines += 1
                line = self._line(RECORD, progress.line, self._lines)
                write_whole(self._record, line)
                size += len(line)
                self._write_time(progress.done)
            for name, player in progress.players.items():
                players.save(self._with_provenance(player), players.kept_file(self._folder, name))
            if progress.player is not None:
                players.save(self._with_provenance(progress.player), self._folder / players.RESULT)
        except OSError as error:
            raise self._write_error(error) from error
        made = self._checkpoint(progress, size)
        self._keep_open(made)
        self._now = progress.now or self._now
        # One assignment, because Ctrl-C can come at any point: what was done before it is done again.
        self._last = made
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
            self._write_now()
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

    def _count_lines(self) -> int:
        """The lines of the record up to the checkpoint; what follows may be broken and is written again."""
        number = 0
        if self._recorded:
            for line in folder.checked_lines(self._folder / RECORD):
                number = line.number
                if line.end >= self._recorded:
                    break
        return number

    @property
    def _recorded(self) -> int:
        return self._last.recorded if self._last else 0

    def _find_start(self, warn: Callable[[str], None]) -> None:
        if found := newest_checkpoint(self._folder, self._config, self._learner.unit, warn):
            self._good = [found[0]]
            self._saved = self._last = found[1]
            self._open = found[1] if found[1].open and not found[1].finished else None

    def _checkpoint(self, progress: Progress, size: int) -> Checkpoint:
        return Checkpoint(
            done=progress.done,
            total=progress.total,
            stage=progress.stage,
            note=progress.note or (self._last.note if self._last else ""),
            recorded=size,
            config=self._config.digest(),
            finished=progress.player is not None,
            open=progress.player is None if progress.open is None else progress.open,
            state=progress.state,
        )

    def _keep_open(self, made: Checkpoint) -> None:
        """Remembers a point that a longer run has too. Writes the last of them before the points that it has not."""
        before, was_closed = self._open, self._last is not None and not self._last.open
        if made.open and not made.finished:
            self._open = made
            return
        if was_closed and not (made.open and made.finished):
            return  # it was written then
        if made.open:
            before = msgspec.structs.replace(made, finished=False)
        if before is None:  # the longer run begins again
            before = msgspec.structs.replace(made, done=0, recorded=0, state=State(), finished=False, open=True)
        try:
            checkpoint.save(before, self._folder / CHECKPOINTS / LONGER)
        except OSError as error:
            raise self._write_error(error) from error

    def _write_now(self) -> None:
        """Writes the player as it stands; at the end the result stands for it."""
        path = self._folder / players.NOW
        if self.finished:
            path.unlink(missing_ok=True)
        elif self._now is not None:
            players.save(self._with_provenance(self._now), path)
            self._now = None

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

    def _rename_command(self) -> None:
        """After the run was made longer: gives the kept players the command that the longer run gives them."""
        if self._last is None or self._last.config == self._config.digest():
            return
        shorter = self._config.shorter()
        before = {options.command(registry.make(each.kind, each.options)) for each in shorter}
        for path in players.kept_file(self._folder, "").parent.glob("[!.]*.safetensors"):
            player = players.load(path)
            if player.made.command in before:
                made = msgspec.structs.replace(player.made, command=options.command(self._learner))
                players.save(msgspec.structs.replace(player, made=made), path)

    def _start_clocks(self) -> None:
        """Starts the clocks at the times of all earlier sessions."""
        path = self._folder / TIMES
        last, self._timed = None, 0
        try:
            for last in folder.checked_lines(path):
                self._timed = last.number
        except lines.BadLine as error:
            raise BadRun(f"{path}: {error}; {folder.how_to_mend(path)}") from error
        self._times = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        os.ftruncate(self._times, last.end if last else 0)  # a full disk may have cut a line short
        self._has_checksums[TIMES] = lines.has_checksums(path)
        spent = last.value if last else {}
        seconds, cpu = spent.get("seconds", 0.0), spent.get("cpu", 0.0)
        if not (isinstance(seconds, int | float) and isinstance(cpu, int | float)):
            raise BadRun(f"{path} is no record of times: line {self._timed} has no seconds; {folder.how_to_mend(path)}")
        self._began = time.monotonic() - seconds
        self._worked = time.process_time() - cpu
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
            self._timed += 1
            write_whole(self._times, self._line(TIMES, spent, self._timed))

    def _line(self, name: str, record: Record, number: int) -> bytes:
        """A line of one of the files of JSON lines."""
        return lines.as_line(msgspec.json.encode(record), number, checked=self._has_checksums[name])

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
