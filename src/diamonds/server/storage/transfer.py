"""Transfers of all data from SQLite to PostgreSQL, and back.

The source is read on one snapshot, written in one transaction, and read back. Unless every row of every table has
arrived, the target stays empty. Marks prevent the use of both copies (`transfer_mark`).
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from diamonds.errors import DiamondsError, NotAllowedError, NotFoundError
from diamonds.server.storage import sqlite
from diamonds.server.storage.commit_outcomes import StoreError
from diamonds.server.storage.data_dir import make_private
from diamonds.server.storage.transfer_mark import (
    ARRIVING,
    MOVED,
    TransferMark,
    clear_mark,
    raise_if_marked,
    read_mark,
    write_mark,
)
from diamonds.server.storage.transferred_tables import (
    ORDERED_TABLES,
    SEQUENCE_COLUMNS,
    Row,
    RowChecksum,
    TransferColumn,
    TransferEndpoint,
    select_rows_sql,
    transferred_tables,
)

DATABASE_FILE = "diamonds.sqlite"

ProgressCallback = Callable[[str, int], None]


def copy_data(source: TransferEndpoint, target: TransferEndpoint, on_progress: ProgressCallback) -> dict[str, int]:
    """Copy all tables; return their row counts. Raise `DiamondsError` if a table has not arrived unchanged."""
    row_counts = {}
    for table, columns in transferred_tables().items():
        sent, arrived = RowChecksum(), RowChecksum()
        rows = sent.checksum_rows(source.read_rows(table, columns), partial(on_progress, table))
        target.write_rows(table, columns, rows)
        if table in SEQUENCE_COLUMNS:
            target.set_last_number(table, source.last_number(table))
        for _ in arrived.checksum_rows(target.read_rows(table, columns)):
            pass
        if (sent.row_count, sent.digest) != (arrived.row_count, arrived.digest):
            raise DiamondsError("transfer-incomplete", table=table, sent=sent.row_count, arrived=arrived.row_count)
        row_counts[table] = sent.row_count
        on_progress(table, sent.row_count)
    return row_counts


def transfer_data(source: str, target: str, on_progress: ProgressCallback = lambda table, rows: None) -> dict[str, int]:
    """Copy a closed server's data to an empty place, and mark the source as moved. Return the row counts.

    An interrupted transfer leaves the source unchanged, or can be completed by repeating it (`transfer_mark`).
    """
    with closed_endpoint(source) as source_endpoint:
        mark = read_mark(source_endpoint.connection)
        if mark is None:
            mark = TransferMark(ARRIVING, source_endpoint.name, secrets.randbits(62))
            with empty_target(target, source_endpoint.name) as target_endpoint:
                row_counts = copy_data(source_endpoint, target_endpoint, on_progress)
                write_mark(target_endpoint.connection, mark)
            source_endpoint.end_snapshot()
            write_mark(source_endpoint.connection, TransferMark(MOVED, target_endpoint.name, mark.transfer_id))
        else:
            row_counts = {
                table: sum(1 for _ in source_endpoint.read_rows(table, columns))
                for table, columns in transferred_tables().items()
            }
            _check_unfinished(mark, source_endpoint.name, target)
        with closed_endpoint(target) as target_endpoint:
            target_endpoint.end_snapshot()
            clear_mark(target_endpoint.connection)
    return row_counts


def _check_unfinished(mark: TransferMark, source: str, target: str) -> None:
    """Raise `DataTransferredError` unless all data has arrived at the target and only its mark is left to clear."""
    try:
        with closed_endpoint(target) as endpoint:
            arriving = read_mark(endpoint.connection)
    except DiamondsError:
        arriving = None
    if mark.kind != MOVED or arriving != TransferMark(ARRIVING, source, mark.transfer_id):
        raise_if_marked(mark, source)


def reopen(address: str) -> tuple[str, str]:
    """Clear the mark of a place, so that it can be used again.

    Return the place, and the other place of the transfer.
    """
    with closed_endpoint(address) as endpoint:
        mark = read_mark(endpoint.connection)
        if mark is None:
            raise NotAllowedError("transfer-not-marked", place=endpoint.name)
        endpoint.end_snapshot()
        clear_mark(endpoint.connection)
    return endpoint.name, mark.other


def closed_endpoint(address: str) -> contextlib.AbstractContextManager[TransferEndpoint]:
    """Open the data of a closed server, migrated to this program's schema, even if it bears the mark of a transfer."""
    return (
        _import_postgres_transfer().closed_endpoint(address)
        if is_postgresql(address)
        else _closed_file(folder_of(address))
    )


