"""The commands that use one player: play, analyse, hub."""

import io
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.common import MAY_BEGIN_WITH_A_HYPHEN, app, deduced_game, fail, read_player, read_position
from ludus.cli.options import PLAYER_HELP, BudgetOption, EndgamesOption, GameOption, SeedOption, StartOption
from ludus.game_names import DEFAULT_GAME


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
        str, typer.Option("--with", "-w", metavar="PLAYER", help=f"The opponent. {PLAYER_HELP}")
    ] = "material",
    level: Annotated[
        int | None,
        typer.Option(metavar="N", help="How far the opponent searches, instead of a budget: 1 is least.", min=1, max=9),
    ] = None,
    budget: BudgetOption = None,
    endgames: EndgamesOption = None,
    side: Annotated[SideName, typer.Option(help="Your side: by who moves first, or by colour.")] = SideName.first,
    position: StartOption = "start",
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the game to this file when it ends. Default: do not.")
    ] = None,
    seed: SeedOption = 0,
) -> None:
    """Play a game against a player, in the terminal."""
    from ludus import games, players
    from ludus.files import write_atomically
    from ludus.players import searches
    from ludus.terminal import play as terminal

    if game is None and (of_position := games.of_position(position)):
        game = of_position.name
    player = read_player(opponent, game, budget, endgames)
    if level is not None:
        if budget is not None:
            fail("give a level or a budget, not both")
        own = searches.at_level(player.search, level)
        if own is None:
            fail(f"{player.name} does not search, so it has no levels")
        player = player.with_budget(own)
    start = read_position(position, player.game)
    sides = {
        SideName.first: start.turn,
        SideName.second: ~start.turn,
        SideName.black: games.Color.BLACK,
        SideName.white: games.Color.WHITE,
    }

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are not text are an illegal move, not an error

    def ask(prompt: str) -> str | None:
        try:
            return None if sys.stdin is None else input(prompt)
        except EOFError:
            return None

    table = terminal.TerminalGame(players.ActivePlayer(player), start, sides[side], ask, print, seed)
    try:
        table.play()
    finally:  # also after Ctrl-C
        if save is not None:
            try:
                write_atomically(save, games.find(player.game).write(table.record()).encode())
            except OSError as error:
                fail(f"the game cannot be saved in {save}: {error.strerror}")


@app.command(context_settings=MAY_BEGIN_WITH_A_HYPHEN)
def analyse(
    position: Annotated[str, typer.Argument(metavar="POSITION", help="The position, as text, or start.")],
    game: GameOption = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--with",
            "-w",
            metavar="PLAYER",
            help=f"The player. {PLAYER_HELP} Default: the strongest of the game that comes with the package.",
        ),
    ] = None,
    budget: BudgetOption = None,
    endgames: EndgamesOption = None,
    seed: SeedOption = 0,
) -> None:
    """Show what a player finds in a position.

    Prints a line for every depth of the search, and the value of every move. Ctrl-C stops it.
    """
    from ludus import games
    from ludus.endgames import text
    from ludus.terminal import analysis

    if position == "start":
        game = deduced_game(game, [player] if player else [])
    elif game is None and (of_position := games.of_position(position)):
        game = of_position.name
    game = game or DEFAULT_GAME
    start = read_position(position, game)
    analyst = read_player(player or games.find(game).analyst, game, budget, endgames)
    history = games.find(game).history(start)
    if outcome := history.outcome():
        fail(f"there is nothing to analyse: {outcome}")
    print(start)
    if verdict := text.verdict_line(start):
        print(verdict)
    try:
        for line in analysis.lines(analyst, history, seed):
            print(line, flush=True)
    except KeyboardInterrupt:
        print("stopped")


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
