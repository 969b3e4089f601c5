"""The store in PostgreSQL, with one writing thread.

Changes that arrive together share a commit, and one round on the wire where nothing has to be looked up. A server that goes away is
waited for; what became of a commit that it did not answer is asked of it before anything is said. The number of the transaction alone does
not tell: a server that crashed gives it to another one, if nothing of the first had come to its disk. So each commit writes its own
number, too, in a row that this process alone writes.

Several processes may keep one house here (`sharing`): whoever changes a table holds the lock of its name until the commit, and so it is
with a person whose name or key is written. What changes people in many places is done alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import queue
import secrets
import threading
import time
from collections.abc import Callable, Collection
from typing import Any, NamedTuple, NoReturn, TypeVar

import psycopg

from diamonds.machine import say
from diamonds.server.store import accounts_sql, books_sql, failpoints, pushes_sql, sharing_sql, tables_sql
from diamonds.server.store.contract import (
    Anything,
    Change,
    Listed,
    Outcome,
    Playing,
    Probe,
    Refusal,
    Stored,
    Unavailable,
)
from diamonds.server.store.postgres_connection import (
    AGAIN,
    HOUSE,
    PEOPLE,
    Away,
    Connection,
    Readers,
    hold,
    without_password,
)
from diamonds.server.store.postgres_schema import migrate
from diamonds.server.store.postgres_sharing import PostgresSharing
from diamonds.server.store.pushes import PushChange
from diamonds.server.store.sqlite import COMMIT_FAILED, FORGET_KEYS, TOGETHER
from diamonds.server.store.transfer_mark import check_unmarked
from diamonds.server.store.wakeups import Listener
from diamonds.server.watching.tally import Written

PATIENCE = 10.0  # seconds for which a server that is away is waited for
NUMBERED = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value RETURNING pg_current_xact_id()::text"
LOCKED = (
    f"SELECT pg_advisory_xact_lock_shared({HOUSE}, {PEOPLE})"
    " UNION ALL SELECT pg_advisory_xact_lock(k) FROM unnest(?::bigint[]) AS k"
)
APART = 0.004  # seconds between two commits that others have to hear of: what comes meanwhile goes together
UNKNOWN = 60.0  # seconds after which a house ends that cannot learn what became of a commit
QUIET = (
    Change,
    Probe,
    PushChange,
    sharing_sql.Say,
    sharing_sql.Sign,
    sharing_sql.Leave,
)  # what changes people in one place at most

What = TypeVar("What")
Done = TypeVar("Done")


class Waiting(NamedTuple):
    """Something that is to be written, and who waits for it."""

    work: Callable[[Connection, Any], Any]
    what: Any
    future: asyncio.Future[Any]


class PostgresStore:
    """See `Store`. ``alone``: no other process is to have the same database open; ``patience`` is in seconds."""

    def __init__(self, address: str, alone: bool = True, patience: float = PATIENCE) -> None:
        self._address, self._alone, self._patience = address, alone, patience
        self.name, _ = without_password(address)
        self._write: Connection | None = None
        self._name, self._newest = (
            f"commit {secrets.token_hex(6)}",
            0,
        )  # by which this process finds its last commit again
        self._waiting: queue.SimpleQueue[list[Waiting] | None] = queue.SimpleQueue()
        self._gathered: list[Waiting] = []  # what the loop asks for until it is handed over
        self._next = 0.0  # before then by the loop's time, nothing is
        self._thread: threading.Thread | None = None
        self._readers = Readers(address, patience)
        self.written = Written()
        self.accounts = accounts_sql.SqlAccounts(self._readers)
        self.books = books_sql.SqlBooks(self._readers)
        self.pushes = pushes_sql.SqlPushes(self._readers)
        self.sharing = None if alone else PostgresSharing(self._readers, Listener(address), self._do)

    async def open(self) -> None:
        """See `Store`."""
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._open)
        self._thread = threading.Thread(target=self._write_forever, name="store", daemon=True)
        self._thread.start()
        if self.sharing is not None:
            self.sharing.listener.start(self._loop)

    def _open(self) -> None:
        try:
            self._write = self._taken_hold()
            with self._write.transaction():
                self._forget_keys(self._write)
        except Away as away:
            raise Refusal(f"The store cannot be reached: {away}") from None
        except psycopg.Error as error:
            raise Refusal(
                f"The store cannot be used ({type(error).__name__}): is its database for Diamonds alone?"
            ) from None

    def _taken_hold(self) -> Connection:
        """A connection that writes, to a database of this program's schema where no other house is open."""
        connection = Connection(self._address)
        self.written.connections += 1
        try:
            migrate(connection)
            with connection.watched():
                hold(connection, shared=not self._alone)
                check_unmarked(connection, connection.name)
        except BaseException:
            connection.close()
            raise
        return connection

    def _forget_keys(self, connection: Connection) -> None:
        tables_sql.prune(connection)
        day_ago = time.time_ns() - 86_400_000_000_000
        connection.execute("DELETE FROM meta WHERE key LIKE 'commit %' AND value < ?", (day_ago,))  # of who was killed
        self._forgot = time.monotonic()

    async def close(self) -> None:
        """See `Store`."""
        if self.sharing is not None:
            self.sharing.listener.close()
        if self._thread is not None:
            self._hand_over()
            self._waiting.put(None)
            await asyncio.to_thread(self._thread.join)
            await asyncio.to_thread(self._leave)
        await asyncio.to_thread(self._readers.close)
        self._hang_up()

    def _leave(self) -> None:
        with contextlib.suppress(Away):  # then the row is there for a day
            if self._write is not None:
                with self._write.watched():
                    self._write.execute("DELETE FROM meta WHERE key = ?", (self._name,))
                    # The server notices only later that a line is closed.
                    self._write.execute("SELECT pg_advisory_unlock_all()")

    # Reading

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

    # Writing: one thread.

    async def commit(self, change: Anything) -> Outcome:
        """See `Store`."""
        return await self._do(tables_sql.applied, change)

    async def reserve(self, numbers: int) -> int:
        """See `Store`."""
        return await self._do(tables_sql.reserve, numbers)

    async def open_clocks(self, wall: int) -> int:
        """See `Store`."""
        return await self._do(tables_sql.open_clocks, wall)

    async def _do(self, work: Callable[[Connection, What], Done], what: What) -> Done:
        """Have the writing thread do something; what is waiting together shares a commit. The thread is woken once in a turn of the
        loop, and no more than every `APART`: each commit costs every process that hears of it, too."""
        future: asyncio.Future[Done] = self._loop.create_future()
        if not self._gathered:
            early = self._next - self._loop.time()
            if early > 0:
                self._loop.call_later(early, self._hand_over)
            else:
                self._loop.call_soon(self._hand_over)
        self._gathered.append(Waiting(work, what, future))
        return await future

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        if gathered:
            self._waiting.put(gathered)
            self._next = self._loop.time() + (APART if self.sharing is not None else 0.0)

    def _write_forever(self) -> None:
        while True:
            try:
                more = self._waiting.get(timeout=FORGET_KEYS)
            except queue.Empty:
                self._written([])
                continue
            work: list[Waiting] = []
            while more is not None:
                work += more
                if len(work) >= TOGETHER:
                    break
                try:
                    more = self._waiting.get_nowait()
                except queue.Empty:
                    break
            if work:
                done = self._written(work)
                self._loop.call_soon_threadsafe(_deliver, [item.future for item in work], done)
            if more is None:
                return

    def _written(self, batch: list[Waiting]) -> list[Any]:
        """What became of each: what its work returned, durably; or `Unavailable`."""
        end = time.monotonic() + self._patience
        failpoints.reach("before")
        while True:
            if failpoints.fails("unwritten"):
                return [Unavailable()] * len(batch)
            began = time.perf_counter()
            try:
                done = self._commit_batch(batch)
                self.written.done(len(batch), time.perf_counter() - began)
                return done
            except Away as away:
                self.written.failed += 1
                self._hang_up()
                if time.monotonic() >= end:
                    say(f"Nothing can be written: {away}")
                    return [Unavailable()] * len(batch)
                time.sleep(AGAIN)
            except Exception as error:
                self.written.failed += 1
                if len(batch) <= 1:  # by itself it cannot be written, and never will be: nobody else is to suffer
                    say(f"Something could not be written: {self.name}: {type(error).__name__}")
                    return [Unavailable()] * len(batch)
                return [outcome for item in batch for outcome in self._written([item])]

    def _commit_batch(self, batch: list[Waiting]) -> list[Any]:
        """Do it in order in one transaction. `Away`: surely nothing of it is written."""
        connection = self._connected()
        number, self._newest = "", max(time.time_ns(), self._newest + 1)
        try:
            with connection.transaction():
                _lock(connection, [item.what for item in batch])
                told = connection.execute(NUMBERED, (self._name, self._newest))  # it goes out with what comes next
                lasts = _lasts(connection, batch)
                number = told.get
                done = self._done(connection, batch, lasts)
                if time.monotonic() - self._forgot >= FORGET_KEYS:
                    self._forget_keys(connection)
                if self.sharing is not None:
                    whats = [item.what for item in batch]
                    self.sharing.tell(connection, number, [*zip(whats, done, strict=True)])
                failpoints.reach("written")
        except Away:
            self._hang_up()
            if not number or not self._was_committed(number):
                raise
        failpoints.reach("committed")
        return done

    def _done(self, connection: Connection, batch: list[Waiting], lasts: dict[str, tables_sql.Last]) -> list[Any]:
        """What became of each, if the transaction is committed."""

        def done(item: Waiting) -> Any:
            if isinstance(item.what, Change):
                return tables_sql.apply(connection, item.what, lasts)
            lasts.clear()  # it may be that a table is let go of
            return item.work(connection, item.what)

        return [done(item) for item in batch]

    def _was_committed(self, number: str) -> bool:
        """What became of a transaction whose commit was not answered; the process ends if that cannot be learnt."""
        end = time.monotonic() + UNKNOWN
        says: Exception = Away()
        while time.monotonic() < end:
            try:
                connection = self._connected()
                with connection.watched():
                    if not self._is_under_way(connection, number):
                        last = connection.execute("SELECT value FROM meta WHERE key = ?", (self._name,)).get
                        return bool(last == self._newest)
            except Away as away:
                self._hang_up()
                says = away
            time.sleep(AGAIN)
        _end(f"what became of a commit could not be learnt ({says})")

    def _is_under_way(self, connection: Connection, number: str) -> bool:
        """Whether it is, or another one that has its number by now."""
        try:
            status = connection.execute("SELECT pg_xact_status(?::text::xid8)", (number,)).get
        except psycopg.errors.InvalidParameterValue:  # the server crashed, and has not come to this number again
            return False
        return bool(status == "in progress")

    def _connected(self) -> Connection:
        """The connection that writes; a new one, if the last was lost."""
        if self._write is None:
            try:
                self._write = self._taken_hold()
            except Refusal as refusal:  # it may be that the server has not noticed yet that the last one is gone
                raise Away(str(refusal)) from None
        return self._write

    def _hang_up(self) -> None:
        if self._write is not None:
            self._write.close()
            self._write = None


