"""The commands of the arena: match, ladder."""

import contextlib
import json
import shlex
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from ludus.cli.common import BudgetOption, SeedOption, app, exit_at_once, fail, read_player, told_game
from ludus.game_names import DEFAULT_GAME, GameName

if TYPE_CHECKING:
    from ludus.arena.match import MatchConfig, Standing
    from ludus.arena.roster import Roster
    from ludus.arena.sprt import Sprt
    from ludus.arena.task import Contestant
    from ludus.workers import Workers

GameOption = Annotated[
    GameName | None, typer.Option("--game", "-g", help="The game; else draughts for a name that plays both.")
]
OpeningsOption = Annotated[
    str | None,
    typer.Option(help="ballots3, ballots2, random:K (K random plies) or none; ballots3 for draughts, random:4 else."),
]
ConcurrencyOption = Annotated[int | None, typer.Option(help="Games at a time; one a processor otherwise.", min=1)]
ClusterOption = Annotated[str | None, typer.Option(help="A Dask scheduler's address, or the file it wrote.")]
MaxMovesOption = Annotated[
    int, typer.Option(help="A draw after this many moves of each side; 0: no limit.", min=0, max=1_000_000)
]
QuietMovesOption = Annotated[
    int,
    typer.Option(
        help="A draw after so many moves of each side without a capture or a man's move; 0: never.",
        min=0,
        max=1_000_000,
    ),
]
RepetitionsOption = Annotated[
    int, typer.Option(help="A draw when a position comes this often; 0: never.", min=0, max=1000)
]
WHO = "NAME, FILE, NAME@BUDGET, or engine:COMMAND"


@app.command()
def match(
    first: Annotated[str, typer.Argument(metavar="PLAYER", help=f"{WHO}.")],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="The other one.")],
    game: GameOption = None,
    games: Annotated[int, typer.Option(help="How many, in pairs with both colours.", min=2)] = 100,
    openings: OpeningsOption = None,
    budget: BudgetOption = None,
    sprt: Annotated[str | None, typer.Option(help="Stop when it is decided: elo0=0,elo1=10.")] = None,
    maxmoves: MaxMovesOption = 0,
    quietmoves: QuietMovesOption = 40,
    repetitions: RepetitionsOption = 3,
    seed: SeedOption = 0,
    concurrency: ConcurrencyOption = None,
    cluster: ClusterOption = None,
    out: Annotated[Path | None, typer.Option(help="A folder for the games; the same command goes on in it.")] = None,
) -> None:
    """Play a match, and say who is better and how sure that is."""
    from ludus.arena import match as matches
    from ludus.arena import summary
    from ludus.arena.journal import Journal
    from ludus.files import write_atomically
    from ludus.games import find
    from ludus.workers import Workers

    try:
        game = told_game(game, (first, second))
        players = contestant(first, game, budget), contestant(second, game, budget)
        config = match_config(players[0].game, games, openings, seed, (maxmoves, quietmoves, repetitions), sprt)
        matches.tasks(players, config)  # says what does not fit, before there is a folder
        try_engines(players)
        journal = Journal(out, matches.fingerprint(players, config))
        with contextlib.closing(journal), Workers.open(concurrency, cluster=cluster) as workers:
            standing = watched(matches.play(players, config, workers, journal), games, "")
    except ValueError as error:
        fail(error)
    print(summary.text(players, config, standing))
    if not standing.finished:
        stopped(f"{standing.score.games} games are counted", out)
    if out is not None:
        ending = find(players[0].game).ending
        write_atomically(out / f"games.{ending}", summary.records(players, standing).encode())
        result = json.dumps(summary.data(players, config, standing), indent=2)
        write_atomically(out / "result.json", f"{result}\n".encode())


@app.command()
def ladder(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="PLAYER...", help=f"{WHO}; two or more, or with --all any.")
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="All players that have names, once with equal nodes, once as in their papers.")
    ] = False,
    game: GameOption = None,
    games: Annotated[
        int | None, typer.Option(help="How many each pair of players plays; 100, or 20 with --all.", min=2)
    ] = None,
    openings: OpeningsOption = None,
    budget: BudgetOption = None,
    maxmoves: MaxMovesOption = 0,
    quietmoves: QuietMovesOption = 40,
    repetitions: RepetitionsOption = 3,
    seed: SeedOption = 0,
    concurrency: ConcurrencyOption = None,
    cluster: ClusterOption = None,
    out: Annotated[Path | None, typer.Option(help="A folder; who comes later plays only what is missing.")] = None,
) -> None:
    """Let every player play every other, and rate them all."""
    from ludus.arena import roster
    from ludus.workers import Workers

    if not all_ and len(names or []) < 2:
        fail("a ladder needs two players or more, or --all")
    try:
        game = told_game(game, names or [])
        guests = [contestant(name, game, None if all_ else budget) for name in names or []]
        try_engines(guests)
        if all_:
            rosters = roster.rosters(game or DEFAULT_GAME, roster.nodes_a_move(budget))
        else:
            rosters = [roster.Roster(key="", title="", note="", players=())]
        with Workers.open(concurrency, cluster=cluster) as workers:
            for each in rosters:
                players = [*each.players, *guests]
                limits = (maxmoves, quietmoves, repetitions)
                count = games or (roster.GAMES if all_ else 100)
                config = match_config(players[0].game, count, openings, seed, limits, None)
                if each.title:
                    print(f"{each.title}\n{each.note}\n")
                climb(each, players, config, workers, out)
                if each is not rosters[-1]:
                    print()
    except ValueError as error:
        fail(error)


