"""Pools that do the tasks of long computations: in this process, in several local ones, or on a Ray cluster.

The result of a task depends only on its job and the task. So every pool yields the same results, in the order of the
tasks, whichever worker does a task and however often the task of a lost worker is repeated.
"""

from __future__ import annotations

import importlib
import logging
import multiprocessing
import os
import pickle
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from diamonds import __version__, operating_system
from diamonds.code_fingerprint import source_hash
from diamonds.errors import InvalidInputError, NotAllowedError

PENDING_TASKS_PER_WORKER = 2
GROUP_SECONDS = 0.2  # seconds of work in a message to a Ray worker, which costs milliseconds of CPU time

Task = TypeVar("Task")
Result = TypeVar("Result")
Handle = TypeVar("Handle")
TaskIn = TypeVar("TaskIn", contravariant=True)
ResultOut = TypeVar("ResultOut", covariant=True)


class Job(Protocol[TaskIn, ResultOut]):
    """A function for many tasks, with the data that they share. It is pickled for other processes."""

    def open(self) -> Callable[[TaskIn], ResultOut]:
        """Return the function that does a task. Each process calls this once, for example to load kernels."""
        ...


class Pool(ABC):
    """Workers that can do tasks until the pool is closed."""

    @abstractmethod
    def run(self, job: Job[Task, Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of each task in order. Only a few tasks are taken from ``tasks`` in advance."""

    def close(self) -> None:  # noqa: B027 — not every pool has something to end
        """End the workers."""

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class OneProcess(Pool):
    """This process alone."""

    def run(self, job: Job[Task, Result], tasks: Iterable[Task]) -> Iterator[Result]:
        return map(job.open(), tasks)


class RemotePool(Pool, Generic[Handle]):
    """Workers in other processes, which do tasks in any order."""

    worker_count: int

    @abstractmethod
    def submit(self, pickled_job: bytes, task: Any) -> Handle:
        """Have a worker call `do_task`."""

    @abstractmethod
    def result_of(self, handle: Handle) -> Any:
        """Wait for a result, or raise the task's error."""

    @abstractmethod
    def cancel(self, handle: Handle) -> None:
        """Drop a task that may have begun."""

    def run(self, job: Job[Task, Result], tasks: Iterable[Task]) -> Iterator[Result]:
        pickled_job, pending = pickle.dumps(job), deque[Handle]()
        try:
            for task in tasks:
                pending.append(self.submit(pickled_job, task))
                if len(pending) == PENDING_TASKS_PER_WORKER * self.worker_count:
                    yield self.result_of(pending.popleft())
            while pending:
                yield self.result_of(pending.popleft())
        finally:
            for handle in pending:
                self.cancel(handle)


class LocalPool(RemotePool["Future[Any]"]):
    """Several processes on this machine."""

    def __init__(self, processes: int) -> None:
        self.worker_count = processes
        self._executor = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"))

    def submit(self, pickled_job: bytes, task: Any) -> Future[Any]:
        try:
            return self._executor.submit(do_task, pickled_job, task)
        except BrokenProcessPool:
            raise NotAllowedError("lab-process-killed") from None

    def result_of(self, handle: Future[Any]) -> Any:
        try:
            return handle.result()
        except BrokenProcessPool:
            raise NotAllowedError("lab-process-killed") from None

    def cancel(self, handle: Future[Any]) -> None:
        handle.cancel()

    def close(self) -> None:
        self._executor.shutdown(cancel_futures=True)


class RayPool(RemotePool[Any]):
    """All processors of a Ray cluster. Ray repeats the tasks of workers and nodes that fail.

    Every node needs Diamonds with the same sources, and the modules of your own bots.
    """

    def __init__(self, address: str) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # so that Ray sends no usage data
        try:
            self._ray = importlib.import_module("ray")
        except ModuleNotFoundError:
            raise InvalidInputError("lab-no-ray") from None
        try:
            self._ray.init(address, logging_level=logging.ERROR, log_to_driver=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise NotAllowedError("lab-ray-not-reached", address=address, why=str(error)) from None
        self.worker_count = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._do_tasks = self._ray.remote(num_cpus=1, max_retries=-1)(do_checked_tasks)
        self._pickled_job, self._stored_job = b"", None

    def run(self, job: Job[Task, Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """See `Pool`. Short tasks are sent in groups."""
        remaining, size = iter(tasks), 1
        groups = iter(lambda: list(islice(remaining, size)), [])
        group_job: Job[list[Task], tuple[list[Result], float]] = job  # type: ignore[assignment]  # `do_checked_tasks` does a group
        for results, seconds in super().run(group_job, groups):
            size = max(1, min(2 * size, int(GROUP_SECONDS * len(results) / max(seconds, 1e-6))))
            yield from results

    def submit(self, pickled_job: bytes, task: Any) -> Any:
        """See `RemotePool`; a task is a group."""
        if pickled_job is not self._pickled_job:
            self._pickled_job, self._stored_job = pickled_job, self._ray.put(pickled_job)
        return self._do_tasks.remote(versions(), self._stored_job, task)

    def result_of(self, handle: Any) -> Any:
        try:
            return self._ray.get(handle)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None

    def cancel(self, handle: Any) -> None:
        if self._ray.is_initialized():
            self._ray.cancel(handle)

    def close(self) -> None:
        self._ray.shutdown()


def open_pool(processes: int | None = None, ray: str | None = None) -> Pool:
    """Return the pool at a Ray cluster's address, or ``processes`` on this machine, by default one per core."""
    if ray is not None:
        return RayPool(ray)
    count = processes or operating_system.cpu_count()
    return OneProcess() if count == 1 else LocalPool(count)


# In the workers


@lru_cache(maxsize=1)
def versions() -> str:
    """Return the versions that must be equal on all nodes for equal results."""
    return f"{__version__} {source_hash()}"


@lru_cache(maxsize=2)
def open_job(pickled_job: bytes) -> Callable[[Any], Any]:
    """Return the opened job, which stays open in this process."""
    job: Job[Any, Any] = pickle.loads(pickled_job)
    return job.open()


def do_task(pickled_job: bytes, task: Any) -> Any:
    """Return the result of a task."""
    return open_job(pickled_job)(task)


def do_checked_tasks(expected_versions: str, pickled_job: bytes, tasks: Sequence[Any]) -> tuple[list[Any], float]:
    """Return the results of tasks and the seconds they took, unless this node has different sources."""
    if versions() != expected_versions:
        raise NotAllowedError("lab-ray-other-version", here=versions(), there=expected_versions)
    do = open_job(pickled_job)
    started = time.perf_counter()
    return [do(task) for task in tasks], time.perf_counter() - started
