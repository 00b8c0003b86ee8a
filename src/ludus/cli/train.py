"""The commands train and runs. The options of a learner are the fields of its config."""

import contextlib
import inspect
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ludus.cli.common import RUNS, app, exit_at_once, fail
from ludus.cli.common import note as note_once
from ludus.cli.options import ClusterOption, ConcurrencyOption, named_path
from ludus.harmless import harmless

if TYPE_CHECKING:
    from ludus.learning import Learner
    from ludus.learning.options import Option
    from ludus.runs import Run

_LONGEST_METAVAR = 40  # characters; longer lists of choices are in the text
_LENGTH = "ludus.length"  # where the option of a run's length is kept until it is known which learner has it


class Kinds(TyperGroup):
    """A command for each kind of learner, made only when it is used."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """With --resume, takes out the option of the run's length: each learner has its own."""
        if any(word == "--resume" or word.startswith("--resume=") for word in args):
            known = {flag for parameter in self.params for flag in (*parameter.opts, "--help", "-h")}
            ctx.meta[_LENGTH], args = _length_option(args, known)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        """The kinds."""
        from ludus.learning import registry

        return registry.kinds()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a kind, also of `module:class`; one that cannot be loaded says so when it is run."""
        from ludus import plugins
        from ludus.learning import registry

        if cmd_name not in registry.kinds() and not plugins.is_object_name(cmd_name):
            return None
        try:
            registry.load(cmd_name)
            return _command(cmd_name)
        except registry.BadConfig as error:
            return _broken_command(cmd_name, error)


group = typer.Typer(cls=Kinds, invoke_without_command=True, rich_markup_mode=None)
app.add_typer(group, name="train")


@group.callback()
def train(
    context: typer.Context,
    resume: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="RUN",
            help="Continue the run in this folder. Add the option of its length, such as --games N, --generations N or "
            "--sets N, to make it longer, also if it is finished.",
        ),
    ] = None,
    concurrency: ConcurrencyOption = None,
    cluster: ClusterOption = None,
) -> None:
    """Train a player, in a run that can be stopped and resumed.

    A run is a folder with the config, the record, the players and a report.
    A learner of your own is a command too: ludus train my_module:MyLearner.
    """
    if context.invoked_subcommand is not None:
        if resume is not None:
            fail("give a learner or --resume, not both")
        return
    if resume is None:
        print(context.get_help())
        return
    from ludus.learning import registry
    from ludus.runs import CONFIG, Config, Run

    try:
        if (resume / CONFIG).is_file():
            config = Config.read(resume / CONFIG)
            registry.load(config.kind)
            load_network(config.options)
        run = Run.open(resume)
        if length := context.meta.get(_LENGTH):
            run = run.lengthen(*_read_length(*length))
    except ValueError as error:
        fail(error)
    _go(run, concurrency, cluster, new=False)


def _length_option(args: list[str], known: set[str]) -> tuple[tuple[str, str] | None, list[str]]:
    """The first option that is not known, with its value, and the other words."""
    for place, word in enumerate(args):
        flag, equals, value = word.partition("=")
        if flag.startswith("--") and flag not in known:
            after = place + 1 if equals else place + 2
            return (flag[2:], value if equals else " ".join(args[place + 1 : after])), args[:place] + args[after:]
    return None, args


def _read_length(option: str, text: str) -> tuple[str, int]:
    """The option as a field, and its number. Raises ValueError."""
    digits = text.replace("_", "").replace(",", "")
    if not digits.isdecimal():
        raise ValueError(f"--{option} is the length of a run, a whole number, not '{text}'")
    return option.replace("-", "_"), int(digits)


def load_network(options: dict[str, Any]) -> None:
    """Imports the module of a network `module:network` of these options, if they name one. Raises ValueError."""
    from ludus import plugins

    if plugins.is_object_name(name := str(options.get("network", ""))):
        plugins.load_object(name)


def _broken_command(kind: str, error: Exception) -> Any:
    """The command of a learner that cannot be loaded."""
    single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

    @single.command(kind, help="(It cannot be loaded.)", context_settings={"ignore_unknown_options": True})
    def broken(_: Annotated[list[str] | None, typer.Argument(hidden=True)] = None) -> None:
        fail(error)

    return typer.main.get_command(single)


def _command(kind: str) -> Any:
    """The command that trains a learner of this kind."""
    from ludus.learning import registry
    from ludus.learning.options import options

    learner = registry.named(kind)
    fields = options(learner)
    presets: dict[str, dict[str, Any]] = getattr(learner, "presets", {})
    own: dict[str, Any] = {
        "out": Annotated[
            Path | None,
            typer.Option(
                parser=named_path, metavar="FOLDER", help=f"The folder of the run. Default: runs/{learner.kind}-NAME."
            ),
        ],
        "config": Annotated[
            Path | None,
            typer.Option(
                parser=named_path,
                metavar="FILE",
                help="Take the options from this config file. Options on the command line have precedence.",
            ),
        ],
        "concurrency": ConcurrencyOption,
        "cluster": ClusterOption,
    }
    if presets:
        choice = _choice("preset", presets)
        usual = "".join(f" Default: {name}." for name, changes in presets.items() if not changes)
        own["preset"] = Annotated[
            choice | None,
            typer.Option(
                help="Start from these option values. Other options on the command line have precedence." + usual
            ),
        ]

    def begin(**given: Any) -> None:
        from ludus.runs import Run

        base: dict[str, Any] = {}
        preset, config = given.get("preset"), given["config"]
        if preset is not None and config is not None:
            fail("give a preset or a config file, not both")
        try:
            if preset is not None:
                base = dict(presets[preset.value])
            elif config is not None:
                base = _base(config, kind)
            for option in fields:
                typed = given[option.field]
                if typed is not None:
                    base[option.field] = option.read(typed.value if isinstance(typed, Enum) else typed)
            load_network(base)
            made = registry.make(kind, base)
            run = _create(made, given["out"], f"ludus {shlex.join(sys.argv[1:])}", Run.create)
        except ValueError as error:
            fail(error)
        _go(run, given["concurrency"], given["cluster"], new=True)

    annotations = {option.field: _annotation(option) for option in fields} | own
    begin.__annotations__ = annotations
    begin.__doc__ = learner.__doc__
    begin.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
            for name, annotation in annotations.items()
        ]
    )
    single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    single.command(kind, context_settings={"help_option_names": ["-h", "--help"]})(begin)
    return typer.main.get_command(single)


def _annotation(option: "Option") -> Any:
    takes: Any = option.takes
    if option.choices:
        takes = _choice(option.field, option.choices)
    flag = f"{option.flag}/--no-{option.flag[2:]}" if takes is bool else option.flag
    text, metavar = option.help, {int: "N", float: "X", str: "TEXT"}.get(takes)
    if len("|".join(map(str, option.choices))) > _LONGEST_METAVAR:
        text, metavar = f"{text} One of {', '.join(map(str, option.choices))}.", "NAME"
    if option.default:  # an empty text would look like a mistake
        text += f" [default: {option.default}]"
    # A maximum as large as that of a seed tells a reader nothing; the learner checks it.
    most = None if option.most is not None and option.most > 2**32 else option.most
    return Annotated[
        takes | None,
        typer.Option(flag, metavar=metavar, help=text, min=option.least, max=most, show_default=False),
    ]


def _choice(name: str, values: Iterable[object]) -> Any:
    make: Any = Enum  # called with names that are known only now
    return make(name, {str(value): str(value) for value in values})


def _base(path: Path, kind: str) -> dict[str, Any]:
    from ludus.runs import Config

    config = Config.read(path)
    if config.kind != kind:
        raise ValueError(f"{path} is a config of {config.kind}, not of {kind}")
    return dict(config.options)


def _create(
    learner: "Learner", out: Path | None, command: str, create: Callable[[Path, "Learner", str], "Run"]
) -> "Run":
    if out is not None:
        return create(out, learner, command)
    from ludus.runs.folder import free

    return create(free(RUNS / f"{learner.kind}-{learner.name}"), learner, command)


def _go(run: "Run", concurrency: int | None, cluster: str | None, *, new: bool) -> None:
    """Runs a learner to its end, or to Ctrl-C, with a progress bar, and prints the result."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ludus import players, reports
    from ludus.cli.progress import SECONDS
    from ludus.learning import length_field
    from ludus.runs import quoted
    from ludus.workers import Workers

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description} {task.fields[note]}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}", markup=False),
        TimeRemainingColumn(),
    )
    unit, told, told_at, note, begun = run.learner.unit, -1, time.monotonic(), "", False
    try:
        with (
            Workers.open(concurrency, cluster=cluster) as workers,
            Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars,
        ):
            bar = bars.add_task(run.config.kind, total=None, note="", speed="")
            training = run.train(workers, note_once)
            with contextlib.closing(training):
                for progress in training:
                    begun = True
                    note = progress.note or note
                    speed = bars.tasks[0].speed
                    bars.update(
                        bar,
                        completed=progress.done,
                        total=progress.total,
                        description=progress.stage or run.config.kind,
                        note=note,
                        speed=f"{speed:,.0f} {unit}/s" if speed else "",
                    )
                    if progress.curve:  # it stays above the bar
                        bars.console.print(progress.curve, markup=False, highlight=False, soft_wrap=True)
                    tenth = 10 * progress.done // max(progress.total, 1)
                    is_due = tenth != told or time.monotonic() - told_at >= SECONDS
                    if not console.is_terminal and is_due:
                        told, told_at = tenth, time.monotonic()
                        words = (f"{progress.done:,} of {progress.total:,} {unit}", progress.stage, note)
                        print("; ".join(word for word in words if word), file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print(f"ludus: stopped; continue with: ludus train --resume {quoted(run.folder)}", file=sys.stderr)
        if (run.folder / players.NOW).is_file():
            print(f"it can play as it stands: ludus play --with {quoted(run.folder)}", file=sys.stderr)
        exit_at_once(130)
    except ValueError as error:
        if new and not begun:
            run.discard()
        fail(error)
    status = run.status()
    if not begun and (length := length_field(run.learner)):
        longer = f"ludus train --resume {quoted(run.folder)} --{length} N"
        print(f"ludus: it is finished; to make it longer: {longer}", file=sys.stderr)
    print(harmless(f"{run.folder}: {status.done:,} {unit}" + (f"; {status.note}" if status.note else "")))
    print(f"the player: {os.fspath(run.player)}")
    try:
        print(f"the report: {os.fspath(reports.write(run.folder))}")
    except ValueError as error:
        fail(error)
    except OSError as error:
        fail(f"the report cannot be written in {run.folder}: {error.strerror}")
