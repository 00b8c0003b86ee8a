"""The order in which slices are built, and what must be in memory for each."""

import functools

from ludus._core.draughts import endgame_positions, endgame_size, endgame_slices
from ludus.endgames.files import Slice

Pair = tuple[Slice, ...]  # a slice and its mirror; one slice if they are the same

_KEPT = 256 << 20  # bytes of slices of one number of pieces that are kept without need


def mirrored(name: Slice) -> Slice:
    """The slice in which the other side is to move."""
    return name[2], name[3], name[0], name[1]


def pairs(pieces: int) -> list[Pair]:
    """All pairs, in the order in which they are built.

    A crowning keeps the number of pieces of each side. So pairs with the same numbers come together, those with fewer
    men first, and what a pair needs was built shortly before it.
    """
    first = {max(name, mirrored(name), key=_place) for name in endgame_slices(pieces)}
    return [tuple(dict.fromkeys((name, mirrored(name)))) for name in sorted(first, key=_place)]


def _place(name: Slice) -> tuple[int, int, int]:
    return name[0] + name[1], name[0], name[2]


def after_captures(name: Slice) -> set[Slice]:
    """The slices to which captures lead."""
    own_men, own_kings, other_men, other_kings = name
    return {
        (men, kings, own_men - crowned, own_kings + crowned)
        for men in range(other_men + 1)
        for kings in range(other_kings + 1)
        for crowned in range(min(1, own_men) + 1)
        if 0 < men + kings < other_men + other_kings
    }


def after_crowning(name: Slice) -> set[Slice]:
    """The slice to which crowning a man without a capture leads; none without men."""
    own_men, own_kings, other_men, other_kings = name
    return {(other_men, other_kings, own_men - 1, own_kings + 1)} if own_men else set()


def crowned(pair: Pair) -> set[Slice]:
    """The slices of as many pieces that must be in memory to build a pair."""
    return set().union(*map(after_crowning, pair))


def positions(pieces: int) -> int:
    """The number of positions with so many pieces."""
    return sum(map(endgame_positions, endgame_slices(pieces)))


def size(names: set[Slice] | Pair | list[Slice]) -> int:
    """The bytes that slices take in memory."""
    return sum(map(endgame_size, names))


@functools.cache
def memory(pieces: int) -> int:
    """The most bytes that slices of so many pieces take while they are built; those of fewer pieces come on top."""
    least = max(size(pair) + size(crowned(pair)) for pair in pairs(pieces))
    return max(least, min(_KEPT, size(endgame_slices(pieces))))
