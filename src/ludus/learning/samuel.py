"""Samuel 1959: a polynomial of his terms, its coefficients learned in games against a frozen copy.

Samuel's Alpha changes its coefficients after every move, by how far the value of a board is from what the search below
it says, while Beta stays as it is until Alpha has beaten it; the worth of pieces is fixed: it tells which way is up.
Here the change is the gradient's, where he kept correlations of signs; all terms are in the polynomial, where he had 16
of them at a time and exchanged the useless ones; and the copy is replaced after a test, not after a game.
"""

from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec import Meta

from ludus.learning.cloning import FAITHFUL, Cloning
from ludus.learning.training_games import Method
from ludus.players.evaluators import TERMS, Polynomial
from ludus.players.networks import Layer, Theta
from ludus.players.searches import AlphaBeta

# The terms that NeuroDraughts added are not his.
SAMUELS = tuple(term for term in TERMS if term not in ("PieceThreat", "PieceTake", "Taken"))
_PIECES = (SAMUELS.index("PieceAdvantage"), SAMUELS.index("PieceDisadvantage"))


class Samuel(Cloning, frozen=True, kw_only=True):
    """Samuel's player of 1959: a polynomial of his terms, learned against a frozen copy, with alpha-beta."""

    kind: ClassVar[str] = "samuel"
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "ours": {},
        "faithful": {
            **FAITHFUL,
            "budget": "depth=3",
            "lambda_": 0.0,
            "momentum": 0.0,
            "init": 0.0,
            "rate": 0.002,
            "reductions": False,
        },
    }

    init: Annotated[
        float, Meta(description="The first coefficients lie between this and its negative.", ge=0, le=1)
    ] = 0.0
    rate: Annotated[float, Meta(description="The learning rate, times 1 / terms.", ge=0, le=100)] = 0.0003
    piece: Annotated[float, Meta(description="The fixed coefficient of a point of material.", gt=0, le=1)] = 0.1
    reductions: Annotated[bool, Meta(description="It looks less far after moves that promise little.")] = True

    def method(self) -> Method:
        """How it chooses its moves, and what it learns from a game: from the end of the line it expects, as he did."""
        node = Layer(inputs=len(SAMUELS), outputs=1, bias=False)
        evaluator = Polynomial(layers=(node,), terms=SAMUELS)
        return self.by(evaluator, AlphaBeta(reductions=self.reductions), held=_PIECES, leaf=True)

    def first_theta(self, seed: int) -> Theta:
        """Nothing is known but that pieces are worth having."""
        rng = np.random.default_rng([seed, 3])
        theta = rng.uniform(-self.init, self.init, len(SAMUELS)).astype(np.float32)
        theta[list(_PIECES)] = self.piece, -self.piece
        return theta
