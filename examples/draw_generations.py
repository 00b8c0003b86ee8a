"""Draw the ratings of the generations of a champion over processor time, from a ladder that they played.

ludus ladder RUN@0 RUN@1 RUN@2 material visiondraughts --budget nodes=2000 --game draughts --json >ladder.json
python examples/draw_generations.py RUN ladder.json FILE
"""

import re
import sys
from pathlib import Path

import msgspec

from ludus.files import write_atomically
from ludus.reports import folder
from ludus.reports.champion import minutes_of
from ludus.reports.charts import Reference, Series
from ludus.reports.figures import LineChart
from ludus.runs.folder import BadRun

if len(sys.argv) != 4:
    sys.exit("say which run, ladder and picture: python examples/draw_generations.py RUN LADDER FILE")
try:
    run = folder.read(Path(sys.argv[1]))
    (ladder,) = msgspec.json.decode(Path(sys.argv[2]).read_bytes())["ladders"]
except OSError as error:
    sys.exit(f"{sys.argv[2]} cannot be read: {error.strerror}")
except BadRun as error:
    sys.exit(str(error))
except (ValueError, TypeError, KeyError):
    sys.exit(f"{sys.argv[2]} is not what ludus ladder --json prints")
if run.kind != "champion":
    sys.exit(f"{run.path} is a run of {run.kind}, not of champion")
minutes = dict(enumerate(minutes_of(run.progress, run.times, "cpu")))
points: list[tuple[float, float, float, float]] = []
references: list[Reference] = []
for rating in ladder["ratings"]:
    generation = re.search(r"@(\d+)(?:@|$)", rating["player"])
    if generation:
        points.append((minutes[int(generation[1])], rating["elo"], *rating["elo_interval"]))
    else:
        references.append(Reference(rating["elo"], rating["player"].partition("@")[0]))
if not points:
    sys.exit(f"{sys.argv[2]} has no generations of a run: name them as RUN@0, RUN@1 and so on")
times, elos, low, high = zip(*sorted(points), strict=True)
chart = LineChart(
    [Series("generations", times, elos, ((low, high),))],
    title="Elo of each generation over minutes of one processor",
    x_title="minutes of processor time",
    y_title="Elo",
    references=references,
    error_bars=True,
)
write_atomically(Path(sys.argv[3]), chart.svg.encode())
