"""The commands of the arena: match, ladder."""

import contextlib
import shlex
import sys
from collections.abc import Iterable, Iterator
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ludus.cli.common import app, deduced_game, exit_at_once, fail, name_settings, print_json, read_player
from ludus.cli.options import (
    CONTESTANT_HELP,
    AdjudicateOption,
    BudgetOption,
    ClusterOption,
    ConcurrencyOption,
    EndgamesOption,
    GameOption,
    JsonOption,
    MaxMovesOption,
    OpeningsOption,
    QuietMovesOption,
    RepetitionsOption,
    SeedOption,
    ThrownWinsOption,
    named_path,
)
from ludus.game_names import DEFAULT_GAME, GameName

if TYPE_CHECKING:
    from ludus.arena.ladder import Ladder
    from ludus.arena.matches import MatchConfig, Standing
    from ludus.arena.roster import Roster
    from ludus.arena.sprt import Sprt
    from ludus.arena.task import Contestant
    from ludus.players import Player
    from ludus.workers import Workers


@app.command()
def match(
    first: Annotated[str, typer.Argument(metavar="PLAYER", help=CONTESTANT_HELP)],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="The second player, named in the same way.")],
    game: GameOption = None,
    games: Annotated[
        int,
        typer.Option(
            metavar="N", help="Games to play. An even number: every opening is played with both colours.", min=2
        ),
    ] = 100,
    openings: OpeningsOption = None,
    budget: BudgetOption = None,
    endgames: EndgamesOption = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="TEST",
            help="Stop as soon as a sequential test accepts one of two hypotheses: elo0=0,elo1=10. "
            "Default: play all games.",
        ),
    ] = None,
    maxmoves: MaxMovesOption = 0,
    quietmoves: QuietMovesOption = 40,
    repetitions: RepetitionsOption = 3,
    adjudicate: AdjudicateOption = 0,
    thrown_wins: ThrownWinsOption = 4,
    seed: SeedOption = 0,
    concurrency: ConcurrencyOption = None,
    cluster: ClusterOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FOLDER",
            help="Keep the games in this folder. The same command then continues a stopped match.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play a match between two players.

    Prints the score, the difference in Elo with its 95% interval, and how the games ended.
    """
    from msgspec import structs

    from ludus.arena import matches, summary
    from ludus.arena.description import describe
    from ludus.arena.journal import JOURNAL, Journal
    from ludus.files import output_folder, remove_unfinished, write_atomically
    from ludus.games import find
    from ludus.workers import Workers

    try:
        game = deduced_game(game, (first, second))
        players = contestant(first, game, budget, endgames), contestant(second, game, budget, endgames)
        config = match_config(players[0].game, games, openings, seed, (maxmoves, quietmoves, repetitions), sprt)
        config = structs.replace(config, adjudicate=adjudicate, thrown_wins=thrown_wins)
        matches.tasks(players, config)  # raises before a folder is made
        written = (f"games.{find(players[0].game).ending}", "result.json")
        if out is not None:
            output_folder(out, "a match", (JOURNAL,), written)
        try_engines(players)
        journal = Journal(out, matches.fingerprint(players, config), keep=False)
        if out is not None:
            remove_unfinished(out, written)
        with contextlib.closing(journal), Workers.open(concurrency, cluster=cluster) as workers:
            describe(out, players, config)
            standing = watched(matches.play(players, config, workers, journal), games, "")
    except ValueError as error:
        fail(error)
    if json:
        print_json("match", {**summary.data(players, config, standing), "finished": standing.finished})
    else:
        print(summary.text(players, config, standing))
    if not standing.finished:
        stopped(f"{standing.score.games} games are counted", out)
    if out is not None:
        write_atomically(out / written[0], map(str.encode, summary.records(players, standing, config)))
        result = dumps(summary.data(players, config, standing), indent=2)
        write_atomically(out / written[1], f"{result}\n".encode())


@app.command()
def ladder(
    names: Annotated[list[str] | None, typer.Argument(metavar="PLAYER", help=f"Two or more. {CONTESTANT_HELP}")] = None,
    all_: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Add all players that have a name. Plays two ladders: "
            "with equal nodes a move, and with the searches of the papers.",
        ),
    ] = False,
    game: GameOption = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games of each pair of players. Default: 100, or 20 with --all.", min=2),
    ] = None,
    openings: OpeningsOption = None,
    budget: BudgetOption = None,
    endgames: EndgamesOption = None,
    maxmoves: MaxMovesOption = 0,
    quietmoves: QuietMovesOption = 40,
    repetitions: RepetitionsOption = 3,
    adjudicate: AdjudicateOption = 0,
    thrown_wins: ThrownWinsOption = 4,
    seed: SeedOption = 0,
    concurrency: ConcurrencyOption = None,
    cluster: ClusterOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FOLDER",
            help="Keep the games in this folder. The same command with more players then plays only what is missing.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play all players against each other and rate them.

    Prints a table of Elo ratings with 95% intervals.
    """
    from msgspec import structs

    from ludus.arena import roster
    from ludus.reports import ladder as ladder_page
    from ludus.workers import Workers

    found: list[dict[str, Any]] = []
    if not all_ and len(names or []) < 2:
        fail("a ladder needs two players or more, or --all")
    try:
        game = deduced_game(game, names or [])
        guests = [contestant(name, game, None if all_ else budget, endgames) for name in names or []]
        try_engines(guests)
        if all_:
            rosters = roster.rosters(game or DEFAULT_GAME, roster.nodes_a_move(budget))
        else:
            rosters = [roster.Roster(key="", title="", note="", players=())]
        with Workers.open(concurrency, cluster=cluster) as workers:
            for each in rosters:
                players = [*(with_endgames(player, endgames) for player in each.players), *guests]
                limits = (maxmoves, quietmoves, repetitions)
                count = games or (roster.GAMES if all_ else 100)
                config = match_config(players[0].game, count, openings, seed, limits, None)
                config = structs.replace(config, adjudicate=adjudicate, thrown_wins=thrown_wins)
                if each.title and not json:
                    print(f"{each.title}\n{each.note}\n")
                result = climb(each, players, config, workers, out)
                found.append({"title": each.title, "game": players[0].game, **ladder_page.data(result)})
                if not json:
                    print(ladder_page.text(result) + ("" if each is rosters[-1] else "\n"))
        if json:
            print_json("ladder", {"ladders": found})
    except ValueError as error:
        fail(error)


