"""The time of a move by a clock, for both protocols."""

SHORTEST = 0.001  # seconds for a move when no time is left
LONGEST_MOVE = 4  # times its share of the clock is the most that a move may take
RESERVE = 0.05  # seconds of the clock that are kept for the transport of the lines
MOVES_TO_GO = 30  # the clock is for this many moves unless the line says otherwise


def share(remaining: float, moves: int, increment: float) -> float:
    """The seconds for a move when the clock shows `remaining` for this and the next `moves - 1` moves.

    The increment of this move is on the clock already, as Hub has it; those of the later moves will come.
    """
    return max(SHORTEST, min((remaining + increment * (moves - 1)) / moves, remaining - RESERVE))


def most(remaining: float, moves: int, increment: float) -> float:
    """The most seconds that one move may take: a few times its share, and never more than half of the clock.

    The last move before the next time control may take all of it.
    """
    usual = share(remaining, moves, increment)
    return max(usual, min(LONGEST_MOVE * usual, remaining / 2))
