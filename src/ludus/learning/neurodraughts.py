"""NeuroDraughts (Lynch 1997): TD(lambda) with cloning, a network on 12 features, and minimax search."""

from typing import ClassVar

from ludus.learning.cloning_config import FAITHFUL, FeatureCloningConfig
from ludus.learning.learner import Options
from ludus.learning.training_games import TrainingSetup
from ludus.players.searches import Minimax


class NeuroDraughts(FeatureCloningConfig, frozen=True, kw_only=True):
    """NeuroDraughts: TD(lambda) with cloning, and minimax.

    NeuroDraughts (Lynch 1997): TD(lambda) with cloning, a network on 12 features and plain minimax search.
    """

    kind: ClassVar[str] = "neurodraughts"
    presets: ClassVar[dict[str, Options]] = {"ours": {}, "faithful": {**FAITHFUL, "coding": "faithful"}}

    def setup(self) -> TrainingSetup:
        """How it chooses its moves, and how it learns from a game."""
        return self._setup(self.evaluator(), Minimax())
