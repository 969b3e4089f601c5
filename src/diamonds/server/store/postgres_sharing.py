"""What processes that share a database in PostgreSQL tell each other: see `Sharing`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from diamonds.server.store import failpoints, sharing_sql
from diamonds.server.store.carrying import carried_of
from diamonds.server.store.contract import Stored
from diamonds.server.store.postgres_connection import AGAIN, Connection, Readers
from diamonds.server.store.sharing import News, Process, Rung
from diamonds.server.store.wakeups import CHANNEL, MOST, Listener

UNSEEN = 3.0  # seconds for which somebody who was there lately is waited for before they are taken for dead

Do = Callable[[Callable[[Connection, Any], Any], Any], Awaitable[Any]]


def _signed(connection: Connection, what: sharing_sql.Sign) -> tuple[int, list[Process]] | None:
    try:
        return sharing_sql.sign(connection, what)
    except sharing_sql.NotYet:
        return None


class PostgresSharing:
    """See `Sharing`. ``do`` has the writing thread do something."""

    def __init__(self, readers: Readers, listener: Listener, do: Do) -> None:
        self._readers, self._do = readers, do
        self.listener = listener

    async def enter(self, process: str, door: str, wall: int) -> int:
        """See `Sharing`."""
        sign = sharing_sql.Sign(process, door, wall, time.monotonic(), comes=True, waits=True)
        asked = 0.0
        while (signed := await self._do(_signed, sign)) is None:
            asked = asked or time.monotonic()
            if time.monotonic() - asked > UNSEEN:  # they have died
                sign = sign._replace(waits=False)
            await asyncio.sleep(AGAIN)
        now, _ = signed
        return int(now)

    async def sign(self, process: str, door: str, now: int) -> tuple[int, list[Process]]:
        """See `Sharing`."""
        house, alive = await self._do(sharing_sql.sign, sharing_sql.Sign(process, door, now, time.monotonic()))
        return int(house), list(alive)

    async def there(self) -> list[Process]:
        """See `Sharing`."""
        return await self._readers.find(sharing_sql.there)

    async def keys(self, own: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
        """See `Sharing`."""
        first, second = await self._do(sharing_sql.keys, sharing_sql.Keys(*own))
        self.listener.seal.use(first)
        return first, second

    async def leave(self, process: str) -> None:
        """See `Sharing`."""
        await self._do(sharing_sql.leave, sharing_sql.Leave(process))

    async def say(self, process: str, slates: Mapping[str, bytes]) -> None:
        """See `Sharing`."""
        await self._do(sharing_sql.say, sharing_sql.Say(process, slates))

    async def said(self, keys: Collection[str] | None) -> list[tuple[str, str, bytes]]:
        """See `Sharing`."""
        return await self._readers.find(sharing_sql.said, keys)

    async def since(self, table: str, n: int) -> Stored | None:
        """See `Sharing`."""
        return await self._readers.read(sharing_sql.since, table, n)

    async def wanted(self, tables: Collection[str], people: Collection[str], public: bool) -> set[str]:
        """See `Sharing`."""
        return await self._readers.find(sharing_sql.wanted, [*tables], [*people], public)

    async def elsewhere(self) -> list[Rung] | None:
        """See `Sharing`."""
        return await self.listener.elsewhere()

    async def news(self, since: int) -> News:
        """See `Sharing`."""
        return await self._readers.read(sharing_sql.news, self.listener.mark, since)

    def tell(self, connection: Connection, number: str, changes: Collection[tuple[Any, Any]]) -> None:
        """Tell others, once the transaction of this number is committed, what has become of these changes."""
        told = {word for change, outcome in changes for word in sharing_sql.words_of(change, outcome)}
        if told:
            words = " ".join(sorted(told))
            payload = self.listener.seal.close(number, words, carried_of(changes), MOST)
            rings = "" if failpoints.wrong("no_bell") else payload
            sharing_sql.tell(connection, self.listener.mark, number, words, CHANNEL, rings)
