"""The sequential probability ratio test: play until one of two Elo differences is refuted, and no longer.

This is the generalised test (GSPRT) of fishtest and fastchess: what the hypotheses leave open, the probabilities of the
five scores of a pair, is replaced by its likeliest value under each.
"""

import enum
import math
from dataclasses import dataclass

from ludus.arena.score import Score, expected_score


class Verdict(enum.Enum):
    """What the test says so far.

    Examples:
        >>> Verdict.CONTINUE.value
        'continue'
    """

    CONTINUE = "continue"
    H0 = "accept H0"
    H1 = "accept H1"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H0, the first player is `elo0` stronger, against H1, it is `elo1` stronger.

    With the true difference at or below `elo0` it accepts H1 with a probability of about `alpha` or less; at or above
    `elo1` it accepts H0 with about `beta` or less. In between it takes longest and may accept either.

    Examples:
        >>> test = Sprt(elo0=0, elo1=20)
        >>> score = Score.pair(1, 0.5) + Score.pair(0.5, 0.5)
        >>> test.verdict(score)
        <Verdict.CONTINUE: 'continue'>
    """

    elo0: float  # logistic Elo, less than elo1
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        # Farther apart, the expected scores are 0 and 1 as far as floating-point numbers go.
        if not -4000 < self.elo0 < self.elo1 < 4000:
            raise ValueError(f"an SPRT needs -4000 < elo0 < elo1 < 4000, not {self.elo0} and {self.elo1}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"an SPRT needs alpha and beta between 0 and 0.5, not {self.alpha} and {self.beta}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test accepts H0 and H1: Wald's."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, score: Score) -> float:
        """The log-likelihood ratio of H1 to H0: positive when the score speaks for H1."""
        return score.log_likelihood(expected_score(self.elo1)) - score.log_likelihood(expected_score(self.elo0))

    def verdict(self, score: Score) -> Verdict:
        """What the test says after `score`; ask after whole pairs, in an order that does not depend on the results."""
        llr = self.llr(score)
        low, high = self.bounds
        if llr <= low:
            return Verdict.H0
        return Verdict.H1 if llr >= high else Verdict.CONTINUE
