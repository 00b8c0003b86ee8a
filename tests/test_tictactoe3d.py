"""Tic-Tac-Toe 3D: against a reference that enumerates the lines and replays games in NumPy, and by known answers."""

from fractions import Fraction
from itertools import product
from math import factorial

import numpy as np
import pytest

from ludus.games import BadPosition, Color, IllegalMove, Outcome, Reason
from ludus.games.tictactoe3d import START, Position, random_game, random_games

LINES = sorted(
    {
        tuple(sorted((x + i * dx) + 4 * (y + i * dy) + 16 * (z + i * dz) for i in range(4)))
        for x, y, z in product(range(4), repeat=3)
        for dx, dy, dz in product((-1, 0, 1), repeat=3)
        if (dx, dy, dz) != (0, 0, 0) and all(0 <= at + 3 * by < 4 for at, by in ((x, dx), (y, dy), (z, dz)))
    }
)
COLUMNS = [f"{letter}{digit}" for digit in "1234" for letter in "abcd"]


def played(text: str) -> Position:
    position = START
    for move in text.split():
        position = position.play(move)
    return position


def random_positions(games: int):
    for index in range(games):
        position = START
        yield position
        for move in random_game(2, index)[0]:
            position = position.play(move)
            yield position


def with_stones(white: set[int], black: set[int]) -> str:
    """The text of a position, made here from its cells, whether it can be or not."""
    stones = dict.fromkeys(white, "w") | dict.fromkeys(black, "b")
    columns = ["".join(stones.get(column + 16 * z, "") for z in range(4)) or "-" for column in range(16)]
    return "/".join(",".join(columns[row : row + 4]) for row in range(0, 16, 4))


# The lines


def test_there_are_76_lines_4_or_7_through_each_cell():
    assert len(LINES) == 76
    through = [sum(cell in line for line in LINES) for cell in range(64)]
    assert sorted(set(through)) == [4, 7] and through.count(7) == 16


# Random games against the reference


def test_100_000_random_games_end_as_the_reference_says():
    games = 100_000
    columns = np.full((games, 64), -1, np.int8)
    winners = np.empty(games, np.int8)  # 0 White, 1 Black, 2 nobody
    reasons = {None: Reason.FULL_BOARD, Color.WHITE: Reason.FOUR_IN_LINE, Color.BLACK: Reason.FOUR_IN_LINE}
    for index in range(games):
        moves, outcome = random_game(1, index)
        columns[index, : len(moves)] = [move.column for move in moves]
        winners[index] = [Color.WHITE, Color.BLACK, None].index(outcome.winner)
        assert outcome.reason == reasons[outcome.winner]
    lengths = (columns >= 0).sum(axis=1)

    on_line = np.zeros((64, len(LINES)), np.uint8)
    for number, line in enumerate(LINES):
        on_line[list(line), number] = 1
    heights = np.zeros((games, 16), np.uint8)
    stones = np.zeros((2, games, len(LINES)), np.uint8)  # of each side on each line
    lines_made = np.zeros(len(LINES), bool)
    for ply in range(64):
        going = np.flatnonzero(lengths > ply)
        column = columns[going, ply]
        cell = 16 * heights[going, column].astype(np.intp) + column
        assert (cell < 64).all()
        heights[going, column] += 1
        stones[ply % 2, going] += on_line[cell]
        fours = stones[ply % 2, going] == 4
        four = fours.any(axis=1)
        lines_made |= fours.any(axis=0)
        over = four | (ply == 63)
        assert (over == (lengths[going] == ply + 1)).all()
        assert (winners[going[over]] == np.where(four[over], ply % 2, 2)).all()

    white, black, draws = (int((winners == who).sum()) for who in range(3))
    assert random_games(1, 0, games) == (white, draws, black, int(lengths.sum()))
    assert (white, draws, black) == (55_312, 3, 44_685)
    assert lines_made.all()


def test_perft_counts_the_orders_of_columns():
    # The number of orders in which n stones fall, four at most into each of 16 columns: n! times the coefficient of x^n
    # in (1 + x + x^2/2 + x^3/6 + x^4/24)^16. Nobody can win before the seventh ply, so up to there these are the games.
    series = [Fraction(1)]
    for _ in range(16):
        terms = [Fraction(0)] * (len(series) + 4)
        for power, coefficient in enumerate(series):
            for stones in range(5):
                terms[power + stones] += coefficient / factorial(stones)
        series = terms
    orders = [int(series[n] * factorial(n)) for n in range(8)]
    assert orders[:5] == [1, 16, 256, 4096, 65536]
    assert [START.perft(depth) for depth in range(8)] == orders


# Rules


def test_white_moves_first_into_any_of_16_columns():
    assert START.turn == Color.WHITE
    assert [str(move) for move in START.moves()] == COLUMNS
    assert [move.column for move in START.moves()] == list(range(16))


def test_stones_fall_on_each_other():
    assert played("b3 b3 b3").text == "-,-,-,-/-,-,-,-/-,wbw,-,-/-,-,-,-"
    assert played("b3 b3 b3").cells()[9::16] == "wbw."


def test_a_full_column_is_refused():
    position = played("a1 a1 a1 a1")
    assert "a1" not in map(str, position.moves())
    with pytest.raises(IllegalMove, match="'a1' is not legal in wbwb,"):
        position.play("a1")


