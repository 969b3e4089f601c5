"""Pools of the lab: the same results in the same order, in this process, in several, and on a Ray cluster that loses workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.lab import pool
from diamonds.lab.pool import LocalPool, OneProcess, open_pool


class Squares(NamedTuple):
    """A job for tests: it adds a number to squares, and fails or kills its process at some tasks."""

    added: int
    failing: int = -1
    killing: int = -1

    def open(self) -> Callable[[int], int]:
        """See `diamonds.lab.pool.Job`."""
        return self.square

    def square(self, task: int) -> int:
        """Return the square."""
        if task == self.killing:
            os.kill(os.getpid(), signal.SIGKILL)
        if task == self.failing:
            raise InvalidInputError("game-no-seat", given=str(task))
        return task * task + self.added


@pytest.mark.parametrize("count", [1, 2])
def test_pool_yields_results_in_order_and_takes_few_tasks_ahead(count: int) -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for task in range(40):
            taken.append(task)
            yield task

    with open_pool(count) as workers:
        assert isinstance(workers, OneProcess if count == 1 else LocalPool)
        results = workers.run(Squares(3), tasks())
        assert [next(results) for _ in range(3)] == [3, 4, 7]
        assert len(taken) <= 3 + pool.PENDING_TASKS_PER_WORKER * count
        assert list(results) == [task * task + 3 for task in range(3, 40)]
        assert list(workers.run(Squares(5), [2])) == [9], "expected the second job's result"


@pytest.mark.parametrize("count", [1, 2])
def test_error_of_a_task_is_raised_with_its_message(count: int) -> None:
    with open_pool(count) as workers, pytest.raises(InvalidInputError, match="There is no seat “2”"):
        list(workers.run(Squares(0, failing=2), range(4)))


def test_killed_local_process_ends_the_command() -> None:
    with open_pool(2) as workers, pytest.raises(NotAllowedError, match="A process was killed"):
        list(workers.run(Squares(0, killing=2), range(20)))
