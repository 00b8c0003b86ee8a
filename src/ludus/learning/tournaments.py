"""Contests: the games of a generation, the points they bring, and how its champion does against the last ones."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from ludus import games
from ludus.arena import openings
from ludus.arena.play import play as play_task
from ludus.arena.record import PlayedGame
from ludus.arena.task import Rules, Task, digest
from ludus.players import Player
from ludus.workers import Workers

Pairing = Literal["random", "robin", "swiss"]
Seats = tuple[int, int]  # the player that moves first, and the other, by their places in the population

PREDECESSORS = 5  # the champions a new one is measured with
GAMES_EACH = 6  # half of them moving first


class Tournament(Struct, frozen=True, kw_only=True):
    """Who meets whom, and what it brings."""

    pairing: Pairing
    rounds: int  # random: games that each moves first in; robin: times all meet; swiss: rounds
    points: tuple[float, float, float]  # for a win, a draw and a loss, for both players of a game
    openings: str
    rules: Rules


class Result(Struct, frozen=True, kw_only=True):
    """What came of it."""

    points: tuple[float, ...]  # of each player
    played: tuple[PlayedGame, ...]

    @property
    def plies(self) -> float:
        """The mean length of a game."""
        return float(np.mean([played.moves.count(" ") + 1 for played in self.played]))


def play(contest: Tournament, players: Sequence[Player], rng: np.random.Generator, workers: Workers) -> Result:
    """All games of a generation. Those of a round run side by side."""
    points = np.zeros(len(players))
    played: list[PlayedGame] = []
    digests = [digest(player) for player in players]
    met: set[frozenset[int]] = set()
    for _ in range(contest.rounds if contest.pairing == "swiss" else 1):
        seats = list(_seats(contest, points, met, rng))
        share = 1 if contest.pairing == "random" else 2  # games from an opening: with both colours if both are played
        dealt = openings.named(contest.openings, players[0].game, len(seats) // share, int(rng.integers(2**31)))
        seeds = rng.integers(2**63, size=len(seats))
        tasks = [
            _task(index, (players[a], players[b]), (digests[a], digests[b]), dealt[index // share], seed, contest)
            for index, ((a, b), seed) in enumerate(zip(seats, seeds, strict=True))
        ]
        for (a, b), each in zip(seats, workers.map(play_task, tasks), strict=True):
            win, draw, loss = contest.points
            points[a] += (win, loss)[each.winner] if each.winner is not None else draw
            points[b] += (loss, win)[each.winner] if each.winner is not None else draw
            played.append(each)
    return Result(points=tuple(float(point) for point in points), played=tuple(played))


def _seats(contest: Tournament, points: Any, met: set[frozenset[int]], rng: np.random.Generator) -> Iterator[Seats]:
    count = len(points)
    if contest.pairing == "random":
        for player in range(count):
            for other in rng.integers(count - 1, size=contest.rounds):
                yield player, int(other) + (other >= player)  # anyone but itself
    elif contest.pairing == "robin":
        for _ in range(contest.rounds):
            for player in range(count):
                for other in range(player):
                    yield player, other
                    yield other, player
    else:
        for player, other in swiss(points, met, rng):
            yield player, other
            yield other, player


def swiss(points: Any, met: set[frozenset[int]], rng: np.random.Generator) -> list[Seats]:
    """Neighbours in the standing who have not met, if there are such, and notes that they have.

    Of an odd number the last one rests who has not rested yet.
    """
    order = rng.permutation(len(points))
    left = [int(player) for player in order[np.argsort(-points[order], kind="stable")]]
    if len(left) % 2:
        resting = next((player for player in reversed(left) if frozenset((player,)) not in met), left[-1])
        met.add(frozenset((resting,)))
        left.remove(resting)
    pairs = []
    while left:
        player = left.pop(0)
        other = next((each for each in left if frozenset((player, each)) not in met), left[0])
        left.remove(other)
        met.add(frozenset((player, other)))
        pairs.append((player, other))
    return pairs


def growth(
    contest: Tournament, champion: Player, predecessors: Sequence[Player], rng: np.random.Generator, workers: Workers
) -> float | None:
    """The mean of means: of 1, 0 and -1 for the games with each of the last champions; above 0 it is an improvement."""
    if not predecessors:
        return None
    tasks = []
    pairs = GAMES_EACH // 2
    own = digest(champion)
    for place, other in enumerate(predecessors):
        dealt = openings.named(contest.openings, champion.game, pairs, int(rng.integers(2**31)))
        theirs = digest(other)
        for number, seed in enumerate(rng.integers(2**63, size=GAMES_EACH)):
            first = number % 2 == 0
            contestants = (champion, other) if first else (other, champion)
            digests = (own, theirs) if first else (theirs, own)
            tasks.append(_task(place * GAMES_EACH + number, contestants, digests, dealt[number // 2], seed, contest))
    firsts = np.array([each.points for each in workers.map(play_task, tasks)])
    firsts[1::2] = 1 - firsts[1::2]
    return float(np.mean(2 * firsts - 1))  # as many games with each: the mean of all is the mean of the means


def sample(game: str, played: Sequence[PlayedGame], count: int, rng: np.random.Generator) -> list[str]:
    """Positions of the games, as text: after a move, where the game went on."""
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
    index: int, players: tuple[Player, Player], digests: tuple[str, str], opening: Any, seed: Any, contest: Tournament
) -> Task:
    return Task(
        index=index,
        players=players,
        digests=digests,
        opening=tuple(str(move) for move in opening),
        rules=contest.rules,
        seed=int(seed),
    )
