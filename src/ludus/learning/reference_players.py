"""The fixed pool: players that never change, so that what a learner scores against them can be compared at any time."""

from typing import Any

from ludus import players
from ludus.arena import match
from ludus.arena.match import MatchConfig
from ludus.arena.play import play
from ludus.arena.score import Score
from ludus.players import Player
from ludus.workers import Workers

OPPONENTS = ("random", "material@depth=2", "material@depth=6", "uct@playouts=200")


def measure(player: Player, games: int, seed: int, workers: Workers) -> dict[str, Any]:
    """What a player of draughts scores in so many games from ballots against each of the pool, as JSON can say it.

    The openings are those of the seed, so that all players who are measured with it play the same ones.
    """
    config = MatchConfig(games=games, seed=seed)
    tasks = [task for name in OPPONENTS for task in match.tasks((player, players.find(name, player.game)), config)]
    points = [played.points for played in workers.map(play, tasks)]
    found: dict[str, Any] = {}
    for place, name in enumerate(OPPONENTS):
        score = Score()
        for index in range(place * games, (place + 1) * games, 2):
            score += Score.pair(points[index], 1 - points[index + 1])
        found[name] = {"games": score.games, "score": score.score, "interval": list(score.interval)}
    return found
