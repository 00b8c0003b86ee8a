"""Kohonen maps against updates worked by hand, against MiniSom, and on points whose clusters are known."""

import numpy as np
import pytest

from ludus.learning import kohonen
from ludus.learning.kohonen import Schedule


def clouds(count=60, seed=3):
    """Points around three corners of the unit cube, with the corner of each."""
    rng = np.random.default_rng(seed)
    corners = np.array([[0.0, 0, 0], [1, 1, 0], [0, 1, 1]])
    owners = rng.integers(3, size=count)
    return corners[owners] + rng.normal(0, 0.05, (count, 3)), owners


def test_two_updates_worked_by_hand():
    # A chain of three. (1, 0) is nearest to unit 0, at 0.2^2 + 0.4^2 = 0.2: units 0 and 1 go half the way, 2 stays.
    # (0, 1) is then 1.45 from unit 0, 0.98 from unit 1 and 0.2 from unit 2, which wins: 1 and 2 go half the way.
    units = np.array([[0.8, 0.4], [0.4, 0.6], [0.4, 0.8]])
    near = kohonen.neighbours(1, 3, 1)
    after_one = kohonen.epoch(units, np.array([[1.0, 0.0]]), near, 0.5)
    assert after_one == pytest.approx(np.array([[0.9, 0.2], [0.7, 0.3], [0.4, 0.8]]), abs=1e-6)
    after_two = kohonen.epoch(after_one, np.array([[0.0, 1.0]]), near, 0.5)
    assert after_two == pytest.approx(np.array([[0.9, 0.2], [0.35, 0.65], [0.2, 0.9]]), abs=1e-6)
    assert kohonen.epoch(units, np.array([[1.0, 0.0], [0.0, 1.0]]), near, 0.5) == pytest.approx(after_two, abs=1e-6)
    assert units[0, 0] == 0.8  # the array itself is not changed


@pytest.mark.parametrize(("rows", "columns", "distance"), [(1, 7, 1), (4, 4, 0), (4, 4, 1), (5, 5, 2)])
def test_epochs_as_minisom_has_them(rows, columns, distance):
    minisom = pytest.importorskip("minisom")
    points, _ = clouds()
    units = kohonen.initial_units(points, rows * columns, 1)
    other = minisom.MiniSom(rows, columns, 3, sigma=distance + 1, learning_rate=0.3, neighborhood_function="bubble")
    other._weights = units.reshape(rows, columns, 3).copy()
    for point in points:
        other.update(point, other.winner(point), 0, 1)  # at time 0 nothing has fallen yet
    ours = kohonen.epoch(units, points, kohonen.neighbours(rows, columns, distance), 0.3)
    assert ours.reshape(rows, columns, 3) == pytest.approx(other.get_weights(), abs=1e-12)
    assert kohonen.quantisation_error(points, ours) == pytest.approx(other.quantization_error(points), abs=1e-12)
    assert kohonen.topographic_error(points, ours, rows, columns) == pytest.approx(other.topographic_error(points))


def test_alpha_falls_by_its_factor_while_it_is_not_below_the_last():
    schedule = Schedule(alpha=0.9, factor=0.99, last=0.1)
    assert schedule.epochs == 219  # 0.9 * 0.99^218 = 0.1006, and the next is 0.0996
    assert schedule.at(0) == 0.9
    assert schedule.at(218) >= 0.1 > schedule.at(219)
    assert Schedule(alpha=0.8, factor=0.5, last=0.1).epochs == 4
    assert Schedule(alpha=0.1, last=0.1).epochs == 1
    with pytest.raises(ValueError, match="alpha must fall"):
        Schedule(alpha=0.1, last=0.5)


def test_shapes_and_neighbourhoods():
    squares = {1: (1, 1), 4: (2, 2), 9: (3, 3), 25: (5, 5), 12: (3, 4), 7: (1, 7)}
    assert {units: kohonen.shape("grid", units) for units in squares} == squares
    assert kohonen.shape("chain", 25) == (1, 25)
    near = kohonen.neighbours(5, 5, 1)
    assert sorted(np.flatnonzero(near[0])) == [0, 1, 5, 6]
    assert sorted(np.flatnonzero(near[12])) == [6, 7, 8, 11, 12, 13, 16, 17, 18]
    assert [sorted(np.flatnonzero(row)) for row in kohonen.neighbours(1, 3, 1)] == [[0, 1], [0, 1, 2], [1, 2]]
    assert [kohonen.radius(5, 5, epoch, 101) for epoch in (0, 40, 60, 100)] == [2, 1, 1, 0]
    assert {kohonen.radius(1, 25, epoch, 101) for epoch in range(101)} == {1}


@pytest.mark.parametrize(("rows", "columns"), [(1, 9), (3, 3)])
def test_the_map_comes_nearer_to_the_points_and_keeps_order(rows, columns):
    points, owners = clouds()
    before = kohonen.quantisation_error(points, kohonen.initial_units(points, 9, 5))
    *_, units = kohonen.learn(points, rows, columns, Schedule(factor=0.9), seed=5)
    assert kohonen.quantisation_error(points, units) < before / 2
    # Neighbours are alike after training: the two nearest units lie side by side, as they do not by chance.
    assert kohonen.topographic_error(points, units, rows, columns) < 0.2
    assignment = kohonen.nearest(points, units)
    for unit in np.unique(assignment):
        assert len(set(owners[assignment == unit])) == 1


def test_learning_goes_on_from_any_epoch():
    points, _ = clouds()
    schedule = Schedule(factor=0.8)
    whole = list(kohonen.learn(points, 2, 2, schedule, seed=1))
    assert len(whole) == schedule.epochs
    for done in (1, 5):
        rest = list(kohonen.learn(points, 2, 2, schedule, 1, whole[done - 1], done))
        assert np.array_equal(rest[-1], whole[-1])
    other = list(kohonen.learn(points, 2, 2, schedule, seed=2))
    assert not np.array_equal(other[-1], whole[-1])


def test_k_means_finds_the_clouds():
    points, owners = clouds()
    units = kohonen.k_means(points, 3, seed=2)
    assignment = kohonen.nearest(points, units)
    assert len({(place, owner) for place, owner in zip(assignment, owners, strict=True)}) == 3
    for unit in range(3):
        assert units[unit] == pytest.approx(points[assignment == unit].mean(axis=0))


def test_k_means_of_fewer_points_than_units():
    points = np.array([[0.0, 1], [1, 0], [0, 1]])
    units = kohonen.k_means(points, 4, seed=0)
    assert units.shape == (4, 2)
    assert kohonen.quantisation_error(points, units) == 0


def test_a_random_assignment_is_even():
    points, _ = clouds(count=62)
    assignment = kohonen.random_assignment(points, 9, seed=4)
    assert sorted(np.bincount(assignment)) == [6, 7, 7, 7, 7, 7, 7, 7, 7]
    units = kohonen.centres(points, assignment, np.zeros((9, 3)))
    assert units[4] == pytest.approx(points[assignment == 4].mean(axis=0))


def test_errors_worked_by_hand():
    units = np.array([[0.0], [3.0], [1.0]])
    points = np.array([[0.0], [0.6], [3.0]])
    # Nearest: 0 at 0, then 2 which is no neighbour of 0; 2 at 0.4, then 0; 1 at 0, then its neighbour 2.
    assert kohonen.quantisation_error(points, units) == pytest.approx(0.4 / 3)
    assert kohonen.topographic_error(points, units, 1, 3) == pytest.approx(2 / 3)
    assert kohonen.topographic_error(points, units[:1], 1, 1) == 0
