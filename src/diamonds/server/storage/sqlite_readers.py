"""SQLite reads. Slow ones run in threads, so that nobody else waits for them.

Reads by key run on the event loop instead: they take about ten microseconds, and passing them to a thread and back
takes five times as long.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

import apsw

READER_THREADS = 2  # so a long game delays only other long ones

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


class SqliteReaderPool:
    """The event loop's connection, and threads with one connection each. `connect` opens connections."""

    def __init__(self, connect: Callable[[], apsw.Connection]) -> None:
        self._connect = connect
        self._threads = ThreadPoolExecutor(READER_THREADS, "read")
        self._local = threading.local()
        self._opened: list[apsw.Connection] = []

    def open(self) -> None:
        """Open the event loop's connection."""
        self.loop_connection = self._connect()
        self._opened.append(self.loop_connection)

    async def find(
        self, work: Callable[Concatenate[apsw.Connection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """Run `work` on the event loop and return its result."""
        return work(self.loop_connection, *args, **more)

    async def read(
        self, work: Callable[Concatenate[apsw.Connection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """Run `work` in a thread and return its result."""
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: work(self._thread_connection(), *args, **more)
        )

    def close(self) -> None:
        """Wait for running reads, and start no more."""
        self._threads.shutdown(cancel_futures=True)
        for connection in self._opened:
            connection.close()

    def _thread_connection(self) -> apsw.Connection:
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
            self._opened.append(connection)
        return connection
