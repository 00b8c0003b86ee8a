"""The school: the runs as they are now, their curves, and trainings that the page starts, stops and resumes."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import NamedTuple

from ludus import players
from ludus.game_names import DEFAULT_GAME
from ludus.learning import options, registry
from ludus.reports import folder as report_folder
from ludus.reports import run as run_report
from ludus.runs import Run
from ludus.runs import folder as run_folder
from ludus.runs.times import seconds_left, seconds_spent
from ludus.web import forms, report_parts
from ludus.web.children import Children, Refused
from ludus.web.folders import Folders
from ludus.web.messages.school import (
    KeptPlayer,
    ResumeTraining,
    RunLine,
    RunOption,
    Runs,
    RunSeen,
    RunView,
    StopTraining,
    Train,
    TrainingStarted,
    WatchRun,
    WatchRuns,
)
from ludus.web.watching import changes, stamp

_CONFIG = "Config"  # a section of the report that the page shows in another way
_BEGUN = 3.0  # seconds after which a training that has not failed has begun


class _Seen(NamedTuple):
    """What is known of a run while its files do not change."""

    signature: tuple[object, ...]
    line: RunLine
    view: RunView | None


class School:
    """The runs under the folder of the server. What reads files may be called in any thread."""

    def __init__(self, folders: Folders, children: Children) -> None:
        self._folders = folders
        self._children = children
        self._seen: dict[str, _Seen] = {}

    def lines(self) -> list[RunLine]:
        """All runs, the running ones first, then the newest."""
        found = self._folders.search().runs
        for gone in self._seen.keys() - found.keys():
            self._seen.pop(gone, None)
        lines = [self._look(key, path).line for key, path in found.items()]
        return sorted(lines, key=lambda line: (line.state != "running", _reversed(line.date), line.run))

    def answer(self) -> Runs:
        """The list of runs as a message."""
        return Runs(
            runs=self.lines(),
            folder=self._folders.root.resolve().name,
            trainings=self._children.allowed,
            room=self._children.room,
            failures=self._children.failures(),
        )

    def view(self, key: str) -> RunView:
        """All that the page shows of a run. Raises NotThere."""
        path = self._folders.run(key)
        seen = self._look(key, path)
        if seen.view is None:
            seen = seen._replace(view=_view(key, path, seen.line))
            self._seen[key] = seen
        assert seen.view is not None
        return seen.view

    async def watch_runs(self, _: WatchRuns) -> AsyncIterator[Runs]:
        """The list of runs, and again whenever it changes."""
        async for answer in changes(self.answer):
            yield answer

    async def watch_run(self, request: WatchRun) -> AsyncIterator[RunSeen]:
        """A run, and again whenever it changes. Raises NotThere, also when it is removed."""
        async for view in changes(lambda: self.view(request.run)):
            yield RunSeen(view=view)

    async def train(self, request: Train) -> TrainingStarted:
        """Starts a training. Raises ValueError."""
        self._children.require_allowed()
        learner = await asyncio.to_thread(
            forms.learner, request.learner, request.preset, request.options, self._folders
        )
        name = request.name or _safe(f"{learner.kind}-{learner.name}")
        path = run_folder.free(self._folders.root / name)
        if request.name is not None and path.name != request.name:
            raise Refused(f"there is a folder {request.name} already")
        words = [*options.words(learner), "--out", str(path), "--concurrency", str(self._children.concurrency)]
        key = self._folders.key(path)
        await self._children.start(key, words, _begun(path))
        return TrainingStarted(run=key)

    async def stop(self, request: StopTraining) -> TrainingStarted:
        """Stops a training that this server started. Raises ValueError."""
        self._children.require_allowed()
        await self._children.stop(request.run)
        return TrainingStarted(run=request.run)

    async def resume(self, request: ResumeTraining) -> TrainingStarted:
        """Goes on with a run that was stopped. Raises ValueError."""
        self._children.require_allowed()
        path = await asyncio.to_thread(self._folders.run, request.run)
        line = (await asyncio.to_thread(self._look, request.run, path)).line
        if line.state != "stopped":
            raise Refused(f"{request.run} is {line.state}: only a stopped run can be resumed")
        words = ["train", "--resume", str(path), "--concurrency", str(self._children.concurrency)]
        await self._children.start(request.run, words, _begun(path))
        return TrainingStarted(run=request.run)

    def _look(self, key: str, path: Path) -> _Seen:
        signature = (*_signature(path), self._children.has(key))
        seen = self._seen.get(key)
        if seen is None or seen.signature != signature:
            seen = _Seen(signature, _line(key, path, here=self._children.has(key)), None)
            self._seen[key] = seen
        return seen


def _signature(path: Path) -> tuple[object, ...]:
    """It changes whenever a run does."""
    files = [path / name for name in (run_folder.CONFIG, run_folder.RECORD, run_folder.TIMES, players.RESULT)]
    return (run_folder.is_locked(path), *map(stamp, (*files, *run_folder.checkpoints(path)[:1])))


def _line(key: str, path: Path, *, here: bool) -> RunLine:
    """A run in the list."""
    try:
        run = Run.open(path)
        times = run.times()
    except (ValueError, OSError) as error:
        return _broken(key, str(error).replace(str(path), key))
    status = run.status()
    running = status.state == "running"
    done = max(status.done, int(times[-1]["done"])) if running and times else status.done
    return RunLine(
        run=key,
        kind=run.config.kind,
        name=run.learner.name,
        game=getattr(run.learner, "game", DEFAULT_GAME),
        state=status.state.value,
        done=done,
        total=status.total,
        unit=run.learner.unit,
        stage=status.stage,
        note=status.note.replace(str(path), key),  # ids, not paths
        date=run.config.date,
        seconds=seconds_spent(times),
        left=seconds_left(times, status.total) if running else None,
        here=here,
        player=key if run.player.exists() else None,
    )


def _broken(key: str, reason: str) -> RunLine:
    return RunLine(
        run=key,
        kind="",
        name="",
        game="",
        state="broken",
        done=0,
        total=0,
        unit="",
        stage="",
        note=reason,
        date="",
        seconds=0.0,
        left=None,
        here=False,
        player=None,
    )


def _view(key: str, path: Path, line: RunLine) -> RunView:
    kept = {file.stem: f"{key}@{file.stem}" for file in sorted((path / players.KEPT).glob("[!.]*.safetensors"))}

    def named(generation: int) -> str | None:
        return kept.get(f"{generation:04}")

    try:
        run = report_folder.read(path)
        found = [each for each in run_report.sections(run) if each.heading != _CONFIG]
        sections = [report_parts.section(each, named) for each in found]
        intro, command, config = run_report.intro(run), run.command, _config(path)
    except (ValueError, OSError, KeyError, TypeError, IndexError) as error:
        # A record of another version may lack what a report reads.
        intro = str(error) if isinstance(error, ValueError) else f"The record cannot be shown: {error!r}"
        sections, command, config = [], "", []
    return RunView(
        line=line,
        command=command,
        intro=intro,
        sections=sections,
        config=config,
        kept=[KeptPlayer(key=stem, player=name) for stem, name in kept.items()],
    )


def _config(path: Path) -> list[RunOption]:
    """The options of a run as they would be typed."""
    learner = Run.open(path).learner
    values = registry.values(learner)
    found = []
    for option in options.options(type(learner)):
        typed = option.write(values[option.field]) if option.field in values else None
        found.append(
            RunOption(
                field=option.field,
                name=option.flag[2:].replace("-", " "),
                value=typed or "",
                usual=typed == option.default,
            )
        )
    return found


def _begun(path: Path) -> Callable[[], bool]:
    """Says whether a training has begun: it has yielded something, or has worked for a while without an error."""
    before = _size(path / run_folder.TIMES)
    since: list[float] = []

    def begun() -> bool:
        if _size(path / run_folder.TIMES) > before:
            return True
        if not run_folder.is_locked(path):
            return False
        since.append(time.monotonic())
        return since[-1] - since[0] > _BEGUN

    return begun


def _size(path: Path) -> int:
    found = stamp(path)
    return found[1] if found else 0


def _safe(name: str) -> str:
    """A name for a folder."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:100]


def _reversed(date: str) -> tuple[int, ...]:
    """A key that sorts the newest date first."""
    return tuple(-ord(letter) for letter in date)
