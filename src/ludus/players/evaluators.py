"""Descriptions of evaluators, as they are in a player's file: kind, inputs and network. They build the core's."""

from typing import ClassVar, Literal, cast

import numpy as np
from msgspec import Struct, field

from ludus._core import Derivative
from ludus._core import draughts as _draughts
from ludus._core import tictactoe3d as _tictactoe3d
from ludus.games import GameName, History
from ludus.games.core import Core, TrainableNetwork
from ludus.games.core import Evaluator as CoreEvaluator
from ludus.players import networks
from ludus.players.networks import Layer, Network, Theta

FEATURES = tuple(_draughts.feature_bits())  # the names of NET-FEATUREMAP's features, in order
FEATUREMAP12 = FEATURES[:12]
FEATUREMAP28 = FEATURES
TERMS = (*FEATURES, "CornerCredit", "TheMove")  # what Samuel's polynomial can be made of: his CORN and MOVE come last

AttributeValues = Literal["binary", "count", "scaled"]  # of a feature, for a Kohonen map: see Attributes of the core
MOST_UNITS = 400  # of a Kohonen map
PhaseWidth = Literal[16, 32, 64, 128, 256]  # the nodes that the first layer of a PhaseNetwork can have


class Material(Struct, frozen=True, tag="material", forbid_unknown_fields=True):
    """Counts pieces, or stones on open lines; it has no weights."""

    game: ClassVar[None] = None  # any

    def build(self, core: Core, theta: Theta | None) -> CoreEvaluator:
        """The core's evaluator."""
        if theta is not None:
            raise ValueError("it has weights and no network")
        return core.Evaluator.material()

    def __str__(self) -> str:
        return "counts what is on the board"


class BoardNetwork(Struct, frozen=True, tag="board", kw_only=True, forbid_unknown_fields=True):
    """A network on the draughts board: squares32, or the sums of subsquares91."""

    game: ClassVar[GameName] = "draughts"

    layers: tuple[Layer, ...]
    encoder: Literal["squares32", "subsquares91"]
    king: float = 1.5  # the worth of a king where a man is 1
    piece_difference: bool = False  # added to the output node, past all layers

    def build(self, core: Core, theta: Theta | None) -> _draughts.Evaluator:
        """The core's evaluator."""
        network = _network(self.layers, theta, {"squares32": 32, "subsquares91": 91}[self.encoder], self.encoder)
        return _draughts.Evaluator.board(network, king=self.king, difference=self.piece_difference)

    def trainable(self, core: Core, theta: Theta, derivative: Derivative) -> TrainableNetwork:
        """The core's network in training."""
        network = networks.build(self.layers, theta)
        return _draughts.TrainableNetwork.board(
            network, king=self.king, difference=self.piece_difference, derivative=derivative
        )

    def __str__(self) -> str:
        difference = ", with the piece difference" if self.piece_difference else ""
        return f"{networks.shape(self.layers)} network on {self.encoder}{difference}; a king is worth {self.king:g} men"


class FeatureNetwork(Struct, frozen=True, tag="features", kw_only=True, forbid_unknown_fields=True):
    """A network on features of NET-FEATUREMAP, chosen by name."""

    game: ClassVar[GameName] = "draughts"

    layers: tuple[Layer, ...]
    features: tuple[str, ...]
    coding: Literal["clean", "faithful"] = "clean"

    def build(self, core: Core, theta: Theta | None) -> _draughts.Evaluator:
        """The core's evaluator."""
        mask = _mask(self.features)
        return _draughts.Evaluator.features(self.network(theta), chosen=mask, faithful=self.coding == "faithful")

    def network(self, theta: Theta | None) -> Network:
        """The network alone."""
        _mask(self.features)  # raises for an unknown feature
        bits = _draughts.feature_bits()
        inputs = sum(bits[name] for name in set(self.features))
        return _network(self.layers, theta, inputs, f"{len(set(self.features))} features")

    def trainable(self, core: Core, theta: Theta, derivative: Derivative) -> TrainableNetwork:
        """The core's network in training."""
        network = networks.build(self.layers, theta)
        faithful = self.coding == "faithful"
        return _draughts.TrainableNetwork.features(
            network, chosen=_mask(self.features), faithful=faithful, derivative=derivative
        )

    def __str__(self) -> str:
        named = {FEATUREMAP12: "featuremap12", FEATUREMAP28: "featuremap28"}
        inputs = named.get(self.features, ", ".join(self.features))
        return f"{networks.shape(self.layers)} network on {inputs}, {self.coding} coding"


