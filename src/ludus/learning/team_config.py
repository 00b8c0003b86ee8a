"""The options of MP-Draughts, and the trainings that they make of the generalist and of the specialists."""

from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from ludus.endgames.folder import MOST_PIECES
from ludus.learning import kohonen, map_features, specialists
from ludus.learning.kohonen import Clustering, Schedule
from ludus.learning.specialists import SpecialistConfig
from ludus.learning.visiondraughts import VisionDraughts
from ludus.players import networks
from ludus.players.evaluators import FEATURES, MOST_UNITS, AttributeValues, MultiPhase


class TeamConfig(VisionDraughts, frozen=True, kw_only=True):
    """The options of a team: those of its generalist, and more."""

    generalist: Annotated[
        str, Meta(description="Player that is the generalist, by name or file. If not given, one is trained.")
    ] = ""
    boards: Annotated[int, Meta(description="Endgame boards that the map and the specialists learn from.", ge=1)] = 3000
    held_boards: Annotated[
        int,
        Meta(
            description="Further endgame boards that are held back from learning. On half of them the specialists are "
            "tested, on the other half the team. 0 tests the specialists on the boards that they learned from.",
            ge=0,
        ),
    ] = 6000
    board_players: Annotated[
        tuple[str, ...],
        Meta(
            description="Players whose games give the boards, each against each other, separated by commas. "
            "'generalist' is the generalist of this run. If not given, it plays itself."
        ),
    ] = ()
    board_moment: Annotated[
        Literal["first", "any"],
        Meta(
            description="Board that is taken from a game: the first with exactly as many pieces as --pieces, or any "
            "that has from 4 pieces to that number."
        ),
    ] = "any"
    board_epsilon: Annotated[
        float, Meta(description="Probability, from 0 to 1, of a random move in these games.", ge=0, le=1)
    ] = 0.05
    pieces: Annotated[int, Meta(description="Pieces on the board at which the endgame begins.", ge=2, le=23)] = 12
    clusters: Annotated[
        Clustering,
        Meta(description="Clustering of the boards: a Kohonen map that is a chain or a grid, k-means, or random."),
    ] = "chain"
    units: Annotated[
        int, Meta(description="Units of the map, each of which gets a specialist.", ge=1, le=MOST_UNITS)
    ] = 4  # measured in docs/mp-draughts.md, as are the options of the specialists below
    attributes: Annotated[
        tuple[str, ...],
        Meta(description="Features that the map has as attributes, separated by commas; --features lists them."),
    ] = FEATURES
    attribute_values: Annotated[
        AttributeValues,
        Meta(description="Value of an attribute: whether the feature is above 0, its count, or the scaled count."),
    ] = "binary"
    selection_generations: Annotated[
        int,
        Meta(
            description="Generations of the genetic algorithm that selects among the attributes. 0 uses all of them.",
            ge=0,
        ),
    ] = 0
    selection_population: Annotated[
        int, Meta(description="Sets of attributes that survive each generation of the selection.", ge=2)
    ] = 8
    selection_games: Annotated[
        int, Meta(description="Training games of each specialist when a set of attributes is evaluated.", ge=1)
    ] = 20
    alpha: Annotated[float, Meta(description="Learning rate of the map in the first epoch.", gt=0, le=1)] = 0.9
    alpha_factor: Annotated[
        float, Meta(description="Factor by which the map's learning rate falls each epoch.", gt=0, lt=1)
    ] = 0.99
    alpha_last: Annotated[
        float, Meta(description="Learning rate below which the training of the map ends.", gt=0, le=1)
    ] = 0.1
    specialist_weights: Annotated[
        Literal["generalist", "random"],
        Meta(description="Initial weights of a specialist: those of the generalist, or random ones."),
    ] = "generalist"
    share_games: Annotated[
        bool, Meta(description="Divide the generalist's sets of training games among the specialists.")
    ] = False
    specialist_sets: Annotated[
        int, Meta(description="Sets of training games of a specialist. 0 is as many as the generalist has.", ge=0)
    ] = 1
    specialist_games: Annotated[
        int, Meta(description="Training games of a specialist in a set. 0 is as many as the generalist has.", ge=0)
    ] = 16000
    specialist_rate: Annotated[
        float, Meta(description="Learning rate of the specialists. 0 is that of the generalist.", ge=0, le=100)
    ] = 0.005
    specialist_gamma: Annotated[
        float,
        Meta(description="Discount of the specialists, from 0 to 1. 0 is that of the generalist.", ge=0, le=1),
    ] = 0.98
    specialist_lambda: Annotated[
        float,
        Meta(description="Trace decay of the specialists, from 0 to 1. 0 is that of the generalist.", ge=0, le=1),
    ] = 0.9
    specialist_budget: Annotated[
        str,
        Meta(description="Search budget of a move in the specialists' training. If not given, the generalist's."),
    ] = ""
    specialist_features: Annotated[
        tuple[str, ...],
        Meta(
            description="Features that the specialists have as inputs, separated by commas; --features lists them. "
            "If not given, those of the generalist."
        ),
    ] = FEATURES
    specialist_clones: Annotated[
        Literal["tested", "always"],
        Meta(
            description="When a specialist's clone is replaced: after a test that it passes, or always after a set. "
            "Then the mean of its weights over all games is the specialist."
        ),
    ] = "always"
    specialist_side: Annotated[
        Literal["asked", "both"],
        Meta(description="Side of a board that a specialist learns: the one to move, which asks the map, or both."),
    ] = "both"
    specialist_tables: Annotated[
        int,
        Meta(
            description="Endgame tables of up to so many pieces that teach the specialists: the value of a move into "
            "them is the true one, less for a later win. 0 uses none.",
            ge=0,
            le=MOST_PIECES,
        ),
    ] = 0
    specialist_tables_end: Annotated[
        bool, Meta(description="Let these tables end the specialists' training games, with the true result.")
    ] = False
    specialist_test_boards: Annotated[
        int,
        Meta(
            description="Boards on which each specialist is tested against the generalist, with both colours; at most.",
            ge=1,
        ),
    ] = 400
    acceptance: Annotated[
        Literal["better", "all"],
        Meta(
            description="Specialists that join the team: those whose test has a 95% interval above 50%, or all of "
            "them. For the other units the generalist evaluates."
        ),
    ] = "better"
    dynamics: Annotated[
        Literal["DI", "DII"],
        Meta(description="When the map chooses the specialist: once in a game (DI) or at every own move (DII)."),
    ] = "DII"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.schedule()  # these raise ValueError if the options do not fit together
        self.team((1,), self.attributes)
        specialists.widened(
            np.zeros(networks.weights(self.evaluator().layers), np.float32),
            self.evaluator(),
            self.specialist_config(1).evaluator(),
        )
        if self.acceptance == "better" and not self.held_boards:
            raise ValueError("specialists are accepted on boards that are held back: hold some back, or accept all")
        if self.specialist_tables == 1:
            raise ValueError("endgame tables have 2 pieces or more, or there are none: 0")
        if self.selection_generations and self.clusters == "random":
            raise ValueError("random clusters do not depend on attributes: there is nothing to select")
        if self.selection_generations and self.selection_population >= 2 ** len(self.attributes):
            raise ValueError(
                f"of {len(self.attributes)} features there are fewer sets than {self.selection_population}"
            )
        if self.selection_generations and self.boards < map_features.HOLD_OUT:
            raise ValueError(f"the selection of attributes needs {map_features.HOLD_OUT} boards or more")

    @property
    def name(self) -> str:
        """The clusters, whether attributes are selected, the dynamics, and the generalist's name."""
        selects = "-select" if self.selection_generations else ""
        return f"{self.clusters}{self.units}{selects}-{self.dynamics}-{super().name}"

    def schedule(self) -> Schedule:
        """How the map's learning rate falls."""
        return Schedule(alpha=self.alpha, factor=self.alpha_factor, last=self.alpha_last)

    def team(self, units: tuple[int, ...], attributes: tuple[str, ...]) -> MultiPhase:
        """The evaluator of a team with these units and attributes and without specialists, without the weights."""
        rows, columns = kohonen.shape(self.clusters, self.units)
        own, other = self.evaluator(), self.specialist_config(1).evaluator()
        return MultiPhase(
            member=own,
            specialist=None if other == own else other,
            units=units,
            accepted=(),
            rows=rows,
            columns=columns,
            attributes=attributes,
            attribute_values=self.attribute_values,
            pieces=self.pieces,
            dynamics=self.dynamics,
        )

    def generalist_config(self) -> VisionDraughts:
        """The config that trains the generalist."""
        return VisionDraughts(**{name: getattr(self, name) for name in VisionDraughts.__struct_fields__})

    def specialist_config(self, count: int) -> SpecialistConfig:
        """The config that trains each of `count` specialists: its games start from its boards, without random plies."""
        own = msgspec.structs.asdict(self.generalist_config())
        sets, games = self.specialist_sets or self.sets, self.specialist_games or self.games
        if self.share_games:
            sets, games = self.sets, max(1, self.games // count)
        given = {
            "sets": sets,
            "games": games,
            "rate": self.specialist_rate or self.rate,
            "gamma": self.specialist_gamma or self.gamma,
            "lambda_": self.specialist_lambda or self.lambda_,
            "budget": self.specialist_budget or self.budget,
            "features": self.specialist_features or self.features,
        }
        return SpecialistConfig(
            **{**own, **given, "opening_plies": 0, "both_sides": self.both_sides and self.specialist_side == "both"},
            tables=self.specialist_tables,
            tables_end=self.specialist_tables_end,
            asked_side=self.specialist_side == "asked",
            tested=self.specialist_clones == "tested",
        )
