"""Transfers of all data from a file of SQLite into a database of PostgreSQL, and back.

The source is read at one moment, written as one transaction, and read again: unless every table has arrived row by row, the target stays
empty. Marks keep both copies from being used at once (`transfer_mark`).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import apsw

from diamonds.game import Illegal, Refused, Unknown
from diamonds.server.store import sqlite
from diamonds.server.store.contract import Refusal
from diamonds.server.store.folder import make_private
from diamonds.server.store.inventory import COUNTED, IN_ORDER, Column, Place, Row, Sum, asked, tables
from diamonds.server.store.transfer_mark import (
    ARRIVING,
    MOVED,
    TransferMark,
    clear_mark,
    read_mark,
    refuse,
    write_mark,
)

DATABASE = "diamonds.sqlite"

Tell = Callable[[str, int], None]


def copy(source: Place, target: Place, tell: Tell) -> dict[str, int]:
    """Copy all of it. Returns how many rows each table has; `Refused` if one has not arrived as it was."""
    found = {}
    for table, columns in tables().items():
        sent, arrived = Sum(), Sum()
        target.write(table, columns, sent.of(source.rows(table, columns), lambda rows, table=table: tell(table, rows)))  # type: ignore[misc]
        if table in COUNTED:
            target.go_on_from(table, source.last(table))
        for _ in arrived.of(target.rows(table, columns)):
            pass
        if (sent.rows, sent.mark) != (arrived.rows, arrived.mark):
            raise Refused("order-not-moved", table=table, sent=sent.rows, arrived=arrived.rows)
        found[table] = sent.rows
        tell(table, sent.rows)
    return found


def move(source: str, target: str, tell: Tell = lambda table, rows: None) -> dict[str, int]:
    """Copy a closed house to where none has been, and mark the source, which is refused from then on. Returns how many rows each table has.

    A move that was cut off leaves the source as it was, or is finished by making it again (`transfer_mark`).
    """
    with closed(source) as there:
        mark = read_mark(there.connection)
        if mark is None:
            mark = TransferMark.new(there.name)
            with empty(target, there.name) as here:
                found = copy(there, here, tell)
                write_mark(here.connection, mark)
            there.end_reading()
            write_mark(there.connection, TransferMark(MOVED, here.name, mark.transfer))
        else:
            found = {table: sum(1 for _ in there.rows(table, columns)) for table, columns in tables().items()}
            _check_unfinished(mark, there.name, target)
        with closed(target) as here:
            here.end_reading()
            clear_mark(here.connection)
    return found


def _check_unfinished(mark: TransferMark, source: str, target: str) -> None:
    """Raise `MarkedError` unless everything has arrived at the target, and only its mark is left."""
    try:
        with closed(target) as here:
            arriving = read_mark(here.connection)
    except Refused:
        arriving = None
    if mark.kind != MOVED or arriving != TransferMark(ARRIVING, source, mark.transfer):
        refuse(mark, source)


def reopen(address: str) -> tuple[str, str]:
    """Clear the mark of a place, which is used again from then on; returns the place, and where its data went or came from."""
    with closed(address) as place:
        mark = read_mark(place.connection)
        if mark is None:
            raise Illegal("order-not-marked", place=place.name)
        place.end_reading()
        clear_mark(place.connection)
    return place.name, mark.other


def closed(address: str) -> contextlib.AbstractContextManager[Place]:
    """A house that is closed, and stays so meanwhile; it is brought to this program's schema first. It may be marked."""
    return _postgres().closed(address) if is_postgresql(address) else _closed_file(folder_of(address))


def empty(address: str, source: str) -> contextlib.AbstractContextManager[Place]:
    """A place where no house has been, or one that a move from ``source`` has not finished; there is a new one if all goes well inside."""
    return _postgres().empty(address, source) if is_postgresql(address) else empty_file(folder_of(address), source)


def open_or_closed(address: str) -> contextlib.AbstractContextManager[Any]:
    """One moment of a house in PostgreSQL, for which nobody waits."""
    return _postgres().open_or_closed(address)  # type: ignore[no-any-return]


