"""VisionDraughts (Caixeta and Julia 2008): NeuroDraughts with alpha-beta search, which ours also learns from."""

from typing import Annotated, ClassVar

from msgspec import Meta

from ludus.learning import fields
from ludus.learning.cloning_config import FAITHFUL, FeatureCloningConfig
from ludus.learning.learner import Options
from ludus.learning.training_games import TrainingSetup
from ludus.players.searches import AlphaBeta


class VisionDraughts(FeatureCloningConfig, frozen=True, kw_only=True):
    """VisionDraughts: TD(lambda), cloning and alpha-beta.

    VisionDraughts (Caixeta and Julia 2008): NeuroDraughts with alpha-beta search and a transposition table.
    """

    kind: ClassVar[str] = "visiondraughts"
    presets: ClassVar[dict[str, Options]] = {
        "ours": {},
        "faithful": {
            **FAITHFUL,
            "coding": "faithful",
            "budget": "depth=6",
            # The original has none of these.
            "leaf": False,
            "repetition": False,
            "reductions": False,
            "quiescence": False,
        },
    }

    leaf: Annotated[
        bool,
        Meta(description="TD-Leaf: learn from the end of the principal variation, not from the position after a move."),
    ] = True
    repetition: Annotated[bool, Meta(description="Let the search score a repeated position as a draw.")] = True
    reductions: fields.Reductions = True
    quiescence: Annotated[bool, Meta(description="Search on at the leaves while a capture is forced.")] = True

    def setup(self) -> TrainingSetup:
        """How it chooses its moves, and how it learns from a game."""
        search = AlphaBeta(repetition=self.repetition, reductions=self.reductions, quiescence=self.quiescence)
        return self._setup(self.evaluator(), search, leaf=self.leaf)
