"""Learners: what makes players better.

A learner is a frozen config with a method `learn`, a generator of Progress. It never prints, never saves and never
reads a clock: the caller records, keeps and shows what it yields.
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
