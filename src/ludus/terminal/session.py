"""A session at the terminal: the console, what a saved game says of it, and how it is left."""

import contextlib
import io
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

from ludus import signals
from ludus.games import Color
from ludus.play import saving
from ludus.terminal.play import PERSON, TerminalGame


class Console:
    """Standard input and output. On a terminal there is line editing and history."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # bytes that are no text are an illegal move, not an error
        self.is_terminal = bool(sys.stdin and sys.stdin.isatty() and sys.stdout.isatty())
        if self.is_terminal:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 (input uses it)

    def ask(self, prompt: str) -> str | None:
        """A line of the input, None at its end."""
        try:
            return None if sys.stdin is None else input(prompt)
        except EOFError:
            return None

    def tell(self, text: str) -> None:
        """Shows text, at once."""
        print(text, flush=True)

    def progress(self, text: str) -> None:
        """Shows text in place of the last; none clears the line."""
        print(f"\r\x1b[K{text[:78]}", end="", flush=True)


def run(table: TerminalGame, console: Console) -> int:
    """Plays, and saves the game or offers to when it is left. Returns the status of the command."""
    status = 0
    try:
        table.play()
    except KeyboardInterrupt:
        console.tell("")
        status = signals.status()
    try:
        if table.save_to is None and not table.is_saved and table.outcome is None and console.is_terminal:
            _offer(table, console)
        else:
            table.leave()
    except KeyboardInterrupt:
        console.tell("\nThe game was not saved.")
    finally:
        table.close()
    if table.outcome is None and table.moves and (path := table.saved_in):
        console.tell(f"Go on with: ludus play --resume {path}")
    if not table.is_saved and table.save_to is not None:
        status = status or 2
    return status


def _offer(table: TerminalGame, console: Console) -> None:
    while not table.is_saved:
        name = console.ask(
            f"To go on later, name a file, as in game.{table.game.ending}; Enter leaves without saving> "
        )
        if not (name or "").strip():
            console.tell("The game was not saved.")
            return
        try:
            console.tell(table.save(Path((name or "").strip())))
        except saving.BadFile as error:
            console.tell(f"The game cannot be saved: {error}.")


def settings(
    opponent: str | None, level: int | None, budget: str | None, tags: Mapping[str, str]
) -> tuple[str | None, int | None, str | None]:
    """The opponent, its level and its budget: as given, or else as a saved game says."""
    if opponent is None:
        opponent = tags.get("Opponent")
        if level is None and budget is None:
            budget = tags.get("Budget")
            written = tags.get("Level", "")
            level = int(written) if budget is None and written in set("123456789") else None
    return opponent, level, budget


def seed_of(tags: Mapping[str, str]) -> int:
    """The seed of a saved game; without one a seed is drawn, short enough to be typed."""
    written = tags.get("Seed", "")
    known = written.isascii() and written.isdigit() and len(written) < 19
    return int(written) if known else secrets.randbelow(1_000_000)


def person_of(tags: Mapping[str, str]) -> Color | None:
    """The side of the person in a saved game, if it says so."""
    found = [side for side in (Color.BLACK, Color.WHITE) if tags.get(str(side)) == PERSON]
    return found[0] if len(found) == 1 else None
