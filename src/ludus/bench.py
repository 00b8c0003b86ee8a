"""How fast the hot loops are: each figure measured in the same run as the one it is compared with."""

import importlib.util
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ludus.games import draughts, tictactoe3d

Work = Callable[[], int]  # does some work and tells how much


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured speed, and that of the reference measured beside it."""

    name: str
    value: float
    unit: str
    against: str | None = None
    reference: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the reference."""
        return None if self.reference is None else self.value / self.reference


def speeds(*works: Work, seconds: float = 1.0) -> list[float]:
    """The work per second of each, in turns until each has had `seconds`; the best turn counts, as noise only slows."""
    best = [0.0] * len(works)
    spent = [0.0] * len(works)
    while min(spent) < seconds:
        for i, work in enumerate(works):
            begin = time.perf_counter()
            done = work()
            took = time.perf_counter() - begin
            spent[i] += took
            best[i] = max(best[i], done / took)
    return best


def perft() -> Iterator[Figure]:
    """Leaves a second from the start: the last ply counted, and every leaf made."""
    bulk, plain = speeds(lambda: draughts.START.perft(10), lambda: draughts.START.perft(9, plain=True), seconds=2)
    yield Figure("draughts/perft", bulk, "leaves/s", "draughts/perft-plain", plain)
    yield Figure("draughts/perft-plain", plain, "leaves/s")


def moves_from_python() -> Iterator[Figure]:
    """One `moves()` and one `play()`, on positions of random games, against the same work of the oracles."""
    positions = [position for index in range(50) for position in _game(index)]

    def ours() -> int:
        for position, move in positions:
            position.moves()
            position.play(move)
        return len(positions)

    name = "draughts/moves-from-python"
    for against, theirs in (("OpenSpiel", _openspiel_moves), ("pydraughts", _pydraughts_moves)):
        entry = name if against == "OpenSpiel" else f"{name}/{against}"
        if importlib.util.find_spec({"OpenSpiel": "pyspiel", "pydraughts": "draughts"}[against]):
            value, reference = speeds(ours, theirs())
            yield Figure(entry, value, "calls/s", against, reference)
        elif entry == name:
            yield Figure(entry, *speeds(ours), "calls/s")


def random_games() -> Iterator[Figure]:
    """Whole games of random moves, in one call."""
    seed = 1

    def ours() -> int:
        draughts.random_games(seed, 0, 2000)
        return 2000

    if importlib.util.find_spec("pyspiel"):
        value, reference = speeds(ours, _openspiel_random_games())
        yield Figure("draughts/random-games", value, "games/s", "OpenSpiel", reference)
    else:
        yield Figure("draughts/random-games", *speeds(ours), "games/s")


def random_games_3d() -> Iterator[Figure]:
    """The same for Tic-Tac-Toe 3D."""

    def ours() -> int:
        tictactoe3d.random_games(1, 0, 10_000)
        return 10_000

    yield Figure("tictactoe3d/random-games", *speeds(ours), "games/s")


FIGURES: dict[str, Callable[[], Iterator[Figure]]] = {
    "draughts/perft": perft,
    "draughts/perft-plain": perft,
    "draughts/moves-from-python": moves_from_python,
    "draughts/random-games": random_games,
    "tictactoe3d/random-games": random_games_3d,
}


def _game(index: int) -> list[tuple[draughts.Position, draughts.Move]]:
    position, pairs = draughts.START, []
    for move in draughts.random_game(1, index)[0]:
        pairs.append((position, move))
        position = position.play(move)
    return pairs


def _openspiel_moves() -> Work:
    import pyspiel

    pairs = []
    for index in range(50):
        state = pyspiel.load_game("checkers").new_initial_state()
        for _, move in _game(index):
            # OpenSpiel makes each jump of a capture an action of its own.
            steps = [f"{_algebraic(a)}{_algebraic(b)}" for a, b in zip(move.squares, move.squares[1:], strict=False)]
            pairs.append((state.clone(), state.string_to_action(steps[0])))
            for step in steps:
                state.apply_action(state.string_to_action(step))

    def work() -> int:
        for state, action in pairs:
            state.legal_actions()
            state.child(action)
        return len(pairs)

    return work


def _algebraic(square: int) -> str:
    """OpenSpiel's name of a square: its first player, our Black, sits at the bottom, so a1 is our square 4."""
    row, column = divmod(square - 1, 4)
    return f"{'abcdefgh'[2 * (3 - column) + row % 2]}{row + 1}"


def _openspiel_random_games() -> Work:
    import random

    import pyspiel

    game = pyspiel.load_game("checkers")
    rng = random.Random(1)

    def work() -> int:
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        return 20

    return work


def _pydraughts_moves() -> Work:
    from draughts import Board

    # It is some thousand times slower: a few positions will do, set up anew each time because it remembers its moves.
    positions = [position.text for position, _ in _game(0)][:20]
    boards = [Board(variant="english", fen=text) for text in positions]

    def work() -> int:
        for board in boards:
            moves = board.legal_moves()
            board.push(moves[0])
            board.pop()
        return len(boards)

    return work
