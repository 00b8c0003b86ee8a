"""Encoders on batches: the same numbers as one by one, for the side to move and for afterstates; planes by hand."""

import numpy as np
import pytest

from ludus._core import draughts as draughts_core
from ludus._core import tictactoe3d as tictactoe3d_core
from ludus.games import draughts, tictactoe3d

GAMES = pytest.mark.parametrize("game", [draughts, tictactoe3d], ids=["draughts", "tictactoe3d"])
ONE_BY_ONE = {
    "squares32": lambda p: draughts_core.encode_squares(p, 1.5),
    "subsquares91": lambda p: draughts_core.encode_subsquares(p, 1.5),
    "featuremap12": lambda p: draughts_core.encode_features(p, draughts_core.FEATUREMAP12),
    "featuremap28": draughts_core.encode_features,
    "cells64": tictactoe3d_core.encode_cells,
    "patterns": lambda p: tictactoe3d_core.encode_patterns(p, False),
    "symmetric-patterns": lambda p: tictactoe3d_core.encode_patterns(p, True),
}


def positions_of(game, count=3):
    return [position for index in range(count) for position in _positions(game, index)]


def _positions(game, index):
    position = game.START
    yield position
    for move in game.random_game(9, index)[0]:
        position = position.play(move)
        yield position


@GAMES
def test_afterstates_are_encoded_as_the_networks_of_this_package_see_them(game):
    positions = positions_of(game)
    names = [name for name in game.GAME.core.encoders() if name != "planes"]
    assert names
    for name in names:
        rows = game.encode(positions, name, afterstates=True)
        assert rows.dtype == np.float32
        assert rows.shape == (len(positions), *game.GAME.core.encoders()[name])
        np.testing.assert_array_equal(rows, [ONE_BY_ONE[name](position) for position in positions])


@GAMES
def test_the_side_to_move_sees_its_own_pieces_where_the_other_sees_the_opponents(game):
    positions = positions_of(game)
    name = "squares32" if game is draughts else "cells64"
    own, other = game.encode(positions, name), game.encode(positions, name, afterstates=True)
    np.testing.assert_array_equal(own, -other[:, ::-1] if game is draughts else -other)
    planes, seen = game.encode(positions), game.encode(positions, afterstates=True)
    half = 2 if game is draughts else 4
    turned = planes[:, :, ::-1, ::-1] if game is draughts else planes
    np.testing.assert_array_equal(seen[:, :half], turned[:, half : 2 * half])
    np.testing.assert_array_equal(seen[:, half : 2 * half], turned[:, :half])


def test_the_planes_of_draughts_have_the_side_to_move_at_the_bottom():
    for position in (draughts.START, draughts.START.play("11-15")):
        (planes,) = draughts.encode([position])
        assert planes.shape == (6, 8, 8)
        assert planes.sum(axis=(1, 2)).tolist() == [12, 0, 12, 0, 0, 0]
        assert planes[0, 5:].sum() == 12  # own men in the bottom rows
    white_to_move = draughts.Position("W:W30,K14:B3,K21")
    (planes,) = draughts.encode([white_to_move])
    # The board as it is printed for White: square 1 is in the top row, third from the corner.
    where = {plane: list(zip(*np.nonzero(planes[plane]), strict=True)) for plane in range(6)}
    assert where == {0: [(7, 2)], 1: [(3, 2)], 2: [(0, 5)], 3: [(5, 0)], 4: [], 5: []}


def test_the_planes_of_tictactoe3d_are_levels():
    position = tictactoe3d.START.play("b1").play("b1").play("d3")
    (planes,) = tictactoe3d.encode([position])
    assert planes.shape == (8, 4, 4)
    assert sorted(zip(*np.nonzero(planes), strict=True)) == [(1, 0, 1), (4, 0, 1), (4, 2, 3)]  # Black to move


@GAMES
def test_a_buffer_is_filled_without_a_copy(game):
    positions = positions_of(game, 1)
    shape = (len(positions), *game.GAME.core.encoders()["planes"])
    everything = np.full((2, *shape), 7, np.float32)
    assert game.encode(positions, out=everything[1]).base is everything
    np.testing.assert_array_equal(everything[1], game.encode(positions))
    assert (everything[0] == 7).all()
    wrong = [np.zeros(shape), np.zeros(shape[::-1], np.float32), np.zeros((*shape, 2), np.float32)[..., 0]]
    for out in wrong:
        with pytest.raises(ValueError, match="`out` is a writable float32 array of shape"):
            game.encode(positions, out=out)
    fixed = np.zeros(shape, np.float32)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="`out` is a writable float32 array"):
        game.encode(positions, out=fixed)


@GAMES
def test_an_unknown_encoder_is_refused_with_the_names(game):
    with pytest.raises(ValueError, match=f"{game.GAME.name} has no encoder 'pixels': name one of planes, "):
        game.encode([game.START], "pixels")
    assert game.encode([], "planes").shape == (0, *game.GAME.core.encoders()["planes"])
    with pytest.raises(ValueError, match=f"`positions` is a list of positions of {game.GAME.name}"):
        game.encode([(tictactoe3d if game is draughts else draughts).START])


@pytest.mark.parametrize("positions", [draughts.START, ["x"], [tictactoe3d.START], 3])
def test_anything_but_positions_is_refused(positions):
    with pytest.raises(ValueError, match="`positions` is a list of positions of draughts"):
        draughts.encode(positions)
