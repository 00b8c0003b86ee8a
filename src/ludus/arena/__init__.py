"""The arena: matches between players, their scores with intervals, ratings and ladders."""

from ludus.arena.whole_match import MatchResult, match

__all__ = ["MatchResult", "match"]
