"""Player templates: what all players of a population share, which is everything but their weights."""

import re
from functools import partial
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ludus import games, players
from ludus._core import draughts as _draughts
from ludus._core import tictactoe3d as _tictactoe3d
from ludus.games import GameName
from ludus.players import Player, evaluators, networks
from ludus.players.evaluators import BoardNetwork, CellNetwork, FeatureNetwork
from ludus.players.networks import Layer, Network, Theta
from ludus.players.searches import AlphaBeta, Budget, Ept, Minimax, Search, Uct

# The inputs of a network. squares32 and cells64 are the boards; subsquares91 the sums over the 91 sub-squares;
# subsquares the nodes of Blondie24 (2001), one on the squares of each sub-square; lines four nodes on each line.
Inputs = Literal["squares32", "subsquares91", "subsquares", "featuremap12", "featuremap28", "cells64", "lines"]
SearchName = Literal["minimax", "alphabeta", "uct", "ept"]

EvolvableNetwork = BoardNetwork | FeatureNetwork | CellNetwork

_TABLE = 1  # megabytes of the transposition table: enough for training, and a whole population fits in memory


class PlayerTemplate(Struct, frozen=True, kw_only=True):
    """A game, a network without its weights, and a search."""

    game: GameName
    evaluator: EvolvableNetwork
    search: Search
    budget: Budget | None = None

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of the network."""
        return self.evaluator.layers

    def player(self, name: str, theta: Theta, king: float | None = None) -> Player:
        """The player with these weights, and with this value of a king where it evolves. Its table is small."""
        search = self.search
        if isinstance(search, AlphaBeta):
            search = msgspec.structs.replace(search, table_megabytes=_TABLE)
        return self._player(name, theta, king, search)

    def champion(self, name: str, theta: Theta, king: float | None = None) -> Player:
        """The same player with a table of the usual size, for larger budgets than in training."""
        return self._player(name, theta, king, self.search)

    def opponent(self, name: str) -> Player:
        """The player of this name; with the template's depth if it has no budget of its own. Its table is small.

        Raises BadPlayer.
        """
        player = players.find(name, self.game)
        if isinstance(player.search, AlphaBeta):
            small = msgspec.structs.replace(player.search, table_megabytes=_TABLE)
            player = msgspec.structs.replace(player, search=small)
            if player.budget is None and self.budget is not None and self.budget.depth is not None:
                player = player.with_budget(self.budget)
        return player

    def _player(self, name: str, theta: Theta, king: float | None, search: Search) -> Player:
        if isinstance(search, Uct):  # it uses no network
            return Player(name=name, game=self.game, search=search, budget=self.budget)
        evaluator = self.evaluator if king is None else msgspec.structs.replace(self.evaluator, king=king)
        return Player(name=name, game=self.game, search=search, evaluator=evaluator, budget=self.budget, theta=theta)

    def network(self, theta: Theta) -> Network:
        """The network with these weights."""
        return networks.build(self.layers, theta)

    def encode(self, afterstate: Any) -> tuple[NDArray[np.float32], float]:
        """The network's inputs, and what is added to its output node."""
        evaluator = self.evaluator
        if isinstance(evaluator, CellNetwork):
            return _tictactoe3d.encode_cells(afterstate), 0.0
        if isinstance(evaluator, FeatureNetwork):
            faithful = evaluator.coding == "faithful"
            inputs = _draughts.encode_features(afterstate, _mask(evaluator.features), faithful=faithful)
            return np.array(inputs, "f4"), 0.0
        encode = _draughts.encode_squares if evaluator.encoder == "squares32" else _draughts.encode_subsquares
        direct = _draughts.piece_difference(afterstate, evaluator.king) if evaluator.piece_difference else 0.0
        return encode(afterstate, evaluator.king), direct


def template(
    game: GameName,
    inputs: Inputs | None,
    hidden: str,
    piece_difference: bool | None,
    search: tuple[Search, Budget],
    *,
    activation: Literal["tanh", "logistic"] = "tanh",
) -> PlayerTemplate:
    """The template with these inputs, or with the usual ones of the game. Raises ValueError."""
    inputs = inputs or usual_inputs(game)
    evaluator = network(inputs, hidden, piece_difference=piece_difference, activation=activation)
    if evaluator.game != game:
        raise ValueError(f"the inputs {inputs} are those of {evaluator.game}, not of {game}")
    return PlayerTemplate(game=game, evaluator=evaluator, search=search[0], budget=search[1])


def usual_inputs(game: str) -> Inputs:
    """The inputs of a game's networks unless others are given. Raises ValueError when the game has none."""
    return msgspec.convert(games.find(game).usual_inputs, Inputs)  # type: ignore[no-any-return]


def network(
    inputs: Inputs,
    hidden: str,
    *,
    king: float = 1.5,
    piece_difference: bool | None = False,
    activation: Literal["tanh", "logistic"] = "tanh",
) -> EvolvableNetwork:
    """The evaluator on these inputs with hidden layers such as "40-10". Raises ValueError.

    A piece difference of None is one where the inputs are those of the draughts board.
    """
    if not re.fullmatch(r"\d{1,4}(-\d{1,4})*", hidden):
        raise ValueError(f"'{hidden}' are no hidden layers: write their sizes as 40-10")
    has_difference = inputs in ("squares32", "subsquares91", "subsquares")
    if piece_difference is None:
        piece_difference = has_difference
    sizes = tuple(int(size) for size in hidden.split("-") if size)
    dense = partial(networks.dense, activation=activation)
    first = partial(Layer, activation=activation)
    if piece_difference and not has_difference:
        raise ValueError(f"a network on {inputs} has no piece difference: leave it out")
    match inputs:
        case "squares32" | "subsquares91":
            layers = dense({"squares32": 32, "subsquares91": 91}[inputs], *sizes, 1)
            return BoardNetwork(layers=layers, encoder=inputs, king=king, piece_difference=piece_difference)
        case "subsquares":
            layers = (first(inputs=32, outputs=91, structure="subsquares"), *dense(91, *sizes, 1))
            return BoardNetwork(layers=layers, encoder="squares32", king=king, piece_difference=piece_difference)
        case "featuremap12" | "featuremap28":
            features = evaluators.FEATUREMAP12 if inputs == "featuremap12" else evaluators.FEATUREMAP28
            bits = _draughts.feature_bits()
            return FeatureNetwork(layers=dense(sum(bits[name] for name in features), *sizes, 1), features=features)
        case "cells64":
            return CellNetwork(layers=dense(64, *sizes, 1))
        case "lines":
            return CellNetwork(layers=(first(inputs=64, outputs=304, structure="lines"), *dense(304, *sizes, 1)))


def search(
    name: SearchName, depth: int, playouts: int, playout_plies: int, *, skewed: bool = False, by_value: bool = False
) -> tuple[Search, Budget]:
    """The search of this name and its budget: a depth, or a number of play-outs, which ept cuts off.

    `skewed` and `by_value` are those of uct and ept.
    """
    match name:
        case "minimax":
            return Minimax(), Budget(depth=depth)
        case "alphabeta":
            return AlphaBeta(), Budget(depth=depth)
        case "uct":
            return Uct(skewed=skewed, by_value=by_value), Budget(playouts=playouts)
        case "ept":
            return Ept(plies=playout_plies, skewed=skewed, by_value=by_value), Budget(playouts=playouts)


def _mask(features: tuple[str, ...]) -> int:
    return sum(1 << index for index, name in enumerate(evaluators.FEATURES) if name in features)
