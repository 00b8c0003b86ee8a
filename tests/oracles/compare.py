"""Our legal moves of draughts against two implementations that nobody here wrote: pydraughts and OpenSpiel's checkers.

`make oracles` runs it. A move is compared by all it does: the squares it visits, the pieces it takes and the position
after it, so that two routes to one square are two moves on both sides. One line is printed for each comparison, and any
difference makes the exit status 1. When there is none, the run writes the golden perft file that `make test` replays.

What the oracles do that has to be known:

- pydraughts sets up any position, and its `Game.legal_moves` keeps routes apart.
- OpenSpiel cannot be set up from Python: it has to play a game from the start. One of its actions is a single jump, and
  the same player goes on. It calls 40 actions without a capture a draw, men's moves or not: there we stop following it.
"""

import os
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pyspiel
from draughts.core.game import Game
from rich.progress import track

from ludus.games import Color, draughts
from ludus.games.draughts import Position

SEED = 1
PYDRAUGHTS_GAMES = 600  # enough for 20,000 different positions
OPENSPIEL_GAMES = 4_000  # the first of them are the games above
KING_POSITIONS = 7_000
GOLDEN_POSITIONS = 3_600  # of each of the two kinds
GOLDEN_FILE = Path(__file__).parents[1] / "golden" / "perft.txt"
GOLDEN_DEPTH = 6  # the deepest count of a golden line
GOLDEN_COUNT = 20_000  # and the largest: all lines together are replayed in a second
# Where pieces are taken by long captures that branch and come back: a third of the positions with kings has them here.
NETS = ({6, 7, 8, 14, 15, 16, 22, 23, 24}, {9, 10, 11, 17, 18, 19, 25, 26, 27})
OPENSPIEL_QUIET = 40  # actions without a capture that end its game
OPENSPIEL_DEPTH = 3  # of the perft counts it confirms


class Ply(NamedTuple):
    """A legal move and all it does."""

    squares: tuple[int, ...]
    captured: tuple[int, ...]
    after: str


@dataclass
class Tally:
    """What was compared, and what was not the same."""

    positions: int = 0
    moves: int = 0
    differences: list[str] = field(default_factory=list)

    def compare(self, position: Position, theirs: Iterable[Ply]) -> None:
        ours = sorted(our_plies(position))
        theirs = sorted(theirs)
        self.positions += 1
        self.moves += len(ours)
        if ours != theirs:
            self.differences.append(f"{position.text}\n  ours   {ours}\n  theirs {theirs}")

    def compare_counts(self, position: Position, theirs: list[int]) -> None:
        ours = [position.perft(depth) for depth in range(1, len(theirs) + 1)]
        self.positions += 1
        self.moves += sum(ours)
        if ours != theirs:
            self.differences.append(f"{position.text}: perft is {ours} for us, {theirs} for them")

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.positions + other.positions, self.moves + other.moves, self.differences + other.differences)


def our_plies(position: Position) -> Iterator[Ply]:
    for move in position.moves():
        yield Ply(move.squares, move.captured, position.play(move).text)


# Positions


def game_positions(games: int) -> list[str]:
    """The different positions of the first random games, in the order in which they first occur."""
    positions = {}
    for index in range(games):
        position = draughts.START
        positions[position.text] = None
        for move in draughts.random_game(SEED, index)[0]:
            position = position.play(move)
            positions[position.text] = None
    return list(positions)


def king_positions() -> Iterator[str]:
    """Different random positions with kings: 1 to 12 pieces a side, few or many of them kings, either side to move."""
    rng = random.Random(SEED)

    def below(n: int) -> int:
        return int(rng.random() * n)  # of all its methods only random() is promised never to change

    seen = set()
    while True:
        mover = "BW"[below(2)]
        net = NETS[below(2)] if below(3) == 0 else None
        kings_among_ten = 1 + below(10)
        free = set(range(1, 33))
        sides = {}
        for side, crown_row in (("W", range(1, 5)), ("B", range(29, 33))):
            squares = sorted(free if net is None else free - net if side == mover else net)
            pieces = []
            for _ in range(min(1 + below(12), len(squares))):
                square = squares.pop(below(len(squares)))
                king = square in crown_row or below(10) < kings_among_ten
                pieces.append(f"{'K' if king else ''}{square}")
                free.remove(square)
            sides[side] = ",".join(pieces)
        text = Position(f"{mover}:W{sides['W']}:B{sides['B']}").text
        if "K" in text and text not in seen:
            seen.add(text)
            yield text


# pydraughts


def pydraughts_plies(text: str) -> Iterator[Ply]:
    moves, captures = Game("english", text).legal_moves()
    for jumps, captured in zip(moves, captures, strict=True):
        game = Game("english", text)
        game.push(jumps)
        squares = (jumps[0][0], *(to for _, to in jumps))
        yield Ply(squares, tuple(square for square in captured if square), Position(game.get_li_fen()).text)


def pydraughts_count(text: str) -> int:
    return len(Game("english", text).legal_moves()[0])


def compare_pydraughts(texts: list[str]) -> Tally:
    tally = Tally()
    for text in texts:
        tally.compare(Position(text), pydraughts_plies(text))
    return tally


def count_pydraughts(texts: list[str]) -> Tally:
    """Perft 1 and 2, the positions after the first ply being pydraughts' own."""
    tally = Tally()
    for text in texts:
        after = [ply.after for ply in pydraughts_plies(text)]
        tally.compare_counts(Position(text), [len(after), sum(map(pydraughts_count, after))])
    return tally


# OpenSpiel


