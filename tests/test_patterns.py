"""The patterns of the lines as inputs: counted by hand, and alike for all images of a board."""

import numpy as np
import pytest

from ludus._core import Derivative, tictactoe3d
from ludus.players import networks
from ludus.players.named_networks import NAMED_NETWORKS

LINES = [sorted(line) for line in tictactoe3d.lines()]


def positions():
    for index in range(3):
        position = tictactoe3d.START
        for move in tictactoe3d.random_game(5, index)[0]:
            yield position
            position = position.play(move)
        yield position


def test_there_are_6156_patterns_and_1026_up_to_symmetry():
    assert tictactoe3d.pattern_inputs(symmetric=False) == 76 * 81 == 6156
    assert tictactoe3d.pattern_inputs(symmetric=True) == 1026
    assert NAMED_NETWORKS["line-patterns"].make(True).layers[0].inputs == 6156
    assert NAMED_NETWORKS["symmetric-patterns"].make(True).layers[0].inputs == 1026


def classes(symmetric):
    """The number of classes of (line, pattern) pairs under the symmetries of the square, counted anew."""
    images = []
    for symmetry in range(8 if symmetric else 1):
        moves = sorted(tictactoe3d.START.moves(), key=lambda move: move.column)
        images.append([tictactoe3d.START.play(move).symmetric(symmetry).cells().index("w") for move in moves])
    seen, count = set(), 0
    for line in LINES:
        for code in range(81):
            stones = frozenset((cell, code // 3**place % 3) for place, cell in enumerate(line))
            if stones in seen:
                continue
            count += 1
            seen.update(frozenset((16 * (c // 16) + image[c % 16], d) for c, d in stones) for image in images)
    return count


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_inputs_are_the_classes_of_patterns(symmetric):
    assert classes(symmetric) == tictactoe3d.pattern_inputs(symmetric)


def test_the_patterns_of_a_board_are_those_of_its_lines():
    # Line by line: the digits of the base 3 number are the line's cells, the lowest first; 1 mine, 2 theirs.
    worth = {".": 0, "w": 1, "b": 2}
    for position in positions():
        mover = "b" if str(position.turn) == "White" else "w"  # who has just moved
        cells = [worth[c] if mover == "w" or c == "." else 3 - worth[c] for c in position.cells()]
        expected = np.zeros(6156, np.float32)
        for number, line in enumerate(LINES):
            expected[81 * number + sum(3**place * cells[cell] for place, cell in enumerate(line))] += 1
        np.testing.assert_array_equal(tictactoe3d.encode_patterns(position, symmetric=False), expected)
        assert tictactoe3d.encode_patterns(position, symmetric=True).sum() == 76


def test_all_images_of_a_board_have_the_same_symmetric_patterns_and_no_others():
    for position in positions():
        whole = tictactoe3d.encode_patterns(position, symmetric=True)
        for symmetry in range(8):
            image = tictactoe3d.encode_patterns(position.symmetric(symmetry), symmetric=True)
            np.testing.assert_array_equal(image, whole)
    one, other = tictactoe3d.START.play("a1"), tictactoe3d.START.play("b1")
    assert (
        tictactoe3d.encode_patterns(one, symmetric=True) != tictactoe3d.encode_patterns(other, symmetric=True)
    ).any()


@pytest.mark.parametrize(("name", "alike"), [("symmetric-patterns", True), ("line-patterns", False)])
def test_a_symmetric_network_values_all_images_alike_and_learns_so(name, alike):
    evaluator = NAMED_NETWORKS[name].make(True)
    theta = networks.random_theta(evaluator.layers, np.random.default_rng(1), -0.2, 0.2)
    trained = evaluator.trainable(tictactoe3d, theta, Derivative.EXACT)
    trained.learn(tictactoe3d.START.play("b1").play("c3"), 1.0, 0.1)
    searched = evaluator.build(tictactoe3d, trained.theta)
    spread = 0.0
    for position in positions():
        values = [searched.value(position.symmetric(symmetry)) for symmetry in range(8)]
        spread = max(spread, max(values) - min(values))
        if not position.outcome():
            here = [sorted(trained.values(position.symmetric(symmetry))) for symmetry in (0, 3, 6)]
            spread = max(spread, np.ptp(here, axis=0).max())
    assert spread < 1e-6 if alike else spread > 1e-2
