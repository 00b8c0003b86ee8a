"""Samples of a few trials: their mean and spread, how sure the mean is, and whether two of them differ.

Student's distribution is exact, by the regularised incomplete beta function; nothing is taken as normal.
"""

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from ludus.arena.score import Interval


class Summary(NamedTuple):
    """What papers print of a sample, so that theirs and ours can be compared."""

    mean: float
    deviation: float  # of the sample, with size - 1; nan when there is one value only
    size: int

    @property
    def interval(self) -> Interval:
        """The 95% interval of the true mean; everything when there is one value only."""
        if self.size < 2:
            return Interval(-math.inf, math.inf)
        reach = student_quantile(0.95, self.size - 1) * self.deviation / math.sqrt(self.size)
        return Interval(self.mean - reach, self.mean + reach)


class Welch(NamedTuple):
    """Welch's t-test of two means."""

    t: float  # positive when the first mean is the larger
    freedom: float  # degrees of freedom, by Welch and Satterthwaite
    p: float  # two-sided


def summary(values: Sequence[float]) -> Summary:
    """The summary of a sample. Raises ValueError when it is empty."""
    if not values:
        raise ValueError("a sample needs a value or more")
    deviation = statistics.stdev(values) if len(values) > 1 else math.nan
    return Summary(statistics.fmean(values), deviation, len(values))


def welch(one: Summary, other: Summary) -> Welch:
    """Tests whether two samples have the same mean, whatever their variances. Raises ValueError below two values each.

    Samples without any spread have an infinite t when they differ, and 0 when they do not.
    """
    if one.size < 2 or other.size < 2:
        raise ValueError("Welch's test needs two values or more of each sample")
    first, second = one.deviation**2 / one.size, other.deviation**2 / other.size
    difference = one.mean - other.mean
    if first + second == 0:
        t = math.copysign(math.inf, difference) if difference else 0.0
        return Welch(t, float(one.size + other.size - 2), 0.0 if difference else 1.0)
    t = difference / math.sqrt(first + second)
    freedom = (first + second) ** 2 / (first**2 / (one.size - 1) + second**2 / (other.size - 1))
    return Welch(t, freedom, student_p(t, freedom))


def student_p(t: float, freedom: float) -> float:
    """The probability that Student's t is at least as far from 0 as this, on either side."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def student_quantile(inside: float, freedom: float) -> float:
    """The t such that Student's t lies between -t and t with probability `inside`, which is below 1."""
    low, high = 0.0, 1.0
    while 1 - student_p(high, freedom) < inside:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if 1 - student_p(middle, freedom) < inside:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), for a, b > 0 and x from 0 to 1."""
    if x in (0, 1):
        return float(x)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side only
        return 1 - incomplete_beta(b, a, 1 - x)
    log_factor = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_factor) / (a * _beta_fraction(a, b, x))


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction 1 + d1 / (1 + d2 / (1 + ...)) of the incomplete beta function, by Lentz's method."""
    value = numerators = 1.0
    denominators = 0.0
    for m in range(1, 10_000):
        half, odd = divmod(m, 2)
        if odd:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        denominators = 1 / ((1 + term * denominators) or 1e-300)
        numerators = (1 + term / numerators) or 1e-300
        change = numerators * denominators
        value *= change
        if abs(change - 1) < 1e-15:
            break
    return value
