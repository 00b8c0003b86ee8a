"""Moves as people type them: with blanks, other dashes, or by their number in a list."""

import re

from ludus.games import Move, Position

_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_CROSSES = re.compile("[\u00d7\u2715\u2716XxхХ]")  # noqa: RUF001 (letters of other keyboards)
_BETWEEN = re.compile(r"(?<=\d)\s*(-|x|\s)\s*(?=\d)")
_QUOTED = re.compile("^'[^']*'")


def plain(typed: str) -> str:
    """The text with plain hyphens and crosses, and hyphens for blanks between numbers."""
    text = _CROSSES.sub("x", _DASHES.sub("-", typed.strip()))
    return _BETWEEN.sub(lambda found: found[1] if found[1] in "-x" else "-", text)


def move(position: Position, typed: str) -> Move:
    """The legal move that was typed, or the one of this number in the list. Raises IllegalMove or AmbiguousMove.

    The message has the text as it was typed.
    """
    moves = position.moves()
    if typed.isascii() and typed.isdigit() and len(typed) < 4 and 1 <= int(typed) <= len(moves):
        return moves[int(typed) - 1]
    return legal(position, typed)


def legal(position: Position, typed: str) -> Move:
    """The legal move that was typed. Raises IllegalMove or AmbiguousMove; the message has the text as it was typed."""
    text = plain(typed)
    try:
        return position.move(text)
    except ValueError as error:
        if text == typed and typed.isascii():
            raise
        shown = "".join(c if c.isprintable() else "?" for c in typed)
        shown = shown if len(shown) <= 60 else shown[:60] + "..."
        raise type(error)(_QUOTED.sub(lambda _: f"'{shown}'", str(error))) from error
