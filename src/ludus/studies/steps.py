"""Steps of a study: trainings, matches and exams that run one after the other, each in a folder of its own.

A training is a run under `runs`, with its report; a match is a journal under `matches`, an exam one under `exams`. A
step that was stopped goes on where it was, a finished step is not done again, and the games of a step run in parallel.
`seconds` of a step is an estimate of its processor time.
"""

import contextlib
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from ludus import players, reports, runs
from ludus.arena import exam, matches
from ludus.arena.exam import ExamConfig, ExamResult, Question
from ludus.arena.journal import Journal
from ludus.arena.matches import MatchConfig, Standing
from ludus.endgames import load as load_tables
from ludus.files import remove_unfinished
from ludus.games import draughts
from ludus.learning import Learner, Options, Record, options, registry
from ludus.players import Player, searches
from ludus.players.searches import AlphaBeta, Budget, Ept, Minimax
from ludus.runs import Run, RunState
from ludus.runs.folder import REPORT
from ludus.studies import BadStudy
from ludus.workers import Workers


class TrainingStep(Struct, frozen=True, kw_only=True):
    """A training: a learner as plain values, and the name of its run."""

    name: str
    kind: str
    options: Options
    generalist: str = ""  # the name of the training whose player is the learner's generalist
    seconds: float = 0.0

    @property
    def label(self) -> str:
        """The words for it while the study runs."""
        return f"training {self.name}"


SearchName = Literal["", "minimax", "alphabeta", "ept"]
_SEARCHES = {"minimax": Minimax(), "alphabeta": AlphaBeta(), "ept": Ept()}


class MatchPlayer(Struct, frozen=True):
    """A player of a match: the result of a training, one that it kept as TRAINING@KEY, or a named player."""

    name: str  # with @BUDGET, if it is not the player's own
    dynamics: str = ""  # of a team, if it is not the one it was trained with
    search: SearchName = ""  # if it is not the one it was trained with
    budget: str = ""  # of that search

    def __str__(self) -> str:
        changed = "-".join(filter(None, (self.name, self.dynamics, self.search)))
        return f"{changed}@{self.budget}" if self.budget else changed


class MatchStep(Struct, frozen=True, kw_only=True):
    """A match between two players.

    With `timed_by`, the second player gets as many seconds a move as the first player of that match took.
    """

    one: MatchPlayer
    other: MatchPlayer
    config: MatchConfig
    timed_by: "MatchStep | None" = None
    seconds: float = 0.0

    @property
    def label(self) -> str:
        """The words for it while the study runs."""
        return f"{self.one} x {self.other}"

    @property
    def name(self) -> str:
        """The name of its folder."""
        return _folder_name(f"{self.one}-x-{self.other}-{self.config.seed}")


class ExamStep(Struct, frozen=True, kw_only=True):
    """The exam of a player in endings."""

    player: MatchPlayer
    config: ExamConfig
    seconds: float = 0.0

    @property
    def label(self) -> str:
        """The words for it while the study runs."""
        return f"exam of {self.player}"

    @property
    def name(self) -> str:
        """The name of its folder."""
        return _folder_name(f"{self.player}-{self.config.seed}")


def _folder_name(text: str) -> str:
    return text.replace("@", "-").replace("=", "")


Step = TrainingStep | MatchStep | ExamStep


