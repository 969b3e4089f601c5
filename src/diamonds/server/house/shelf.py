"""The tables in memory: loaded when first asked for, asleep when nobody looks.

A table in memory is a computed copy of what is stored. Loading it plays its game again, which takes a while for a long one:
that is done in a thread, once however many ask. A table that is damaged costs nobody else anything.

Of a table that is asleep nothing is here but what is stored nowhere: who was there lately, who was reminded, and since when each has been
asked. That goes, too, if nobody wakes it for long. Its clocks run on in `flags.py`, and wake it when a flag falls.

Here is also what keeps a version from going back (see `Table.version`). Numbers for `Table.changes` are reserved in the store
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

from diamonds.game import Unknown
from diamonds.server.house.called import lines_of, names
from diamonds.server.store.contract import Damaged, Store, Stored, Unavailable
from diamonds.server.table.loading import load
from diamonds.server.table.presence import Presence
from diamonds.server.table.table import Table

BLOCK = 4096  # numbers that are reserved at a time
AGAIN = 1.0  # seconds after which it is tried again
SLEEP = 60.0  # seconds after which a table falls asleep at which nobody looks
IDLE = 300.0  # seconds after which nothing is known any more of one that is asleep
LOADERS = 2  # threads: a long game does not keep the short ones waiting
MAX_COPIES, COPY_TTL_S = 100, 30.0  # a claimed table is not released sooner, so no copy outlives a change
REMEMBERED = 1000  # damaged tables that are not tried again until the house is opened anew

log = logging.getLogger("diamonds")


class Shelf:
    """Tables by their names."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store = store
        self.now = now  # the house's time
        self.damaged: dict[str, None] = {}
        self._tables: dict[str, Table] = {}
        self._asleep: dict[str, Presence] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._threads = ThreadPoolExecutor(LOADERS, "load")
        self.floor = 0  # above every number for `changes` that was told before
        self._reserved = 0  # below this, numbers may be told
        self._reserving: asyncio.Task[None] | None = None
        self._late: list[tuple[Table, Callable[[], None]]] = []  # changes that wait for a number
        self._sweeper: asyncio.TimerHandle | None = None
        self._renamed: list[dict[str, str]] = []
        self.owns: Callable[[str], bool] = lambda id: True  # whether this process plays a table; others are only read
        self.dropped: Callable[[str], None] = lambda id: None  # is told of each table that leaves memory
        self.reserved: Callable[[], Awaitable[int]] | None = None  # reads below which number all members have reserved
        self._copies: dict[str, tuple[Table, float]] = {}  # of tables that are only read, and until when

    async def open(self) -> None:
        """The server starts."""
        self.floor = await self.store.reserve(BLOCK)
        self._reserved = self.floor + BLOCK

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

    def has(self, id: str) -> bool:
        """Whether a table is in memory, or about to be."""
        return id in self._tables or id in self._loading

    def all(self) -> list[Table]:
        """Every table in memory."""
        return list(self._tables.values())

    async def find(self, id: str) -> Table:
        """A table; `Unknown` if there is none, `Damaged` if it cannot be shown. Of one that another member plays, or nobody, it is a
        copy as stored, to be read only."""
        table = self._tables.get(id)
        if table is None:
            if id in self.damaged:
                raise Damaged
            if not self.owns(id):
                return await self._copy(id)
            if id not in self._loading:
                self._loading[id] = asyncio.get_running_loop().create_task(self._load(id))
            table = await asyncio.shield(self._loading[id])
        table.here.touched = time.monotonic()
        return table

    async def _copy(self, id: str) -> Table:
        """Read a table that this process does not play. Copies of finished games are kept for a moment: their replays are read in pieces."""
        now = time.monotonic()
        known = self._copies.get(id)
        if known is not None and known[1] > now:
            await self._count_copy(known[0])
            return known[0]
        table = await self._play_again(id)
        await self._count_copy(table)
        await self.call(table)
        table.here.now = self.now
        self._copies = {id: copy for id, copy in self._copies.items() if copy[1] > now}
        if table.over and len(self._copies) < MAX_COPIES:
            self._copies[id] = (table, now + COPY_TTL_S)
        return table

    def forget_copies(self) -> None:
        """Read tables anew: a member that wrote to them is gone."""
        self._copies.clear()

    async def _count_copy(self, table: Table) -> None:
        """Let a copy's version be above all that any member has told of the table, and below what its next owner will tell."""
        if self.reserved is not None:
            table.changes = max(table.changes, await self.reserved())

    async def _load(self, id: str) -> Table:
        """From the store to the shelf. It is played again in a thread, and put up here once it is whole."""
        try:
            table = await self._play_again(id)
            table.changes = self.floor
            await self.call(table)
            table.here = self._asleep.pop(id, table.here)
            table.here.now = self.now
            table.here.paused = True  # until someone looks
            if not self.owns(id):  # another member has claimed it meanwhile
                raise Unavailable
            self._copies.pop(id, None)
            self._tables[id] = table
            if self._sweeper is None:
                self._sweeper = asyncio.get_running_loop().call_later(SLEEP / 4, self._sweep)
            return table
        finally:
            del self._loading[id]

    async def _play_again(self, id: str) -> Table:
        """What is stored of a table, as a table."""
        try:
            saved = await self.store.load(id)
            if saved is None:
                raise Unknown("table-unknown")
            return await asyncio.get_running_loop().run_in_executor(self._threads, _load, id, saved)
        except Damaged:
            log.error("Table %s is damaged. It is left as it is; all others are as they were.", id)
            while len(self.damaged) >= REMEMBERED:
                del self.damaged[next(iter(self.damaged))]
            self.damaged[id] = None
            raise Damaged from None

    async def load_anew(self, table: Table) -> None:
        """Another process wrote first: take over what is stored now."""
        again = await self._play_again(table.id)
        await self.call(again)
        again.changes = table.changes
        table.become(again)
        table.names = again.names
        table.chat = again.chat
        table.look_round()

    def drop(self, id: str) -> None:
        """A table is not used any more."""
        table = self._tables.pop(id, None)
        if table is not None:
            self.floor = max(self.floor, table.changes)
            self.dropped(id)
            if table.here.waker is not None:
                table.here.waker.cancel()
                table.here.waker = None

    # Names

    async def call(self, table: Table) -> None:
        """Everybody at a table is called what they are called now, also with what they have said."""
        with self.renamed() as since:
            told = dict(zip(table.chat, await lines_of(self.store, table.chat), strict=True))
            table.names = {**await names(self.store, table.people()), **since}
        table.chat = [told.get(line, line) for line in table.chat]  # somebody may have said something meanwhile

    @contextlib.contextmanager
    def renamed(self) -> Iterator[dict[str, str]]:
        """What people come to be called while names are read, or what they are wanted for is written."""
        since: dict[str, str] = {}
        self._renamed.append(since)
        try:
            yield since
        finally:
            self._renamed = [each for each in self._renamed if each is not since]

    def called(self, person: str, name: str) -> list[Table]:
        """Somebody is called by a name from now on. Returns the tables at which they sit."""
        for since in self._renamed:
            since[person] = name
        seated = [table for table in self.all() if table.seat_of(person) >= 0]
        for table in seated:
            table.names = {**table.names, person: name}
        return seated

    async def those_of(self, people: Collection[str], also: Collection[str]) -> list[Table]:
        """The tables in memory that know of these people, or are named; what is being loaded is waited for."""
        return [
            table
            for table in await self.settled()
            if table.id in also or not {table.header.host, *table.people()}.isdisjoint(people)
        ]

    async def settled(self) -> list[Table]:
        """Every table in memory, and those that are being loaded."""
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        return self.all()

    def _sweep(self) -> None:
        """Tables at which nobody looks fall asleep; those that have slept for long are forgotten."""
        now = time.monotonic()
        for table in self.all():
            here = table.here
            busy = here.is_read or here.bots or (here.lock is not None and here.lock.locked())
            if not busy and now - here.last > SLEEP:
                self.drop(table.id)
                self._asleep[table.id] = here
        self._asleep = {id: here for id, here in self._asleep.items() if now - here.last <= IDLE}
        self._sweeper = asyncio.get_running_loop().call_later(SLEEP / 4, self._sweep)

    # Numbers

    def begin_above(self, first: int) -> None:
        """Let the versions of tables that are loaded from now on begin at ``first``, the first of `BLOCK` numbers reserved for them:
        above all that a former owner told."""
        self.floor, self._reserved = max(self.floor, first), max(self._reserved, first + BLOCK)

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
        numbers, first = len(self._late) + BLOCK, -1
        while first < 0:
            try:
                first = await self.store.reserve(numbers)
            except Unavailable:
                await asyncio.sleep(AGAIN)
        self._reserved = first + numbers
        self._reserving = None
        late, self._late = self._late, []
        for table, then in late:
            self.count(table, then)


def _load(id: str, saved: Stored) -> Table:
    """The work of a loading thread."""
    try:
        return load(id, saved)
    except Damaged:
        raise
    except Exception as error:  # whatever else is wrong with what is stored: it must not cost more than this table
        log.exception("Table %s cannot be loaded.", id)
        raise Damaged(f"{type(error).__name__}: {error}") from error
