"""Networks by name, of the papers and ours: an evaluator without weights, and the range its weights begin in."""

from collections.abc import Callable
from typing import NamedTuple

from ludus._core import draughts as _draughts
from ludus._core import tictactoe3d as _tictactoe3d
from ludus.players import networks
from ludus.players.evaluators import (
    FEATUREMAP12,
    FEATUREMAP28,
    BoardNetwork,
    CellNetwork,
    FeatureNetwork,
    PatternNetwork,
)
from ludus.players.networks import Layer

Trainable = BoardNetwork | FeatureNetwork | CellNetwork | PatternNetwork


class Architecture(NamedTuple):
    """A network that somebody has named."""

    game: str
    make: Callable[[bool], Trainable]  # with biases or without
    start: float  # weights begin uniform in [-start, start)


def _cells(*sizes: int, lines: bool = False) -> Callable[[bool], Trainable]:
    def make(bias: bool) -> Trainable:
        first, *rest = networks.dense(*sizes, activation="logistic", bias=bias)
        if lines:
            first = Layer(inputs=64, outputs=304, activation="logistic", bias=bias, structure="lines")
        return CellNetwork(layers=(first, *rest))

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


USUAL = {"draughts": "featuremap12", "tictactoe3d": "deep-structured"}  # when nobody says

ARCHITECTURES = {
    "small-structured": Architecture("tictactoe3d", _cells(64, 304, 1, lines=True), 0.5),
    "deep-structured": Architecture("tictactoe3d", _cells(64, 304, 32, 1, lines=True), 0.5),
    "small-unstructured": Architecture("tictactoe3d", _cells(64, 50, 1), 0.5),
    "deep-unstructured": Architecture("tictactoe3d", _cells(64, 95, 51, 1), 0.5),
    "wide-unstructured": Architecture("tictactoe3d", _cells(64, 169, 1), 0.5),
    "line-patterns": Architecture("tictactoe3d", _patterns(symmetric=False), 0.05),
    "symmetric-patterns": Architecture("tictactoe3d", _patterns(symmetric=True), 0.05),
    "squares32": Architecture(
        "draughts", lambda bias: BoardNetwork(layers=networks.dense(32, 40, 10, 1, bias=bias), encoder="squares32"), 0.2
    ),
    "subsquares91": Architecture(
        "draughts",
        lambda bias: BoardNetwork(layers=networks.dense(91, 40, 10, 1, bias=bias), encoder="subsquares91"),
        0.2,
    ),
    "featuremap12": Architecture("draughts", _features(FEATUREMAP12), 0.2),
    "featuremap28": Architecture("draughts", _features(FEATUREMAP28), 0.2),
}


def named(name: str, game: str) -> Architecture:
    """The network of this name for a game. Raises ValueError."""
    of_game = [known for known, architecture in ARCHITECTURES.items() if architecture.game == game]
    if name not in of_game:
        raise ValueError(f"{game} has no network {name}: there are {', '.join(of_game)}")
    return ARCHITECTURES[name]
