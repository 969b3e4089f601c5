"""A fair queue of jobs: people take turns, however many jobs each has. It does no I/O and uses no clock.

Addresses also take turns: someone who acts as many guests has one share.

More urgent jobs go first: bots' answers at tables with people, and hints; then reviews; then tables without people.
Jobs of equal priority alternate between addresses, those of one address between people, and each person's jobs are
served in order.
"""

from __future__ import annotations

from collections import OrderedDict
from enum import IntEnum
from typing import Generic, TypeVar

from diamonds.server.errors import RateLimitedError

MAX_WAITING_PER_PERSON = 8  # then further hints for this person are refused
QueuedItem = TypeVar("QueuedItem")


class Priority(IntEnum):
    """The priority of a job; the lowest goes first."""

    LIVE = 0
    REVIEW = 1
    UNWATCHED = 2


class FairQueue(Generic[QueuedItem]):
    """Waiting jobs by priority, address and person. People without jobs use no memory."""

    def __init__(self) -> None:
        self.jobs: tuple[OrderedDict[str, OrderedDict[str, OrderedDict[QueuedItem, None]]], ...] = tuple(
            OrderedDict() for _ in Priority
        )

    def waiting(self) -> dict[str, int]:
        """Return the number of waiting people by priority."""
        return {priority.name.lower(): sum(map(len, self.jobs[priority].values())) for priority in Priority}

    def push(
        self, priority: Priority, person: str, item: QueuedItem, max_waiting: int | None = None, address: str = ""
    ) -> None:
        """Add a job after the person's other jobs. Raise `RateLimitedError` if `max_waiting` are already waiting."""
        people = self.jobs[priority].get(address, OrderedDict())
        if max_waiting is not None and len(people.get(person, ())) >= max_waiting:
            raise RateLimitedError("server-jobs-enough", 2)
        people.setdefault(person, OrderedDict())[item] = None
        self.jobs[priority][address] = people

    def cancel(self, priority: Priority, person: str, item: QueuedItem, address: str = "") -> None:
        """Remove a job if it is still waiting."""
        people = self.jobs[priority].get(address)
        if people and person in people:
            people[person].pop(item, None)
            if not people[person]:
                del people[person]
            if not people:
                del self.jobs[priority][address]

    def pop(self) -> QueuedItem | None:
        """Remove and return the next job, and move its person and address behind all others; `None` if there is none."""
        for addresses in self.jobs:
            if addresses:
                address, people = addresses.popitem(last=False)
                person, own = people.popitem(last=False)
                item, _ = own.popitem(last=False)
                if own:
                    people[person] = own
                if people:
                    addresses[address] = people
                return item
        return None
