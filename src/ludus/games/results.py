"""How a written game says that it ended: the winner, if there is one, and a word for the reason.

Where the rules end the game in the last position, the written result must agree with them. Elsewhere it is accepted.
"""

from ludus._core import Color, Outcome, Reason
from ludus.games.core import Position

SHOWN_BY_THE_BOARD = frozenset({Reason.NO_MOVES, Reason.FOUR_IN_LINE, Reason.FULL_BOARD})


class BadResult(ValueError):
    """A result that cannot be read, or that contradicts the game. The message has the reason."""


def written_outcome(winner: Color | None, word: str | None, last: Position) -> Outcome:
    """The outcome of a game that `winner` is said to have won (None: a draw), for the reason `word` if one was written.

    A game that the rules have ended in `last` has the rules' reason. Any other without a word was an adjudication.
    Raises BadResult when the board contradicts what was written.
    """
    if ended := last.outcome():
        if ended.winner != winner:
            raise BadResult(f"{_said(winner)}, but by the rules: {ended}")
        return ended
    if word is None:
        return Outcome(winner, Reason.ADJUDICATION)
    try:
        reason = Reason[word.upper()]
    except KeyError:
        known = ", ".join(r.name.lower() for r in Reason if r not in SHOWN_BY_THE_BOARD)
        raise BadResult(f"{word!r} is not a reason why a game ended; known: {known}") from None
    if reason in SHOWN_BY_THE_BOARD:
        raise BadResult(f"the reason is said to be {word!r}, but the last position does not show it")
    return Outcome(winner, reason)


def written_reason(outcome: Outcome, last: Position) -> str | None:
    """The word that `written_outcome` needs besides the winner, None where it needs none.

    Raises BadResult when no text could say this outcome of a game that ends in `last`.
    """
    needed = outcome.reason not in SHOWN_BY_THE_BOARD | {Reason.ADJUDICATION}
    text = outcome.reason.name.lower() if needed else None
    if written_outcome(outcome.winner, text, last) != outcome:
        raise BadResult(f"the outcome is {outcome.reason.name.lower()!r}, but the last position shows another")
    return text


def _said(winner: Color | None) -> str:
    return f"{winner} is said to have won" if winner is not None else "the game is said to be a draw"
