"""The ids of moves and positions: unique, reversible, and the same for ever."""

import hashlib

import numpy as np
import pytest

from ludus._core import draughts as core
from ludus.games import BadPosition, Color, IllegalMove, draughts, tictactoe3d

POSITIONS = 100_000


def random_position(rng):
    """Up to 12 pieces a side anywhere, men and kings; None if no board can look so."""
    squares = rng.permutation(32)
    black, white = rng.integers(0, 13, 2)
    bits = 1 << squares.astype(object)
    kings = sum(bits[: black + white][rng.random(black + white) < rng.random()])
    id = sum(bits[:black]) | sum(bits[black : black + white]) << 32 | kings << 64 | int(rng.integers(2)) << 96
    try:
        return draughts.Position.from_id(int(id))
    except BadPosition:  # a man where it would have been crowned
        return None


def test_every_legal_move_of_100_000_random_positions_has_an_id_of_its_own_that_maps_back():
    rng = np.random.default_rng(1)
    found, seen = 0, set()
    while found < POSITIONS:
        position = random_position(rng)
        if position is None:
            continue
        found += 1
        moves = position.moves()
        ids = [move.id for move in moves]
        assert len(set(ids)) == len(ids)
        assert all(0 <= id < core.ACTIONS for id in ids)
        assert [position.move(id) for id in ids] == moves
        seen.update(ids)
    assert len(seen) > 600  # most of the others are captures of five and more


def test_draughts_has_98_steps_and_1328_captures():
    """A capture is a way over squares no two of which are the same: counted here by another program."""

    def ways(row, column, taken=frozenset()):
        for up, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            over, to = (row + up, column + right), (row + 2 * up, column + 2 * right)
            if all(0 <= place < 8 for place in to) and over not in taken:
                yield len(taken) + 1
                yield from ways(*to, taken | {over})

    dark = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2]
    lengths = [length for square in dark for length in ways(*square)]
    assert len(lengths) == 1328
    assert max(lengths) == 9
    assert core.ACTIONS == 98 + 1328
    for side in Color:
        moves = [draughts.Move.from_id(id, side) for id in range(core.ACTIONS)]
        assert [move.id for move in moves] == list(range(core.ACTIONS))
        assert [len(move.captured) for move in moves] == [0] * 98 + sorted(lengths)
        assert len(set(map(str, moves))) == core.ACTIONS


def test_every_id_is_legal_somewhere():
    """A king on its first square and victims on its way, and nowhere else."""
    for id in range(core.ACTIONS):
        move = draughts.Move.from_id(id, Color.BLACK)
        white = ",".join(f"K{square}" for square in move.captured)
        position = draughts.Position(f"B:W{white}:BK{move.squares[0]}")
        assert position.move(id) == move


def test_the_ids_of_draughts_never_change():
    """Networks that were trained with them depend on it."""
    moves = [str(draughts.Move.from_id(id, Color.BLACK)) for id in range(core.ACTIONS)]
    assert moves[:5] == ["1-5", "1-6", "2-6", "2-7", "3-7"]
    assert moves[98:101] == ["1x10", "2x9", "2x11"]
    assert (
        hashlib.sha256(" ".join(moves).encode()).hexdigest()
        == "bd7fa29edb1656a768d4ff8a4e44a425f14b2d39c8a639eb9bd91dd7cf4f8ea9"
    )


def test_an_id_is_what_the_mover_sees():
    for position, move in ((draughts.START, "11-15"), (draughts.START.play("11-15"), "22-18")):
        assert position.move(move).id == draughts.Move("11-15").id
    assert [draughts.Move.from_id(draughts.Move("11-15").id, side).squares for side in Color] == [(11, 15), (22, 18)]


def test_the_ids_of_tictactoe3d_are_the_columns():
    assert [tictactoe3d.Move.from_id(id).column for id in range(16)] == list(range(16))
    assert [move.id for move in tictactoe3d.START.moves()] == list(range(16))


@pytest.mark.parametrize("game", [draughts, tictactoe3d], ids=["draughts", "tictactoe3d"])
def test_an_unknown_or_illegal_id_is_refused(game):
    with pytest.raises(IllegalMove, match=f"the ids of moves are 0 to {game.GAME.core.ACTIONS - 1}, not 5000"):
        game.START.move(5000)
    with pytest.raises(IllegalMove, match="not -1"):
        game.START.move(-1)
    sides = (Color.BLACK,) if game is draughts else ()
    with pytest.raises(IllegalMove, match="the ids of moves are 0 to"):
        game.Move.from_id(5000, *sides)


def test_an_illegal_id_is_refused_with_the_legal_moves():
    with pytest.raises(IllegalMove, match=r"'1-6' is not legal in B:W21.*; legal: .*11-15"):
        draughts.START.move(draughts.Move("1-6").id)


@pytest.mark.parametrize("game", [draughts, tictactoe3d], ids=["draughts", "tictactoe3d"])
def test_a_position_has_an_id_that_maps_back(game):
    ids = {}
    for index in range(100):
        position = game.START
        for move in game.random_game(7, index)[0]:
            position = position.play(move)
            assert game.Position.from_id(position.id) == position
            assert ids.setdefault(position.id, position) == position
            assert 0 <= position.id < 1 << 128


def test_the_bits_of_a_position_are_its_squares():
    assert (
        draughts.Position("W:WK32,30:B1,K2").id == 0b11 | (1 << 31 | 1 << 29) << 32 | (0b10 | 1 << 31) << 64 | 1 << 96
    )
    assert tictactoe3d.START.play("b1").play("b1").id == 0b10 | 1 << 17 << 64


@pytest.mark.parametrize(
    ("game", "id"),
    [
        (draughts, -1),
        (draughts, 1 << 97),
        (draughts, 1 << 200),
        (draughts, 1 | 1 << 32),  # two pieces on a square
        (draughts, 1 << 64),  # a king without a piece
        (draughts, 1 << 31),  # a man of Black on 32
        (draughts, (1 << 13) - 1),  # thirteen men
        (tictactoe3d, -1),
        (tictactoe3d, 1 << 128),
        (tictactoe3d, 1 << 16),  # a stone in the air
        (tictactoe3d, 1 | 1 << 64),  # two stones in a cell
        (tictactoe3d, 1 << 64),  # Black has moved first
    ],
)
def test_a_number_that_no_position_has_is_refused(game, id):
    with pytest.raises(BadPosition):
        game.Position.from_id(id)
