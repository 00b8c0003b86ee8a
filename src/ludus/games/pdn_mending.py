"""PDN as it is in the wild: what old files write against the standard and what is meant all the same.

Nothing is guessed: a move is mended only if one legal move fits, or if all that fit lead to the same position.

    >>> from ludus.games import pdn, pdn_mending
    >>> mends = []
    >>> games = list(pdn.read(["1. 11x15 *"], on_mended=mends.append))
    >>> mends == [pdn_mending.Mend(game=1, line=1, how=pdn_mending.QUIET_WITH_X)]
    True
    >>> pdn_mending.summary(mends, len(games))
    '1 of 1 game was mended: 1 time a quiet move written with x'

The other faults that are mended are `CAPTURE_WITH_HYPHEN`, `BLANKS`, `AFTER_RESULT` and `NO_TURN`.

    >>> pdn_mending.CAPTURE_WITH_HYPHEN, pdn_mending.BLANKS
    ('a capture written with -', 'blanks inside a move or a result')
    >>> pdn_mending.AFTER_RESULT, pdn_mending.NO_TURN
    ('text after the result', '? as the side to move')
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ludus._core.draughts import Move, Position
from ludus.counted import counted

__all__ = ["AFTER_RESULT", "BLANKS", "CAPTURE_WITH_HYPHEN", "NO_TURN", "QUIET_WITH_X", "Mend", "summary"]

QUIET_WITH_X = "a quiet move written with x"
CAPTURE_WITH_HYPHEN = "a capture written with -"
BLANKS = "blanks inside a move or a result"
AFTER_RESULT = "text after the result"
NO_TURN = "? as the side to move"


class Mend(NamedTuple):
    """Something that a reader has mended."""

    game: int  # counted from 1
    line: int
    how: str


def move(position: Position, text: str) -> tuple[Move, str] | None:
    """The legal move that a wrongly written one means, and what is wrong with it; None if that is not clear."""
    squares = [int(number) for number in re.split("[-xX:]", text) if len(number) <= 2]
    fitting = [each for each in position.moves() if _fits(each.squares, squares)]
    if not fitting or len({position.play(each).text for each in fitting}) > 1:
        return None
    return fitting[0], CAPTURE_WITH_HYPHEN if fitting[0].captured else QUIET_WITH_X


def _fits(visited: Iterable[int], written: list[int]) -> bool:
    """Whether a move from the first to the last written square passes the others in their order."""
    path = list(visited)
    if len(written) < 2 or (path[0], path[-1]) != (written[0], written[-1]):
        return False
    rest = iter(path[1:-1])
    return all(square in rest for square in written[1:-1])


def fen(text: str, first_move: str | None) -> str:
    """A position whose side to move is `?`, with the side that can play the first move; with Black if both can."""
    for side in ("B", "W"):
        named = side + text.strip().removeprefix("?")
        try:
            position = Position(named)
            if first_move is None:
                return named
            position.move(first_move)
            return named
        except ValueError:
            continue
    return "B" + text.strip().removeprefix("?")


def summary(mends: Iterable[Mend], games: int) -> str:
    """A sentence about what was mended in a file of so many games; empty if nothing was."""
    kinds: Counter[str] = Counter()
    mended = set()
    for each in mends:
        kinds[each.how] += 1
        mended.add(each.game)
    if not mended:
        return ""
    verb = "was" if len(mended) == 1 else "were"
    return f"{len(mended):,} of {counted(games, 'game')} {verb} mended: {listed(kinds)}"


def listed(kinds: Counter[str]) -> str:
    """What was mended and how often, the most frequent first."""
    return ", ".join(f"{counted(count, 'time')} {how}" for how, count in kinds.most_common())
