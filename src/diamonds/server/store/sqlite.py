"""The store in SQLite, with one writing thread.

Changes that arrive together share a commit. A commit that fails ends the process: what the disk holds is then unknown, and
only a start from the disk can tell.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

import apsw
from filelock import FileLock, Timeout

from diamonds.game import Refused
from diamonds.server.store import accounts_sqlite, books_sqlite, circles, failpoints, pushes
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.contract import (
    BLOCK,
    CONFLICT,
    DONE,
    REPEATED,
    REUSED,
    Change,
    Damaged,
    Listed,
    Outcome,
    Stored,
    Timed,
)
from diamonds.server.store.folder import make_private
from diamonds.server.store.lines import line_of
from diamonds.server.store.pushes import PushChange

SCHEMA = 5
TOGETHER = 256  # changes that may share a commit
KEEP_KEYS = 24 * 3600  # seconds for which a POST may be repeated with its key
FORGET_KEYS = 3600.0  # seconds between two times that older keys are forgotten
COMMIT_FAILED = 74  # the process's exit status when a commit fails (EX_IOERR)

Anything = Change | AccountChange | PushChange


class Refusal(Refused):
    """The data folder cannot be used; the message says why."""


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

# From version k to version k + 1: MIGRATIONS[k].
MIGRATIONS = (
    TABLES,
    TIMES_AND_NUMBERS,
    accounts_sqlite.TABLES,
    TALK + CLOCKS + circles.TABLES,
    books_sqlite.TABLES + pushes.TABLES,
)


class SqliteStore:
    """The store in one file, ``diamonds.sqlite`` in the data folder, which it keeps locked for this process."""

    def __init__(self, folder: Path) -> None:
        make_private(folder)
        self._lock = _lock(folder)
        self.path = folder / "diamonds.sqlite"
        self._read = self._open()
        self._migrate()
        self._write = self._open()
        self._waiting: queue.SimpleQueue[tuple[Anything, asyncio.Future[Outcome]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._readers = threading.local()
        self._opened: list[apsw.Connection] = []
        self.accounts = accounts_sqlite.SqliteAccounts(self._read, self._reader)
        self.books = books_sqlite.SqliteBooks(self._read, self._reader)
        self.pushes = pushes.Pushes(self._read)
        self.floor = self._reserve()

    def _open(self) -> apsw.Connection:
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(5000)
        mode = connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "full")
        connection.pragma("wal_autocheckpoint", 4000)
        if mode != "wal" or connection.pragma("synchronous") != 2:
            raise Refusal(f"{self.path} cannot be opened in WAL mode with full synchronisation.")
        return connection

    def _migrate(self) -> None:
        """Bring the file to this program's schema; refuse one that is newer."""
        version = self._read.pragma("user_version")
        if version > SCHEMA:
            raise Refusal(
                f"{self.path} was written by a newer Diamonds (schema {version}; this one knows {SCHEMA}): use that one."
            )
        for k in range(version, SCHEMA):
            with self._read:
                self._read.execute(MIGRATIONS[k])
                self._read.pragma("user_version", k + 1)

    def _reserve(self) -> int:
        """The first numbers of this process, durably its own; and forget the keys that are too old."""
        with self._write:
            floor = int(self._write.execute("SELECT value FROM meta WHERE key = 'reserved'").get or 0)
            self._write.execute("INSERT OR REPLACE INTO meta VALUES ('reserved', ?)", (floor + BLOCK,))
            self._forget_keys()
        return floor

    def _forget_keys(self) -> None:
        """Forget the POSTs that are too old to be repeated, and the devices that nobody uses."""
        accounts_sqlite.prune(self._write)
        pushes.prune(self._write)
        self._write.execute("DELETE FROM keys WHERE at < ?", (time.time() - KEEP_KEYS,))
        self._forgot = time.monotonic()

    def open_clocks(self, wall: int) -> int:
        """See `Store`."""
        with self._write:
            alive = int(self._write.execute("SELECT value FROM meta WHERE key = 'alive'").get or wall)
            now = max(wall, alive)
            closed = "UPDATE tables SET clock_at = clock_at + ? WHERE clocks IS NOT NULL AND phase = 'playing'"
            self._write.execute(closed, (now - alive,))
            self._write.execute("INSERT OR REPLACE INTO meta VALUES ('alive', ?)", (now,))
        return now

    def running_clocks(self) -> list[tuple[str, bytes, int]]:
        """See `Store`."""
        found: Any = self._read.execute(
            "SELECT id, clocks, clock_at FROM tables WHERE clocks IS NOT NULL AND phase = 'playing'"
        ).fetchall()
        return list(found)

    def close(self) -> None:
        """Write what is waiting, and let go of the folder."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
        for connection in (self._write, self._read, *self._opened):
            connection.close()
        self._lock.release()

    def _reader(self) -> apsw.Connection:
        """This thread's own connection."""
        connection: apsw.Connection | None = getattr(self._readers, "connection", None)
        if connection is None:
            connection = self._readers.connection = self._open()
            self._opened.append(connection)
        return connection

    def load(self, table: str) -> Stored | None:
        """See `Store`."""
        reader = self._reader()
        row: Any = reader.execute(
            "SELECT header, places, revision, phase, clocks, clock_at FROM tables WHERE id = ?", (table,)
        ).fetchone()
        if row is None:
            return None
        entries: list[Any] = reader.execute(
            "SELECT n, seat, words, person, key, at FROM entries WHERE table_id = ? ORDER BY n", (table,)
        ).fetchall()
        for expected, entry in enumerate(entries):
            if entry[0] != expected:
                raise Damaged(f"entry {expected} is missing")
        chat: list[Any] = reader.execute(
            "SELECT name, text, at, person, phrase, aside FROM"
            " (SELECT rowid AS k, * FROM chat WHERE table_id = ? ORDER BY rowid DESC LIMIT 30) ORDER BY k",
            (table,),
        ).fetchall()
        header, places, revision, phase, clocks, clock_at = row
        lines = [line_of(*line) for line in chat]
        return Stored(header, places, revision, phase, [entry[1:] for entry in entries], lines, clocks or b"", clock_at)

    # The other reads are made on the event loop: from memory-mapped pages, tens of microseconds.

    def recall(self, table: str, person: str, key: str, body: bytes) -> Outcome | None:
        """See `Store`."""
        return _recall(self._read, table, person, key, body)

    def mine(self, person: str, most: int) -> list[Listed]:
        """See `Store`."""
        rows = self._read.execute(
            "SELECT t.id, t.header, t.places, t.phase, t.created FROM members m JOIN tables t ON t.id = m.table_id"
            " WHERE m.person = ? ORDER BY m.at DESC LIMIT ?",
            (person, most),
        )
        return [Listed(*row) for row in rows]

    def timed(self, person: str) -> list[Timed]:
        """See `Store`."""
        rows = self._read.execute(
            "SELECT t.id, t.header, t.places, t.clocks, t.clock_at FROM members m JOIN tables t ON t.id = m.table_id"
            " WHERE m.person = ? AND t.clocks IS NOT NULL AND t.phase = 'playing'",
            (person,),
        )
        return [Timed(*row) for row in rows]

    def answered(self, person: str, table: str) -> int:
        """See `Store`."""
        found = self._read.execute(
            "SELECT n FROM entries WHERE table_id = ? AND person = ? ORDER BY n DESC LIMIT 1", (table, person)
        ).get
        return -1 if found is None else int(found)

    def names(self, people: Collection[str]) -> dict[str, str]:
        """See `Store`."""
        wanted = json.dumps(list(people))
        rows: Any = self._read.execute(
            "SELECT id, name FROM people WHERE id IN (SELECT value FROM json_each(?))", (wanted,)
        )
        return dict(rows)

    # Writing: one thread.

    def commit(self, change: Anything) -> asyncio.Future[Outcome]:
        """See `Store`."""
        if self._thread is None:
            self._loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._write_forever, name="store", daemon=True)
            self._thread.start()
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.put((change, future))
        return future

    def _write_forever(self) -> None:
        assert self._loop is not None
        while True:
            try:
                batch = [self._waiting.get(timeout=FORGET_KEYS)]
            except queue.Empty:
                self._commit_batch([])
                continue
            while batch[-1] is not None and len(batch) < TOGETHER:
                try:
                    batch.append(self._waiting.get_nowait())
                except queue.Empty:
                    break
            work = [item for item in batch if item is not None]
            if work:
                outcomes = self._commit_batch([change for change, _ in work])
                self._loop.call_soon_threadsafe(_deliver, [future for _, future in work], outcomes)
            if batch[-1] is None:
                return

    def _commit_batch(self, changes: list[Anything]) -> list[Outcome]:
        """Apply changes in order in one transaction; end the process if that fails."""
        try:
            failpoints.reach("before")
            self._write.execute("BEGIN IMMEDIATE")
            outcomes = [_applied(self._write, change) for change in changes]
            if time.monotonic() - self._forgot >= FORGET_KEYS:
                self._forget_keys()
            failpoints.reach("written")
            self._write.execute("COMMIT")
            failpoints.reach("committed")
            return outcomes
        except BaseException as error:
            sys.stderr.write(
                f"Diamonds stops: {self.path} could not be written ({error}). What was seen is safe; "
                "make room or mend the disk, then start again.\n"
            )
            sys.stderr.flush()
            os._exit(COMMIT_FAILED)


