"""The store in SQLite: a file, or memory alone. One thread writes.

Changes that arrive together share a commit. If it fails, because the disk is full or broken, nothing of it has happened: whoever waits is
told so once that is sure, and the next one is tried as ever. Only where it cannot become sure the process ends.
"""

from __future__ import annotations

import asyncio
import os
import queue
import secrets
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypeVar

import apsw
from filelock import FileLock, Timeout

from diamonds.machine import say
from diamonds.server.store import accounts_sql, books_sql, circles_sql, failpoints, pushes_sql, tables_sql
from diamonds.server.store.contract import (
    DONE,
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
from diamonds.server.store.folder import make_private
from diamonds.server.store.pushes import PushChange
from diamonds.server.store.readers import Readers
from diamonds.server.store.sql import Connection
from diamonds.server.store.transfer_mark import check_unmarked
from diamonds.server.watching.tally import Written

SCHEMA = 6
TOGETHER = 256  # changes that may share a commit
REMEMBERED = 20_000  # tables of which it is remembered how many entries they have
FORGET_KEYS = 3600.0  # seconds between two times that older keys are forgotten
UNKNOWN = 60.0  # seconds after which a house ends that cannot make sure what became of a commit
AGAIN = 0.1  # seconds between two times that this is tried
PROBE_BYTES = 32_768  # more than an answer writes: whatever little room is left, an answer fails only where this does
COMMIT_FAILED = 74  # the process's exit status then (EX_IOERR)
MEMORY_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
MEMORY_RETRY_DELAY_S = 0.0001
MAX_MEMORY_RETRIES = 50_000
DISK = (
    apsw.FullError,
    apsw.IOError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.BusyError,
)  # it is not the change's fault

What = TypeVar("What")
Done = TypeVar("Done")
Work = Callable[[apsw.Connection], Any]

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) STRICT, WITHOUT ROWID;
CREATE TABLE tables (
    id TEXT PRIMARY KEY, header BLOB NOT NULL, places BLOB NOT NULL, revision INTEGER NOT NULL,
    phase TEXT NOT NULL, public INTEGER NOT NULL, created REAL NOT NULL
) STRICT;
CREATE INDEX public_tables ON tables (created) WHERE public = 1 AND phase != 'over';
CREATE TABLE members (
    person TEXT NOT NULL, at REAL NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (person, table_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE answers (
    table_id TEXT NOT NULL, n INTEGER NOT NULL, seat INTEGER NOT NULL, words TEXT NOT NULL,
    person TEXT NOT NULL, key TEXT NOT NULL, body BLOB, reply BLOB, PRIMARY KEY (table_id, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE chat (
    table_id TEXT NOT NULL, at REAL NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE INDEX chat_of_table ON chat (table_id);
CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE keys (
    person TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, reply BLOB NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (person, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX old_keys ON keys (at);
""".replace("key TEXT PRIMARY KEY, value)", "key TEXT PRIMARY KEY, value ANY)")

# Every entry has its time; of those of schema 1 it is not known. Numbers are reserved; until then each opening had 65,536.
TIMES_AND_NUMBERS = """
ALTER TABLE answers RENAME TO entries;
ALTER TABLE entries ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
INSERT INTO meta SELECT 'reserved', (value + 1) << 16 FROM meta WHERE key = 'boots';
DELETE FROM meta WHERE key = 'boots';
"""

# What people say to each other.
TALK = """
ALTER TABLE chat ADD COLUMN phrase INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chat ADD COLUMN aside INTEGER NOT NULL DEFAULT 0;
"""

# The clocks of a table, and when they were so. Both change together, and the second alone when the house opens.
CLOCKS = """
ALTER TABLE tables ADD COLUMN clocks BLOB;
ALTER TABLE tables ADD COLUMN clock_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX running_clocks ON tables (id) WHERE clocks IS NOT NULL AND phase = 'playing';
"""

# The seats that owe an answer, as bits, where people wait for each other without a clock; of older tables it is not known yet.
ASKED = "ALTER TABLE tables ADD COLUMN asked INTEGER;"

# From version k to version k + 1: MIGRATIONS[k].
MIGRATIONS = (
    TABLES,
    TIMES_AND_NUMBERS,
    accounts_sql.TABLES,
    TALK + CLOCKS + circles_sql.TABLES,
    books_sql.TABLES + pushes_sql.TABLES,
    ASKED,
)


class SqliteStore:
    """A `Store` in one file, ``diamonds.sqlite`` in the data folder, which stays locked for this process.

    Without a folder the database is in memory, never touches the disk, and is gone once the store is closed.
    The event loop itself reads what is found by a key: that takes some ten microseconds.
    """

    _write: apsw.Connection  # the writing thread's

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.path = folder / "diamonds.sqlite" if folder else Path(f"/{secrets.token_hex(8)}")  # names the memory
        self._lock: FileLock | None = None
        self._opened: list[apsw.Connection] = []
        self._waiting: queue.SimpleQueue[list[tuple[Work, asyncio.Future[Any]]] | None] = queue.SimpleQueue()
        self._gathered: list[tuple[Work, asyncio.Future[Any]]] = []  # what the loop asks for in this turn of it
        self._lasts: dict[str, tables_sql.Last] = {}  # the writing thread's: how far some tables are
        self._thread: threading.Thread | None = None
        self._failing = False  # the last commit failed
        self.written = Written()
        self._readers = Readers(self._connect)
        self.accounts = accounts_sql.SqlAccounts(self._readers)
        self.books = books_sql.SqlBooks(self._readers)
        self.pushes = pushes_sql.SqlPushes(self._readers)
        self.sharing = None

    async def open(self) -> None:
        """See `Store`."""
        if self.folder:
            make_private(self.folder)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))  # what SQLite adds has the rights of this
            self._lock = lock(self.folder)
        self._write = self._connect()
        self._opened.append(self._write)
        self.written.connections += 1
        try:
            if self.folder:
                check_file_unmarked(self._write, self.folder)
            migrate(self._write, self.path)
        except BaseException:
            await self.close()
            raise
        self._readers.open()
        with self._write:
            self._forget_keys()
            probe(self._write)  # a full disk is reported now, and not by the first request
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._write_forever, name="store", daemon=True)
        self._thread.start()

    def _connect(self) -> apsw.Connection:
        if not self.folder:
            return _connect_in_memory(self.path)
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(5000)
        mode = connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "full")
        connection.pragma("wal_autocheckpoint", 4000)
        if mode != "wal" or connection.pragma("synchronous") != 2:
            raise Refusal(f"{self.path} cannot be opened in WAL mode with full synchronisation.")
        return connection

    def _forget_keys(self) -> None:
        """Forget the POSTs that are too old to be repeated, and the devices that nobody uses."""
        tables_sql.prune(self._write)
        self._lasts.clear()
        self._forgot = time.monotonic()

    async def close(self) -> None:
        """See `Store`."""
        if self._thread is not None:
            self._hand_over()
            self._waiting.put(None)
            await asyncio.to_thread(self._thread.join)
        self._readers.close()
        for connection in self._opened:
            connection.close()
        if self._lock is not None:
            self._lock.release()

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
        return await self._do(self._applied, change)

    def _applied(self, connection: apsw.Connection, change: Anything) -> Outcome:
        """On the writing thread: nobody else writes, so the last entries that it wrote need not be looked up again."""
        if isinstance(change, Change):
            if len(self._lasts) > REMEMBERED:
                self._lasts.clear()
            return tables_sql.apply(connection, change, self._lasts)
        if isinstance(change, Probe):
            return probe(connection)
        if not isinstance(change, PushChange):  # it may be that a table is let go of
            self._lasts.clear()
        return tables_sql.applied(connection, change)

    async def reserve(self, numbers: int) -> int:
        """See `Store`."""
        return await self._do(tables_sql.reserve, numbers)

    async def open_clocks(self, wall: int) -> int:
        """See `Store`."""
        return await self._do(tables_sql.open_clocks, wall)

    async def _do(self, work: Callable[[apsw.Connection, What], Done], what: What) -> Done:
        """Have the writing thread do something; what is waiting together shares a commit. The thread is woken once in a turn of the loop."""
        future: asyncio.Future[Done] = self._loop.create_future()
        if not self._gathered:
            self._loop.call_soon(self._hand_over)
        self._gathered.append((lambda connection: work(connection, what), future))
        return await future

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        if gathered:
            self._waiting.put(gathered)

    def _write_forever(self) -> None:
        while True:
            try:
                more = self._waiting.get(timeout=FORGET_KEYS)
            except queue.Empty:
                self._written([])
                continue
            work: list[tuple[Work, asyncio.Future[Any]]] = []
            while more is not None:
                work += more
                if len(work) >= TOGETHER:
                    break
                try:
                    more = self._waiting.get_nowait()
                except queue.Empty:
                    break
            if work:
                done = self._written([each for each, _ in work])
                self._loop.call_soon_threadsafe(_deliver, [future for _, future in work], done)
            if more is None:
                return

    def _written(self, work: list[Work]) -> list[Any]:
        """What became of each: what it returned, durably; or `Unavailable`, and then nothing of it is kept."""
        failpoints.reach("before")
        began = time.perf_counter()
        try:
            done = self._commit_batch(work)
        except Exception as error:
            self.written.failed += 1
            if not isinstance(error, DISK) and len(work) > 1:  # nobody else is to suffer from what cannot be written
                return [outcome for each in work for outcome in self._written([each])]
            if not self._failing:
                say(f"Nothing can be written to {self.path} just now ({error}), and whoever answers is told so.")
            self._failing = True
            return [Unavailable()] * len(work)
        if self._failing:
            say(f"{self.path} is written to again.")
        self._failing = False
        self.written.done(len(work), time.perf_counter() - began)
        failpoints.reach("committed")
        return done

    def _commit_batch(self, work: list[Work]) -> list[Any]:
        """Do it in order in one transaction. If that fails, nothing of it is there, now or after a power cut."""
        asked = False
        try:
            if failpoints.fails("unwritten"):
                raise apsw.FullError("a test wants it")
            self._write.execute("BEGIN IMMEDIATE")
            done = [each(self._write) for each in work]
            if time.monotonic() - self._forgot >= FORGET_KEYS:
                self._forget_keys()
            failpoints.reach("written")
            asked = True
            self._write.execute("COMMIT")
        except Exception as error:
            self._lasts.clear()
            if self._write.in_transaction:
                self._write.execute("ROLLBACK")
            if asked and not isinstance(error, apsw.FullError):  # then its end, at least, was not written
                self._overwrite()
            raise
        return done

    def _overwrite(self) -> None:
        """What was to be committed may lie in the log all the same, and a start from the disk would take it for good. The next commit
        takes its place there: until there was one, nothing is said. The process ends if none comes about."""
        end = time.monotonic() + UNKNOWN
        while True:
            try:
                with self._write:
                    self._write.execute(
                        "INSERT INTO meta VALUES ('overwritten', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1"
                    )
                return
            except DISK as error:
                if time.monotonic() >= end:
                    say(
                        f"Diamonds stops: {self.path} could not be written ({error}). What was seen is safe; "
                        "mend the disk, then start again."
                    )
                    os._exit(COMMIT_FAILED)
            time.sleep(AGAIN)


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


def probe(connection: Connection) -> Outcome:
    """Write a row as large as a busy commit, over the one before it. Random bytes: SQLite skips pages that stay the same."""
    connection.execute(
        "INSERT INTO meta VALUES ('probe', randomblob(?)) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (PROBE_BYTES,),
    )
    return Outcome(DONE)


def _connect_in_memory(name: Path) -> apsw.Connection:
    """Return one more connection to the database in memory that has this name.

    A reader keeps the writer out there, and the writer a reader, for microseconds: SQLite's own busy handler would sleep for milliseconds.
    """
    connection = apsw.Connection(f"file:{name}?vfs=memdb", MEMORY_FLAGS)

    def wait(tries: int) -> bool:
        time.sleep(MEMORY_RETRY_DELAY_S)
        return tries < MAX_MEMORY_RETRIES

    connection.set_busy_handler(wait)
    return connection


def migrate(disk: apsw.Connection, path: Path) -> None:
    """Bring a file to this program's schema; refuse one that is newer."""
    version = disk.pragma("user_version")
    if version > SCHEMA:
        raise Refusal(
            f"{path} was written by a newer Diamonds (schema {version}; this one knows {SCHEMA}): use that one."
        )
    for k in range(version, SCHEMA):
        with disk:
            disk.execute(MIGRATIONS[k])
            disk.pragma("user_version", k + 1)


def check_file_unmarked(disk: apsw.Connection, folder: Path) -> None:
    """Raise `MarkedError` if the database of a folder was transferred elsewhere; a new file has no marks yet."""
    if disk.pragma("user_version"):
        check_unmarked(disk, str(folder))


def lock(folder: Path) -> FileLock:
    """Keep every other process out of the folder for as long as this one lives."""
    held = FileLock(folder / "lock", mode=0o600, blocking=False, thread_local=False)
    try:
        held.acquire()
    except Timeout:
        raise Refusal(f"Another Diamonds is already serving from {folder}.") from None
    return held
