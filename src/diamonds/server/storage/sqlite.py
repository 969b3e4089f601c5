"""The store in SQLite: a file, or memory.

A commit that fails, because the disk is full or broken, has no effect. The process ends only if that cannot be
guaranteed.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
from filelock import FileLock, Timeout

from diamonds.server.storage import failpoints, group_commit, migrations, schema, tables
from diamonds.server.storage.commit_outcomes import DONE, CommitOutcome, StoreError
from diamonds.server.storage.data_dir import make_private
from diamonds.server.storage.group_commit import GroupCommitWriter, PendingWrite
from diamonds.server.storage.sql import SqlConnection
from diamonds.server.storage.sqlite_readers import SqliteReaderPool
from diamonds.server.storage.store import Store
from diamonds.server.storage.table_data import AnyChange, ProbeChange
from diamonds.server.storage.transfer_mark import check_unmarked

MAX_CACHED_LAST_ENTRIES = 20_000  # tables whose last entry is cached
PROBE_BYTES = 32_768  # more than an answer writes, so when space is short, the probe fails before answers do
MEMORY_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
MEMORY_RETRY_DELAY_S = 0.0001
MAX_MEMORY_RETRIES = 50_000
OUTAGE_ERRORS = (apsw.FullError, apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.BusyError)


class SqliteStore(Store):
    """A `Store` in the file `diamonds.sqlite` of the data folder, which stays locked for this process.

    Without a folder the database is in memory and lost when the store is closed. Reads by key run on the event loop,
    because they take only about ten microseconds.
    """

    outage_errors = OUTAGE_ERRORS
    outage_timeout_s = 0.0
    readers: SqliteReaderPool
    write_connection: apsw.Connection

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        # Without a folder, this is the name of the database in memory.
        self.path = folder / "diamonds.sqlite" if folder else Path(f"/{secrets.token_hex(8)}")
        self._lock: FileLock | None = None
        self._opened: list[apsw.Connection] = []
        self.name = str(self.path) if folder else "memory"
        super().__init__(SqliteReaderPool(self._connect), GroupCommitWriter(self))

    async def open(self) -> None:
        if self.folder:
            make_private(self.folder)
            # SQLite gives the files that it adds the same permissions.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            self._lock = lock_folder(self.folder)
        self.write_connection = self._connect()
        self._opened.append(self.write_connection)
        self.write_counters.connections += 1
        try:
            if self.folder:
                check_file_unmarked(self.write_connection, self.folder)
            migrate(self.write_connection, self.path)
        except BaseException:
            await self.close()
            raise
        self.readers.open()
        with self.write_connection:
            self._prune()
            write_probe(self.write_connection)  # to report a full disk at start-up, not at the first request
        self._writer.start()

    def _connect(self) -> apsw.Connection:
        if not self.folder:
            return _connect_in_memory(self.path)
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(5000)
        mode = connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "full")
        connection.pragma("wal_autocheckpoint", 4000)
        if mode != "wal" or connection.pragma("synchronous") != 2:
            raise StoreError(f"{self.path} cannot be opened in WAL mode with full synchronisation.")
        return connection

    async def close(self) -> None:
        await self._writer.stop()
        self.readers.close()
        for connection in self._opened:
            connection.close()
        if self._lock is not None:
            self._lock.release()

    def apply_change(self, connection: SqlConnection, change: AnyChange) -> CommitOutcome:
        """See `Store`. Nobody else writes, so the last entries stay cached."""
        if isinstance(change, ProbeChange):
            return write_probe(connection)
        if len(self._last_entries) > MAX_CACHED_LAST_ENTRIES:
            self._last_entries.clear()
        return super().apply_change(connection, change)

    def write_batch(self, batch: Sequence[PendingWrite], prune: bool) -> list[Any]:
        is_commit_sent = False
        try:
            self.write_connection.execute("BEGIN IMMEDIATE")
            results = [item.work(self.write_connection, item.argument) for item in batch]
            if prune:
                self._prune()
            failpoints.reach("written")
            is_commit_sent = True
            self.write_connection.execute("COMMIT")
        except Exception as error:
            self._last_entries.clear()
            if self.write_connection.in_transaction:
                self.write_connection.execute("ROLLBACK")
            # if the disk is full, the end of the commit was not written
            if is_commit_sent and not isinstance(error, apsw.FullError):
                self._write_over_failed_commit()
            raise
        return results

    def _prune(self) -> None:
        """Delete outdated rows."""
        tables.prune(self.write_connection)
        self._last_entries.clear()

    def _write_over_failed_commit(self) -> None:
        """Overwrite a failed commit with another one, or end the process.

        The failed commit may still be in the log, and a restart would then treat it as valid. The next commit
        overwrites it there; no outcome is reported until that succeeds.
        """
        deadline = time.monotonic() + group_commit.UNKNOWN_OUTCOME_TIMEOUT_S
        while True:
            try:
                with self.write_connection:
                    self.write_connection.execute(
                        "INSERT INTO meta VALUES ('overwritten', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1"
                    )
                return
            except self.outage_errors as error:
                if time.monotonic() >= deadline:
                    group_commit.end_process(
                        f"{self.path} could not be written ({error}). Everything that players saw is stored. Repair the disk, then start again."
                    )
            time.sleep(group_commit.RETRY_DELAY_S)


def write_probe(connection: SqlConnection) -> CommitOutcome:
    """Write a row as large as a busy commit, replacing the last one.

    It is random, because SQLite skips unchanged pages.
    """
    connection.execute(
        "INSERT INTO meta VALUES ('probe', randomblob(?)) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (PROBE_BYTES,),
    )
    return CommitOutcome(DONE)


def _connect_in_memory(name: Path) -> apsw.Connection:
    """Return a connection to the database in memory with this name.

    In memory, reader and writer block each other for microseconds. The connection has a busy handler of its own,
    because SQLite's would sleep for milliseconds.
    """
    connection = apsw.Connection(f"file:{name}?vfs=memdb", MEMORY_FLAGS)

    def wait(tries: int) -> bool:
        time.sleep(MEMORY_RETRY_DELAY_S)
        return tries < MAX_MEMORY_RETRIES

    connection.set_busy_handler(wait)
    return connection


def migrate(disk: apsw.Connection, path: Path) -> None:
    """Migrate a file to this program's schema, all or nothing. Refuse a newer one."""
    version = disk.pragma("user_version")
    if version > schema.VERSION:
        raise StoreError(
            f"{path} was written by a newer Diamonds (schema {version}; this one knows {schema.VERSION}): use that one."
        )
    if version < schema.VERSION:
        with disk:
            migrations.upgrade(disk, version, is_postgresql=False)
            disk.pragma("user_version", schema.VERSION)


def check_file_unmarked(disk: apsw.Connection, folder: Path) -> None:
    """Raise `DataTransferredError` if the database of a folder was transferred elsewhere.

    A new file has no marks yet.
    """
    if disk.pragma("user_version"):
        check_unmarked(disk, str(folder))


def lock_folder(folder: Path) -> FileLock:
    """Lock the folder for as long as this process lives."""
    file_lock = FileLock(folder / "lock", mode=0o600, blocking=False, thread_local=False)
    try:
        file_lock.acquire()
    except Timeout:
        raise StoreError(f"Another Diamonds is already serving from {folder}.") from None
    return file_lock
