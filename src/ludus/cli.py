"""The command line: what people type, and one clear sentence when it cannot be done."""

import io
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from ludus.players import Player

app = typer.Typer(
    help="A school for board-game players: English draughts and Tic-Tac-Toe 3D.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class GameName(StrEnum):
    """The games by name; written out here because `ludus --help` does not load them."""

    draughts = "draughts"
    tictactoe3d = "tictactoe3d"


GameOption = Annotated[GameName | None, typer.Option("--game", "-g", help="The game; else the position tells.")]


class SideName(StrEnum):
    """The person's side at the board."""

    first = "first"
    second = "second"
    black = "black"
    white = "white"


BudgetOption = Annotated[
    str | None,
    typer.Option("--budget", "-b", help="A move's budget: depth=8, nodes=100000, playouts=300 or seconds=0.5."),
]
SeedOption = Annotated[int, typer.Option(help="For players that choose by chance.", min=0, max=2**64 - 1)]


def fail(message: object) -> NoReturn:
    """Says what is wrong in one sentence and stops with status 2, as the shell expects of bad input."""
    print(f"ludus: {message}", file=sys.stderr)
    raise typer.Exit(2)


def read_position(text: str, game: GameName | None) -> Any:
    """The position that `text` means: its own notation, or `start`."""
    from ludus import games

    if not text.isprintable():
        fail("a position is one line of printable text")
    name = game or (GameName.tictactoe3d if "/" in text else GameName.draughts)
    module = games.named(name)
    try:
        return module.START if text == "start" else module.Position(text)
    except games.BadPosition as error:
        fail(error)


def read_player(name: str, game: GameName | None, budget: str | None = None) -> "Player":
    """The player that `name` means, with this budget if there is one."""
    from ludus import players, searches

    try:
        player = players.find(name, game)
        if budget is not None:
            player = player.with_budget(searches.checked_budget(player.search, searches.Budget.parse(budget)))
    except ValueError as error:
        fail(error)
    return player


@app.command()
def perft(
    depth: Annotated[int, typer.Argument(help="How many plies.", min=0)],
    game: GameOption = None,
    position: Annotated[str, typer.Option("--position", "-p", help="Where to begin.")] = "start",
    divide: Annotated[bool, typer.Option("--divide", help="Count under each first move.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Make every last move instead of counting it.")] = False,
) -> None:
    """Count the games of DEPTH plies: the standard check of a move generator."""
    import time

    start = read_position(position, game)
    begin = time.perf_counter()
    if depth == 0:
        total = 1
    else:
        # Move by move also without --divide, so that Ctrl-C is heard.
        total = 0
        for move in start.moves():
            leaves = start.play(move).perft(depth - 1, plain=plain) if depth > 1 or plain else 1
            total += leaves
            if divide:
                print(f"{move!s:>12} {leaves:>15}")
    took = time.perf_counter() - begin
    print(total)
    how = "every leaf made" if plain else "the last ply counted, not made"
    print(f"{took:.3f} s, {total / max(took, 1e-9) / 1e6:.1f} M leaves/s ({how})", file=sys.stderr)


@app.command()
def show(
    what: Annotated[str, typer.Argument(help="A position as text, start, or a player: a name or a file.")],
    game: GameOption = None,
) -> None:
    """Draw a position with its legal moves, or describe a player."""
    from ludus import players

    # Every position has a colon or a comma.
    if players.is_named(what) or not (what == "start" or ":" in what or "," in what):
        return print(read_player(what, game).describe())
    position = read_position(what, game)
    print(position)
    print(position.text)
    if moves := position.moves():
        print(f"{len(moves)} legal {'move' if len(moves) == 1 else 'moves'}:", " ".join(map(position.write, moves)))
    return None


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
    from ludus import games, players, searches, terminal
    from ludus.files import write_atomically

    if game is None and "/" in position:
        game = GameName.tictactoe3d
    player = read_player(opponent, game, budget)
    if level is not None:
        if budget is not None:
            fail("give a level or a budget, not both")
        player = player.with_budget(searches.at_level(player.search, level))
    start = read_position(position, GameName(player.game))
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

    record = terminal.Table(players.Thinker(player), start, sides[side], ask, print, seed).play()
    if save is not None:
        try:
            write_atomically(save, terminal.write_record(record).encode())
        except OSError as error:
            fail(f"the game cannot be saved in {save}: {error.strerror}")


@app.command()
def analyse(
    position: Annotated[str, typer.Argument(help="A position as text, or start.")],
    game: GameOption = None,
    player: Annotated[str, typer.Option("--with", "-w", help="A player: a name or a file.")] = "material",
    budget: BudgetOption = None,
    seed: SeedOption = 0,
) -> None:
    """Show what a player thinks of a position, depth by depth; Ctrl-C stops it."""
    from ludus import analysis, games

    start = read_position(position, game)
    name = type(start).__module__.rpartition(".")[2]
    thinker = read_player(player, GameName(name), budget)
    history = games.named(name).History(start)
    if outcome := history.outcome():
        fail(f"there is nothing to analyse: {outcome}")
    print(start)
    try:
        for line in analysis.lines(thinker, history, seed):
            print(line, flush=True)
    except KeyboardInterrupt:
        print("stopped")


@app.command()
def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Which figures; all of them otherwise.")] = None,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Measure how fast the core is, beside what it is compared with."""
    import json as encoder

    from ludus import bench as benchmarks

    names = names or list(benchmarks.FIGURES)
    for name in names:
        if name not in benchmarks.FIGURES:
            fail(f"there is no figure {name}; there are {', '.join(benchmarks.FIGURES)}")
    report = {}
    for figure in benchmarks.measure(names):
        reference = None if figure.reference is None else {"name": figure.against, "value": figure.reference}
        report[figure.name] = {
            "value": figure.value,
            "unit": figure.unit,
            "reference": reference,
            "ratio": figure.ratio,
        }
        if not json:
            beside = "" if figure.ratio is None else f"{figure.ratio:10,.1f} x {figure.against}"
            print(f"{figure.name:<40} {figure.value:>16,.0f} {figure.unit:<10} {beside}".rstrip(), flush=True)
    if json:
        print(encoder.dumps(report, indent=2))


def main() -> None:
    """Run the command line."""
    app()
