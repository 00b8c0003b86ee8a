"""The tests of a TD run as a curve in the terminal: python examples/learning_curve.py RUN."""

import sys
from pathlib import Path

from ludus.reports import folder, td

run = folder.read(Path(sys.argv[1]))
print("games      score in the tests, a draw being half a win")
for line, score in zip(run.progress, td.scores(run.progress), strict=True):
    print(f"{line['games']:>9,}  {score:6.1%}  {'#' * round(60 * score)}")
