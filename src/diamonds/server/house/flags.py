"""One timer for the clocks of all tables: it goes off when the next flag falls, wherever that is.

As long as any clock runs, the house also writes down that it is alive: every second, or every minute if no flag falls for hours. So after
a kill nobody's clock has lost more than that, and nobody's has lost the time until the house is open again.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable

SOON = 6 * 3_600_000  # milliseconds: a flag that falls within them is that of a live game, or nearly due
BEAT, SLOW_BEAT = 1.0, 60.0  # seconds between two signs of life
PATIENCE = 3_600.0  # seconds after which it is looked again in any case


class Flags:
    """When the next flag falls at each table. ``fall`` is told which table; ``beat`` writes down that the house is alive."""

    def __init__(self, now: Callable[[], int], fall: Callable[[str], None], beat: Callable[[int], object]) -> None:
        self.now = now
        self._fall = fall
        self._beat = beat
        self._due: dict[str, int] = {}
        self._heap: list[tuple[int, str]] = []  # some of them no longer true: `_due` says which are
        self._timer: asyncio.TimerHandle | None = None
        self._pulse: asyncio.TimerHandle | None = None
        self._slow = False  # whether the next sign of life is far off

    def __len__(self) -> int:
        return len(self._due)

    def close(self) -> None:
        """No flag falls any more."""
        for timer in (self._timer, self._pulse):
            if timer is not None:
                timer.cancel()
        self._due.clear()

    def set(self, table: str, due: int | None) -> None:
        """From now on the next flag of a table falls then, or none."""
        if due is None:
            self._due.pop(table, None)
        elif self._due.get(table) != due:
            self._due[table] = due
            heapq.heappush(self._heap, (due, table))
            if len(self._heap) > 2 * len(self._due) + 64:
                self._heap = [(when, id) for id, when in self._due.items()]
                heapq.heapify(self._heap)
        self._arm()

    def has(self, table: str) -> bool:
        """Return whether a clock runs at a table."""
        return table in self._due

    def look(self) -> None:
        """Let the flags fall that are due."""
        now = self.now()
        while (first := self._first()) is not None and first[0] <= now:
            heapq.heappop(self._heap)
            del self._due[first[1]]
            self._fall(first[1])
        self._arm()

    def _first(self) -> tuple[int, str] | None:
        """The flag that falls next."""
        while self._heap and self._due.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0] if self._heap else None

    def _arm(self) -> None:
        """The timer goes off when the next flag falls."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        first = self._first()
        if first is None:
            return
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(min(PATIENCE, max(0, first[0] - self.now()) / 1000), self.look)
        if self._pulse is not None and self._slow and first[0] - self.now() < SOON:
            self._pulse.cancel()
            self._pulse = None
        if self._pulse is None:
            self._slow = False
            self._pulse = loop.call_later(BEAT, self._alive)

    def _alive(self) -> None:
        """A sign of life, as long as a clock runs."""
        self._pulse = None
        first = self._first()
        if first is not None:
            now = self.now()
            self._beat(now)
            self._slow = first[0] - now >= SOON
            self._pulse = asyncio.get_running_loop().call_later(SLOW_BEAT if self._slow else BEAT, self._alive)
