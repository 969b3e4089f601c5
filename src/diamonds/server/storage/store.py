"""The store of the server, in SQLite or PostgreSQL."""

from __future__ import annotations

from diamonds.server.storage import tables
from diamonds.server.storage.accounts import AccountStore
from diamonds.server.storage.commit_outcomes import CommitOutcome
from diamonds.server.storage.daily import DailyQueries
from diamonds.server.storage.group_commit import GroupCommitWriter
from diamonds.server.storage.matches import MatchQueries
from diamonds.server.storage.moderation import ModerationStore
from diamonds.server.storage.push import PushStore
from diamonds.server.storage.sql import SqlConnection, SqlReader
from diamonds.server.storage.table_data import AnyChange
from diamonds.server.storage.tables import TableQueries


class Store(TableQueries, DailyQueries, MatchQueries):
    """The store of the server. `accounts`, `moderation` and `push` have queries of their own.

    Every call is awaited on the event loop of `open`. A read sees every change of this process whose `commit` has
    returned, and all durable changes of other processes. Any call but `close` may raise `StoreUnavailableError`. A
    store may or may not yield to other tasks (SQLite does not for reads that take microseconds); callers must not rely
    on either. A caller cancelled during `commit` does not know the outcome, so it asks by key (`get_earlier_outcome`)
    or loads the table.
    """

    def __init__(self, readers: SqlReader, writer: GroupCommitWriter) -> None:
        super().__init__(readers)
        self._writer = writer
        self._last_entries: dict[str, int] = {}  # n of each recently changed table's last entry, for the writing thread
        self.write_counters = writer.write_counters
        self.accounts = AccountStore(readers)
        self.moderation = ModerationStore(readers)
        self.push = PushStore(readers)

    async def open(self) -> None:
        """Open the store and migrate it to this program's schema. This is called once, before all other calls.

        Raise `StoreError` if it is unusable: newer than the program, in use, or not durable.
        """
        raise NotImplementedError

    async def close(self) -> None:
        """Write what is queued and close the store, even if it failed to open. No calls may follow."""
        raise NotImplementedError

    async def commit(self, change: AnyChange) -> CommitOutcome:
        """Make a change durable, all or nothing, before returning. Changes are written in the order of the calls.

        Unless the outcome is `DONE`, nothing was written, for the reason that the outcome gives. Raise
        `StoreUnavailableError` if the change certainly was not written. If the store does not know the outcome, it
        finds out before it returns or raises, or it ends the process.
        """
        return await self._writer.submit(self.apply_change, change)

    def apply_change(self, connection: SqlConnection, change: AnyChange) -> CommitOutcome:
        """Apply a change on the writing thread."""
        return tables.apply_change(connection, change, self._last_entries)

    async def reserve_counters(self, count: int) -> int:
        """Durably reserve values of `Table.change_counter`, above all reserved before. Return the first one."""
        return await self._writer.submit(tables.reserve_counters, count)

    async def resume_clocks(self, wall_ms: int) -> int:
        """Return the server time (ms) at which to resume, given the machine's time (ms since 1970).

        Server time never decreases (`server_time.py`). The pause since the last stored heartbeat is skipped: all clocks
        are shifted by it.
        """
        return await self._writer.submit(tables.resume_clocks, wall_ms)
