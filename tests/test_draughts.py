"""English draughts: known answers, and each rule by a position that shows it."""

import pickle
from pathlib import Path

import pytest

from ludus.games import AmbiguousMove, BadPosition, Color, DrawRules, IllegalMove, Outcome, Reason
from ludus.games.draughts import START, History, Move, Position, random_game

GOLDEN = Path(__file__).parent / "golden"


def moves(text: str) -> set[str]:
    return {str(move) for move in Position(text).moves()}


# Known answers


def test_perft_from_the_start():
    leaves = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]
    assert [START.perft(depth) for depth in range(1, 10)] == leaves


def test_perft_of_the_golden_positions():
    lines = (GOLDEN / "perft.txt").read_text().splitlines()
    assert len(lines) >= 7000
    for line in lines:
        text, *counts = line.split()
        position = Position(text)
        assert position.text == text
        assert [position.perft(depth) for depth in range(1, len(counts) + 1)] == [int(count) for count in counts], text


def test_two_captures_to_one_result_are_two_games_for_perft():
    assert Position("B:W6,7,14,15:BK18").perft(1) == 2


# Moves


def test_black_begins_on_1_to_12():
    assert START.turn == Color.BLACK
    assert Position("B:W21-32:B1-12") == START
    assert START.pieces() == dict.fromkeys(range(1, 13), "b") | dict.fromkeys(range(21, 33), "w")


def test_a_man_steps_forward_only():
    assert moves("B:W32:B14") == {"14-17", "14-18"}
    assert moves("W:W18:B1") == {"18-14", "18-15"}


def test_a_man_at_the_edge_has_one_step():
    assert moves("B:W32:B5") == {"5-9"}
    assert moves("B:W32:B12") == {"12-16"}


def test_a_king_steps_one_square_in_four_directions():
    assert moves("B:W32:BK14") == {"14-9", "14-10", "14-17", "14-18"}
    assert moves("W:WK14:B1") == {"14-9", "14-10", "14-17", "14-18"}


def test_a_man_reaching_the_last_row_is_crowned():
    assert Position("B:WK1:B26").play("26-31").pieces()[31] == "B"
    assert Position("W:W5:BK32").play("5-1").pieces()[1] == "W"


def test_capture_is_compulsory():
    assert moves("B:W18:B1,14") == {"14x23"}
    with pytest.raises(IllegalMove, match="a capture is compulsory; legal: 14x23"):
        Position("B:W18:B1,14").move("1-5")


def test_any_capture_may_be_chosen_also_the_smaller():
    assert moves("B:W16,18,27:B12,14") == {"12x19", "14x23x32"}


def test_a_chosen_capture_is_carried_to_its_end():
    position = Position("B:W16,18,27:B12,14")
    with pytest.raises(IllegalMove):
        position.move("14x23")
    assert position.play("14x23x32") == Position("W:W16:B12,K32")


def test_a_man_captures_forward_only():
    assert moves("B:W17,18:B22") == {"22-25", "22-26"}
    assert moves("B:W17,18:BK22") == {"22x13", "22x15"}


def test_a_man_does_not_go_on_backward():
    # From 23 a king would jump back over 19.
    assert moves("B:W18,19:B14") == {"14x23"}
    assert moves("B:W18,19:BK14") == {"14x23x16"}


def test_a_man_crowned_in_a_capture_stops():
    # From 31 a king would go on over 27.
    assert moves("B:W26,27:B22") == {"22x31"}
    assert moves("B:W26,27:BK22") == {"22x31x24"}
    assert Position("B:W26,27:B22").play("22x31") == Position("W:W27:BK31")
    assert moves("W:W11:B6,7") == {"11x2"}


def test_a_king_captures_in_four_directions():
    assert moves("B:W14,15,22,23:BK18") == {"18x9", "18x11", "18x25", "18x27"}


def test_a_king_does_not_fly():
    assert moves("B:W23:BK9") == {"9-5", "9-6", "9-13", "9-14"}


def test_only_an_empty_square_behind_lets_a_piece_be_captured():
    assert moves("B:W18,23:B14") == {"14-17"}
    assert moves("B:W18:B14,23") == {"14-17", "23-26", "23-27"}
    assert moves("B:W5:BK1") == {"1-6"}


def test_a_king_may_come_back_to_where_it_began():
    position = Position("B:W6,7,14,15:BK18")
    assert moves(position.text) == {"18x9x2x11x18", "18x11x2x9x18"}
    assert {position.play(move) for move in position.moves()} == {Position("W:W:BK18")}


def test_a_king_may_pass_over_the_square_where_it_began():
    assert "18x9x2x11x18x25" in moves("B:W6,7,14,15,22:BK18")


def test_no_piece_is_jumped_twice():
    assert moves("B:W14:BK18") == {"18x9"}
    for index in range(300):
        position = START
        for move in random_game(1, index)[0]:
            assert len(set(move.captured)) == len(move.captured)
            position = position.play(move)


