"""Scores, the SPRT and ladder ratings: published figures, sums by hand, other algorithms, promises kept in simulation.

The figures of fishtest are from a results page of one of its instances, those of fastchess from its own tests. Neither
has our interval: theirs is the normal one, which ours approaches as the match grows.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.arena.ratings import Rating, rate
from ludus.arena.score import Score, elo_difference, expected_score
from ludus.arena.sprt import Sprt, Verdict

COUNTS = st.one_of(st.just(0), st.integers(0, 5), st.integers(0, 100_000))
SCORES = st.builds(Score, st.tuples(*[COUNTS] * 6), st.tuples(*[COUNTS] * 3))

# Pairs of fishtest and fastchess with elo0, elo1 and their log-likelihood ratio; ours are in the order of Score.pairs.
FISHTEST = Score((13, 37, 23, 27, 25, 3))
PUBLISHED_LLR = [
    (FISHTEST, 0, 2.716, -0.53772, 1e-4),
    (Score((223, 9863, 1000, 20279, 10037, 246)), 0.5, 2.5, -3.07, 0.01),
    (Score((871, 26175, 980, 55003, 26678, 821)), 0, 2, -4.98, 0.01),
    (Score(singles=(21184, 40708, 21404)), 0.5, 2.5, -1.57, 0.01),
    (Score(singles=(57030, 106593, 57433)), 0, 2, -2.59, 0.01),
]

# Elo, half the width of its interval, and likelihood of superiority, as fastchess has them.
PUBLISHED_ELO = [
    (Score((34, 54, 32, 31, 64, 75)), 55.58, 27.65, 1.0000),
    (Score((332, 433, 41, 457, 333, 334)), -8.64, 10.33, 0.0505),
    (Score((7895, 8757, 200, 5485, 568, 9999)), -21.04, 2.95, 0.0000),
    (Score(singles=(96, 111, 136)), 40.70, 30.43, 0.9960),
]


def pairs(score: float, draws: float, bias: float) -> np.ndarray:
    """The probabilities of the six classes of a pair at this true score, by how drawish and how unfair openings are.

    Who has the better side of the opening expects `bias` more than `score`, and as much less with the other side; of
    all draws that leaves room for, `draws` is the part that happens.
    """
    games = []
    for mean in (score + bias, score - bias):
        drawn = draws * 2 * min(mean, 1 - mean)
        games.append((1 - mean - drawn / 2, drawn, mean - drawn / 2))
    both = np.outer(*games)
    ll, dd, ww = np.diag(both)
    ld, wl, wd = both[0, 1] + both[1, 0], both[0, 2] + both[2, 0], both[1, 2] + both[2, 1]
    return np.array([ll, ld, dd, wl, wd, ww])


def sample(rng: np.random.Generator, n: int, probabilities: np.ndarray) -> Score:
    return Score(tuple(rng.multinomial(n, probabilities).tolist()))


def singles(score: Score) -> Score:
    """The same games as if none had a partner."""
    return Score(singles=(score.losses, score.draws, score.wins))


# Elo and score


def test_elo_of_a_score_and_back():
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_difference(0.75) == pytest.approx(400 * math.log10(3))
    for elo in (-800, -35.5, 0, 2, 700):
        assert elo_difference(expected_score(elo)) == pytest.approx(elo)
    assert (elo_difference(0), elo_difference(1)) == (-math.inf, math.inf)
    assert math.isnan(elo_difference(math.nan))


def test_pairs_add_up():
    results = [(1, 0.5), (0.5, 1), (0, 1), (0.5, 0.5), (0, 0), (1, 1), (0.5, 0)]
    score = sum((Score.pair(one, other) for one, other in results), Score()) + Score.single(1)
    assert score.pairs == (1, 1, 1, 1, 2, 1)
    assert score.pentanomial == (1, 1, 2, 2, 1)
    assert (score.wins, score.draws, score.losses) == (6, 5, 4)
    assert (score.games, score.points, score.score) == (15, 8.5, 8.5 / 15)


@pytest.mark.parametrize("points", [2, -1, 0.25, math.nan])
def test_a_game_brings_0_a_half_or_1(points):
    with pytest.raises(ValueError, match=r"0, 0\.5 or 1 points"):
        Score.pair(1, points)
    with pytest.raises(ValueError, match=r"0, 0\.5 or 1 points"):
        Score.single(points)


def test_counts_are_counts():
    with pytest.raises(ValueError, match="6 counts"):
        Score(pairs=(0, 0, 0, 0, 0))
    with pytest.raises(ValueError, match="6 counts"):
        Score(singles=(0, -1, 0))


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score(), "no games"),
        (Score(singles=(8, 70, 12)), "+12 =70 -8 of 90, 52.2% [47.3, 57.3], Elo +15 [-19, +51]"),
        (Score(pairs=(0, 0, 0, 0, 0, 3)), "+6 =0 -0 of 6, 100.0% [38.3, 100.0], Elo +inf [-83, +inf]"),
        (Score(pairs=(3, 0, 0, 0, 0, 0)), "+0 =0 -6 of 6, 0.0% [0.0, 61.7], Elo -inf [-inf, +83]"),
        (Score(pairs=(0, 0, 50, 50, 0, 0)), "+50 =100 -50 of 200, 50.0% [49.0, 51.0], Elo +0 [-7, +7]"),
    ],
)
def test_one_line_for_a_person(score, text):
    assert str(score) == text


# Likelihood, interval and superiority


def test_likelihoods_worked_by_hand():
    won, drawn = Score(pairs=(0, 0, 0, 0, 0, 7)), Score(pairs=(0, 0, 7, 0, 0, 0))
    for mean in (0.1, 0.5, 0.9):
        # Every pair won: the likeliest other results are lost pairs, so that a share `mean` is won.
        assert won.log_likelihood(mean) == pytest.approx(7 * math.log(mean))
        # Every pair drawn: the likeliest others are lost pairs below 0.5 and won pairs above.
        assert drawn.log_likelihood(mean) == pytest.approx(7 * math.log(2 * min(mean, 1 - mean)), abs=1e-12)
        # Only lost and won: the binomial distribution.
        binomial = 3 * math.log(mean / 0.75) + math.log((1 - mean) / 0.25)
        assert Score(pairs=(1, 0, 0, 0, 0, 3)).log_likelihood(mean) == pytest.approx(binomial)
        assert Score(singles=(1, 0, 3)).log_likelihood(mean) == pytest.approx(binomial)


def test_likelihood_is_that_of_the_likeliest_probabilities():
    rng = np.random.default_rng(1)
    points = np.arange(5) / 4
    for _ in range(20):
        ll, ld, dd, wd, ww = counts = rng.integers(1, 100, 5).tolist()
        mean = rng.uniform(0.15, 0.85)
        probabilities = constrained(np.array(counts, dtype=float), points, mean)
        frequencies = np.array(counts) / sum(counts)
        expected = np.sum(counts * np.log(probabilities / frequencies))
        score = Score(pairs=(ll, ld, dd, 0, wd, ww))
        assert score.log_likelihood(mean) == pytest.approx(expected, rel=1e-6, abs=1e-9)
        spread = 4 * sum(counts) * np.sum(probabilities * (points - mean) ** 2)
        assert score.variance(mean) == pytest.approx(spread, rel=1e-6)


def constrained(counts: np.ndarray, points: np.ndarray, mean: float) -> np.ndarray:
    """The likeliest probabilities with this mean, by Newton's method on the probabilities themselves."""
    # A start that has the mean: some part of it evenly spread, the rest at whichever end is missing.
    part = 0.9 * min(mean, 1 - mean) * 2
    probabilities = np.full(5, part / 5)
    probabilities[4] += mean - part / 2
    probabilities[0] += 1 - mean - part / 2
    constraints = np.stack([np.ones(5), points])
    for _ in range(200):
        system = np.block([[np.diag(counts / probabilities**2), constraints.T], [constraints, np.zeros((2, 2))]])
        step = np.linalg.solve(system, np.concatenate([counts / probabilities, np.zeros(2)]))[:5]
        while np.any(probabilities + step <= 0.1 * probabilities):
            step /= 2
        probabilities = probabilities + step
    return probabilities