class StepStore:
    """The results of a study's steps, in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._standings: dict[str, Standing] = {}
        self._exams: dict[str, ExamResult] = {}
        self._questions: dict[ExamConfig, list[Question]] = {}

    def close(self) -> None:
        """Does nothing: no file is open between two steps."""

    def __contains__(self, step: Step) -> bool:
        if isinstance(step, MatchStep):
            return self.standing(step) is not None
        if isinstance(step, ExamStep):
            return self.exam(step) is not None
        run = self._run(step)
        return run is not None and run.status().state is RunState.FINISHED

    def fill(self, steps: Iterable[Step], workers: Workers) -> Iterator[Step]:
        """Does the steps that are not finished, in order; yields each when it is. Raises ValueError."""
        for step in steps:
            if step in self:
                if isinstance(step, TrainingStep):
                    self._finish_report(step)
                continue
            if isinstance(step, TrainingStep):
                self._train(step, workers)
            elif isinstance(step, MatchStep):
                self._play(step, workers)
            else:
                self._examine(step, workers)
            yield step

    def done(self, step: TrainingStep) -> int:
        """How far a training has come, in its learner's unit."""
        run = self._run(step)
        return 0 if run is None else run.status().done

    def record(self, step: TrainingStep) -> tuple[list[Record], list[Record]]:
        """The lines of a finished training's record, and those of its times; none if it is not finished."""
        run = self._run(step) if step in self else None
        return (run.record(), run.times()) if run else ([], [])

    def cpu(self, step: TrainingStep) -> float | None:
        """The processor seconds of a finished training; None if it is not finished or the times are lost."""
        times = self.record(step)[1]
        return float(times[-1]["cpu"]) if times else None

    def standing(self, step: MatchStep) -> Standing | None:
        """The final standing of a match; None if it is not finished."""
        if step.name not in self._standings and (self.folder / "matches" / step.name).is_dir():
            with contextlib.closing(self._match(step, Workers())) as standings:
                self._keep(step, next(standings))  # the standing by the journal
        return self._standings.get(step.name)

    def exam(self, step: ExamStep) -> ExamResult | None:
        """The result of an exam; None if it is not finished."""
        if step.name not in self._exams and (self.folder / "exams" / step.name).is_dir():
            self._examine(step, None)
        return self._exams.get(step.name)

    def questions(self, config: ExamConfig) -> list[Question]:
        """The positions of an exam."""
        if config not in self._questions:
            tables = load_tables(config.pieces)
            self._questions[config] = exam.draw_questions(tables, config.pieces, config.games, config.seed)
        return self._questions[config]

    def player(self, player: MatchPlayer) -> Player:
        """The player itself. Raises BadPlayer, also if its training is not finished."""
        folder = self._folder(player.name.partition("@")[0])
        name = str(self._folder(player.name)) if folder.is_dir() else player.name
        found = players.find(name, "draughts")
        if player.dynamics:
            found = found.with_dynamics(player.dynamics)
        if player.search and player.search != searches.kind(found.search):  # a search of its own may have options
            found = msgspec.structs.replace(found, search=_SEARCHES[player.search], budget=None)
        if player.budget:
            found = found.with_budget(Budget.parse(player.budget))
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

    def _finish_report(self, step: TrainingStep) -> None:
        """Writes the report of a finished training, if the study was killed before it was there."""
        folder = self._folder(step.name)
        remove_unfinished(folder, (REPORT,))
        if not (folder / REPORT).exists():
            reports.write(folder)

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
        other = step.other
        if step.timed_by is not None:
            other = msgspec.structs.replace(other, budget=f"seconds={self._seconds_a_move(step.timed_by):.3g}")
        pair = (self.player(step.one), self.player(other))
        folder = self.folder / "matches" / step.name
        with contextlib.closing(Journal(folder, matches.fingerprint(pair, step.config))) as journal:
            yield from matches.play(pair, step.config, workers, journal)

    def _seconds_a_move(self, step: MatchStep) -> float:
        """The mean time of a move of the first player in a finished match. Raises BadStudy."""
        standing = self.standing(step)
        if standing is None:
            raise BadStudy(f"{step.label} is not finished, and another match needs its times")
        return seconds_a_move(standing)[0]

    def _examine(self, step: ExamStep, workers: Workers | None) -> None:
        """Plays the missing games of an exam, or with no workers only reads those that were played."""
        player, questions = self.player(step.player), self.questions(step.config)
        identity = exam.fingerprint(player, step.config, load_tables(step.config.pieces))
        with contextlib.closing(Journal(self.folder / "exams" / step.name, identity)) as journal:
            if workers is not None:
                for _ in exam.play(player, questions, step.config, None, workers, journal):
                    pass
            played = exam.answered(questions, journal)
        if len(played) == len(questions):
            self._exams[step.name] = ExamResult.of(str(step.player), questions, played)

    def _keep(self, step: MatchStep, standing: Standing) -> None:
        if standing.finished:
            self._standings[step.name] = standing


def seconds_a_move(standing: Standing) -> tuple[float, float]:
    """The mean time of a move of each player of a match, in seconds by the clock."""
    return standing.totals(draughts.GAME).per_move()[1]
