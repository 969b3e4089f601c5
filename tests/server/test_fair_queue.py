"""Fair queue: people are served in turn, however many jobs each has."""

import asyncio

import pytest

from diamonds.server.errors import RateLimitedError
from diamonds.server.jobs.fair_queue import FairQueue, Priority
from diamonds.server.jobs.worker_pool import WorkerPool
from tests.server.support.live_server import run_in_loop

PLAY, REVIEW, UNWATCHED = Priority


def serve_all(queue: FairQueue[str]) -> list[str]:
    return list(iter(queue.pop, None))


def test_fair_queue_alternates_between_people_whatever_their_load():
    queue: FairQueue[str] = FairQueue()
    for k in range(50):
        queue.push(PLAY, "Ann", f"a{k}")
    queue.push(PLAY, "Ben", "b0")
    for k in range(2):
        queue.push(PLAY, "Cleo", f"c{k}")
    assert serve_all(queue) == ["a0", "b0", "c0", "a1", "c1", *(f"a{k}" for k in range(2, 50))]


def test_fair_queue_puts_a_served_person_behind_waiting_ones():
    queue: FairQueue[str] = FairQueue()
    for person in "ab":
        queue.push(PLAY, person, f"{person}0")
    assert queue.pop() == "a0"
    queue.push(PLAY, "a", "a1")
    queue.push(PLAY, "b", "b1")
    assert serve_all(queue) == ["b0", "a1", "b1"]


def test_fair_queue_alternates_between_addresses_whatever_their_guests():
    queue: FairQueue[str] = FairQueue()
    for k in range(50):
        queue.push(PLAY, f"guest {k}", f"a{k}", address="192.0.2.1")
    for k in range(2):
        queue.push(PLAY, "Ben", f"b{k}", address="192.0.2.2")
    assert queue.waiting()["live"] == 51
    assert serve_all(queue) == ["a0", "b0", "a1", "b1", *(f"a{k}" for k in range(2, 50))]


def test_fair_queue_serves_answers_and_hints_then_reviews_then_idle_tables():
    queue: FairQueue[str] = FairQueue()
    for priority, job in ((UNWATCHED, "late"), (REVIEW, "soon"), (UNWATCHED, "later"), (PLAY, "now")):
        queue.push(priority, "Ann", job)
    queue.push(PLAY, "Ben", "now too")
    assert serve_all(queue) == ["now", "now too", "soon", "late", "later"]


def test_fair_queue_forgets_cancelled_requests():
    queue: FairQueue[str] = FairQueue()
    for k in range(1000):
        queue.push(REVIEW, "Ann", f"a{k}")
        queue.cancel(REVIEW, "Ann", f"a{k}")
        queue.cancel(REVIEW, "Ann", f"a{k}")
    queue.push(REVIEW, "Ann", "last")
    assert serve_all(queue) == ["last"]
    assert not any(queue.waiting().values()), "expected no entry of people without jobs"


def test_fair_queue_rejects_requests_beyond_its_bound():
    queue: FairQueue[str] = FairQueue()
    for k in range(3):
        queue.push(PLAY, "Ann", f"a{k}", 3)
    with pytest.raises(RateLimitedError):
        queue.push(PLAY, "Ann", "a3", 3)
    queue.push(PLAY, "Ben", "b0", 3)
    assert serve_all(queue) == ["a0", "b0", "a1", "a2"]


async def run_pending() -> None:
    """Run everything that is ready on the event loop."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_cancelled_job_leaves_the_worker_to_others():
    async def compete() -> None:
        pool, served, release = WorkerPool(process_count=1000), [], asyncio.Event()

        async def be_served(name: str) -> None:
            async with pool.slot(PLAY, name):
                served.append(name)
                await release.wait()

        first, second, _, fourth = (asyncio.ensure_future(be_served(name)) for name in "abcd")
        await run_pending()
        second.cancel()  # while waiting
        first.cancel()  # while being served
        await run_pending()
        assert served == ["a", "c"]
        release.set()
        await asyncio.sleep(0)  # its turn has come, but the task has not run yet
        fourth.cancel()
        await run_pending()
        assert pool.busy == 0
        await be_served("e")
        assert served[-1] == "e"

    run_in_loop(asyncio.wait_for(compete(), 60))
