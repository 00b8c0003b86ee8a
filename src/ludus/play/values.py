"""Values as people count them: in men at draughts, from -1 to 1 elsewhere, or the plies to a forced end."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ludus import games
from ludus.games import Color, Position, draughts
from ludus.games.core import Evaluator, Valued
from ludus.players import Player

MOST_MEN = 12.0  # a side has no more
SURE = 0.9999  # a value beyond it is a result that endgame tables know
STEEPNESS = 0.6  # of the chance, a man
DECIDED = 4.0  # men; who is so far ahead has won, so that more costs nothing


@dataclass(frozen=True)
class Scale:
    """Turns a player's values into men. `man` is the value of a man, as atanh(value); None: values stay as they are."""

    man: float | None = None

    @property
    def unit(self) -> str:
        """What the numbers count, for a heading."""
        return "value" if self.man is None else "men"

    def amount(self, value: float) -> float:
        """A value from -1 to 1 in men; the value itself where there is no such unit."""
        if self.man is None:
            return value
        men = math.atanh(max(-0.999999, min(0.999999, value))) / self.man
        return max(-MOST_MEN, min(MOST_MEN, men))

    def prospect(self, found: Valued) -> float:
        """The same of what a search found, where a game that is decided counts as won: for the costs of moves."""
        won = 1.0 if self.man is None else DECIDED
        amount = self.amount(found.value) if found.end_in is None else math.copysign(won, found.end_in)
        return max(-won, min(won, amount))

    def chance(self, found: Valued) -> float:
        """What a search found as a number from -1, lost, to 1, won: for bars and curves. A man is worth about 0.54."""
        if found.end_in is not None:
            return math.copysign(1.0, found.end_in)
        if self.man is None or abs(found.value) > SURE:
            return max(-1.0, min(1.0, found.value))
        return math.tanh(STEEPNESS * self.amount(found.value))

    def text(self, found: Valued) -> str:
        """What a search found: +0.35, win in 5, or won where endgame tables know no more than that."""
        if found.end_in is not None:
            return f"{'win' if found.end_in > 0 else 'loss'} in {abs(found.end_in)}"
        if self.man is not None and abs(found.value) > SURE:
            return "won" if found.value > 0 else "lost"
        return self.number(self.amount(found.value))

    def number(self, amount: float) -> str:
        """An amount with its sign; two decimals are more than the values are worth."""
        return f"{round(amount, 2) + 0.0:+.2f}"  # no -0.00


def scale_of(player: Player) -> Scale:
    """The scale of a player: a man is what it thinks of a man more at the start of a game, on average.

    Players without an evaluator have no such scale, nor have those that do not care for a man, nor other games.
    """
    game = games.find(player.game)
    if player.evaluator is None or game.material is None or not isinstance(game.start, draughts.Position):
        return Scale()
    evaluator: Evaluator = player.evaluator.build(game.core, player.theta)
    values = [sign * evaluator.value(position) for sign, position in _one_man_more()]
    mean = sum(math.atanh(max(-0.999, min(0.999, value))) for value in values) / len(values)
    return Scale(mean if mean > 0.001 else None)


def _one_man_more() -> Iterator[tuple[int, Position]]:
    """The start without one of the men, for both sides to move; and 1 if that helps the side that has just moved."""
    pieces = draughts.START.pieces()
    for missing, lost in pieces.items():
        kept = {side: [str(at) for at, piece in pieces.items() if piece == side and at != missing] for side in "wb"}
        for turn in (Color.BLACK, Color.WHITE):
            mark = "B" if turn == Color.BLACK else "W"
            helped = 1 if lost == mark.lower() else -1
            yield helped, draughts.Position(f"{mark}:W{','.join(kept['w'])}:B{','.join(kept['b'])}")
