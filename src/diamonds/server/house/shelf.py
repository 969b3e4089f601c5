"""The tables in memory: loaded when first asked for, dropped when nobody looks.

A table in memory is a computed copy of what is stored. Loading it plays its game again, which takes a while for a long one:
that is done in a thread, once however many ask. A table that is damaged costs nobody else anything.

Here is also what keeps a version from going back (see `Table.version`). Numbers for `Table.changes` are reserved in the store
before anyone is told them; a process begins above all that were reserved before, and a table that is loaded begins above
all that this process has told of any table. So a table's versions only grow, whoever is killed, dropped or loaded when.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor

from diamonds.game import Unknown
from diamonds.server.house.called import lines_of, names
from diamonds.server.store.contract import BLOCK, Change, Damaged, Store
from diamonds.server.table.loading import load
from diamonds.server.table.table import Table

IDLE = 300.0  # seconds after which a table that nobody looks at is dropped from memory
LOADERS = 2  # threads: a long game does not keep the short ones waiting
REMEMBERED = 1000  # damaged tables that are not tried again until the house is opened anew

log = logging.getLogger("diamonds")


class Shelf:
    """Tables by their names."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store = store
        self.now = now  # the house's time
        self.damaged: dict[str, None] = {}
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._threads = ThreadPoolExecutor(LOADERS, "load")
        self._floor = store.floor  # above every number for `changes` that was told before
        self._reserved = store.floor + BLOCK  # below this, numbers may be told
        self._reserving: asyncio.Task[None] | None = None
        self._late: list[tuple[Table, Callable[[], None]]] = []  # changes that wait for a number
        self._sweeper: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """The server stops."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for task in [*self._loading.values(), *([self._reserving] if self._reserving else [])]:
            task.cancel()
        self._threads.shutdown(cancel_futures=True)

    def get(self, id: str) -> Table | None:
        """A table, if it is in memory."""
        return self._tables.get(id)

    def all(self) -> list[Table]:
        """Every table in memory."""
        return list(self._tables.values())

    async def find(self, id: str) -> Table:
        """A table; `Unknown` if there is none, `Damaged` if it cannot be shown."""
        table = self._tables.get(id)
        if table is None:
            if id in self.damaged:
                raise Damaged
            if id not in self._loading:
                self._loading[id] = asyncio.get_running_loop().create_task(self._load(id))
            table = await asyncio.shield(self._loading[id])
        table.here.touched = time.monotonic()
        return table

    async def _load(self, id: str) -> Table:
        """From the store to the shelf. It is played again in a thread, and put up here once it is whole."""
        try:
            table = await self._play_again(id)
            table.changes = self._floor
            self.call(table)
            table.here.now = self.now
            table.here.paused = not table.persons  # until someone looks
            self._tables[id] = table
            if self._sweeper is None:
                self._sweeper = asyncio.get_running_loop().call_later(IDLE / 4, self._sweep)
            return table
        finally:
            del self._loading[id]

    async def _play_again(self, id: str) -> Table:
        """What is stored of a table, as a table."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, _load, self.store, id)
        except Damaged:
            log.error("Table %s is damaged. It is left as it is; all others are as they were.", id)
            while len(self.damaged) >= REMEMBERED:
                del self.damaged[next(iter(self.damaged))]
            self.damaged[id] = None
            raise Damaged from None

    async def load_anew(self, table: Table) -> None:
        """Another process wrote first: take over what is stored now."""
        again = await self._play_again(table.id)
        again.changes = table.changes
        table.become(again)
        self.call(table)

    def call(self, table: Table) -> None:
        """Everybody at a table is called what they are called now."""
        table.names = names(self.store, table.people())
        table.chat = lines_of(self.store, table.chat)

    async def those_of(self, people: Collection[str], also: Collection[str]) -> list[Table]:
        """The tables in memory that know of these people, or are named; what is being loaded is waited for."""
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        return [
            table
            for table in self.all()
            if table.id in also or not {table.header.host, *table.people()}.isdisjoint(people)
        ]

    def _sweep(self) -> None:
        """Drop the tables that nobody looks at."""
        now = time.monotonic()
        for table in self.all():
            busy = table.here.streams or table.here.bots or (table.here.lock is not None and table.here.lock.locked())
            if not busy and now - table.here.touched > IDLE:
                del self._tables[table.id]
                self._floor = max(self._floor, table.changes)
                if table.here.waker is not None:
                    table.here.waker.cancel()
        self._sweeper = asyncio.get_running_loop().call_later(IDLE / 4, self._sweep)

    # Numbers

    def count(self, table: Table, then: Callable[[], None]) -> None:
        """Let a table's `changes` grow by one, then go on: at once, or as soon as there is a number that is reserved."""
        if table.changes + 1 < self._reserved:
            table.changes += 1
            then()
        else:
            self._late.append((table, then))
        if table.changes + BLOCK // 2 >= self._reserved and self._reserving is None:
            self._reserving = asyncio.get_running_loop().create_task(self._reserve())

    async def _reserve(self) -> None:
        """More numbers, durably, before anyone is told of them."""
        until = self._reserved + len(self._late) + BLOCK
        await self.store.commit(Change(reserve=until))
        self._reserved = until
        self._reserving = None
        late, self._late = self._late, []
        for table, then in late:
            self.count(table, then)


def _load(store: Store, id: str) -> Table:
    """The work of a loading thread."""
    saved = store.load(id)
    if saved is None:
        raise Unknown("table-unknown")
    try:
        return load(id, saved)
    except Damaged:
        raise
    except Exception as error:  # whatever else is wrong with what is stored: it must not cost more than this table
        log.exception("Table %s cannot be loaded.", id)
        raise Damaged(f"{type(error).__name__}: {error}") from error
