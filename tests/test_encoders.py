"""Encoders: inputs worked by hand. They are those of the side that has just moved: Black, unless it is said.

    1     2     3     4
 5     6     7     8
    9    10    11    12
13    14    15    16
   17    18    19    20
21    22    23    24
   25    26    27    28
29    30    31    32
"""

import numpy as np
import pytest

from ludus._core import draughts, tictactoe3d
from ludus.games.draughts import START, Position
from ludus.games.tictactoe3d import Position as Cells

KING = 1.5


def pieces(fen, king=KING):
    """The squares that are not 0, by number."""
    inputs = draughts.encode_squares(Position(fen), king)
    return {int(i) + 1: float(inputs[i]) for i in np.flatnonzero(inputs)}


def games(game, count):
    for index in range(count):
        position = game.START
        for move in game.random_game(4, index)[0]:
            position = position.play(move)
            yield position


def test_squares_are_worth_1_a_man_and_more_a_king_and_the_opponents_negative():
    assert pieces("W:W30,K18:B1,K32") == {1: 1, 32: KING, 18: -KING, 30: -1}


@pytest.mark.parametrize("king", [1.0, 1.3, 2.0, 3.0])
def test_the_worth_of_a_king_is_given(king):
    assert pieces("W:W30,K18:B1,K32", king) == pytest.approx({1: 1, 32: king, 18: -king, 30: -1})


def test_squares_belong_to_the_side_that_has_just_moved():
    # White has just moved: its man on 30 is its own, and as White sees the board 30 is 3 and 1 is 32.
    assert pieces("B:W30:B1,K9") == {3: 1, 32: -1, 24: -KING}


def test_the_start_is_twelve_against_twelve():
    assert draughts.encode_squares(START, KING).tolist() == [1] * 12 + [0] * 8 + [-1] * 12


def rows_and_columns(square):
    """The place on the 8x8 board, from 0: 1 is in row 0, column 1."""
    row = (square - 1) // 4
    return row, 2 * ((square - 1) % 4) + (1 - row % 2)


def test_there_are_91_subsquares():
    subsquares = draughts.subsquares()
    assert len(subsquares) == 91 == 36 + 25 + 16 + 9 + 4 + 1
    assert sum(map(len, subsquares)) == 854
    at = 0
    for size in range(3, 9):
        for top in range(9 - size):
            for left in range(9 - size):
                inside = {
                    square
                    for square in range(1, 33)
                    if top <= rows_and_columns(square)[0] < top + size
                    and left <= rows_and_columns(square)[1] < left + size
                }
                assert {square + 1 for square in subsquares[at]} == inside
                at += 1


def test_subsquares_worked_by_hand():
    subsquares = [[square + 1 for square in members] for members in draughts.subsquares()]
    assert subsquares[0] == [1, 5, 6, 9]  # rows 0 to 2, columns 0 to 2
    assert subsquares[1] == [1, 2, 6, 9, 10]  # one column on
    assert subsquares[6] == [5, 6, 9, 13, 14]  # one row down
    assert subsquares[35] == [24, 27, 28, 32]  # the last 3x3
    assert subsquares[36] == [1, 2, 5, 6, 9, 10, 13, 14]  # the first 4x4
    assert subsquares[90] == list(range(1, 33))


def test_subsquare_sums_worked_by_hand():
    # Black's man on 6 and king on 9, White's man on 14.
    sums = draughts.encode_subsquares(Position("W:W14:B6,K9"), KING)
    assert sums[0] == 1 + KING  # 1 5 6 9
    assert sums[2] == 1  # columns 2 to 4 of rows 0 to 2: 2 6 7 10
    assert sums[3] == 0  # columns 3 to 5
    assert sums[6] == 1 + KING - 1  # 5 6 9 13 14
    assert sums[18] == -1  # rows 3 to 5, columns 0 to 2: 13 14 17 21 22
    assert sums[36] == sums[90] == 1 + KING - 1


def test_the_sums_are_those_of_the_squares_in_games():
    for position in games(draughts, 30):
        squares = draughts.encode_squares(position, KING)
        sums = draughts.encode_subsquares(position, KING)
        assert sums.tolist() == [squares[members].sum() for members in draughts.subsquares()]
        assert sums[90] == squares.sum() == draughts.piece_difference(position, KING)


def test_the_piece_difference_is_the_side_that_has_just_moved_less_the_other():
    assert draughts.piece_difference(Position("W:W30,K18:B1,2,K32"), 2.0) == 4 - 3
    assert draughts.piece_difference(Position("B:W30,K18:B1,2,K32"), 2.0) == 3 - 4


def test_colour_turned_positions_give_the_same_inputs():
    for position in games(draughts, 30):
        turned = position.turned()
        assert turned.turn != position.turn
        assert draughts.encode_squares(position, KING).tolist() == draughts.encode_squares(turned, KING).tolist()
        assert draughts.encode_subsquares(position, KING).tolist() == draughts.encode_subsquares(turned, KING).tolist()


def stones(text):
    inputs = tictactoe3d.encode_cells(Cells(text))
    return {int(i): float(inputs[i]) for i in np.flatnonzero(inputs)}


def test_cells_are_numbered_level_by_level():
    # Columns are written a1 b1 c1 d1/a2 ...; a cell is 16 a level, 4 a row, 1 a letter. White has just moved.
    assert stones("wbw,-,-,-/-,-,-,-/-,-,b,-/-,-,-,w") == {0: 1, 16: -1, 32: 1, 4 * 2 + 2: -1, 15: 1}


def test_cells_belong_to_the_side_that_has_just_moved():
    assert stones("w,b,-,-/-,-,-,-/-,-,-,-/-,-,-,-") == {0: -1, 1: 1}  # Black has
    assert stones("w,b,w,-/-,-,-,-/-,-,-,-/-,-,-,-") == {0: 1, 1: -1, 2: 1}  # White has


def test_cells_are_the_stones_of_the_board_in_games():
    for position in games(tictactoe3d, 30):
        own = "b" if str(position.turn) == "White" else "w"  # of the side that has just moved
        wanted = [0 if stone not in "wb" else 1 if stone == own else -1 for stone in position.cells()]
        assert tictactoe3d.encode_cells(position).tolist() == wanted
