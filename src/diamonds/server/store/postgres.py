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

from diamonds.server.store import cluster_sql, failpoints, tables_sql
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.contract import NOT_OWNER, Anything, Change, Outcome, Refusal
from diamonds.server.store.group_commit import (
    RETRY_DELAY_S,
    UNKNOWN_OUTCOME_TIMEOUT_S,
    GroupCommitWriter,
    Item,
    end_process,
)
from diamonds.server.store.postgres_connection import (
    Away,
    Connection,
    Readers,
    without_password,
)
from diamonds.server.store.postgres_schema import migrate
from diamonds.server.store.pushes import PushChange
from diamonds.server.store.sql_store import SqlStore
from diamonds.server.store.transfer_mark import check_unmarked

PATIENCE = 10.0  # seconds for which a server that is away is waited for
NUMBERED = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value RETURNING pg_current_xact_id()::text"

P = ParamSpec("P")
Found = TypeVar("Found")
What = TypeVar("What")
Result = TypeVar("Result")


class PostgresStore(SqlStore):
    """A `Store`. ``patience`` is in seconds. ``member`` is this process's number in a cluster, or 0; ``check`` is awaited before each
    commit, and raises `Unavailable` while the process may not write."""

    outages: tuple[type[Exception], ...] = (Away,)
    _readers: Readers

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        self._address, self.patience_s = address, patience
        self.member = 0
        self.check: Callable[[], Awaitable[None]] | None = None
        self.sessions = f"diamonds {secrets.token_hex(8)}"  # the application name of all of this process's sessions
        self.name, _ = without_password(address)
        self._write: Connection | None = None
        self._name, self._newest = f"commit {secrets.token_hex(6)}", 0  # of this process's last commit
        super().__init__(Readers(address, patience, self.sessions), GroupCommitWriter(self))

    async def open(self) -> None:
        """See `Store`."""
        await asyncio.to_thread(self._open)
        self._writer.start()

    def _open(self) -> None:
        try:
            self._write = self._taken_hold()
            with self._write.transaction():
                self._prune(self._write)
        except Away as away:
            raise Refusal(f"The store cannot be reached: {away}") from None
        except psycopg.Error as error:
            raise Refusal(
                f"The store cannot be used ({type(error).__name__}): is its database for Diamonds alone?"
            ) from None

    def _taken_hold(self) -> Connection:
        """A connection that writes, to a database of this program's schema."""
        connection = Connection(self._address, self.sessions)
        self.written.connections += 1
        try:
            migrate(connection)
            with connection.watched():
                check_unmarked(connection, connection.name)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prune(self, connection: Connection) -> None:
        tables_sql.prune(connection)
        day_ago = time.time_ns() - 86_400_000_000_000
        connection.execute("DELETE FROM meta WHERE key LIKE 'commit %' AND value < ?", (day_ago,))  # of who was killed

    async def close(self) -> None:
        """See `Store`."""
        await self._writer.stop()
        await asyncio.to_thread(self._leave)
        await asyncio.to_thread(self._readers.close)
        self._hang_up()

    def _leave(self) -> None:
        with contextlib.suppress(Away):  # then the row is there for a day
            if self._write is not None:
                with self._write.watched():
                    self._write.execute("DELETE FROM meta WHERE key = ?", (self._name,))

    # For the cluster (`membership.Database`)

    def open_session(self) -> Connection:
        """Open a session of its own."""
        return Connection(self._address, self.sessions)

    async def read(
        self, work: Callable[Concatenate[Connection, P], Found], /, *args: P.args, **more: P.kwargs
    ) -> Found:
        """Return what ``work`` reads."""
        return await self._readers.find(work, *args, **more)

    async def write(self, work: Callable[[Connection, What], Result], what: What) -> Result:
        """Return what ``work`` writes."""
        return await self._writer.submit(work, what)

    async def commit(self, change: Anything) -> Outcome:
        """See `Store`."""
        if self.check is not None:
            await self.check()
        return await super().commit(change)

    # On the writing thread

    def write_batch(self, batch: Sequence[Item], prune: bool) -> list[Any]:
        """See `group_commit.Database`."""
        number = ""
        try:
            connection = self._connected()
            self._newest = max(time.time_ns(), self._newest + 1)
            with connection.transaction():
                told = connection.execute(NUMBERED, (self._name, self._newest))  # it goes out with what comes next
                resources = {resource for item in batch for resource in _resources(item.what)}
                owned = cluster_sql.lock_owned(connection, self.member, resources)
                number = told.get
                results = [self._result(connection, item, owned) for item in batch]
                if prune:
                    self._prune(connection)
                failpoints.reach("written")
        except BaseException as error:
            self._lasts.clear()
            if not isinstance(error, Away):
                raise
            self._hang_up()
            if not number or not self._was_committed(number):
                raise
        return results

    def _result(self, connection: Connection, item: Item, owned: set[str]) -> Any:
        """Do one item, unless another process owns what it changes."""
        if not owned.issuperset(_resources(item.what)):
            return Outcome(NOT_OWNER)
        if isinstance(item.what, AccountChange):
            _hold_tables_of(connection, item.what)
        elif not isinstance(item.what, Change):
            self._lasts.clear()  # a table may be claimed
        return item.work(connection, item.what)

    def _was_committed(self, number: str) -> bool:
        """What became of a transaction whose commit was not answered; the process ends if that cannot be learnt."""
        end = time.monotonic() + UNKNOWN_OUTCOME_TIMEOUT_S
        says: Exception = Away()
        while time.monotonic() < end:
            try:
                connection = self._connected()
                with connection.watched():
                    if not self._is_under_way(connection, number):
                        last = connection.execute("SELECT value FROM meta WHERE key = ?", (self._name,)).get
                        return bool(last == self._newest)
            except Away as away:
                self._hang_up()
                says = away
            time.sleep(RETRY_DELAY_S)
        end_process(
            f"what became of a commit could not be learnt ({says}). What was seen is safe; start again once the server is there."
        )

    def _is_under_way(self, connection: Connection, number: str) -> bool:
        """Whether it is, or another one that has its number by now."""
        try:
            status = connection.execute("SELECT pg_xact_status(?::text::xid8)", (number,)).get
        except psycopg.errors.InvalidParameterValue:  # the server crashed, and has not come to this number again
            return False
        return bool(status == "in progress")

    def _connected(self) -> Connection:
        """The connection that writes; a new one, if the last was lost."""
        if self._write is None:
            try:
                self._write = self._taken_hold()
            except Refusal as refusal:  # it may be that the server has not noticed yet that the last one is gone
                raise Away(str(refusal)) from None
        return self._write

    def _hang_up(self) -> None:
        if self._write is not None:
            self._write.close()
            self._write = None


def _resources(change: Any) -> tuple[str, ...]:
    """What a process must own to make a change: new tables have no owner, and when a device was last seen anybody may write."""
    if isinstance(change, Change):
        return (change.table,) if change.table and not change.header else ()
    if isinstance(change, PushChange):
        return (cluster_sql.LOBBY,)
    if isinstance(change, AccountChange) and change not in (AccountChange(""), AccountChange("", seen=change.seen)):
        return (cluster_sql.LOBBY,)
    return ()


def _hold_tables_of(connection: Connection, change: AccountChange) -> None:
    """Keep the owners of a person's tables from changing them until the person is another there."""
    for person in filter(None, (change.joins, change.person if change.forget else "")):
        connection.execute(
            "SELECT id FROM tables WHERE id IN (SELECT table_id FROM table_people WHERE person = ?) ORDER BY id FOR NO KEY UPDATE",
            (person,),
        ).fetchall()