def empty_target(address: str, source: str) -> contextlib.AbstractContextManager[TransferEndpoint]:
    """Hold a place without data, or with an unfinished transfer from `source`.

    It is filled only if the block succeeds.
    """
    return (
        _import_postgres_transfer().empty_target(address, source)
        if is_postgresql(address)
        else empty_file_target(folder_of(address), source)
    )


def snapshot_source(address: str) -> contextlib.AbstractContextManager[Any]:
    """Hold a snapshot of data in PostgreSQL, which blocks nobody."""
    return _import_postgres_transfer().snapshot_source(address)  # type: ignore[no-any-return]


def is_postgresql(address: str) -> bool:
    """Return whether an address is a PostgreSQL address, not a folder."""
    return address.startswith(("postgresql:", "postgres:"))


def folder_of(address: str) -> Path:
    """Return the folder of an address, with or without the prefix `sqlite:`."""
    return Path(address.removeprefix("sqlite:"))


def _import_postgres_transfer() -> Any:
    try:
        from diamonds.server.storage import postgres_transfer
    except ModuleNotFoundError:
        raise StoreError(
            "A store in PostgreSQL needs its driver. Install Diamonds with the extra 'postgres'."
        ) from None
    return postgres_transfer


class SqliteTransferEndpoint:
    """The data in a SQLite file, as the source or target of a transfer."""

    def __init__(self, disk: apsw.Connection, folder: Path) -> None:
        self.connection = disk
        self.name = str(folder.resolve())

    def end_snapshot(self) -> None:
        self.connection.execute("COMMIT")

    def read_rows(self, table: str, columns: list[TransferColumn]) -> Iterator[Row]:
        return iter(self.connection.execute(select_rows_sql(table, columns)))

    def last_number(self, table: str) -> int:
        last = self.connection.execute(f"SELECT max({SEQUENCE_COLUMNS[table]}) FROM {table}").get or 0
        sequence_value = self.connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).get or 0
        return int(max(last, sequence_value))

    def write_rows(self, table: str, columns: list[TransferColumn], rows: Iterable[Row]) -> None:
        names = ", ".join(column.name for column in columns)
        self.connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})", rows)

    def set_last_number(self, table: str, number: int) -> None:
        """See `TransferEndpoint`. Ordered tables need no number: they continue from their last row."""
        if table not in ORDERED_TABLES:
            self.connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            self.connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, number))


@contextlib.contextmanager
def _closed_file(folder: Path) -> Iterator[SqliteTransferEndpoint]:
    if not (folder / DATABASE_FILE).is_file():
        raise NotFoundError("server-no-data", folder=str(folder))
    lock = sqlite.lock_folder(folder)
    try:
        with contextlib.closing(apsw.Connection(str(folder / DATABASE_FILE))) as disk:
            sqlite.migrate(disk, folder / DATABASE_FILE)
            disk.pragma("synchronous", "full")
            disk.execute("BEGIN")
            yield SqliteTransferEndpoint(disk, folder)
    finally:
        lock.release()


@contextlib.contextmanager
def empty_file_target(folder: Path, source: str = "") -> Iterator[SqliteTransferEndpoint]:
    """See `empty_target`. The file gets its name only once it is complete and on disk."""
    make_private(folder)
    lock = sqlite.lock_folder(folder)
    part = folder / f"{DATABASE_FILE}.part"
    try:
        if (folder / DATABASE_FILE).exists() and not _is_unfinished(folder, source):
            raise DiamondsError("transfer-target-in-use", place=str(folder))
        _delete_partial_file(part)  # left by an interrupted transfer
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with contextlib.closing(apsw.Connection(str(part))) as disk:
            disk.pragma("synchronous", "full")
            disk.execute("BEGIN IMMEDIATE")
            sqlite.migrate(disk, part)
            yield SqliteTransferEndpoint(disk, folder)
            disk.execute("COMMIT")
        for suffix in ("-wal", "-shm"):  # left by the file that this one replaces
            (folder / f"{DATABASE_FILE}{suffix}").unlink(missing_ok=True)
        part.replace(folder / DATABASE_FILE)
        _sync_folder(folder)
    finally:
        _delete_partial_file(part)
        lock.release()


def _is_unfinished(folder: Path, source: str) -> bool:
    """Return whether a transfer from `source` to this folder was interrupted."""
    try:
        with contextlib.closing(apsw.Connection(str(folder / DATABASE_FILE))) as disk:
            mark = read_mark(disk) if disk.pragma("user_version") else None
    except apsw.Error:  # another program's database, which is left alone
        return False
    return mark is not None and (mark.kind, mark.other) == (ARRIVING, source)


def _delete_partial_file(part: Path) -> None:
    for path in (part, part.with_name(f"{part.name}-journal")):
        path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make the names of the files in a folder durable."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
