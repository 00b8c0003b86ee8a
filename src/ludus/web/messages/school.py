"""The messages of the school: runs, their curves, the forms of the learners, and trainings."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from ludus.web.messages.base import Answer, Name, Request
from ludus.web.messages.parts import ReportSection

State = Literal["finished", "running", "stopped", "broken"]
Typed = bool | int | float | Annotated[str, Meta(max_length=10_000)]  # the value of an option as a form has it
RunName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]  # of a new folder


class RunLine(Struct, frozen=True, kw_only=True):
    """A run in the list of runs."""

    run: str  # its id
    kind: str
    name: str  # what distinguishes it from others of its kind
    game: str
    state: State
    done: int
    total: int  # 0 until it is known
    unit: str
    stage: str
    note: str  # the last result, or what is broken
    date: str
    seconds: float  # of work, all sessions together
    left: float | None  # seconds to the end, as far as the speed tells
    here: bool  # this server started it and can stop it
    player: str | None  # the name of its result for play


class RunOption(Struct, frozen=True, kw_only=True):
    """A value in the config of a run."""

    field: str
    name: str
    value: str  # as it is typed; empty for none
    usual: bool  # it is the default


class KeptPlayer(Struct, frozen=True, kw_only=True):
    """A player that a run has kept."""

    key: str
    player: str  # its name for play


class RunView(Struct, frozen=True, kw_only=True):
    """All that the page shows of a run."""

    line: RunLine
    command: str
    intro: str
    sections: list[ReportSection]
    config: list[RunOption]
    kept: list[KeptPlayer]


class FormField(Struct, frozen=True, kw_only=True):
    """An option of a learner."""

    field: str
    label: str
    takes: Literal["yes or no", "whole number", "number", "choice", "text"]
    help: str
    default: str | None  # as it is typed; None: there is none, and an empty field means so
    choices: list[str]
    least: float | None
    most: float | None


class FormPreset(Struct, frozen=True, kw_only=True):
    """Values of options that belong together, as they are typed."""

    name: str
    values: dict[str, str]


class LearnerForm(Struct, frozen=True, kw_only=True):
    """The form of a kind of learner: its options in their order."""

    kind: str
    title: str
    words: str
    unit: str
    presets: list[FormPreset]
    fields: list[FormField]


class WatchRuns(Request, frozen=True, kw_only=True, tag="watch-runs"):
    """Asks for the list of runs, and again whenever it changes."""


class WatchRun(Request, frozen=True, kw_only=True, tag="watch-run"):
    """Asks for a run, and again whenever it changes."""

    run: Name


class Train(Request, frozen=True, kw_only=True, tag="train"):
    """Starts a training: a preset, and the options that differ from it."""

    learner: Name  # its kind
    preset: Name | None = None
    options: Annotated[dict[Name, Typed], Meta(max_length=200)] = field(default_factory=dict)
    name: RunName | None = None  # of the folder of the run; without it, the kind and what distinguishes the run


class StopTraining(Request, frozen=True, kw_only=True, tag="stop-training"):
    """Stops a training that this server started."""

    run: Name


class ResumeTraining(Request, frozen=True, kw_only=True, tag="resume-training"):
    """Goes on with a run that was stopped."""

    run: Name


class Runs(Answer, frozen=True, kw_only=True, tag="runs"):
    """The list of runs."""

    runs: list[RunLine]
    folder: str  # the name of the folder of runs
    trainings: bool  # trainings and matches can be started here
    room: int  # how many more can be started now
    failures: list[str]  # why trainings and matches that this server started have failed lately
    final: bool = False


class RunSeen(Answer, frozen=True, kw_only=True, tag="run"):
    """A run as it is now."""

    view: RunView
    final: bool = False


class TrainingStarted(Answer, frozen=True, kw_only=True, tag="training"):
    """A training was started or stopped."""

    run: str


class Learners(Answer, frozen=True, kw_only=True, tag="learners"):
    """The forms of all learners."""

    forms: list[LearnerForm]


REQUESTS = (WatchRuns, WatchRun, Train, StopTraining, ResumeTraining)
ANSWERS = (Runs, RunSeen, TrainingStarted, Learners)
