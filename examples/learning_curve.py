"""The tests of a run of td as a curve in the terminal: python examples/learning_curve.py RUN."""

import sys
from pathlib import Path

from ludus.reports import folder, td

if len(sys.argv) != 2:
    sys.exit("say which run: python examples/learning_curve.py RUN")
run = folder.read(Path(sys.argv[1]))
if run.kind != "td":
    sys.exit(f"{run.path} is a run of {run.kind}, not of td")
shown = 0.0
print("games      score in the tests, a draw being half a win")
for line, score in zip(run.progress, td.scores(run.progress), strict=True):
    if line["games"] >= 1.3 * shown or line is run.progress[-1]:  # most of what is learned is learned early
        shown = line["games"]
        print(f"{shown:>9,}  {score:6.1%}  {'#' * round(60 * score)}")
