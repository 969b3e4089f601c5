"""Who changes a table tells the other processes at the same database, so that they look: one notification a commit.

A notification is no more than a hint: it may be lost with the connection, and then those who listen are told that anything may have
changed. Of a process's own changes it hears nothing.
"""

from __future__ import annotations

import asyncio
import secrets
import select
import socket
import threading
from collections.abc import Collection

import psycopg

from diamonds.server.store.postgres_connection import AGAIN, Away, Connection

CHANNEL = "diamonds"
MOST = 7_900  # bytes that a notification may have, a little less than PostgreSQL allows

ANYTHING: frozenset[str] = frozenset()


def wake(connection: Connection, mark: str, tables: Collection[str]) -> None:
    """Tell of these tables when the transaction is committed; of any, if there are none or too many to be named."""
    words = " ".join((mark, *sorted(tables)))
    if len(words.encode()) > MOST:
        words = mark
    connection.execute("SELECT pg_notify(?::text, ?::text)", (CHANNEL, words))


class Listener:
    """Hears of what other processes have changed, in a thread; ``mark`` is by which it knows its own."""

    def __init__(self, address: str) -> None:
        self.mark = secrets.token_hex(4)
        self._address = address
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Listen from now on; what is heard is for this loop."""
        self._loop = loop
        self._ends, self._end = socket.socketpair()
        self._changed: set[str] = set()
        self._anything = False
        self._news = asyncio.Event()
        self._thread = threading.Thread(target=self._listen, name="wakeups", daemon=True)
        self._thread.start()

    async def elsewhere(self) -> frozenset[str]:
        """Wait until another process has changed tables, and say which; `ANYTHING`: it may be any."""
        await self._news.wait()
        self._news.clear()
        changed, self._changed = self._changed, set()
        anything, self._anything = self._anything, False
        return ANYTHING if anything else frozenset(changed)

    def _listen(self) -> None:
        while not self._ended.is_set():
            try:
                connection = Connection(self._address)
            except Exception:  # away, or not to be used: who writes says so
                self._ended.wait(AGAIN)
                continue
            try:
                with connection.watched():
                    connection.raw.execute(f"LISTEN {CHANNEL}")
                    self._tell(self.mark + "*")  # what was said before is lost
                    while not self._ended.is_set():
                        select.select([connection.raw.fileno(), self._ends.fileno()], [], [])
                        for heard in connection.raw.notifies(timeout=0):
                            self._tell(heard.payload)
            except (Away, psycopg.Error):
                self._ended.wait(AGAIN)
            finally:
                connection.close()

    def _tell(self, payload: str) -> None:
        mark, *tables = payload.split()
        if mark != self.mark and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._hear, tables)

    def _hear(self, tables: list[str]) -> None:
        self._changed.update(tables)
        self._anything = self._anything or not tables
        self._news.set()

    def close(self) -> None:
        """Listen no more."""
        self._ended.set()
        if self._thread is not None:
            self._end.close()
            self._thread.join()
            self._ends.close()
