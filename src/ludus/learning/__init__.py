"""Learners: what makes players better.

A learner is a frozen config with a method `learn`, a generator of Progress. It never prints, never saves and never
reads a clock: the caller records, keeps and shows what it yields.

    >>> from ludus.learning.td import Td
    >>> from ludus.workers import Workers
    >>> *_, last = Td(games=100, test_every=100, test_games=10).learn(None, Workers())
    >>> last.player.game
    'tictactoe3d'

`Options` is the type of the values of a learner's fields by name, and `Record` that of a line of a run's record.

    >>> from ludus.learning import Options, Record
    >>> options: Options = {"games": 200, "test_every": 100, "test_games": 10}
    >>> *_, last = Td(**options).learn(None, Workers())
    >>> record: Record = last.line
    >>> record["games"]
    200
"""

from ludus.learning.learner import (
    AdaptingLearner,
    FolderLearner,
    Learner,
    Options,
    Progress,
    Record,
    State,
    length_field,
)

__all__ = [
    "AdaptingLearner",
    "FolderLearner",
    "Learner",
    "Options",
    "Progress",
    "Record",
    "State",
    "length_field",
]
