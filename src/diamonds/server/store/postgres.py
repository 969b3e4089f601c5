"""The store in PostgreSQL.

Changes that share a commit share one round on the wire, too, where nothing has to be looked up. A server that goes away is
waited for; what became of a commit that it did not answer is asked of it before anything is said. The number of the transaction alone does
not tell: a server that crashed gives it to another one, if nothing of the first had come to its disk. So each commit writes its own
number, too, in a row that this process alone writes.

Several processes may keep one house here (`sharing`): whoever changes a table holds the lock of its name until the commit, and so it is
with a person whose name or key is written. What changes people in many places is done alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
import time
from collections.abc import Sequence
from typing import Any

import psycopg

from diamonds.server.store import failpoints, sharing_sql, tables_sql
from diamonds.server.store.contract import Change, Probe, Refusal
from diamonds.server.store.group_commit import (
    RETRY_DELAY_S,
    UNKNOWN_OUTCOME_TIMEOUT_S,
    GroupCommitWriter,
    Item,
    end_process,
)
from diamonds.server.store.postgres_connection import (
    HOUSE,
    PEOPLE,
    Away,
    Connection,
    Readers,
    hold,
    without_password,
)
from diamonds.server.store.postgres_schema import migrate
from diamonds.server.store.postgres_sharing import PostgresSharing
from diamonds.server.store.pushes import PushChange
from diamonds.server.store.sql_store import SqlStore
from diamonds.server.store.transfer_mark import check_unmarked
from diamonds.server.store.wakeups import Listener

PATIENCE = 10.0  # seconds for which a server that is away is waited for
NUMBERED = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value RETURNING pg_current_xact_id()::text"
LOCKED = (
    f"SELECT pg_advisory_xact_lock_shared({HOUSE}, {PEOPLE})"
    " UNION ALL SELECT pg_advisory_xact_lock(k) FROM unnest(?::bigint[]) AS k"
)
APART = 0.004  # seconds between two commits that others have to hear of: what comes meanwhile goes together
# What changes people in one place at most:
QUIET = (Change, Probe, PushChange, sharing_sql.Say, sharing_sql.Sign, sharing_sql.Leave)


class PostgresStore(SqlStore):
    """A `Store`. ``alone``: no other process is to have the same database open; ``patience`` is in seconds."""

    outages: tuple[type[Exception], ...] = (Away,)
    _readers: Readers

    def __init__(self, address: str, alone: bool = True, patience: float = PATIENCE) -> None:
        self._address, self._alone, self.patience_s = address, alone, patience
        self.name, _ = without_password(address)
        self._write: Connection | None = None
        self._name, self._newest = f"commit {secrets.token_hex(6)}", 0  # of this process's last commit
        readers = Readers(address, patience)
        super().__init__(readers, GroupCommitWriter(self, 0.0 if alone else APART))
        self.sharing = None if alone else PostgresSharing(readers, Listener(address), self._writer.submit)

    async def open(self) -> None:
        """See `Store`."""
        await asyncio.to_thread(self._open)
        self._writer.start()
        if self.sharing is not None:
            self.sharing.listener.start(asyncio.get_running_loop())

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
        """A connection that writes, to a database of this program's schema where no other house is open."""
        connection = Connection(self._address)
        self.written.connections += 1
        try:
            migrate(connection)
            with connection.watched():
                hold(connection, shared=not self._alone)
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
        if self.sharing is not None:
            self.sharing.listener.close()
        await self._writer.stop()
        await asyncio.to_thread(self._leave)
        await asyncio.to_thread(self._readers.close)
        self._hang_up()

    def _leave(self) -> None:
        with contextlib.suppress(Away):  # then the row is there for a day
            if self._write is not None:
                with self._write.watched():
                    self._write.execute("DELETE FROM meta WHERE key = ?", (self._name,))
                    # The server notices only later that a line is closed.
                    self._write.execute("SELECT pg_advisory_unlock_all()")

    def write(self, batch: Sequence[Item], prune: bool) -> list[Any]:
        """See `Database`."""
        changes = [item.what for item in batch]
        number = ""
        try:
            connection = self._connected()
            self._newest = max(time.time_ns(), self._newest + 1)
            with connection.transaction():
                _lock(connection, changes)
                told = connection.execute(NUMBERED, (self._name, self._newest))  # it goes out with what comes next
                self._lasts = _lasts(connection, changes)
                number = told.get
                results = [item.work(connection, item.what) for item in batch]
                if prune:
                    self._prune(connection)
                if self.sharing is not None:
                    self.sharing.tell(connection, number, [*zip(changes, results, strict=True)])
                failpoints.reach("written")
        except Away:
            self._hang_up()
            if not number or not self._was_committed(number):
                raise
        return results

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


def _lock(connection: Connection, changes: list[Any]) -> None:
    """Keep other processes from what is changed until the commit; always in the same order, so that no two wait for each other."""
    if all(isinstance(change, QUIET) and not getattr(change, "comes", False) for change in changes):
        names = {name for change in changes for name in _locks(change)}
        connection.execute(LOCKED, (sorted(map(_number, names)),))
    else:
        connection.execute(f"SELECT pg_advisory_xact_lock({HOUSE}, {PEOPLE})")


def _lasts(connection: Connection, changes: list[Any]) -> dict[str, tables_sql.Last]:
    """How far those tables are to which entries are to be added."""
    plays = {change.table for change in changes if isinstance(change, Change) and change.entries}
    return tables_sql.lasts_of(connection, sorted(plays)) if plays else {}


def _locks(change: Any) -> tuple[str, ...]:
    if isinstance(change, PushChange):
        return ("messages",)
    if isinstance(change, Change):
        person = change.person if change.own_key else ""
        return (*((f"table {change.table}",) if change.table else ()), *((f"person {person}",) if person else ()))
    return ()


def _number(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), signed=True)
