"""The features of NET-FEATUREMAP: values worked by hand, both codings, and a slow reference.

A feature is asked of an afterstate: the position after a move, where the opponent of the mover is to play. In the
positions below White is to move, so White is the active side A and Black, who has just moved, is the passive side P,
and the squares read as in the definitions. Black plays down this page:

        1     2     3     4
     5     6     7     8
        9    10    11    12
    13    14    15    16
       17    18    19    20
    21    22    23    24
       25    26    27    28
    29    30    31    32
"""

import random

import pytest

import reference_features as reference
from ludus._core import draughts
from ludus.games.draughts import START, Position

BITS = draughts.feature_bits()
NAMES = list(BITS)

VALUES = [
    ("PieceAdvantage", "W:W30:BK1,2", 3),  # 3 + 2 against 2
    ("PieceAdvantage", "W:W30,31:B1", 0),  # behind
    ("PieceDisadvantage", "W:W30,K31:B1", 3),  # 2 against 2 + 3
    ("PieceDisadvantage", "W:W30:B1", 0),  # even
    ("PieceThreat", "W:W18:B14", 1),  # 18x9
    ("PieceThreat", "W:W18:B14,15", 2),  # 18x9 and 18x11: one piece, two directions
    ("PieceThreat", "W:WK14:B9,10,17,18", 2),  # four directions count no more than two
    ("PieceThreat", "W:W18,19:B15", 2),  # 18x11 and 19x10: two pieces, one direction each
    ("PieceThreat", "W:W18:B9,14", 0),  # 9 backs 14
    ("PieceThreat", "W:W14:B18", 0),  # a man does not jump back
    ("PieceTake", "W:W18:B15", 1),  # 15x22, if Black could move again
    ("PieceTake", "W:W18:BK23", 1),  # a king jumps back: 23x14
    ("PieceTake", "W:W18:B23", 0),  # a man does not
    ("PieceTake", "W:W18,22:B15", 0),  # 22 backs 18
    ("Advancement", "W:W32:B9,17,21", 1),  # 17 and 21 less 9
    ("Advancement", "W:W32:B9,16,17", -1),  # 17 less 9 and 16
    ("Advancement", "W:W32:B8,25,K9,K17", 0),  # rows 2 and 7, and kings
    ("DoubleDiagonal", "W:W30:B1,2,K5", 2),  # 1 and 5
    ("DoubleDiagonal", "W:W30:B2,3", 0),
    ("BackRowBridge", "W:W30:B1,3", 1),
    ("BackRowBridge", "W:W30:B1,2", 0),  # 3 is empty
    ("BackRowBridge", "W:WK30:B1,3", 0),  # White has a king
    ("BackRowBridge", "W:W30:B1,K3", 0),  # not two men
    ("CentreControl", "W:W30:B10,15,K18", 2),  # 10 and 15; 18 is a king
    ("CentreControl", "W:W30:B9,K10", 0),
    ("XCentreControl", "W:W22:B1", 2),  # a man on 22, and 22-18
    ("XCentreControl", "W:WK22:B1", 1),  # only 18: a king's own square is not counted; 17, 25 and 26 are no centre
    ("XCentreControl", "W:W32:B1", 0),  # 32-27 and 32-28
    ("TotalMobility", "W:W22,23:B1", 3),  # 17, 18 twice, 19
    ("TotalMobility", "W:W18:B14", 1),  # 15, though 18x9 is compulsory
    ("TotalMobility", "W:W29:B25", 0),  # 25 is taken
    ("Exposure", "W:W32:B14", 1),  # all round is empty
    ("Exposure", "W:W18:B14", 1),  # 10 and 17 are empty
    ("Exposure", "W:W17,18:B14", 0),  # 18 stops one diagonal and 17 the other
    ("Exposure", "W:W32:B13", 0),  # on the edge
    ("KingCentreControl", "W:W32:BK10,15", 1),  # 15 is a man
    ("KingCentreControl", "W:W32:BK9,10", 0),
    ("DiagonalMoment", "W:W32:B1,2,3,4", 6),  # 3 + 2 + 1 + 0
    ("DiagonalMoment", "W:W32:B4,K29", 0),
    ("Apex", "W:W7:B1", 0),  # no king, White on 7, Black neither on 7 nor on 26
    ("Apex", "W:W26:B7", 1),  # Black is on 7
    ("Apex", "W:W7:B1,K32", 1),  # there is a king
    ("Apex", "W:W8:B1", 1),  # White on neither
    ("Cramp", "W:W17,21,22,25:B9,13", 2),
    ("Cramp", "W:W17,21,22,25:B13,14", 2),
    ("Cramp", "W:W17,21,22,25:B10,13", 0),  # neither 9 nor 14
    ("Cramp", "W:W17,21,22:B9,13", 0),  # 25 is not held
    ("DenialOfOccupancy", "W:W22:B14", 2),  # 22-17 14x21 and 22-18 14x23
    ("DenialOfOccupancy", "W:W23:B14", 1),  # 23-18 14x23, onto the square just left; nothing meets 23-19
    ("DenialOfOccupancy", "W:W22,27:B14", 1),  # 22-17 14x21; but 22-18 14x23 27x18
    ("DenialOfOccupancy", "W:W22:B9", 0),  # 9 meets neither 17 nor 18
    ("Dyke", "W:W32:B1,6,10", 1),
    ("Dyke", "W:W32:B1,6,10,15", 2),  # 1-6-10 and 6-10-15
    ("Dyke", "W:W32:B2,6,7,9,11", 2),  # 2-6-9 and 2-7-11
    ("Dyke", "W:W32:B1,6,15", 0),  # 10 is missing
    ("Exchange", "W:W22,27:B14", 1),  # 22-18 14x23 27x18
    ("Exchange", "W:W22,27:B14,15", 0),  # 22-18 is also met by 15x22, and nothing retakes on 22
    ("Exchange", "W:W22:B14", 0),  # nothing retakes
    ("Fork", "W:W32:B14,15", 1),  # White on 18 would aim at 9 and 11
    ("Fork", "W:W32:B9,14,15", 0),  # 9 backs 14; 14 and 9 are not of one row
    ("Fork", "W:WK32,18:B9,14,15", 1),  # 18 and 9 are held, but a king on 10 would aim at 17 and 19
    ("Fork", "W:W18,32:B9,14,15", 0),  # the same without a king
    ("Gap", "W:W32:B10,19", 1),  # 15 lies between
    ("Gap", "W:W32:B17", 2),  # 13 and 21, between 17 and the edge
    ("Gap", "W:W32:B15", 0),  # all its neighbours are inner squares
    ("Gap", "W:W15:B10,19", 0),  # 15 is not empty
    ("BackRowControl", "W:W30:B1,3", 1),
    ("BackRowControl", "W:W30:B2,K3,7", 1),
    ("BackRowControl", "W:W30:B1,2,7", 0),  # 3 is in both
    ("BackRowControl", "W:WK30:B2,3,7", 0),  # White has a king
    ("Hole", "W:W32:B6,7,14", 1),  # 10 has three of its four neighbours
    ("Hole", "W:W32:B6,7", 0),  # 10 has two
    ("Hole", "W:W10,32:B6,7,14", 0),  # 10 is not empty
    ("UndeniedMobility", "W:W22,27:B14", 3),  # 18, 23 and 24 of 17, 18, 23 and 24
    ("UndeniedMobility", "W:W22:B14", 0),  # 17 and 18 are both denied
    ("Node", "W:W32:B9,14", 2),  # each has the other and three empty squares
    ("Node", "W:W17,18:B14", 0),  # two empty squares
    ("Node", "W:W32:B13", 0),  # on the edge
    ("TriangleOfOreo", "W:WK30:B2,3,7", 1),  # White's king does not matter
    ("TriangleOfOreo", "W:W30:B2,3,7,K20", 0),  # Black's does
    ("TriangleOfOreo", "W:W30:B2,3", 0),
    ("Pole", "W:W32:B14,16", 2),
    ("Pole", "W:W32:B9,14", 0),  # each is the other's neighbour
    ("Pole", "W:W32:BK14", 0),  # no man
    ("Pole", "W:W32:B13", 0),  # on the edge
    ("Threat", "W:W22:B14", 2),  # on 17 it would aim at 10, on 18 at 9
    ("Threat", "W:W5:B6", 1),  # on 1 it is crowned and would aim over 6 at 10
    ("Threat", "W:W22:B9,10,14", 0),  # 10 and 9 are taken
    ("Taken", "W:W22:B14", 2),  # Black on 17 would aim over 22 at 26, on 18 at 25
    ("Taken", "W:W22,25,26:B14", 0),  # 26 and 25 are taken
]


