"""Matches on a Dask cluster of real processes: the same games as on one thread, also when workers die."""

import errno
import gc
import logging
import os
import signal
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

from ludus import players
from ludus.arena import matches
from ludus.arena.journal import Journal
from ludus.arena.matches import MatchConfig
from ludus.arena.task import Task
from ludus.learning.champion import Champion
from ludus.learning.genetic import Genetic
from ludus.players import BadPlayer, Player
from ludus.players.searches import AlphaBeta
from ludus.workers import NoCluster, Workers
from matches import finish, match_of, pair, shown, timeless

distributed = pytest.importorskip("distributed")
CommClosedError = pytest.importorskip("distributed.comm").CommClosedError

MATCH = ("material@nodes=300", "uct@playouts=60")


@contextmanager
def cluster_of(count):
    """A cluster of so many worker processes, each with a thread."""
    with distributed.LocalCluster(
        n_workers=count, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def cluster():
    with cluster_of(2) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def alone():
    """The match on one thread."""
    return match_of(*MATCH, games=40)


def test_the_games_are_those_of_one_thread(cluster, alone):
    contestants, config, standing = alone
    with Workers.open(cluster=cluster.scheduler_address) as workers:
        assert workers.count == 2
        again = finish(contestants, config, workers)
    assert timeless(again.played) == timeless(standing.played)
    assert shown(contestants, config, again) == shown(contestants, config, standing)


def test_a_worker_that_is_killed_changes_nothing(cluster, alone):
    contestants, config, standing = alone
    victim = next(iter(cluster.workers.values())).pid
    with Workers.open(cluster=cluster.scheduler_address) as workers:
        for again in matches.play(contestants, config, workers, Journal(None, {})):
            if victim and again.score.games >= 10:
                os.kill(victim, signal.SIGKILL)
                victim = None
    assert victim is None and again.finished
    assert timeless(again.played) == timeless(standing.played)


def test_the_command_takes_an_address_and_a_scheduler_file(run, cluster, tmp_path):
    file = tmp_path / "scheduler.json"
    file.write_bytes(msgspec.json.encode({"address": cluster.scheduler_address}))
    command = ("match", *MATCH, "--games", "12", "--out")
    assert run(*command, tmp_path / "alone", "--concurrency", "1")[0] == 0
    for name, where in (("address", cluster.scheduler_address), ("file", file)):
        status, out, err = run(*command, tmp_path / name, "--cluster", where)
        assert (status, err) == (0, "")
        assert "of 12" in out
        for kept in ("games.pdn", "result.json"):
            assert (tmp_path / name / kept).read_bytes() == (tmp_path / "alone" / kept).read_bytes()


def test_an_error_of_a_worker_is_one_here(cluster):
    broken = Player(name="broken", game="draughts", search=AlphaBeta())
    with (
        Workers.open(cluster=cluster.scheduler_address) as workers,
        pytest.raises(BadPlayer, match="alphabeta needs an evaluator"),
    ):
        finish((broken, players.find("random")), MatchConfig(games=2), workers)


def test_work_that_kills_every_worker_is_a_sentence(cluster):
    # Raised as Dask raises it after so many deaths: to let the workers really die would take the cluster along.
    death = distributed.KilledWorker("play-1", SimpleNamespace(address="tcp://127.0.0.1:1"), 3)
    with (
        pytest.raises(NoCluster, match="loses its workers"),
        Workers.open(cluster=cluster.scheduler_address),
    ):
        raise death


@pytest.mark.parametrize("error", [CancelledError, CommClosedError])
def test_a_cluster_that_calls_the_work_off_is_a_sentence(cluster, error):
    with pytest.raises(NoCluster, match="is gone"), Workers.open(cluster=cluster.scheduler_address):
        raise error  # as the futures of a scheduler that goes away do


def test_dask_prints_nothing_of_its_own_while_we_use_it(cluster, capfd):
    log = logging.getLogger("distributed.client")
    before = log.handlers
    with Workers.open(cluster=cluster.scheduler_address):
        log.error("a connection has ended")
    assert capfd.readouterr().err == ""
    assert log.handlers == before


def test_a_cluster_without_workers_is_a_sentence(run):
    with cluster_of(0) as cluster:
        status, out, err = run("match", *MATCH, "--cluster", cluster.scheduler_address)
    assert (status, out) == (2, "")
    assert err == f"ludus: the cluster at {cluster.scheduler_address} has no workers\n"


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nonsense://x", "inproc://x", "no/such/scheduler.json"])
def test_no_cluster_is_a_sentence(run, monkeypatch, address):
    monkeypatch.setattr("ludus.workers.CONNECT_SECONDS", 0.5)
    status, out, err = run("match", *MATCH, "--cluster", address)
    assert (status, out) == (2, "")
    assert err.startswith(f"ludus: there is no cluster at {address}: ") and err.count("\n") == 1
    # One that is left to the collector of garbage can hang the next, because Dask's closing needs a lock.
    clients = [each for each in gc.get_objects() if issubclass(type(each), distributed.Client)]
    assert {client.status for client in clients} <= {"closed"}


@pytest.mark.parametrize("content", ["{}", "[]", "scheduler", ""])
def test_a_file_that_no_scheduler_wrote_is_a_sentence(run, tmp_path, content):
    file = tmp_path / "scheduler.json"
    file.write_text(content)
    status, out, err = run("match", *MATCH, "--cluster", file)
    assert (status, out) == (2, "")
    assert str(file) in err and err.count("\n") == 1


def test_a_file_of_a_scheduler_that_cannot_be_read_is_a_sentence(tmp_path, monkeypatch):
    def unreadable(path):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    file = tmp_path / "scheduler.json"
    file.write_text("{}")
    monkeypatch.setattr(Path, "read_bytes", unreadable)
    with (
        pytest.raises(NoCluster, match=r"scheduler.json cannot be read: Input/output error"),
        Workers.open(cluster=str(file)),
    ):
        pass


def test_a_generation_is_the_same_when_a_worker_is_killed_in_its_games(cluster):
    config = Genetic(
        generations=1, search="ept", playouts=20, openings="random:3", rounds=1, max_plies=60, end_games=0, seed=3
    )
    with Workers.open(1) as workers:
        alone = list(config.learn(None, workers))
    victim = next(iter(cluster.workers.values())).pid
    with Workers.open(cluster=cluster.scheduler_address) as workers:
        executor, submitted = workers._executor, 0
        submit = executor.submit

        def deadly(*task):
            nonlocal submitted
            submitted += 1
            if submitted == 100:
                os.kill(victim, signal.SIGKILL)
            return submit(*task)

        executor.submit = deadly
        there = list(config.learn(None, workers))
    assert submitted == 2 * 210 + 6
    for mine, theirs in zip(there, alone, strict=True):
        assert (mine.line, mine.state.facts) == (theirs.line, theirs.state.facts)
        assert (mine.state.arrays["theta"] == theirs.state.arrays["theta"]).all()


def test_a_champion_is_the_same_on_a_cluster(cluster):
    config = Champion(
        generations=1, random_games=3000, games=150, nodes=30, width=16, epochs=1, match_games=2, match_nodes=30
    )
    with Workers.open(1) as workers:
        *_, alone = config.learn(None, workers)
    with Workers.open(cluster=cluster.scheduler_address) as workers:
        *_, there = config.learn(None, workers)
    assert there.line == alone.line
    assert there.player.theta.tobytes() == alone.player.theta.tobytes()


def test_players_with_weights_travel(cluster):
    one, other = pair("material", "random")
    theta = np.linspace(-1, 1, 1000, dtype=np.float32)
    task = Task(
        index=3,
        players=(msgspec.structs.replace(one, theta=theta), other),
        digests=("a", "b"),
        opening=("11-15",),
        rules=MatchConfig().rules,
        seed=2**64 - 1,
    )
    with Workers.open(cluster=cluster.scheduler_address) as workers:
        [(_, there)] = workers.completed(_same, [task])
    assert (there.players[0].theta == theta).all() and there.players[0].theta.dtype == np.float32
    assert msgspec.structs.replace(there, players=()) == msgspec.structs.replace(task, players=())
    assert there.players[1].search == other.search


def _same(task):
    return task
