"""The lanes: a cap on threads, owners that take turns, and work that can be stopped."""

import asyncio
import threading

import pytest

from ludus.web import searches
from ludus.web.searches import Lane, TooBusy


def run(test):
    """Runs a test with a lane of one thread, and closes it."""

    async def whole():
        lane = Lane("test", 1, 0)
        try:
            await asyncio.wait_for(test(lane), 30)
        finally:
            await asyncio.to_thread(lane.close)

    asyncio.run(whole())


async def all_of(ticket):
    return [item async for item in ticket]


def test_what_was_put_arrives_in_order():
    async def test(lane):
        assert await all_of(lane.submit("a", lambda ticket: [ticket.put(n) for n in (1, 2, 3)])) == [1, 2, 3]

    run(test)


def test_an_error_of_the_work_is_raised_to_its_owner():
    async def test(lane):
        def work(ticket):
            ticket.put(1)
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            await all_of(lane.submit("a", work))
        assert await all_of(lane.submit("a", lambda ticket: ticket.put(2))) == [2]

    run(test)


def test_owners_take_turns():
    async def test(lane):
        order, gate = [], threading.Event()

        def work(name):
            def do(ticket):
                gate.wait(20)
                order.append(name)
                ticket.put(name)

            return do

        tickets = [lane.submit(name[0], work(name)) for name in ("a1", "a2", "a3", "b1", "c1", "b2")]
        gate.set()
        await asyncio.gather(*map(all_of, tickets))
        assert order == ["a1", "b1", "c1", "a2", "b2", "a3"]

    run(test)


def test_no_more_threads_than_the_cap_and_one_at_a_time_for_an_owner():
    async def test(_):
        lane = Lane("wide", 3, 0)
        running, most, lock = [0], [0], threading.Lock()
        together = {"a": 0, "b": 0}

        def work(owner):
            def do(ticket):
                with lock:
                    running[0] += 1
                    together[owner] += 1
                    most[0] = max(most[0], running[0])
                    assert together[owner] == 1
                threading.Event().wait(0.002)
                with lock:
                    running[0] -= 1
                    together[owner] -= 1
                ticket.put(1)

            return do

        tickets = [lane.submit(owner, work(owner)) for _ in range(30) for owner in "ab"]
        assert await asyncio.gather(*map(all_of, tickets)) == [[1]] * 60
        assert 1 <= most[0] <= 2
        await asyncio.to_thread(lane.close)

    run(test)


def test_leaving_the_iteration_stops_the_work():
    async def test(lane):
        stopped = threading.Event()

        def work(ticket):
            ticket.put(1)
            while ticket.goes_on:
                pass
            stopped.set()

        answers = aiter(lane.submit("a", work))
        assert await anext(answers) == 1
        await answers.aclose()
        assert await asyncio.to_thread(stopped.wait, 20)

    run(test)


def test_work_that_is_stopped_while_it_waits_never_begins():
    async def test(lane):
        gate = threading.Event()
        began = []
        first = lane.submit("a", lambda ticket: gate.wait(20))
        second = lane.submit("b", lambda ticket: began.append(1))
        second.stop()
        gate.set()
        await all_of(first)
        assert await all_of(lane.submit("b", lambda ticket: ticket.put(2))) == [2]
        assert not began

    run(test)


def test_live_work_makes_room_and_goes_on_later(monkeypatch):
    monkeypatch.setattr(searches, "SLICE", 0.0)

    async def test(lane):
        stretches = []

        def work(ticket):
            stretches.append(1)
            ticket.put(len(stretches))
            while ticket.goes_on:
                pass

        live = aiter(lane.submit("a", work, is_live=True))
        assert await anext(live) == 1
        other = asyncio.create_task(all_of(lane.submit("b", lambda ticket: ticket.put("b"))))
        while not other.done():
            lane.share()
            await asyncio.sleep(0.001)
        assert await other == ["b"]
        assert await anext(live) == 2
        await live.aclose()

    run(test)


def test_a_queue_that_is_full_refuses_more(monkeypatch):
    monkeypatch.setattr(searches, "MOST_WAITING", 3)

    async def test(lane):
        gate = threading.Event()
        tickets = []
        with pytest.raises(TooBusy):
            for name in range(10):
                tickets.append(lane.submit(name, lambda ticket: gate.wait(20)))
        gate.set()
        await asyncio.gather(*map(all_of, tickets))

    run(test)
