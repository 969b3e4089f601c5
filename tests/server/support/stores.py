"""Stores of every kind, with synchronous calls."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import apsw
import psycopg

from diamonds.server.storage.commit_outcomes import CommitOutcome
from diamonds.server.storage.postgres import PostgresStore
from diamonds.server.storage.sqlite import SqliteStore
from tests.server.support.live_server import LoopThread, SyncStore


class StoreFixture:
    """A file or database and the stores opened on it, which share one event loop."""

    def __init__(self, kind: str, location: Path | str, loop: LoopThread) -> None:
        self.kind, self.location, self.loop = kind, location, loop
        self._opened: list[SyncStore] = []

    def open(self, **more: Any) -> SyncStore:
        """Open another store on the same file or database."""
        make: Any = {"sqlite": SqliteStore, "postgresql": PostgresStore}[self.kind]
        self._opened.append(SyncStore(make(self.location, **more), self.loop))
        self._opened[-1].open()
        return self._opened[-1]

    def close(self) -> None:
        while self._opened:
            self._opened.pop().close()

    def query(self, statement: str) -> list[Any]:
        """Run a statement directly on the database, bypassing the stores."""
        if self.kind == "sqlite":
            with contextlib.closing(apsw.Connection(str(Path(self.location) / "diamonds.sqlite"))) as file:
                return file.execute(statement).fetchall()
        with psycopg.connect(str(self.location), autocommit=True) as connection:
            asked = connection.execute(statement.encode())
            return asked.fetchall() if asked.description else []


def commit_concurrently(store: SyncStore, *changes: Any) -> list[Any]:
    """Commit changes concurrently; return an outcome or an exception for each."""

    async def commit_all() -> list[Any]:
        return await asyncio.gather(*(store.async_store.commit(change) for change in changes), return_exceptions=True)

    return store.loop.run(commit_all())  # type: ignore[no-any-return]


def commit_each(store: SyncStore, *changes: Any) -> list[CommitOutcome]:
    return [store.commit(change) for change in changes]
