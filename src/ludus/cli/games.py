"""The command perft: games counted."""

import sys
from typing import Annotated

import typer

from ludus.cli.common import app, read_position
from ludus.cli.options import GameOption, StartOption


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
