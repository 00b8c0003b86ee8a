"""The commands of pdn: files of many games of draughts, checked, counted, searched, merged."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.cli.common import app, fail, print_json
from ludus.cli.options import JsonOption, named_path
from ludus.counted import counted

if TYPE_CHECKING:
    from ludus.games.pdn_files import Faults, FoundGame, Wanted

group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(group, name="pdn")

FilesArgument = Annotated[list[Path], typer.Argument(metavar="FILE...", help="PDN files.", parser=named_path)]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Mend nothing: what is against the standard cannot be read.")
]
WhiteFirstOption = Annotated[
    bool, typer.Option("--white-first", help="1-0 is a win of White. Default: of Black, who moves first.")
]
OutOption = Annotated[
    Path | None,
    typer.Option(parser=named_path, metavar="FILE", help="Write to this new file. Default: standard output."),
]
PlayerOption = Annotated[str, typer.Option(metavar="TEXT", help="Games of a player whose name has this text.")]
EventOption = Annotated[str, typer.Option(metavar="TEXT", help="Games of an event whose name has this text.")]
ResultOption = Annotated[str, typer.Option(metavar="RESULT", help="Games that ended so: black, white, draw, unknown.")]
PositionOption = Annotated[
    str, typer.Option(metavar="FEN", help="Games in which this position stood on the board, with this side to move.")
]
LeastOption = Annotated[int, typer.Option("--least-moves", metavar="N", help="Games of at least N moves.", min=0)]
MostOption = Annotated[int | None, typer.Option("--most-moves", metavar="N", help="Games of at most N moves.", min=0)]


@group.callback()
def pdn() -> None:
    """Work with files of many games of draughts.

    Files are read one game at a time, so they may be of any size. Standard
    error tells which games cannot be read; the exit status is then 1.
    """


@group.command()
def check(files: FilesArgument, strict: StrictOption = False, white_first: WhiteFirstOption = False) -> None:
    """Read every game and say which cannot be read, and what was mended."""
    with _read() as faults:
        count = sum(1 for _ in _games(files, faults, white_first=white_first, strict=strict))
        read = f"{counted(count, 'game')} can be read, {faults.mended:,} of them after mending"
        print(f"{read}; {faults.broken:,} cannot be read")


@group.command()
def count(
    files: FilesArgument,
    player: PlayerOption = "",
    event: EventOption = "",
    result: ResultOption = "",
    position: PositionOption = "",
    least_moves: LeastOption = 0,
    most_moves: MostOption = None,
    white_first: WhiteFirstOption = False,
    json: JsonOption = False,
) -> None:
    """Count games, results, openings and players."""
    from ludus.games import pdn_files
    from ludus.games.draughts import START
    from ludus.harmless import harmless

    wanted = _wanted(player, event, result, position, least_moves, most_moves)
    counts = pdn_files.Counts()
    with _read() as faults:
        for game in _games(files, faults, white_first=white_first):
            if wanted.fits(game.record):
                counts.add(game.record, START)
        if json:
            print_json(
                "pdn",
                {
                    "games": counts.games,
                    "moves": counts.moves,
                    "results": dict(counts.results),
                    "openings": dict(counts.openings.most_common()),
                    "players": dict(counts.players.most_common()),
                    "other_starts": counts.other_starts,
                    "mended": faults.mended,
                    "broken": faults.broken,
                },
            )
            return
        print(f"{counted(counts.games, 'game')}, {counts.moves / max(1, counts.games):.1f} moves each")
        for name in pdn_files.RESULTS:
            share = counts.results[name] / max(1, counts.games)
            print(f"  {name:<8}{counts.results[name]:>10,}  {share:6.1%}")
        for title, counter in (("openings", counts.openings), ("players", counts.players)):
            if counter:
                print(f"{title}, the most frequent of {len(counter):,}")
                for name, number in counter.most_common(10):
                    print(f"  {number:>8,}  {harmless(name)}")
        if counts.other_starts:
            verb = "begins" if counts.other_starts == 1 else "begin"
            print(f"{counted(counts.other_starts, 'game')} {verb} with another position than the usual one")


@group.command(name="filter")
def filter_(
    files: FilesArgument,
    player: PlayerOption = "",
    event: EventOption = "",
    result: ResultOption = "",
    position: PositionOption = "",
    least_moves: LeastOption = 0,
    most_moves: MostOption = None,
    white_first: WhiteFirstOption = False,
    out: OutOption = None,
) -> None:
    """Write the games that fit all options.

    Variations and marks of strength (! and $1) are dropped.
    """
    wanted = _wanted(player, event, result, position, least_moves, most_moves)
    with _read() as faults:
        found = (game for game in _games(files, faults, white_first=white_first) if wanted.fits(game.record))
        _write(found, out)


@group.command()
def merge(
    files: FilesArgument,
    unique: Annotated[
        bool,
        typer.Option("--unique", help="Leave out a game whose start, moves and result came before."),
    ] = False,
    white_first: WhiteFirstOption = False,
    out: OutOption = None,
) -> None:
    """Write the games of all files as one file.

    Variations and marks of strength (! and $1) are dropped.
    """
    from ludus.games import pdn_files

    with _read() as faults:
        found = _games(files, faults, white_first=white_first)
        if not unique:
            _write(found, out)
            return
        dropped = pdn_files.Dropped()
        _write(pdn_files.unique(found, dropped), out)
        print(f"{counted(dropped.games, 'game')} left out: the same game came before", file=sys.stderr)


def _games(files: list[Path], faults: "Faults", *, white_first: bool, strict: bool = False) -> Iterator["FoundGame"]:
    """The games of files. Raises ValueError for a file that cannot be read."""
    from ludus.games import Color, pdn_files

    first = Color.WHITE if white_first else Color.BLACK
    try:
        yield from pdn_files.games(files, faults, strict=strict, first_in_result=first)
    except OSError as error:  # not one of the file that is written: that is not raised here
        raise ValueError(f"{error.filename} cannot be read: {error.strerror}") from error


def _wanted(player: str, event: str, result: str, position: str, least_moves: int, most_moves: int | None) -> "Wanted":
    from ludus.games.draughts import Position
    from ludus.games.pdn_files import RESULTS, Wanted

    if result and result not in RESULTS:
        fail(f"a result is {', '.join(RESULTS[:-1])} or {RESULTS[-1]}, not {result}")
    try:
        place = Position(position) if position else None
    except ValueError as error:
        fail(error)
    return Wanted(player, event, result, least_moves, most_moves, place)


@contextmanager
def _read() -> Iterator["Faults"]:
    """What is wrong in the files is said on standard error, after the rest; lost games end with exit status 1."""
    from ludus.games import pdn_mending
    from ludus.games.pdn_files import Faults
    from ludus.harmless import harmless

    faults = Faults()
    try:
        yield faults
    except ValueError as error:
        fail(error)
    if faults.mends:
        print(f"mended: {pdn_mending.listed(faults.mends)}", file=sys.stderr)
    for sentence in faults.first:
        print(harmless(sentence), file=sys.stderr)
    if more := faults.broken - len(faults.first):
        print(f"and {counted(more, 'more game')} that cannot be read", file=sys.stderr)
    if faults.broken:
        raise typer.Exit(1)


def _write(found: Iterator["FoundGame"], out: Path | None) -> None:
    """Writes the games to a new file, or to standard output."""
    from ludus.files import output_file, write_atomically
    from ludus.games import pdn
    from ludus.harmless import harmless

    count = 0

    def texts() -> Iterator[str]:
        nonlocal count
        for game in found:
            count += 1
            yield pdn.write(game.record)

    if out is None:
        sys.stdout.writelines(map(harmless, texts()) if sys.stdout.isatty() else texts())
        return
    path = output_file(out, "empty", lambda _: False)
    try:
        write_atomically(path, (text.encode() for text in texts()))
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror}")
    print(f"{path}: {counted(count, 'game')}")
