"""Writes bytes that are no text, some of them line ends."""

import random
import sys

from talk import speak_hub


def go(position, number):
    rng = random.Random(1)
    while True:
        sys.stdout.buffer.write(rng.randbytes(100_000))


speak_hub(go)
