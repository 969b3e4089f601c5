"""The store in PostgreSQL.

Changes in one commit share a round trip where no result is needed. An outage of the database is waited out. If the
reply to a commit is lost, its outcome is looked up before it is reported. The transaction id alone is not enough: a
crashed database reuses it if none of the transaction reached its disk. So each commit also writes its own number to a
row that only this process writes.

Several processes may serve from one database (`cluster/`). Each transaction first locks the rows of the tables that it
changes, and of the lobby if it changes people, as far as this process owns them. Changes to anything else are skipped
(`NOT_OWNER`).
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
from diamonds.server.storage.commit_outcomes import DONE, NOT_OWNER, CommitOutcome, StoreError, has_committed
from diamonds.server.storage.group_commit import (
    RETRY_DELAY_S,
    UNKNOWN_OUTCOME_TIMEOUT_S,
    GroupCommitWriter,
    PendingWrite,
    end_process,
)
from diamonds.server.storage.matches import MatchChange
from diamonds.server.storage.postgres_connection import (
    DatabaseUnreachableError,
    PostgresConnection,
    PostgresReaderPool,
    store_errors,
    without_password,
)
from diamonds.server.storage.postgres_schema import migrate
from diamonds.server.storage.push import PushChange
from diamonds.server.storage.store import Store
from diamonds.server.storage.table_data import AnyChange, TableChange
from diamonds.server.storage.transfer_mark import check_unmarked

RECONNECT_TIMEOUT_S = 10.0  # an outage is waited out for this long
WRITE_COMMIT_MARK = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value RETURNING pg_current_xact_id()::text"

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


class PostgresStore(Store):
    """A `Store` in PostgreSQL.

    `member` is this process's number in a cluster, or 0. `wait_joined` is awaited before each commit; it raises
    `StoreUnavailableError` while the process may not write.
    """

    outage_errors: tuple[type[Exception], ...] = (DatabaseUnreachableError,)
    readers: PostgresReaderPool

    def __init__(self, address: str, outage_timeout_s: float = RECONNECT_TIMEOUT_S) -> None:
        self._address, self.outage_timeout_s = address, outage_timeout_s
        self.member = 0
        self.wait_joined: Callable[[], Awaitable[None]] | None = None
        self.session_name = f"diamonds {secrets.token_hex(8)}"  # application name of all sessions of this process
        self.name, _ = without_password(address)
        self.write_connection: PostgresConnection | None = None
        # The key of this process's row, and the last number written there.
        self._commit_mark, self._last_commit_number = f"commit {secrets.token_hex(6)}", 0
        super().__init__(PostgresReaderPool(address, outage_timeout_s, self.session_name), GroupCommitWriter(self))

    async def open(self) -> None:
        await asyncio.to_thread(self._open)
        self._writer.start()

    def _open(self) -> None:
        with store_errors():
            self.write_connection = self._open_write_connection()
            with self.write_connection.transaction():
                self._prune(self.write_connection)

    def _open_write_connection(self) -> PostgresConnection:
        """Return a writing connection to a database with this program's schema."""
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
        # Killed processes leave such rows.
        connection.execute("DELETE FROM meta WHERE key LIKE 'commit %' AND value < ?", (day_ago,))

    async def close(self) -> None:
        await self._writer.stop()
        await asyncio.to_thread(self._delete_commit_mark)
        await asyncio.to_thread(self.readers.close)
        self._disconnect()

    def _delete_commit_mark(self) -> None:
        with contextlib.suppress(DatabaseUnreachableError):  # otherwise the row stays for a day
            if self.write_connection is not None:
                with self.write_connection.translate_errors():
                    self.write_connection.execute("DELETE FROM meta WHERE key = ?", (self._commit_mark,))

    # The database calls of a cluster

    def open_session(self) -> PostgresConnection:
        """Open a separate session. Raise `DatabaseUnreachableError` if the database cannot be reached."""
        return PostgresConnection(self._address, self.session_name)

    async def read(
        self, work: Callable[Concatenate[PostgresConnection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """Run `work` with a reading connection and return its result."""
        return await self.readers.find(work, *args, **more)

    async def write(
        self, work: Callable[Concatenate[PostgresConnection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """Run `work` with the writing connection and return its result once it is durable.

        If `work` returns a function, that is called for the result once the statements of the whole batch have been
        sent.
        """
        return await self._writer.submit(lambda connection, _: work(connection, *args, **more), None)

    async def commit(self, change: AnyChange) -> CommitOutcome:
        if self.wait_joined is not None:
            await self.wait_joined()
        outcome = await super().commit(change)
        if outcome.kind == DONE:
            has_committed.set(True)
        return outcome

    # Writing thread

    def write_batch(self, batch: Sequence[PendingWrite], prune: bool) -> list[Any]:
        number = ""
        try:
            connection = self._get_write_connection()
            self._last_commit_number = max(time.time_ns(), self._last_commit_number + 1)
            with connection.transaction():
                # This is sent together with the next statements, because its result is read after them.
                transaction_id = connection.execute(WRITE_COMMIT_MARK, (self._commit_mark, self._last_commit_number))
                resources = {resource for item in batch for resource in _resources(item.argument)}
                owned = cluster.lock_owned(connection, self.member, resources)
                number = transaction_id.get
                results = [self._run_item(connection, item, owned) for item in batch]
                results = [result() if callable(result) else result for result in results]
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
        """Run one item, unless another process owns what it changes."""
        if not owned.issuperset(_resources(item.argument)):
            return CommitOutcome(NOT_OWNER)
        if isinstance(item.argument, AccountChange):
            _lock_tables_of(connection, item.argument)
        elif not isinstance(item.argument, TableChange):
            self._last_entries.clear()  # the item may claim a table
        return item.work(connection, item.argument)

    def _was_committed(self, number: str) -> bool:
        """Return whether a transaction with a lost reply was committed. End the process if that stays unknown."""
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
            f"the outcome of a commit is unknown ({last_error}). Everything that players saw is stored. Start again once the database is available."
        )

    def _is_under_way(self, connection: PostgresConnection, number: str) -> bool:
        """Return whether the transaction, or another one that now has its id, is in progress."""
        try:
            status = connection.execute("SELECT pg_xact_status(?::text::xid8)", (number,)).get
        except psycopg.errors.InvalidParameterValue:  # the database has crashed and not yet reached this id again
            return False
        return bool(status == "in progress")

    def _get_write_connection(self) -> PostgresConnection:
        """Return the writing connection, reconnecting if it was lost."""
        if self.write_connection is None:
            try:
                self.write_connection = self._open_write_connection()
            except StoreError as error:  # the database may not have noticed that the last session is gone
                raise DatabaseUnreachableError(str(error)) from None
        return self.write_connection

    def _disconnect(self) -> None:
        if self.write_connection is not None:
            self.write_connection.close()
            self.write_connection = None


def _resources(change: Any) -> tuple[str, ...]:
    """Return the resources that a process must own for a change: none for new tables and last-seen days."""
    if isinstance(change, TableChange):
        return (change.table,) if change.table and not change.header else ()
    if isinstance(change, PushChange | MatchChange):
        return (cluster.LOBBY,)
    if isinstance(change, AccountChange) and change not in (
        AccountChange(""),
        AccountChange("", seen_device=change.seen_device),
    ):
        return (cluster.LOBBY,)
    return ()


def _lock_tables_of(connection: PostgresConnection, change: AccountChange) -> None:
    """Lock a person's tables against changes by their owners until the person is replaced."""
    for person in filter(None, (change.merged_guest, change.person if change.delete_person else "")):
        connection.execute(
            "SELECT id FROM tables WHERE id IN (SELECT table_id FROM table_people WHERE person = ?) ORDER BY id FOR NO KEY UPDATE",
            (person,),
        ).fetchall()
