"""Tables in SQL: reads, and the writes of a change."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from diamonds.server.storage import accounts, matches, push
from diamonds.server.storage.chat import chat_record
from diamonds.server.storage.commit_outcomes import CONFLICT, DONE, REPEATED, REUSED, CommitOutcome, DamagedTableError
from diamonds.server.storage.matches import MatchChange
from diamonds.server.storage.push import PushChange
from diamonds.server.storage.sql import SqlConnection, SqlQueries, fetch_rows, placeholders
from diamonds.server.storage.table_data import (
    AnyChange,
    ProbeChange,
    StoredSummary,
    StoredTable,
    StoredTurnState,
    TableChange,
)

IDEMPOTENCY_TTL_S = 24 * 3600  # a request can be repeated with its key for this long

_UPSERT_VALUE = "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_RESERVE = (  # one statement, because members may reserve simultaneously
    "INSERT INTO meta VALUES ('reserved', ?) ON CONFLICT (key) DO UPDATE SET value = meta.value + excluded.value RETURNING value"
)


# Reading


def load(connection: SqlConnection, table: str, from_n: int = 0) -> StoredTable | None:
    """See `TableQueries`. Return only the entries from `from_n` on."""
    row: Any = connection.execute(
        "SELECT header, seating, revision, phase, clocks, clocks_at_ms FROM tables WHERE id = ?", (table,)
    ).fetchone()
    if row is None:
        return None
    entries: list[Any] = connection.execute(
        "SELECT n, seat, text, person, idempotency_key, at_ms FROM entries WHERE table_id = ? AND n >= ? ORDER BY n",
        (table, from_n),
    ).fetchall()
    for expected, entry in enumerate(entries, from_n):
        if entry[0] != expected:
            raise DamagedTableError(f"entry {expected} is missing")
    chat: list[Any] = []
    for spectators_only in (0, 1):
        chat += connection.execute(
            "SELECT rowid, name, text, said_at, person, phrase, spectators_only FROM chat"
            " WHERE table_id = ? AND spectators_only = ? ORDER BY rowid DESC LIMIT 30",
            (table, spectators_only),
        ).fetchall()
    header, seating, revision, phase, clocks, clocks_at_ms = row
    records = [chat_record(*line) for _, *line in sorted(chat, key=lambda line: line[0])]
    return StoredTable(
        header, seating, revision, phase, [entry[1:] for entry in entries], records, clocks or b"", clocks_at_ms
    )


def get_earlier_outcome(
    connection: SqlConnection, table: str, person: str, idempotency_key: str, request_hash: bytes
) -> CommitOutcome | None:
    row: Any = connection.execute(
        "SELECT request_hash, reply FROM idempotency_keys WHERE person = ? AND idempotency_key = ?",
        (person, idempotency_key),
    ).fetchone()
    if row is None and table:
        row = connection.execute(
            "SELECT request_hash, reply FROM entries WHERE table_id = ? AND idempotency_key = ? AND person = ? AND request_hash IS NOT NULL",
            (table, idempotency_key, person),
        ).fetchone()
    if row is None:
        return None
    return CommitOutcome(REPEATED, row[1]) if row[0] == request_hash else CommitOutcome(REUSED)


class TableQueries(SqlQueries):
    """The store's queries for tables."""

    async def load(self, table: str) -> StoredTable | None:
        """Return a whole table, or `None`.

        Raise `DamagedTableError` if parts are missing. This may take milliseconds, but does not block.
        """
        return await self.readers.read(load, table)

    async def get_earlier_outcome(
        self, table: str, person: str, idempotency_key: str, request_hash: bytes
    ) -> CommitOutcome | None:
        """Return the outcome of an earlier request with this key: `REPEATED`, `REUSED`, or `None` if there was none."""
        return await self.readers.find(get_earlier_outcome, table, person, idempotency_key, request_hash)

    async def running_clocks(self) -> list[tuple[str, bytes, int]]:
        """Return the running clocks: table id, clock state, and the server time it refers to (ms)."""
        return await self.read_rows(
            "SELECT id, clocks, clocks_at_ms FROM tables WHERE clocks IS NOT NULL AND phase = 'playing'"
        )

    async def summaries_of(self, person: str, limit: int) -> list[StoredSummary]:
        """Return a person's tables, most recently joined first."""
        rows = await self.find_rows(
            "SELECT t.id, t.header, t.seating, t.phase, t.created FROM table_people m JOIN tables t ON t.id = m.table_id"
            " WHERE m.person = ? ORDER BY m.at DESC LIMIT ?",
            person,
            limit,
        )
        return [StoredSummary(*row) for row in rows]

    async def turn_states_of(self, person: str) -> list[StoredTurnState]:
        """Return a person's unfinished tables where they may be to act, most recently joined first."""
        rows = await self.find_rows(
            "SELECT t.id, t.header, t.seating, coalesce(t.clocks, ?), t.clocks_at_ms, t.to_act"
            " FROM table_people m JOIN tables t ON t.id = m.table_id"
            " WHERE m.person = ? AND t.phase = 'playing' AND (t.clocks IS NOT NULL OR t.to_act IS NULL OR t.to_act != 0)"
            " ORDER BY m.at DESC",
            b"",
            person,
        )
        return [StoredTurnState(*row) for row in rows]

    async def last_entry_by(self, person: str, table: str) -> int:
        """Return the n of a person's last entry at a table, or −1."""
        rows = await self.find_rows(
            "SELECT n FROM entries WHERE table_id = ? AND person = ? ORDER BY n DESC LIMIT 1", table, person
        )
        return rows[0][0] if rows else -1

    async def display_names(self, people: Collection[str]) -> dict[str, str]:
        """Return the names that these people have chosen."""
        return dict(
            await self.find_rows(f"SELECT id, name FROM display_names WHERE id IN ({placeholders(people)})", *people)
        )


