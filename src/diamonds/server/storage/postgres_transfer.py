"""PostgreSQL as source or target of a transfer (see `transfer`). Rows are streamed, whatever their number."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from diamonds.errors import DiamondsError, NotFoundError
from diamonds.server.storage import cluster, schema
from diamonds.server.storage.commit_outcomes import StoreError
from diamonds.server.storage.postgres_connection import PostgresConnection, store_errors
from diamonds.server.storage.postgres_schema import migrate, stored_schema_version
from diamonds.server.storage.transfer_mark import ARRIVING, check_unmarked, read_mark
from diamonds.server.storage.transferred_tables import (
    SEQUENCE_COLUMNS,
    Row,
    TransferColumn,
    select_rows_sql,
    transferred_tables,
)


class PostgresTransferEndpoint:
    """The data in a PostgreSQL database, as the source or target of a transfer."""

    def __init__(self, connection: PostgresConnection) -> None:
        self.connection = connection
        self.name = connection.name

    def end_snapshot(self) -> None:
        self.connection.raw.rollback()

    def read_rows(self, table: str, columns: list[TransferColumn]) -> Iterator[Row]:
        query = select_rows_sql(table, columns)
        with self.connection.raw.cursor().copy(f"COPY ({query}) TO STDOUT (FORMAT BINARY)".encode()) as stream:
            stream.set_types([column.pg_type for column in columns])
            yield from stream.rows()

    def last_number(self, table: str) -> int:
        last = self.connection.execute(f"SELECT max({SEQUENCE_COLUMNS[table]}) FROM {table}").get or 0
        sequence_value = self.connection.execute(
            f"SELECT pg_sequence_last_value(pg_get_serial_sequence('{table}', '{SEQUENCE_COLUMNS[table]}')::regclass)"
        ).get
        return int(max(last, sequence_value or 0))

    def write_rows(self, table: str, columns: list[TransferColumn], rows: Iterable[Row]) -> None:
        names = ", ".join(column.name for column in columns)
        statement = f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)".encode()
        with self.connection.raw.cursor().copy(statement) as stream:
            stream.set_types([column.pg_type for column in columns])
            for row in rows:
                stream.write_row(row)

    def set_last_number(self, table: str, number: int) -> None:
        if number:
            self.connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', '{SEQUENCE_COLUMNS[table]}'), ?::bigint)", (number,)
            )


@contextlib.contextmanager
def _connect(address: str) -> Iterator[PostgresConnection]:
    """Yield a connection without timeouts. Errors become `StoreError`s."""
    with store_errors(), contextlib.closing(PostgresConnection(address)) as connection, connection.translate_errors():
        connection.execute("SET statement_timeout = 0")
        connection.execute("SET idle_in_transaction_session_timeout = 0")
        yield connection


@contextlib.contextmanager
def closed_endpoint(address: str) -> Iterator[PostgresTransferEndpoint]:
    with _connect(address) as connection:
        if not stored_schema_version(connection):
            raise NotFoundError("server-no-data", folder=connection.name)
        migrate(connection)
        if cluster.is_served(connection):
            raise StoreError(f"Another Diamonds is already serving from {connection.name}.")
        with _snapshot(connection) as endpoint:
            yield endpoint


@contextlib.contextmanager
def snapshot_source(address: str) -> Iterator[PostgresTransferEndpoint]:
    """Yield a snapshot, which blocks nobody. The database must have this program's schema."""
    with _connect(address) as connection, _snapshot(connection) as endpoint:
        version = stored_schema_version(connection)
        if not version:
            raise NotFoundError("server-no-data", folder=connection.name)
        if version != schema.VERSION:
            raise StoreError(f"{connection.name} has schema {version}, but this version needs schema {schema.VERSION}.")
        check_unmarked(connection, connection.name)
        yield endpoint


def _truncate_tables(connection: PostgresConnection) -> None:
    """Empty every table, but keep the schema version."""
    connection.execute("DELETE FROM meta WHERE key != 'schema'")
    connection.execute(
        f"TRUNCATE {', '.join(table for table in transferred_tables() if table != 'meta')} RESTART IDENTITY"
    )


@contextlib.contextmanager
def _snapshot(connection: PostgresConnection) -> Iterator[PostgresTransferEndpoint]:
    connection.raw.execute(b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    yield PostgresTransferEndpoint(connection)


@contextlib.contextmanager
def empty_target(address: str, source: str) -> Iterator[PostgresTransferEndpoint]:
    """See `transfer.empty_target`. Everything is one transaction, including the creation of tables."""
    with _connect(address) as connection:
        with connection.raw.transaction():
            if stored_schema_version(connection):
                mark = read_mark(connection)
                if mark is None or (mark.kind, mark.other) != (ARRIVING, source):
                    raise DiamondsError("transfer-target-in-use", place=connection.name)
                migrate(connection)
                _truncate_tables(connection)
            migrate(connection)
            yield PostgresTransferEndpoint(connection)
        connection.execute("ANALYZE")
