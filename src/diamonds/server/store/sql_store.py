"""The calls of a `Store` that SQLite and PostgreSQL answer alike."""

from __future__ import annotations

from collections.abc import Collection

from diamonds.server.store import tables_sql
from diamonds.server.store.accounts_sql import SqlAccounts
from diamonds.server.store.books_sql import SqlBooks
from diamonds.server.store.contract import Anything, Listed, Outcome, Playing, Stored
from diamonds.server.store.group_commit import GroupCommitWriter
from diamonds.server.store.pushes_sql import SqlPushes
from diamonds.server.store.sql import Connection, Reader


class SqlStore:
    """What ``readers`` find and ``writer`` writes."""

    def __init__(self, readers: Reader, writer: GroupCommitWriter) -> None:
        self._readers, self._writer = readers, writer
        self._lasts: dict[str, int] = {}  # the writing thread's: how far some tables are
        self.written = writer.written
        self.accounts = SqlAccounts(readers)
        self.books = SqlBooks(readers)
        self.pushes = SqlPushes(readers)

    async def commit(self, change: Anything) -> Outcome:
        """See `Store`."""
        return await self._writer.submit(self._apply, change)

    def _apply(self, connection: Connection, change: Anything) -> Outcome:
        """Apply a change on the writing thread."""
        return tables_sql.applied(connection, change, self._lasts)

    async def reserve(self, numbers: int) -> int:
        """See `Store`."""
        return await self._writer.submit(tables_sql.reserve, numbers)

    async def open_clocks(self, wall: int) -> int:
        """See `Store`."""
        return await self._writer.submit(tables_sql.open_clocks, wall)

    async def running_clocks(self) -> list[tuple[str, bytes, int]]:
        """See `Store`."""
        return await self._readers.read(tables_sql.running_clocks)

    async def load(self, table: str) -> Stored | None:
        """See `Store`."""
        return await self._readers.read(tables_sql.load, table)

    async def recall(self, table: str, person: str, key: str, body: bytes) -> Outcome | None:
        """See `Store`."""
        return await self._readers.find(tables_sql.recall, table, person, key, body)

    async def mine(self, person: str, most: int) -> list[Listed]:
        """See `Store`."""
        return await self._readers.find(tables_sql.mine, person, most)

    async def playing(self, person: str) -> list[Playing]:
        """See `Store`."""
        return await self._readers.find(tables_sql.playing, person)

    async def answered(self, person: str, table: str) -> int:
        """See `Store`."""
        return await self._readers.find(tables_sql.answered, person, table)

    async def names(self, people: Collection[str]) -> dict[str, str]:
        """See `Store`."""
        return await self._readers.find(tables_sql.names, people)