def _deliver(futures: list[asyncio.Future[Any]], done: list[Any]) -> None:
    """On the event loop: tell those who wait."""
    failpoints.reach("delivering")
    for future, result in zip(futures, done, strict=True):
        if future.done():
            continue
        if isinstance(result, Unavailable):
            future.set_exception(result)
        else:
            future.set_result(result)


def _lock(connection: Connection, changes: list[Any]) -> None:
    """Keep other processes from what is changed until the commit; always in the same order, so that no two wait for each other."""
    if all(isinstance(change, QUIET) and not getattr(change, "comes", False) for change in changes):
        names = {name for change in changes for name in _locks(change)}
        connection.execute(LOCKED, (sorted(map(_number, names)),))
    else:
        connection.execute(f"SELECT pg_advisory_xact_lock({HOUSE}, {PEOPLE})")


def _lasts(connection: Connection, batch: list[Waiting]) -> dict[str, tables_sql.Last]:
    """How far those tables are to which entries are to be added."""
    plays = {item.what.table for item in batch if isinstance(item.what, Change) and item.what.entries}
    return tables_sql.lasts_of(connection, sorted(plays)) if plays else {}


def _locks(change: Any) -> tuple[str, ...]:
    if isinstance(change, PushChange):
        return ("messages",)
    if isinstance(change, Change):
        person = change.person if change.own_key else ""
        return (*((f"table {change.table}",) if change.table else ()), *((f"person {person}",) if person else ()))
    return ()


def _number(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), signed=True)


def _end(why: str) -> NoReturn:
    """Only a start from what the server holds can tell."""
    say(f"Diamonds stops: {why}. What was seen is safe; start again once the server is there.")
    os._exit(COMMIT_FAILED)
