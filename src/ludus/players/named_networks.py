"""Networks by name, from the papers and our own: an evaluator without weights, and the range of its initial weights."""

import sys
from collections.abc import Callable
from typing import NamedTuple

from ludus import plugins
from ludus._core import draughts as _draughts
from ludus._core import tictactoe3d as _tictactoe3d
from ludus.games import GameName
from ludus.players import networks
from ludus.players.evaluators import (
    FEATUREMAP12,
    FEATUREMAP28,
    BoardNetwork,
    CellNetwork,
    FeatureNetwork,
    PatternNetwork,
)
from ludus.players.networks import Layer, Structure

GROUP = "ludus.networks"  # of the entry points of other packages

Trainable = BoardNetwork | FeatureNetwork | CellNetwork | PatternNetwork


class NamedNetwork(NamedTuple):
    """A network for a game, without its weights."""

    make: Callable[[bool], Trainable]  # with biases or without
    initial_range: float  # X: its initial weights are drawn uniformly from -X to X

    @property
    def game(self) -> GameName:
        """The game that it plays."""
        return self.make(True).game


def _cells(*sizes: int, lines: bool = False) -> Callable[[bool], Trainable]:
    def make(bias: bool) -> Trainable:
        first, *rest = networks.dense(*sizes, activation="logistic", bias=bias)
        if lines:
            first = Layer(inputs=64, outputs=304, activation="logistic", bias=bias, structure="lines")
        return CellNetwork(layers=(first, *rest))

    return make


def _structured(*upper: tuple[Structure, int]) -> Callable[[bool], Trainable]:
    """Lines, and above them structured layers of these kinds and sizes."""

    def make(bias: bool) -> Trainable:
        kinds: tuple[tuple[Structure, int], ...] = (("lines", 304), *upper, ("full", 1))
        layers, inputs = [], 64
        for structure, outputs in kinds:
            layers.append(Layer(inputs=inputs, outputs=outputs, activation="logistic", bias=bias, structure=structure))
            inputs = outputs
        return CellNetwork(layers=tuple(layers))

    return make


def _patterns(symmetric: bool) -> Callable[[bool], Trainable]:
    def make(bias: bool) -> Trainable:
        inputs = _tictactoe3d.pattern_inputs(symmetric)
        layers = networks.dense(inputs, 32, 1, activation="logistic", bias=bias)
        return PatternNetwork(layers=layers, symmetric=symmetric)

    return make


def _features(features: tuple[str, ...]) -> Callable[[bool], Trainable]:
    inputs = sum(_draughts.feature_bits()[name] for name in features)
    return lambda bias: FeatureNetwork(layers=networks.dense(inputs, 20, 1, bias=bias), features=features)


NAMED_NETWORKS: dict[str, NamedNetwork] = {
    "small-structured": NamedNetwork(_cells(64, 304, 1, lines=True), 0.5),
    "deep-structured": NamedNetwork(_cells(64, 304, 32, 1, lines=True), 0.5),
    "small-unstructured": NamedNetwork(_cells(64, 50, 1), 0.5),
    "deep-unstructured": NamedNetwork(_cells(64, 95, 51, 1), 0.5),
    "wide-unstructured": NamedNetwork(_cells(64, 169, 1), 0.5),
    "plane-structured": NamedNetwork(_structured(("planes", 144)), 0.5),
    "cell-structured": NamedNetwork(_structured(("crossings", 512)), 0.5),
    "cell-plane-structured": NamedNetwork(_structured(("crossings", 256), ("planes", 144)), 0.5),
    "line-patterns": NamedNetwork(_patterns(symmetric=False), 0.05),
    "symmetric-patterns": NamedNetwork(_patterns(symmetric=True), 0.05),
    "squares32": NamedNetwork(
        lambda bias: BoardNetwork(layers=networks.dense(32, 40, 10, 1, bias=bias), encoder="squares32"), 0.2
    ),
    "subsquares91": NamedNetwork(
        lambda bias: BoardNetwork(layers=networks.dense(91, 40, 10, 1, bias=bias), encoder="subsquares91"),
        0.2,
    ),
    "featuremap12": NamedNetwork(_features(FEATUREMAP12), 0.2),
    "featuremap28": NamedNetwork(_features(FEATUREMAP28), 0.2),
}


def find(name: str, game: str) -> NamedNetwork:
    """The network of this name for a game: one of ours, of an installed package, or of a module. Raises ValueError.

    It does not import a module, `module:network`: a name may come from a file.
    """
    found = NAMED_NETWORKS.get(name) or plugins.load(GROUP, name)
    module, _, attribute = name.partition(":")
    if found is None and attribute and module in sys.modules:
        found = plugins.attribute(sys.modules[module], attribute)
    if found is not None and not isinstance(found, NamedNetwork):
        raise ValueError(f"{name} is no network: it is not a NamedNetwork")
    if found is None or found.game != game:
        raise ValueError(f"{game} has no network {name}: there are {', '.join(names(game))}")
    return found


def names(game: str | None = None) -> list[str]:
    """The names of the networks of a game, or of all games: ours, and those that installed packages offer."""
    ours = [name for name, network in NAMED_NETWORKS.items() if game in (None, network.game)]
    theirs = [name for name in plugins.names(GROUP) if name not in NAMED_NETWORKS]
    return ours + [name for name in theirs if game in (None, plugins.load(GROUP, name).game)]
