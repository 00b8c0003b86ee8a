"""The state of an MP-Draughts training after the generalist's stage, and how a checkpoint keeps it."""

import msgspec
import numpy as np
from msgspec import Struct

from ludus.learning.endgame_boards import EndgameBoard
from ludus.learning.kohonen import Points
from ludus.learning.learner import Arrays, Facts, State
from ludus.learning.map_features import Selection
from ludus.players.evaluators import SpecialistTest
from ludus.players.networks import Theta


class TeamState(Struct, frozen=True, kw_only=True):
    """How far the stages after the generalist's have come."""

    generalist: Theta
    boards: tuple[EndgameBoard, ...] = ()
    played: int = 0  # games that gave them
    selection: Selection | None = None  # of the map's attributes, if they are selected
    units: Points | None = None  # of the map, after `epochs`
    epochs: int = 0
    specialists: tuple[Theta, ...] = ()  # in the order of their units, also those that were not accepted
    tested: tuple[SpecialistTest, ...] = ()  # of each of them

    def state(self) -> State:
        """The state that a checkpoint keeps."""
        arrays: Arrays = {"generalist": self.generalist}
        if self.units is not None:
            arrays["units"] = self.units
        if self.specialists:
            arrays["specialists"] = np.stack(self.specialists)
        boards = [[board.position, board.game, board.ply] for board in self.boards]
        facts: Facts = {"boards": boards, "played": self.played, "epochs": self.epochs}
        facts["tested"] = msgspec.to_builtins(self.tested)
        if self.selection is not None:
            facts["selection"] = msgspec.to_builtins(self.selection, str_keys=True)
        return State(arrays=arrays, facts=facts)

    @staticmethod
    def of(state: State) -> "TeamState | None":
        """The inverse of `state`; None for a state of the generalist's stage.

        Raises ValueError for the state of an earlier version, which held no boards back.
        """
        if "boards" not in state.facts:
            return None
        if "tested" not in state.facts:
            raise ValueError(
                "this run is of an earlier version, which accepted all specialists; train a new team with its "
                "generalist: --generalist RUN@generalist"
            )
        return TeamState(
            generalist=state.arrays["generalist"],
            boards=tuple(EndgameBoard(*board) for board in state.facts["boards"]),
            played=state.facts["played"],
            selection=msgspec.convert(state.facts.get("selection"), type=Selection | None, strict=False),
            units=state.arrays.get("units"),
            epochs=state.facts["epochs"],
            specialists=tuple(state.arrays.get("specialists", ())),
            tested=msgspec.convert(state.facts["tested"], type=tuple[SpecialistTest, ...]),
        )
