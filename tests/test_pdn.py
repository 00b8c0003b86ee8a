"""PDN: every construct of the format by hand, broken files, and that what is written is what is read."""

import io
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz import PDN, TARGETS, check_fen, check_move, check_pdn
from ludus.games import Color, Outcome, Reason, draughts, pdn, pdn_mending, pdn_tokens
from ludus.games.draughts import START, Position
from ludus.games.pdn import BadPdn
from ludus.games.record import Record
from ludus.games.results import BadResult

# White takes the last man with the only move.
WON_BY_WHITE = '[FEN "W:W18:B14"]\n'


def read(text, **options):
    return list(pdn.read(io.StringIO(text), **options))


def one(text, **options):
    (record,) = read(text, **options)
    return record


def moves(record):
    return " ".join(map(str, record.moves))


def error(text, **options):
    with pytest.raises(BadPdn) as caught:
        read(text, **options)
    return caught.value


def again(record):
    return one(pdn.write(record))


# Reading: the constructs


def test_every_construct_in_one_file():
    first, second, third, fourth = read(PDN)
    assert moves(first) == "11-15 23-19 8-11 22-17 4-8 17-13 15-18"
    assert first.tags == {"Event": 'A "test" \\ of everything', "Site": "?", "Black": "Ann", "White": "Bob"}
    assert first.comments == {0: "Before", 4: "the rest", 5: "two lines"}
    assert first.outcome == Outcome(Color.BLACK, Reason.RESIGNATION)
    assert second.start == Position("W:WK5,30:BK22,1")
    assert (moves(second), second.outcome) == ("5-9 22-26 30x23", None)
    assert (moves(third), third.outcome) == ("12-16 24-20 8-12", Outcome(None, Reason.ADJUDICATION))
    assert (fourth.tags, fourth.outcome) == ({"Event": "No result"}, Outcome(None, Reason.FORFEIT))


@pytest.mark.parametrize(
    "text",
    [
        "1. 11-15 23-19 2. 8-11 *",
        "1.11-15 23-19 2.8-11 *",
        "1. 11-15 1... 23-19 2. 8-11",
        "1.11-15 1...23-19\n2 . 8-11",
        "11-15\n23-19\n8-11",
        "1. 11-15! 23-19?? 2. 8-11!? *",
        "1. 11-15 (!) 23-19 $1$2 2. 8-11 ! *",
        "1. 11-15 (1. 9-14) 23-19 (1... 22-18 (1... 22-17 {:)}) 2. 15x22) 2. 8-11 ((())) *",
        '1. 11-15 (1. "a ) b" 9-14 $7 1-0 *) 23-19 2. 8-11 *',
        '1. 11-15 (a lone " and {\n ( } ; ) \n) 23-19 2. 8-11 *',
        "% 1. 9-14\n1. 11-15\n%{\n23-19 2. 8-11 *",
        "\ufeff1. 11-15 23-19 2. 8-11 *",
        "1. 11-15 23-19\r\n2. 8-11\r\n*\r\n",
        "* * 1. 11-15 23-19 2. 8-11 * *",
        "{}1. 11-15 { } 23-19 2. 8-11 *",
    ],
)
def test_ways_to_write_the_same_moves(text):
    record = one(text)
    assert moves(record) == "11-15 23-19 8-11"
    assert (record.start, record.outcome, record.tags, record.comments) == (START, None, {}, {})


def test_comments_are_kept_by_ply_and_joined():
    record = one("{a} ;b\n{c\n  d} 1. 11-15 {e} 23-19 {f} (x {no}) {g} 2. 8-11 ; h }\n *{i}\n")
    assert record.comments == {0: "a b c d", 1: "e", 2: "f g", 3: "h } i"}


def test_a_comment_after_the_result_belongs_to_the_game_only_on_its_line():
    first, second = read('1. 11-15 1-0 {first}\n{second} [Event "x"] 1. 9-14 * {last}\n{nobody\'s}\n')
    assert first.comments == {1: "first"}
    assert second.comments == {0: "second", 1: "last"}


