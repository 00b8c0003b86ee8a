"""Counts in sentences."""


def counted(count: int, noun: str) -> str:
    """The count and the noun: `counted(1, "game")` is `1 game`, `counted(2000, "game")` is `2,000 games`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
