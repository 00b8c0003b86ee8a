"""Steps of a study: trainings and matches, each in a folder of its own, one after the other; what is done stays done.

A training is a run under `runs`, with its report; a match is a journal under `matches`. Both go on where they were
stopped, and inside each the games run side by side.
"""

import contextlib
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ludus import players, reports, runs
from ludus.arena import match
from ludus.arena.journal import Journal
from ludus.arena.match import MatchConfig, Standing
from ludus.learning import Learner, options, registry
from ludus.players import Player
from ludus.runs import Condition, Run
from ludus.studies.trials import BadStudy
from ludus.workers import Workers


class Training(Struct, frozen=True, kw_only=True):
    """A learner as plain values, by the name of its run."""

    name: str
    kind: str
    options: dict[str, Any]
    generalist: str = ""  # the training whose player is its option of that name

    @property
    def cell(self) -> str:
        """For people who watch."""
        return f"training {self.name}"


class Entrant(Struct, frozen=True):
    """Who plays: the result of a training, one that it has kept as TRAINING@KEY, or a player of ours; with @BUDGET."""

    name: str
    dynamics: str = ""  # of a team: another than it was trained for

    def __str__(self) -> str:
        return f"{self.name}-{self.dynamics}" if self.dynamics else self.name


class Meeting(Struct, frozen=True, kw_only=True):
    """A match."""

    one: Entrant
    other: Entrant
    config: MatchConfig

    @property
    def cell(self) -> str:
        """For people who watch."""
        return f"{self.one} x {self.other}"

    @property
    def name(self) -> str:
        """Of its folder."""
        return f"{self.one}-x-{self.other}-{self.config.seed}".replace("@", "-").replace("=", "")


Step = Training | Meeting


class Steps:
    """What is done of a study, in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._standings: dict[str, Standing] = {}

    def close(self) -> None:
        """Nothing stays open between two steps."""

    def __contains__(self, step: Step) -> bool:
        if isinstance(step, Meeting):
            return self.standing(step) is not None
        run = self._run(step)
        return run is not None and run.status().condition is Condition.FINISHED

    def fill(self, wanted: Iterable[Step], workers: Workers) -> Iterator[Step]:
        """Does the steps that are not done, in their order; each once it is kept. Raises ValueError."""
        for step in wanted:
            if step in self:
                continue
            if isinstance(step, Training):
                self._train(step, workers)
            else:
                self._meet(step, workers)
            yield step

    def learned(self, training: Training) -> int:
        """How far a training has come, in its learner's unit."""
        run = self._run(training)
        return 0 if run is None else run.status().done

    def record(self, training: Training) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The lines of a training so far, and those of its times."""
        run = self._run(training)
        return (run.record(), run.times()) if run else ([], [])

    def standing(self, meeting: Meeting) -> Standing | None:
        """The end of a match; None as long as it is not finished."""
        if meeting.name not in self._standings and (self.folder / "matches" / meeting.name).is_dir():
            with contextlib.closing(self._match(meeting, Workers())) as standings:
                self._take(meeting, next(standings))  # what is kept already
        return self._standings.get(meeting.name)

    def player(self, entrant: Entrant) -> Player:
        """Who it is. Raises BadPlayer, for one whose training is not finished, too."""
        folder = self._folder(entrant.name.partition("@")[0])
        whose = str(self._folder(entrant.name)) if folder.is_dir() else entrant.name
        player = players.find(whose, "draughts")
        if entrant.dynamics:
            team = msgspec.structs.replace(player.evaluator, dynamics=entrant.dynamics)  # type: ignore[type-var]
            player = msgspec.structs.replace(player, evaluator=team)
        return msgspec.structs.replace(player, name=str(entrant))

    def _train(self, training: Training, workers: Workers) -> None:
        run = self._run(training)
        if run is None:
            learner = self._learner(training)
            run = Run.create(self._folder(training.name), learner, options.command(learner))
        following = run.follow(workers)
        with contextlib.closing(following):  # type: ignore[type-var]  # it is a generator
            for _ in following:
                pass
        reports.write(run.folder)

    def _run(self, training: Training) -> Run | None:
        """The run of a training, if it has begun. Raises BadStudy when another one has."""
        folder = self._folder(training.name)
        if not (folder / runs.CONFIG).is_file():
            return None
        run = Run.open(folder)
        begun: Any = run.learner
        if training.generalist:  # the study's folder may be called otherwise by now
            begun = msgspec.structs.replace(begun, generalist=str(self._folder(training.generalist)))
        if begun != self._learner(training):
            raise BadStudy(f"{self.folder} holds another study: the options of {folder} are not this one's")
        return run

    def _learner(self, training: Training) -> Learner:
        values = dict(training.options)
        if training.generalist:
            values["generalist"] = str(self._folder(training.generalist))
        return registry.make(training.kind, values)

    def _folder(self, training: str) -> Path:
        return self.folder / "runs" / training

    def _meet(self, meeting: Meeting, workers: Workers) -> None:
        with contextlib.closing(self._match(meeting, workers)) as standings:
            for standing in standings:
                self._take(meeting, standing)

    def _match(self, meeting: Meeting, workers: Workers) -> Generator[Standing, None, None]:
        pair = (self.player(meeting.one), self.player(meeting.other))
        folder = self.folder / "matches" / meeting.name
        with contextlib.closing(Journal(folder, match.fingerprint(pair, meeting.config))) as journal:
            yield from match.play(pair, meeting.config, workers, journal)

    def _take(self, meeting: Meeting, standing: Standing) -> None:
        if standing.finished:
            self._standings[meeting.name] = standing