def test_games_need_no_result_between_them():
    text = '[Event "a"]\n1. 11-15\n[Event "b"]\n\n[Event "c"]\n{c} [Site "d"]\n1. 9-14\n\n[Event "e"]'
    assert [(r.tags, len(r.moves)) for r in read(text)] == [
        ({"Event": "a"}, 1),
        ({"Event": "b"}, 0),
        ({"Event": "c", "Site": "d"}, 1),
        ({"Event": "e"}, 0),
    ]


def test_a_tag_may_be_given_twice_in_one_paragraph():
    assert one('[Event "a"]\n[Site "x"]\n[Event "b"]\n1. 11-15').tags == {"Event": "b", "Site": "x"}


def test_results_alone_separate_games_without_tags():
    assert [moves(r) for r in read("1. 11-15 1-0 1. 9-14 * 1. 9-13 1/2-1/2 1. 10-14")] == [
        "11-15",
        "9-14",
        "9-13",
        "10-14",
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "*", "* *\n*", "{only a comment}", "% nothing\n", "\ufeff", "{x} *"])
def test_a_file_without_games(text):
    assert read(text) == []


def test_an_empty_game_has_tags():
    assert one('[Event "x"]\n*') == Record(START, tags={"Event": "x"})
    assert one('[Result "0-1"]') == Record(START, (), Outcome(Color.WHITE, Reason.ADJUDICATION))
    assert read("1. 11-15 * 1-0\n1-0") == read("1. 11-15 *")


def test_moves_are_read_as_people_write_them():
    record = one('[FEN "W:WK23:B18,10,19"]\n1... 23:14:7 *')
    assert moves(record) == "23x14x7"


@pytest.mark.parametrize("value", ["21", "21,B,8,8,N1,0", " 21 "])
def test_game_type_21_is_read(value):
    assert one(f'[GameType "{value}"] 1. 11-15 *').tags == {}


# Reading: results


@pytest.mark.parametrize(
    ("result", "winner"),
    [("1-0", Color.BLACK), ("2-0", Color.BLACK), ("0-1", Color.WHITE), ("0-2", Color.WHITE)],
)
def test_the_side_that_comes_first_in_a_result(result, winner):
    for text in (f"1. 11-15 {result}", f'[Result "{result}"] 1. 11-15', f'[Result "{result}"] 1. 11-15 *'):
        assert one(text).outcome == Outcome(winner, Reason.ADJUDICATION)
        assert one(text, first_in_result=Color.WHITE).outcome == Outcome(~winner, Reason.ADJUDICATION)


@pytest.mark.parametrize("result", ["", "?", "*"])
def test_a_result_may_be_unknown(result):
    assert one(f'[Result "{result}"] 1. 11-15').outcome is None


@pytest.mark.parametrize("result", ["1/2-1/2", "1-1", "1/2"])
def test_draws(result):
    assert one(f"1. 11-15 {result}").outcome == Outcome(None, Reason.ADJUDICATION)


def test_both_can_lose():
    record = one("1. 11-15 0-0")
    assert record.outcome == Outcome(None, Reason.FORFEIT)
    assert "Winner" not in pdn.write(record)
    assert again(record) == record


def test_winner_overrules_the_order_of_points():
    assert one('[Winner "White"] 1. 11-15 1-0').outcome == Outcome(Color.WHITE, Reason.ADJUDICATION)
    assert one('[Winner "Black"] 1. 11-15 1-0', first_in_result=Color.WHITE).outcome.winner == Color.BLACK
    assert one('[Winner "Draw"] 1. 11-15 *').outcome == Outcome(None, Reason.ADJUDICATION)


def test_a_finished_game_has_the_reason_of_the_rules():
    assert one(WON_BY_WHITE + "1... 18x9 0-1").outcome == Outcome(Color.WHITE, Reason.NO_MOVES)
    assert one(WON_BY_WHITE + '[Reason "resignation"] 1... 18x9 0-1').outcome.reason == Reason.NO_MOVES


def test_a_finished_game_without_a_written_result_has_none():
    assert one(WON_BY_WHITE + "1... 18x9 *").outcome is None


def test_a_result_against_the_rules_is_refused_with_a_hint():
    wrong = error(WON_BY_WHITE + "1... 18x9\n1-0")
    assert wrong.line == 3
    assert "Black is said to have won" in wrong.reason
    assert "White wins: Black cannot move" in wrong.reason
    assert "first_in_result=Color.WHITE" in wrong.reason
    assert one(WON_BY_WHITE + "1... 18x9\n1-0", first_in_result=Color.WHITE).outcome.winner == Color.WHITE


