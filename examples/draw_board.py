"""Draw the board after the moves of a game, with the last move marked: python examples/draw_board.py FILE [MOVE...].

Without moves it draws the board of the README, from a game of the material player against visiondraughts.
"""

import sys
from pathlib import Path

from ludus.files import write_atomically
from ludus.games import draughts
from ludus.reports.boards import draughts_board

MOVES = "11-16 23-18 7-11 26-23 10-14 24-19 2-7 27-24 7-10 22-17 16-20 31-27 11-16 30-26 9-13 18x2 13x31"

if len(sys.argv) < 2:
    sys.exit("say where to write the picture: python examples/draw_board.py FILE [MOVE...]")
position, last_move = draughts.START, None
for text in sys.argv[2:] or MOVES.split():
    last_move = position.move(text)
    position = position.play(last_move)
write_atomically(Path(sys.argv[1]), draughts_board(position, last_move=last_move).encode())
print(f"{sys.argv[1]}: {position.text}")
