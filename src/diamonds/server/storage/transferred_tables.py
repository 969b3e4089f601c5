"""The data of a server, table by table, as it is copied from one place to another."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

import msgspec

from diamonds.server.storage import schema
from diamonds.server.storage.sql import SqlConnection
from diamonds.server.storage.transfer_mark import NO_MARK

PROGRESS_ROWS = 100_000  # rows after which it is told how far it has come
PG_TYPES = {"INTEGER": "int8", "COUNTER": "int8", "ANY": "int8", "REAL": "float8", "TEXT": "text", "BLOB": "bytea"}
ORDERED_TABLES = tuple(name for name, table in schema.shared_tables().items() if table.is_ordered)
SEQUENCE_COLUMNS = dict.fromkeys(ORDERED_TABLES, "rowid") | {
    name: table.primary_key
    for name, table in schema.shared_tables().items()
    if table.columns.get(table.primary_key) == schema.COUNTER
}  # where rows get numbers that are never given again

Row = tuple[Any, ...]


class TransferColumn(NamedTuple):
    """A column of a table, and what is in it, as PostgreSQL calls that."""

    name: str
    pg_type: str


class TransferEndpoint(Protocol):
    """A place of data, held for as long as something is copied."""

    name: str  # without a password

    @property
    def connection(self) -> SqlConnection:
        """The connection to its store."""
        ...

    def end_snapshot(self) -> None:
        """Give up the one moment at which the data is read, before something is written to it."""
        ...

    def read_rows(self, table: str, columns: list[TransferColumn]) -> Iterator[Row]:
        """All rows of a table."""
        ...

    def last_number(self, table: str) -> int:
        """The last number that a table which is in `SEQUENCE_COLUMNS` has given."""
        ...

    def write_rows(self, table: str, columns: list[TransferColumn], rows: Iterable[Row]) -> None:
        """Write rows into a table that is empty."""
        ...

    def set_last_number(self, table: str, number: int) -> None:
        """The next number that a table gives comes after this one."""
        ...


def transferred_tables() -> dict[str, list[TransferColumn]]:
    """Return the tables that are copied, with their columns. A row needs what stands before it."""
    return {name: [*_columns(table)] for name, table in schema.shared_tables().items()}


def _columns(table: schema.TableSchema) -> Iterator[TransferColumn]:
    if table.is_ordered:
        yield TransferColumn("rowid", "int8")
    for name, column in table.columns.items():
        yield TransferColumn(name, PG_TYPES[column.type])


def select_rows_sql(table: str, columns: list[TransferColumn]) -> str:
    """The question for all rows of a table. Of which schema it is, each place says in its own way."""
    names = ", ".join(column.name for column in columns)
    condition = (
        f" WHERE key NOT IN ('schema', 'probe') AND key NOT LIKE 'commit %' AND {NO_MARK}" if table == "meta" else ""
    )
    return f"SELECT {names} FROM {table}{condition}"


class RowChecksum:
    """How many rows there were, and what they were, in whatever order."""

    def __init__(self) -> None:
        self.row_count = self.digest = 0

    def checksum_rows(
        self, rows: Iterable[Row], on_progress: Callable[[int], None] = lambda rows: None
    ) -> Iterator[Row]:
        """The rows, which are counted as they go by."""
        for row in rows:
            stored = tuple(
                value.replace("\0", "\ufffd") if type(value) is str else value for value in row
            )  # see `postgres`
            row_digest = hashlib.blake2b(msgspec.msgpack.encode(stored), digest_size=16).digest()
            self.digest = (self.digest + int.from_bytes(row_digest)) % (1 << 128)
            self.row_count += 1
            if self.row_count % PROGRESS_ROWS == 0:
                on_progress(self.row_count)
            yield stored
