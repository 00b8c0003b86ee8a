"""Draw the planes that a learning program sees of a position: python examples/draw_planes.py FILE [POSITION].

Without a position it draws the picture of docs/environments.md.
"""

import sys
from pathlib import Path

import numpy as np

from ludus.files import write_atomically
from ludus.games import draughts
from ludus.reports.planes import planes_picture

POSITION = "W:W22,27,30,31,K15:B1,3,12,13,K20"
CAPTIONS = ("own men", "own kings", "opponent's men", "opponent's kings", "quiet plies", "repetitions")

if len(sys.argv) < 2:
    sys.exit("say where to write the picture: python examples/draw_planes.py FILE [POSITION]")
try:
    position = draughts.Position(sys.argv[2] if len(sys.argv) > 2 else POSITION)
except ValueError as error:
    sys.exit(str(error))
history = draughts.History(position)
if len(sys.argv) == 2:  # four quiet plies, after which the position stands for the second time
    for move in ("15-18", "20-16", "18-15", "16-20"):
        history.play(move)
planes = np.empty((6, 8, 8), np.float32)
draughts.GAME.core.observe(history, planes, afterstate=False)
drawn = planes_picture(planes, CAPTIONS, columns=3, title=f"The six planes of {position.text}")
write_atomically(Path(sys.argv[1]), drawn.encode())
print(f"{sys.argv[1]}: {history!r}")