def test_captured_pieces_leave_the_board():
    move = Position("B:W16,18,27:B12,14").move("14x32")
    assert move.squares == (14, 23, 32) and move.captured == (18, 27)
    assert Position("B:WK18:B14").play("14x23") == Position("W:W:B23")


def test_a_capture_can_take_nine_pieces():
    position = Position("B:W6,7,8,14,15,16,22,23,24:BK1")
    assert len(position.move("1x10x17x26x19x12x3x10x19x28").captured) == 9


# The end of a game


def test_a_blocked_side_loses():
    position = Position("B:W16,19:B12")
    assert position.moves() == []
    assert position.outcome() == Outcome(Color.WHITE, Reason.NO_MOVES)
    assert position.turned().outcome() == Outcome(Color.BLACK, Reason.NO_MOVES)


def test_a_side_without_pieces_loses():
    assert Position("W:W:B1").outcome() == Outcome(Color.BLACK, Reason.NO_MOVES)
    assert Position("B:W32:B").outcome() == Outcome(Color.WHITE, Reason.NO_MOVES)


def test_the_third_occurrence_of_a_position_is_a_draw():
    history = History(Position("B:WK32:BK1"))
    for ply, text in enumerate(["1-5", "32-28", "5-1", "28-32"] * 2):
        assert history.outcome() is None, ply
        history.play(history.position.move(text))
    assert history.outcome() == Outcome(None, Reason.REPETITION)


def test_the_side_to_move_is_part_of_a_position():
    black, white = Position("B:WK32:BK1"), Position("W:WK32:BK1")
    assert black != white and hash(black) != hash(white)


def shuffled(history: History, plies: int) -> None:
    """Moves the kings that stand on 1 and 32 to and fro."""
    for ply in range(plies):
        assert history.outcome() is None, f"after {ply} quiet plies"
        text = ["1-6", "32-28", "6-1", "28-32"][ply % 4]
        history.play(history.position.move(text))


def test_80_plies_without_a_capture_or_a_mans_move_are_a_draw():
    history = History(Position("B:WK32:BK1"), DrawRules(repetitions=0))
    shuffled(history, 80)
    assert history.outcome() == Outcome(None, Reason.QUIET_MOVES)


def test_a_mans_move_begins_the_quiet_count_anew():
    history = History(Position("W:WK32:BK1,9"), DrawRules(repetitions=0))
    history.play(history.position.move("32-27"))
    history.play(history.position.move("9-13"))
    history.play(history.position.move("27-32"))
    shuffled(history, 79)
    assert history.outcome() == Outcome(None, Reason.QUIET_MOVES)


def test_a_capture_begins_the_quiet_count_anew():
    history = History(Position("B:W9,K32:BK1,K5"), DrawRules(repetitions=0, quiet_plies=3))
    for text in ["5x14", "32-28", "14-18"]:
        history.play(history.position.move(text))
        assert history.outcome() is None
    history.play(history.position.move("28-32"))
    assert history.outcome() == Outcome(None, Reason.QUIET_MOVES)


def test_the_limit_of_plies_is_a_draw():
    history = History(Position("B:WK32:BK1"), DrawRules(repetitions=0, plies=10))
    shuffled(history, 10)
    assert history.outcome() == Outcome(None, Reason.LENGTH)


def test_a_win_on_the_last_ply_is_a_win():
    history = History(Position("B:W18:B14"), DrawRules(plies=1))
    history.play(history.position.move("14x23"))
    assert history.outcome() == Outcome(Color.BLACK, Reason.NO_MOVES)


def test_rules_that_are_off_never_draw():
    history = History(Position("B:WK32:BK1"), DrawRules(repetitions=0, quiet_plies=0, plies=0))
    shuffled(history, 400)
    assert history.outcome() is None


def test_draw_rules_are_values():
    rules = DrawRules(repetitions=2, quiet_plies=0, plies=100)
    assert pickle.loads(pickle.dumps(rules)) == rules == DrawRules(plies=100, quiet_plies=0, repetitions=2)
    assert hash(rules) == hash(DrawRules(plies=100, quiet_plies=0, repetitions=2))
    assert rules != DrawRules()


def test_a_rule_below_zero_is_refused():
    with pytest.raises(ValueError, match="0 or more"):
        DrawRules(plies=-1)


# Moves as text


def test_two_routes_are_two_moves_and_are_written_apart():
    position = Position("W:W18:B6,7,14,15")
    assert {position.write(move) for move in position.moves()} == {"18x9x2", "18x11x2"}
    assert position.play("18x9x2") == Position("B:WK2:B7,15")
    assert position.play("18x11x2") == Position("B:WK2:B6,14")


def test_a_move_with_no_rival_is_written_short():
    position = Position("B:W16,18,27:B12,14")
    assert {position.write(move) for move in position.moves()} == {"12x19", "14x32"}


def test_a_text_that_fits_two_results_is_ambiguous():
    with pytest.raises(AmbiguousMove, match="'18x2' could be 18x11x2 or 18x9x2"):
        Position("W:W18:B6,7,14,15").move("18x2")


