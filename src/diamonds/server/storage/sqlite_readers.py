"""Reads of SQLite that may take milliseconds: in threads of their own, so that nobody waits for them who did not ask.

What is found by a key is read on the event loop instead: it takes some ten microseconds, and to hand it to a thread and back takes
five times as long.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

import apsw

READER_THREADS = 2  # a long game keeps nobody waiting but whoever asks for another long one

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


class SqliteReaderPool:
    """The event loop's own connection, and threads each with one; ``connect`` makes them."""

    def __init__(self, connect: Callable[[], apsw.Connection]) -> None:
        self._connect = connect
        self._threads = ThreadPoolExecutor(READER_THREADS, "read")
        self._local = threading.local()
        self._opened: list[apsw.Connection] = []

    def open(self) -> None:
        """From now on something can be read."""
        self.loop_connection = self._connect()
        self._opened.append(self.loop_connection)

    async def find(
        self, work: Callable[Concatenate[apsw.Connection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """Return what ``work`` finds, at once."""
        return work(self.loop_connection, *args, **more)

    async def read(
        self, work: Callable[Concatenate[apsw.Connection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """What ``work`` finds, given a connection."""
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: work(self._thread_connection(), *args, **more)
        )

    def close(self) -> None:
        """Let what is being read come to its end, and begin nothing more."""
        self._threads.shutdown(cancel_futures=True)
        for connection in self._opened:
            connection.close()

    def _thread_connection(self) -> apsw.Connection:
        """This thread's own connection."""
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
            self._opened.append(connection)
        return connection
