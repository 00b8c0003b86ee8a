"""The command perft: games counted."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.cli.common import app, read_position
from ludus.cli.options import GameOption, StartOption

if TYPE_CHECKING:
    from ludus.games import Position


_ALONE = 9  # plies that take no longer than some seconds: they are counted in one go


def _counted(start: "Position", depth: int, plain: bool) -> int:
    """The number of games, counted one position after two plies at a time, so that there is progress to show."""
    if depth < _ALONE:
        return start.perft(depth, plain=plain)
    from ludus.cli.progress import Watch

    parts = [
        position.play(move) for first in start.moves() for position in (start.play(first),) for move in position.moves()
    ]
    total = 0
    with Watch("parts", len(parts)) as watch:
        for done, part in enumerate(parts, 1):
            total += part.perft(depth - 2, plain=plain)
            watch.update(done, f"{total:,} games so far")
    return total


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
        total = _counted(start, depth, plain)
    took = time.perf_counter() - begin
    print(total)
    how = "every leaf made" if plain else "the last ply counted, not made"
    print(f"{took:.3f} s, {total / max(took, 1e-9) / 1e6:.1f} M leaves/s ({how})", file=sys.stderr)
