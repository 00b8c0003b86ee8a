"""Evaluators described in words: what values positions, and on which inputs. The kind is the tag in a player's file."""

from typing import Any, Literal

from msgspec import Struct

from ludus import networks
from ludus._core import Derivative
from ludus._core import draughts as _draughts
from ludus._core import tictactoe3d as _tictactoe3d
from ludus.networks import Layer, Network, Theta

FEATURES = tuple(_draughts.feature_bits())  # the names of NET-FEATUREMAP's features, in order
FEATUREMAP12 = FEATURES[:12]
FEATUREMAP28 = FEATURES
TERMS = (*FEATURES, "CornerCredit", "TheMove")  # what Samuel's polynomial can be made of: his CORN and MOVE come last


class Material(Struct, frozen=True, tag="material", forbid_unknown_fields=True):
    """Counts pieces, or stones on open lines; it has no weights."""

    def build(self, core: Any, theta: Theta | None) -> Any:
        """The core's evaluator."""
        if theta is not None:
            raise ValueError("it has weights and no network")
        return core.Evaluator.material()

    def __str__(self) -> str:
        return "counts what is on the board"


class BoardNetwork(Struct, frozen=True, tag="board", kw_only=True, forbid_unknown_fields=True):
    """A network on the draughts board: squares32, or the sums of subsquares91."""

    layers: tuple[Layer, ...]
    encoder: Literal["squares32", "subsquares91"]
    king: float = 1.5  # the worth of a king where a man is 1
    piece_difference: bool = False  # added to the output node, past all layers

    def build(self, core: Any, theta: Theta | None) -> Any:
        """The core's evaluator."""
        network = _network(self.layers, theta, {"squares32": 32, "subsquares91": 91}[self.encoder], self.encoder)
        return core.Evaluator.board(network, king=self.king, difference=self.piece_difference)

    def pupil(self, core: Any, theta: Theta, derivative: Derivative) -> Any:
        """The same in training."""
        network = networks.build(self.layers, theta)
        return core.Pupil.board(network, king=self.king, difference=self.piece_difference, derivative=derivative)

    def __str__(self) -> str:
        difference = ", with the piece difference" if self.piece_difference else ""
        return f"{networks.shape(self.layers)} network on {self.encoder}{difference}; a king is worth {self.king:g} men"


class FeatureNetwork(Struct, frozen=True, tag="features", kw_only=True, forbid_unknown_fields=True):
    """A network on features of NET-FEATUREMAP, chosen by name."""

    layers: tuple[Layer, ...]
    features: tuple[str, ...]
    coding: Literal["clean", "faithful"] = "clean"

    def build(self, core: Any, theta: Theta | None) -> Any:
        """The core's evaluator."""
        for name in self.features:
            if name not in FEATURES:
                raise ValueError(f"there is no feature '{name}'")
        bits = _draughts.feature_bits()
        inputs = sum(bits[name] for name in set(self.features))
        network = _network(self.layers, theta, inputs, f"{len(set(self.features))} features")
        return core.Evaluator.features(network, chosen=self._mask(), faithful=self.coding == "faithful")

    def pupil(self, core: Any, theta: Theta, derivative: Derivative) -> Any:
        """The same in training."""
        network = networks.build(self.layers, theta)
        faithful = self.coding == "faithful"
        return core.Pupil.features(network, chosen=self._mask(), faithful=faithful, derivative=derivative)

    def _mask(self) -> int:
        return sum(1 << index for index, name in enumerate(FEATURES) if name in self.features)

    def __str__(self) -> str:
        named = {FEATUREMAP12: "featuremap12", FEATUREMAP28: "featuremap28"}
        inputs = named.get(self.features, ", ".join(self.features))
        return f"{networks.shape(self.layers)} network on {inputs}, {self.coding} coding"


class CellNetwork(Struct, frozen=True, tag="cells", kw_only=True, forbid_unknown_fields=True):
    """A network on the cells of Tic-Tac-Toe 3D: cells64."""

    layers: tuple[Layer, ...]

    def build(self, core: Any, theta: Theta | None) -> Any:
        """The core's evaluator."""
        return core.Evaluator.cells(_network(self.layers, theta, 64, "cells64"))

    def pupil(self, core: Any, theta: Theta, derivative: Derivative) -> Any:
        """The same in training."""
        return core.Pupil.cells(networks.build(self.layers, theta), derivative=derivative)

    def __str__(self) -> str:
        return f"{networks.shape(self.layers)} network on cells64"


class Polynomial(Struct, frozen=True, tag="polynomial", kw_only=True, forbid_unknown_fields=True):
    """Samuel's polynomial: terms chosen by name, each times its coefficient, through one node."""

    layers: tuple[Layer, ...]
    terms: tuple[str, ...]

    def build(self, core: Any, theta: Theta | None) -> Any:
        """The core's evaluator."""
        for name in self.terms:
            if name not in TERMS:
                raise ValueError(f"there is no term '{name}'")
        mask = sum(1 << index for index, name in enumerate(TERMS) if name in self.terms)
        chosen = len(set(self.terms))
        return core.Evaluator.polynomial(_network(self.layers, theta, chosen, f"{chosen} terms"), terms=mask)

    def __str__(self) -> str:
        return f"polynomial of {len(self.terms)} terms"


class PatternNetwork(Struct, frozen=True, tag="patterns", kw_only=True, forbid_unknown_fields=True):
    """A network on the patterns of the 76 lines of Tic-Tac-Toe 3D; the symmetric one values all images of a board alike."""

    layers: tuple[Layer, ...]
    symmetric: bool = False

    def build(self, core: Any, theta: Theta | None) -> Any:
        """The core's evaluator."""
        network = _network(self.layers, theta, _tictactoe3d.pattern_inputs(self.symmetric), "line patterns")
        return core.Evaluator.patterns(network, symmetric=self.symmetric)

    def pupil(self, core: Any, theta: Theta, derivative: Derivative) -> Any:
        """The same in training."""
        network = networks.build(self.layers, theta)
        return core.Pupil.patterns(network, symmetric=self.symmetric, derivative=derivative)

    def __str__(self) -> str:
        symmetric = ", shared over the 8 symmetries" if self.symmetric else ""
        return f"{networks.shape(self.layers)} network on line patterns{symmetric}"


Evaluator = Material | BoardNetwork | FeatureNetwork | CellNetwork | PatternNetwork | Polynomial

# The games each kind can value.
GAMES = {
    Material: ("draughts", "tictactoe3d"),
    BoardNetwork: ("draughts",),
    FeatureNetwork: ("draughts",),
    CellNetwork: ("tictactoe3d",),
    PatternNetwork: ("tictactoe3d",),
    Polynomial: ("draughts",),
}


def _network(layers: tuple[Layer, ...], theta: Theta | None, inputs: int, encoder: str) -> Network:
    if theta is None:
        raise ValueError("a network needs its weights")
    if not layers or layers[0].inputs != inputs:
        raise ValueError(f"a network on {encoder} has {inputs} inputs")
    return networks.build(layers, theta)
