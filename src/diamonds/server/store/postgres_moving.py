"""A house in PostgreSQL as a place that is copied from or to; see `moving`. Rows go in one stream, however many there are."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

import psycopg

from diamonds.game import Refused, Unknown
from diamonds.server.store import cluster_sql, schema
from diamonds.server.store.contract import Refusal
from diamonds.server.store.inventory import COUNTED, IN_ORDER, Column, Row, asked, tables
from diamonds.server.store.postgres_connection import Away, Connection
from diamonds.server.store.postgres_schema import migrate, schema_of
from diamonds.server.store.transfer_mark import ARRIVING, check_unmarked, read_mark


class InPostgres:
    """A house in a database."""

    def __init__(self, connection: Connection) -> None:
        self._connection = self.connection = connection
        self.name = connection.name

    def end_reading(self) -> None:
        """See `Place`."""
        self._connection.raw.rollback()

    def rows(self, table: str, columns: list[Column]) -> Iterator[Row]:
        """See `Place`."""
        question = asked(table, columns) + (" ORDER BY rowid" if table in IN_ORDER else "")
        with self._connection.raw.cursor().copy(f"COPY ({question}) TO STDOUT (FORMAT BINARY)".encode()) as stream:
            stream.set_types([column.kind for column in columns])
            yield from stream.rows()

    def number(self, what: str) -> int:
        """A number that is asked for by what comes after ``SELECT``."""
        return int(self._connection.execute(f"SELECT {what}").get)

    def last(self, table: str) -> int:
        """See `Place`."""
        last = self._connection.execute(f"SELECT max({COUNTED[table]}) FROM {table}").get or 0
        given = self._connection.execute(
            f"SELECT pg_sequence_last_value(pg_get_serial_sequence('{table}', '{COUNTED[table]}')::regclass)"
        ).get
        return int(max(last, given or 0))

    def write(self, table: str, columns: list[Column], rows: Iterable[Row]) -> None:
        """See `Place`."""
        names = ", ".join(column.name for column in columns)
        statement = f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)".encode()
        with self._connection.raw.cursor().copy(statement) as stream:
            stream.set_types([column.kind for column in columns])
            for row in rows:
                stream.write_row(row)

    def go_on_from(self, table: str, last: int) -> None:
        """See `Place`."""
        if last:
            self._connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', '{COUNTED[table]}'), ?::bigint)", (last,)
            )


@contextlib.contextmanager
def _connected(address: str) -> Iterator[Connection]:
    """A connection that may take its time; whatever goes wrong is said in a sentence without a password."""
    try:
        with contextlib.closing(Connection(address)) as connection, connection.watched():
            connection.execute("SET statement_timeout = 0")
            connection.execute("SET idle_in_transaction_session_timeout = 0")
            yield connection
    except Away as away:
        raise Refusal(f"The store cannot be reached: {away}") from None
    except psycopg.Error as error:
        raise Refusal(
            f"The store cannot be used ({type(error).__name__}): is its database for Diamonds alone?"
        ) from None


@contextlib.contextmanager
def closed(address: str) -> Iterator[InPostgres]:
    """See `moving.closed`."""
    with _connected(address) as connection:
        if not schema_of(connection):
            raise Unknown("order-no-house", folder=connection.name)
        migrate(connection)
        cluster_sql.check_closed(connection, connection.name)
        with _moment(connection) as found:
            yield found


@contextlib.contextmanager
def open_or_closed(address: str) -> Iterator[InPostgres]:
    """One moment of a house, for which nobody waits. It has to be of this program's schema."""
    with _connected(address) as connection, _moment(connection) as found:
        version = schema_of(connection)
        if not version:
            raise Unknown("order-no-house", folder=connection.name)
        if version != schema.VERSION:
            raise Refusal(
                f"{connection.name} is of another version (schema {version}; this one's is {schema.VERSION})."
            )
        check_unmarked(connection, connection.name)
        yield found


def _take_out(connection: Connection) -> None:
    """Empty every table, but keep the number of the schema."""
    connection.execute("DELETE FROM meta WHERE key != 'schema'")
    connection.execute(f"TRUNCATE {', '.join(table for table in tables() if table != 'meta')} RESTART IDENTITY")


@contextlib.contextmanager
def _moment(connection: Connection) -> Iterator[InPostgres]:
    connection.raw.execute(b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    yield InPostgres(connection)


@contextlib.contextmanager
def empty(address: str, source: str) -> Iterator[InPostgres]:
    """See `moving.empty`. All of it is one transaction, the tables as well."""
    with _connected(address) as connection:
        with connection.raw.transaction():
            if schema_of(connection):
                mark = read_mark(connection)
                if mark is None or (mark.kind, mark.other) != (ARRIVING, source):
                    raise Refused("order-house-there", place=connection.name)
                migrate(connection)
                _take_out(connection)
            migrate(connection)
            yield InPostgres(connection)
        connection.execute("ANALYZE")
