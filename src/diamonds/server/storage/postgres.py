"""The store in PostgreSQL.

Changes that share a commit share one round on the wire, too, where nothing has to be looked up. A server that goes away is
waited for; what became of a commit that it did not answer is asked of it before anything is said. The number of the transaction alone does
not tell: a server that crashed gives it to another one, if nothing of the first had come to its disk. So each commit writes its own
number, too, in a row that this process alone writes.

Several processes may serve from one database (`cluster/`). Each transaction first locks the rows of the tables that it changes, and of the
lobby where it changes people, as far as this process owns them; a change of anything else is left out (`NOT_OWNER`).
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

import psycopg

from diamonds.server.storage import cluster, failpoints, tables
from diamonds.server.storage.accounts import AccountChange
from diamonds.server.storage.group_commit import (
    RETRY_DELAY_S,
    UNKNOWN_OUTCOME_TIMEOUT_S,
    GroupCommitWriter,
    PendingWrite,
    end_process,
)
from diamonds.server.storage.interface import AnyChange, TableChange
from diamonds.server.storage.outcomes import NOT_OWNER, Outcome, StoreError
from diamonds.server.storage.postgres_connection import (
    DatabaseUnreachableError,
    PostgresConnection,
    PostgresReaderPool,
    without_password,
)
from diamonds.server.storage.postgres_schema import migrate
from diamonds.server.storage.push import PushChange
from diamonds.server.storage.sql_store import SqlStore
from diamonds.server.storage.transfer_mark import check_unmarked

RECONNECT_TIMEOUT_S = 10.0  # seconds for which a server that is away is waited for
WRITE_COMMIT_MARK = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value RETURNING pg_current_xact_id()::text"

P = ParamSpec("P")
ReadResultT = TypeVar("ReadResultT")
ArgT = TypeVar("ArgT")
WriteResultT = TypeVar("WriteResultT")


class PostgresStore(SqlStore):
    """A `Store`. ``patience`` is in seconds. ``member`` is this process's number in a cluster, or 0; ``check`` is awaited before each
    commit, and raises `StoreUnavailableError` while the process may not write."""

    outage_errors: tuple[type[Exception], ...] = (DatabaseUnreachableError,)
    _readers: PostgresReaderPool

    def __init__(self, address: str, outage_timeout_s: float = RECONNECT_TIMEOUT_S) -> None:
        self._address, self.outage_timeout_s = address, outage_timeout_s
        self.member = 0
        self.wait_joined: Callable[[], Awaitable[None]] | None = None
        self.session_name = f"diamonds {secrets.token_hex(8)}"  # the application name of all of this process's sessions
        self.name, _ = without_password(address)
        self._write_connection: PostgresConnection | None = None
        self._commit_mark, self._last_commit_number = (
            f"commit {secrets.token_hex(6)}",
            0,
        )  # of this process's last commit
        super().__init__(PostgresReaderPool(address, outage_timeout_s, self.session_name), GroupCommitWriter(self))

    async def open(self) -> None:
        """See `Store`."""
        await asyncio.to_thread(self._open)
        self._writer.start()

    def _open(self) -> None:
        try:
            self._write_connection = self._open_write_connection()
            with self._write_connection.transaction():
                self._prune(self._write_connection)
        except DatabaseUnreachableError as away:
            raise StoreError(f"The store cannot be reached: {away}") from None
        except psycopg.Error as error:
            raise StoreError(
                f"The store cannot be used ({type(error).__name__}): is its database for Diamonds alone?"
            ) from None

    def _open_write_connection(self) -> PostgresConnection:
        """A connection that writes, to a database of this program's schema."""
        connection = PostgresConnection(self._address, self.session_name)
        self.write_counters.connections += 1
        try:
            migrate(connection)
            with connection.translate_errors():
                check_unmarked(connection, connection.name)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prune(self, connection: PostgresConnection) -> None:
        tables.prune(connection)
        day_ago = time.time_ns() - 86_400_000_000_000
        connection.execute("DELETE FROM meta WHERE key LIKE 'commit %' AND value < ?", (day_ago,))  # of who was killed

    async def close(self) -> None:
        """See `Store`."""
        await self._writer.stop()
        await asyncio.to_thread(self._delete_commit_mark)
        await asyncio.to_thread(self._readers.close)
        self._disconnect()

    def _delete_commit_mark(self) -> None:
        with contextlib.suppress(DatabaseUnreachableError):  # then the row is there for a day
            if self._write_connection is not None:
                with self._write_connection.translate_errors():
                    self._write_connection.execute("DELETE FROM meta WHERE key = ?", (self._commit_mark,))

    # For the cluster (`membership.ClusterDatabase`)

    def open_session(self) -> PostgresConnection:
        """Open a session of its own."""
        return PostgresConnection(self._address, self.session_name)

    async def read(
        self, work: Callable[Concatenate[PostgresConnection, P], ReadResultT], /, *args: P.args, **more: P.kwargs
    ) -> ReadResultT:
        """Return what ``work`` reads."""
        return await self._readers.find(work, *args, **more)

    async def write(self, work: Callable[[PostgresConnection, ArgT], WriteResultT], argument: ArgT) -> WriteResultT:
        """Return what ``work`` writes."""
        return await self._writer.submit(work, argument)

    async def commit(self, change: AnyChange) -> Outcome:
        """See `Store`."""
        if self.wait_joined is not None:
            await self.wait_joined()
        return await super().commit(change)

    # On the writing thread

    def write_batch(self, batch: Sequence[PendingWrite], prune: bool) -> list[Any]:
        """See `group_commit.ClusterDatabase`."""
        number = ""
        try:
            connection = self._get_write_connection()
            self._last_commit_number = max(time.time_ns(), self._last_commit_number + 1)
            with connection.transaction():
                transaction_id = connection.execute(
                    WRITE_COMMIT_MARK, (self._commit_mark, self._last_commit_number)
                )  # it goes out with what comes next
                resources = {resource for item in batch for resource in _resources(item.argument)}
                owned = cluster.lock_owned(connection, self.member, resources)
                number = transaction_id.get
                results = [self._run_item(connection, item, owned) for item in batch]
                if prune:
                    self._prune(connection)
                failpoints.reach("written")
        except BaseException as error:
            self._last_entries.clear()
            if not isinstance(error, DatabaseUnreachableError):
                raise
            self._disconnect()
            if not number or not self._was_committed(number):
                raise
        return results

    def _run_item(self, connection: PostgresConnection, item: PendingWrite, owned: set[str]) -> Any:
        """Do one item, unless another process owns what it changes."""
        if not owned.issuperset(_resources(item.argument)):
            return Outcome(NOT_OWNER)
        if isinstance(item.argument, AccountChange):
            _lock_tables_of(connection, item.argument)
        elif not isinstance(item.argument, TableChange):
            self._last_entries.clear()  # a table may be claimed
        return item.work(connection, item.argument)

    def _was_committed(self, number: str) -> bool:
        """What became of a transaction whose commit was not answered; the process ends if that cannot be learnt."""
        deadline = time.monotonic() + UNKNOWN_OUTCOME_TIMEOUT_S
        last_error: Exception = DatabaseUnreachableError()
        while time.monotonic() < deadline:
            try:
                connection = self._get_write_connection()
                with connection.translate_errors():
                    if not self._is_under_way(connection, number):
                        last = connection.execute("SELECT value FROM meta WHERE key = ?", (self._commit_mark,)).get
                        return bool(last == self._last_commit_number)
            except DatabaseUnreachableError as away:
                self._disconnect()
                last_error = away
            time.sleep(RETRY_DELAY_S)
        end_process(
            f"what became of a commit could not be learnt ({last_error}). What was seen is safe; start again once the server is there."
        )

    def _is_under_way(self, connection: PostgresConnection, number: str) -> bool:
        """Whether it is, or another one that has its number by now."""
        try:
            status = connection.execute("SELECT pg_xact_status(?::text::xid8)", (number,)).get
        except psycopg.errors.InvalidParameterValue:  # the server crashed, and has not come to this number again
            return False
        return bool(status == "in progress")

    def _get_write_connection(self) -> PostgresConnection:
        """The connection that writes; a new one, if the last was lost."""
        if self._write_connection is None:
            try:
                self._write_connection = self._open_write_connection()
            except StoreError as error:  # it may be that the server has not noticed yet that the last one is gone
                raise DatabaseUnreachableError(str(error)) from None
        return self._write_connection

    def _disconnect(self) -> None:
        if self._write_connection is not None:
            self._write_connection.close()
            self._write_connection = None


def _resources(change: Any) -> tuple[str, ...]:
    """What a process must own to make a change: new tables have no owner, and when a device was last seen anybody may write."""
    if isinstance(change, TableChange):
        return (change.table,) if change.table and not change.header else ()
    if isinstance(change, PushChange):
        return (cluster.LOBBY,)
    if isinstance(change, AccountChange) and change not in (
        AccountChange(""),
        AccountChange("", seen_device=change.seen_device),
    ):
        return (cluster.LOBBY,)
    return ()


def _lock_tables_of(connection: PostgresConnection, change: AccountChange) -> None:
    """Keep the owners of a person's tables from changing them until the person is another there."""
    for person in filter(None, (change.merged_guest, change.person if change.delete_person else "")):
        connection.execute(
            "SELECT id FROM tables WHERE id IN (SELECT table_id FROM table_people WHERE person = ?) ORDER BY id FOR NO KEY UPDATE",
            (person,),
        ).fetchall()
