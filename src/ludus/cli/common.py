"""What the commands share: the options people type, and one clear sentence when something cannot be done."""

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from ludus.game_names import DEFAULT_GAME, GameName

if TYPE_CHECKING:
    from ludus.games import Position
    from ludus.players import Player

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # to load rich would double the time of --help
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

MAY_BEGIN_WITH_A_HYPHEN = {"ignore_unknown_options": True}  # as the empty board of Tic-Tac-Toe 3D does


def say_version(asked: bool) -> None:
    """Says it and ends."""
    if asked:
        import ludus

        print(f"ludus {ludus.__version__}")
        raise typer.Exit


@app.callback()
def about(
    _: Annotated[
        bool, typer.Option("--version", callback=say_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """A school for board-game players: English draughts and Tic-Tac-Toe 3D."""


GameOption = Annotated[GameName | None, typer.Option("--game", "-g", help="The game; else the position tells.")]
SeedOption = Annotated[int, typer.Option("--seed", help="For whatever is chosen by chance.", min=0, max=2**63 - 1)]
BudgetOption = Annotated[
    str | None,
    typer.Option("--budget", "-b", help="A move's budget: depth=8, nodes=100000, playouts=300 or seconds=0.5."),
]


def fail(message: object) -> NoReturn:
    """Says what is wrong in one sentence and stops with status 2, as the shell expects of bad input."""
    print(f"ludus: {message}", file=sys.stderr)
    raise typer.Exit(2)


def exit_at_once(status: int) -> NoReturn:
    """Ends without waiting for what threads still do, as Python would. Outside engines end by what is done at exit."""
    import atexit

    sys.stdout.flush()
    atexit._run_exitfuncs()
    os._exit(status)


def read_position(text: str, game: GameName | None) -> "Position":
    """The position that `text` means: its own notation, or `start`."""
    from ludus import games

    if not text.isprintable():
        fail("a position is one line of printable text")
    rules = games.find(game) if game else games.of_position(text) or games.find(DEFAULT_GAME)
    try:
        return rules.start if text == "start" else rules.position(text)
    except games.BadPosition as error:
        fail(error)


def told_game(game: GameName | None, names: Iterable[str]) -> GameName | None:
    """The game, if it is given or one of these players plays no other."""
    from ludus import players
    from ludus.protocols.engine import names_engine

    if game is None:
        for name in names:
            try:
                found = set() if names_engine(name) else players.games_of(name)
            except ValueError:  # whoever needs the player will say what is wrong with it
                continue
            if len(found) == 1:
                return found.pop()
    return game


def read_player(name: str, game: GameName | None, budget: str | None = None) -> "Player":
    """The player that `name` means, with this budget if there is one."""
    from ludus import players
    from ludus.players import searches

    try:
        player = players.find(name, game)
        if budget is not None:
            player = player.with_budget(searches.Budget.parse(budget))
    except ValueError as error:
        fail(error)
    return player
