"""The matches at the end of an evolution: the last champion against fixed players and against the half-way champion."""

from ludus import games, players
from ludus.arena import matches
from ludus.arena import play as arena
from ludus.arena.matches import MatchConfig
from ludus.arena.score import Score
from ludus.learning.learner import Record
from ludus.players import Player
from ludus.workers import Workers

HALF_WAY = "half-way champion"
DEPTH = 2  # of the material player, for champions whose budget is not a depth


def opponents(champion: Player, half_way: Player | None) -> dict[str, Player]:
    """Random, UCT, the material player at the champion's own depth, and the half-way champion if there is one."""
    depth = DEPTH if champion.budget is None or champion.budget.depth is None else champion.budget.depth
    names = ("random", "uct@playouts=300", f"material@depth={depth}")
    found = {name: players.find(name, champion.game) for name in names}
    return found if half_way is None else found | {HALF_WAY: half_way}


def scores(champion: Player, half_way: Player | None, count: int, seed: int, workers: Workers) -> Record:
    """The score of the champion in `count` games against each opponent, with its interval, as JSON values."""
    config = MatchConfig(games=count, seed=seed, openings=games.find(champion.game).usual_openings, thrown_wins=0)
    others = opponents(champion, half_way)
    tasks = [task for other in others.values() for task in matches.tasks((champion, other), config)]
    points = [played.points for played in workers.map(arena.play, tasks)]
    found: Record = {}
    for place, name in enumerate(others):
        pairs = (points[index : index + 2] for index in range(place * count, (place + 1) * count, 2))
        score = sum((Score.pair(one, 1 - other) for one, other in pairs), start=Score())
        found[name] = {"games": score.games, "score": score.score, "interval": list(score.interval)}
    return found