def climb(
    roster: "Roster",
    players: list["Contestant"],
    config: "MatchConfig",
    workers: "Workers",
    out: Path | None,
) -> None:
    """Plays a ladder, prints it and, if there is a folder, leaves it there for people to look at. Raises ValueError."""
    from ludus.arena import ladder
    from ludus.files import write_atomically
    from ludus.reports import ladder as ladder_page

    folder = out / roster.key if out else None
    standings = {}
    for pair, standing in ladder.play(players, config, workers, folder, watched):
        standings[pair[0].name, pair[1].name] = standing
        if not standing.finished:
            stopped(f"{len(standings)} of the matches are begun", out)
    result = ladder.Ladder.of({pair: standing.score for pair, standing in standings.items()})
    print(ladder_page.text(result))
    if folder is not None:
        command = f"ludus {shlex.join(sys.argv[1:])}"
        write_atomically(folder / "ladder.txt", f"{ladder_page.text(result)}\n".encode())
        write_atomically(folder / "ladder.svg", ladder_page.picture(result).encode())
        write_atomically(folder / "ladder.html", ladder_page.page(result, command, roster.title, roster.note).encode())


def contestant(name: str, game: GameName | None, budget: str | None) -> "Contestant":
    """Our player or the outside engine that this means; a budget behind its name goes before the one for all."""
    from ludus.arena.task import EnginePlayer
    from ludus.players import split_budget
    from ludus.players.searches import Budget, takes_budget
    from ludus.protocols.engine import Engine, names_engine

    given = Budget.parse(budget) if budget is not None else None
    if names_engine(name):
        engine = EnginePlayer(name=name, budget=given) if given else EnginePlayer(name=name)
        Engine(engine.name, engine.budget)  # checks the name and the budget; starts nothing
        return engine
    player = read_player(name, game)
    if given is None or split_budget(name)[1] or not takes_budget(player.search):
        return player
    return player.with_budget(given)


def try_engines(players: Iterable["Contestant"]) -> None:
    """Starts every outside engine once: one that cannot start is bad input, not a lost game. Raises ValueError."""
    from ludus.arena.task import EnginePlayer
    from ludus.protocols.engine import Engine, EngineFailure

    for player in players:
        if isinstance(player, EnginePlayer):
            with Engine(player.name, player.budget) as engine:
                try:
                    engine.start()
                except EngineFailure as failure:
                    raise ValueError(f"{player.name} {failure.reason}") from failure


def match_config(
    game: str, games: int, openings: str | None, seed: int, limits: tuple[int, int, int], sprt: str | None
) -> "MatchConfig":
    """The configuration that the options mean. Moves of each side are two plies."""
    from ludus.arena.match import MatchConfig
    from ludus.arena.task import Rules
    from ludus.games import find

    maxmoves, quietmoves, repetitions = limits
    return MatchConfig(
        games=games,
        openings=openings or find(game).usual_openings,
        seed=seed,
        rules=Rules(repetitions=repetitions, quiet_plies=2 * quietmoves, plies=2 * maxmoves),
        sprt=read_sprt(sprt) if sprt else None,
    )


def read_sprt(text: str) -> "Sprt":
    """Reads elo0=0,elo1=10 and, if they are there, alpha=0.05,beta=0.05. Raises ValueError."""
    from ludus.arena.sprt import Sprt

    try:
        pairs = dict(part.split("=") for part in text.split(",")) if "=" in text else {}
        return Sprt(**{name.strip(): float(number) for name, number in pairs.items()})
    except TypeError as error:
        raise ValueError(f"'{text}' is no SPRT: write elo0=0,elo1=10") from error
    except ValueError as error:
        raise ValueError(f"'{text}' is no SPRT: {error}") from error


def watched(standings: Iterator["Standing"], games: int, title: str) -> "Standing":
    """Follows a match to its end, or to Ctrl-C, with a bar on a terminal; where it then stands."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    # The score is written when the bar is drawn, ten times a second: its interval takes longer than a short game.
    label = TextColumn("{task.description}{task.fields[score]}", markup=False)
    columns = (label, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    standing = next(standings)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(
            title and f"{title}: ", total=games, completed=standing.score.games, score=standing.score
        )
        try:
            for standing in standings:
                progress.update(bar, completed=standing.score.games, score=standing.score)
        except KeyboardInterrupt:
            standings.close()  # type: ignore[attr-defined]  # it is a generator: what waits is called off
    return standing


def stopped(what: str, out: Path | None) -> NoReturn:
    """Says what is kept, and ends with the status of a program that was interrupted."""
    kept = (
        f"what was played is kept in {out}, and the same command goes on" if out else "nothing was kept: name a folder"
    )
    print(f"ludus: stopped; {what}; {kept}", file=sys.stderr)
    exit_at_once(130)
