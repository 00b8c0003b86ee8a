"""The line protocol for Tic-Tac-Toe 3D: plays the first legal move; writes what it is told to the file named second."""

import sys
from pathlib import Path

from talk import say

from ludus.games.tictactoe3d import START, Position

position = START
with Path(sys.argv[2]).open("w", buffering=1) as told:
    for line in sys.stdin:
        told.write(line)
        word, _, rest = line.strip().partition(" ")
        if word == "fen":
            position = Position(rest)
        elif word == "moves":
            for move in rest.split():
                position = position.play(move)
        elif word == "go":
            say(f"bestmove {position.moves()[0]} value=0.5 depth=1")
        elif word == "quit":
            break
