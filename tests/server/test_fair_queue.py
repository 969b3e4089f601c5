"""Fair queue: people are served in turn, however many jobs each has."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from diamonds.server.errors import RateLimitedError
from diamonds.server.jobs.fair_queue import FairQueue, Priority
from diamonds.server.jobs.worker_pool import WorkerPool
from tests.server.support.live_server import run_in_loop

PLAY, REVIEW, UNWATCHED = Priority


def serve_all(queue: FairQueue[str]) -> list[str]:
    """Serve everything queued; return the people in order."""
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


# With a worker pool whose processes are simulated


def run_with_one_worker(test: Callable[[WorkerPool], Awaitable[Any]]) -> Any:
    """Run a coroutine with a pool that has one simulated worker."""

    async def run() -> Any:
        return await asyncio.wait_for(test(WorkerPool(process_count=1000)), 60)

    return run_in_loop(run())


async def run_pending() -> None:
    """Run everything that is ready on the event loop."""
    for _ in range(20):
        await asyncio.sleep(0)


class JobRequester:
    """A person with a job that lasts as long as the test wants."""

    served_order: list[str]

    def __init__(self, pool: WorkerPool, name: str, priority: Priority = PLAY) -> None:
        self.release_job = asyncio.Event()
        self.task = asyncio.get_running_loop().create_task(self._be_served(pool, name, priority))

    async def _be_served(self, pool: WorkerPool, name: str, priority: Priority) -> None:
        async with pool.slot(priority, name[0]):
            self.served_order.append(name)
            await self.release_job.wait()


def test_worker_runs_one_job_at_a_time_in_queue_order():
    async def test(pool: WorkerPool) -> None:
        JobRequester.served_order = served = []
        people = {name: JobRequester(pool, name) for name in ("a0", "a1", "a2", "b0")}
        order = ["a0", "a1", "b0", "a2"]
        for k, name in enumerate(order, 1):
            await run_pending()
            assert served == order[:k]
            people[name].release_job.set()
        await run_pending()
        assert pool.busy == 0

    run_with_one_worker(test)


def test_cancelled_job_leaves_the_worker_to_others():
    async def test(pool: WorkerPool) -> None:
        JobRequester.served_order = served = []
        first, second, third, fourth = (JobRequester(pool, name) for name in ("a0", "b0", "c0", "d0"))
        await run_pending()
        second.task.cancel()  # while waiting
        first.task.cancel()  # while being served
        await run_pending()
        assert served == ["a0", "c0"]
        third.release_job.set()
        await asyncio.sleep(0)  # its turn has come, but the task has not run yet
        fourth.task.cancel()
        await run_pending()
        assert pool.busy == 0
        last = JobRequester(pool, "e0")
        await run_pending()
        assert served[-1] == "e0"
        last.release_job.set()
        await run_pending()

    run_with_one_worker(test)