def test_no_option_helps_a_wrong_draw_or_a_wrong_winner():
    draw = error(WON_BY_WHITE + '[Result "1/2-1/2"]\n1... 18x9\n*')
    assert (draw.line, "first_in_result" in draw.reason) == (2, False)
    winner = error(WON_BY_WHITE + '[Winner "Black"]\n1... 18x9\n1-0')
    assert (winner.line, "first_in_result" in winner.reason) == (2, False)


# Reading: broken files


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('[GameType "20"]\n1. 32-28', 1, "GameType '20' is not English draughts"),
        ('\n[FEN "B:W33:B1"]', 2, "FEN: '33' is not a square"),
        ('[FEN "B:W21-:B1"]', 1, "FEN: '' is not a square"),
        ('[FEN "\udc80"]', 1, "FEN: "),
        ('[Event "x"]\n[SetUp "1"]\n*', 2, "no FEN"),
        ("1. 11-15\n11-16", 2, "move 2: '11-16' is not legal"),
        ('[FEN "W:W22:B17,18,9,10"]\n\n1... 22x6', 3, "move 1: '22x6' could be "),
        ("1. 11-15\n\n23 + 19", 3, "'23' is neither a move"),
        ("11-15 e3-d4", 1, "'e3-d4' is neither"),
        ("11-15\nWhite resigns 1-0", 2, "'White' is neither"),
        ('11-15 "\n', 1, "'\"' is neither"),
        ("11-15 )\n", 1, "closed that was not opened"),
        ("11-15\n(9-14 (\n) 1-0\n", 2, "the variation that begins here is not closed"),
        ('11-15\n(9-14\n[Event "x"]\n', 2, "not closed before the next game"),
        ("11-15 {a\nb} {c\nd", 2, "the comment that begins here is not closed"),
        ("11-15 (\n{c\nd)", 2, "the comment that begins here is not closed"),
        ('[Event "x]\n*', 1, "is not a tag"),
        ('[Event "x\\"]\n*', 1, "is not a tag"),
        ('[Event "x"\n]*', 1, "is not a tag"),
        ('[Event "x"]\n[Result "3-0"]', 2, "Result '3-0' is not one of 1-0, "),
        ('[Result "1-0"]\n11-15\n0-1', 3, "ends in 0-1, but its tag Result is 1-0"),
        ('[Winner "Ann"]\n11-15 1-0', 1, "not one of Black, White, Draw"),
        ('[Winner "Draw"]\n11-15 1-0', 1, "contradicts the result"),
        ('[Winner "Black"]\n11-15 1/2-1/2', 1, "contradicts the result"),
        ('[Winner "Draw"]\n11-15 0-0', 1, "contradicts the result"),
        ('\n[Reason "boredom"]\n11-15 1-0', 2, "'boredom' is not a reason"),
        ('\n[Reason "no_moves"]\n11-15 1-0', 2, "the last position does not show it"),
        ('\n[Reason "forfeit"]\n11-15 *', 2, "but no result"),
    ],
)
def test_what_is_broken_is_named_with_its_line(text, line, reason):
    wrong = error(text)
    assert wrong.line == line
    assert reason in wrong.reason
    assert str(wrong) == f"line {line}: {wrong.reason}"


def test_the_error_survives_a_process_pool():
    wrong = pickle.loads(pickle.dumps(BadPdn(3, "why")))
    assert (wrong.line, wrong.reason, str(wrong)) == (3, "why", "line 3: why")


def test_broken_games_can_be_skipped():
    broken = [
        "1. 11-16 11-16 1-0\n",
        "1. 11-15 what 9-14 1-0\n",
        '[Event "x]\n[Site "y"] 1. 11-15\n',
        '[FEN "nonsense"]\n1. 11-15 *\n',
        "1. 11-15 ( 9-14 *\n",
    ]
    good = '[Event "good"] 1. 11-15 *\n'
    errors = []
    records = read(good + good.join(broken) + good, on_error=errors.append)
    assert [r.tags for r in records] == [{"Event": "good"}] * 6
    assert [e.line for e in errors] == [2, 4, 6, 9, 12]


