"""Ratings of all players of a ladder at once, from the scores of their matches.

The model is Bradley and Terry's on the Elo scale, a draw being half a point: a player's rating is the one at which the
expected points of all its games are the points it has. A model with draws of their own, such as Davidson's, would give
all players one draw rate, but beginners win and lose while masters draw, and its ratings would not be the Elo
differences of our matches. Half points need no draw rate for the ratings, only for how sure they are: there each match
has the variance that its own pairs of games show, not the larger one of games without draws.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludus.arena.score import QUANTILE, Interval, Score

_Array = NDArray[np.float64]  # a vector of players or of rows of the design, or a matrix of them

_ELO = 400 / math.log(10)  # a unit of the logistic function in Elo


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating on a ladder.

    Examples:
        >>> best = rate({("a", "b"): Score.pair(1, 0.5)})[0]
        >>> best.name, best.games, best.points
        ('a', 2, 1.5)
    """

    name: str
    elo: float
    interval: Interval  # of the true rating, 95%
    games: int
    points: float


def rate(matches: Mapping[tuple[str, str], Score], anchor: str | None = None) -> list[Rating]:
    """The maximum-likelihood ratings of all who played, best first.

    `matches` has the score of each (first, second) for the first; the same two may also be there the other way round.
    Ratings and intervals are relative to the mean of the players, or to the player `anchor`, who then has exactly 0.

    Each player is given one virtual draw against an average player, so that a player who won or lost all games has a
    finite rating and a wide interval. Raises ValueError when no chain of games connects two players, as nothing
    could be said of their difference.

    Examples:
        >>> [rating.name for rating in rate({("a", "b"): Score.pair(1, 1), ("b", "c"): Score.pair(1, 0.5)})]
        ['a', 'b', 'c']
    """
    played = {names: score for names, score in matches.items() if score.games}
    names = list(dict.fromkeys(name for pair in matches for name in pair))
    _require_one_pool(names, list(played))
    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} is not among the players: {', '.join(names)}")
    if not names:
        return []
    index = {name: i for i, name in enumerate(names)}
    count = len(names)

    # One row a match, +1 for its first player and -1 for its second, then one a virtual draw.
    design = np.zeros((len(played) + count, count))
    for row, (first, second) in enumerate(played):
        design[row, index[first]] = 1
        design[row, index[second]] = -1
    design[len(played) :] = np.eye(count)
    games = np.array([score.games for score in played.values()] + [1] * count, dtype=float)
    points = np.array([score.points for score in played.values()] + [0.5] * count)

    strengths = _likeliest(design, games, points)
    expected, information = _expectation(design, games, strengths)
    # The virtual draw is taken to be as uncertain as a pair of games, both won or both lost: a player whose games were
    # all drawn, and so show no variance, then has an interval about as wide as that of a match of such games.
    variances = 4 * expected * (1 - expected)
    for row, score in enumerate(played.values()):
        variances[row] = score.variance(float(expected[row]))
    # The sandwich: the information says how far the ratings follow the points, the variances how much those could vary.
    spread = np.linalg.solve(information, design.T * np.sqrt(variances))

    centre = np.full(count, 1 / count) if anchor is None else np.eye(count)[index[anchor]]
    elos = _ELO * (strengths - centre @ strengths)
    margins = QUANTILE * _ELO * np.linalg.norm(spread - centre @ spread, axis=1)
    ratings = []
    for name, elo, margin in zip(names, elos.tolist(), margins.tolist(), strict=True):
        own = [s for (first, _), s in played.items() if first == name]
        own += [s.reversed() for (_, second), s in played.items() if second == name]
        total = sum(own, Score())
        ratings.append(Rating(name, elo, Interval(elo - margin, elo + margin), total.games, total.points))
    return sorted(ratings, key=lambda rating: -rating.elo)


def _likeliest(design: _Array, games: _Array, points: _Array) -> _Array:
    """The strengths, in logistic units, that maximise the likelihood, by Newton's method.

    The likelihood is concave, and strictly so by the virtual draws: there is one maximum.
    """

    def likelihood(strengths: _Array) -> float:
        advantage = design @ strengths
        return float(np.sum(points * advantage - games * np.logaddexp(0, advantage)))

    strengths = np.zeros(design.shape[1])
    while True:
        expected, information = _expectation(design, games, strengths)
        step = np.linalg.solve(information, design.T @ (points - games * expected))
        # A whole step may overshoot far from the maximum; close to it, rounding may refuse every step.
        best = likelihood(strengths)
        while np.max(np.abs(step)) > 1e-9 and likelihood(strengths + step) < best:
            step /= 2
        strengths = strengths + step
        if np.max(np.abs(step)) <= 1e-9:
            return strengths


def _expectation(design: _Array, games: _Array, strengths: _Array) -> tuple[_Array, _Array]:
    """The expected score of each row of the design, and the information that all games have of the strengths."""
    expected = 1 / (1 + np.exp(-design @ strengths))
    return expected, design.T @ (design * (games * expected * (1 - expected))[:, None])


def _require_one_pool(names: list[str], played: list[tuple[str, str]]) -> None:
    """Raises ValueError unless a chain of games connects every two players, and no player plays itself."""
    for first, second in played:
        if first == second:
            raise ValueError(f"{first!r} cannot be rated by games against itself")
    pool = set(names[:1])
    while grown := {name for pair in played if pool & set(pair) for name in pair} - pool:
        pool |= grown
    if apart := [name for name in names if name not in pool]:
        one, other = ", ".join(n for n in names if n in pool), ", ".join(apart)
        raise ValueError(f"no game connects {one} with {other}: their ratings cannot be compared")
