"""The commands endgame build, endgame verify and endgame probe: perfect play with few pieces."""

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.common import app, exit_at_once, fail, print_json, read_position
from ludus.cli.options import ConcurrencyOption, JsonOption, named_path

group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(group, name="endgame", help="Build, check and ask endgame tables of draughts.")

_WHERE = "Default: $LUDUS_ENDGAMES, else ludus/endgames in the folder for data of the platform."
_SECONDS = 30.0  # between two lines of progress, without a terminal


class _Bar:
    """How far a command is: a bar on a terminal, else a line now and then."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        self.console = Console(stderr=True)
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
        )
        self.progress = Progress(*columns, console=self.console, transient=True, disable=not self.console.is_terminal)
        self.task = self.progress.add_task("", total=None)
        self.begin = self.told = time.monotonic()
        self.fresh = 0

    def update(self, done: int, fresh: int, total: int, text: str) -> None:
        """Shows that `done` of `total` positions are done, `fresh` of them by this command."""
        self.fresh = fresh
        self.progress.update(self.task, completed=done, total=total, description=text)
        now = time.monotonic()
        if self.console.is_terminal or now - self.told < _SECONDS:
            return
        self.told = now
        left = f"; about {(total - done) * (now - self.begin) / fresh:,.0f} s left" if fresh else ""
        print(f"{text}: {done:,} of {total:,} positions{left}", file=sys.stderr, flush=True)


@group.command()
def build(
    pieces: Annotated[
        int, typer.Option(metavar="N", help="The most pieces on the board, of both sides.", min=2, max=6)
    ],
    out: Annotated[
        Path | None, typer.Option(parser=named_path, metavar="FOLDER", help=f"The folder of the tables. {_WHERE}")
    ] = None,
    concurrency: ConcurrencyOption = None,
) -> None:
    """Build the tables of all positions with at most N pieces.

    Finished parts are kept in the folder, so the same command continues a build that was stopped or killed. Up to 5
    pieces the tables have results and distances, with 6 only results.
    """
    from ludus.endgames import build as building
    from ludus.endgames import default_folder

    folder = out or default_folder()
    try:
        plan = building.plan(pieces, folder)
        if not plan.missing:
            print(f"{folder}: the tables of 2 to {pieces} pieces are finished")
            return
        print(
            f"{folder}: tables of {_numbers(plan.missing)} pieces, {plan.positions:,} positions; needs "
            f"{plan.memory / 1e6:,.0f} MB of memory and {plan.disk / 1e6:,.1f} MB of disk space, of which "
            f"{plan.free / 1e9:,.1f} GB are free",
            flush=True,
        )
        begin = time.monotonic()
        bar = _Bar()
        with bar.progress:
            building.build(
                plan,
                concurrency or os.cpu_count() or 1,
                lambda progress: bar.update(
                    progress.done,
                    progress.built,
                    progress.total,
                    f"{progress.pieces} pieces, {_slice_text(progress.pair[0])}, {max(progress.distance, 0)} plies",
                ),
            )
    except KeyboardInterrupt:
        print("ludus: stopped; the same command continues", file=sys.stderr)
        exit_at_once(130)
    except ValueError as error:
        fail(error)
    except OSError as error:
        fail(f"the tables cannot be written in {folder}: {error.strerror}; what is finished is kept")
    seconds = time.monotonic() - begin
    fresh = bar.fresh
    print(f"built {fresh:,} positions in {seconds:,.1f} s, {fresh / max(seconds, 1e-9) / 1e6:.2f} M positions/s")
    for count in plan.missing:
        for kind in building.kinds(count):
            path = folder / kind.file_name(count)
            print(f"{path}: {path.stat().st_size:,} bytes")


@group.command()
def verify(
    folder: Annotated[
        Path | None,
        typer.Argument(
            parser=named_path,
            metavar="FOLDER",
            help=f"The folder of the tables. {_WHERE} Without tables in it: the package's.",
        ),
    ] = None,
    concurrency: ConcurrencyOption = None,
) -> None:
    """Check the tables in a folder.

    Reads every file and compares its digest. Then compares every entry with the positions after its moves, and the
    number of positions with the formula. The exit status is 1 if a file is broken.
    """
    from ludus.endgames import default_folder
    from ludus.endgames import verify as verification
    from ludus.endgames.folder import SHIPPED

    try:
        if folder is None:
            folder = default_folder()
            if not folder.is_dir() or not verification.table_files(folder):
                folder = SHIPPED
        if not folder.is_dir():
            fail(f"there is no folder {folder}")
        if not verification.table_files(folder):
            fail(f"there are no endgame tables in {folder}; build them with: ludus endgame build --pieces 5")
        bar = _Bar()
        with bar.progress:
            checked, broken = verification.verify(
                folder,
                concurrency or os.cpu_count() or 1,
                lambda progress: bar.update(progress.done, progress.done, progress.total, str(progress.file)),
            )
    except KeyboardInterrupt:
        print("ludus: stopped", file=sys.stderr)
        exit_at_once(130)
    except ValueError as error:
        fail(error)
    except OSError as error:
        fail(f"{folder} cannot be read: {error.strerror}")
    for table in checked:
        names = " and ".join(map(str, table.files))
        print(f"{names}: {table.positions:,} positions in {table.slices} slices, no errors")
    for sentence in broken.values():
        print(f"ludus: {sentence}", file=sys.stderr)
    if broken:
        raise typer.Exit(1)


@group.command()
def probe(
    position: Annotated[str, typer.Argument(metavar="FEN", help="The position, as text.")],
    folder: Annotated[
        Path | None,
        typer.Option("--folder", parser=named_path, metavar="FOLDER", help=f"The folder of the tables. {_WHERE}"),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Print what the tables say about a position.

    Prints the verdict for the side to move, the verdict of every move, and the best line. A distance is in plies to the
    end of the game.
    """
    from ludus.endgames import load, text
    from ludus.games import draughts

    start = read_position(position, "draughts")
    assert isinstance(start, draughts.Position)
    try:
        tables = load(max(2, len(start.pieces())), folder)
        lines = list(text.lines(tables, start))
        if json and lines:
            print_json("probe", text.data(tables, start))
            return
    except ValueError as error:
        fail(error)
    if not lines:
        fail("endgame tables have positions with pieces of both sides")
    print(start)
    for line in lines:
        print(line)


def _slice_text(name: tuple[int, int, int, int]) -> str:
    own_men, own_kings, other_men, other_kings = name
    return f"{own_men}+{own_kings} v {other_men}+{other_kings} men+kings"


def _numbers(counts: list[int]) -> str:
    return str(counts[0]) if len(counts) == 1 else f"{', '.join(map(str, counts[:-1]))} and {counts[-1]}"