def test_the_first_error_is_raised_after_the_games_before_it():
    games = pdn.read(io.StringIO("1. 11-15 *\n1. 1-2 *\n"))
    assert moves(next(games)) == "11-15"
    with pytest.raises(BadPdn):
        next(games)


def test_a_game_is_given_before_the_next_line_is_read():
    given_out = 0

    def lines():
        nonlocal given_out
        while True:
            given_out += 1
            yield f'[Round "{given_out}"] 1. 11-15 1-0\n'

    games = pdn.read(lines())
    for number in (1, 2, 3):
        assert next(games).tags == {"Round": str(number)}
        assert given_out == number


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        PDN,
        "1. 11-15 23-19 2. 8-11 *",
        "1.11-15 1...23-19\n2.\n8-11\n1-1\n1. 9-13 1-1",
        "1. 11-15\t23-19  2. 8-11 1/2-1/2 \r\n\r\n\xa01. 9-13\x0c22-18 2. 6-9 1/2\n",
        "1. 9-13 1-11 *\n1. 1-1x5 *\n1. 9-13 1-10",
        "1. 11-15 {so} 23-19\n2. 8-11 22-17 {here}\n3. 4-8 *",
        "1. 11-15 (\n1. 9-13 22-18 1-0\n) 23-19 2. 8-11 *\n{mine}\n1. 9-13 *",
        "1. 11-15 1-0 (\n1. 9-13 1-0\n)\n{whose}\n1. 9-13 *",
        "1. 11-15 {\n1. 9-13 22-18\n} 23-19 *",
        "%1. 9-13\n1. 11-15 *\n% 1. 9-13\n",
        "1. 11-15 22-18\n2. 15-22 25x18 *\n1. 11x15 *\n1. 11-15 22 - 18 *",
        "1. 11-15 22-18\n2. 15x22 25x18\n3. 8-11 99-18\n4. 4-8 *\n1. 9-13 *",
        "1. 11-15 22-18\n2. 15x22 25x18 3. what\n8-11 *\n1. 09-13 *\n1. 9-13 111-15 *",
        '[FEN "?:W18,31:B14,1"]\n1. 18x9 1-6 2. 9-5 *',
        '[FEN "W:W22:B17,18,9,10"]\n\n1... 22x6 *',
        '[FEN "W:WK23:B18,10,19"]\n1... 23x14x7 *\n1. 11-15 1. 1. 22-18 *',
    ],
)
def test_plain_lines_are_read_as_all_others_are(text, strict, monkeypatch):
    def found():
        errors, mends = [], []
        records = read(text, strict=strict, on_error=errors.append, on_mended=mends.append)
        return records, list(map(str, errors)), mends

    fast = found()
    monkeypatch.setattr(pdn_tokens, "_PLAIN", re.compile("(?!)"))
    monkeypatch.setattr(pdn, "_usual_moves", lambda *_: None)
    assert fast == found() and fast != ([], [], [])


def test_random_games_are_read_in_one_call_of_the_core(monkeypatch):
    records = [Record(START, tuple(draughts.random_game(3, index)[0])) for index in range(100)]
    monkeypatch.setattr(pdn, "_any_moves", None)
    assert read("".join(map(pdn.write, records))) == records


# Writing


def test_what_is_written():
    played, _ = draughts.random_game(1, 0)
    record = Record(
        START,
        tuple(played[:5]),
        Outcome(Color.WHITE, Reason.RESIGNATION),
        {"ECF": "1", "White": 'Bob "x"', "Black": "Ann", "Event": "Match"},
        {0: "so it begins", 5: "a } b"},
    )
    assert pdn.write(record) == (
        '[Event "Match"]\n'
        '[Black "Ann"]\n'
        '[White "Bob \\"x\\""]\n'
        '[Result "0-1"]\n'
        '[Winner "White"]\n'
        '[Reason "resignation"]\n'
        '[GameType "21"]\n'
        '[ECF "1"]\n'
        "\n"
        "{so it begins} 1. 9-14 24-19 2. 12-16 19x12 3. 11-15 {a %7D b} 0-1\n"
        "\n"
    )
    assert again(record) == record


