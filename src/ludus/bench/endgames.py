"""The speed of endgame tables: building them and asking them."""

import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ludus import endgames
from ludus._core.draughts import EndgameProber
from ludus.bench.measure import Measurement
from ludus.endgames import build as building
from ludus.games import draughts

_PROBES = 100_000  # in a turn: short, because other work on the machine disturbs few short turns


def build() -> Iterator[Measurement]:
    """Positions a second while the tables of up to 4 pieces are built, compressed and written, on two cores."""
    speeds = []
    for threads in (1, 2):
        best = 0.0
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder:
                plan = building.plan(4, Path(folder))
                begin = time.perf_counter()
                building.build(plan, threads, lambda _: None)
                best = max(best, plan.positions / (time.perf_counter() - begin))
        speeds.append(best)
    yield Measurement("endgame/build", speeds[1], "positions/s", "one core", speeds[0])
    yield Measurement("endgame/build/one-core", speeds[0], "positions/s")


def probe() -> Iterator[Measurement]:
    """Nanoseconds for the result of a position of 4 pieces, asked from the core as a search asks, in a warm cache."""
    chance = random.Random(1)
    # Many, because a processor learns the branches of a few by heart.
    everything = [_position(chance) for _ in range(_PROBES)]
    quiet = [position for position in everything if "x" not in str(next(iter(position.moves()), ""))]
    for name, positions in (("endgame/probe", everything), ("endgame/probe/no-capture", quiet)):
        prober = EndgameProber(endgames.load(4).core)
        prober.nanoseconds(positions, len(positions))  # fills the cache
        best = min(prober.nanoseconds(positions, _PROBES) for _ in range(50))
        yield Measurement(name, best, "ns", is_time=True)


def _position(chance: random.Random) -> draughts.Position:
    """A random position of 2 pieces against 2."""
    while True:
        squares = chance.sample(range(1, 33), 4)
        pieces = [f"{chance.choice(('', 'K'))}{square}" for square in squares]
        try:
            return draughts.Position(f"{chance.choice('BW')}:W{','.join(pieces[:2])}:B{','.join(pieces[2:])}")
        except ValueError:  # a man on the row where it is crowned
            continue