def square_of(name: str) -> int:
    """The number of a square such as a3. The first player sits at the bottom and is our Black: the board is turned."""
    row, column = int(name[1]) - 1, ord("h") - ord(name[0])
    return 4 * row + column // 2 + 1


def openspiel_position(state: pyspiel.State, turn: Color) -> str:
    """The position of a state in our words; a finished state does not say whose turn it is."""
    sides = {Color.BLACK: [], Color.WHITE: []}
    for line in str(state).splitlines()[:8]:
        for column, piece in zip("abcdefgh", line[1:], strict=True):
            if piece != ".":
                color = Color.BLACK if piece in "o8" else Color.WHITE
                king = "K" if piece in "8*" else ""
                sides[color].append(f"{king}{square_of(column + line[0])}")
    mover = "B" if turn == Color.BLACK else "W"
    return Position(f"{mover}:W{','.join(sides[Color.WHITE])}:B{','.join(sides[Color.BLACK])}").text


def openspiel_actions(state: pyspiel.State) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], pyspiel.State]]:
    """The moves of a state: the squares visited, the squares captured, and the state after."""
    for action in state.legal_actions():
        name = state.action_to_string(action)
        squares = (square_of(name[:2]), square_of(name[2:]))
        jumped = abs(ord(name[0]) - ord(name[2])) == 2
        between = chr((ord(name[0]) + ord(name[2])) // 2) + str((int(name[1]) + int(name[3])) // 2)
        captured = (square_of(between),) if jumped else ()
        after = state.child(action)
        if after.current_player() != state.current_player():
            yield squares, captured, after
            continue
        for more_squares, more_captured, last in openspiel_actions(after):
            yield squares + more_squares[1:], captured + more_captured, last


def openspiel_perft(state: pyspiel.State, depth: int) -> int:
    if depth == 1:
        return sum(1 for _ in openspiel_actions(state))
    return sum(openspiel_perft(after, depth - 1) for _, _, after in openspiel_actions(state))


def compare_openspiel(games: int, golden: set[str]) -> tuple[Tally, Tally]:
    """Follows random games: the moves of every new position, and the perft counts of the golden ones."""
    checkers = pyspiel.load_game("checkers")
    moves_tally, counts_tally = Tally(), Tally()
    seen = set()
    for index in range(games):
        state, position, quiet = checkers.new_initial_state(), draughts.START, 0
        for move in [*draughts.random_game(SEED, index)[0], None]:
            if quiet == OPENSPIEL_QUIET:
                if not state.is_terminal() or state.returns() != [0, 0]:
                    moves_tally.differences.append(f"{position.text}: OpenSpiel was expected to call it a draw")
                break
            plies = list(openspiel_actions(state))
            if position.text not in seen:
                seen.add(position.text)
                moves_tally.compare(
                    position, (Ply(s, c, openspiel_position(after, ~position.turn)) for s, c, after in plies)
                )
                if position.text in golden and quiet + OPENSPIEL_DEPTH <= OPENSPIEL_QUIET:
                    counts = [openspiel_perft(state, depth) for depth in range(1, OPENSPIEL_DEPTH + 1)]
                    counts_tally.compare_counts(position, counts)
            if move is None:
                break
            state = next((after for squares, _, after in plies if squares == move.squares), None)
            if state is None:
                break  # a difference, noted above
            quiet = 0 if move.captured else quiet + 1
            position = position.play(move)
    return moves_tally, counts_tally


# The run


def golden_line(text: str) -> str:
    """A position and its perft 1, 2, ... as far as the counts stay small."""
    position = Position(text)
    counts = [position.perft(1)]
    for depth in range(2, GOLDEN_DEPTH + 1):
        count = position.perft(depth)
        if count > GOLDEN_COUNT:
            break
        counts.append(count)
    return f"{text} {' '.join(map(str, counts))}\n"


def main() -> int:
    from_games = game_positions(PYDRAUGHTS_GAMES)
    with_kings = list(islice(king_positions(), KING_POSITIONS))
    golden_games = from_games[:: len(from_games) // GOLDEN_POSITIONS][:GOLDEN_POSITIONS]
    golden = golden_games + with_kings[:GOLDEN_POSITIONS]

    quiet = not sys.stdout.isatty()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        openspiel = pool.submit(compare_openspiel, OPENSPIEL_GAMES, set(golden_games))

        def spread(work: Callable[[list[str]], Tally], texts: list[str], title: str) -> Tally:
            chunks = [texts[first : first + 100] for first in range(0, len(texts), 100)]
            done = track(pool.map(work, chunks), description=title, total=len(chunks), disable=quiet)
            return sum(done, Tally())

        comparisons = [
            ("pydraughts, moves, random games", spread(compare_pydraughts, from_games, "random games")),
            ("pydraughts, moves, random positions with kings", spread(compare_pydraughts, with_kings, "with kings")),
            ("pydraughts, perft 1 and 2, golden positions", spread(count_pydraughts, golden, "golden perft")),
        ]
        moves, counts = openspiel.result()
        comparisons.insert(2, ("OpenSpiel, moves, random games", moves))
        comparisons.append((f"OpenSpiel, perft 1 to {OPENSPIEL_DEPTH}, golden positions of games", counts))

    for name, tally in comparisons:
        print(f"{name}: {tally.positions} positions, {tally.moves} moves, {len(tally.differences)} differences")
    differences = [difference for _, tally in comparisons for difference in tally.differences]
    for difference in differences[:10]:
        print(difference, file=sys.stderr)
    if differences:
        return 1
    GOLDEN_FILE.write_text("".join(map(golden_line, golden)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