def test_a_game_that_white_begins_starts_in_the_middle_of_a_move():
    text = pdn.write(one('[FEN "W:WK5,30:BK22,1"] 5-9 22-26 30x23 *'))
    assert '[SetUp "1"]\n[FEN "W:W30,K5:B1,K22"]\n\n1... 5-9 2. 22-26 30x23 *\n' in text


def test_lines_are_at_most_80_columns():
    played, outcome = draughts.random_game(1, 3)
    comments = {ply: f"comment {'and so on ' * ply}" for ply in range(0, len(played), 3)}
    record = Record(START, tuple(played), outcome, {}, {ply: text.strip() for ply, text in comments.items()})
    assert max(map(len, pdn.write(record).splitlines())) <= 80
    assert again(record) == record


@pytest.mark.parametrize(
    "text", ["}", "{", "%7D", "%25", "%257D", "%2%7D}", "%}", "%%25", "50% ; (x) [y] 1-0 *", "{}}"]
)
def test_any_comment_can_be_written(text):
    record = Record(START, comments={0: text})
    assert again(record) == record


def test_white_space_in_a_comment_becomes_one_blank():
    assert again(Record(START, comments={0: " a\n\n b\t"})).comments == {0: "a b"}


@pytest.mark.parametrize(
    "outcome",
    [None, *(Outcome(w, r) for w in (Color.BLACK, Color.WHITE, None) for r in Reason if r.name not in
             ("NO_MOVES", "FOUR_IN_LINE", "FULL_BOARD"))],
    ids=str,
)  # fmt: skip
def test_every_outcome_comes_back(outcome):
    record = Record(START, (), outcome)
    assert again(record) == record


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"tags": {"FEN": "x"}}, "the tag FEN is made from the record"),
        ({"tags": {"a b": "x"}}, "cannot name a tag"),
        ({"tags": {"Event": "a\nb"}}, "more than one line"),
        ({"comments": {1: "x"}}, "no move 1 to comment on"),
        ({"outcome": Outcome(Color.BLACK, Reason.NO_MOVES)}, "the last position"),
        ({"outcome": Outcome(Color.BLACK, Reason.FOUR_IN_LINE)}, "the last position"),
        ({"start": Position("W:W:B1"), "outcome": Outcome(Color.WHITE, Reason.RESIGNATION)}, "by the rules"),
        ({"start": Position("W:W:B1"), "outcome": Outcome(Color.BLACK, Reason.RESIGNATION)}, "shows another"),
    ],
)
def test_what_cannot_be_written_is_refused(changes, reason):
    with pytest.raises(ValueError, match=reason):
        pdn.write(Record(**{"start": START} | changes))


def test_a_contradiction_is_a_bad_result():
    with pytest.raises(BadResult):
        pdn.write(Record(START, (), Outcome(Color.BLACK, Reason.NO_MOVES)))


def test_ten_thousand_random_games_come_back():
    for first in range(0, 10_000, 500):  # in batches: a million moves at once are a burden to the garbage collector
        games = (draughts.random_game(1, index) for index in range(first, first + 500))
        records = [Record(START, tuple(played), outcome) for played, outcome in games]
        assert read("".join(map(pdn.write, records))) == records


# Any text at all


def near(name):
    """Valid texts with a few pieces replaced, and rows of the grammar's pieces."""
    target = TARGETS[name]
    piece = st.sampled_from(target.pieces) | st.text(st.characters(), max_size=3)
    cut = st.tuples(st.sampled_from(target.seeds), st.integers(0, 400), st.integers(0, 12), piece)
    return (
        cut.map(lambda c: c[0][: c[1] % (len(c[0]) + 1)] + c[3] + c[0][c[1] % (len(c[0]) + 1) + c[2] :])
        | st.lists(piece, max_size=30).map("".join)
        | st.text(st.characters())  # half surrogates as well
    )


@given(near("fen"))
def test_fen_is_read_or_refused(text):
    check_fen(text)


@given(near("move"))
def test_moves_are_read_or_refused(text):
    check_move(text)


@given(near("pdn"))
def test_pdn_is_read_or_refused(text):
    check_pdn(text)


