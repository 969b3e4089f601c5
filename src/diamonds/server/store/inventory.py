"""What a house keeps, table by table, as it is copied from one place to another."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

import msgspec

from diamonds.server.store import schema
from diamonds.server.store.sql import Connection
from diamonds.server.store.transfer_mark import NO_MARK

PIECE = 100_000  # rows after which it is told how far it has come
KINDS = {"INTEGER": "int8", "COUNTER": "int8", "ANY": "int8", "REAL": "float8", "TEXT": "text", "BLOB": "bytea"}
IN_ORDER = tuple(name for name, table in schema.shared().items() if table.is_ordered)
COUNTED = dict.fromkeys(IN_ORDER, "rowid") | {
    name: table.key for name, table in schema.shared().items() if table.columns.get(table.key) == schema.COUNTER
}  # where rows get numbers that are never given again

Row = tuple[Any, ...]


class Column(NamedTuple):
    """A column of a table, and what is in it, as PostgreSQL calls that."""

    name: str
    kind: str


class Place(Protocol):
    """Where a house is kept, held for as long as something is copied."""

    name: str  # without a password

    @property
    def connection(self) -> Connection:
        """The connection to its store."""
        ...

    def end_reading(self) -> None:
        """Give up the one moment at which a house is read, before something is written to it."""
        ...

    def rows(self, table: str, columns: list[Column]) -> Iterator[Row]:
        """All rows of a table."""
        ...

    def last(self, table: str) -> int:
        """The last number that a table which is `COUNTED` has given."""
        ...

    def write(self, table: str, columns: list[Column], rows: Iterable[Row]) -> None:
        """Write rows into a table that is empty."""
        ...

    def go_on_from(self, table: str, last: int) -> None:
        """The next number that a table gives comes after this one."""
        ...


def tables() -> dict[str, list[Column]]:
    """Return the tables that are copied, with their columns. A row needs what stands before it."""
    return {name: [*_columns(table)] for name, table in schema.shared().items()}


def _columns(table: schema.Table) -> Iterator[Column]:
    if table.is_ordered:
        yield Column("rowid", "int8")
    for name, column in table.columns.items():
        yield Column(name, KINDS[column.type])


def asked(table: str, columns: list[Column]) -> str:
    """The question for all rows of a table. Of which schema it is, each place says in its own way."""
    names = ", ".join(column.name for column in columns)
    own = f" WHERE key NOT IN ('schema', 'probe') AND key NOT LIKE 'commit %' AND {NO_MARK}" if table == "meta" else ""
    return f"SELECT {names} FROM {table}{own}"


class Sum:
    """How many rows there were, and what they were, in whatever order."""

    def __init__(self) -> None:
        self.rows = self.mark = 0

    def of(self, rows: Iterable[Row], tell: Callable[[int], None] = lambda rows: None) -> Iterator[Row]:
        """The rows, which are counted as they go by."""
        for row in rows:
            kept = tuple(
                value.replace("\0", "\ufffd") if type(value) is str else value for value in row
            )  # see `postgres`
            text = hashlib.blake2b(msgspec.msgpack.encode(kept), digest_size=16).digest()
            self.mark = (self.mark + int.from_bytes(text)) % (1 << 128)
            self.rows += 1
            if self.rows % PIECE == 0:
                tell(self.rows)
            yield kept
