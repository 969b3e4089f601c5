"""A fair queue of jobs: people take turns, however many jobs each has. It does no I/O and uses no clock.

More urgent jobs go first: bots' answers at tables with people, and hints; then reviews; then tables without people.
Jobs of equal priority alternate between people, and each person's jobs are served in order.
"""

from __future__ import annotations

from collections import OrderedDict
from enum import IntEnum
from typing import Generic, TypeVar

from diamonds.server.errors import RateLimitedError

MAX_WAITING_PER_PERSON = 8  # further hints for this person are refused
QueuedItem = TypeVar("QueuedItem")


class Priority(IntEnum):
    """The priority of a job; the lowest goes first."""

    LIVE = 0
    REVIEW = 1
    UNWATCHED = 2


class FairQueue(Generic[QueuedItem]):
    """Waiting jobs by priority and person. People without jobs use no memory."""

    def __init__(self) -> None:
        self.jobs: tuple[OrderedDict[str, OrderedDict[QueuedItem, None]], ...] = tuple(OrderedDict() for _ in Priority)

    def waiting(self) -> dict[str, int]:
        """Return the number of waiting people by priority."""
        return {priority.name.lower(): len(self.jobs[priority]) for priority in Priority}

    def push(self, priority: Priority, person: str, item: QueuedItem, max_waiting: int | None = None) -> None:
        """Add a job after the person's other jobs. Raise `RateLimitedError` if `max_waiting` are already waiting."""
        waiting = self.jobs[priority]
        if max_waiting is not None and len(waiting.get(person, ())) >= max_waiting:
            raise RateLimitedError("server-jobs-enough", 2)
        waiting.setdefault(person, OrderedDict())[item] = None

    def cancel(self, priority: Priority, person: str, item: QueuedItem) -> None:
        """Remove a job if it is still waiting."""
        waiting = self.jobs[priority]
        own = waiting.get(person)
        if own is not None:
            own.pop(item, None)
            if not own:
                del waiting[person]

    def pop(self) -> QueuedItem | None:
        """Remove and return the next job, and move its person behind all others; `None` if there is none."""
        for waiting in self.jobs:
            if waiting:
                person, own = waiting.popitem(last=False)
                item, _ = own.popitem(last=False)
                if own:
                    waiting[person] = own
                return item
        return None
