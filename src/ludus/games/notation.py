"""A record as text in the notation of its game."""

from typing import Any

from ludus import games
from ludus.games import pdn
from ludus.games.record import Record


def write_record(record: Record[Any, Any]) -> str:
    """The game as text in its own notation: PDN, or a line for Tic-Tac-Toe 3D."""
    game = games.named(type(record.start).__module__.rpartition(".")[2])
    if game.__name__.endswith("draughts"):
        return pdn.write(record)
    line: str = game.write_game(Record(record.start, record.moves, record.outcome))
    return line + "\n"
