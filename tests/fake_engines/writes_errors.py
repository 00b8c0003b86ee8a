"""Writes more to its standard error than a pipe holds before it moves."""

import sys

from talk import first_move, say, speak_hub


def go(position, number):
    sys.stderr.write("thinking...\n" * 100_000)
    say(f"done move={first_move(position)}")


speak_hub(go)