def test_variance_equals_the_one_of_fishtest():
    assert FISHTEST.score == 0.43750
    assert FISHTEST.variance(FISHTEST.score) / FISHTEST.games == pytest.approx(0.11523, abs=1e-5)
    assert FISHTEST.elo == pytest.approx(-43.6578, abs=1e-4)


def test_variance_counts_results_that_were_not_seen():
    # At a mean of 0.8, seven won pairs are a distribution with a fifth of the pairs lost.
    assert Score(pairs=(0, 0, 0, 0, 0, 7)).variance(0.8) == pytest.approx(7 * 4 * 0.8 * 0.2)
    assert Score(pairs=(0, 0, 7, 0, 0, 0)).variance(0.5) == 0


@pytest.mark.parametrize(("score", "elo", "margin", "superiority"), PUBLISHED_ELO)
def test_elo_equals_the_one_of_fastchess(score, elo, margin, superiority):
    low, high = score.elo_interval
    assert score.elo == pytest.approx(elo, abs=0.01)
    assert (high - low) / 2 == pytest.approx(margin, rel=0.01)
    assert score.superiority == pytest.approx(superiority, abs=0.001)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 1000])
def test_winning_all_is_no_certainty(n):
    # The likelihood of a share s of won pairs is s^n; twice its logarithm may be 1.96^2 (1 + 1.5 / n) below 0.
    low, high = Score(pairs=(0, 0, 0, 0, 0, n)).interval
    assert low == pytest.approx(math.exp(-(1.959964**2) / 2 * (1 + 1.5 / n) / n), abs=1e-6)
    assert high == 1
    assert Score(singles=(0, 0, n)).interval == pytest.approx((low, high), abs=1e-6)


