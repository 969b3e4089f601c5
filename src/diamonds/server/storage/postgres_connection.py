"""A connection to PostgreSQL that looks like one of SQLite, see `sql`; and the threads that read through such."""

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

from diamonds.server.storage.outcomes import StoreError, StoreUnavailableError

LOCK_NAMESPACE = 0x0D1A  # the first half of the numbers of those locks that are not a table's or a person's
SERVER_LOCK = 2  # the other half: what processes of schema 6 hold while they serve
MIN_SERVER_VERSION = 14  # version of PostgreSQL
CONNECT_TIMEOUT_S = 5  # seconds
STATEMENT_TIMEOUT_MS = 10_000  # milliseconds that one statement may take, and a transaction wait for the next one
RETRY_DELAY_S = 0.1  # seconds between two times that a server which is away is tried
# A process gives its own lines up after some 4 s, and the server after 6: it never takes for dead who believes to be alive.
KEEPALIVE_OPTIONS: dict[str, Any] = {
    "keepalives": 1,
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 3000,
}
READER_THREADS = 4  # that read
SESSION_SETTINGS = f"""
SET statement_timeout = {STATEMENT_TIMEOUT_MS}; SET idle_in_transaction_session_timeout = {STATEMENT_TIMEOUT_MS};
SET client_min_messages = warning; SET client_encoding = 'UTF8';
SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 5; SET tcp_user_timeout = 5500;
"""
SET_CLIENT_CHECK_INTERVAL = (
    "SET client_connection_check_interval = 1000"  # a killed client's statement ends; not every system can
)

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


class DatabaseUnreachableError(Exception):
    """The server was not reached, or went away, or gave up what it was asked. Its text tells no secret."""


class PostgresResult:
    """What a statement found."""

    def __init__(self, cursor: psycopg.Cursor[Any]) -> None:
        self._cursor = cursor

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cursor.fetchall())

    def fetchone(self) -> Any:
        """The first row, or the next one, or ``None``."""
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        """All rows."""
        return self._cursor.fetchall()

    @property
    def get(self) -> Any:
        """The first value of the first row, or ``None``."""
        row = self._cursor.fetchone()
        return None if row is None else row[0]


class PostgresConnection:
    """One connection. ``name`` is the address without its password, and so is what it says of errors."""

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
        """Refuse a server that would not keep what it says it has."""
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            if self.execute(f"SHOW {setting}").get == "off":
                raise StoreError(
                    f"{self.name} has {setting} off: a power cut would take back what was told. Turn it on, then start again."
                )
        if self.execute("SHOW server_encoding").get != "UTF8":
            raise StoreError(f"{self.name} cannot keep every letter: make a database with ENCODING 'UTF8'.")
        if self.raw.info.server_version < MIN_SERVER_VERSION * 10_000:
            raise StoreError(f"{self.name} is older than PostgreSQL {MIN_SERVER_VERSION}: use a newer one.")

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> PostgresResult:
        """See `sql.Connection`. A letter that PostgreSQL cannot keep (the zero) is another to it."""
        self._last_cursor = cursor = self.raw.cursor(binary=True)
        cursor.execute(_translate_placeholders(sql), [_storable(value) for value in values])
        return PostgresResult(cursor)

    def changes(self) -> int:
        """See `sql.Connection`."""
        if self._pipeline is not None:
            self._pipeline.sync()
        return self._last_cursor.rowcount if self._last_cursor is not None else 0

    @contextlib.contextmanager
    def transaction(self, begin: str = "BEGIN") -> Iterator[None]:
        """All of what happens inside, or nothing. What finds nothing is not waited for: it is sent with what does."""
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
        """Inside, everything is as it is now."""
        return self.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def _roll_back(self) -> None:
        with contextlib.suppress(psycopg.Error):  # then it is lost, and so is what was begun
            self.raw.rollback()

    @contextlib.contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Whatever keeps the server from answering is `DatabaseUnreachableError`."""
        try:
            yield
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise DatabaseUnreachableError(self.describe_error(error)) from None

    def describe_error(self, error: Exception) -> str:
        """What may be said of an error."""
        text = f"{self.name}: {' '.join(str(error).split())}"
        return text.replace(self._password, "…") if self._password else text

    def close(self) -> None:
        """Hang up."""
        self.raw.close()


@functools.lru_cache(1000)
def _translate_placeholders(sql: str) -> bytes:
    """A statement with the places of values as PostgreSQL numbers them."""
    count = 0

    def to_numbered(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"${found[1] or count}"

    return re.sub(r"\?(\d*)", to_numbered, sql).encode()


def _storable(value: Any) -> Any:
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def without_password(address: str) -> tuple[str, str]:
    """An address as it may be read by others, and the password; `StoreError` if it is no address."""
    try:
        parts = conninfo.conninfo_to_dict(address)
    except psycopg.ProgrammingError:  # whose text has all of the address
        raise StoreError("This is no address of a PostgreSQL: postgresql://USER@HOST/DATABASE is one.") from None
    user, host, port, database = (str(parts.get(part) or "") for part in ("user", "host", "port", "dbname"))
    host = f"[{host}]" if ":" in host else quote(host, safe=",")  # a socket's folder has slashes
    return f"postgresql://{user and user + '@'}{host}{port and ':' + port}/{database}", str(parts.get("password") or "")


class PostgresReaderPool:
    """Threads that read, each through a connection of its own; who goes away is waited for as long as ``patience`` says, in seconds."""

    def __init__(self, address: str, reconnect_timeout_s: float, session_name: str = "diamonds") -> None:
        self._address, self._session_name = address, session_name
        self._reconnect_timeout_s = reconnect_timeout_s
        self._threads = ThreadPoolExecutor(READER_THREADS, "read")
        self._local = threading.local()
        self._opened: set[PostgresConnection] = set()

    async def find(
        self, work: Callable[Concatenate[PostgresConnection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """What ``work`` finds, given a connection."""
        return await self._retry(
            PostgresConnection.translate_errors, lambda connection: work(connection, *args, **more)
        )

    async def read(
        self, work: Callable[Concatenate[PostgresConnection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """What ``work`` finds, given a connection: all of it at one moment."""
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
        """This thread's own connection."""
        connection: PostgresConnection | None = getattr(self._local, "connection", None)
        if connection is None:
            try:
                connection = self._local.connection = PostgresConnection(self._address, self._session_name)
            except StoreError as error:  # it was used before, so somebody is mending it
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
        """Let what is being read come to its end, and begin nothing more."""
        self._threads.shutdown(cancel_futures=True)
        for connection in self._opened:
            connection.close()
