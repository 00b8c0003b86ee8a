"""The command review: a game looked at again, move by move."""

from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.common import app, fail, note
from ludus.cli.options import PLAYER_HELP, BudgetOption, SeedOption, StrictOption, named_path


@app.command()
def review(
    path: Annotated[Path, typer.Argument(parser=named_path, metavar="FILE", help="A file of games, such as game.pdn.")],
    number: Annotated[
        int | None,
        typer.Option(
            "--game",
            "--number",
            metavar="N",
            help="The game of the file, counted from 1. Default: the last.",
            min=1,
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--with",
            "-w",
            metavar="PLAYER",
            help=f"The player that judges. {PLAYER_HELP} "
            "Default: the strongest of the game that comes with the package.",
        ),
    ] = None,
    budget: BudgetOption = None,
    strict: StrictOption = False,
    seed: SeedOption = 0,
) -> None:
    """Review a saved game, move by move.

    Prints the value of every move, marks slips (?!), mistakes (?) and blunders
    (??) with what they cost and a better line, and sums up both sides. Ctrl-C
    stops it.
    """
    from ludus.cli.play import read_side
    from ludus.play import saving
    from ludus.play.analysts import NoAdvice, check_analyst
    from ludus.terminal import review as reviews
    from ludus.terminal.sides import PlayerSide

    try:
        rules, records = saving.read(path, strict=strict, tell=note)
        record = saving.chosen(records, number, path)
    except saving.BadFile as error:
        fail(error)
    judge = read_side(player, rules.name, budget, None, None)
    if not isinstance(judge, PlayerSide):
        fail(f"{judge.name} is an engine and values its best move only: name a player")
    try:
        check_analyst(judge.player)
    except NoAdvice as error:
        fail(error)
    print(saving.title(record))
    try:
        for line in reviews.lines(judge.player, record, seed):
            print(line, flush=True)
    except KeyboardInterrupt:
        print("stopped")
