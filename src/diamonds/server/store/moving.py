"""All that a house keeps, from one place to another: from a file of SQLite into a database of PostgreSQL, and back.

It is read at one moment, written as one change, and read again: unless every table has arrived row by row, nothing is there. What a
target is called by it is called only then, so whatever comes in between leaves a target in which no house is.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import apsw

from diamonds.game import Refused, Unknown
from diamonds.server.store import sqlite
from diamonds.server.store.contract import Refusal
from diamonds.server.store.folder import make_private
from diamonds.server.store.inventory import COUNTED, IN_ORDER, Column, Place, Row, Sum, asked, tables

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
    """Copy a closed house to where none has been. Returns how many rows each table has. The house stays where it was, too."""
    with closed(source) as there, empty(target) as here:
        return copy(there, here, tell)


def closed(address: str) -> contextlib.AbstractContextManager[Place]:
    """A house that is closed, and stays so meanwhile; it is brought to this program's schema first."""
    return _postgres().closed(address) if is_postgresql(address) else _closed_file(folder_of(address))


def empty(address: str) -> contextlib.AbstractContextManager[Place]:
    """A place where no house has been; there is one if all goes well inside, and else none."""
    return _postgres().empty(address) if is_postgresql(address) else empty_file(folder_of(address))


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
        raise Refusal("A store in PostgreSQL needs its driver: pip install 'diamonds[postgres]' brings it.") from None
    return postgres_moving


class InFile:
    """A house in a file."""

    def __init__(self, disk: apsw.Connection) -> None:
        self._disk = disk

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
            disk.execute("BEGIN")
            yield InFile(disk)
    finally:
        lock.release()


@contextlib.contextmanager
def empty_file(folder: Path) -> Iterator[InFile]:
    """See `empty`. The file has its name only once it is whole and on the disk."""
    make_private(folder)
    lock = sqlite.lock(folder)
    part = folder / f"{DATABASE}.part"
    try:
        if (folder / DATABASE).exists():
            raise Refused("order-house-there", place=str(folder))
        _forget(part)  # another move may have been cut off
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with contextlib.closing(apsw.Connection(str(part))) as disk:
            disk.pragma("synchronous", "full")
            disk.execute("BEGIN IMMEDIATE")
            sqlite.migrate(disk, part)
            yield InFile(disk)
            disk.execute("COMMIT")
        part.replace(folder / DATABASE)
        _sync(folder)
    finally:
        _forget(part)
        lock.release()


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
