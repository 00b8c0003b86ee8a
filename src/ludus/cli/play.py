"""The commands that use one player: play, analyse, hub."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.cli.common import (
    MAY_BEGIN_WITH_A_HYPHEN,
    app,
    deduced_game,
    fail,
    note,
    print_json,
    read_player,
    read_position,
)
from ludus.cli.options import (
    CONTESTANT_HELP,
    PLAYER_HELP,
    AfterOption,
    BudgetOption,
    EndgamesOption,
    GameOption,
    JsonOption,
    NumberOption,
    SeedOption,
    StartOption,
    StrictOption,
    checked_seed,
    named_path,
)
from ludus.game_names import DEFAULT_GAME, GameName

if TYPE_CHECKING:
    from ludus.terminal.sides import Side


class SideName(StrEnum):
    """The side that the person plays."""

    first = "first"
    second = "second"
    black = "black"
    white = "white"


@app.command()
def play(
    game: GameOption = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            "--with",
            "-w",
            metavar="PLAYER",
            help=f"The opponent. {CONTESTANT_HELP} Default: the strongest of the game that comes with the package.",
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="How strong the opponent plays: 1 makes many mistakes, 9 is the strongest. "
            "Default: 3; a player that is named with --with has its own budget.",
            min=1,
            max=9,
        ),
    ] = None,
    budget: BudgetOption = None,
    endgames: EndgamesOption = None,
    side: Annotated[
        SideName | None, typer.Option(help="Your side: by who moves first, or by colour.", show_default="first")
    ] = None,
    position: StartOption = "start",
    adviser: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="The player that answers hint, values and analyse. "
            "Default: the strongest of the game that comes with the package.",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FILE",
            help="Add the game to this file of games when it ends or is left; the file is made if it is not there. "
            "Default: do not save.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FILE",
            help="Go on with the last game of this file that is not finished. It is saved there again. "
            "Default: begin a game.",
        ),
    ] = None,
    number: NumberOption = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            help="Seed of the random numbers. The same seed gives the same result.",
            min=0,
            callback=checked_seed,
            show_default="drawn and shown",
        ),
    ] = None,
) -> None:
    """Play a game against a player, in the terminal.

    Type help in the game to see its commands. Ctrl-C leaves the game.
    """
    from ludus import games
    from ludus.play import levels, saving
    from ludus.play.analysts import strongest
    from ludus.terminal import board, session
    from ludus.terminal import play as terminal

    record, old = None, dict[str, str]()
    if resume is not None:
        try:
            rules, records = saving.read(resume, game)
            record = saving.unfinished(records, number, resume)
        except saving.BadFile as error:
            fail(error)
        game, start, old = rules.name, record.start, dict(record.tags)
        position = start.text
    elif number is not None:
        fail("--number chooses a game of the file of --resume")
    elif game is None and position != "start" and (of_position := games.of_position(position)):
        game = of_position.name
    if level is not None and budget is not None:
        fail("give a level or a budget, not both")
    named, level, budget = session.settings(opponent, level, budget, old)
    game = deduced_game(game, [named] if named else []) or DEFAULT_GAME
    rules = games.find(game)
    start = read_position(position, game)
    if level is None and budget is None and named is None:
        level = levels.DEFAULT
    side_of = {
        SideName.first: start.turn,
        SideName.second: ~start.turn,
        SideName.black: games.Color.BLACK,
        SideName.white: games.Color.WHITE,
    }
    person = session.person_of(old) if side is None else None
    person = side_of[side or SideName.first] if person is None else person
    save = save or resume
    if save is not None:
        try:
            saving.check(save, rules)
        except saving.BadFile as error:
            fail(f"the game cannot be saved: {error}")
    if adviser is not None:
        read_side(adviser, game, None, None, None).close()  # what is wrong with it is said now
    against = read_side(named, game, budget, endgames, level)
    console = session.Console()
    tags = {name: text for name, text in (("Opponent", named), ("Budget", budget)) if text is not None}
    style = board.Style.of_terminal()
    table = terminal.TerminalGame(
        rules,
        against,
        start,
        person,
        console.ask,
        console.tell,
        seed=session.seed_of(old) if seed is None else seed,
        adviser=lambda: read_side(adviser or strongest(game).name, game, None, None, None, advises=True),
        style=board.Style(style.colour, person),
        save_to=save,
        tags=tags,
        progress=console.progress if console.is_terminal else None,
    )
    if record is not None and resume is not None:
        table.resume(record, resume)
    status = session.run(table, console)
    if status:
        raise typer.Exit(status)


def read_side(
    name: str | None,
    game: GameName,
    budget: str | None,
    endgames: int | None,
    level: int | None,
    *,
    advises: bool = False,
) -> "Side":
    """The player or engine of this name, the strongest without one. Exits with a sentence if there is no such thing."""
    from ludus.play import levels
    from ludus.play.analysts import strongest
    from ludus.players.searches import Budget
    from ludus.protocols.engine import Engine, names_engine
    from ludus.terminal.sides import EngineSide, PlayerSide

    try:
        grade = None if level is None else levels.find(level)
        if name is not None and names_engine(name):
            seconds = Budget(seconds=1.0) if budget is None else Budget.parse(budget)
            side = EngineSide(Engine(name, seconds, game=game))
            if grade is not None:
                side.set_level(grade)
            return side
        best = strongest(game)
        if name is None or (advises and name == best.name):
            player = best
            if budget is not None or endgames is not None:
                player = read_player(best.name, game, budget, endgames)
        else:
            player = read_player(name, game, budget, endgames)
        return PlayerSide(player, grade)
    except ValueError as error:
        fail(error)


@app.command(context_settings=MAY_BEGIN_WITH_A_HYPHEN)
def analyse(
    position: Annotated[
        str, typer.Argument(metavar="POSITION", help="The position, as text, or start; or a file of games.")
    ],
    game: GameOption = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--with",
            "-w",
            metavar="PLAYER",
            help=f"The player. {CONTESTANT_HELP} Default: the strongest of the game that comes with the package.",
        ),
    ] = None,
    budget: BudgetOption = None,
    endgames: EndgamesOption = None,
    number: NumberOption = None,
    after: AfterOption = None,
    strict: StrictOption = False,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Show what a player finds in a position.

    Prints a line for every depth of the search, then the value of every move
    and the best line. Ctrl-C stops the search.
    """
    from ludus import games
    from ludus.endgames import text
    from ludus.play import saving
    from ludus.play.analysts import NoAdvice, history_of
    from ludus.protocols.engine import EngineFailure
    from ludus.terminal import board

    moves: tuple[games.Move, ...] = ()
    if saving.is_games_file(position):
        try:
            rules, records = saving.read(Path(position), game, strict=strict, tell=note)
            begin, moves = saving.up_to(saving.chosen(records, number, Path(position)), after)
        except saving.BadFile as error:
            fail(error)
        game = rules.name
    else:
        if number is not None or after is not None:
            fail("--number and --after choose a position of a file of games")
        if position == "start":
            game = deduced_game(game, [player] if player else [])
        elif game is None and (of_position := games.of_position(position)):
            game = of_position.name
        game = game or DEFAULT_GAME
        begin = read_position(position, game)
    history = history_of(games.find(game), begin, moves)
    if outcome := history.outcome():
        fail(f"there is nothing to analyse: {outcome}" + ("; choose a position with --after" if moves else ""))
    analyst = read_side(player, game, budget, endgames, None)
    try:
        if json:
            print_json("analysis", analyst.analysis_data(begin, moves, seed))
            return
        lines = analyst.analysis(begin, moves, seed)
        print(board.drawn(history.position, board.Style.of_terminal(), moves[-1] if moves else None))
        if verdict := text.verdict_line(history.position):
            print(verdict)
        for line in lines:
            print(line, flush=True)
    except NoAdvice as error:
        fail(error)
    except EngineFailure as failure:
        fail(f"{analyst.name} {failure.reason}")
    except KeyboardInterrupt:
        print("stopped")
    finally:
        analyst.close()


