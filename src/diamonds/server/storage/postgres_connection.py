"""A connection to PostgreSQL with the interface of a SQLite one (see `sql`), and a pool of reader threads."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import quote

import psycopg
from psycopg import conninfo
from psycopg.types.numeric import Int8Dumper

from diamonds.server.storage.commit_outcomes import StoreError, StoreUnavailableError

LOCK_NAMESPACE = 0x0D1A  # first key of the advisory locks that do not belong to a table or person
SERVER_LOCK = 2  # second key: held by serving processes with schema 6
MIN_SERVER_VERSION = 14  # major version of PostgreSQL
CONNECT_TIMEOUT_S = 5
STATEMENT_TIMEOUT_MS = 10_000  # limit for a statement, and for idle time inside a transaction
RETRY_DELAY_S = 0.1  # between attempts to reach the database
# A process gives up its sessions after 2 s without reply, and the database after 6 s, so a process that believes it is
# alive is never considered dead. On Linux the user timeout replaces the count.
KEEPALIVE_OPTIONS: dict[str, Any] = {
    "keepalives": 1,
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 1,
    "tcp_user_timeout": 2000,
}
READER_THREADS = 4
SESSION_SETTINGS = f"""
SET statement_timeout = {STATEMENT_TIMEOUT_MS}; SET idle_in_transaction_session_timeout = {STATEMENT_TIMEOUT_MS};
SET client_min_messages = warning; SET client_encoding = 'UTF8';
SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 5; SET tcp_user_timeout = 5500;
"""
# Ends a killed client's statement; not supported on every system.
SET_CLIENT_CHECK_INTERVAL = "SET client_connection_check_interval = 1000"

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


class DatabaseUnreachableError(Exception):
    """The database was unreachable, disconnected, or aborted a statement. The text contains no secret."""


@contextlib.contextmanager
def store_errors() -> Iterator[None]:
    """Convert the errors of a database to `StoreError`s."""
    try:
        yield
    except DatabaseUnreachableError as error:
        raise StoreError(f"The store cannot be reached: {error}") from None
    except psycopg.Error as error:
        raise StoreError(
            f"The store cannot be used ({type(error).__name__}). Does Diamonds have a database of its own?"
        ) from None


class PostgresResult:
    """The result of a statement."""

    def __init__(self, cursor: psycopg.Cursor[Any]) -> None:
        self._cursor = cursor

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cursor.fetchall())

    def fetchone(self) -> Any:
        """Return the next row, or `None`."""
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        """Return all remaining rows."""
        return self._cursor.fetchall()

    @property
    def get(self) -> Any:
        """The first value of the first row, or `None`."""
        row = self._cursor.fetchone()
        return None if row is None else row[0]


class PostgresConnection:
    """One connection. `name` is the address without password, as used in error messages."""

    def __init__(self, address: str, session_name: str = "diamonds") -> None:
        self.name, self._password = without_password(address)
        with self.translate_errors():
            self.raw = psycopg.connect(
                address,
                autocommit=True,
                cursor_factory=psycopg.RawCursor,
                connect_timeout=CONNECT_TIMEOUT_S,
                application_name=session_name,
                **KEEPALIVE_OPTIONS,
            )
        self.raw.adapters.register_dumper(int, Int8Dumper)
        self.raw.prepare_threshold = 2
        self._last_cursor: psycopg.Cursor[Any] | None = None
        self._pipeline: psycopg.Pipeline | None = None
        try:
            with self.translate_errors():
                self.raw.execute(SESSION_SETTINGS)
                with contextlib.suppress(psycopg.errors.InvalidParameterValue):
                    self.raw.execute(SET_CLIENT_CHECK_INTERVAL)
                self._check_settings()
        except BaseException:
            self.close()
            raise

    def _check_settings(self) -> None:
        """Refuse a server whose settings are not durable or whose version is too old."""
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            if self.execute(f"SHOW {setting}").get == "off":
                raise StoreError(
                    f"{self.name} has {setting} off: a power failure could lose what players have seen. Turn it on, then start again."
                )
        if self.execute("SHOW server_encoding").get != "UTF8":
            raise StoreError(f"{self.name} cannot store every character. Create the database with ENCODING 'UTF8'.")
        if self.raw.info.server_version < MIN_SERVER_VERSION * 10_000:
            raise StoreError(f"{self.name} is older than PostgreSQL {MIN_SERVER_VERSION}. Use a newer version.")

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> PostgresResult:
        """See `sql.SqlConnection`. NUL characters, which PostgreSQL cannot store, are replaced."""
        self._last_cursor = cursor = self.raw.cursor(binary=True)
        cursor.execute(_translate_placeholders(sql), [_storable(value) for value in values])
        return PostgresResult(cursor)

    def changes(self) -> int:
        if self._pipeline is not None:
            self._pipeline.sync()
        return self._last_cursor.rowcount if self._last_cursor is not None else 0

    @contextlib.contextmanager
    def transaction(self, begin: str = "BEGIN") -> Iterator[None]:
        """Run a block as one transaction. Statements without results are sent together with the next ones."""
        try:
            with self.translate_errors(), self.raw.pipeline() as self._pipeline:
                self.raw.execute(begin.encode(), prepare=False)
                yield
                self.raw.execute(b"COMMIT", prepare=False)
        except BaseException:
            self._pipeline = None
            self._roll_back()
            raise
        self._pipeline = None

    def snapshot(self) -> AbstractContextManager[None]:
        """Run a block as a read-only transaction on one snapshot."""
        return self.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def _roll_back(self) -> None:
        with contextlib.suppress(psycopg.Error):  # the connection is lost, and the transaction with it
            self.raw.rollback()

    @contextlib.contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Convert errors of a server that is unreachable or out of disk space to `DatabaseUnreachableError`."""
        try:
            yield
        except (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.InternalError_) as error:
            raise DatabaseUnreachableError(self.describe_error(error)) from None

    def describe_error(self, error: Exception) -> str:
        """Return the text of an error without the password."""
        text = f"{self.name}: {' '.join(str(error).split())}"
        return text.replace(self._password, "…") if self._password else text

    def close(self) -> None:
        self.raw.close()


