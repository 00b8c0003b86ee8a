"""A match: two players, openings, both colours; a score with its interval, and all the games.

The games come in pairs, one opening with both colours: game 2i has the first player on the side that moves first.
Only whole pairs count, in their order, so the result does not depend on which game was finished first.
"""

from collections.abc import Iterable, Iterator
from typing import cast

import msgspec
from msgspec import UNSET, Struct

from ludus import games
from ludus.arena import endings, openings
from ludus.arena.endings import CheckedEndings, Endings
from ludus.arena.journal import Journal
from ludus.arena.play import play as play_task
from ludus.arena.record import PlayedGame
from ludus.arena.score import Score
from ludus.arena.sprt import Sprt, Verdict
from ludus.arena.task import Contestant, Rules, Task, digest, tables_used
from ludus.endgames import load as load_tables
from ludus.players import BadPlayer
from ludus.workers import Workers


class MatchConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many games are played, from which openings, under which rules.

    Examples:
        >>> MatchConfig(games=20, openings="random:4", seed=1).rules.repetitions
        3
    """

    games: int = 100
    openings: str = "ballots3"  # ballots3, ballots2, random:K or none
    seed: int = 0
    rules: Rules = Rules()
    sprt: Sprt | None = None  # stop when one of its hypotheses is accepted
    adjudicate: int = 0  # end games by the endgame tables of up to so many pieces; 0: play them out
    thrown_wins: int = 4  # count thrown wins by the tables of up to so many pieces; 0: do not count

    def identity(self) -> dict[str, object]:
        """What makes two matches of the same players the same; the rest may change when one is continued."""
        kept = msgspec.to_builtins(msgspec.structs.replace(self, games=2, sprt=None))
        del kept["thrown_wins"]
        kept["rules"] = self.rules.identity()
        if not self.adjudicate:
            del kept["adjudicate"]  # journals of games that are played out have always looked like this
        return cast("dict[str, object]", kept)


class Standing(Struct, frozen=True, kw_only=True):
    """A match so far, or at its end.

    Examples:
        >>> from ludus import players
        >>> two = (players.find("material@depth=2"), players.find("random"))
        >>> *_, last = play(two, MatchConfig(games=4), Workers(), Journal(None, {}))
        >>> last.finished, last.score.games
        (True, 4)
    """

    score: Score  # of the first player
    played: tuple[PlayedGame, ...]  # the games counted, in order
    verdict: Verdict = Verdict.CONTINUE  # the SPRT's
    finished: bool = False

    def endings(self) -> tuple[Endings, Endings]:
        """What happened to each player in the endings, the first player first."""
        players: tuple[Endings, Endings] = ({}, {})
        for each in self.played:
            if isinstance(each.endings, CheckedEndings):
                for side, found in enumerate(each.endings.sides):
                    endings.add_to(players[(side + each.index) % 2], found)
        return players


def tasks(players: tuple[Contestant, Contestant], config: MatchConfig) -> list[Task]:
    """All games of the match. Raises ValueError when the players or the openings do not fit."""
    one, other = players
    if one.game != other.game:
        raise BadPlayer(f"{one.name} plays {one.game} and {other.name} plays {other.game}")
    if config.games < 2 or config.games % 2:
        raise ValueError(f"a match is played in pairs of games: {config.games} is not an even number of them")
    has_tables = games.find(one.game).has_endgames
    if config.adjudicate:
        if not has_tables:
            raise ValueError(f"there are no endgame tables of {one.game}: its games cannot be adjudicated")
        load_tables(config.adjudicate)  # raises if they are not there
    counted = config.thrown_wins if has_tables else 0
    if counted:
        load_tables(counted)
    digests = (digest(one), digest(other))
    dealt = openings.named(config.openings, one.game, config.games // 2, config.seed)
    return [
        Task(
            index=index,
            players=players if index % 2 == 0 else (other, one),
            digests=digests if index % 2 == 0 else digests[::-1],
            opening=tuple(str(move) for move in dealt[index // 2]),
            rules=config.rules,
            seed=(config.seed * 1_000_003 + index) % 2**64,
            adjudicate=config.adjudicate,
            thrown_wins=counted,
        )
        for index in range(config.games)
    ]


def play(
    players: tuple[Contestant, Contestant], config: MatchConfig, workers: Workers, journal: Journal
) -> Iterator[Standing]:
    """Plays the games that the journal does not have. Yields the standing after every game; the last is finished."""
    planned = tasks(players, config)
    done = {played.index: _checked(played, planned[0]) for played in journal.played()}
    counter = _Counter(config)
    counter.take(done)
    yield counter.standing(finished=counter.finished)
    if counter.finished:
        return
    missing = [task for task in planned if task.index not in done]
    for _, played in workers.completed(play_task, missing):
        journal.add(played)
        done[played.index] = played
        counter.take(done)
        yield counter.standing(finished=counter.finished)
        if counter.finished:
            return


def standing(played: Iterable[PlayedGame], config: MatchConfig) -> Standing:
    """The standing of a match after these games, in any order."""
    counter = _Counter(config)
    counter.take({each.index: each for each in played})
    return counter.standing(finished=counter.finished)


def _checked(played: PlayedGame, task: Task) -> PlayedGame:
    """A game of the journal with its endings as they are counted now: it may have been played with another option."""
    there = played.endings.pieces if isinstance(played.endings, CheckedEndings) else 0
    if there == task.thrown_wins:
        return played
    if task.thrown_wins == 0:
        return msgspec.structs.replace(played, endings=UNSET)
    game = games.find(task.players[0].game)
    return played.checked(game, game.start, task.rules, load_tables(task.thrown_wins))


class _Counter:
    """Counts pairs in their order, as far as they are there without a gap, until the match is decided."""

    def __init__(self, config: MatchConfig) -> None:
        self.config = config
        self.score = Score()
        self.played: list[PlayedGame] = []
        self.verdict = Verdict.CONTINUE

    @property
    def finished(self) -> bool:
        return self.verdict != Verdict.CONTINUE or len(self.played) == self.config.games

    def take(self, done: dict[int, PlayedGame]) -> None:
        while not self.finished and len(self.played) in done and len(self.played) + 1 in done:
            first, second = done[len(self.played)], done[len(self.played) + 1]
            self.played += [first, second]
            self.score += Score.pair(first.points, 1 - second.points)
            if self.config.sprt:
                self.verdict = self.config.sprt.verdict(self.score)

    def standing(self, *, finished: bool) -> Standing:
        return Standing(score=self.score, played=tuple(self.played), verdict=self.verdict, finished=finished)


def fingerprint(players: tuple[Contestant, Contestant], config: MatchConfig) -> dict[str, object]:
    """What makes two matches the same match; the number of games and the SPRT may change when one is continued."""
    found: dict[str, object] = {"players": [digest(player) for player in players], "config": config.identity()}
    if used := tables_of(players, config):
        found["endgames"] = used
    return found


def tables_of(players: tuple[Contestant, Contestant], config: MatchConfig) -> dict[str, str]:
    """Which endgame tables decide games of the match: their digests by the number of pieces. Raises NoTable."""
    loaded = [tables_used(player) for player in players]
    loaded.append(load_tables(config.adjudicate) if config.adjudicate else None)
    found = {tables.pieces: tables.digest for tables in loaded if tables is not None}
    return {str(pieces): found[pieces] for pieces in sorted(found)}
