"""Where work runs: this thread, threads of this machine, or a Dask cluster; behind concurrent.futures.Executor."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from ludus.files import is_file

Task = TypeVar("Task")
Result = TypeVar("Result")

PATIENCE = 10.0  # seconds to find a cluster


class NoCluster(ValueError):
    """The cluster is not there, or cannot be used from here; says why."""


@contextmanager
def executor(concurrency: int | None = None, cluster: str | None = None) -> Iterator[tuple[Executor, int]]:
    """Somewhere to run tasks, and how many run at a time.

    Threads of this machine, one a processor if nobody says (the core releases the lock, so they run side by side);
    or with `cluster` the workers of a Dask cluster: the address of its scheduler, or the file it wrote.
    """
    if cluster is None:
        workers = concurrency or os.cpu_count() or 1
        threads = ThreadPoolExecutor(workers)
        try:
            yield threads, workers
        finally:
            # Without waiting for the tasks that run: whoever leaves early needs no more of them.
            threads.shutdown(wait=False, cancel_futures=True)
        return
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise NoCluster("a cluster needs Dask: pip install 'ludus[cluster]'") from error
    try:
        address = json.loads(Path(cluster).read_bytes())["address"] if is_file(cluster) else cluster
        client = Client(str(address), timeout=PATIENCE)
    except (KeyError, TypeError) as error:
        raise NoCluster(f"{cluster} is no file of a Dask scheduler: it has no address") from error
    except (OSError, ValueError) as error:
        raise NoCluster(f"there is no cluster at {cluster}: {error}") from error
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise NoCluster(f"the cluster at {cluster} has no workers")
        try:
            # The tasks of a worker that dies go to the others; the scheduler's allowed-failures says how often.
            yield client.get_executor(), workers
        except KilledWorker as error:
            raise NoCluster(f"the cluster at {cluster} loses its workers: {error}") from error
        except CancelledError as error:
            raise NoCluster(f"the cluster at {cluster} has called the work off, or is gone") from error


def run(
    where: Executor, workers: int, work: Callable[[Task], Result], tasks: Iterable[Task]
) -> Iterator[tuple[Task, Result]]:
    """Each task with its result, as they get done. Only a few tasks wait for each worker, so that it can stop soon."""
    waiting: dict[Future[Result], Task] = {}
    left = iter(tasks)
    try:
        while True:
            while len(waiting) < 3 * workers:
                try:
                    task = next(left)
                except StopIteration:
                    break
                waiting[where.submit(work, task)] = task
            if not waiting:
                return
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()
