"""The commands that think: play, analyse, hub."""

import io
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.common import (
    MAY_BEGIN_WITH_A_HYPHEN,
    BudgetOption,
    GameOption,
    SeedOption,
    app,
    fail,
    read_player,
    read_position,
    told_game,
)
from ludus.game_names import DEFAULT_GAME


class SideName(StrEnum):
    """The person's side at the board."""

    first = "first"
    second = "second"
    black = "black"
    white = "white"


@app.command()
def play(
    game: GameOption = None,
    opponent: Annotated[str, typer.Option("--with", "-w", help="A player: a name or a file.")] = "material",
    level: Annotated[int | None, typer.Option(help="How hard it thinks.", min=1, max=9)] = None,
    budget: BudgetOption = None,
    side: Annotated[SideName, typer.Option(help="Your side.")] = SideName.first,
    position: Annotated[str, typer.Option("--position", "-p", help="Where to begin.")] = "start",
    save: Annotated[Path | None, typer.Option(help="Write the game here at the end.")] = None,
    seed: SeedOption = 0,
) -> None:
    """Play a game against a player."""
    from ludus import games, players
    from ludus.files import write_atomically
    from ludus.players import searches
    from ludus.terminal import play as terminal

    if game is None and (of_position := games.of_position(position)):
        game = of_position.name
    player = read_player(opponent, game, budget)
    if level is not None:
        if budget is not None:
            fail("give a level or a budget, not both")
        own = searches.at_level(player.search, level)
        if own is None:
            fail(f"{player.name} chooses at once: it has no levels")
        player = player.with_budget(own)
    start = read_position(position, player.game)
    sides = {
        SideName.first: start.turn,
        SideName.second: ~start.turn,
        SideName.black: games.Color.BLACK,
        SideName.white: games.Color.WHITE,
    }

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is not text is no move, but no reason to stop either

    def ask(prompt: str) -> str | None:
        try:
            return None if sys.stdin is None else input(prompt)
        except EOFError:
            return None

    table = terminal.TerminalGame(players.ActivePlayer(player), start, sides[side], ask, print, seed)
    try:
        table.play()
    finally:  # after Ctrl-C too
        if save is not None:
            try:
                write_atomically(save, games.find(player.game).write(table.record()).encode())
            except OSError as error:
                fail(f"the game cannot be saved in {save}: {error.strerror}")


@app.command(context_settings=MAY_BEGIN_WITH_A_HYPHEN)
def analyse(
    position: Annotated[str, typer.Argument(metavar="POSITION", help="A position as text, or start.")],
    game: GameOption = None,
    player: Annotated[str, typer.Option("--with", "-w", help="A player: a name or a file.")] = "material",
    budget: BudgetOption = None,
    seed: SeedOption = 0,
) -> None:
    """Show what a player thinks of a position, depth by depth; Ctrl-C stops it."""
    from ludus import games
    from ludus.terminal import analysis

    if position == "start":
        game = told_game(game, [player])
    elif game is None and (of_position := games.of_position(position)):
        game = of_position.name
    game = game or DEFAULT_GAME
    start = read_position(position, game)
    analyst = read_player(player, game, budget)
    history = games.find(game).history(start)
    if outcome := history.outcome():
        fail(f"there is nothing to analyse: {outcome}")
    print(start)
    try:
        for line in analysis.lines(analyst, history, seed):
            print(line, flush=True)
    except KeyboardInterrupt:
        print("stopped")


@app.command()
def hub(
    player: Annotated[str, typer.Option("--with", "-w", help="A player of draughts: a name or a file.")] = "material",
    budget: BudgetOption = None,
    seed: SeedOption = 0,
) -> None:
    """Be a draughts engine for other programs: Hub 2 on standard input and output."""
    from ludus.protocols import hub_engine

    hub_engine.serve(read_player(player, "draughts", budget), sys.stdin.buffer, sys.stdout.buffer, seed)