class MultiPhase(Struct, frozen=True, tag="multiphase", kw_only=True, forbid_unknown_fields=True):
    """The team of MP-Draughts: a generalist, and for endgames specialists from which a Kohonen map chooses.

    The weights are those of the generalist, of the specialists in the order of their units, and of these units.
    """

    game: ClassVar[GameName] = "draughts"

    member: FeatureNetwork  # what each network of the team is
    units: tuple[int, ...]  # those of the map that have a specialist; numbers from 1, row by row
    rows: int = 1  # of the map; with one it is a chain
    columns: int = 25
    attributes: tuple[str, ...] = FEATURES  # the features that are the inputs of the map
    attribute_values: AttributeValues = field(default="binary", name="told")
    pieces: int = 12  # an endgame has at most this many
    dynamics: Literal["DI", "DII"] = "DII"  # the map chooses the network once, or at every own move

    def __post_init__(self) -> None:
        places = self.rows * self.columns
        if not 1 <= places <= MOST_UNITS:
            raise ValueError(f"a map has 1 to {MOST_UNITS} units, not {self.rows} x {self.columns}")
        if not self.units or tuple(unit for unit in range(1, places + 1) if unit in self.units) != self.units:
            raise ValueError(f"the specialists' units are numbers from 1 to {places}, in order and each of them once")
        if not self.attributes or tuple(name for name in FEATURES if name in self.attributes) != self.attributes:
            raise ValueError("the map's attributes are names of features, in the table's order and each of them once")

    def build(self, core: Core, theta: Theta | None) -> _draughts.Evaluator:
        """The core's evaluator."""
        members, units = self.parts(theta)
        return _draughts.Evaluator.multiphase(
            [self.member.network(member) for member in members],
            chosen=_mask(self.member.features),
            faithful=self.member.coding == "faithful",
            units=units.ravel().tolist(),
            attributes=_mask(self.attributes),
            kind=_draughts.Attributes[self.attribute_values.upper()],
            pieces=self.pieces,
            once=self.dynamics == "DI",
        )

    def choice(self, theta: Theta | None, history: History) -> _draughts.MemberChoice:
        """The network that values the moves of the side to move, and why the map chose it."""
        core_history = cast(_draughts.History, history)
        return self.build(_draughts, theta).member_choice(core_history)

    def parts(self, theta: Theta | None) -> tuple[Theta, Theta]:
        """The weights of the members, the generalist first, and of the specialists' units; a row each."""
        count, width = len(self.units), len(self.attributes)
        weights = networks.weights(self.member.layers)
        if theta is None or theta.size != (1 + count) * weights + count * width:
            raise ValueError(f"a team of {1 + count} networks and their map needs its weights, and no others")
        members, units = np.split(theta, [(1 + count) * weights])
        return members.reshape(1 + count, weights), units.reshape(count, width)

    def generalist(self, theta: Theta | None) -> tuple[FeatureNetwork, Theta]:
        """The generalist alone: its network and its weights."""
        return self.member, self.parts(theta)[0][0].copy()

    def __str__(self) -> str:
        shape = "a chain" if self.rows == 1 else f"{self.rows} x {self.columns}"
        asked = "once" if self.dynamics == "DI" else "at every own move"
        return (
            f"a team of a generalist and {len(self.units)} specialists, each a {self.member}; "
            f"with at most {self.pieces} pieces a Kohonen map of {self.rows * self.columns} units, {shape}, "
            f"on {len(self.attributes)} {self.attribute_values} attributes, chooses the network {asked} "
            f"({self.dynamics})"
        )


