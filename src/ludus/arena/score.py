"""The score of a match: what was counted, how sure it is, and what it says in Elo.

The unit of evidence is a pair of games: one opening played with both colours. An opening that favours a colour gives
its two games opposite results, so they are not independent, but pairs are. Nothing else is assumed about how results
come about: no draw model, no colour advantage. The five possible scores of a pair (the pentanomial model) have any
probabilities whatever, and the likelihood of a mean score s is that of the likeliest probabilities whose mean is s
(Owen's empirical likelihood on a known support). The interval, the likelihood of superiority and the SPRT all rest on
this one function.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

QUANTILE = 1.959963984540054  # 95% of a normal distribution lie within so many deviations of its mean

# The class of a pair, in `Score.pairs`, by the points of its two games, the smaller first.
_PAIRS = {(0.0, 0.0): 0, (0.0, 0.5): 1, (0.5, 0.5): 2, (0.0, 1.0): 3, (0.5, 1.0): 4, (1.0, 1.0): 5}
_GAMES = {0.0: 0, 0.5: 1, 1.0: 2}


class Interval(NamedTuple):
    """A 95% interval, its ends included.

    Examples:
        >>> Score.single(1).interval.low > 0
        True
    """

    low: float
    high: float


class _Cluster(NamedTuple):
    """So many times, `games` games that belong together brought `points` points."""

    times: int
    games: int
    points: float


def expected_score(elo: float) -> float:
    """The score, in points a game, of a player who is `elo` stronger than the opponent: the logistic model.

    Examples:
        >>> round(expected_score(100), 3)
        0.64
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(score: float) -> float:
    """The Elo difference at which `score` is expected: infinite at 0 and 1, nan for nan.

    Examples:
        >>> round(elo_difference(0.64))
        100
    """
    if score in (0, 1):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True, slots=True)
