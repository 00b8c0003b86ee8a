"""What an evaluator's value is made of: what each feature, or each piece, adds to it.

A contribution is the value as it is minus the value without the thing: with the feature at 0, or with the piece taken
off the board. The contributions of a network do not add up to its value, because its layers are not linear.
"""

from typing import NamedTuple

import numpy as np

from ludus._core import draughts as _draughts
from ludus.games import History, draughts
from ludus.games.core import Evaluator as CoreEvaluator
from ludus.players.evaluators import FEATURES, TERMS, Evaluator, FeatureNetwork, MultiPhase, Polynomial
from ludus.players.networks import Network, Theta

# The features in a few words. "Own" is the side that has just moved.
WORDS = {
    "PieceAdvantage": "own lead in material: 2 a man, 3 a king",
    "PieceDisadvantage": "the opponent's lead in material: 2 a man, 3 a king",
    "PieceThreat": "pieces of the opponent that can jump now",
    "PieceTake": "own pieces that could jump",
    "Advancement": "own men on rows 5 and 6, less those on rows 3 and 4",
    "DoubleDiagonal": "own pieces on the diagonals of the double corners",
    "BackRowBridge": "own men hold the bridge of the back row, and the opponent has no king",
    "CentreControl": "own men in the centre",
    "XCentreControl": "squares of the centre that the opponent holds or can move to",
    "TotalMobility": "squares that the opponent can move to",
    "Exposure": "own pieces with empty squares on both sides along a diagonal",
    "KingCentreControl": "own kings in the centre",
    "DiagonalMoment": "how near own pieces are to the diagonals of the double corners",
    "Apex": "squares 7 and 26 are not the opponent's alone, or there is a king",
    "Cramp": "own pieces cramp the opponent's side",
    "DenialOfOccupancy": "squares where the opponent would lose the piece that moves there",
    "Dyke": "three own pieces in a row along a diagonal",
    "Exchange": "squares where a move of the opponent leads to an exchange",
    "Fork": "forks that the opponent has",
    "Gap": "empty squares between own pieces along a diagonal",
    "BackRowControl": "own pieces hold the bridge or the oreo, and the opponent has no king",
    "Hole": "empty squares with three own pieces around them",
    "UndeniedMobility": "squares where the opponent can move without loss",
    "Node": "own pieces with three empty squares around them",
    "TriangleOfOreo": "own pieces hold the oreo, and there is no own king",
    "Pole": "own men with empty squares all around",
    "Threat": "squares from which the opponent's moving piece could jump next",
    "Taken": "squares from which an own moving piece could jump next",
    "CornerCredit": "the opponent is behind and can move into a double corner",
    "TheMove": "the opposition, with equal material",
}


class Contribution(NamedTuple):
    """A thing on the board and what it adds to the value of the side that has just moved."""

    name: str
    amount: float  # of a feature its value; of a piece 1, or a king's worth to people, 1.5
    weight: float
    square: int | None = None


def speaking(evaluator: Evaluator, theta: Theta | None, history: History) -> tuple[Evaluator, Theta | None]:
    """The network of a team that values the last move of a game; any other evaluator itself."""
    if not isinstance(evaluator, MultiPhase):
        return evaluator, theta
    member = evaluator.choice(theta, history).member
    weights, _ = evaluator.parts(theta)
    return (evaluator.member if member == 0 else evaluator.specialist or evaluator.member), weights[member]


def of_features(evaluator: Evaluator, theta: Theta | None, afterstate: draughts.Position) -> list[Contribution] | None:
    """What each feature adds, in the order of the table; None for an evaluator that has no features."""
    values = _draughts.features(afterstate)
    groups: list[tuple[str, float, int]] = []  # name, value, inputs
    if isinstance(evaluator, FeatureNetwork):
        bits = _draughts.feature_bits()
        chosen = [name for name in FEATURES if name in evaluator.features]
        mask = sum(1 << FEATURES.index(name) for name in chosen)
        faithful = evaluator.coding == "faithful"
        inputs = np.array(_draughts.encode_features(afterstate, mask, faithful=faithful), np.float32)
        network: Network = evaluator.network(theta)
        groups = [(name, float(values[name]), bits[name]) for name in chosen]
    elif isinstance(evaluator, Polynomial):
        values = values | {
            "CornerCredit": int(_draughts.corner_credit(afterstate)),
            "TheMove": int(_draughts.the_move(afterstate)),
        }
        groups = [(name, float(values[name]), 1) for name in TERMS if name in evaluator.terms]
        inputs = np.array([value for _, value, _ in groups], np.float32)
        network = evaluator.network(theta)
    else:
        return None
    whole = network.value(inputs)
    found, first = [], 0
    for name, value, count in groups:
        without = inputs.copy()
        without[first : first + count] = 0
        found.append(Contribution(name, value, whole - network.value(without)))
        first += count
    return found


def of_pieces(evaluator: CoreEvaluator, afterstate: draughts.Position) -> list[Contribution]:
    """What each piece adds."""
    whole = evaluator.value(afterstate)
    pieces = afterstate.pieces()
    found = []
    for square, piece in sorted(pieces.items()):
        rest = {at: each for at, each in pieces.items() if at != square}
        weight = whole - evaluator.value(_position(rest, afterstate.text[0]))
        side = "White" if piece in "wW" else "Black"
        kind = "king" if piece.isupper() else "man"
        found.append(Contribution(f"{side} {kind} on {square}", 1.5 if piece.isupper() else 1.0, weight, square))
    return found


def passed(position: draughts.Position) -> draughts.Position:
    """The same board with the other side to move."""
    return _position(position.pieces(), "B" if position.text[0] == "W" else "W")


def _position(pieces: dict[int, str], turn: str) -> draughts.Position:
    sides = {
        side: ",".join(
            f"{'K' if piece.isupper() else ''}{at}" for at, piece in sorted(pieces.items()) if piece.lower() == side
        )
        for side in "wb"
    }
    return draughts.Position(f"{turn}:W{sides['w']}:B{sides['b']}")