def test_without_games_nothing_is_known():
    assert math.isnan(Score().score)
    assert math.isnan(Score().elo)
    assert Score().interval == (0, 1)
    assert Score().elo_interval == (-math.inf, math.inf)
    assert Score().superiority == 0.5
    assert Sprt(0, 5).llr(Score()) == 0


@settings(derandomize=True, deadline=None)
@given(SCORES)
def test_the_other_player_sees_the_mirror_image(score):
    other = score.reversed()
    assert (other.wins, other.draws, other.losses) == (score.losses, score.draws, score.wins)
    assert other.reversed() == score
    low, high = score.interval
    assert other.interval == pytest.approx((1 - high, 1 - low), abs=1e-6)
    assert other.superiority == pytest.approx(1 - score.superiority, abs=1e-6)
    assert Sprt(-7, 3).llr(other) == pytest.approx(-Sprt(-3, 7).llr(score), rel=1e-6, abs=1e-6)
    if score.games:
        assert 0 <= low <= score.score <= high <= 1


@settings(derandomize=True, deadline=None)
@given(SCORES.filter(lambda score: score.games > 0))
def test_superiority_agrees_with_the_interval(score):
    low, high = score.interval
    if abs(low - 0.5) > 1e-6 and abs(high - 0.5) > 1e-6:
        assert (score.superiority > 0.975) == (low > 0.5)
        assert (score.superiority < 0.025) == (high < 0.5)


@pytest.mark.parametrize(
    ("true", "draws", "bias", "n"), [(0.5, 0.8, 0.2, 50), (0.55, 0.5, 0.2, 30), (0.7, 0.5, 0.2, 100)]
)
def test_interval_covers_the_truth_in_95_of_100_matches(true, draws, bias, n):
    rng = np.random.default_rng(1)
    probabilities = pairs(true, draws, bias)
    covered = 0
    for _ in range(2000):
        low, high = sample(rng, n, probabilities).interval
        covered += low <= true <= high
    assert 0.93 <= covered / 2000 <= 0.97


def test_pairs_know_more_than_their_games():
    # Openings that favour a side make the two games of a pair differ; as single games they would seem to vary more.
    score = sample(np.random.default_rng(1), 500, pairs(0.52, 0.5, 0.25))
    apart = singles(score)
    assert apart.score == score.score
    assert score.variance(score.score) < 0.8 * apart.variance(score.score)
    low, high = score.interval
    assert apart.interval.low < low < high < apart.interval.high


# SPRT


@pytest.mark.parametrize(("score", "elo0", "elo1", "llr", "tolerance"), PUBLISHED_LLR)
def test_llr_equals_published_ones(score, elo0, elo1, llr, tolerance):
    assert Sprt(elo0, elo1).llr(score) == pytest.approx(llr, abs=tolerance)


