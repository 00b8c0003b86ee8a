"""The same work done by other people's rules libraries, where they are installed (`make oracles`)."""

import importlib.util
import random

from ludus.bench.measure import Work
from ludus.games import draughts


def game(index: int) -> list[tuple[draughts.Position, draughts.Move]]:
    """The positions of a random game, each with the move played there."""
    position, steps = draughts.START, []
    for move in draughts.random_game(1, index)[0]:
        steps.append((position, move))
        position = position.play(move)
    return steps


def openspiel_moves() -> Work | None:
    """OpenSpiel: the legal actions, and a new state after one of them."""
    if not importlib.util.find_spec("pyspiel"):
        return None
    import pyspiel

    steps = []
    for index in range(50):
        state = pyspiel.load_game("checkers").new_initial_state()
        for _, move in game(index):
            if state.is_terminal():  # it calls 40 plies without a capture a draw
                break
            # Each jump of a capture is an action of its own.
            jumps = [f"{_algebraic(a)}{_algebraic(b)}" for a, b in zip(move.squares, move.squares[1:], strict=False)]
            steps.append((state.clone(), state.string_to_action(jumps[0])))
            for jump in jumps:
                state.apply_action(state.string_to_action(jump))

    def work() -> int:
        for state, action in steps:
            state.legal_actions()
            state.child(action)
        return len(steps)

    return work


def openspiel_random_games() -> Work | None:
    """OpenSpiel: whole games of random actions."""
    if not importlib.util.find_spec("pyspiel"):
        return None
    import pyspiel

    checkers = pyspiel.load_game("checkers")
    rng = random.Random(1)

    def work() -> int:
        for _ in range(20):
            state = checkers.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        return 20

    return work


def openspiel_playouts() -> Work | None:
    """OpenSpiel's own MCTS, in C++, with random play-outs from the start."""
    if not importlib.util.find_spec("pyspiel"):
        return None
    import pyspiel

    checkers = pyspiel.load_game("checkers")
    simulations = 1000

    def work() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)  # one play-out a simulation, seed 1
        bot = pyspiel.MCTSBot(checkers, evaluator, 2.0, simulations, 1000, False, 1, False)
        bot.mcts_search(checkers.new_initial_state())
        return simulations

    return work


def pydraughts_moves() -> Work | None:
    """pydraughts: the legal moves, and one of them made; taken back as well, because its board changes."""
    if not importlib.util.find_spec("draughts"):
        return None
    from draughts import Board

    boards = [Board(variant="english", fen=position.text) for position, _ in game(0)]

    def work() -> int:
        for board in boards:
            board.push(board.legal_moves()[0])
            board.pop()
        return len(boards)

    return work


def _algebraic(square: int) -> str:
    """OpenSpiel's name of a square: its first player, our Black, sits at the bottom, so a1 is our square 4."""
    row, column = divmod(square - 1, 4)
    return f"{'abcdefgh'[2 * (3 - column) + row % 2]}{row + 1}"
