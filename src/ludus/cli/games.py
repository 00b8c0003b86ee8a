"""The commands perft and show: games counted, a position drawn, a player described."""

import sys
from typing import Annotated

import typer

from ludus.cli.common import MAY_BEGIN_WITH_A_HYPHEN, app, fail, read_player, read_position
from ludus.cli.options import PLAYER_HELP, GameOption, StartOption


@app.command()
def perft(
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="Length of the games, in plies.", min=0, max=100)],
    game: GameOption = None,
    position: StartOption = "start",
    divide: Annotated[bool, typer.Option("--divide", help="Also print the count of every first move.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Play every last move instead of only counting it. Slower.")
    ] = False,
) -> None:
    """Count the games of DEPTH plies.

    This is the standard test of a move generator. From the start of draughts there are 388623673 games of 12 plies.
    """
    import time

    start = read_position(position, game)
    begin = time.perf_counter()
    if divide and depth > 0:
        total = 0
        for move in start.moves():
            leaves = start.play(move).perft(depth - 1, plain=plain)
            total += leaves
            print(f"{move!s:>12} {leaves:>15}", flush=True)
    else:
        total = start.perft(depth, plain=plain)
    took = time.perf_counter() - begin
    print(total)
    how = "every leaf made" if plain else "the last ply counted, not made"
    print(f"{took:.3f} s, {total / max(took, 1e-9) / 1e6:.1f} M leaves/s ({how})", file=sys.stderr)


@app.command(context_settings=MAY_BEGIN_WITH_A_HYPHEN)
def show(
    what: Annotated[
        str, typer.Argument(metavar="WHAT", help=f"A position, as text, or start; or a player. {PLAYER_HELP}")
    ] = "start",
    game: GameOption = None,
    list_players: Annotated[
        bool, typer.Option("--players", help="List the players that have a name, with the commands that made them.")
    ] = False,
) -> None:
    """Show a position with its legal moves, or describe a player."""
    from ludus import players
    from ludus.endgames import text

    if list_players:
        for player in players.named_players():
            if game in (None, player.game):
                made = player.made
                build = f", Ludus {made.version}, {made.instructions}" if made.version else ""
                origin = (
                    f"{made.command}, seed {made.seed}, {made.date}{build}" if made.command else "needs no training"
                )
                print(f"{player.name:<20} {player.game:<12} {origin}")
        return None
    if players.is_named(what):
        return print(read_player(what, game).describe())
    if what != "start" and not {":", ","} & set(what):
        fail(f"{what[:80]!a} is neither a position nor a player; {players.known_names(game)}")
    position = read_position(what, game)
    print(position)
    print(position.text)
    if moves := position.moves():
        print(f"{len(moves)} legal {'move' if len(moves) == 1 else 'moves'}:", " ".join(map(position.write, moves)))
    if verdict := text.verdict_line(position):
        print(verdict)
    return None
