"""What endgame tables say of a position, as text."""

from collections.abc import Iterator
from typing import Any

from ludus.endgames.files import BadTable
from ludus.endgames.tables import Tables, Verdict, covering
from ludus.games import Position, draughts


def verdict_line(position: Position) -> str | None:
    """One line: the verdict, or that a table is broken. None if no table has the position or the game is over."""
    if not isinstance(position, draughts.Position) or position.outcome():
        return None
    try:
        tables = covering(position)
        verdict = None if tables is None else tables.verdict(position)
    except BadTable as error:
        return f"table: {error}"
    return None if verdict is None else f"table: {position.turn} to move: {verdict}"


def lines(tables: Tables, position: draughts.Position) -> Iterator[str]:
    """The verdict, that of every move, and the best line. Nothing if the tables do not have the position."""
    verdict = tables.verdict(position)
    if verdict is None:
        return
    yield f"{position.turn} to move: {verdict}"
    for move, after in tables.moves(position):
        yield f"  {position.write(move):<12} {after}"
    words, now = [], position
    for move in tables.line(position):
        words.append(now.write(move))
        now = now.play(move)
    if words:
        yield f"line: {' '.join(words)}"


def verdict_data(position: Position) -> dict[str, Any] | None:
    """The verdict as JSON values; None where `verdict_line` has none, or a table is broken."""
    if not isinstance(position, draughts.Position) or position.outcome():
        return None
    try:
        tables = covering(position)
        return None if tables is None else _verdict_data(tables.verdict(position))
    except BadTable:
        return None


def _verdict_data(verdict: Verdict | None) -> dict[str, Any] | None:
    return None if verdict is None else {"result": verdict.result.name.lower(), "plies": verdict.distance}


def data(tables: Tables, position: draughts.Position) -> dict[str, Any]:
    """The same as `lines` as JSON values, of a position that the tables have."""
    line, now = [], position
    for move in tables.line(position):
        line.append(now.write(move))
        now = now.play(move)
    return {
        "position": position.text,
        "turn": str(position.turn).lower(),
        **(_verdict_data(tables.verdict(position)) or {}),
        "moves": [
            {"move": position.write(move), **(_verdict_data(after) or {})} for move, after in tables.moves(position)
        ],
        "line": line,
        "pieces": tables.pieces,
        "tables": tables.digest,
    }


def table_lines(position: Position) -> list[str]:
    """The same from the tables that are there; one line that says why if there is nothing to say."""
    if not isinstance(position, draughts.Position):
        return ["there are endgame tables of draughts only"]
    try:
        tables = covering(position)
        found = [] if tables is None else list(lines(tables, position))
    except BadTable as error:
        return [str(error)]
    return found or [f"no endgame table here has a position of {len(position.pieces())} pieces"]
