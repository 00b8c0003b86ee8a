"""Begins a line that has no end."""

import sys

from talk import speak_hub


def go(position, number):
    while True:
        sys.stdout.write("info " * 10_000)


speak_hub(go)