def test_a_text_that_fits_two_routes_to_one_result_is_not_ambiguous():
    position = Position("B:W6,7,14,15:BK18")
    assert position.play("18x18") == Position("W:W:BK18")


@pytest.mark.parametrize("text", ["14x23x32", "14x32", "14-32", "14-23-32", "14:23:32", "14X32", " 14x32\n"])
def test_captures_are_read_as_people_write_them(text):
    position = Position("B:W16,18,27:B12,14")
    assert str(position.move(text)) == "14x23x32"


def test_a_step_is_not_written_as_a_capture():
    with pytest.raises(IllegalMove):
        START.move("11x15")


# Symmetry and hashing


def test_the_turned_position_has_the_mirrored_moves():
    for index in range(100):
        position = START
        for move in random_game(3, index)[0]:
            mirrored = {tuple(33 - square for square in move.squares) for move in position.moves()}
            assert {move.squares for move in position.turned().moves()} == mirrored
            assert position.turned().turned() == position != position.turned()
            position = position.play(move)


def test_no_two_of_200_000_positions_share_a_hash():
    texts = {}
    index = 0
    while len(texts) < 200_000:
        position = START
        for move in random_game(4, index)[0]:
            position = position.play(move)
            assert texts.setdefault(hash(position), position.text) == position.text
        index += 1


# Positions as text


@pytest.mark.parametrize(
    "text",
    [
        "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
        "B:B12,16,20,K22,K25,K29:W18,24,27,28,K10,K15",
        "B:WK10,K15,18,24,27-28:BK22,K25,K29,12,16,20.",
        "b:w18,24,27,28,k10,k15:b12,16,20,k22,k25,k29",
        "  B : W 18, 24 , 27 - 28, K10, K 15 : B12,16,20,K22,K25,K29 \n",
        "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29:H0:F1",
    ],
)
def test_every_form_of_fen_reads_as_one_position(text):
    assert Position(text).text == "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("W:B1-12:W21-32", START.text.replace("B:W", "W:W", 1)),
        ("B:WK1-4:B", "B:WK1,K2,K3,K4:B"),
        ("B:W:B1", "B:W:B1"),
        ("B:B1", "B:W:B1"),
        ("W:W32", "W:W32:B"),
        ("B", "B:W:B"),
        ("B:W32,:B1,", "B:W32:B1"),
    ],
)
def test_fen_is_written_in_one_form(text, canonical):
    assert Position(text).text == canonical


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it begins with the side to move"),
        ("21-32", "it begins with the side to move"),
        ("X:W32:B1", "it begins with the side to move"),
        ("BW:W32:B1", "it begins with the side to move"),
        ("B:X32:B1", "should begin with B or W"),
        ("B:32:B1", "should begin with B or W"),
        ("B:W32:B1:H", "should begin with B or W"),
        ("B:W33:B1", "'33' is not a square"),
        ("B:W0:B1", "'0' is not a square"),
        ("B:W-5:B1", "'' is not a square"),
        ("B:W5-:B1", "'' is not a square"),
        ("B:W5,,6:B1", "'' is not a square"),
        ("B:WQ5:B1", "'Q5' is not a square"),
        ("B:WKK5:B1", "'K5' is not a square"),
        ("B:W5-6-7:B1", "'6-7' is not a square"),
        ("B:W12-9:B1", "the range '12-9' runs backwards"),
        ("B:W9,9:B1", "square 9 is named twice"),
        ("B:W9,K9:B1", "square 9 is named twice"),
        ("B:W9:W10", "White's pieces are given twice"),
        ("B:B9:B10", "Black's pieces are given twice"),
        ("B:W9:B9", "square 9 holds a piece of both sides"),
        ("W:W9:BK9", "square 9 holds a piece of both sides"),
        ("B:W4:B1", "a man of White cannot stand on 4"),
        ("B:W32:B29", "a man of Black cannot stand on 29"),
        ("B:W20-32:B1", "White has 13 pieces; a side has at most 12"),
        ("B:W32:BK1-13", "Black has 13 pieces; a side has at most 12"),
    ],
)
def test_a_bad_position_is_refused_with_its_reason(text, reason):
    with pytest.raises(BadPosition) as error:
        Position(text)
    assert reason in str(error.value)


def test_a_position_is_drawn_with_white_at_the_bottom():
    assert str(Position("W:W21,K2:B5,K32")).splitlines() == [
        "  .   W   .   .   1-4",
        "b   .   .   .     5-8",
        "  .   .   .   .   9-12",
        ".   .   .   .     13-16",
        "  .   .   .   .   17-20",
        "w   .   .   .     21-24",
        "  .   .   .   .   25-28",
        ".   .   .   B     29-32",
        "White to move",
    ]


def test_a_king_s_move_backwards_says_whose_it_is():
    position = Position("B:W5:BK15")
    assert repr(position.move("15-18")) == "Move('15-18')"
    assert repr(position.move("15-11")) == "Move('15-11', Color.BLACK)"
    assert Move("15-11") != position.move("15-11")
