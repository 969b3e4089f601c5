"""The tables in memory: loaded on first use, evicted when nobody views them.

A loaded table is a computed copy of what is stored. Loading replays its game, which takes a while for a long one, so it
runs in a thread, once for all who wait. A damaged table affects no other table.

When a table is evicted, only its volatile state stays for a while: who was there recently, who was nudged, when each
question was asked. Its clocks keep running in `clock_service.py`, which loads it when a flag falls.

This module also keeps versions from decreasing (see `Table.version`). Values of `Table.change_counter` are reserved in
the store before they are used. A process starts above all values reserved earlier, and a loaded table starts above all
values that this process has used for any table. So a table's versions only increase, even across crashes, evictions and
reloads.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor

from diamonds.errors import NotFoundError
from diamonds.server.people.display_names import display_names, with_current_names
from diamonds.server.storage.commit_outcomes import DamagedTableError, StoreUnavailableError
from diamonds.server.storage.store import Store
from diamonds.server.storage.table_data import StoredTable
from diamonds.server.tables.core.loading import load_table
from diamonds.server.tables.core.presence import TablePresence
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.load_turns import LoadTurns

VERSION_BLOCK = 4096  # counter values reserved in one step
RETRY_DELAY_S = 1.0  # before another attempt to reserve
EVICT_AFTER_S = 60.0  # after the last viewer left
FORGET_AFTER_S = 300.0  # then the volatile state of an evicted table is dropped
LOADER_THREADS = 3  # so that a long game does not delay short ones; an address occupies at most two
MAX_COPIES, COPY_TTL_S = 100, 30.0  # claimed tables are kept longer than this, so no copy outlives a change
MAX_DAMAGED = 1000  # damaged tables that are not loaded again until a restart

log = logging.getLogger("diamonds")


class TableRegistry:
    """The loaded tables by id."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store = store
        self.now = now  # the server's time
        self.damaged_tables: dict[str, None] = {}
        self._tables: dict[str, Table] = {}
        self.evicted: dict[str, TablePresence] = {}  # kept for `FORGET_AFTER_S`
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._threads = ThreadPoolExecutor(LOADER_THREADS, "load")
        self._load_turns = LoadTurns(LOADER_THREADS)
        self.version_floor = 0  # no lower than any `change_counter` used so far
        self._reserved_below = 0  # values below this can be used
        self._reserve_task: asyncio.Task[None] | None = None
        self._waiting_for_version: list[tuple[Table, Callable[[], None]]] = []  # changes waiting for a value
        self._eviction_timer: asyncio.TimerHandle | None = None
        self._rename_collectors: list[dict[str, str]] = []
        # The number of this process's claim on a table; `None` if it does not own the table and only reads it.
        self.claim_of: Callable[[str], int | None] = lambda id: 0
        self.on_load: Callable[[Table], None] = lambda table: None  # called for each loaded table
        self.on_evict: Callable[[str], None] = lambda id: None  # called for each evicted table
        # The lowest value that no member has reserved, from the store.
        self.read_reserved: Callable[[], Awaitable[int]] | None = None
        # Tables that this process only reads, and the time to drop them.
        self._copies: dict[str, tuple[Table, float]] = {}

    def owns(self, table_id: str) -> bool:
        """Return whether this process owns a table."""
        return self.claim_of(table_id) is not None

    async def open(self) -> None:
        """Reserve the first versions."""
        self.version_floor = await self.store.reserve_counters(VERSION_BLOCK)
        self._reserved_below = self.version_floor + VERSION_BLOCK

    def close(self) -> None:
        """Stop all tasks."""
        if self._eviction_timer is not None:
            self._eviction_timer.cancel()
        for task in [*self._loading.values(), *([self._reserve_task] if self._reserve_task else [])]:
            task.cancel()
        self._threads.shutdown(cancel_futures=True)

    def get(self, table_id: str) -> Table | None:
        """Return a table if it is loaded."""
        return self._tables.get(table_id)

    def has(self, table_id: str) -> bool:
        """Return whether a table is loaded or being loaded."""
        return table_id in self._tables or table_id in self._loading

    def all(self) -> list[Table]:
        """Return all loaded tables."""
        return list(self._tables.values())

    async def find(self, table_id: str) -> Table:
        """Return a table, loading it if necessary.

        Raise `NotFoundError` if there is none, `DamagedTableError` if it cannot be loaded. A table that this
        process does not own is a read-only copy of what is stored.
        """
        while (table := self._tables.get(table_id)) is None:
            if table_id in self.damaged_tables:
                raise DamagedTableError
            if not self.owns(table_id):
                return await self._read_copy(table_id)
            if table_id not in self._loading:
                self._loading[table_id] = asyncio.get_running_loop().create_task(self._load(table_id))
            await asyncio.shield(self._loading[table_id])
        table.presence.last_access = time.monotonic()
        return table

    async def _read_copy(self, table_id: str) -> Table:
        """Read a table that this process does not own.

        Copies of finished games are cached, because replays are read in parts.
        """
        now = time.monotonic()
        cached = self._copies.get(table_id)
        if cached is not None and cached[1] > now:
            await self._bump_copy_version(cached[0])
            return cached[0]
        table = await self._load_stored(table_id)
        await self._bump_copy_version(table)
        await self.load_names(table)
        table.presence.now = self.now
        self._copies = {table_id: copy for table_id, copy in self._copies.items() if copy[1] > now}
        if table.is_over and len(self._copies) < MAX_COPIES:
            self._copies[table_id] = (table, now + COPY_TTL_S)
        return table

    def forget_copies(self) -> None:
        """Drop all copies, because a member that wrote to their tables is gone."""
        self._copies.clear()

    async def _bump_copy_version(self, table: Table) -> None:
        """Raise a copy's version above all that any member has used. The table's next owner starts even higher."""
        if self.read_reserved is not None:
            table.change_counter = max(table.change_counter, await self.read_reserved())

    async def _load(self, table_id: str) -> None:
        """Load a table from the store in a thread, and add it once it is complete.

        It is not added if the claim has changed, because another member may have owned and changed the table in the
        meantime.
        """
        claim = self.claim_of(table_id)
        try:
            table = await self._load_stored(table_id)
            await self.load_names(table)
            table.change_counter = self.version_floor
            if claim is None or self.claim_of(table_id) != claim:
                return
            table.presence = self.evicted.pop(table_id, table.presence)
            table.presence.now = self.now
            table.presence.bots_paused = True  # until a client opens it
            self._copies.pop(table_id, None)
            self._tables[table_id] = table
            self.on_load(table)
            if self._eviction_timer is None:
                self._eviction_timer = asyncio.get_running_loop().call_later(EVICT_AFTER_S / 4, self.evict_idle)
        finally:
            del self._loading[table_id]

    async def _load_stored(self, table_id: str) -> Table:
        try:
            async with self._load_turns.turn():
                stored = await self.store.load(table_id)
                if stored is None:
                    raise NotFoundError("table-unknown")
                load = asyncio.get_running_loop().run_in_executor(self._threads, _load_checked, table_id, stored)
                table = await load
            if table.header.match is not None:
                table.is_match_over = await self.store.is_match_over(table.header.match.id)
            return table
        except DamagedTableError:
            log.error("Table %s is damaged. It stays unchanged; other tables are not affected.", table_id)
            while len(self.damaged_tables) >= MAX_DAMAGED:
                del self.damaged_tables[next(iter(self.damaged_tables))]
            self.damaged_tables[table_id] = None
            raise DamagedTableError from None

    async def reload(self, table: Table) -> None:
        """Reload a table because another process wrote to it first."""
        fresh = await self._load_stored(table.id)
        await self.load_names(fresh)
        fresh.change_counter = table.change_counter
        table.replace_with(fresh)
        table.names = fresh.names
        table.chat = fresh.chat
        table.refresh_viewers()

    def evict(self, table_id: str) -> None:
        """Remove a table from memory."""
        table = self._tables.pop(table_id, None)
        if table is not None:
            self.version_floor = max(self.version_floor, table.change_counter)
            self.on_evict(table_id)
            if table.presence.substitute_timer is not None:
                table.presence.substitute_timer.cancel()
                table.presence.substitute_timer = None

    # Names

    async def load_names(self, table: Table) -> None:
        """Refresh the names at a table, including those of its chat."""
        with self.collect_renames() as renames:
            renamed_chat = dict(zip(table.chat, await with_current_names(self.store, table.chat), strict=True))
            table.names = {**await display_names(self.store, table.people()), **renames}
        # New lines may have been added in the meantime.
        table.chat = [renamed_chat.get(record, record) for record in table.chat]

    @contextlib.contextmanager
    def collect_renames(self) -> Iterator[dict[str, str]]:
        """Collect renames while names are read, or while a change that uses them is committed."""
        renames: dict[str, str] = {}
        self._rename_collectors.append(renames)
        try:
            yield renames
        finally:
            self._rename_collectors = [collector for collector in self._rename_collectors if collector is not renames]

    def set_name(self, person: str, name: str) -> list[Table]:
        """Rename a person, and return the loaded tables where they have a seat."""
        for renames in self._rename_collectors:
            renames[person] = name
        seated = [table for table in self.all() if table.seat_of(person) >= 0]
        for table in seated:
            table.names = {**table.names, person: name}
        return seated

    async def loaded_tables_of(self, people: Collection[str], also_ids: Collection[str]) -> list[Table]:
        """Return the loaded tables with these people or ids, after waiting for any that are being loaded."""
        return [
            table
            for table in await self.wait_loaded()
            if table.id in also_ids or not {table.header.host, *table.people()}.isdisjoint(people)
        ]

    async def wait_loaded(self) -> list[Table]:
        """Return all loaded tables, after waiting for any that are being loaded."""
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        return self.all()

    def evict_idle(self) -> None:
        """Evict tables without viewers, and drop the state of those evicted long ago."""
        now = time.monotonic()
        for table in self.all():
            presence = table.presence
            is_busy = (
                presence.has_viewers or presence.bot_tasks or (presence.lock is not None and presence.lock.locked())
            )
            if not is_busy and now - presence.last_active > EVICT_AFTER_S:
                self.evict(table.id)
                self.evicted[table.id] = presence
        self.evicted = {
            id: presence for id, presence in self.evicted.items() if now - presence.last_active <= FORGET_AFTER_S
        }
        self._eviction_timer = asyncio.get_running_loop().call_later(EVICT_AFTER_S / 4, self.evict_idle)

    # Versions

    def raise_version_floor(self, first: int) -> None:
        """Make tables loaded from now on start at `first`, the first of `VERSION_BLOCK` values reserved for them.

        `first` is above all values that a former owner used.
        """
        self.version_floor = max(self.version_floor, first)
        self._reserved_below = max(self._reserved_below, first + VERSION_BLOCK)

    def bump_version(self, table: Table, then: Callable[[], None]) -> None:
        """Increment a table's `change_counter` and call `then`, as soon as a reserved value is available."""
        if table.change_counter + 1 < self._reserved_below:
            table.change_counter += 1
            then()
        else:
            self._waiting_for_version.append((table, then))
        if table.change_counter + VERSION_BLOCK // 2 >= self._reserved_below and self._reserve_task is None:
            self._reserve_task = asyncio.get_running_loop().create_task(self._reserve_versions())

    async def _reserve_versions(self) -> None:
        """Durably reserve more values before any of them is used."""
        numbers, first = len(self._waiting_for_version) + VERSION_BLOCK, -1
        while first < 0:
            try:
                first = await self.store.reserve_counters(numbers)
            except StoreUnavailableError:
                await asyncio.sleep(RETRY_DELAY_S)
        self._reserved_below = first + numbers
        self._reserve_task = None
        waiting, self._waiting_for_version = self._waiting_for_version, []
        for table, then in waiting:
            self.bump_version(table, then)


def _load_checked(table_id: str, stored: StoredTable) -> Table:
    """Load a table in a thread. Raise `DamagedTableError` whatever goes wrong."""
    try:
        return load_table(table_id, stored)
    except DamagedTableError:
        raise
    except Exception as error:  # other errors in stored data must affect only this table
        log.exception("Failed to load table %s.", table_id)
        raise DamagedTableError(f"{type(error).__name__}: {error}") from error
