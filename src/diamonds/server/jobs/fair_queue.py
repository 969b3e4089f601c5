"""Whose turn it is to be thought for: people take turns, however much each of them wants. Knows no processes and no clock.

What is more urgent goes first: a bot's answer where somebody plays, and hints; then reviews; then tables at which nobody
sits. Among what is equally urgent people take turns, and each one's wishes are served in the order in which they came.
"""

from __future__ import annotations

from collections import OrderedDict
from enum import IntEnum
from typing import Generic, TypeVar

from diamonds.server.errors import RateLimitedError

MAX_WAITING_PER_PERSON = 8  # wishes of one person that may wait before hints are refused
QueuedItem = TypeVar("QueuedItem")


class Priority(IntEnum):
    """How urgent a wish is; the lowest goes first."""

    LIVE = 0
    REVIEW = 1
    UNWATCHED = 2


class FairQueue(Generic[QueuedItem]):
    """Wishes that wait, by urgency and by person. A person without wishes is not remembered."""

    def __init__(self) -> None:
        self._waiting: tuple[OrderedDict[str, OrderedDict[QueuedItem, None]], ...] = tuple(
            OrderedDict() for _ in Priority
        )

    def waiting(self) -> dict[str, int]:
        """How many people wait, by how urgent it is."""
        return {priority.name.lower(): len(self._waiting[priority]) for priority in Priority}

    def push(self, priority: Priority, person: str, item: QueuedItem, max_waiting: int | None = None) -> None:
        """Wait behind one's own wishes; `RateLimitedError` if ``most`` of them wait already."""
        waiting = self._waiting[priority]
        if max_waiting is not None and len(waiting.get(person, ())) >= max_waiting:
            raise RateLimitedError("server-jobs-enough", 2)
        waiting.setdefault(person, OrderedDict())[item] = None

    def cancel(self, priority: Priority, person: str, item: QueuedItem) -> None:
        """Wait no longer, if one did."""
        waiting = self._waiting[priority]
        own = waiting.get(person)
        if own is not None:
            own.pop(item, None)
            if not own:
                del waiting[person]

    def pop(self) -> QueuedItem | None:
        """Who is next, and waits no longer; its person is now behind all others. ``None`` if nobody waits."""
        for waiting in self._waiting:
            if waiting:
                person, own = waiting.popitem(last=False)
                item, _ = own.popitem(last=False)
                if own:
                    waiting[person] = own
                return item
        return None