def test_verdicts_at_the_bounds_of_wald():
    test = Sprt(0, 200)
    assert test.bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert Sprt(0, 5, alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(10 / 99), math.log(90)))
    # A won pair is log(s1 / s0) for H1 if no pair was lost; seven of them are just not enough, eight are.
    assert test.llr(Score(pairs=(0, 0, 0, 0, 0, 1))) == pytest.approx(math.log(expected_score(200) / 0.5))
    assert test.verdict(Score(pairs=(0, 0, 0, 0, 0, 7))) is Verdict.CONTINUE
    assert test.verdict(Score(pairs=(0, 0, 0, 0, 0, 8))) is Verdict.H1
    assert test.verdict(Score(pairs=(8, 0, 0, 0, 0, 0))) is Verdict.H0


@pytest.mark.parametrize("arguments", [(5, 0), (3, 3), (0, math.inf), (math.nan, 5), (0, 5, 0), (0, 5, 0.05, 0.5)])
def test_impossible_tests_are_refused(arguments):
    with pytest.raises(ValueError, match="an SPRT needs"):
        Sprt(*arguments)


@pytest.mark.parametrize(
    ("elo1", "draws", "bias", "batch"), [(20, 0.7, 0.1, 20), (40, 0.85, 0.05, 4), (100, 0.5, 0.2, 1)]
)
@pytest.mark.parametrize("truth", [Verdict.H0, Verdict.H1])
def test_sprt_errs_no_more_than_promised(elo1, draws, bias, batch, truth):
    test = Sprt(0, elo1)
    rng = np.random.default_rng(1)
    probabilities = pairs(expected_score(elo1 if truth is Verdict.H1 else 0), draws, bias)
    errors = 0
    for _ in range(1000):
        score = Score()
        while (verdict := test.verdict(score)) is Verdict.CONTINUE:
            score += sample(rng, batch, probabilities)
        errors += verdict is not truth
    assert errors / 1000 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 1000)


# Ratings


def by_name(ratings: list[Rating]) -> dict[str, Rating]:
    return {rating.name: rating for rating in ratings}


def round_robin(rng: np.random.Generator, elos: list[float], n: int) -> dict[tuple[str, str], Score]:
    """`n` pairs of games of each two players, who are named by their index."""
    matches = {}
    for i, j in itertools.combinations(range(len(elos)), 2):
        true = expected_score(elos[i] - elos[j])
        matches[str(i), str(j)] = sample(rng, n, pairs(true, 0.7, 0.5 * min(true, 1 - true)))
    return matches


def test_two_players_differ_as_in_their_match():
    match = Score(pairs=(100, 400, 500, 700, 600, 200))
    a, b = rate({("a", "b"): match})
    assert (a.name, a.games, a.points) == ("a", 5000, match.points)
    assert (b.name, b.games, b.points) == ("b", 5000, 5000 - match.points)
    assert a.elo == -b.elo
    assert a.elo - b.elo == pytest.approx(match.elo, abs=0.05)  # but for the virtual draws
    low, high = match.elo_interval
    anchored = by_name(rate({("a", "b"): match}, anchor="b"))
    assert anchored["a"].interval == pytest.approx((low, high), abs=0.1)
    assert (anchored["b"].elo, anchored["b"].interval) == (0, (0, 0))


def test_expected_points_are_the_points():
    # 3 points of 4 against each other round the circle, and all against all: by symmetry everybody is equal.
    circle = {pair: Score(singles=(1, 0, 3)) for pair in [("a", "b"), ("b", "c"), ("c", "a")]}
    assert [rating.elo for rating in rate(circle)] == pytest.approx([0, 0, 0], abs=1e-6)
    # a and b score 3 of 4 against c, who is then weaker by 400 log10(3); the virtual draws bring them closer.
    star = {("a", "c"): Score(singles=(1000, 0, 3000)), ("b", "c"): Score(singles=(1000, 0, 3000))}
    a, b, c = rate(star, anchor="c")
    assert a.elo == pytest.approx(b.elo)
    assert a.elo == pytest.approx(400 * math.log10(3), abs=0.1)
    assert c.elo == 0


