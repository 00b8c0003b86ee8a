"""A ladder: every player plays every other, and one set of ratings fits all results.

Each pair of players has a match of its own in the ladder's folder, named after the digests of the players. When a
player is added, only its own matches are played.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import combinations
from pathlib import Path

import msgspec
from msgspec import Struct

from ludus.arena import matches
from ludus.arena.description import describe
from ludus.arena.endings import Endings, add_to
from ludus.arena.journal import Journal
from ludus.arena.matches import MatchConfig, Standing
from ludus.arena.ratings import Rating, rate
from ludus.arena.score import Score
from ludus.arena.task import Contestant, digest
from ludus.files import output_folder, remove_unfinished, write_atomically
from ludus.workers import Workers

CLAIM = "ladder.json"  # which ladder a folder holds
WRITTEN = ("ladder.txt", "ladder.svg", "ladder.html")


class Ladder(Struct, frozen=True, kw_only=True):
    """The players with their ratings, best first, and the score of each pair.

    Examples:
        >>> ladder = Ladder.of({("a", "b"): Score.pair(1, 1), ("b", "c"): Score.pair(1, 0.5)})
        >>> ladder.names, ladder.score("c", "b").points
        (('a', 'b', 'c'), 0.5)
    """

    ratings: tuple[Rating, ...]
    scores: dict[tuple[str, str], Score]  # of the first named
    endings: dict[str, Endings] = {}  # of each player, in all its games

    @staticmethod
    def of(scores: dict[tuple[str, str], Score], endings: dict[str, Endings] | None = None) -> "Ladder":
        """The ladder of these scores: the ratings that make all of them together likeliest."""
        return Ladder(ratings=tuple(rate(scores)), scores=scores, endings=endings or {})

    @staticmethod
    def of_matches(standings: dict[tuple[str, str], Standing]) -> "Ladder":
        """The ladder of these matches, each under the names of its players."""
        total: dict[str, Endings] = {}
        for pair, standing in standings.items():
            for name, found in zip(pair, standing.endings(), strict=True):
                add_to(total.setdefault(name, {}), found)
        return Ladder.of({pair: standing.score for pair, standing in standings.items()}, total)

    @property
    def names(self) -> tuple[str, ...]:
        """The players, best first."""
        return tuple(rating.name for rating in self.ratings)

    def score(self, one: str, other: str) -> Score:
        """The score of one player against another."""
        return self.scores[one, other] if (one, other) in self.scores else self.scores[other, one].reversed()


def play(
    players: list[Contestant],
    config: MatchConfig,
    workers: Workers,
    folder: Path | None,
    watch: Callable[[Iterator[Standing], int, str], Standing],
    *,
    keep: bool = True,
) -> Iterator[tuple[tuple[Contestant, Contestant], Standing]]:
    """Plays the matches that are missing. Yields each pair with the end of its match.

    `watch` follows a match: it is given its standings, the number of games and a title, and returns the last standing.
    Without a folder the games are only kept, in memory, if `keep` is true.
    """
    names = [player.name for player in players]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two players are called {name}: give them different names or budgets")
    pairs = list(combinations(sorted(players, key=digest), 2))  # in an order that a new player does not change
    for pair in pairs:
        matches.tasks(pair, config)  # raises for players that do not fit, before anything is played
    if folder is not None:
        _claim(folder, config, players[0].game)
    for one, other in pairs:
        keys = f"{digest(one)[:16]}-{digest(other)[:16]}"
        kept = folder and folder / "matches" / keys
        journal = Journal(kept, matches.fingerprint((one, other), config), keep=keep)
        with closing(journal):
            describe(kept, (one, other), config)
            standings = matches.play((one, other), config, workers, journal)
            yield (one, other), watch(standings, config.games, f"{one.name} against {other.name}")


def _claim(folder: Path, config: MatchConfig, game: str) -> None:
    """Writes which ladder the folder holds. Raises ValueError if it holds another."""
    path = folder / CLAIM
    output_folder(folder, "a ladder", (CLAIM,), WRITTEN)
    content = msgspec.json.encode({"game": game, "config": config.identity()})
    try:
        if not path.exists():
            write_atomically(path, content)
        elif path.read_bytes() != content:
            raise ValueError(f"{folder} holds another ladder: another game, other openings, rules or seed")
        remove_unfinished(folder, (CLAIM, *WRITTEN))
    except OSError as error:
        raise ValueError(f"the ladder cannot be kept in {folder}: {error.strerror}") from error