def climb(
    roster: "Roster",
    players: list["Contestant"],
    config: "MatchConfig",
    workers: "Workers",
    out: Path | None,
) -> "Ladder":
    """Plays a ladder; with a folder, writes it there as text, picture and page. Raises ValueError."""
    from ludus.arena import ladder
    from ludus.files import write_atomically
    from ludus.reports import ladder as ladder_page

    folder = out / roster.key if out else None
    standings = {}
    for pair, standing in ladder.play(players, config, workers, folder, watched, keep=False):
        standings[pair[0].name, pair[1].name] = standing
        if not standing.finished:
            stopped(f"{len(standings)} of the matches are begun", out)
    result = ladder.Ladder.of_matches(standings)
    if folder is not None:
        command = f"ludus {shlex.join(sys.argv[1:])}"
        write_atomically(folder / "ladder.txt", f"{ladder_page.text(result)}\n".encode())
        write_atomically(folder / "ladder.svg", ladder_page.picture(result).encode())
        write_atomically(folder / "ladder.html", ladder_page.page(result, command, roster.title, roster.note).encode())
    return result


def contestant(name: str, game: GameName | None, budget: str | None, endgames: int | None = None) -> "Contestant":
    """The player or outside engine of this name. What its name says has precedence over `budget` and `endgames`."""
    from ludus.arena.task import EnginePlayer
    from ludus.players.searches import Budget, takes_budget
    from ludus.protocols.engine import Engine, names_engine

    given = Budget.parse(budget) if budget is not None else None
    if names_engine(name):
        engine = EnginePlayer(name=name, budget=given or Budget(seconds=1.0), game=game or DEFAULT_GAME)
        Engine(engine.name, engine.budget, game=engine.game)  # raises if the name or the budget is bad; starts nothing
        return engine
    player = read_player(name, game)
    own = name_settings(name)
    if given is not None and own.budget is None and takes_budget(player.search):
        player = player.with_budget(given)
    return player if own.endgames is not None else with_endgames(player, endgames)


def with_endgames(player: "Player", endgames: int | None) -> "Player":
    """The player with these endgame tables, if any are given and its search uses them. Raises ValueError."""
    from ludus.players.searches import AlphaBeta, Pvs

    return (
        player if endgames is None or not isinstance(player.search, AlphaBeta | Pvs) else player.with_endgames(endgames)
    )


def try_engines(players: Iterable["Contestant"]) -> None:
    """Starts every outside engine once. One that cannot start is bad input, not a lost game. Raises ValueError."""
    from ludus.arena.task import EnginePlayer
    from ludus.protocols.engine import Engine, EngineFailure

    for player in players:
        if isinstance(player, EnginePlayer):
            with Engine(player.name, player.budget, game=player.game) as engine:
                try:
                    engine.start()
                except EngineFailure as failure:
                    raise ValueError(f"{player.name} {failure.reason}") from failure


def match_config(
    game: str, games: int, openings: str | None, seed: int, limits: tuple[int, int, int], sprt: str | None
) -> "MatchConfig":
    """The configuration for these options. A move by each side is two plies."""
    from ludus.arena.matches import MatchConfig
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
    """Reads elo0=0,elo1=10, optionally with alpha=0.05,beta=0.05. Raises ValueError."""
    from ludus.arena.sprt import Sprt

    try:
        pairs = dict(part.split("=") for part in text.split(",")) if "=" in text else {}
        return Sprt(**{name.strip(): float(number) for name, number in pairs.items()})
    except TypeError as error:
        raise ValueError(f"'{text}' is no SPRT: write elo0=0,elo1=10") from error
    except ValueError as error:
        raise ValueError(f"'{text}' is no SPRT: {error}") from error


def watched(standings: Iterator["Standing"], games: int, title: str) -> "Standing":
    """The last standing of a match: at its end, or at Ctrl-C. Shows how far it is."""
    from ludus.cli.progress import Watch

    standing = next(standings)
    with Watch("games", games, title, standing.score.games) as watch:
        try:
            for standing in standings:
                watch.update(standing.score.games, standing.score)
        except KeyboardInterrupt:
            standings.close()  # type: ignore[attr-defined]  # it is a generator: what waits is called off
    return standing


def stopped(what: str, out: Path | None) -> NoReturn:
    """Prints what is kept and exits with status 130, the status of an interrupted program."""
    kept = f"the games are kept in {out}; the same command continues" if out else "no games are kept: use --out FOLDER"
    print(f"ludus: stopped; {what}; {kept}", file=sys.stderr)
    exit_at_once(130)