@pytest.mark.parametrize(("name", "fen", "value"), VALUES)
def test_value_worked_by_hand(name: str, fen: str, value: int) -> None:
    assert draughts.features(Position(fen))[name] == value


def test_every_feature_is_seen_on_and_off() -> None:
    for name in NAMES:
        values = [value for feature, _, value in VALUES if feature == name]
        assert 0 in values
        assert max(values) > 0


def test_features_are_those_of_the_side_that_has_just_moved() -> None:
    values = draughts.features(START.play("11-15"))
    assert values["CentreControl"] == 2  # Black's 10 and 15
    assert values["TotalMobility"] == 4  # White's 17, 18, 19 and 20


@pytest.mark.parametrize("fen", sorted({fen for _, fen, _ in VALUES}))
def test_inputs_do_not_know_colours(fen: str) -> None:
    position, turned = Position(fen), Position(fen).turned()
    assert position.turn != turned.turn
    for faithful in (False, True):
        assert draughts.encode_features(position, faithful=faithful) == draughts.encode_features(
            turned, faithful=faithful
        )
    assert draughts.the_move(position) == draughts.the_move(turned)
    assert draughts.corner_credit(position) == draughts.corner_credit(turned)


def test_bits_of_the_table() -> None:
    assert len(NAMES) == 28
    assert sum(BITS.values()) == 83
    assert sum(list(BITS.values())[:12]) == 38


