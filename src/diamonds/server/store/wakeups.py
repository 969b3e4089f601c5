"""Who changes something rings for the other processes at the same database: one notification a commit, see `carrying`.

It may be lost with the connection, and then those who listen are told to ask for what they have missed. Of its own changes a
process hears nothing.
"""

from __future__ import annotations

import asyncio
import secrets
import selectors
import socket
import threading

import psycopg

from diamonds.server.store.carrying import Seal
from diamonds.server.store.postgres_connection import AGAIN, Away, Connection
from diamonds.server.store.sharing import Rung

CHANNEL = "diamonds"
MOST = 7_900  # bytes of a notification, a little less than PostgreSQL allows


class Listener:
    """Hears of what other processes have changed, in a thread; ``mark`` is by which it knows its own."""

    def __init__(self, address: str) -> None:
        self.mark = secrets.token_hex(8)
        self.seal = Seal(self.mark)
        self._address = address
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Listen from now on; what is heard is for this loop."""
        self._loop = loop
        self._ends, self._end = socket.socketpair()
        self._heard: list[Rung] = []
        self._missed = False
        self._news = asyncio.Event()
        self._thread = threading.Thread(target=self._listen, name="wakeups", daemon=True)
        self._thread.start()

    async def elsewhere(self) -> list[Rung] | None:
        """See `Sharing`."""
        await self._news.wait()
        self._news.clear()
        heard, self._heard = self._heard, []
        missed, self._missed = self._missed, False
        return None if missed else heard

    def _listen(self) -> None:
        while not self._ended.is_set():
            try:
                connection = Connection(self._address)
            except Exception:  # away, or not to be used: who writes says so
                self._ended.wait(AGAIN)
                continue
            try:
                with (
                    connection.watched(),
                    selectors.DefaultSelector() as ready,
                ):  # `select` knows no more than 1,024 files
                    for source in (connection.raw.fileno(), self._ends.fileno()):
                        ready.register(source, selectors.EVENT_READ)
                    connection.raw.execute(f"LISTEN {CHANNEL}")
                    self._tell(None)  # what was said before is missed
                    while not self._ended.is_set():
                        ready.select()
                        heard = [self.seal.open(each.payload) for each in connection.raw.notifies(timeout=0)]
                        if new := [each for each in heard if each is not None]:
                            self._tell(new)
            except (Away, psycopg.Error):
                self._ended.wait(AGAIN)
            finally:
                connection.close()

    def _tell(self, heard: list[Rung] | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._hear, heard)

    def _hear(self, heard: list[Rung] | None) -> None:
        self._missed = self._missed or heard is None
        self._heard += heard or []
        self._news.set()

    def close(self) -> None:
        """Listen no more."""
        self._ended.set()
        if self._thread is not None:
            self._end.close()
            self._thread.join()
            self._ends.close()
