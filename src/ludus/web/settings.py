"""What the server was started with."""

import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

GAMES = "games"  # the folder of saved games, in the folder of runs
PAGE = Path(__file__).parent / "page"  # the built page


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the server was started with. A server that other machines reach has a password."""

    runs: Path = Path("runs")
    password: str | None = None
    allow_training: bool = True
    hosts: frozenset[str] = frozenset()  # names in addresses besides those of loopback
    any_address: bool = False  # addresses in numbers are accepted: the server is not for loopback only
    page: Path = field(default_factory=lambda: PAGE)
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)  # searches of a kind that run at the same time
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))  # new at each start

    @property
    def games(self) -> Path:
        """Where games are saved."""
        return self.runs / GAMES