class CellNetwork(Struct, frozen=True, tag="cells", kw_only=True, forbid_unknown_fields=True):
    """A network on the cells of Tic-Tac-Toe 3D: cells64."""

    game: ClassVar[GameName] = "tictactoe3d"

    layers: tuple[Layer, ...]

    def build(self, core: Core, theta: Theta | None) -> _tictactoe3d.Evaluator:
        """The core's evaluator."""
        return _tictactoe3d.Evaluator.cells(_network(self.layers, theta, 64, "cells64"))

    def trainable(self, core: Core, theta: Theta, derivative: Derivative) -> TrainableNetwork:
        """The core's network in training."""
        return _tictactoe3d.TrainableNetwork.cells(networks.build(self.layers, theta), derivative=derivative)

    def __str__(self) -> str:
        return f"{networks.shape(self.layers)} network on cells64"


class Polynomial(Struct, frozen=True, tag="polynomial", kw_only=True, forbid_unknown_fields=True):
    """Samuel's polynomial: terms chosen by name, each times its coefficient, through one node."""

    game: ClassVar[GameName] = "draughts"

    layers: tuple[Layer, ...]
    terms: tuple[str, ...]

    def build(self, core: Core, theta: Theta | None) -> _draughts.Evaluator:
        """The core's evaluator."""
        for name in self.terms:
            if name not in TERMS:
                raise ValueError(f"there is no term '{name}'")
        mask = sum(1 << index for index, name in enumerate(TERMS) if name in self.terms)
        chosen = len(set(self.terms))
        return _draughts.Evaluator.polynomial(_network(self.layers, theta, chosen, f"{chosen} terms"), terms=mask)

    def __str__(self) -> str:
        return f"polynomial of {len(self.terms)} terms"


class PatternNetwork(Struct, frozen=True, tag="patterns", kw_only=True, forbid_unknown_fields=True):
    """A network on the patterns of the lines of Tic-Tac-Toe 3D; the symmetric one values images of a board alike."""

    game: ClassVar[GameName] = "tictactoe3d"

    layers: tuple[Layer, ...]
    symmetric: bool = False

    def build(self, core: Core, theta: Theta | None) -> _tictactoe3d.Evaluator:
        """The core's evaluator."""
        network = _network(self.layers, theta, _tictactoe3d.pattern_inputs(self.symmetric), "line patterns")
        return _tictactoe3d.Evaluator.patterns(network, symmetric=self.symmetric)

    def trainable(self, core: Core, theta: Theta, derivative: Derivative) -> TrainableNetwork:
        """The core's network in training."""
        network = networks.build(self.layers, theta)
        return _tictactoe3d.TrainableNetwork.patterns(network, symmetric=self.symmetric, derivative=derivative)

    def __str__(self) -> str:
        symmetric = ", shared over the 8 symmetries" if self.symmetric else ""
        return f"{networks.shape(self.layers)} network on line patterns{symmetric}"


class PhaseNetwork(Struct, frozen=True, tag="phases", kw_only=True, forbid_unknown_fields=True):
    """A network in whole numbers: a sparse first layer on pieces or lines, and upper layers for each phase of the game.

    The weights are real numbers; core/evaluation/phase_network.hpp has their order and how they are rounded.
    """

    game: ClassVar[None] = None  # any

    width: PhaseWidth = 64  # nodes of the first layer

    def build(self, core: Core, theta: Theta | None) -> CoreEvaluator:
        """The core's evaluator."""
        if theta is None:
            raise ValueError("a network needs its weights")
        return core.Evaluator.phases(theta, width=self.width)

    def __str__(self) -> str:
        return f"network with a sparse first layer of {self.width} nodes, and 16-1 for each phase of the game"


Evaluator = (
    Material | BoardNetwork | FeatureNetwork | MultiPhase | CellNetwork | Polynomial | PatternNetwork | PhaseNetwork
)


def fits(evaluator: Evaluator, game: str) -> bool:
    """Whether the evaluator can value positions of this game."""
    return evaluator.game in (None, game)


def _mask(features: tuple[str, ...]) -> int:
    for name in features:
        if name not in FEATURES:
            raise ValueError(f"there is no feature '{name}'")
    return sum(1 << index for index, name in enumerate(FEATURES) if name in features)


def _network(layers: tuple[Layer, ...], theta: Theta | None, inputs: int, encoder: str) -> Network:
    if theta is None:
        raise ValueError("a network needs its weights")
    if not layers or layers[0].inputs != inputs:
        raise ValueError(f"a network on {encoder} has {inputs} inputs")
    return networks.build(layers, theta)
