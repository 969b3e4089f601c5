"""The store of the server, in SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection

from diamonds.server.storage import daily, matches, tables
from diamonds.server.storage.accounts import AccountStore
from diamonds.server.storage.commit_outcomes import CommitOutcome
from diamonds.server.storage.group_commit import GroupCommitWriter
from diamonds.server.storage.matches import StoredMatch, StoredMatchTable
from diamonds.server.storage.moderation import ModerationStore
from diamonds.server.storage.push import PushStore
from diamonds.server.storage.sql import SqlConnection, SqlReader
from diamonds.server.storage.table_data import (
    AnyChange,
    StoredDailyGame,
    StoredSummary,
    StoredTable,
    StoredTurnState,
)


class Store:
    """The store of the server: all data by subject, and the calls for tables.

    Every call is awaited on the event loop of `open`. A read sees every change of this process whose `commit` has
    returned, and all durable changes of other processes. Any call but `close` may raise `StoreUnavailableError`. A
    store may or may not yield to other tasks (SQLite does not for reads that take microseconds); callers must not rely
    on either. A caller cancelled during `commit` does not know the outcome, so it asks by key (`get_earlier_outcome`)
    or loads the table.
    """

    def __init__(self, readers: SqlReader, writer: GroupCommitWriter) -> None:
        self.readers, self._writer = readers, writer
        self._last_entries: dict[str, int] = {}  # n of the last entry of some tables, used by the writing thread
        self.write_counters = writer.write_counters
        self.accounts = AccountStore(readers)
        self.moderation = ModerationStore(readers)
        self.push = PushStore(readers)

    async def open(self) -> None:
        """Open the store and migrate it to this program's schema. Called once, before all other calls.

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

    async def running_clocks(self) -> list[tuple[str, bytes, int]]:
        """Return the running clocks: table id, clock state, and the server time it refers to (ms)."""
        return await self.readers.read(tables.running_clocks)

    async def load(self, table: str) -> StoredTable | None:
        """Return a whole table, or `None`.

        Raise `DamagedTableError` if parts are missing. This may take milliseconds, but does not block.
        """
        return await self.readers.read(tables.load, table)

    async def get_earlier_outcome(
        self, table: str, person: str, idempotency_key: str, request_hash: bytes
    ) -> CommitOutcome | None:
        """Return the outcome of an earlier request with this key: `REPEATED`, `REUSED`, or `None` if there was none."""
        return await self.readers.find(tables.get_earlier_outcome, table, person, idempotency_key, request_hash)

    async def summaries_of(self, person: str, limit: int) -> list[StoredSummary]:
        """Return a person's tables, most recently joined first."""
        return await self.readers.find(tables.summaries_of, person, limit)

    async def turn_states_of(self, person: str) -> list[StoredTurnState]:
        """Return a person's unfinished tables where they may be to act, most recently joined first."""
        return await self.readers.find(tables.turn_states_of, person)

    async def last_entry_by(self, person: str, table: str) -> int:
        """Return the n of a person's last entry at a table, or −1."""
        return await self.readers.find(tables.last_entry_by, person, table)

    async def display_names(self, people: Collection[str]) -> dict[str, str]:
        """Return the names that these people have chosen."""
        return await self.readers.find(tables.display_names, people)

    async def daily_games_of(self, person: str, first: str, last: str, limit: int) -> list[StoredDailyGame]:
        """Return a person's games with deals from ``first`` to before ``last``.

        The newest days come first, and within a day the oldest game.
        """
        return await self.readers.read(daily.games_of, person, first, last, limit)

    async def daily_player_counts(self, first: str, last: str) -> dict[str, int]:
        """Return the number of counted games with each deal from ``first`` to before ``last``."""
        return await self.readers.read(daily.player_counts, first, last)

    async def daily_results(self, deal: str) -> list[tuple[int, int, int]]:
        """Return how often each result of a deal of the day occurred: place, points, count; best first."""
        return await self.readers.read(daily.results, deal)

    async def daily_answers(self, deal: str, seat: int) -> list[tuple[str, str]]:
        """Return the answers of a seat in all counted games with a deal of the day: table and text, in order of play."""
        return await self.readers.read(daily.answers, deal, seat)

    async def load_match(self, match: str) -> StoredMatch | None:
        """Return a match with its people; `None` if there is none."""
        return await self.readers.find(matches.load, match)

    async def match_tables(self, match: str) -> dict[str, StoredMatchTable]:
        """Return the tables of a match by id."""
        return await self.readers.find(matches.tables_of, match)

    async def matches_of(self, person: str, limit: int) -> list[str]:
        """Return a person's matches, unfinished ones first, then the newest first."""
        return await self.readers.find(matches.matches_of, person, limit)

    async def started_matches(self) -> list[str]:
        """Return all matches that have started and are not over."""
        return await self.readers.read(matches.started_matches)

    async def unfinished_match_count(self, person: str) -> int:
        """Return the number of a person's matches that are not over."""
        return await self.readers.find(matches.unfinished_count, person)

    async def is_match_over(self, match: str) -> bool:
        """Return whether a match is over."""
        return await self.readers.find(matches.is_over, match)