def test_four_in_a_line_end_the_game():
    position = played("a1 a2 b1 b2 c1 c2 d1")
    assert position.outcome() == Outcome(Color.WHITE, Reason.FOUR_IN_LINE)
    with pytest.raises(IllegalMove, match="the game is over"):
        position.play("a3")


def test_black_wins_upwards():
    assert played("a2 a1 b2 a1 c2 a1 d3 a1").outcome() == Outcome(Color.BLACK, Reason.FOUR_IN_LINE)


def test_three_in_a_line_do_not_end_the_game():
    assert played("a1 a2 b1 b2 c1 c2").outcome() is None


def test_a_full_board_without_a_line_is_a_draw():
    drawn = next(index for index in range(100_000) if random_game(1, index)[1].winner is None)
    moves, outcome = random_game(1, drawn)
    position = START
    for move in moves:
        assert position.outcome() is None
        position = position.play(move)
    assert len(moves) == 64 and position.moves() == []
    assert position.outcome() == outcome == Outcome(None, Reason.FULL_BOARD)


def test_a_line_with_the_last_stone_wins():
    for index in range(100_000):
        moves, outcome = random_game(1, index)
        if len(moves) == 64 and outcome.winner:
            assert outcome == Outcome(Color.BLACK, Reason.FOUR_IN_LINE)
            return
    pytest.fail("no such game")


@pytest.mark.parametrize("text", ["C2", " c2 ", "c2"])
def test_moves_are_read_as_people_write_them(text):
    assert str(START.move(text)) == "c2"


# Symmetries


def column_images(symmetry: int) -> tuple[int, ...]:
    """Where a symmetry takes each column, found by looking at a single stone."""
    return tuple(START.play(column).symmetric(symmetry).cells().index("w") for column in COLUMNS)


def test_the_8_symmetries_are_those_of_the_square():
    images = [column_images(symmetry) for symmetry in range(8)]
    assert images[0] == tuple(range(16))
    assert len(set(images)) == 8
    for first, second in product(images, repeat=2):
        assert tuple(second[column] for column in first) in images
    for image in images:
        for one, other in product(range(16), repeat=2):
            assert distance(one, other) == distance(image[one], image[other])


def distance(one: int, other: int) -> int:
    return (one % 4 - other % 4) ** 2 + (one // 4 - other // 4) ** 2


def test_symmetries_map_moves_and_keep_outcomes():
    images = [column_images(symmetry) for symmetry in range(8)]
    for position in random_positions(40):
        for symmetry, image in enumerate(images):
            twin = position.symmetric(symmetry)
            assert twin.outcome() == position.outcome()
            assert {move.column for move in twin.moves()} == {image[move.column] for move in position.moves()}
            for move in position.moves():
                assert twin.play(COLUMNS[image[move.column]]) == position.play(move).symmetric(symmetry)


@pytest.mark.parametrize("symmetry", [-1, 8])
def test_there_is_no_other_symmetry(symmetry):
    with pytest.raises(ValueError, match="0 to 7"):
        START.symmetric(symmetry)


# Hashing and text


def test_no_two_of_200_000_positions_share_a_hash():
    texts = {}
    index = 0
    while len(texts) < 200_000:
        position = START
        for move in random_game(4, index)[0]:
            position = position.play(move)
            assert texts.setdefault(hash(position), position.text) == position.text
        index += 1


def test_a_position_is_its_cells():
    for position in random_positions(40):
        cells = position.cells()
        white, black = ({cell for cell in range(64) if cells[cell] == stone} for stone in "wb")
        assert position.text == with_stones(white, black)


def test_blanks_in_a_position_do_not_matter():
    assert Position(" wb,- , -,-/-,-,-,-/\n-,-,-,-/-,-,-,- ") == played("a1 a1")


EMPTY_ROW = "-,-,-,-"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "an empty column is written -"),
        (f"{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}/-,-,-,", "an empty column is written -"),
        (f"{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}", "it has 12 columns, not 16"),
        (f"{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}/-", "it has more than 16 columns"),
        (f"-,-,-/-,{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}", "columns are separated by commas, rows of four by /"),
        (f"-,-,-,-,{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}", "columns are separated by commas, rows of four by /"),
        (f"--,-,-,-/{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}", "- stands alone for an empty column"),
        (f"w-,-,-,-/{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}", "- stands alone for an empty column"),
        (f"-w,-,-,-/{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}", "- stands alone for an empty column"),
        (f"wbwbw,-,-,-/{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}", "a column holds at most 4 stones"),
        (f"x,-,-,-/{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}", "it is made of w, b, -, commas and /"),
        (f"b,-,-,-/{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}", "White has as many stones as Black or one more"),
        (f"w,w,-,-/{EMPTY_ROW}/{EMPTY_ROW}/{EMPTY_ROW}", "White has as many stones as Black or one more"),
        (f"w,w,w,w/b,b,-,b/b,-,-,-/{EMPTY_ROW}", "the side to move has four in a line already"),
    ],
)
def test_a_bad_position_is_refused_with_its_reason(text, reason):
    with pytest.raises(BadPosition) as error:
        Position(text)
    assert reason in str(error.value)
