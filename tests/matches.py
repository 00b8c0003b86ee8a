"""What the tests of the arena share: matches made of text, and executors that finish their tasks in any order."""

import random
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future
from contextlib import nullcontext

import msgspec

from ludus import players
from ludus.arena import matches, summary
from ludus.arena.journal import Journal
from ludus.arena.matches import MatchConfig
from ludus.workers import Workers


def pair(one, other, game=None):
    return players.find(one, game), players.find(other, game)


def finish(contestants, config, workers=None, journal=None):
    """The standing at the end of the match; on two threads unless there are workers."""
    journal = journal or Journal(None, {})
    with nullcontext(workers) if workers else Workers.open(2) as workers:
        *_, last = matches.play(contestants, config, workers, journal)
    assert last.finished
    return last


def timeless(played):
    """The games without what a clock says of them."""
    return [msgspec.structs.replace(each, seconds=(0.0, 0.0)) for each in played]


def shown(contestants, config, standing):
    """All that a match writes to its folder."""
    return summary.data(contestants, config, standing), "".join(summary.records(contestants, standing))


def match_of(one, other, game=None, **config):
    """The players, the configuration and the end of a match on one thread."""
    contestants, config = pair(one, other, game), MatchConfig(**config)
    return contestants, config, finish(contestants, config, Workers())


class AnyOrder(Executor):
    """One thread that takes the waiting task which `pick` chooses by their number; counts and keeps its tasks."""

    def __init__(self, pick):
        self.pick = pick
        self.tasks = []
        self._waiting = []
        self._change = threading.Condition()
        self._over = False
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def submit(self, work, task):
        future = Future()
        with self._change:
            self.tasks.append(task)
            self._waiting.append((future, work, task))
            self._change.notify()
        return future

    def _work(self):
        while True:
            with self._change:
                self._change.wait_for(lambda: self._waiting or self._over)
                if not self._waiting:
                    return
                future, work, task = self._waiting.pop(self.pick(len(self._waiting)))
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work(task))
                except BaseException as error:
                    future.set_exception(error)

    def shutdown(self, wait=True, *, cancel_futures=False):
        with self._change:
            self._over = True
            self._change.notify()
        self._thread.join()


def newest_first():
    return AnyOrder(lambda count: count - 1)


def by_chance(seed):
    return AnyOrder(random.Random(seed).randrange)


def ludus(*arguments, **options):
    """A command in a process of its own."""
    command = [sys.executable, "-c", "from ludus.cli import main; main()", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def done(*arguments, **options):
    """The status, output and complaints of a command."""
    running = ludus(*arguments, **options)
    out, err = running.communicate()
    return running.returncode, out, err


def end(running):
    """The output and complaints of a command that should be about to end; one that does not is killed."""
    try:
        return running.communicate(timeout=60)
    finally:
        running.kill()
