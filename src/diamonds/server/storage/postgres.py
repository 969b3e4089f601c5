"""The store in PostgreSQL.

Changes that share a commit share one round on the wire, too, where nothing has to be looked up. A server that goes away is
waited for; what became of a commit that it did not answer is asked of it before anything is said: each commit writes its own number in a
row that this process alone writes, which is read once the session that was lost has ended at the server, too.

Several processes may serve from one database (`cluster/`). Each transaction first locks the rows of the tables that it changes, and of the
lobby where it changes people, as far as this process owns them; a change of anything else is left out (`NOT_OWNER`). Answers alone, as most
commits are, are one statement.
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
from diamonds.server.storage.outcomes import DONE, NOT_OWNER, Outcome, StoreError
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
WRITE_COMMIT_MARK = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
# All or nothing: unless every table is this member's, none is changed, and no row is counted.
WRITE_ANSWERS = """
WITH owned AS MATERIALIZED (SELECT id FROM tables WHERE id = ANY(?1::text[]) AND owner = ?2 ORDER BY id FOR NO KEY UPDATE),
all_owned AS MATERIALIZED (SELECT WHERE (SELECT count(*) FROM owned) = cardinality(?1::text[])),
marked AS (
    INSERT INTO meta SELECT new.* FROM all_owned, unnest(?3::text[], ?4::bigint[]) AS new
    ON CONFLICT (key) DO UPDATE SET value = greatest(meta.value, excluded.value)
), changed AS (
    UPDATE tables AS t SET to_act = CASE new.to_act WHEN -1 THEN t.to_act ELSE new.to_act END,
        clocks = CASE new.clocks WHEN '' THEN t.clocks ELSE new.clocks END,
        clocks_at_ms = CASE new.clocks WHEN '' THEN t.clocks_at_ms ELSE new.clocks_at_ms END
    FROM all_owned, unnest(?1::text[], ?5::bigint[], ?6::bytea[], ?7::bigint[]) AS new(id, to_act, clocks, clocks_at_ms)
    WHERE t.id = new.id
)
INSERT INTO entries SELECT table_id, n, seat, text, person, key, nullif(request_hash, ''), nullif(reply, ''), at_ms
FROM all_owned, unnest(
    ?8::text[], ?9::bigint[], ?10::bigint[], ?11::text[], ?12::text[], ?13::text[], ?14::bytea[], ?15::bytea[], ?16::bigint[]
) AS new(table_id, n, seat, text, person, key, request_hash, reply, at_ms)
"""

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
        connection = self._get_write_connection()
        self._last_commit_number = max(time.time_ns(), self._last_commit_number + 1)
        results: list[Any] = []
        may_be_committed = False
        try:
            if not prune and connection.is_quiet():  # of one that is gone it is sure that it commits nothing
                may_be_committed = True
                if self._write_answers(connection, [item.argument for item in batch]):
                    return [Outcome(DONE)] * len(batch)
                may_be_committed = False
            with connection.transaction():
                connection.execute(WRITE_COMMIT_MARK, (self._commit_mark, self._last_commit_number))
                resources = {resource for item in batch for resource in _resources(item.argument)}
                owned = cluster.lock_owned(connection, self.member, resources)  # which is asked together with the mark
                results += [self._run_item(connection, item, owned) for item in batch]
                if prune:
                    self._prune(connection)
                failpoints.reach("written")
                may_be_committed = True
        except BaseException as error:
            self._last_entries.clear()
            if not isinstance(error, DatabaseUnreachableError):
                raise
            self._disconnect()
            if not may_be_committed or not self._was_committed(connection.session):
                raise
        return results or [Outcome(DONE)] * len(batch)

    def _write_answers(self, connection: PostgresConnection, changes: Sequence[Any]) -> bool:
        """Write changes by one statement, if all of them are answers at different tables of this member. Returns whether it has."""
        by_table = {change.table: change for change in changes if isinstance(change, TableChange)}
        if len(by_table) < len(changes) or not all(map(self._is_next_answer, by_table.values())):
            return False
        changes = [by_table[table] for table in sorted(by_table)]
        marks = {self._commit_mark: self._last_commit_number}
        if heartbeat_ms := max(max(change.heartbeat_ms, change.clocks_at_ms) for change in changes):
            marks["alive"] = heartbeat_ms
        tables_columns = zip(*((c.table, c.to_act, c.clocks, c.clocks_at_ms) for c in changes), strict=True)
        entries_columns = zip(*(row for change in changes for row in tables.entry_rows(change)), strict=True)
        ids, *new_values = map(list, tables_columns)
        values = (ids, self.member, [*marks], [*marks.values()], *new_values, *map(list, entries_columns))
        failpoints.reach("written")
        with connection.translate_errors():
            connection.execute(WRITE_ANSWERS, values)
        if not connection.changes():
            return False
        self._last_entries |= {change.table: change.n + len(change.entries) - 1 for change in changes}
        return True

    def _is_next_answer(self, change: TableChange) -> bool:
        """Whether a change is nothing but answers, and follows the last entry of its table, as far as this process knows that."""
        more = change.header or change.seating or change.phase or change.people or change.chat_record
        return (
            bool(change.entries)
            and not (more or change.has_separate_key)
            and self._last_entries.get(change.table) == change.n - 1
        )

    def _run_item(self, connection: PostgresConnection, item: PendingWrite, owned: set[str]) -> Any:
        """Do one item, unless another process owns what it changes."""
        if not owned.issuperset(_resources(item.argument)):
            return Outcome(NOT_OWNER)
        if isinstance(item.argument, AccountChange):
            _lock_tables_of(connection, item.argument)
        elif not isinstance(item.argument, TableChange):
            self._last_entries.clear()  # a table may be claimed
        return item.work(connection, item.argument)

    def _was_committed(self, session: tuple[int, str]) -> bool:
        """What became of the last commit, which was not answered in this session; the process ends if that cannot be learnt."""
        deadline = time.monotonic() + UNKNOWN_OUTCOME_TIMEOUT_S
        last_error: Exception = DatabaseUnreachableError()
        while time.monotonic() < deadline:
            try:
                connection = self._get_write_connection()
                with connection.translate_errors():
                    if not cluster.end_session(connection, session):
                        last = connection.execute("SELECT value FROM meta WHERE key = ?", (self._commit_mark,)).get
                        return bool(last == self._last_commit_number)
            except DatabaseUnreachableError as away:
                self._disconnect()
                last_error = away
            time.sleep(RETRY_DELAY_S)
        end_process(
            f"what became of a commit could not be learnt ({last_error}). What was seen is safe; start again once the server is there."
        )

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
