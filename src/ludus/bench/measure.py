"""A measurement: a speed or a time beside that of a reference, and how it is taken."""

import time
from collections.abc import Callable
from dataclasses import dataclass

Work = Callable[[], float]  # does some work and tells how much


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measured speed or time, and that of the reference measured beside it."""

    name: str
    value: float
    unit: str
    against: str | None = None
    reference: float | None = None
    is_time: bool = False  # of which less is better

    @property
    def ratio(self) -> float | None:
        """How many times the reference, or how many times as fast."""
        if self.reference is None:
            return None
        return self.reference / self.value if self.is_time else self.value / self.reference


def speeds(*works: Work, seconds: float = 1.0, clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """The work per second of each, in turns until each has had `seconds`; the best turn counts, as noise only slows."""
    best = [0.0] * len(works)
    spent = [0.0] * len(works)
    while min(spent) < seconds:
        for i, work in enumerate(works):
            begin = clock()
            done = work()
            took = clock() - begin
            spent[i] += took
            best[i] = max(best[i], done / took)
    return best


def measure(name: str, unit: str, ours: Work, against: str | None = None, theirs: Work | None = None) -> Measurement:
    """Measures `ours`, beside `theirs` where there is such a thing."""
    if theirs is None:
        return Measurement(name, speeds(ours)[0], unit)
    value, reference = speeds(ours, theirs)
    return Measurement(name, value, unit, against, reference)
