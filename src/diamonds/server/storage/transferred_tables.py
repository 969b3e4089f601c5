"""The data of a server, table by table, in the form that a transfer copies."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

import msgspec

from diamonds.server.storage import schema
from diamonds.server.storage.sql import SqlConnection
from diamonds.server.storage.transfer_mark import NO_MARK

PROGRESS_ROWS = 100_000  # rows between progress reports
PG_TYPES = {"INTEGER": "int8", "COUNTER": "int8", "ANY": "int8", "REAL": "float8", "TEXT": "text", "BLOB": "bytea"}
ORDERED_TABLES = tuple(name for name, table in schema.shared_tables().items() if table.is_ordered)
# Columns of numbers that are never reused.
SEQUENCE_COLUMNS = dict.fromkeys(ORDERED_TABLES, "rowid") | {
    name: table.primary_key
    for name, table in schema.shared_tables().items()
    if table.columns.get(table.primary_key) == schema.COUNTER
}

Row = tuple[Any, ...]


class TransferColumn(NamedTuple):
    """A column of a table, and its PostgreSQL type."""

    name: str
    pg_type: str


class TransferEndpoint(Protocol):
    """The source or target of a transfer. It is locked until the transfer ends."""

    name: str  # without a password

    @property
    def connection(self) -> SqlConnection:
        """The connection to its store."""
        ...

    def end_snapshot(self) -> None:
        """End the snapshot before writing."""
        ...

    def read_rows(self, table: str, columns: list[TransferColumn]) -> Iterator[Row]: ...

    def last_number(self, table: str) -> int:
        """Return the last number used by a table in `SEQUENCE_COLUMNS`."""
        ...

    def write_rows(self, table: str, columns: list[TransferColumn], rows: Iterable[Row]) -> None:
        """Write rows into an empty table."""
        ...

    def set_last_number(self, table: str, number: int) -> None:
        """Make a table continue after this number."""
        ...


def transferred_tables() -> dict[str, list[TransferColumn]]:
    """Return the tables to copy, with their columns. Tables come after those they refer to."""
    return {
        name: [TransferColumn("rowid", "int8")] * table.is_ordered
        + [TransferColumn(column, PG_TYPES[definition.type]) for column, definition in table.columns.items()]
        for name, table in schema.shared_tables().items()
    }


def select_rows_sql(table: str, columns: list[TransferColumn]) -> str:
    """Return the query for the rows to transfer: without schema version, probe, commit marks and transfer marks."""
    names = ", ".join(column.name for column in columns)
    condition = (
        f" WHERE key NOT IN ('schema', 'probe') AND key NOT LIKE 'commit %' AND {NO_MARK}" if table == "meta" else ""
    )
    return f"SELECT {names} FROM {table}{condition}{' ORDER BY rowid' * (table in ORDERED_TABLES)}"


class RowChecksum:
    """The count and an order-independent checksum of rows."""

    def __init__(self) -> None:
        self.row_count = self.digest = 0

    def checksum_rows(
        self, rows: Iterable[Row], on_progress: Callable[[int], None] = lambda rows: None
    ) -> Iterator[Row]:
        """Yield the rows, and add them to the count and checksum."""
        for row in rows:
            # PostgreSQL cannot store NUL characters.
            stored = tuple(value.replace("\0", "\ufffd") if type(value) is str else value for value in row)
            row_digest = hashlib.blake2b(msgspec.msgpack.encode(stored), digest_size=16).digest()
            self.digest = (self.digest + int.from_bytes(row_digest)) % (1 << 128)
            self.row_count += 1
            if self.row_count % PROGRESS_ROWS == 0:
                on_progress(self.row_count)
            yield stored
