"""The arena: matches between players, their scores with intervals, ratings and ladders.

    >>> from ludus import arena
    >>> arena.match("material@depth=3", "random", games=4, game="draughts").score.games
    4

`ludus.arena.matches` plays a match game by game. A `Contestant` is a Player or an EnginePlayer.

    >>> from ludus import players
    >>> isinstance(players.find("random", "draughts"), arena.Contestant)
    True
"""

from ludus.arena.journal import BadJournal, Journal
from ludus.arena.ladder import Ladder
from ludus.arena.matches import MatchConfig, Standing
from ludus.arena.ratings import Rating, rate
from ludus.arena.score import Interval, Score, elo_difference, expected_score
from ludus.arena.sprt import Sprt, Verdict
from ludus.arena.task import Contestant, EnginePlayer, Rules
from ludus.arena.whole_match import MatchResult, match

__all__ = [
    "BadJournal",
    "Contestant",
    "EnginePlayer",
    "Interval",
    "Journal",
    "Ladder",
    "MatchConfig",
    "MatchResult",
    "Rating",
    "Rules",
    "Score",
    "Sprt",
    "Standing",
    "Verdict",
    "elo_difference",
    "expected_score",
    "match",
    "rate",
]
