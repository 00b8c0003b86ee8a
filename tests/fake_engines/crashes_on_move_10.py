"""Plays nine moves and dies."""

import sys

from talk import first_move, say, speak_hub


def go(position, number):
    if number == 10:
        print("first\nout of ideas", file=sys.stderr)
        sys.exit(3)
    say(f"done move={first_move(position)}")


speak_hub(go)
