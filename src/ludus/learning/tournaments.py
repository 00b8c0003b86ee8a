"""Tournaments: the games of a generation, their points, and the games of its champion with earlier champions.

The members of a generation play each other, or a pool of other players, or both. All members play the pool from the
same openings and with the same random numbers, so that their points differ only by what they are.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ludus import games
from ludus.arena import openings
from ludus.arena.play import play as play_task
from ludus.arena.record import PlayedGame
from ludus.arena.task import Rules, Task, digest
from ludus.players import Player
from ludus.workers import Workers

# Who plays whom: random opponents; all against all; the Swiss system; the players 0 and 1, 2 and 3, ...; no games.
Pairing = Literal["random", "robin", "swiss", "twins", "none"]
Seats = tuple[int, int]  # the index of the player that moves first, and that of the other
Points = NDArray[np.float64]  # of each player

PREDECESSORS = 5  # earlier champions that a new one plays
GAMES_EACH = 6  # games with each of them; the new champion moves first in half of them


class Tournament(Struct, frozen=True, kw_only=True):
    """Which players play each other, from which openings, for which points."""

    pairing: Pairing
    rounds: int  # random: games in which each player moves first; robin, twins: pairs of games; swiss: rounds
    points: tuple[float, float, float]  # for a win, a draw and a loss
    openings: str
    rules: Rules
    pool_games: int = 0  # of each player with each player of the pool; an even number


class TournamentResult(Struct, frozen=True, kw_only=True):
    """The points and the games of a tournament."""

    points: tuple[float, ...]  # of each player
    played: tuple[PlayedGame, ...]

    @property
    def plies(self) -> float:
        """The mean length of a game."""
        return float(np.mean([played.moves.count(" ") + 1 for played in self.played]))


def play(
    tournament: Tournament,
    players: Sequence[Player],
    rng: np.random.Generator,
    workers: Workers,
    pool: Sequence[Player] = (),
) -> TournamentResult:
    """Plays all games; `players` play the pool as well. Those of a round run in parallel."""
    points = np.zeros(len(players))
    played: list[PlayedGame] = []
    digests = [digest(player) for player in players]
    met: set[frozenset[int]] = set()
    for _ in range(tournament.rounds if tournament.pairing == "swiss" else 1):
        seats = list(_seats(tournament, points, met, rng))
        drawn, seeds = _drawn(tournament, players[0].game, seats, rng)
        tasks = [
            _task(tournament, index, (players[a], players[b]), (digests[a], digests[b]), opening, seed)
            for index, ((a, b), opening, seed) in enumerate(zip(seats, drawn, seeds, strict=True))
        ]
        for (a, b), each in zip(seats, workers.map(play_task, tasks), strict=True):
            points[a] += _points(tournament, each, 0)
            points[b] += _points(tournament, each, 1)
            played.append(each)
    if pool and tournament.pool_games:
        tasks, own = _pool_tasks(tournament, players, pool, rng)
        for (player, side), each in zip(own, workers.map(play_task, tasks), strict=True):
            points[player] += _points(tournament, each, side)
            played.append(each)
    return TournamentResult(points=tuple(float(point) for point in points), played=tuple(played))


def _drawn(
    tournament: Tournament, game: str, seats: Sequence[Seats], rng: np.random.Generator
) -> tuple[list[openings.Opening], list[int]]:
    """The opening and the seed of each game of a round. Two players who meet play an opening with both colours."""
    if tournament.pairing == "twins":  # all pairs of players have the same games
        drawn = openings.named(tournament.openings, game, tournament.rounds, int(rng.integers(2**31)))
        seeds = rng.integers(2**63, size=2 * tournament.rounds)
        games = [index % (2 * tournament.rounds) for index in range(len(seats))]
        return [drawn[index // 2] for index in games], [int(seeds[index]) for index in games]
    per_opening = 1 if tournament.pairing == "random" else 2
    drawn = openings.named(tournament.openings, game, len(seats) // per_opening, int(rng.integers(2**31)))
    seeds = rng.integers(2**63, size=len(seats))
    return [drawn[index // per_opening] for index in range(len(seats))], [int(seed) for seed in seeds]


def _pool_tasks(
    tournament: Tournament, players: Sequence[Player], pool: Sequence[Player], rng: np.random.Generator
) -> tuple[list[Task], list[Seats]]:
    """The games of the players with the pool; for each the index of the player and its side."""
    digests, theirs = [digest(player) for player in players], [digest(other) for other in pool]
    drawn, seeds = [], []
    for _ in pool:
        drawn.append(
            openings.named(tournament.openings, players[0].game, tournament.pool_games // 2, int(rng.integers(2**31)))
        )
        seeds.append(rng.integers(2**63, size=tournament.pool_games))
    tasks: list[Task] = []
    own: list[Seats] = []
    for index, player in enumerate(players):
        for place, other in enumerate(pool):
            for number in range(tournament.pool_games):
                side = number % 2
                pair = (player, other) if side == 0 else (other, player)
                both = (digests[index], theirs[place]) if side == 0 else (theirs[place], digests[index])
                tasks.append(_task(tournament, len(tasks), pair, both, drawn[place][number // 2], seeds[place][number]))
                own.append((index, side))
    return tasks, own


def _points(tournament: Tournament, played: PlayedGame, side: int) -> float:
    win, draw, loss = tournament.points
    return draw if played.winner is None else win if played.winner == side else loss


def _seats(
    tournament: Tournament, points: Points, met: set[frozenset[int]], rng: np.random.Generator
) -> Iterator[Seats]:
    count = len(points)
    if tournament.pairing == "random":
        for player in range(count):
            for other in rng.integers(count - 1, size=tournament.rounds):
                yield player, int(other) + (other >= player)  # any player but itself
    elif tournament.pairing == "robin":
        for _ in range(tournament.rounds):
            for player in range(count):
                for other in range(player):
                    yield player, other
                    yield other, player
    elif tournament.pairing == "twins":
        for player in range(0, count, 2):
            for _ in range(tournament.rounds):
                yield player, player + 1
                yield player + 1, player
    elif tournament.pairing == "swiss":
        for player, other in swiss(points, met, rng):
            yield player, other
            yield other, player


def swiss(points: Points, met: set[frozenset[int]], rng: np.random.Generator) -> list[Seats]:
    """The pairs of a round of the Swiss system: players with similar points who have not met, if there are any.

    Adds the pairs to `met`. If the number of players is odd, the last player that has not had a bye gets one.
    """
    order = rng.permutation(len(points))
    left = [int(player) for player in order[np.argsort(-points[order], kind="stable")]]
    if len(left) % 2:
        bye = next((player for player in reversed(left) if frozenset((player,)) not in met), left[-1])
        met.add(frozenset((bye,)))
        left.remove(bye)
    pairs = []
    while left:
        player = left.pop(0)
        other = next((each for each in left if frozenset((player, each)) not in met), left[0])
        left.remove(other)
        met.add(frozenset((player, other)))
        pairs.append((player, other))
    return pairs


def growth(
    tournament: Tournament,
    champion: Player,
    predecessors: Sequence[Player],
    rng: np.random.Generator,
    workers: Workers,
) -> float | None:
    """The mean result of a champion against earlier ones, from -1 to 1; above 0 is an improvement. None without any."""
    if not predecessors:
        return None
    tasks = []
    pairs = GAMES_EACH // 2
    own = digest(champion)
    for place, other in enumerate(predecessors):
        drawn = openings.named(tournament.openings, champion.game, pairs, int(rng.integers(2**31)))
        theirs = digest(other)
        for number, seed in enumerate(rng.integers(2**63, size=GAMES_EACH)):
            first = number % 2 == 0
            pair = (champion, other) if first else (other, champion)
            digests = (own, theirs) if first else (theirs, own)
            tasks.append(_task(tournament, place * GAMES_EACH + number, pair, digests, drawn[number // 2], seed))
    firsts = np.array([each.points for each in workers.map(play_task, tasks)])
    firsts[1::2] = 1 - firsts[1::2]
    return float(np.mean(2 * firsts - 1))  # as many games with each: the mean of all is the mean of the means


def sample_positions(game: str, played: Sequence[PlayedGame], count: int, rng: np.random.Generator) -> list[str]:
    """`count` random positions of the games, as text; none of them is a start or an end."""
    start = games.find(game).start
    found = []
    for index in rng.integers(len(played), size=count):
        moves = played[index].moves.split()
        position = start
        for move in moves[: int(rng.integers(1, max(len(moves), 2)))]:
            position = position.play(move)
        found.append(position.text)
    return found


def _task(
    tournament: Tournament,
    index: int,
    players: tuple[Player, Player],
    digests: tuple[str, str],
    opening: Sequence[object],
    seed: int | np.int64,
) -> Task:
    return Task(
        index=index,
        players=players,
        digests=digests,
        opening=tuple(str(move) for move in opening),
        rules=tournament.rules,
        seed=int(seed),
    )
