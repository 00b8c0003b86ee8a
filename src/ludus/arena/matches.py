"""A match: two players, openings, both colours; a score with its interval, and all the games.

The games come in pairs, one opening with both colours: game 2i has the first player on the side that moves first.
Only whole pairs count, in their order, so the result does not depend on which game was finished first.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast, overload

import msgspec
from msgspec import UNSET, Struct

from ludus import games
from ludus.arena import endings, openings
from ludus.arena.endings import CheckedEndings, Endings
from ludus.arena.journal import Journal, in_order
from ludus.arena.play import play as play_task
from ludus.arena.record import PlayedGame
from ludus.arena.score import Score
from ludus.arena.sprt import Sprt, Verdict
from ludus.arena.task import Contestant, Rules, Task, digest, tables_used
from ludus.arena.totals import Totals
from ludus.endgames import load as load_tables
from ludus.games import Game
from ludus.players import BadPlayer
from ludus.workers import Workers

MOST_GAMES = 10**15  # they are played one after the other, so that this many fit in memory


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


class Games(Sequence[PlayedGame]):
    """The counted games of a match, in order. They are read from its journal whenever they are asked for."""

    def __init__(self, journal: Journal, count: int, check: Callable[[PlayedGame], PlayedGame]) -> None:
        self._journal = journal
        self._count = count
        self._check = check

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[PlayedGame]:
        return map(self._check, in_order(self._journal, self._count))

    @overload
    def __getitem__(self, index: int) -> PlayedGame: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[PlayedGame, ...]: ...
    def __getitem__(self, index: int | slice) -> PlayedGame | tuple[PlayedGame, ...]:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (tuple(other) if isinstance(other, Sequence) else other)

    __hash__ = None  # type: ignore[assignment]


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
    played: Sequence[PlayedGame]  # the games counted, in order
    sums: Totals | None = None  # of these games, if they are known already
    verdict: Verdict = Verdict.CONTINUE  # the SPRT's
    finished: bool = False

    def totals(self, game: Game) -> Totals:
        """What the counted games add up to."""
        return Totals.of(self.played, game) if self.sums is None else self.sums

    def endings(self) -> tuple[Endings, Endings]:
        """What happened to each player in the endings, the first player first."""
        if self.sums is not None:
            return self.sums.endings
        players: tuple[Endings, Endings] = ({}, {})
        for each in self.played:
            if isinstance(each.endings, CheckedEndings):
                for side, found in enumerate(each.endings.sides):
                    endings.add_to(players[(side + each.index) % 2], found)
        return players


class Tasks(Sequence[Task]):
    """The games of a match, each made when it is asked for: there may be very many."""

    def __init__(self, players: tuple[Contestant, Contestant], config: MatchConfig, thrown_wins: int) -> None:
        self._players = players, players[::-1]
        digests = (digest(players[0]), digest(players[1]))
        self._digests = digests, digests[::-1]
        self._config = config
        self._thrown_wins = thrown_wins
        self._opening = openings.dealer(config.openings, players[0].game, config.seed)

    def __len__(self) -> int:
        return self._config.games

    @overload
    def __getitem__(self, index: int) -> Task: ...
    @overload
    def __getitem__(self, index: slice) -> list[Task]: ...
    def __getitem__(self, index: int | slice) -> Task | list[Task]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        return Task(
            index=index,
            players=self._players[index % 2],
            digests=self._digests[index % 2],
            opening=tuple(str(move) for move in self._opening(index // 2)),
            rules=self._config.rules,
            seed=(self._config.seed * 1_000_003 + index) % 2**64,
            adjudicate=self._config.adjudicate,
            thrown_wins=self._thrown_wins,
        )


def tasks(players: tuple[Contestant, Contestant], config: MatchConfig) -> Tasks:
    """All games of the match. Raises ValueError when the players or the openings do not fit."""
    one, other = players
    if one.game != other.game:
        raise BadPlayer(f"{one.name} plays {one.game} and {other.name} plays {other.game}")
    if config.games < 2 or config.games % 2:
        raise ValueError(f"a match is played in pairs of games: {config.games} is not an even number of them")
    if config.games > MOST_GAMES:
        raise ValueError(f"a match has at most {MOST_GAMES:,} games")
    has_tables = games.find(one.game).has_endgames
    if config.adjudicate:
        if not has_tables:
            raise ValueError(f"there are no endgame tables of {one.game}: its games cannot be adjudicated")
        load_tables(config.adjudicate)  # raises if they are not there
    counted = config.thrown_wins if has_tables else 0
    if counted:
        load_tables(counted)
    return Tasks(players, config, counted)


def play(
    players: tuple[Contestant, Contestant], config: MatchConfig, workers: Workers, journal: Journal
) -> Iterator[Standing]:
    """Plays the games that the journal does not have. Yields the standing after every game; the last is finished."""
    planned = tasks(players, config)
    first = planned[0]
    counter = _Counter(config, journal, games.find(first.players[0].game), lambda played: _checked(played, first))
    for played in journal:
        counter.take(played)
    yield counter.standing()
    if counter.finished:
        return
    there = frozenset(counter.waiting)
    missing = (planned[index] for index in range(counter.counted, len(planned)) if index not in there)
    for _, played in workers.completed(play_task, missing):
        journal.add(played)
        counter.take(played)
        yield counter.standing()
        if counter.finished:
            return


def standing(played: Iterable[PlayedGame], config: MatchConfig) -> Standing:
    """The standing of a match after these games, in any order."""
    score, verdict, counted = Score(), Verdict.CONTINUE, list[PlayedGame]()
    ordered = in_order(played, config.games)
    for first in ordered:
        second = next(ordered, None)
        if second is None or verdict != Verdict.CONTINUE:
            break
        counted += [first, second]
        score += Score.pair(first.points, 1 - second.points)
        if config.sprt:
            verdict = config.sprt.verdict(score)
    finished = verdict != Verdict.CONTINUE or len(counted) == config.games
    return Standing(score=score, played=tuple(counted), verdict=verdict, finished=finished)


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

    def __init__(
        self, config: MatchConfig, journal: Journal, game: Game, check: Callable[[PlayedGame], PlayedGame]
    ) -> None:
        self.config = config
        self.journal = journal
        self.game = game
        self.check = check
        self.score = Score()
        self.totals = Totals()
        self.counted = 0  # games
        self.waiting: dict[int, PlayedGame] = {}  # for earlier ones, or for the other game of the pair
        self.verdict = Verdict.CONTINUE

    @property
    def finished(self) -> bool:
        return self.verdict != Verdict.CONTINUE or self.counted == self.config.games

    def take(self, played: PlayedGame) -> None:
        if self.finished or not self.counted <= played.index < self.config.games:
            return
        self.waiting[played.index] = played
        while not self.finished and self.counted in self.waiting and self.counted + 1 in self.waiting:
            first, second = (self.waiting.pop(self.counted + place) for place in (0, 1))
            self.score += Score.pair(first.points, 1 - second.points)
            for each in (first, second):
                self.totals.add(self.check(each), self.game)
            self.counted += 2
            if self.config.sprt:
                self.verdict = self.config.sprt.verdict(self.score)

    def standing(self) -> Standing:
        return Standing(
            score=self.score,
            played=Games(self.journal, self.counted, self.check),
            sums=self.totals.snapshot(),
            verdict=self.verdict,
            finished=self.finished,
        )


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
