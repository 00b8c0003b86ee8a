"""Tic-Tac-Toe 3D games as one line of text."""

import pytest
from hypothesis import given

from fuzz import check_game3d, check_position3d
from ludus.games import BadPosition, Color, IllegalMove, Outcome, Reason
from ludus.games.record import Record
from ludus.games.results import BadResult
from ludus.games.tictactoe3d import START, Position, random_game, read_game, write_game
from test_pdn import near

WON = "a1 b1 a1 b1 a1 b1 a1"  # four on a1
LATER = Position("wb,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-")


def test_a_won_game():
    record = read_game(WON + " 1-0")
    assert [str(move) for move in record.moves] == WON.split()
    assert (record.start, record.outcome) == (START, Outcome(Color.WHITE, Reason.FOUR_IN_LINE))
    assert write_game(record) == WON + " 1-0"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("a1 *", None),
        (WON + " *", None),
        ("*", None),
        ("a1 0-1", Outcome(Color.BLACK, Reason.ADJUDICATION)),
        ("a1 1/2-1/2", Outcome(None, Reason.ADJUDICATION)),
        ("a1 1-0 forfeit", Outcome(Color.WHITE, Reason.FORFEIT)),
        ("a1 1/2-1/2 length", Outcome(None, Reason.LENGTH)),
        (f"{LATER.text} a1 b2 0-1 resignation", Outcome(Color.BLACK, Reason.RESIGNATION)),
        (f"{LATER.text} *", None),
    ],
)
def test_results_reasons_and_starts_come_back(text, outcome):
    record = read_game(text)
    assert record.outcome == outcome
    assert write_game(record) == text


def test_a_line_may_have_any_blanks_around_its_words():
    assert read_game("  A1\tb1  *\r\n") == read_game("a1 b1 *")


@pytest.mark.parametrize(
    ("text", "error", "reason"),
    [
        ("", BadResult, "no result"),
        ("a1 b1", BadResult, "no result"),
        ("a1 e1 *", IllegalMove, "'e1' is not a move"),
        ("a1 a1 a1 a1 a1 *", IllegalMove, "'a1' is not legal"),
        (WON + " b1 1-0", IllegalMove, "the game is over"),
        (WON + " 0-1", BadResult, "Black is said to have won, but by the rules: White wins: four in a line"),
        (WON + " 1/2-1/2", BadResult, "said to be a draw"),
        ("w,b *", BadPosition, "2 columns"),
        ("a1 1-0 four_in_line", BadResult, "does not show it"),
        ("a1 1-0 luck", BadResult, "'luck' is not a reason"),
        ("a1 * b1", BadResult, "'b1' comes after the end"),
    ],
)
def test_a_broken_game_is_refused_with_the_reason(text, error, reason):
    with pytest.raises(error, match=reason):
        read_game(text)


def test_tags_and_comments_are_not_lost_in_silence():
    for record in (Record(START, tags={"White": "Ann"}), Record(START, comments={0: "x"})):
        with pytest.raises(ValueError, match="without tags and comments"):
            write_game(record)


def test_an_outcome_against_the_board_is_refused():
    won = read_game(WON + " 1-0")
    with pytest.raises(BadResult):
        write_game(Record(START, won.moves, Outcome(Color.WHITE, Reason.FORFEIT)))
    with pytest.raises(BadResult):
        write_game(Record(START, (), Outcome(None, Reason.FULL_BOARD)))


def test_two_thousand_random_games_come_back():
    for index in range(2_000):
        played, outcome = random_game(1, index)
        record = Record(START, tuple(played), outcome)
        assert read_game(write_game(record)) == record


@given(near("position3d"))
def test_positions_are_read_or_refused(text):
    check_position3d(text)


@given(near("game3d"))
def test_games_are_read_or_refused(text):
    check_game3d(text)