@functools.lru_cache(1000)
def _translate_placeholders(sql: str) -> bytes:
    """Return a statement with numbered PostgreSQL placeholders."""
    count = 0

    def to_numbered(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"${found[1] or count}"

    return re.sub(r"\?(\d*)", to_numbered, sql).encode()


def _storable(value: Any) -> Any:
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def without_password(address: str) -> tuple[str, str]:
    """Return an address without its password, and the password. Raise `StoreError` if it is not an address."""
    try:
        parts = conninfo.conninfo_to_dict(address)
    except psycopg.ProgrammingError:  # its text contains the whole address
        raise StoreError("This is not a PostgreSQL address. Use the form postgresql://USER@HOST/DATABASE.") from None
    user, host, port, database = (str(parts.get(part) or "") for part in ("user", "host", "port", "dbname"))
    host = f"[{host}]" if ":" in host else quote(host, safe=",")  # the folder of a socket contains slashes
    return f"postgresql://{user and user + '@'}{host}{port and ':' + port}/{database}", str(parts.get("password") or "")


class PostgresReaderPool:
    """Reader threads, each with its own connection. An outage is waited out for `reconnect_timeout_s`."""

    def __init__(self, address: str, reconnect_timeout_s: float, session_name: str = "diamonds") -> None:
        self._address, self._session_name = address, session_name
        self._reconnect_timeout_s = reconnect_timeout_s
        self._threads = ThreadPoolExecutor(READER_THREADS, "read")
        self._local = threading.local()
        self._opened: set[PostgresConnection] = set()

    async def find(
        self, work: Callable[Concatenate[PostgresConnection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """Run `work` with a connection and return its result."""
        return await self._retry(
            PostgresConnection.translate_errors, lambda connection: work(connection, *args, **more)
        )

    async def read(
        self, work: Callable[Concatenate[PostgresConnection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """Run `work` with a connection on one snapshot and return its result."""
        return await self._retry(PostgresConnection.snapshot, lambda connection: work(connection, *args, **more))

    async def _retry(
        self,
        guard: Callable[[PostgresConnection], AbstractContextManager[None]],
        work: Callable[[PostgresConnection], ResultT],
    ) -> ResultT:
        def run() -> ResultT:
            end = time.monotonic() + self._reconnect_timeout_s
            while True:
                try:
                    connection = self._thread_connection()
                    with guard(connection):
                        return work(connection)
                except DatabaseUnreachableError:
                    self._disconnect()
                    if time.monotonic() >= end:
                        raise StoreUnavailableError from None
                    time.sleep(RETRY_DELAY_S)

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

    def _thread_connection(self) -> PostgresConnection:
        connection: PostgresConnection | None = getattr(self._local, "connection", None)
        if connection is None:
            try:
                connection = self._local.connection = PostgresConnection(self._address, self._session_name)
            except StoreError as error:  # the database was usable before, so an outage is assumed
                raise DatabaseUnreachableError(str(error)) from None
            self._opened.add(connection)
        return connection

    def _disconnect(self) -> None:
        connection: PostgresConnection | None = getattr(self._local, "connection", None)
        if connection is not None:
            self._local.connection = None
            self._opened.discard(connection)
            connection.close()

    def close(self) -> None:
        """Wait for running reads, and start no more."""
        self._threads.shutdown(cancel_futures=True)
        for connection in self._opened:
            connection.close()
