"""Tasks in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class BackgroundTasks(set[asyncio.Task[Any]]):
    """The unfinished tasks of an object. The event loop alone would not keep them alive."""

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run a coroutine in the background. Return its task."""
        task = asyncio.get_running_loop().create_task(work)
        self.add(task)
        task.add_done_callback(self.discard)
        return task

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self:
            task.cancel()