CODES = [
    # name, position, clean, faithful; the least significant bit first
    ("PieceAdvantage", "W:W32:B1,2,3,4,5,6", "0101", "0101"),  # 10
    ("PieceAdvantage", "W:W32:B1-10", "1111", "0100"),  # 18: cut to 15; 18 = 16 + 2 loses 16
    ("PieceDisadvantage", "W:WK30:B1", "1000", "1000"),  # 1
    ("PieceDisadvantage", "W:W30,K31:B1", "1100", "0100"),  # 3: the lowest bit is for 1 only
    ("PieceThreat", "W:W10,12,18,20,26:B6,7,8,14,15,16,22,23", "111", "100"),  # 8: 10, 18, 26 two ways, 12 and 20 one
    ("Advancement", "W:W32:B9,17,21", "100", "000"),  # 1: 1 + 8 = 9 keeps 001, whose 1 is not for 9
    ("Advancement", "W:W32:B17,18,19", "110", "010"),  # 3: 11 keeps 110
    ("Advancement", "W:W32:B9,10,11,12,13,14,15", "000", "100"),  # -7: 1
    ("Advancement", "W:W32:B9,10", "000", "011"),  # -2: 6
    ("CentreControl", "W:W32:B1", "000", "000"),  # 0: -1 has all bits off, like 0
    ("XCentreControl", "W:W29:B1", "000", "000"),  # 0: -1
    ("KingCentreControl", "W:W32:B10", "000", "000"),  # 0: -1
    ("Advancement", "W:W32:B9,10,11,12,13,14,15,16", "000", "000"),  # -8: 0
    ("CentreControl", "W:W32:B10", "100", "000"),  # 1: 0
    ("CentreControl", "W:W32:B10,11,14", "110", "010"),  # 3: 2
    ("XCentreControl", "W:W22:B1", "010", "100"),  # 2: 1
    ("KingCentreControl", "W:W32:BK10", "100", "000"),  # 1: 0
    (
        "TotalMobility",
        "W:WK6,K8,K22,K24:B13",
        "1111",
        "1000",
    ),  # 16 loses 16, then the lowest bit is forced
    ("UndeniedMobility", "W:WK6,K8,K22,K24:B13", "111", "111"),  # 15 of 16 (22-17 13x22): above 7 is not above 15
    ("DiagonalMoment", "W:W32:B1,5,6,9,10,14", "1111", "0100"),  # 18
    ("Cramp", "W:W17,21,22,25:B9,13", "01", "01"),  # 2
]


