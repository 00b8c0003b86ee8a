"""Samples against published values: Student's table, R's sleep data."""

import math

import pytest

from ludus.arena.samples import Summary, student_p, student_quantile, summary, welch

ONE = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
OTHER = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_students_sleep_data():
    t, freedom, p = welch(summary(ONE), summary(OTHER))
    assert (round(t, 4), round(freedom, 3), round(p, 5)) == (-1.8608, 17.776, 0.07939)


@pytest.mark.parametrize(("freedom", "t"), [(1, 12.706205), (9, 2.262157), (30, 2.042272)])
def test_the_printed_quantiles(freedom, t):
    assert student_quantile(0.95, freedom) == pytest.approx(t, abs=1e-6)


@pytest.mark.parametrize("t", [0.1, 1.0, 3.0, 40.0])
def test_one_and_two_degrees_of_freedom_have_closed_forms(t):
    assert student_p(t, 1) == pytest.approx(1 - 2 / math.pi * math.atan(t), rel=1e-10)
    assert student_p(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), rel=1e-8)


def test_the_interval_of_a_mean():
    low, high = Summary(10.0, 2.0, 10).interval
    assert high - 10 == pytest.approx(2.262157 * 2 / math.sqrt(10), abs=1e-5) and low + high == pytest.approx(20)


def test_samples_without_spread():
    assert welch(Summary(1, 0, 3), Summary(1, 0, 3)).p == 1
    assert welch(Summary(2, 0, 3), Summary(1, 0, 3)).p == 0
    with pytest.raises(ValueError, match="two values"):
        welch(summary([1.0]), summary(ONE))
