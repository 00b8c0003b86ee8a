"""The games, and the words they share."""

from ludus._core import AmbiguousMove, BadPosition, Color, DrawRules, IllegalMove, Outcome, Reason

__all__ = ["AmbiguousMove", "BadPosition", "Color", "DrawRules", "IllegalMove", "Outcome", "Reason"]

for _public in (AmbiguousMove, BadPosition, Color, DrawRules, IllegalMove, Outcome, Reason):
    _public.__module__ = __name__  # what people see in messages is where they import from