@app.command()
def hub(
    player: Annotated[
        str, typer.Option("--with", "-w", metavar="PLAYER", help=f"The player, of draughts. {PLAYER_HELP}")
    ] = "champion",
    budget: BudgetOption = None,
    endgames: EndgamesOption = None,
    seed: SeedOption = 0,
) -> None:
    """Run a player as a draughts engine for other programs.

    Speaks the Hub protocol, version 2, on standard input and output.
    """
    from ludus.protocols import hub_engine

    hub_engine.serve(read_player(player, "draughts", budget, endgames), sys.stdin.buffer, sys.stdout.buffer, seed)


@app.command()
def lines(
    player: Annotated[
        str | None,
        typer.Option(
            "--with",
            "-w",
            metavar="PLAYER",
            help=f"The player. {PLAYER_HELP} Default: the strongest of the game that comes with the package.",
        ),
    ] = None,
    game: GameOption = None,
    budget: BudgetOption = None,
    endgames: EndgamesOption = None,
    seed: SeedOption = 0,
) -> None:
    """Run a player as an engine that speaks the line protocol.

    Works for both games, on standard input and output. The protocol is in docs/engines.md.
    """
    from ludus.play.analysts import strongest
    from ludus.protocols import line_engine

    game = deduced_game(game, [player] if player else []) or DEFAULT_GAME
    chosen = read_player(player or strongest(game).name, game, budget, endgames)
    line_engine.serve(chosen, sys.stdin.buffer, sys.stdout.buffer, seed)
