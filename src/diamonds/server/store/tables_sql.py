"""Tables in SQL: what is read of them, and what a change writes."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any

from diamonds.server.store import accounts_sql, pushes_sql
from diamonds.server.store.contract import (
    AS_BEFORE,
    CONFLICT,
    DONE,
    REPEATED,
    REUSED,
    Anything,
    Change,
    Damaged,
    Listed,
    Outcome,
    Playing,
    Probe,
    Stored,
)
from diamonds.server.store.lines import line_of
from diamonds.server.store.pushes import PushChange
from diamonds.server.store.sql import Connection, placed, rows_of

KEEP_KEYS = 24 * 3600  # seconds for which a POST may be repeated with its key

_ANEW = "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_RESERVE = (  # in one statement: members reserve at the same moment
    "INSERT INTO meta VALUES ('reserved', ?) ON CONFLICT (key) DO UPDATE SET value = meta.value + excluded.value RETURNING value"
)


# Reading


def load(connection: Connection, table: str, since: int = 0) -> Stored | None:
    """See `Store`; of its entries only those from an n on."""
    row: Any = connection.execute(
        "SELECT header, seating, revision, phase, clocks, clocks_at_ms FROM tables WHERE id = ?", (table,)
    ).fetchone()
    if row is None:
        return None
    entries: list[Any] = connection.execute(
        "SELECT n, seat, text, person, idempotency_key, at_ms FROM entries WHERE table_id = ? AND n >= ? ORDER BY n",
        (table, since),
    ).fetchall()
    for expected, entry in enumerate(entries, since):
        if entry[0] != expected:
            raise Damaged(f"entry {expected} is missing")
    chat: list[Any] = connection.execute(
        "SELECT name, text, said_at, person, phrase, spectators_only FROM"
        " (SELECT rowid AS k, * FROM chat WHERE table_id = ? ORDER BY rowid DESC LIMIT 30) AS newest ORDER BY k",
        (table,),
    ).fetchall()
    header, places, revision, phase, clocks, clock_at = row
    lines = [line_of(*line) for line in chat]
    return Stored(header, places, revision, phase, [entry[1:] for entry in entries], lines, clocks or b"", clock_at)


def recall(connection: Connection, table: str, person: str, key: str, body: bytes) -> Outcome | None:
    """See `Store`."""
    row: Any = connection.execute(
        "SELECT request_hash, reply FROM idempotency_keys WHERE person = ? AND idempotency_key = ?", (person, key)
    ).fetchone()
    if row is None and table:
        row = connection.execute(
            "SELECT request_hash, reply FROM entries WHERE table_id = ? AND idempotency_key = ? AND person = ? AND request_hash IS NOT NULL",
            (table, key, person),
        ).fetchone()
    if row is None:
        return None
    return Outcome(REPEATED, row[1]) if row[0] == body else Outcome(REUSED)


def running_clocks(connection: Connection) -> list[tuple[str, bytes, int]]:
    """See `Store`."""
    found: Any = connection.execute(
        "SELECT id, clocks, clocks_at_ms FROM tables WHERE clocks IS NOT NULL AND phase = 'playing'"
    ).fetchall()
    return list(found)


def mine(connection: Connection, person: str, most: int) -> list[Listed]:
    """See `Store`."""
    rows = connection.execute(
        "SELECT t.id, t.header, t.seating, t.phase, t.created FROM table_people m JOIN tables t ON t.id = m.table_id"
        " WHERE m.person = ? ORDER BY m.at DESC LIMIT ?",
        (person, most),
    )
    return [Listed(*row) for row in rows]


def playing(connection: Connection, person: str) -> list[Playing]:
    """See `Store`."""
    rows: Any = connection.execute(
        "SELECT t.id, t.header, t.seating, t.clocks, t.clocks_at_ms, t.to_act FROM table_people m JOIN tables t ON t.id = m.table_id"
        " WHERE m.person = ? AND t.phase = 'playing' AND (t.clocks IS NOT NULL OR t.to_act IS NULL OR t.to_act != 0)"
        " ORDER BY m.at DESC",
        (person,),
    )
    return [
        Playing(table, header, places, clocks or b"", at, asked) for table, header, places, clocks, at, asked in rows
    ]


def answered(connection: Connection, person: str, table: str) -> int:
    """See `Store`."""
    found = connection.execute(
        "SELECT n FROM entries WHERE table_id = ? AND person = ? ORDER BY n DESC LIMIT 1", (table, person)
    ).get
    return -1 if found is None else int(found)


def names(connection: Connection, people: Collection[str]) -> dict[str, str]:
    """See `Store`."""
    return dict(rows_of(connection, f"SELECT id, name FROM display_names WHERE id IN ({placed(people)})", [*people]))


# Writing


def applied(connection: Connection, change: Anything, lasts: dict[str, int]) -> Outcome:
    """Write a change, and return what became of it. ``lasts``: see `apply`."""
    if isinstance(change, Change):
        return apply(connection, change, lasts)
    if isinstance(change, PushChange):
        return Outcome(DONE if pushes_sql.apply(connection, change) else CONFLICT)
    if isinstance(change, Probe):
        return Outcome(DONE)  # in PostgreSQL each commit writes a row of its own
    lasts.clear()  # it may be that a table is let go of
    return accounts_sql.apply(connection, change)


def lasts_of(connection: Connection, tables: Sequence[str]) -> dict[str, int]:
    """Return the n of the last entry of each of these tables, or −1."""
    # One look at the end of each table's entries. Grouped by tables, all of them would be read, for every answer.
    last = "coalesce((SELECT max(n) FROM entries WHERE table_id = tables.id), -1)"
    asked = f"SELECT id, {last} FROM tables WHERE id IN ({placed(tables)})"
    return {**dict.fromkeys(tables, -1), **dict(rows_of(connection, asked, tables))}


def apply(connection: Connection, change: Change, lasts: dict[str, int]) -> Outcome:
    """Look first, then write: nothing of a change that cannot be made whole is written.

    ``lasts`` is how far those tables are of which it is known, and where nobody else can write.
    """
    execute = connection.execute
    table, own_key = change.table, change.own_key
    if own_key:
        earlier = recall(connection, "", change.person, change.key, change.body)
        if earlier is not None:
            return earlier
    if change.entries or change.asked != AS_BEFORE:
        if table not in lasts:
            lasts |= lasts_of(connection, [table])
        if lasts[table] != change.n - 1:
            return Outcome(CONFLICT)
    if change.places and not change.header:
        execute(
            "UPDATE tables SET seating = ?, revision = revision + 1, phase = ? WHERE id = ? AND revision = ?",
            (change.places, change.phase, table, change.revision),
        )
        if connection.changes() == 0:
            return Outcome(CONFLICT)
    elif change.phase and not change.header:
        execute("UPDATE tables SET phase = ? WHERE id = ?", (change.phase, table))
    if change.phase == "over":
        execute("UPDATE tables SET finished_at = ? WHERE id = ? AND finished_at = 0", (int(time.time()), table))
    if change.header:
        execute(
            "INSERT INTO tables (id, header, seating, revision, phase, public, created) VALUES (?, ?, ?, 0, ?, ?, ?)",
            (table, change.header, change.places, change.phase, int(change.public), change.created),
        )
        lasts[table] = -1
    for k, (seat, words) in enumerate(change.entries):
        keeps_key = k == 0 and change.key and not own_key
        key = (change.key, change.body, change.reply) if keeps_key else ("", None, None)
        row = (table, change.n + k, seat, words, change.sitter or change.person, *key, change.at)
        execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        lasts[table] = change.n + k
    for person in change.members:
        execute(
            "INSERT INTO table_people VALUES (?, ?, ?) ON CONFLICT (person, table_id) DO UPDATE SET at = excluded.at",
            (person, time.time(), table),
        )
    if change.line:
        name, text, at, person, *kind = change.line
        execute("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?, ?)", (table, at, name, text, person, *map(int, kind)))
    if change.clocks:
        execute("UPDATE tables SET clocks = ?, clocks_at_ms = ? WHERE id = ?", (change.clocks, change.clock_at, table))
    if change.asked != AS_BEFORE:
        execute("UPDATE tables SET to_act = ? WHERE id = ?", (change.asked, table))
    if change.clocks or change.alive:
        _alive(connection, max(change.alive, change.clock_at))
    if own_key:
        execute(
            "INSERT INTO idempotency_keys VALUES (?, ?, ?, ?, ?)",
            (change.person, change.key, change.body, change.reply, time.time()),
        )
    return Outcome(DONE)


def _alive(connection: Connection, now: int) -> None:
    """The house is open at this time of its own."""
    connection.execute(
        "INSERT INTO meta VALUES ('alive', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        " WHERE excluded.value > meta.value",
        (now,),
    )


def reserve(connection: Connection, numbers: int) -> int:
    """See `Store`."""
    return int(connection.execute(_RESERVE, (numbers,)).get) - numbers


def reserved(connection: Connection) -> int:
    """Return the number below which all are reserved."""
    return int(connection.execute("SELECT value FROM meta WHERE key = 'reserved'").get or 0)


def open_clocks(connection: Connection, wall: int) -> int:
    """See `Store`."""
    alive = int(connection.execute("SELECT value FROM meta WHERE key = 'alive'").get or wall)
    now = max(wall, alive)
    closed = "UPDATE tables SET clocks_at_ms = clocks_at_ms + ? WHERE clocks IS NOT NULL AND phase = 'playing'"
    connection.execute(closed, (now - alive,))
    connection.execute(f"INSERT INTO meta VALUES ('alive', ?) {_ANEW}", (now,))
    return now


def prune(connection: Connection) -> None:
    """Forget the POSTs that are too old to be repeated, and the devices that nobody uses."""
    accounts_sql.prune(connection)
    pushes_sql.prune(connection)
    connection.execute("DELETE FROM idempotency_keys WHERE at < ?", (time.time() - KEEP_KEYS,))