def is_postgresql(address: str) -> bool:
    """Whether this is an address of PostgreSQL, and not a folder."""
    return address.startswith(("postgresql:", "postgres:"))


def folder_of(address: str) -> Path:
    """A folder, with ``sqlite:`` before it or without."""
    return Path(address.removeprefix("sqlite:"))


def _postgres() -> Any:
    try:
        from diamonds.server.store import postgres_moving
    except ModuleNotFoundError:
        raise Refusal("A store in PostgreSQL needs its driver. Install Diamonds with the extra 'postgres'.") from None
    return postgres_moving


class InFile:
    """A house in a file."""

    def __init__(self, disk: apsw.Connection, folder: Path) -> None:
        self._disk = self.connection = disk
        self.name = str(folder.resolve())

    def end_reading(self) -> None:
        """See `Place`."""
        self._disk.execute("COMMIT")

    def rows(self, table: str, columns: list[Column]) -> Iterator[Row]:
        """See `Place`."""
        return iter(self._disk.execute(asked(table, columns) + (" ORDER BY rowid" if table in IN_ORDER else "")))

    def last(self, table: str) -> int:
        """See `Place`."""
        last = self._disk.execute(f"SELECT max({COUNTED[table]}) FROM {table}").get or 0
        given = self._disk.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).get or 0
        return int(max(last, given))

    def write(self, table: str, columns: list[Column], rows: Iterable[Row]) -> None:
        """See `Place`."""
        names = ", ".join(column.name for column in columns)
        self._disk.executemany(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})", rows)

    def go_on_from(self, table: str, last: int) -> None:
        """See `Place`. Rows that merely keep their order go on from the last one that is there."""
        if table not in IN_ORDER:
            self._disk.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            self._disk.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))


@contextlib.contextmanager
def _closed_file(folder: Path) -> Iterator[InFile]:
    if not (folder / DATABASE).is_file():
        raise Unknown("order-no-house", folder=str(folder))
    lock = sqlite.lock(folder)
    try:
        with contextlib.closing(apsw.Connection(str(folder / DATABASE))) as disk:
            sqlite.migrate(disk, folder / DATABASE)
            disk.pragma("synchronous", "full")
            disk.execute("BEGIN")
            yield InFile(disk, folder)
    finally:
        lock.release()


@contextlib.contextmanager
def empty_file(folder: Path, source: str = "") -> Iterator[InFile]:
    """See `empty`. The file has its name only once it is whole and on the disk."""
    make_private(folder)
    lock = sqlite.lock(folder)
    part = folder / f"{DATABASE}.part"
    try:
        if (folder / DATABASE).exists() and not _is_unfinished(folder, source):
            raise Refused("order-house-there", place=str(folder))
        _forget(part)  # another move may have been cut off
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with contextlib.closing(apsw.Connection(str(part))) as disk:
            disk.pragma("synchronous", "full")
            disk.execute("BEGIN IMMEDIATE")
            sqlite.migrate(disk, part)
            yield InFile(disk, folder)
            disk.execute("COMMIT")
        for left in ("-wal", "-shm"):  # of a file that this one takes the place of
            (folder / f"{DATABASE}{left}").unlink(missing_ok=True)
        part.replace(folder / DATABASE)
        _sync(folder)
    finally:
        _forget(part)
        lock.release()


def _is_unfinished(folder: Path, source: str) -> bool:
    """Return whether a move from ``source`` to this folder was cut off."""
    try:
        with contextlib.closing(apsw.Connection(str(folder / DATABASE))) as disk:
            mark = read_mark(disk) if disk.pragma("user_version") else None
    except apsw.Error:  # another program's database stays
        return False
    return mark is not None and (mark.kind, mark.other) == (ARRIVING, source)


def _forget(part: Path) -> None:
    for path in (part, part.with_name(f"{part.name}-journal")):
        path.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """The name of a file in it is on the disk."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