@pytest.mark.parametrize(("name", "fen", "clean", "faithful"), CODES)
def test_code_worked_by_hand(name: str, fen: str, clean: str, faithful: str) -> None:
    chosen = 1 << NAMES.index(name)
    position = Position(fen)
    assert draughts.encode_features(position, chosen) == [float(bit) for bit in clean]
    assert draughts.encode_features(position, chosen, faithful=True) == [float(bit) for bit in faithful]


def test_inputs_of_a_set_are_those_of_its_features_in_order() -> None:
    rng = random.Random(5)
    for position in positions_of_random_games(200):
        for faithful in (False, True):
            alone = [draughts.encode_features(position, 1 << i, faithful=faithful) for i in range(28)]
            for chosen in (draughts.FEATUREMAP12, draughts.FEATUREMAP28, rng.randrange(1, 1 << 28)):
                expected = [bit for i in range(28) if chosen >> i & 1 for bit in alone[i]]
                assert draughts.encode_features(position, chosen, faithful=faithful) == expected


@pytest.mark.parametrize("chosen", [0, 1 << 28])
def test_no_inputs_without_features_and_no_29th(chosen: int) -> None:
    with pytest.raises(ValueError, match="mask of 28 bits"):
        draughts.encode_features(START, chosen)


def test_attributes_of_the_map() -> None:
    position = Position("W:W32:B9,10,17")  # Advancement is -1
    values = list(draughts.features(position).values())
    assert draughts.attributes(position, draughts.Attributes.COUNT) == values
    assert draughts.attributes(position) == [float(value > 0) for value in values]
    assert draughts.attributes(position)[NAMES.index("Advancement")] == 0
    assert draughts.attributes(position, draughts.Attributes.COUNT)[NAMES.index("Advancement")] == -1


@pytest.mark.parametrize(
    ("fen", "credit"),
    [
        ("W:W9:B14,15", True),  # 2 against 4, and 9-5
        ("W:W10:B14,15", False),  # 6 and 7 are no corner
        ("W:W9:B14", False),  # Black is not ahead
        ("W:W9,17,18,K19:B1,2,3,4,6,7", False),  # 9 is more than 6
        ("W:WK24,K32:B1,2,3,4", True),  # 6 against 8, and 24-28
    ],
)
def test_corner_credit(fen: str, credit: bool) -> None:
    assert draughts.corner_credit(Position(fen)) == credit


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("W:W32:B1", True),  # 1 alone is on the files
        ("W:W32:B5", False),  # none is
        ("W:W25:B1", False),  # two are
        ("W:WK32:B1", False),  # 2 against 3
        ("W:W29,30,31,32,24:B1,5,6,7,8", True),  # a count of 20; 1 alone
        ("W:W29,30,31,32,23,24:B1,5,6,7,8,13", False),  # a count of 24
    ],
)
def test_the_move(fen: str, move: bool) -> None:
    assert draughts.the_move(Position(fen)) == move


def positions_of_random_games(count: int) -> list[Position]:
    """The first `count` positions after a move."""
    positions: list[Position] = []
    game = 0
    while len(positions) < count:
        position = START
        for move in draughts.random_game(2026, game)[0]:
            position = position.play(move)
            positions.append(position)
        game += 1
    return positions[:count]


def scattered(rng: random.Random) -> Position:
    """Pieces thrown on the board: more kings and stranger neighbours than games have."""
    kings = rng.random()
    sides: dict[str, list[str]] = {"W": [], "B": []}
    squares = rng.sample(range(1, 33), rng.randint(2, 24))
    for i, square in enumerate(squares):
        side = "WB"[i % 2]
        last_row = square <= 4 if side == "W" else square >= 29
        sides[side].append(f"K{square}" if last_row or rng.random() < kings else f"{square}")
    return Position(f"{rng.choice('WB')}:W{','.join(sides['W'])}:B{','.join(sides['B'])}")


def assert_agrees(position: Position) -> None:
    values = reference.features(position)
    assert list(draughts.features(position).values()) == values, position.text
    for faithful in (False, True):
        assert draughts.encode_features(position, faithful=faithful) == reference.inputs(values, faithful=faithful)


def test_reference_agrees_on_random_games() -> None:
    for position in positions_of_random_games(20_000):
        assert_agrees(position)


def test_reference_agrees_on_scattered_pieces() -> None:
    rng = random.Random(1)
    for _ in range(2_000):
        assert_agrees(scattered(rng))