class Score:
    """The results of a match, counted for its first player; two scores of the same players add.

    `pairs` counts pairs of games by their two results, in either order: both lost, a loss and a draw, both drawn,
    a loss and a win, a draw and a win, both won. `singles` counts the games without a partner: lost, drawn, won.

    Examples:
        >>> score = Score.pair(1, 0.5) + Score.pair(1, 1) + Score.pair(0.5, 0.5)
        >>> score.wins, score.draws, score.losses, round(score.score, 3)
        (3, 3, 0, 0.75)
    """

    pairs: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)
    singles: tuple[int, int, int] = (0, 0, 0)

    def __post_init__(self) -> None:
        if len(self.pairs) != 6 or len(self.singles) != 3 or min(*self.pairs, *self.singles) < 0:
            raise ValueError(f"a score is 6 counts of pairs and 3 of games, not {self.pairs} and {self.singles}")

    @staticmethod
    def pair(one: float, other: float) -> "Score":
        """The score of one opening played with both colours; the first player's points of a game are 0, 0.5 or 1."""
        low, high = sorted((one, other))
        index = _PAIRS.get((low, high))
        if index is None:
            raise ValueError(f"a game brings 0, 0.5 or 1 points, not {one} and {other}")
        a, b, c, d, e, f = (int(i == index) for i in range(6))
        return Score(pairs=(a, b, c, d, e, f))

    @staticmethod
    def single(points: float) -> "Score":
        """The score of one game that has no partner: 0, 0.5 or 1 points."""
        index = _GAMES.get(points)
        if index is None:
            raise ValueError(f"a game brings 0, 0.5 or 1 points, not {points}")
        a, b, c = (int(i == index) for i in range(3))
        return Score(singles=(a, b, c))

    def __add__(self, other: "Score") -> "Score":
        a, b, c, d, e, f = (x + y for x, y in zip(self.pairs, other.pairs, strict=True))
        g, h, i = (x + y for x, y in zip(self.singles, other.singles, strict=True))
        return Score((a, b, c, d, e, f), (g, h, i))

    def reversed(self) -> "Score":
        """The same match, counted for its second player."""
        ll, ld, dd, wl, wd, ww = self.pairs
        lost, drawn, won = self.singles
        return Score((ww, wd, dd, wl, ld, ll), (won, drawn, lost))

    @property
    def wins(self) -> int:
        """Games won by the first player."""
        _, _, _, wl, wd, ww = self.pairs
        return wl + wd + 2 * ww + self.singles[2]

    @property
    def draws(self) -> int:
        """Games drawn."""
        _, ld, dd, _, wd, _ = self.pairs
        return ld + 2 * dd + wd + self.singles[1]

    @property
    def losses(self) -> int:
        """Games lost by the first player."""
        return self.reversed().wins

    @property
    def games(self) -> int:
        """Games played."""
        return 2 * sum(self.pairs) + sum(self.singles)

    @property
    def points(self) -> float:
        """Points of the first player: a win 1, a draw 0.5."""
        return self.wins + self.draws / 2

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """How many pairs brought 0, 0.5, 1, 1.5 and 2 points."""
        ll, ld, dd, wl, wd, ww = self.pairs
        return (ll, ld, dd + wl, wd, ww)

    @property
    def score(self) -> float:
        """Points a game, from 0 to 1; nan before the first game."""
        return self.points / self.games if self.games else math.nan

    @property
    def interval(self) -> Interval:
        """The 95% interval of the true score: every s that the likelihood-ratio test does not reject.

        It stays within 0 and 1, is as lopsided as the evidence, and turns into an interval of Elo without loss. Equal
        results are no certainty: three won pairs and nothing else give [0.38, 1]. Nothing played gives [0, 1].
        """
        return Interval(self._end(0.0), self._end(1.0))

    @property
    def elo(self) -> float:
        """The Elo difference that the score shows: infinite when all games were won or lost, nan before the first."""
        return elo_difference(self.score)

    @property
    def elo_interval(self) -> Interval:
        """The 95% interval of the true Elo difference; an end may be infinite."""
        return Interval(*map(elo_difference, self.interval))

    @property
    def superiority(self) -> float:
        """The likelihood of superiority: how sure we are, from 0 to 1, that the first player's true score exceeds 0.5.

        It is 0.975 just when the interval begins at 0.5: the signed root of the likelihood ratio, taken as normal.
        """
        if not self.games:
            return 0.5
        deviations = math.copysign(self._deviations(0.5), self.score - 0.5)
        return (1 + math.erf(deviations / math.sqrt(2))) / 2

    def log_likelihood(self, mean: float) -> float:
        """The log-likelihood of a true score `mean` between 0 and 1, less that of the likeliest: 0 or negative."""
        clusters = self._clusters()
        tilt = _tilt(clusters, mean)
        loss = sum(n * math.log1p(tilt * (points - games * mean)) for n, games, points in clusters)
        return -max(loss, 0.0)  # rounding must not make it likelier than the likeliest

    def variance(self, mean: float) -> float:
        """The variance of the points of all games, if the true score is `mean` and all else the likeliest.

        At the match's own score this is the pentanomial variance: the squared deviations of the pairs, summed.
        """
        clusters = self._clusters()
        tilt = _tilt(clusters, mean)
        seen = unseen = 0.0
        for n, games, points in clusters:
            deviation = points - games * mean
            likeliest = n / (1 + tilt * deviation)
            seen += likeliest * deviation**2
            unseen += n - likeliest
        # With the tilt at an end of its range, results not seen yet are part of the likeliest distribution: those where
        # 1 + tilt * deviation is 0. The ends are at least 0.5 from 0; closer to it, `unseen` is rounding.
        return seen + (unseen / tilt**2 if abs(tilt) >= 0.5 else 0.0)

    def _clusters(self) -> list[_Cluster]:
        """What is independent of each other: pairs by their points, then single games."""
        pairs = [_Cluster(n, 2, half / 2) for half, n in enumerate(self.pentanomial) if n]
        return pairs + [_Cluster(n, 1, half / 2) for half, n in enumerate(self.singles) if n]

    def _deviations(self, mean: float) -> float:
        """How many standard deviations the score is from `mean`: the root of the likelihood ratio.

        Of n pairs its square is on average not 1 but 1 + a / n, which Bartlett's correction divides out. Here a is half
        the kurtosis of a pair's score less a third of its squared skewness: 1.5 if it were normal. A few pairs cannot
        tell it better.
        """
        return math.sqrt(-2 * self.log_likelihood(mean) / (1 + 1.5 / (sum(self.pairs) + sum(self.singles))))

    def _end(self, outside: float) -> float:
        """Where the 95% interval ends on the way from the score to `outside`, which is 0 or 1."""
        inside = self.score
        if not self.games or inside == outside:
            return outside
        while abs(outside - inside) > 1e-7:
            middle = (inside + outside) / 2
            if self._deviations(middle) <= QUANTILE:
                inside = middle
            else:
                outside = middle
        return inside

    def __str__(self) -> str:
        """One line for a person: `+12 =70 -8 of 90, 52.2% [47.3, 57.3], Elo +15 [-19, +51]`."""
        if not self.games:
            return "no games"
        low, high = self.interval
        return (
            f"+{self.wins} ={self.draws} -{self.losses} of {self.games}, "
            f"{self.score:.1%} [{100 * low:.1f}, {100 * high:.1f}], "
            f"Elo {_signed(self.elo)} [{_signed(elo_difference(low))}, {_signed(elo_difference(high))}]"
        )


def _tilt(clusters: list[_Cluster], mean: float) -> float:
    """The x that turns the counts n of the clusters into the likeliest probabilities with this mean.

    These are in proportion to n / (1 + x d), where d is a cluster's deviation: its points less what the mean expects of
    its games. By duality x maximises the sum of n log(1 + x d) over all x that keep 1 + x d from being negative for any
    possible cluster, seen or not. An end of that range is the answer when only unseen results could give the mean.
    """
    width = max((c.games for c in clusters), default=1)
    deviations = [(n, points - games * mean) for n, games, points in clusters]
    low, high = -1 / (width * (1 - mean)), 1 / (width * mean)
    if all(points < width for _, _, points in clusters) and _slope(deviations, low)[0] <= 0:
        return low
    if all(points > 0 or games < width for _, games, points in clusters) and _slope(deviations, high)[0] >= 0:
        return high
    # Newton's method inside a bracket: the slope falls all the way from one end to the other.
    x = 0.0
    while True:
        slope, curvature = _slope(deviations, x)
        if slope > 0:
            low = x
        else:
            high = x
        following = x + slope / curvature
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) <= 1e-12 * (1 + abs(x)):
            return following
        x = following


def _slope(deviations: list[tuple[int, float]], x: float) -> tuple[float, float]:
    """The first derivative of the sum of n log(1 + x d) and the negative of the second."""
    slope = curvature = 0.0
    for n, deviation in deviations:
        ratio = deviation / (1 + x * deviation)
        slope += n * ratio
        curvature += n * ratio * ratio
    return slope, curvature


def _signed(elo: float) -> str:
    return f"{elo:+.0f}" if math.isinf(elo) else f"{round(elo):+d}"