@given(
    st.dictionaries(
        st.from_regex("[A-Z][a-z]{0,5}_", fullmatch=True), st.text(st.characters(exclude_characters="\r\n"))
    ),
    st.dictionaries(st.integers(0, 6), st.text(min_size=1).filter(lambda text: " ".join(text.split()) == text)),
    st.integers(0, 100),
)
def test_any_tags_and_comments_come_back(tags, comments, index):
    record = Record(START, tuple(draughts.random_game(2, index)[0][:6]), None, tags, comments)
    assert again(record) == record


# PDN as it is in the wild


def mended(text, **options):
    found = []
    (record,) = read(text, on_mended=found.append, **options)
    return moves(record), [each.how for each in found]


@pytest.mark.parametrize(
    ("text", "meant", "how"),
    [
        ("1. 11x15 *", "11-15", pdn_mending.QUIET_WITH_X),
        ("1. 11-15 22-18 2. 15-22 *", "11-15 22-18 15x22", pdn_mending.CAPTURE_WITH_HYPHEN),
        ("1. 11- 15 *", "11-15", pdn_mending.BLANKS),
        ("1. 11 -15 *", "11-15", pdn_mending.BLANKS),
        ("1. 11-15 22-18 2. 15x 22 *", "11-15 22-18 15x22", pdn_mending.BLANKS),
        ("1. 11-15 1-0 Black is far ahead, 9-13 23x14\n", "11-15", pdn_mending.AFTER_RESULT),
        ('[FEN "?:W18:B9,14"]\n18x11x4 *', None, None),
        ('[FEN "?:W22:B9"]\n22-18 *', "22-18", pdn_mending.NO_TURN),
        ('[FEN "?:W22:B9"]\n9-13 *', "9-13", pdn_mending.NO_TURN),
    ],
)
def test_what_old_files_write_is_mended_and_noted(text, meant, how):
    if meant is None:
        error(text)
        return
    assert mended(text) == (meant, [how])
    error(text, strict=True)


def test_an_ambiguous_capture_is_read_if_every_reading_leads_to_the_same_position():
    # The king can go round the four men either way, and both ways take all of them.
    start = Position("B:W7,8,15,16:BK3")
    routes = [move for move in start.moves() if move.squares[-1] == 3]
    assert len(routes) == 2 and len({start.play(move).text for move in routes}) == 1
    assert mended(f'[FEN "{start.text}"]\n3x3 *')[0] in map(str, routes)


def test_a_move_that_could_mean_two_is_not_mended():
    error("1. 11x14 *")
    error("1. 11x15x19 *")


def test_text_after_a_result_does_not_swallow_the_next_game():
    first, second = read('1. 11-15 1-0 a fine game\n[Event "2"]\n1. 9-13 *\nThe end.\n')
    assert (moves(first), moves(second)) == ("11-15", "9-13")


def test_the_reader_says_how_many_games_it_mended_and_how():
    found = []
    records = read("1. 11x15 *\n1. 9-13 *\n1. 9x14 22x18 *\n", on_mended=found.append)
    assert pdn_mending.summary(found, len(records)) == "2 of 3 games were mended: 3 times a quiet move written with x"
    assert pdn_mending.summary([], 3) == ""


@pytest.mark.parametrize(
    "text",
    [
        '[Event "' + '\\"' * 400_000 + '"]\n11-15 *',
        "(" * 400_000,
        "[" * 900_000,
        "1" * 900_000,
        "1" * 9000 + " " * 90_000,
        "x" * 2_000_000,
    ],
)
def test_huge_tags_and_lines_take_linear_time(text):
    found = []
    read(text, on_error=found.append)
    assert len(found) <= 1


def test_the_commands_mend_and_say_so(run, tmp_path):
    path = tmp_path / "old.pdn"
    path.write_text("1. 11x15 22x18 2. 15-22 *\n")
    status, out, errors = run("show", path)
    assert status == 0 and "15x22" in out
    assert errors == f"ludus: {path}: 1 of 1 game was mended: " + (
        "2 times a quiet move written with x, 1 time a capture written with -\n"
    )
    for command in (("show", path), ("analyse", path, "--with", "material@depth=2"), ("review", path)):
        status, _, errors = run(*command, "--strict")
        assert status == 2 and "is not a file of games" in errors