def test_ratings_equal_those_of_the_mm_algorithm():
    rng = np.random.default_rng(1)
    matches = round_robin(rng, [-400, -100, 0, 150, 350], 12)
    del matches["0", "3"]
    # Hunter (2004): a strength is a player's points over the sum of games / (own + opponent's strength). The last
    # player, of strength 1, is whom everybody has drawn.
    games, points = np.zeros((6, 6)), np.zeros(6)
    for (first, second), score in matches.items():
        i, j = int(first), int(second)
        games[i, j] = games[j, i] = score.games
        points[i] += score.points
        points[j] += score.games - score.points
    games[:5, 5] = 1
    points[:5] += 0.5
    strengths = np.ones(6)
    for _ in range(5000):
        strengths[:5] = points[:5] / (games[:5] / (strengths[:5, None] + strengths)).sum(axis=1)
    elos = 400 * np.log10(strengths[:5])
    elos -= elos.mean()
    ours = by_name(rate(matches))
    assert [ours[str(i)].elo for i in range(5)] == pytest.approx(elos, abs=1e-6)
    assert [ours[str(i)].points for i in range(5)] == pytest.approx(points[:5] - 0.5)


def test_ratings_do_not_depend_on_who_comes_first():
    matches = round_robin(np.random.default_rng(1), [-200, 0, 50, 150], 10)
    turned = {(second, first): score.reversed() for (first, second), score in reversed(matches.items())}
    expected = rate(matches)
    for rating, other in zip(expected, rate(turned), strict=True):
        assert rating.name == other.name
        assert (rating.games, rating.points) == (other.games, other.points)
        assert other.elo == pytest.approx(rating.elo, abs=1e-6)
        assert other.interval == pytest.approx(rating.interval, abs=1e-4)
    # A match may be split between both ways round.
    match = Score(pairs=(1, 2, 3, 4, 5, 6))
    both = rate({("a", "b"): match, ("b", "a"): match.reversed()})
    assert both[0].elo == pytest.approx(rate({("a", "b"): match + match})[0].elo, abs=1e-6)


@pytest.mark.parametrize("true", [[-220, -120, 0, 60, 100, 180], [-700, -200, 100, 150, 250, 400]])
def test_ratings_cover_the_truth_in_95_of_100_ladders(true):
    rng = np.random.default_rng(1)
    covered = total = 0
    for _ in range(300):
        matches = round_robin(rng, true, 30)
        for anchor, centre in ((None, np.mean(true)), ("2", true[2])):
            for rating in rate(matches, anchor):
                if rating.name != anchor:
                    total += 1
                    covered += rating.interval.low <= true[int(rating.name)] - centre <= rating.interval.high
    assert 0.93 <= covered / total <= 0.97


def test_who_wins_or_draws_everything_has_a_finite_rating_and_a_wide_interval():
    won, drawn = Score(pairs=(0, 0, 0, 0, 0, 10)), Score(pairs=(0, 0, 10, 0, 0, 0))
    best, *others = rate({("a", "b"): won, ("a", "c"): won, ("b", "c"): drawn})
    assert best.name == "a"
    assert 400 < best.elo < 800
    assert best.interval.high - best.elo > 300
    assert [other.elo for other in others] == pytest.approx([-best.elo / 2] * 2)
    # As wide as the interval of the match itself, which does not take equal results for certainty either.
    a = by_name(rate({("a", "b"): drawn}, anchor="b"))["a"]
    assert a.elo == 0
    assert a.interval.high == pytest.approx(drawn.elo_interval.high, rel=0.4)


def test_players_without_common_opponents_cannot_be_compared():
    match = Score(pairs=(1, 1, 1, 1, 1, 1))
    with pytest.raises(ValueError, match="no game connects a, b with c, d: their ratings cannot be compared"):
        rate({("a", "b"): match, ("c", "d"): match})
    with pytest.raises(ValueError, match="no game connects a, b with c:"):
        rate({("a", "b"): match, ("b", "c"): Score()})


def test_nonsense_is_refused_in_a_sentence():
    match = Score(pairs=(1, 1, 1, 1, 1, 1))
    with pytest.raises(ValueError, match="'a' cannot be rated by games against itself"):
        rate({("a", "a"): match})
    with pytest.raises(ValueError, match="the anchor 'c' is not among the players: a, b"):
        rate({("a", "b"): match}, anchor="c")
    assert rate({}) == []