# Writing


def apply_change(connection: SqlConnection, change: AnyChange, last_entries: dict[str, int]) -> CommitOutcome:
    """Write a change, and return its outcome. `last_entries`: see `apply_table_change`."""
    if isinstance(change, TableChange):
        return apply_table_change(connection, change, last_entries)
    if isinstance(change, PushChange):
        return CommitOutcome(DONE if push.apply_push_change(connection, change) else CONFLICT)
    if isinstance(change, MatchChange):
        return matches.apply_match_change(connection, change)
    if isinstance(change, ProbeChange):
        return CommitOutcome(DONE)  # in PostgreSQL each commit writes a row anyway
    last_entries.clear()  # the change may delete a table
    return accounts.apply_account_change(connection, change)


def last_entries_of(connection: SqlConnection, tables: Sequence[str]) -> dict[str, int]:
    """Return the n of the last entry of each of these tables, or −1."""
    # This looks only at the end of each table's entries. Grouping by table would read all entries for every answer.
    last = "coalesce((SELECT max(n) FROM entries WHERE table_id = tables.id), -1)"
    query = f"SELECT id, {last} FROM tables WHERE id IN ({placeholders(tables)})"
    return {**dict.fromkeys(tables, -1), **dict(fetch_rows(connection, query, tables))}


