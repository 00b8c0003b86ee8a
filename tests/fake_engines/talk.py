"""What the fake engines share: they hold a lock as long as they live, say hello in Hub, and know the rules."""

import fcntl
import sys
from collections.abc import Callable
from pathlib import Path

from ludus.games.draughts import START, Position
from ludus.protocols import hub

# A shared lock on the file named first: who can have it alone knows that we are gone, and our children too.
lock = Path(sys.argv[1]).open()  # noqa: SIM115
fcntl.flock(lock, fcntl.LOCK_SH)


def say(line: str) -> None:
    print(line, flush=True)


def first_move(position: Position) -> str:
    return hub.write_move(position.moves()[0])


def speak_hub(go: Callable[[Position, int], None], *, heeds_quit: bool = True) -> None:
    """Speaks Hub; `go` is called with the position and the number of the move."""
    position, number = START, 0
    for text in sys.stdin:
        line = hub.read(text)
        match line.command:
            case "hub":
                say('id name="A fake"')
                say("wait")
            case "init":
                say("ready")
            case "pos":
                position = hub.read_position(line.arguments["pos"])
                for move in hub.read_moves(position, line.arguments.get("moves", "")):
                    position = position.play(move)
            case "go":
                number += 1
                go(position, number)
            case "quit" if heeds_quit:
                return
