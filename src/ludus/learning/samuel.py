"""Samuel 1959: a polynomial of his terms, its coefficients learned in games against a frozen copy.

Samuel's Alpha changes its coefficients after every move, by the difference between the value of a board and the value
that the search below it returns. Beta stays unchanged until Alpha has beaten it. The value of pieces is fixed, because
it tells winning from losing. Ours differs in three ways: coefficients follow the gradient, where he kept correlations
of signs; all terms are in the polynomial, where he had 16 at a time and exchanged the useless ones; and the copy is
replaced after a test, not after a game.
"""

from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from ludus.learning import fields
from ludus.learning.cloning_config import FAITHFUL, CloningConfig
from ludus.learning.learner import Options
from ludus.learning.training_games import TrainingSetup
from ludus.players.evaluators import TERMS, Polynomial
from ludus.players.networks import Layer, Theta
from ludus.players.searches import AlphaBeta

# The terms that NeuroDraughts added are not his.
SAMUEL_TERMS = tuple(term for term in TERMS if term not in ("PieceThreat", "PieceTake", "Taken"))
_PIECES = (SAMUEL_TERMS.index("PieceAdvantage"), SAMUEL_TERMS.index("PieceDisadvantage"))


class Samuel(CloningConfig, frozen=True, kw_only=True):
    """Samuel 1959: a polynomial, learned with a clone.

    Samuel's player (1959): a polynomial of his terms, learned against a frozen copy, with alpha-beta search.
    """

    kind: ClassVar[str] = "samuel"
    presets: ClassVar[dict[str, Options]] = {
        "ours": {},
        "faithful": {
            **FAITHFUL,
            "budget": "depth=3",
            "lambda_": 0.0,
            "momentum": 0.0,
            "initial_range": 0.0,
            "rate": 0.002,
            "reductions": False,
            # The limits in FAITHFUL are those of NeuroDraughts' code.
            "repetitions": 3,
            "quiet_plies": 80,
            "max_plies": 0,
        },
    }

    initial_range: fields.InitialRange = 0.0
    rate: Annotated[float, Meta(description="Learning rate; it is divided by the number of terms.", ge=0, le=100)] = (
        0.0003
    )
    piece_value: Annotated[
        float, Meta(description="Coefficient of the terms of material, which is not learned.", gt=0, le=1)
    ] = 0.1
    reductions: fields.Reductions = True

    def setup(self) -> TrainingSetup:
        """How it chooses its moves and learns from a game: from the end of the principal variation, as Samuel did."""
        node = Layer(inputs=len(SAMUEL_TERMS), outputs=1, bias=False)
        evaluator = Polynomial(layers=(node,), terms=SAMUEL_TERMS)
        return self._setup(evaluator, AlphaBeta(reductions=self.reductions), leaf=True, fixed=_PIECES)

    def initial_theta(self, seed: int) -> Theta:
        """Random coefficients, but for those of the material."""
        rng = np.random.default_rng([seed, 3])
        theta = rng.uniform(-self.initial_range, self.initial_range, len(SAMUEL_TERMS)).astype(np.float32)
        theta[list(_PIECES)] = self.piece_value, -self.piece_value
        return theta