def apply_table_change(connection: SqlConnection, change: TableChange, last_entries: dict[str, int]) -> CommitOutcome:
    """Check a change, then write it completely or not at all.

    `last_entries` caches the n of the last entry for tables that nobody else can write to.
    """
    execute = connection.execute
    table, has_separate_key = change.table, change.has_separate_key
    if has_separate_key:
        outcome = get_earlier_outcome(connection, "", change.person, change.idempotency_key, change.request_hash)
        if outcome is not None:
            return outcome
    if change.entries or "to_act" in change.columns:
        if table not in last_entries:
            last_entries |= last_entries_of(connection, [table])
        if last_entries[table] != change.n - 1:
            return CommitOutcome(CONFLICT)
    if not _write_row(connection, change):
        return CommitOutcome(CONFLICT)
    if change.header:
        last_entries[table] = -1
    if change.phase == "over":
        execute("UPDATE tables SET finished_at = ? WHERE id = ? AND finished_at = 0", (int(time.time()), table))
    for k, (seat, entry_text) in enumerate(change.entries):
        has_key = k == 0 and change.idempotency_key and not has_separate_key
        key_columns = (change.idempotency_key, change.request_hash, change.reply) if has_key else ("", None, None)
        row = (table, change.n + k, seat, entry_text, change.seat_holder or change.person, *key_columns, change.at_ms)
        execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        last_entries[table] = change.n + k
    for person in change.people:
        execute(
            "INSERT INTO table_people VALUES (?, ?, ?) ON CONFLICT (person, table_id) DO UPDATE SET at = excluded.at",
            (person, time.time(), table),
        )
    if change.chat_record:
        name, text, at, person, *kind = change.chat_record
        execute("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?, ?)", (table, at, name, text, person, *map(int, kind)))
    if change.heartbeat_ms:
        _store_heartbeat(connection, change.heartbeat_ms)
    if has_separate_key:
        execute(
            "INSERT INTO idempotency_keys VALUES (?, ?, ?, ?, ?)",
            (change.person, change.idempotency_key, change.request_hash, change.reply, time.time()),
        )
    return CommitOutcome(DONE)


def _write_row(connection: SqlConnection, change: TableChange) -> bool:
    """Write a table's row. Return `False` if another change came first, or the match lacks a person."""
    columns = change.columns
    if change.phase:
        columns = {**columns, "phase": change.phase}
    if change.header:
        match = columns.get("match_id")
        if match and not matches.has_people(connection, match, change.people):
            return False
        columns = {**columns, "id": change.table, "header": change.header, "seating": change.seating, "revision": 0}
        names = f"({', '.join(columns)}) VALUES ({placeholders(columns)})"
        connection.execute(f"INSERT INTO tables {names} ON CONFLICT (id) DO NOTHING", [*columns.values()])
    elif change.seating:
        values = change.seating, *columns.values(), change.table, change.revision
        update = f"{_update_sql('seating', *columns)}, revision = revision + 1 WHERE id = ? AND revision = ?"
        connection.execute(update, values)
    elif columns:
        connection.execute(f"{_update_sql(*columns)} WHERE id = ?", (*columns.values(), change.table))
    return not change.seating or connection.changes() > 0


@lru_cache(maxsize=100)
def _update_sql(*names: str) -> str:
    """Return the start of a statement that sets these columns of `tables`."""
    return f"UPDATE tables SET {', '.join(f'{name} = ?' for name in names)}"


def _store_heartbeat(connection: SqlConnection, now_ms: int) -> None:
    """Store a heartbeat with the server's time."""
    connection.execute(
        "INSERT INTO meta VALUES ('alive', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        " WHERE excluded.value > meta.value",
        (now_ms,),
    )


def reserve_counters(connection: SqlConnection, count: int) -> int:
    return int(connection.execute(_RESERVE, (count,)).get) - count


def first_unreserved_counter(connection: SqlConnection) -> int:
    """Return the first counter value that is not reserved."""
    return int(connection.execute("SELECT value FROM meta WHERE key = 'reserved'").get or 0)


def resume_clocks(connection: SqlConnection, wall_ms: int) -> int:
    heartbeat_ms = int(connection.execute("SELECT value FROM meta WHERE key = 'alive'").get or wall_ms)
    now_ms = max(wall_ms, heartbeat_ms)
    shift_clocks = "UPDATE tables SET clocks_at_ms = clocks_at_ms + ? WHERE clocks IS NOT NULL AND phase = 'playing'"
    connection.execute(shift_clocks, (now_ms - heartbeat_ms,))
    connection.execute(f"INSERT INTO meta VALUES ('alive', ?) {_UPSERT_VALUE}", (now_ms,))
    return now_ms


def prune(connection: SqlConnection) -> None:
    """Delete expired idempotency keys, unused devices and subscriptions, and matches that were never started."""
    accounts.prune(connection)
    push.prune(connection)
    matches.prune(connection)
    connection.execute("DELETE FROM idempotency_keys WHERE at < ?", (time.time() - IDEMPOTENCY_TTL_S,))
