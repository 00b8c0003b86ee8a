"""How long a run has taken, and how long it will still take, by its file of times."""

from collections.abc import Sequence

from ludus.learning import Record

_RECENT = 60.0  # seconds over which the speed is measured, at least, if the session is that long


def seconds_spent(times: Sequence[Record]) -> float:
    """The seconds of work in all sessions together."""
    return float(times[-1]["seconds"]) if times else 0.0


def seconds_left(times: Sequence[Record], total: int) -> float | None:
    """The seconds to the end at the speed of the last minute of this session; None if there is no speed yet."""
    session: list[Record] = [{"done": 0, "seconds": 0.0}]
    for line in times:
        if line.get("resumed"):
            session = []
        session.append(line)
    if len(session) < 2 or not total:
        return None
    last = session[-1]
    first = session[0]
    for line in session[:-1]:
        if last["seconds"] - line["seconds"] < _RECENT:
            break
        first = line
    done, seconds = last["done"] - first["done"], last["seconds"] - first["seconds"]
    if done <= 0 or seconds <= 0:
        return None
    return max(0.0, float((total - last["done"]) * seconds / done))
