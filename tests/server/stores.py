"""The stores that there are, each to be asked without waiting in every line."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import apsw
import psycopg
from guests import Apart, Asked

from diamonds.server.store.contract import Outcome
from diamonds.server.store.postgres import PostgresStore
from diamonds.server.store.sqlite import SqliteStore


class Place:
    """Where a store keeps what it is given: a file or a database. All of its stores have one event loop."""

    def __init__(self, kind: str, at: Path | str, apart: Apart) -> None:
        self.kind, self.at, self.apart = kind, at, apart
        self._opened: list[Asked] = []

    def open(self, **more: Any) -> Asked:
        """Another store here; what the one before has kept is there."""
        make: Any = {"sqlite": SqliteStore, "postgresql": PostgresStore}[self.kind]
        self._opened.append(Asked(make(self.at, **more), self.apart))
        self._opened[-1].open()
        return self._opened[-1]

    def close(self) -> None:
        """Close the stores that are open."""
        while self._opened:
            self._opened.pop().close()

    def sql(self, statement: str) -> list[Any]:
        """What a database says to others than its store."""
        if self.kind == "sqlite":
            with contextlib.closing(apsw.Connection(str(Path(self.at) / "diamonds.sqlite"))) as file:
                return file.execute(statement).fetchall()
        with psycopg.connect(str(self.at), autocommit=True) as connection:
            asked = connection.execute(statement.encode())
            return asked.fetchall() if asked.description else []


def together(store: Asked, *changes: Any) -> list[Any]:
    """What became of the changes, made at the same time: outcomes, or why there is none."""

    async def at_once() -> list[Any]:
        return await asyncio.gather(*(store.real.commit(change) for change in changes), return_exceptions=True)

    return store._apart.run(at_once())  # type: ignore[no-any-return]


def commit(store: Asked, *changes: Any) -> list[Outcome]:
    """What became of the changes, one after the other."""
    return [store.commit(change) for change in changes]
