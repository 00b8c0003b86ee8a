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
from ludus.players.functions import Function
from ludus.players.networks import Layer, Network, Theta

FEATURES = tuple(_draughts.feature_bits())  # the names of NET-FEATUREMAP's features, in order
FEATUREMAP12 = FEATURES[:12]
FEATUREMAP28 = FEATURES
TERMS = (*FEATURES, "CornerCredit", "TheMove")  # what Samuel's polynomial can be made of: his CORN and MOVE come last

AttributeValues = Literal["binary", "count", "scaled"]  # of a feature, for a Kohonen map: see Attributes of the core
Dynamics = Literal["DI", "DII"]  # of a team: the map chooses the network once, or at every own move
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


class TestResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of games against the generalist, each board with both colours."""

    wins: int
    draws: int
    losses: int
    interval: tuple[float, float]  # the 95% interval of the score

    @property
    def score(self) -> float:
        """Points a game, from 0 to 1; one half before the first game."""
        games = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / games if games else 0.5

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.score:.1%} [{100 * low:.1f}, {100 * high:.1f}]"


class SpecialistTest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The test of a specialist against the generalist that decided if it joined the team."""

    unit: int  # from 1
    accepted: bool
    result: TestResult


class MultiPhase(Struct, frozen=True, tag="multiphase", kw_only=True, forbid_unknown_fields=True):
    """The team of MP-Draughts: a generalist, and for endgames specialists from which a Kohonen map chooses.

    The weights are those of the generalist, of the specialists in the order of their units, and of all units. For a
    unit without a specialist the generalist evaluates.
    """

    game: ClassVar[GameName] = "draughts"

    member: FeatureNetwork  # what the generalist is, and each specialist if nothing else is said
    specialist: FeatureNetwork | None = None  # what each specialist is, if that is something else
    units: tuple[int, ...]  # those of the map that had boards in training; numbers from 1, row by row
    accepted: tuple[int, ...] | None = None  # the units with a specialist; None: all
    tests: tuple[SpecialistTest, ...] = ()  # of all specialists that were trained
    check: TestResult | None = None  # of the team, on further boards of the units with a specialist
    rows: int = 1  # of the map; with one it is a chain
    columns: int = 25
    attributes: tuple[str, ...] = FEATURES  # the features that are the inputs of the map
    attribute_values: AttributeValues = field(default="binary", name="told")
    pieces: int = 12  # an endgame has at most this many
    dynamics: Dynamics = "DII"

    def __post_init__(self) -> None:
        places = self.rows * self.columns
        if not 1 <= places <= MOST_UNITS:
            raise ValueError(f"a map has 1 to {MOST_UNITS} units, not {self.rows} x {self.columns}")
        if not self.units or tuple(unit for unit in range(1, places + 1) if unit in self.units) != self.units:
            raise ValueError(f"the specialists' units are numbers from 1 to {places}, in order and each of them once")
        if tuple(unit for unit in self.units if unit in self.specialists) != self.specialists:
            raise ValueError("the units with a specialist are some of the map's units, in order and each of them once")
        if self.specialist is not None and self.specialist.coding != self.member.coding:
            raise ValueError("all networks of a team have the same coding of features")
        if not self.attributes or tuple(name for name in FEATURES if name in self.attributes) != self.attributes:
            raise ValueError("the map's attributes are names of features, in the table's order and each of them once")

    def build(self, core: Core, theta: Theta | None) -> _draughts.Evaluator:
        """The core's evaluator."""
        members, units = self.parts(theta)
        return _draughts.Evaluator.multiphase(
            [network.network(weights) for network, weights in zip(self._networks(), members, strict=True)],
            chosen=_mask(self.member.features),
            specialists_chosen=_mask((self.specialist or self.member).features),
            faithful=self.member.coding == "faithful",
            units=units.ravel().tolist(),
            speakers=[self.specialists.index(unit) + 1 if unit in self.specialists else 0 for unit in self.units],
            attributes=_mask(self.attributes),
            kind=_draughts.Attributes[self.attribute_values.upper()],
            pieces=self.pieces,
            once=self.dynamics == "DI",
        )

    @property
    def specialists(self) -> tuple[int, ...]:
        """The units that have a specialist."""
        return self.units if self.accepted is None else self.accepted

    def _networks(self) -> list[FeatureNetwork]:
        return [self.member, *(self.specialist or self.member for _ in self.specialists)]

    def choice(self, theta: Theta | None, history: History) -> _draughts.MemberChoice:
        """The network that values the moves of the side to move, and why the map chose it."""
        core_history = cast(_draughts.History, history)
        return self.build(_draughts, theta).member_choice(core_history)

    def parts(self, theta: Theta | None) -> tuple[list[Theta], Theta]:
        """The weights of each member, the generalist first, and those of the units, a row each."""
        count, width = len(self.units), len(self.attributes)
        sizes = [networks.weights(network.layers) for network in self._networks()]
        if theta is None or theta.size != sum(sizes) + count * width:
            raise ValueError(f"a team of {len(sizes)} networks and their map needs its weights, and no others")
        *members, units = np.split(theta, np.cumsum(sizes))
        return members, units.reshape(count, width)

    def generalist(self, theta: Theta | None) -> tuple[FeatureNetwork, Theta]:
        """The generalist alone: its network and its weights."""
        return self.member, self.parts(theta)[0][0].copy()

    def __str__(self) -> str:
        shape = "a chain" if self.rows == 1 else f"{self.rows} x {self.columns}"
        asked = "once" if self.dynamics == "DI" else "at every own move"
        count = len(self.specialists)
        each = f"each a {self.member}" if self.specialist is None else f"a {self.member} and each a {self.specialist}"
        text = (
            f"a team of a generalist and {count} specialist{'' if count == 1 else 's'}, {each}; "
            f"with at most {self.pieces} pieces a Kohonen map of {self.rows * self.columns} units, {shape}, "
            f"on {len(self.attributes)} {self.attribute_values} attributes, chooses the network {asked} "
            f"({self.dynamics})"
        )
        return f"{text}; {self.acceptance_text()}" if self.tests else text

    def acceptance_text(self) -> str:
        """How many specialists were accepted, and by how much they are better, in a few words."""
        text = f"{len(self.specialists)} of {len(self.tests)} specialists accepted"
        if self.check is None or not self.specialists:
            return text
        return f"{text}; with them {self.check} against the generalist on further boards of their units"


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
        mask = sum(1 << index for index, name in enumerate(TERMS) if name in self.terms)
        return _draughts.Evaluator.polynomial(self.network(theta), terms=mask)

    def network(self, theta: Theta | None) -> Network:
        """The network alone: its inputs are the values of the terms, in the table's order."""
        for name in self.terms:
            if name not in TERMS:
                raise ValueError(f"there is no term '{name}'")
        chosen = len(set(self.terms))
        return _network(self.layers, theta, chosen, f"{chosen} terms")

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

    The first layer sees the board from both sides, with the same weights. The weights are real numbers;
    core/evaluation/phase_network.hpp has their order and how they are rounded.
    """

    game: ClassVar[None] = None  # any

    width: PhaseWidth = 64  # nodes of the first layer

    def build(self, core: Core, theta: Theta | None) -> CoreEvaluator:
        """The core's evaluator."""
        if theta is None:
            raise ValueError("a network needs its weights")
        return core.Evaluator.phases(theta, width=self.width)

    def __str__(self) -> str:
        return f"network with a sparse first layer of {self.width} nodes a side, and 16-1 for each phase of the game"


Evaluator = (
    Material
    | BoardNetwork
    | FeatureNetwork
    | MultiPhase
    | CellNetwork
    | Polynomial
    | PatternNetwork
    | PhaseNetwork
    | Function
)


def fits(evaluator: Evaluator, game: str) -> bool:
    """Whether the evaluator can value positions of this game."""
    return evaluator.game in (None, game)


def activation(evaluator: Evaluator | None) -> str | None:
    """The activation of the nodes of its network, or all of them if layers differ; None without layers."""
    network = evaluator.member if isinstance(evaluator, MultiPhase) else evaluator
    if isinstance(network, Material | PhaseNetwork | Function | None):
        return None
    return ", ".join(dict.fromkeys(layer.activation for layer in network.layers))


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
