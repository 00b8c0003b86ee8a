"""What each generation of a champion is measured by: players that never change, and the generation before it."""

import math

from ludus import games, players
from ludus.arena import matches
from ludus.arena import play as arena
from ludus.arena.matches import MatchConfig
from ludus.arena.score import Score
from ludus.games import GameName
from ludus.learning.learner import Record
from ludus.players import Player, searches
from ludus.players.searches import Budget, Greedy
from ludus.workers import Workers

REFERENCES: dict[GameName, tuple[str, ...]] = {
    "draughts": ("material", "visiondraughts"),
    "tictactoe3d": ("benchmark", "material", "symmetric-patterns"),
}
BEFORE = "the generation before"


def play(player: Player, before: Player | None, count: int, nodes: int, seed: int, workers: Workers) -> Record:
    """The results of `count` games against each reference player, and against the generation before if there is one.

    Players whose search counts nodes have `nodes` nodes a move, those without search too.
    """
    budget = Budget(nodes=nodes)
    opponents = {name: _with(players.find(name, player.game), budget) for name in REFERENCES[player.game]}
    if before is not None:
        opponents[BEFORE] = _with(before, budget)
    openings = "ballots3" if games.find(player.game).has_ballots else games.find(player.game).usual_openings
    config = MatchConfig(games=count, seed=seed, openings=openings, thrown_wins=0)
    own = _with(player, budget)
    tasks = [task for opponent in opponents.values() for task in matches.tasks((own, opponent), config)]
    points = [played.points for played in workers.map(arena.play, tasks)]
    found: Record = {}
    for place, name in enumerate(opponents):
        score = Score()
        for index in range(place * count, (place + 1) * count, 2):
            score += Score.pair(points[index], 1 - points[index + 1])
        found[name] = _record(score)
    return found


def _with(player: Player, budget: Budget) -> Player:
    looks_ahead = isinstance(player.search, Greedy) or searches.takes(player.search, budget)
    return player.with_budget(budget) if looks_ahead else player


def _record(score: Score) -> Record:
    """The numbers of a match as JSON values; Elo is left out where it is infinite."""
    low, high = score.elo_interval
    found: Record = {
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": score.score,
        "interval": list(score.interval),
    }
    named = {"elo": score.elo, "elo_low": low, "elo_high": high}
    return found | {name: round(value, 1) for name, value in named.items() if math.isfinite(value)}


def is_worse(pool: Record) -> bool:
    """Is the generation surely worse than the one before: does the interval of its score lie below a half?"""
    return BEFORE in pool and pool[BEFORE]["interval"][1] < 0.5


def curve(generation: int, games: int, pool: Record) -> str:
    """A line of the learning curve: the score against the strongest reference player, as a bar."""
    names = [name for name in pool if name != BEFORE]
    if not names:
        return ""
    score = pool[names[-1]]["score"]
    return f"generation {generation:>3} {games:>11,} games  {score:6.1%} against {names[-1]}  {'#' * round(30 * score)}"


def note(generation: int, pool: Record, is_kept: bool) -> str:
    """The results in a few words."""
    words = [f"+{found['wins']} ={found['draws']} -{found['losses']} {name}" for name, found in pool.items()]
    fate = "" if is_kept else "; not kept"
    return f"generation {generation}" + (f": {', '.join(words)}" if words else "") + fate
