"""The command line: what people type, and one clear sentence when it cannot be done."""

import os
import sys
from enum import StrEnum
from typing import Annotated, Any, NoReturn

import typer

app = typer.Typer(
    help="A school for board-game players: English draughts and Tic-Tac-Toe 3D.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # to load rich would double the time of --help
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class GameName(StrEnum):
    """The games by name; written out here because `ludus --help` does not load them."""

    draughts = "draughts"
    tictactoe3d = "tictactoe3d"


GameOption = Annotated[GameName | None, typer.Option("--game", "-g", help="The game; else the position tells.")]


def fail(message: object) -> NoReturn:
    """Says what is wrong in one sentence and stops with status 2, as the shell expects of bad input."""
    print(f"ludus: {message}", file=sys.stderr)
    raise typer.Exit(2)


def read_position(text: str, game: GameName | None) -> Any:
    """The position that `text` means: its own notation, or `start`."""
    from ludus import games

    name = game or (GameName.tictactoe3d if "/" in text else GameName.draughts)
    module = games.named(name)
    try:
        return module.START if text == "start" else module.Position(text)
    except games.BadPosition as error:
        fail(error)


@app.command()
def perft(
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="How many plies.", min=0, max=100)],
    game: GameOption = None,
    position: Annotated[str, typer.Option("--position", "-p", help="Where to begin.")] = "start",
    divide: Annotated[bool, typer.Option("--divide", help="Count under each first move.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Make every last move instead of counting it.")] = False,
) -> None:
    """Count the games of DEPTH plies.

    The standard check of a move generator: the numbers are known, 388623673 for draughts and twelve plies.
    """
    import time

    start = read_position(position, game)
    begin = time.perf_counter()
    if divide and depth > 0:
        total = 0
        for move in start.moves():
            leaves = start.play(move).perft(depth - 1, plain=plain)
            total += leaves
            print(f"{move!s:>12} {leaves:>15}", flush=True)
    else:
        total = start.perft(depth, plain=plain)
    took = time.perf_counter() - begin
    print(total)
    how = "every leaf made" if plain else "the last ply counted, not made"
    print(f"{took:.3f} s, {total / max(took, 1e-9) / 1e6:.1f} M leaves/s ({how})", file=sys.stderr)


@app.command(context_settings={"ignore_unknown_options": True})  # a position may begin with a hyphen
def show(
    position: Annotated[str, typer.Argument(metavar="POSITION", help="A position as text, or start.")],
    game: GameOption = None,
) -> None:
    """Draw a position, with its legal moves."""
    shown = read_position(position, game)
    print(shown)
    print(shown.text)
    if moves := shown.moves():
        print(f"{len(moves)} legal {'move' if len(moves) == 1 else 'moves'}:", " ".join(shown.write(m) for m in moves))


@app.command()
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Which figures; all of them otherwise.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Measure how fast the core is, beside what it is compared with."""
    import json as encoder

    from ludus import bench as benchmarks

    names = names or list(benchmarks.FIGURES)
    for name in names:
        if name not in benchmarks.FIGURES:
            fail(f"there is no figure {name!r}; there are {', '.join(benchmarks.FIGURES)}")
    report = {}
    for figure in benchmarks.figures(names):
        reference = None if figure.reference is None else {"name": figure.against, "value": figure.reference}
        report[figure.name] = {
            "value": figure.value,
            "unit": figure.unit,
            "reference": reference,
            "ratio": figure.ratio,
        }
        if not json:
            beside = "" if figure.ratio is None else f"{figure.ratio:10,.1f} x {figure.against}"
            print(f"{figure.name:<40} {figure.value:>16,.0f} {figure.unit:<10} {beside}".rstrip(), flush=True)
    if json:
        print(encoder.dumps(report, indent=2))


def main() -> None:
    """Run the command line. What the operating system refuses, a full disk for one, is a sentence and not a bug."""
    try:
        try:
            app()
        finally:
            if sys.stdout is not None:  # it is when the shell has closed it
                sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left must not fail again at exit
        if not isinstance(error, BrokenPipeError):  # there whoever reads us has seen enough
            print(f"ludus: {f'{error.filename}: ' if error.filename else ''}{error.strerror}", file=sys.stderr)
        sys.exit(1)
