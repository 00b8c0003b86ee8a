"""The arena: matches between players, their scores with intervals, ratings and ladders.

    >>> from ludus import players
    >>> from ludus.arena import Journal, MatchConfig, match
    >>> from ludus.workers import Workers
    >>> two = (players.find("material@depth=3"), players.find("random"))
    >>> config = MatchConfig(games=4)
    >>> *_, last = match.play(two, config, Workers(), Journal(None, match.fingerprint(two, config)))
    >>> last.score.games
    4

A `Contestant` is a Player or an EnginePlayer.
"""

from ludus.arena.journal import BadJournal, Journal
from ludus.arena.ladder import Ladder
from ludus.arena.match import MatchConfig, Standing
from ludus.arena.ratings import Rating, rate
from ludus.arena.score import Interval, Score, elo_difference, expected_score
from ludus.arena.sprt import Sprt, Verdict
from ludus.arena.task import Contestant, EnginePlayer, Rules

__all__ = [
    "BadJournal",
    "Contestant",
    "EnginePlayer",
    "Interval",
    "Journal",
    "Ladder",
    "MatchConfig",
    "Rating",
    "Rules",
    "Score",
    "Sprt",
    "Standing",
    "Verdict",
    "elo_difference",
    "expected_score",
    "rate",
]
