"""How well a run does, in one sentence: by the last results of its record against players that do not change."""

import math
from collections.abc import Sequence
from typing import Any

from ludus import games
from ludus.arena.score import QUANTILE
from ludus.learning import Options, Record

_MOST = 3  # opponents that a sentence names


def verdict(kind: str, options: Options, record: Sequence[Record], note: str = "") -> str:
    """A sentence about the newest results, such as "stronger than random (96%)". The last note if there are none.

    Results of what a run did not keep are passed over. A player is stronger or weaker than another if the 95% interval
    of its score lies above or below one half.
    """
    for line in reversed(record):
        if not line.get("kept", True):
            continue
        if kind == "td" and "tests" in line:
            return _test(options, line, record)
        if results := line.get("end") or line.get("pool"):
            when = f"; generation {line['generation']}" if "generation" in line else ""
            return _matches(results) + when
    last = record[-1] if record else {}
    if "test_interval" in last:
        return f"{_compared(*last['test_interval'])} its clone ({last['test_score']:.0%}) in its last test"
    if isinstance(last.get("growth"), float):
        way = "above" if last["growth"] > 0 else "below" if last["growth"] < 0 else "level with"
        return (
            f"generation {last['generation']} is {way} its last champions: {last['growth']:+.2f} a game, from -1 to 1"
        )
    return note or "no result yet"


def _test(options: Options, line: Record, record: Sequence[Record]) -> str:
    opponent = options.get("test_against") or games.find(options["game"]).usual_opponent
    wins, draws, count = line["wins"], line["draws"], line["tests"]
    score = (wins + draws / 2) / count
    spread = QUANTILE * math.sqrt(max((wins + draws / 4) / count - score * score, 0.0) / count)
    best = max((each["wins"] + each["draws"] / 2) / each["tests"] for each in record if "tests" in each)
    word = _compared(score - spread, score + spread)
    return f"{word} {opponent}: scores {score:.1%} in its last test, {best:.1%} in its best"


def _matches(results: dict[str, Any]) -> str:
    """The opponents from the weakest to the strongest, as far as they fit in a sentence."""
    named = sorted(results.items(), key=lambda item: -item[1]["score"])
    shown = named if len(named) <= _MOST else [named[0], *named[-(_MOST - 1) :]]
    words = [f"{_compared(*found['interval'])} {name} ({found['score']:.0%})" for name, found in shown]
    return ", ".join(words)


def _compared(low: float, high: float) -> str:
    return "stronger than" if low > 0.5 else "weaker than" if high < 0.5 else "about as strong as"
