"""The process of plug-in bots.

Their code never runs in the server's own process, nor in those of levels, hints and reviews.

A plug-in bot gets only views, so it sees no more than a player in its seat. If it takes too long, its process is ended,
and the next decision starts a new one.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from typing import Any

from diamonds.bots import levels
from diamonds.errors import NotFoundError

MAX_WAIT_S = 15.0  # longest wait for the process
MAX_DECISION_S = 20.0  # per decision; the first one includes loading the bot


class PluginProcess:
    """One process, started on first use, that makes one decision at a time."""

    def __init__(self, initializer: Callable[[int], None]) -> None:
        self._initializer = initializer
        self._executor: ProcessPoolExecutor | None = None
        self._lock = asyncio.Lock()

    async def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a function in the process.

        Raise `TimeoutError` if it does not start or end in time, and `BrokenExecutor` if it ends the process.
        """
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(MAX_WAIT_S) as start_timeout:
            await self._lock.acquire()
            start_timeout.reschedule(None)
        try:
            if self._executor is None:
                context = multiprocessing.get_context("spawn")
                self._executor = ProcessPoolExecutor(1, context, initializer=self._initializer, initargs=(os.getpid(),))
            async with asyncio.timeout(MAX_DECISION_S):
                return await loop.run_in_executor(self._executor, function, *args)
        except (TimeoutError, BrokenExecutor):
            await self.close()
            raise
        finally:
            self._lock.release()

    async def close(self) -> None:
        """End the process without waiting for its decision."""
        if (pool := self._executor) is not None:
            self._executor = None
            await asyncio.to_thread(kill_pool, pool)


def kill_pool(pool: ProcessPoolExecutor) -> None:
    """End a pool without waiting for its jobs."""
    processes = list((pool._processes or {}).values())
    for process in processes:
        process.kill()
    if processes:  # a process killed while sending a result would leave the pool waiting for the rest of it
        pool._result_queue._writer.close()  # type: ignore[attr-defined]
    pool.shutdown(wait=True, cancel_futures=True)


def check_plugins(names: Sequence[str]) -> None:
    """Load bots in another process. Raise `DiamondsError` if one of them cannot be loaded or has no name for tables."""
    if not names:
        return
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        try:
            pool.submit(_load_plugins, tuple(names)).result()
        except BrokenExecutor:
            raise NotFoundError("bot-process-ended", name=", ".join(names)) from None


def _load_plugins(names: Sequence[str]) -> None:
    for name in names:
        levels.find_bot(name)
        levels.level_name(name)
