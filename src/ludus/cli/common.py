"""What the commands share: the app, how they read positions and players, and how they fail."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from ludus import signals
from ludus.game_names import DEFAULT_GAME, GameName
from ludus.harmless import harmless

if TYPE_CHECKING:
    from ludus.games import Position
    from ludus.players import Player, Settings

# The order of the list in `ludus --help`: what a newcomer needs first.
COMMANDS = (
    "play",
    "web",
    "analyse",
    "review",
    "show",
    "pdn",
    "train",
    "runs",
    "report",
    "mend",
    "match",
    "ladder",
    "endgame",
    "exam",
    "study",
    "hub",
    "lines",
    "engines",
    "export",
    "perft",
    "bench",
)


class InOrder(TyperGroup):
    """The commands in the order of COMMANDS."""

    def invoke(self, ctx: Any) -> Any:
        """Runs a command. Ctrl-C or SIGTERM where the command has nothing to save ends it with a sentence."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print("ludus: stopped", file=sys.stderr)
            exit_at_once(signals.INTERRUPTED)

    def list_commands(self, ctx: Any) -> list[str]:
        """All commands; one that COMMANDS does not name comes last."""
        return sorted(super().list_commands(ctx), key=lambda name: (*COMMANDS, name).index(name))


app = typer.Typer(
    cls=InOrder,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # to load rich would double the time of --help
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

RUNS = Path("runs")  # the folder of runs, unless another is named

# A position may begin with a hyphen: the empty board of Tic-Tac-Toe 3D does.
MAY_BEGIN_WITH_A_HYPHEN = {"ignore_unknown_options": True}


def print_version(asked: bool) -> None:
    """Prints the version and exits, if `asked`."""
    if asked:
        import ludus

        print(f"ludus {ludus.__version__}")
        raise typer.Exit


def import_module(names: list[str] | None) -> None:
    """Imports modules of the person's own. Exits with a sentence if one cannot be imported."""
    if names:
        from ludus import plugins

        for name in names:
            try:
                plugins.load_module(name)
            except plugins.BadPlugin as error:
                fail(error)


@app.callback()
def about(
    modules: Annotated[
        list[str] | None,
        typer.Option(
            "--import",
            metavar="MODULE",
            callback=import_module,
            help="Import a module of your own first, whose evaluators, networks or learners are then known.",
        ),
    ] = None,
    _: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A school for board-game players: English draughts and Tic-Tac-Toe 3D."""


def print_json(kind: str, data: dict[str, Any]) -> None:
    """Prints the result of a command as JSON. What it is stands first, so that a program can check it."""
    import json
    import math

    def plain(value: Any) -> Any:
        """JSON has no infinities."""
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        if isinstance(value, dict):
            return {str(key): plain(each) for key, each in value.items()}
        return [plain(each) for each in value] if isinstance(value, list | tuple) else value

    print(json.dumps({"format": f"ludus-{kind}-1", **plain(data)}, indent=1, ensure_ascii=False))


def fail(message: object) -> NoReturn:
    """Prints what is wrong, one sentence, and exits with status 2, the shell's status for bad input."""
    print(f"ludus: {harmless(message)}", file=sys.stderr)
    raise typer.Exit(2)


def note(sentence: object) -> None:
    """Prints a sentence on stderr that is no reason to stop."""
    print(f"ludus: {harmless(sentence)}", file=sys.stderr)


def exit_at_once(status: int) -> NoReturn:
    """Exits without waiting for running threads, which Python would do. Outside engines are stopped by atexit.

    The status 130 of Ctrl-C becomes 143 if it was SIGTERM.
    """
    import atexit

    signals.remove()
    sys.stdout.flush()
    atexit._run_exitfuncs()
    os._exit(signals.status() if status == signals.INTERRUPTED else status)


def read_position(text: str, game: GameName | None) -> "Position":
    """The position with this text, or the start of the game for `start`. Exits with a sentence if it is bad."""
    from ludus import games

    if not text.isprintable():
        fail("a position is one line of printable text")
    rules = games.find(game) if game else games.of_position(text) or games.find(DEFAULT_GAME)
    try:
        return rules.start if text == "start" else rules.position(text)
    except games.BadPosition as error:
        fail(error)


def load_player(name: str) -> None:
    """Imports the player `module:player`, with settings or without, so that it can be found by its name.

    Names of other players are left alone. Exits with a sentence if the module cannot be imported.
    """
    from ludus import players, plugins

    whole, _ = players.split_settings(name)
    if plugins.is_object_name(whole) and not players.is_named(whole):
        try:
            players.add(players.made_player(plugins.load_object(whole), whole))
        except ValueError as error:
            fail(error)


def deduced_game(game: GameName | None, names: Iterable[str]) -> GameName | None:
    """The given game; if none is given, the game of the first player that plays only one."""
    from ludus import players
    from ludus.protocols.engine import names_engine

    if game is None:
        for name in names:
            try:
                if names_engine(name):
                    continue
                load_player(name)
                found = players.games_of(name)
            except ValueError:  # the message comes when the player is loaded
                continue
            if len(found) == 1:
                return found.pop()
    return game


def read_player(name: str, game: GameName | None, budget: str | None = None, endgames: int | None = None) -> "Player":
    """The player of this name, with this budget and these endgame tables if they are given.

    Endgame tables in the name have precedence. Exits with a sentence if there is no such player.
    """
    from ludus import players
    from ludus.players import searches

    load_player(name)
    try:
        player = players.find(name, game)
        if budget is not None:
            player = player.with_budget(searches.Budget.parse(budget))
        if endgames is not None and name_settings(name).endgames is None:
            player = player.with_endgames(endgames)
    except ValueError as error:
        fail(error)
    return player


def name_settings(name: str) -> "Settings":
    """What the name of a player says of its budget and its endgame tables. Raises ValueError."""
    from ludus.players import Settings, split_settings

    return Settings.parse(split_settings(name)[1])
