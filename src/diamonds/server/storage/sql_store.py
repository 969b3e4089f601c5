"""The calls of a `Store` that SQLite and PostgreSQL share."""

from __future__ import annotations

from collections.abc import Collection

from diamonds.server.storage import daily, matches, tables
from diamonds.server.storage.accounts import SqlAccountQueries
from diamonds.server.storage.commit_outcomes import CommitOutcome
from diamonds.server.storage.group_commit import GroupCommitWriter
from diamonds.server.storage.matches import StoredMatch, StoredMatchTable
from diamonds.server.storage.moderation import SqlModerationQueries
from diamonds.server.storage.push import SqlPushStore
from diamonds.server.storage.sql import SqlConnection, SqlReader
from diamonds.server.storage.store_protocol import (
    AnyChange,
    StoredDailyGame,
    StoredSummary,
    StoredTable,
    StoredTurnState,
)


class SqlStore:
    """A store with the given readers and writer."""

    def __init__(self, readers: SqlReader, writer: GroupCommitWriter) -> None:
        self._readers, self._writer = readers, writer
        self._last_entries: dict[str, int] = {}  # n of the last entry of some tables, used by the writing thread
        self.write_counters = writer.write_counters
        self.accounts = SqlAccountQueries(readers)
        self.moderation = SqlModerationQueries(readers)
        self.push = SqlPushStore(readers)

    async def commit(self, change: AnyChange) -> CommitOutcome:
        """See `Store`."""
        return await self._writer.submit(self._apply, change)

    def _apply(self, connection: SqlConnection, change: AnyChange) -> CommitOutcome:
        """Apply a change on the writing thread."""
        return tables.apply_change(connection, change, self._last_entries)

    async def reserve_counters(self, count: int) -> int:
        """See `Store`."""
        return await self._writer.submit(tables.reserve_counters, count)

    async def resume_clocks(self, wall_ms: int) -> int:
        """See `Store`."""
        return await self._writer.submit(tables.resume_clocks, wall_ms)

    async def running_clocks(self) -> list[tuple[str, bytes, int]]:
        """See `Store`."""
        return await self._readers.read(tables.running_clocks)

    async def load(self, table: str) -> StoredTable | None:
        """See `Store`."""
        return await self._readers.read(tables.load, table)

    async def get_earlier_outcome(
        self, table: str, person: str, idempotency_key: str, request_hash: bytes
    ) -> CommitOutcome | None:
        """See `Store`."""
        return await self._readers.find(tables.get_earlier_outcome, table, person, idempotency_key, request_hash)

    async def summaries_of(self, person: str, limit: int) -> list[StoredSummary]:
        """See `Store`."""
        return await self._readers.find(tables.summaries_of, person, limit)

    async def turn_states_of(self, person: str) -> list[StoredTurnState]:
        """See `Store`."""
        return await self._readers.find(tables.turn_states_of, person)

    async def last_entry_by(self, person: str, table: str) -> int:
        """See `Store`."""
        return await self._readers.find(tables.last_entry_by, person, table)

    async def display_names(self, people: Collection[str]) -> dict[str, str]:
        """See `Store`."""
        return await self._readers.find(tables.display_names, people)

    async def daily_games_of(self, person: str, first: str, last: str, limit: int) -> list[StoredDailyGame]:
        """See `Store`."""
        return await self._readers.read(daily.games_of, person, first, last, limit)

    async def daily_player_counts(self, first: str, last: str) -> dict[str, int]:
        """See `Store`."""
        return await self._readers.read(daily.player_counts, first, last)

    async def daily_results(self, deal: str) -> list[tuple[int, int, int]]:
        """See `Store`."""
        return await self._readers.read(daily.results, deal)

    async def daily_answers(self, deal: str, seat: int) -> list[tuple[str, str]]:
        """See `Store`."""
        return await self._readers.read(daily.answers, deal, seat)

    async def load_match(self, match: str) -> StoredMatch | None:
        """See `Store`."""
        return await self._readers.find(matches.load, match)

    async def match_tables(self, match: str) -> dict[str, StoredMatchTable]:
        """See `Store`."""
        return await self._readers.find(matches.tables_of, match)

    async def matches_of(self, person: str, limit: int) -> list[str]:
        """See `Store`."""
        return await self._readers.find(matches.matches_of, person, limit)

    async def started_matches(self) -> list[str]:
        """See `Store`."""
        return await self._readers.read(matches.started_matches)

    async def unfinished_match_count(self, person: str) -> int:
        """See `Store`."""
        return await self._readers.find(matches.unfinished_count, person)

    async def is_match_over(self, match: str) -> bool:
        """See `Store`."""
        return await self._readers.find(matches.is_over, match)
