"""How a player chooses its move against a person: carelessly at low levels, and not the same game twice."""

import random
from collections.abc import Callable
from typing import NamedTuple

from ludus.games import History, Move
from ludus.games.core import Analysis
from ludus.play.levels import Level
from ludus.play.values import Scale
from ludus.players import Player
from ludus.players.searches import AlphaBeta, Greedy, Minimax, Pvs

VARIED_PLIES = 12  # of a game, in which equally good moves are drawn by lot
VARIED_MEN = 0.25  # what a move may be worse by and still count as equally good
VARIED_VALUE = 0.03  # the same in games without men

# Searches; the argument says whether the value of every move is needed. What the search found, and its last iteration
# that was not cut short.
Think = Callable[[bool], tuple[Analysis, Analysis]]


class Chosen(NamedTuple):
    """A move, and what the search found; None if the player moved without looking."""

    move: Move
    found: Analysis | None


def choose(player: Player, history: History, *, level: Level | None, scale: Scale, seed: int, think: Think) -> Chosen:
    """The player's move. At low levels some are made at random; early in a game equally good ones are drawn by lot."""
    lot = random.Random(f"{seed} {history.plies}")
    legal = history.position.moves()
    if level is not None and len(legal) > 1 and lot.random() < level.careless:
        return Chosen(lot.choice(legal), None)
    varied = history.plies < VARIED_PLIES and isinstance(player.search, AlphaBeta | Pvs | Greedy | Minimax)
    found, whole = think(varied)
    move = found.variation[0]
    if varied and found.end_in is None:
        move = lot.choice(_as_good(whole, move, scale))
    return Chosen(move, found)


def _as_good(found: Analysis, best: Move, scale: Scale) -> list[Move]:
    margin = VARIED_VALUE if scale.man is None else VARIED_MEN
    worth = {each.move: scale.amount(each.value) for each in found.moves if each.exact and each.end_in is None}
    top = worth.get(best)
    return [best] if top is None else [move for move, value in worth.items() if value >= top - margin]
