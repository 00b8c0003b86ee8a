"""Workers: where tasks run. In this thread, in threads of this machine, or on a Dask cluster."""

import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ludus.files import is_file

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["NoCluster", "Workers"]

Task = TypeVar("Task")
Result = TypeVar("Result")

CONNECT_SECONDS = 10.0  # to find a cluster
_WAITING = 3  # tasks that wait for each worker: few, so that a stopped run ends soon


class NoCluster(ValueError):
    """The cluster cannot be reached or used; the message says why.

    Examples:
        >>> with Workers.open(cluster="nowhere.json") as workers:
        ...     pass
        Traceback (most recent call last):
        ...
        ludus.workers.NoCluster: there is no cluster at nowhere.json: ...
    """


class Workers:
    """Runs tasks and gives their results. What is computed does not depend on which workers there are.

    `Workers()` runs everything in the calling thread. `Workers.open` gives threads or a cluster.

    Examples:
        >>> list(Workers().map(lambda x: x * x, [1, 2, 3]))
        [1, 4, 9]
        >>> with Workers.open(2) as workers:
        ...     list(workers.map(lambda x: x * x, [1, 2, 3]))
        [1, 4, 9]
    """

    def __init__(self, executor: Executor | None = None, count: int = 1) -> None:
        self.count = count  # tasks that run at the same time
        self._executor = executor

    @classmethod
    @contextmanager
    def open(cls, count: int | None = None, *, cluster: str | None = None) -> Iterator["Workers"]:
        """Threads of this machine, one for each processor unless `count` is given; or the workers of a Dask cluster.

        The core releases the interpreter's lock, so threads run in parallel. `cluster` is the address of a Dask
        scheduler or the file it wrote. Raises NoCluster.
        """
        if cluster is not None:
            with _connected(cluster) as workers:
                yield workers
            return
        count = count or os.cpu_count() or 1
        threads = ThreadPoolExecutor(count)
        try:
            yield cls(threads, count)
        finally:
            # Tasks that still run are not waited for: a caller that leaves early does not need their results.
            threads.shutdown(wait=False, cancel_futures=True)

    def map(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """The result of each task, in the order of the tasks."""
        early: dict[int, Result] = {}  # results that came before those of earlier tasks
        following = 0
        for index, _, result in self._run(work, tasks):
            early[index] = result
            while following in early:
                yield early.pop(following)
                following += 1

    def completed(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Each task with its result as soon as it is there, for callers that save every result at once."""
        for _, task, result in self._run(work, tasks):
            yield task, result

    def _run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[int, Task, Result]]:
        if self._executor is None:
            for index, task in enumerate(tasks):
                yield index, task, work(task)
            return
        waiting: dict[Future[Result], tuple[int, Task]] = {}
        left = enumerate(tasks)
        try:
            while True:
                while len(waiting) < _WAITING * self.count and (following := next(left, None)) is not None:
                    waiting[self._executor.submit(work, following[1])] = following
                if not waiting:
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    index, task = waiting.pop(future)
                    yield index, task, future.result()
        finally:
            for future in waiting:
                future.cancel()


def _client(cluster: str) -> "Client":
    """A client of the cluster. Raises NoCluster."""
    from distributed import Client

    class ClosedClient(Client):  # type: ignore[misc]  # Dask has no types
        """One that is closed when it cannot start.

        Dask leaves that to the collector of garbage, which can come while Dask holds a lock that closing needs.
        """

        def start(self, **options: object) -> None:
            try:
                super().start(**options)
            except BaseException:
                with suppress(OSError):  # it may wait in vain
                    self.close(timeout=CONNECT_SECONDS)
                raise

    try:
        address = json.loads(Path(cluster).read_bytes())["address"] if is_file(cluster) else cluster
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NoCluster(f"{cluster} is not the file of a Dask scheduler: it has no address") from error
    except OSError as error:
        raise NoCluster(f"{cluster} cannot be read: {error.strerror}") from error
    try:
        return ClosedClient(str(address), timeout=CONNECT_SECONDS)
    except Exception as error:  # what answers there need not be Dask, and then anything can go wrong
        raise NoCluster(f"there is no cluster at {cluster}: {error}") from error


@contextmanager
def _connected(cluster: str) -> Iterator[Workers]:
    try:
        from distributed import KilledWorker
        from distributed.comm import CommClosedError
    except ImportError as error:
        raise NoCluster("a cluster needs Dask: pip install 'ludus[cluster]'") from error
    client = _client(cluster)
    with _quiet(), client:
        try:
            count = sum(client.nthreads().values())
            if not count:
                raise NoCluster(f"the cluster at {cluster} has no workers")
            # Tasks of a worker that dies go to the others; the scheduler's allowed-failures limits how often.
            yield Workers(client.get_executor(), count)
        except KilledWorker as error:
            raise NoCluster(f"the cluster at {cluster} loses its workers: {error}") from error
        except (CancelledError, CommClosedError) as error:
            raise NoCluster(f"the cluster at {cluster} has cancelled the work, or is gone") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps Dask from printing a traceback for each connection that ends: we say it in a sentence."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    handlers = {name: logging.getLogger(name).handlers for name in names if logging.getLogger(name).handlers}
    for name in handlers:
        logging.getLogger(name).handlers = [logging.NullHandler()]
    try:
        yield
    finally:
        for name, before in handlers.items():
            logging.getLogger(name).handlers = before
