"""The line protocol; writes what it is told to the file named second."""

import sys
from pathlib import Path

from talk import say

from ludus.games.draughts import START

position = START
with Path(sys.argv[2]).open("w", buffering=1) as told:
    for line in sys.stdin:
        told.write(line)
        word, _, rest = line.strip().partition(" ")
        if word == "fen":
            position = type(position)(rest)
        elif word == "moves":
            for move in rest.split():
                position = position.play(move)
        elif word == "go":
            say("info thinking")
            say("hm")
            say(f"bestmove {position.moves()[0]} value=0.25 depth=7 nodes=1234 mood=good")
        elif word == "quit":
            break
