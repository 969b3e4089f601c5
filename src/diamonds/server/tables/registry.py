"""The tables in memory: loaded when first asked for, asleep when nobody looks.

A table in memory is a computed copy of what is stored. Loading it plays its game again, which takes a while for a long one:
that is done in a thread, once however many ask. A table that is damaged costs nobody else anything.

Of a table that is asleep nothing is here but what is stored nowhere: who was there lately, who was reminded, and since when each has been
asked. That goes, too, if nobody wakes it for long. Its clocks run on in `clock_service.py`, and wake it when a flag falls.

Here is also what keeps a version from going back (see `Table.version`). Numbers for `Table.change_counter` are reserved in the store
before anyone is told them; a process begins above all that were reserved before, and a table that is loaded begins above
all that this process has told of any table. So a table's versions only grow, whoever is killed, dropped or loaded when.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor

from diamonds.errors import NotFoundError
from diamonds.server.people.names import display_names, with_current_names
from diamonds.server.storage.interface import Store, StoredTable
from diamonds.server.storage.outcomes import DamagedTableError, StoreUnavailableError
from diamonds.server.tables.core.loading import load_table
from diamonds.server.tables.core.presence import TablePresence
from diamonds.server.tables.core.table import Table

VERSION_BLOCK = 4096  # numbers that are reserved at a time
RETRY_DELAY_S = 1.0  # seconds after which it is tried again
EVICT_AFTER_S = 60.0  # seconds after which a table falls asleep at which nobody looks
FORGET_AFTER_S = 300.0  # seconds after which nothing is known any more of one that is asleep
LOADER_THREADS = 2  # threads: a long game does not keep the short ones waiting
MAX_COPIES, COPY_TTL_S = 100, 30.0  # a claimed table is not released sooner, so no copy outlives a change
MAX_DAMAGED = 1000  # damaged tables that are not tried again until the server is restarted

log = logging.getLogger("diamonds")


class TableRegistry:
    """Tables by their names."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store = store
        self.now = now  # the server's time
        self.damaged_tables: dict[str, None] = {}
        self._tables: dict[str, Table] = {}
        self._evicted: dict[str, TablePresence] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._threads = ThreadPoolExecutor(LOADER_THREADS, "load")
        self.version_floor = 0  # above every number for `changes` that was told before
        self._reserved_below = 0  # below this, numbers may be told
        self._reserve_task: asyncio.Task[None] | None = None
        self._waiting_for_version: list[tuple[Table, Callable[[], None]]] = []  # changes that wait for a number
        self._eviction_timer: asyncio.TimerHandle | None = None
        self._rename_collectors: list[dict[str, str]] = []
        self.owns: Callable[[str], bool] = lambda id: True  # whether this process plays a table; others are only read
        self.on_evict: Callable[[str], None] = lambda id: None  # is told of each table that leaves memory
        self.read_reserved: Callable[[], Awaitable[int]] | None = (
            None  # reads below which number all members have reserved
        )
        self._copies: dict[str, tuple[Table, float]] = {}  # of tables that are only read, and until when

    async def open(self) -> None:
        """The server starts."""
        self.version_floor = await self.store.reserve_counters(VERSION_BLOCK)
        self._reserved_below = self.version_floor + VERSION_BLOCK

    def close(self) -> None:
        """The server stops."""
        if self._eviction_timer is not None:
            self._eviction_timer.cancel()
        for task in [*self._loading.values(), *([self._reserve_task] if self._reserve_task else [])]:
            task.cancel()
        self._threads.shutdown(cancel_futures=True)

    def get(self, table_id: str) -> Table | None:
        """A table, if it is in memory."""
        return self._tables.get(table_id)

    def has(self, table_id: str) -> bool:
        """Whether a table is in memory, or about to be."""
        return table_id in self._tables or table_id in self._loading

    def all(self) -> list[Table]:
        """Every table in memory."""
        return list(self._tables.values())

    async def find(self, table_id: str) -> Table:
        """A table; `NotFoundError` if there is none, `DamagedTableError` if it cannot be shown. Of one that another member plays, or nobody, it is a
        copy as stored, to be read only."""
        table = self._tables.get(table_id)
        if table is None:
            if table_id in self.damaged_tables:
                raise DamagedTableError
            if not self.owns(table_id):
                return await self._read_copy(table_id)
            if table_id not in self._loading:
                self._loading[table_id] = asyncio.get_running_loop().create_task(self._load(table_id))
            table = await asyncio.shield(self._loading[table_id])
        table.presence.last_access = time.monotonic()
        return table

    async def _read_copy(self, table_id: str) -> Table:
        """Read a table that this process does not play. Copies of finished games are kept for a moment: their replays are read in pieces."""
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
        """Read tables anew: a member that wrote to them is gone."""
        self._copies.clear()

    async def _bump_copy_version(self, table: Table) -> None:
        """Let a copy's version be above all that any member has told of the table, and below what its next owner will tell."""
        if self.read_reserved is not None:
            table.change_counter = max(table.change_counter, await self.read_reserved())

    async def _load(self, table_id: str) -> Table:
        """From the store to the shelf. It is played again in a thread, and put up here once it is whole."""
        try:
            table = await self._load_stored(table_id)
            table.change_counter = self.version_floor
            await self.load_names(table)
            table.presence = self._evicted.pop(table_id, table.presence)
            table.presence.now = self.now
            table.presence.bots_paused = True  # until someone looks
            if not self.owns(table_id):  # another member has claimed it meanwhile
                raise StoreUnavailableError
            self._copies.pop(table_id, None)
            self._tables[table_id] = table
            if self._eviction_timer is None:
                self._eviction_timer = asyncio.get_running_loop().call_later(EVICT_AFTER_S / 4, self._evict_idle)
            return table
        finally:
            del self._loading[table_id]

    async def _load_stored(self, table_id: str) -> Table:
        """What is stored of a table, as a table."""
        try:
            stored = await self.store.load(table_id)
            if stored is None:
                raise NotFoundError("table-unknown")
            return await asyncio.get_running_loop().run_in_executor(self._threads, _load_checked, table_id, stored)
        except DamagedTableError:
            log.error("Table %s is damaged. It is left as it is; all others are as they were.", table_id)
            while len(self.damaged_tables) >= MAX_DAMAGED:
                del self.damaged_tables[next(iter(self.damaged_tables))]
            self.damaged_tables[table_id] = None
            raise DamagedTableError from None

    async def reload(self, table: Table) -> None:
        """Another process wrote first: take over what is stored now."""
        fresh = await self._load_stored(table.id)
        await self.load_names(fresh)
        fresh.change_counter = table.change_counter
        table.replace_with(fresh)
        table.names = fresh.names
        table.chat = fresh.chat
        table.refresh_viewers()

    def evict(self, table_id: str) -> None:
        """A table is not used any more."""
        table = self._tables.pop(table_id, None)
        if table is not None:
            self.version_floor = max(self.version_floor, table.change_counter)
            self.on_evict(table_id)
            if table.presence.substitute_timer is not None:
                table.presence.substitute_timer.cancel()
                table.presence.substitute_timer = None

    # Names

    async def load_names(self, table: Table) -> None:
        """Everybody at a table is called what they are called now, also with what they have said."""
        with self.collect_renames() as renames:
            renamed_chat = dict(zip(table.chat, await with_current_names(self.store, table.chat), strict=True))
            table.names = {**await display_names(self.store, table.people()), **renames}
        table.chat = [
            renamed_chat.get(record, record) for record in table.chat
        ]  # somebody may have said something meanwhile

    @contextlib.contextmanager
    def collect_renames(self) -> Iterator[dict[str, str]]:
        """What people come to be called while names are read, or what they are wanted for is written."""
        renames: dict[str, str] = {}
        self._rename_collectors.append(renames)
        try:
            yield renames
        finally:
            self._rename_collectors = [collector for collector in self._rename_collectors if collector is not renames]

    def set_name(self, person: str, name: str) -> list[Table]:
        """Somebody is called by a name from now on. Returns the tables at which they sit."""
        for renames in self._rename_collectors:
            renames[person] = name
        seated = [table for table in self.all() if table.seat_of(person) >= 0]
        for table in seated:
            table.names = {**table.names, person: name}
        return seated

    async def loaded_tables_of(self, people: Collection[str], also_ids: Collection[str]) -> list[Table]:
        """The tables in memory that know of these people, or are named; what is being loaded is waited for."""
        return [
            table
            for table in await self.wait_loaded()
            if table.id in also_ids or not {table.header.host, *table.people()}.isdisjoint(people)
        ]

    async def wait_loaded(self) -> list[Table]:
        """Every table in memory, and those that are being loaded."""
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        return self.all()

    def _evict_idle(self) -> None:
        """Tables at which nobody looks fall asleep; those that have slept for long are forgotten."""
        now = time.monotonic()
        for table in self.all():
            presence = table.presence
            is_busy = (
                presence.has_viewers or presence.bot_tasks or (presence.lock is not None and presence.lock.locked())
            )
            if not is_busy and now - presence.last_active > EVICT_AFTER_S:
                self.evict(table.id)
                self._evicted[table.id] = presence
        self._evicted = {
            id: presence for id, presence in self._evicted.items() if now - presence.last_active <= FORGET_AFTER_S
        }
        self._eviction_timer = asyncio.get_running_loop().call_later(EVICT_AFTER_S / 4, self._evict_idle)

    # Numbers

    def raise_version_floor(self, first: int) -> None:
        """Let the versions of tables that are loaded from now on begin at ``first``, the first of `VERSION_BLOCK` numbers reserved for them:
        above all that a former owner told."""
        self.version_floor, self._reserved_below = (
            max(self.version_floor, first),
            max(self._reserved_below, first + VERSION_BLOCK),
        )

    def bump_version(self, table: Table, then: Callable[[], None]) -> None:
        """Let a table's `changes` grow by one, then go on: at once, or as soon as there is a number that is reserved."""
        if table.change_counter + 1 < self._reserved_below:
            table.change_counter += 1
            then()
        else:
            self._waiting_for_version.append((table, then))
        if table.change_counter + VERSION_BLOCK // 2 >= self._reserved_below and self._reserve_task is None:
            self._reserve_task = asyncio.get_running_loop().create_task(self._reserve_versions())

    async def _reserve_versions(self) -> None:
        """More numbers, durably, before anyone is told of them."""
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
    """The work of a loading thread."""
    try:
        return load_table(table_id, stored)
    except DamagedTableError:
        raise
    except Exception as error:  # whatever else is wrong with what is stored: it must not cost more than this table
        log.exception("Table %s cannot be loaded.", table_id)
        raise DamagedTableError(f"{type(error).__name__}: {error}") from error
