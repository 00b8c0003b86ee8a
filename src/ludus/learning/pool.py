"""The fixed pool: players that never change, so that what a learner scores against them can be compared at any time."""

from concurrent.futures import Executor
from typing import Any

from ludus import execution, players
from ludus.arena import game as arena
from ludus.arena import match
from ludus.arena.match import MatchConfig
from ludus.arena.score import Score
from ludus.players import Player

OPPONENTS = ("random", "material@depth=2", "material@depth=6", "uct@playouts=200")


def measure(player: Player, games: int, seed: int, where: Executor, workers: int) -> dict[str, Any]:
    """What a player of draughts scores in so many games from ballots against each of the pool, as JSON can say it.

    The openings are those of the seed, so that all players who are measured with it play the same ones.
    """
    config = MatchConfig(games=games, seed=seed)
    tasks = {
        (name, task.index): task
        for name in OPPONENTS
        for task in match.tasks((player, players.find(name, player.game)), config)
    }
    keys = {id(task): key for key, task in tasks.items()}
    done = {keys[id(task)]: played for task, played in execution.run(where, workers, arena.play, tasks.values())}
    found: dict[str, Any] = {}
    for name in OPPONENTS:
        score = Score()
        for index in range(0, games, 2):
            score += Score.pair(done[name, index].points, 1 - done[name, index + 1].points)
        found[name] = {"games": score.games, "score": score.score, "interval": list(score.interval)}
    return found
