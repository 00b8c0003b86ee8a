"""The command exam: players play out endings against the endgame tables."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import closing
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.cli.arena import contestant, stopped, try_engines
from ludus.cli.common import app, fail, print_json
from ludus.cli.options import CONTESTANT_HELP, BudgetOption, ConcurrencyOption, JsonOption, SeedOption, named_path

if TYPE_CHECKING:
    from ludus.arena.task import Contestant

_WRITTEN = ("exam.json", "exam.txt", "exam.svg", "exam.html")

group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(group, name="exam")


@group.callback()
def exam() -> None:
    """Examine how well players play endings."""


@group.command()
def endgames(
    names: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="PLAYER", help=f"A player to examine; repeat for more. {CONTESTANT_HELP}"),
    ] = None,
    all_: Annotated[
        bool,
        typer.Option("--all", help="Add all players of draughts that have a name, with equal nodes a move."),
    ] = False,
    pieces: Annotated[
        int,
        typer.Option(metavar="N", help="Most pieces on the board, of both sides: 3 to 6.", min=3, max=6),
    ] = 4,
    games: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Positions of each ending and result: so many won ones, drawn ones and lost ones.",
            min=1,
            max=10_000,
        ),
    ] = 20,
    budget: BudgetOption = None,
    seed: SeedOption = 0,
    concurrency: ConcurrencyOption = None,
    tables: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FOLDER",
            help="Folder of the endgame tables. Default: LUDUS_ENDGAMES or your data folder; "
            "tables of up to 4 pieces come with the package.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FOLDER",
            help="Keep the games and the report in this folder. The same command then continues a stopped exam.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play out endings against perfect play, by endgame tables.

    Prints what share of won positions each player wins, how many plies it
    wastes, what share of drawn positions it holds, and how long it resists
    in lost ones.
    """
    from ludus.arena import exam
    from ludus.arena.journal import Journal
    from ludus.arena.task import digest
    from ludus.endgames import load
    from ludus.files import output_folder, remove_unfinished, write_atomically
    from ludus.reports import exam as report
    from ludus.workers import Workers

    try:
        players = _players(names or [], all_, budget)
        try_engines(players)
        loaded = load(pieces, tables)
        config = exam.ExamConfig(pieces=pieces, games=games, seed=seed)
        questions = exam.draw_questions(loaded, pieces, games, seed)
        if out is not None:
            output_folder(out, "an exam", ("players",), _WRITTEN)
            remove_unfinished(out, _WRITTEN)
        results = []
        with Workers.open(concurrency) as workers:
            for player in players:
                folder = out and out / "players" / digest(player)[:16]
                with closing(Journal(folder, exam.fingerprint(player, config, loaded))) as journal:
                    counts = exam.play(player, questions, config, tables, workers, journal)
                    count = _watched(counts, len(questions), player.name)
                    played = exam.answered(questions, journal)
                if count < len(questions):
                    stopped(f"{player.name} has played {count} of {len(questions)} games", out)
                results.append(exam.ExamResult.of(player.name, questions, played))
    except ValueError as error:
        fail(error)
    results = report.ranked(results)
    printed = report.text(results, questions)
    found = exam.data(results, questions, config, loaded.digest)
    if json:
        print_json("exam", found)
    else:
        print(printed)
    if out is not None:
        command = f"ludus {shlex.join(sys.argv[1:])}"
        content = dumps(found, indent=1)
        write_atomically(out / "exam.json", f"{content}\n".encode())
        write_atomically(out / "exam.txt", f"{printed}\n".encode())
        write_atomically(out / "exam.svg", report.picture(results).encode())
        write_atomically(out / "exam.html", report.page(results, questions, config, command).encode())


def _players(names: list[str], all_: bool, budget: str | None) -> list["Contestant"]:
    """The players to examine. Raises ValueError if there are none, or two of one name."""
    from ludus.arena import roster

    found: list[Contestant] = [contestant(name, "draughts", None if all_ else budget) for name in names]
    if all_:
        found += roster.examined("draughts", roster.nodes_a_move(budget))
    if not found:
        raise ValueError("an exam needs a player: give --with PLAYER, or --all")
    called = [player.name for player in found]
    for name in called:
        if called.count(name) > 1:
            raise ValueError(f"two players are called {name}: give them different names or budgets")
    return found


def _watched(counts: Iterator[int], games: int, title: str) -> int:
    """The number of games played: all of them, or fewer at Ctrl-C. Shows how far it is."""
    from ludus.cli.progress import Watch

    count = 0
    with Watch("games", games, title) as watch:
        try:
            for count in counts:
                watch.update(count)
        except KeyboardInterrupt:
            counts.close()  # type: ignore[attr-defined]  # it is a generator: what waits is called off
    return count
