"""The speed of the rules."""

from collections.abc import Iterator

from ludus.bench import oracles
from ludus.bench.measure import Measurement, measure, speeds
from ludus.games import draughts, pdn, tictactoe3d
from ludus.games.record import Record


def perft() -> Iterator[Measurement]:
    """Leaves a second from the start: the last ply counted, and every leaf made."""
    # What `ludus perft 12` counts, so that both print the same speed.
    bulk, plain = speeds(lambda: draughts.START.perft(12), lambda: draughts.START.perft(11, plain=True), seconds=3)
    yield Measurement("draughts/perft", bulk, "leaves/s", "draughts/perft-plain", plain)
    yield Measurement("draughts/perft-plain", plain, "leaves/s")


def moves_from_python() -> Iterator[Measurement]:
    """One `moves()` and one `play()` on each position of random games, against the same work of the oracles."""
    steps = [step for index in range(50) for step in oracles.game(index)]

    def ours() -> int:
        for position, move in steps:
            position.moves()
            position.play(move)
        return len(steps)

    name = "draughts/moves-from-python"
    yield measure(name, "calls/s", ours, "OpenSpiel", oracles.openspiel_moves())
    if theirs := oracles.pydraughts_moves():
        yield measure(f"{name}/pydraughts", "calls/s", ours, "pydraughts", theirs)


def random_draughts() -> Iterator[Measurement]:
    """Whole games of random moves."""

    def ours() -> int:
        draughts.random_games(seed=1, first=0, count=2000)
        return 2000

    yield measure("draughts/random-games", "games/s", ours, "OpenSpiel", oracles.openspiel_random_games())


def random_tictactoe3d() -> Iterator[Measurement]:
    """The same for Tic-Tac-Toe 3D."""

    def ours() -> int:
        tictactoe3d.random_games(seed=1, first=0, count=10_000)
        return 10_000

    yield measure("tictactoe3d/random-games", "games/s", ours)


def read_pdn() -> Iterator[Measurement]:
    """Whole games read from the lines of a PDN file: random moves, and the tags that such files have."""
    tags = {"Event": "A match", "Site": "?", "Date": "????.??.??", "Black": "Ann", "White": "Bob"}
    written = [
        pdn.write(Record(draughts.START, tuple(moves), outcome, tags))
        for moves, outcome in (draughts.random_game(1, index) for index in range(500))
    ]
    lines = "".join(written).splitlines(keepends=True)

    def ours() -> int:
        return sum(1 for _ in pdn.read(lines))

    yield measure("games/pdn", "games/s", ours)
