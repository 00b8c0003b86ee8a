"""Workers: every task is done once, results come back in order, and a caller that leaves early stops the work."""

from concurrent.futures import Executor, Future

import pytest

from ludus.workers import Workers
from matches import by_chance, newest_first


def test_only_a_few_tasks_wait_for_each_worker():
    with newest_first() as executor:
        results = Workers(executor, 2).completed(abs, range(100))
        next(results)
        assert len(executor.tasks) == 6
        results.close()
    assert len(executor.tasks) == 6


def test_leaving_early_calls_off_what_waits():
    class Held(Executor):
        """Does the first task at once and the others never."""

        def __init__(self):
            self.futures = []

        def submit(self, work, task):
            self.futures.append(Future())
            if len(self.futures) == 1:
                self.futures[0].set_result(work(task))
            return self.futures[-1]

    held = Held()
    results = Workers(held).completed(abs, [-1, -2, -3, -4])
    assert next(results) == (-1, 1)
    results.close()
    assert [future.cancelled() for future in held.futures] == [False, True, True]


def test_all_tasks_come_back_with_their_results():
    with by_chance(3) as executor:
        assert sorted(Workers(executor, 2).completed(abs, range(0, -50, -1))) == [(-n, n) for n in range(49, -1, -1)]


def test_an_error_in_a_task_is_an_error_here():
    with Workers.open(1) as workers, pytest.raises(ZeroDivisionError):
        list(workers.completed(lambda n: 1 // n, [1, 0]))


@pytest.mark.parametrize("make", [newest_first, lambda: by_chance(1), lambda: by_chance(2)])
def test_mapped_results_are_in_the_order_of_the_tasks(make):
    with make() as executor:
        assert list(Workers(executor, 2).map(abs, range(0, -50, -1))) == list(range(50))


def test_without_an_executor_tasks_run_here_one_after_the_other():
    begun = []
    results = Workers().map(lambda task: begun.append(task) or task, range(3))
    assert (next(results), begun) == (0, [0])
    assert (list(results), begun) == ([1, 2], [0, 1, 2])