def _deliver(futures: list[asyncio.Future[Outcome]], outcomes: list[Outcome]) -> None:
    """On the event loop: tell those who wait."""
    failpoints.reach("delivering")
    for future, outcome in zip(futures, outcomes, strict=True):
        if not future.done():
            future.set_result(outcome)


def _lock(folder: Path) -> FileLock:
    """Keep every other process out of the folder for as long as this one lives."""
    lock = FileLock(folder / "lock", mode=0o600, blocking=False, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise Refusal(f"Another Diamonds is already serving from {folder}.") from None
    return lock


def _recall(connection: apsw.Connection, table: str, person: str, key: str, body: bytes) -> Outcome | None:
    row: Any = connection.execute("SELECT body, reply FROM keys WHERE person = ? AND key = ?", (person, key)).fetchone()
    if row is None and table:
        row = connection.execute(
            "SELECT body, reply FROM entries WHERE table_id = ? AND key = ? AND person = ? AND body IS NOT NULL",
            (table, key, person),
        ).fetchone()
    if row is None:
        return None
    return Outcome(REPEATED, row[1]) if row[0] == body else Outcome(REUSED)


def _alive(connection: apsw.Connection, now: int) -> None:
    """The house is open at this time of its own."""
    connection.execute(
        "INSERT INTO meta VALUES ('alive', ?) ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)",
        (now,),
    )


def _applied(connection: apsw.Connection, change: Anything) -> Outcome:
    if isinstance(change, Change):
        return _apply(connection, change)
    if isinstance(change, PushChange):
        pushes.apply(connection, change)
        return Outcome(DONE)
    return accounts_sqlite.apply(connection, change)


def _apply(connection: apsw.Connection, change: Change) -> Outcome:
    """Look first, then write: nothing of a change that cannot be made whole is written."""
    execute = connection.execute
    table, own_key = change.table, change.own_key
    if own_key:
        earlier = _recall(connection, "", change.person, change.key, change.body)
        if earlier is not None:
            return earlier
    if change.entries:
        last = execute("SELECT max(n) FROM entries WHERE table_id = ?", (table,)).get
        if (-1 if last is None else last) != change.n - 1:
            return Outcome(CONFLICT)
    if change.places and not change.header:
        execute(
            "UPDATE tables SET places = ?, revision = revision + 1, phase = ? WHERE id = ? AND revision = ?",
            (change.places, change.phase, table, change.revision),
        )
        if connection.changes() == 0:
            return Outcome(CONFLICT)
    elif change.phase and not change.header:
        execute("UPDATE tables SET phase = ? WHERE id = ?", (change.phase, table))
    if change.phase == "over":
        execute("UPDATE tables SET over_at = ? WHERE id = ? AND over_at = 0", (int(time.time()), table))
    if change.header:
        execute(
            "INSERT INTO tables (id, header, places, revision, phase, public, created) VALUES (?, ?, ?, 0, ?, ?, ?)",
            (table, change.header, change.places, change.phase, int(change.public), change.created),
        )
    for k, (seat, words) in enumerate(change.entries):
        keeps_key = k == 0 and change.key and not own_key
        key = (change.key, change.body, change.reply) if keeps_key else ("", None, None)
        row = (table, change.n + k, seat, words, change.sitter or change.person, *key, change.at)
        execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    for person in change.members:
        execute("INSERT OR REPLACE INTO members VALUES (?, ?, ?)", (person, time.time(), table))
    if change.line:
        name, text, at, person, *kind = change.line
        execute("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?, ?)", (table, at, name, text, person, *kind))
    if change.clocks:
        execute("UPDATE tables SET clocks = ?, clock_at = ? WHERE id = ?", (change.clocks, change.clock_at, table))
    if change.clocks or change.alive:
        _alive(connection, max(change.alive, change.clock_at))
    if change.reserve:
        execute("INSERT OR REPLACE INTO meta VALUES ('reserved', ?)", (change.reserve,))
    if change.name:
        execute("INSERT OR REPLACE INTO people VALUES (?, ?)", (change.person, change.name))
    if own_key:
        execute(
            "INSERT INTO keys VALUES (?, ?, ?, ?, ?)",
            (change.person, change.key, change.body, change.reply, time.time()),
        )
    return Outcome(DONE)
