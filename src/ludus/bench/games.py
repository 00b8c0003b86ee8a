"""The speed of the rules."""

from collections.abc import Iterator

from ludus.bench import oracles
from ludus.bench.measure import Figure, figure, speeds
from ludus.games import draughts, tictactoe3d


def perft() -> Iterator[Figure]:
    """Leaves a second from the start: the last ply counted, and every leaf made."""
    bulk, plain = speeds(lambda: draughts.START.perft(10), lambda: draughts.START.perft(9, plain=True), seconds=2)
    yield Figure("draughts/perft", bulk, "leaves/s", "draughts/perft-plain", plain)
    yield Figure("draughts/perft-plain", plain, "leaves/s")


def moves_from_python() -> Iterator[Figure]:
    """One `moves()` and one `play()` on each position of random games, against the same work of the oracles."""
    steps = [step for index in range(50) for step in oracles.game(index)]

    def ours() -> int:
        for position, move in steps:
            position.moves()
            position.play(move)
        return len(steps)

    name = "draughts/moves-from-python"
    yield figure(name, "calls/s", ours, "OpenSpiel", oracles.openspiel_moves())
    if theirs := oracles.pydraughts_moves():
        yield figure(f"{name}/pydraughts", "calls/s", ours, "pydraughts", theirs)


def random_draughts() -> Iterator[Figure]:
    """Whole games of random moves."""

    def ours() -> int:
        draughts.random_games(seed=1, first=0, count=2000)
        return 2000

    yield figure("draughts/random-games", "games/s", ours, "OpenSpiel", oracles.openspiel_random_games())


def random_tictactoe3d() -> Iterator[Figure]:
    """The same for Tic-Tac-Toe 3D."""

    def ours() -> int:
        tictactoe3d.random_games(seed=1, first=0, count=10_000)
        return 10_000

    yield figure("tictactoe3d/random-games", "games/s", ours)
