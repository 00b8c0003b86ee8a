"""Steps of a study: trainings and matches that run one after the other, each in a folder of its own.

A training is a run under `runs`, with its report; a match is a journal under `matches`. A step that was stopped goes on
where it was, a finished step is not done again, and the games of a step run in parallel.
"""

import contextlib
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from ludus import players, reports, runs
from ludus.arena import match
from ludus.arena.journal import Journal
from ludus.arena.match import MatchConfig, Standing
from ludus.learning import Learner, Options, Record, options, registry
from ludus.players import Player
from ludus.runs import Run, RunState
from ludus.studies import BadStudy
from ludus.workers import Workers


class TrainingStep(Struct, frozen=True, kw_only=True):
    """A training: a learner as plain values, and the name of its run."""

    name: str
    kind: str
    options: Options
    generalist: str = ""  # the name of the training whose player is the learner's generalist

    @property
    def label(self) -> str:
        """The words for it while the study runs."""
        return f"training {self.name}"


class MatchPlayer(Struct, frozen=True):
    """A player of a match: the result of a training, one that it kept as TRAINING@KEY, or a named player."""

    name: str  # with @BUDGET, if it is not the player's own
    dynamics: str = ""  # of a team, if it is not the one it was trained with

    def __str__(self) -> str:
        return f"{self.name}-{self.dynamics}" if self.dynamics else self.name


class MatchStep(Struct, frozen=True, kw_only=True):
    """A match between two players."""

    one: MatchPlayer
    other: MatchPlayer
    config: MatchConfig

    @property
    def label(self) -> str:
        """The words for it while the study runs."""
        return f"{self.one} x {self.other}"

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"{self.one}-x-{self.other}-{self.config.seed}".replace("@", "-").replace("=", "")


Step = TrainingStep | MatchStep


class StepStore:
    """The results of a study's steps, in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._standings: dict[str, Standing] = {}

    def close(self) -> None:
        """Does nothing: no file is open between two steps."""

    def __contains__(self, step: Step) -> bool:
        if isinstance(step, MatchStep):
            return self.standing(step) is not None
        run = self._run(step)
        return run is not None and run.status().state is RunState.FINISHED

    def fill(self, steps: Iterable[Step], workers: Workers) -> Iterator[Step]:
        """Does the steps that are not finished, in order; yields each when it is. Raises ValueError."""
        for step in steps:
            if step in self:
                continue
            if isinstance(step, TrainingStep):
                self._train(step, workers)
            else:
                self._play(step, workers)
            yield step

    def done(self, step: TrainingStep) -> int:
        """How far a training has come, in its learner's unit."""
        run = self._run(step)
        return 0 if run is None else run.status().done

    def record(self, step: TrainingStep) -> tuple[list[Record], list[Record]]:
        """The lines of a training's record so far, and those of its times."""
        run = self._run(step)
        return (run.record(), run.times()) if run else ([], [])

    def standing(self, step: MatchStep) -> Standing | None:
        """The final standing of a match; None if it is not finished."""
        if step.name not in self._standings and (self.folder / "matches" / step.name).is_dir():
            with contextlib.closing(self._match(step, Workers())) as standings:
                self._keep(step, next(standings))  # the standing by the journal
        return self._standings.get(step.name)

    def player(self, player: MatchPlayer) -> Player:
        """The player itself. Raises BadPlayer, also if its training is not finished."""
        folder = self._folder(player.name.partition("@")[0])
        name = str(self._folder(player.name)) if folder.is_dir() else player.name
        found = players.find(name, "draughts")
        if player.dynamics:
            team = msgspec.structs.replace(found.evaluator, dynamics=player.dynamics)  # type: ignore[type-var]
            found = msgspec.structs.replace(found, evaluator=team)
        return msgspec.structs.replace(found, name=str(player))

    def _train(self, step: TrainingStep, workers: Workers) -> None:
        run = self._run(step)
        if run is None:
            learner = self._learner(step)
            run = Run.create(self._folder(step.name), learner, options.command(learner))
        with contextlib.closing(run.train(workers)) as training:
            for _ in training:
                pass
        reports.write(run.folder)

    def _run(self, step: TrainingStep) -> Run | None:
        """The run of a training, if it has begun. Raises BadStudy if the folder has a run of another learner."""
        folder = self._folder(step.name)
        if not (folder / runs.CONFIG).is_file():
            return None
        run = Run.open(folder)
        begun = TrainingStep(
            name=step.name, kind=run.config.kind, options=run.config.options, generalist=step.generalist
        )
        # Compared with this folder's generalist, because the study's folder may have been renamed.
        if self._learner(begun) != self._learner(step):
            raise BadStudy(f"{self.folder} holds another study: the options of {folder} are not those of this one")
        return run

    def _learner(self, step: TrainingStep) -> Learner:
        values = dict(step.options)
        if step.generalist:
            values["generalist"] = str(self._folder(step.generalist))
        return registry.make(step.kind, values)

    def _folder(self, training: str) -> Path:
        return self.folder / "runs" / training

    def _play(self, step: MatchStep, workers: Workers) -> None:
        with contextlib.closing(self._match(step, workers)) as standings:
            for standing in standings:
                self._keep(step, standing)

    def _match(self, step: MatchStep, workers: Workers) -> Generator[Standing, None, None]:
        pair = (self.player(step.one), self.player(step.other))
        folder = self.folder / "matches" / step.name
        with contextlib.closing(Journal(folder, match.fingerprint(pair, step.config))) as journal:
            yield from match.play(pair, step.config, workers, journal)

    def _keep(self, step: MatchStep, standing: Standing) -> None:
        if standing.finished:
            self._standings[step.name] = standing
