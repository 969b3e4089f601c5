"""What is done at a table when it has been so for a while. For how long it has, is not stored: after a restart that counts anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Due:
    """When it is time at which table; all wait equally long. ``now`` is the house's time, in milliseconds."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.now = now
        self.due: dict[str, int] = {}  # by table; whoever has waited longest stands first
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """The server stops."""
        for task in self._tasks:
            task.cancel()
        if self._timer is not None:
            self._timer.cancel()

    def wait(self, table: str, milliseconds: int) -> None:
        """From now on it is so at a table."""
        if table not in self.due:
            self.due[table] = self.now() + milliseconds
            self._arm()

    def look(self) -> None:
        """Do it wherever it is time."""
        now = self.now()
        for id in [id for id, due in self.due.items() if due <= now]:
            del self.due[id]
            task = asyncio.get_running_loop().create_task(self._end(id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._arm()

    def _arm(self) -> None:
        """The timer goes off when it is time at the next table."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        first = next(iter(self.due.values()), None)
        if first is not None:
            seconds = max(0, first - self.now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(seconds, self.look)

    async def _end(self, id: str) -> None:
        """It is time."""
        raise NotImplementedError
