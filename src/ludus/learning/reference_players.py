"""Reference players: they never change, so scores against them can be compared at any time and between learners."""

from ludus import players
from ludus.arena import matches
from ludus.arena import play as arena
from ludus.arena.matches import MatchConfig
from ludus.arena.score import Score
from ludus.learning.learner import Record
from ludus.players import Player
from ludus.workers import Workers

REFERENCE_PLAYERS = ("random", "material@depth=2", "material@depth=6", "uct@playouts=200")


def scores(player: Player, games: int, seed: int, workers: Workers) -> Record:
    """The score of a draughts player in `games` games from ballots against each reference player, as JSON values.

    The openings depend only on the seed: all players that are measured with one seed play the same openings.
    """
    config = MatchConfig(games=games, seed=seed, thrown_wins=0)
    opponents = [players.find(name, player.game) for name in REFERENCE_PLAYERS]
    tasks = [task for opponent in opponents for task in matches.tasks((player, opponent), config)]
    points = [played.points for played in workers.map(arena.play, tasks)]
    found: Record = {}
    for place, name in enumerate(REFERENCE_PLAYERS):
        score = Score()
        for index in range(place * games, (place + 1) * games, 2):
            score += Score.pair(points[index], 1 - points[index + 1])
        found[name] = {"games": score.games, "score": score.score, "interval": list(score.interval)}
    return found
