"""The speed of matches: on threads, on a cluster, and what Python costs a game."""

import importlib.util
import time
from collections.abc import Iterator, Sequence

from ludus import games, players
from ludus.arena import matches
from ludus.arena.play import play
from ludus.arena.task import Task
from ludus.bench.measure import Measurement
from ludus.players import ActivePlayer, Player, searches
from ludus.workers import Workers

_TURNS = 3  # the best of which counts, as noise only slows


def _tasks(player: Player, count: int) -> Sequence[Task]:
    return matches.tasks((player, player), matches.MatchConfig(games=count, openings="random:4"))


def _material(nodes: int) -> Player:
    return players.find("material", "draughts").with_budget(searches.Budget(nodes=nodes))


def _rate(workers: Workers, tasks: Sequence[Task]) -> float:
    begin = time.perf_counter()
    done = sum(1 for _ in workers.completed(play, tasks))
    return done / (time.perf_counter() - begin)


def two_threads() -> Iterator[Measurement]:
    """Games a second on two threads, beside one."""
    tasks = _tasks(_material(3000), 40)
    best = {1: 0.0, 2: 0.0}
    for _ in range(_TURNS):
        for count in best:
            with Workers.open(count) as workers:
                best[count] = max(best[count], _rate(workers, tasks))
    yield Measurement("arena/two-threads", best[2], "games/s", "one thread", best[1])


def cluster() -> Iterator[Measurement]:
    """Games of about a second each on a loopback Dask cluster of two worker processes, beside one thread here."""
    if not importlib.util.find_spec("distributed"):
        return
    from distributed import LocalCluster

    # As many nodes a move as make a game last about a second on this machine.
    nodes = 20_000
    begin = time.perf_counter()
    play(_tasks(_material(nodes), 2)[0])
    tasks = _tasks(_material(max(1000, int(nodes / (time.perf_counter() - begin)))), 20)
    with Workers.open(1) as workers:
        alone = _rate(workers, tasks)
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**settings) as local, Workers.open(cluster=local.scheduler_address) as workers:
        _rate(workers, _tasks(_material(100), 4))  # the workers load the package
        yield Measurement("arena/cluster", _rate(workers, tasks), "games/s", "one thread", alone)


def record_overhead() -> Iterator[Measurement]:
    """Microseconds a game that Python takes outside the core, beside those of a game of about a millisecond."""
    player = _material(40)
    tasks = _tasks(player, 400)
    game, active = games.find(player.game), ActivePlayer(player)
    side = game.core.MatchSide(active.search, active.budget, seed=1)
    openings = [game.moves(task.opening) for task in tasks]
    whole, inside = float("inf"), float("inf")
    for _ in range(_TURNS):
        with Workers.open(1) as workers:
            whole = min(whole, len(tasks) / _rate(workers, tasks))
        begin = time.perf_counter()
        for task, moves in zip(tasks, openings, strict=True):
            game.core.play_game(side, side, opening=moves, rules=task.rules.core())
        inside = min(inside, time.perf_counter() - begin)
    micro = 1e6 / len(tasks)
    yield Measurement(
        "arena/record-overhead", micro * (whole - inside), "us/game", "a game in the core", micro * inside
    )
