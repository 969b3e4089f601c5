"""People's accounts in SQL; see `accounts`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from typing import Any

from diamonds.server.store import books_sql, circles_sql, pushes_sql
from diamonds.server.store.accounts import (
    APART,
    TAKEN,
    Account,
    AccountChange,
    Device,
    Part,
    Passkey,
    today,
)
from diamonds.server.store.books import NOT_INVITED
from diamonds.server.store.circles import Circle
from diamonds.server.store.contract import CONFLICT, DONE, Outcome
from diamonds.server.store.lines import line_of
from diamonds.server.store.sql import Connection, Reader, placed, rows_of

KEEP_DEVICES = 400  # days for which a device that is not seen stays signed in: as long as its cookie lasts


class SqlAccounts:
    """See `Accounts`. All but the parts of tables is found by a key."""

    def __init__(self, readers: Reader) -> None:
        self._readers = readers

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        return await self._readers.find(rows_of, sql, values)

    async def _row(self, sql: str, *values: object) -> Any:
        rows = await self._rows(sql, *values)
        return rows[0] if rows else None

    async def account(self, person: str) -> Account | None:
        """See `Accounts`."""
        row = await self._row(
            "SELECT person, handle, created_day, recovery_lookup IS NOT NULL FROM accounts WHERE person = ?", person
        )
        return Account(row[0], row[1], row[2], bool(row[3])) if row else None

    async def whose(self, looks: Collection[str]) -> dict[str, str]:
        """See `Accounts`."""
        return dict(
            await self._rows(f"SELECT skeleton, person FROM name_skeletons WHERE skeleton IN ({placed(looks)})", *looks)
        )

    async def code(self, name: str) -> tuple[str, bytes] | None:
        """See `Accounts`."""
        row: tuple[str, bytes] | None = await self._row(
            "SELECT person, recovery_proof FROM accounts WHERE recovery_lookup = ?", name
        )
        return row

    async def passkey(self, id: bytes) -> Passkey | None:
        """See `Accounts`."""
        row = await self._row("SELECT id, person, key, sign_count, label, created_day FROM passkeys WHERE id = ?", id)
        return Passkey(*row) if row else None

    async def passkeys(self, person: str) -> list[Passkey]:
        """See `Accounts`."""
        rows = await self._rows(
            "SELECT id, person, key, sign_count, label, created_day FROM passkeys WHERE person = ? ORDER BY created_day, id",
            person,
        )
        return [Passkey(*row) for row in rows]

    async def device(self, id: str) -> Device | None:
        """See `Accounts`."""
        row = await self._row(
            "SELECT id, person, public_id, label, created_day, last_seen_day FROM devices WHERE id = ?", id
        )
        return Device(*row) if row else None

    async def devices(self, person: str) -> list[Device]:
        """See `Accounts`."""
        rows = await self._rows(
            "SELECT id, person, public_id, label, created_day, last_seen_day FROM devices WHERE person = ?"
            " ORDER BY last_seen_day DESC, created_day DESC, public_id",
            person,
        )
        return [Device(*row) for row in rows]

    async def circle(self, person: str) -> Circle:
        """See `Accounts`."""
        return await self._readers.find(circles_sql.read, person)

    async def tables_of(self, person: str) -> list[str]:
        """See `Accounts`."""
        rows = await self._rows("SELECT table_id FROM table_people WHERE person = ? ORDER BY at", person)
        return [str(row[0]) for row in rows]

    async def talked_at(self, person: str) -> list[str]:
        """See `Accounts`."""
        rows = await self._rows("SELECT DISTINCT table_id FROM chat WHERE person = ? AND person != ''", person)
        return [str(row[0]) for row in rows]

    async def parts(self, person: str, tables: Sequence[str]) -> list[Part]:
        """See `Accounts`."""
        return await self._readers.read(_parts, person, tables)


def _parts(reader: Connection, person: str, tables: Sequence[str]) -> list[Part]:
    found = (_part(reader, person, table) for table in tables)
    return [part for part in found if part is not None]


def _part(reader: Connection, person: str, table: str) -> Part | None:
    row: Any = reader.execute("SELECT header, seating, phase, created FROM tables WHERE id = ?", (table,)).fetchone()
    if row is None:
        return None
    entries: Any = reader.execute(
        "SELECT n, seat, text, at_ms FROM entries WHERE table_id = ? AND person = ? ORDER BY n", (table, person)
    ).fetchall()
    lines: Any = reader.execute(
        "SELECT name, text, said_at, person, phrase, spectators_only FROM chat WHERE table_id = ? AND person = ? ORDER BY rowid",
        (table, person),
    ).fetchall()
    header, places, phase, created = row
    return Part(table, header, places, phase, created, entries, [line_of(*line) for line in lines])


def prune(connection: Connection) -> None:
    """Sign out the devices that nobody has used for as long as their cookies last."""
    connection.execute("DELETE FROM devices WHERE last_seen_day < ?", (today() - KEEP_DEVICES,))


def apply(connection: Connection, change: AccountChange) -> Outcome:
    """Look first, then write: nothing of a change that cannot be made whole is written."""
    execute, person = connection.execute, change.person
    wrong = _in_the_way(connection, change)
    if wrong:
        return Outcome(wrong)
    if change.handle:
        execute("INSERT INTO accounts VALUES (?, ?, ?, NULL, NULL)", (person, change.handle, today()))
    if change.name:
        execute(
            "INSERT INTO display_names VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            (person, change.name),
        )
        execute("DELETE FROM name_skeletons WHERE person = ?", (person,))
        own = "INSERT INTO name_skeletons SELECT ?, person FROM accounts WHERE person = ?"
        for look in change.looks:
            execute(own, (look, person))
    if change.code:
        execute("UPDATE accounts SET recovery_lookup = ?, recovery_proof = ? WHERE person = ?", (*change.code, person))
    if change.passkey:
        execute("INSERT INTO passkeys VALUES (?, ?, ?, ?, ?, ?)", change.passkey)
    if change.used:
        execute("UPDATE passkeys SET sign_count = ? WHERE id = ?", change.used[::-1])
    if change.no_passkey:
        execute("DELETE FROM passkeys WHERE id = ? AND person = ?", (change.no_passkey, person))
    for device in change.no_devices:
        execute("DELETE FROM devices WHERE id = ? AND person = ?", (device, person))
        if connection.changes():
            pushes_sql.signed_out(connection, device)
    if change.device:
        execute("INSERT INTO devices VALUES (?, ?, ?, ?, ?, ?)", change.device)
    if change.seen:
        execute("UPDATE devices SET last_seen_day = ? WHERE id = ?", (today(), change.seen))
    if change.joins:
        _rename(connection, change.joins, lambda: person)
        execute(
            "INSERT INTO table_people SELECT ?, at, table_id FROM table_people WHERE person = ? ON CONFLICT DO NOTHING",
            (person, change.joins),
        )
        execute("UPDATE chat SET person = ? WHERE person = ?", (person, change.joins))
        circles_sql.join(connection, change.joins, person)
        books_sql.join(connection, change.joins, person)
        if change.device:
            pushes_sql.signed_in(connection, change.joins, person, change.device.id)
        _let_go(connection, change.joins)
    if change.handle and change.device:
        pushes_sql.signed_in(connection, person, person, change.device.id)
    if change.leaves:
        pushes_sql.signed_out(connection, change.leaves)
    if change.circle:
        circles_sql.apply(connection, change.circle)
    if change.no_name:
        execute("DELETE FROM display_names WHERE id = ?", (person,))
    if change.books:
        books_sql.apply(connection, person, change.books)
    if change.forget:
        _forget(connection, change)
    return Outcome(DONE)


def _in_the_way(connection: Connection, change: AccountChange) -> str:
    """Why the change cannot be made, as an outcome; empty if it can."""
    execute, person = connection.execute, change.person
    for look in change.looks:
        if execute("SELECT person FROM name_skeletons WHERE skeleton = ?", (look,)).get not in (None, person):
            return TAKEN
    known = execute("SELECT count(*) FROM accounts WHERE person = ?", (person,)).get
    if change.handle and known:
        return CONFLICT
    if (change.device or change.passkey or change.code) and not known and not change.handle:
        return CONFLICT  # the account was deleted meanwhile
    if change.passkey and execute("SELECT count(*) FROM passkeys WHERE id = ?", (change.passkey.id,)).get:
        return CONFLICT
    if change.used and not execute("SELECT count(*) FROM passkeys WHERE id = ?", (change.used[0],)).get:
        return CONFLICT
    if (
        change.by_code
        and execute("SELECT person FROM accounts WHERE recovery_lookup = ?", (change.by_code,)).get != person
    ):
        return CONFLICT
    if change.no_name and known:
        return CONFLICT
    last = change.no_passkey and rows_of(connection, "SELECT id FROM passkeys WHERE person = ?", (person,))
    if last == [(change.no_passkey,)]:
        return CONFLICT
    if change.joins and execute("SELECT count(*) FROM accounts WHERE person = ?", (change.joins,)).get:
        return CONFLICT
    if change.joins and _sit_together(connection, person, change.joins):
        return APART
    if change.invitation and not books_sql.use_invitation(connection, change.invitation):
        return NOT_INVITED
    return ""


def _sit_together(connection: Connection, one: str, other: str) -> bool:
    """Whether both have had a seat at a table whose game is not over."""
    shared: Any = connection.execute(
        "SELECT t.id, t.seating FROM table_people a JOIN table_people b ON b.table_id = a.table_id JOIN tables t ON t.id = a.table_id"
        " WHERE a.person = ? AND b.person = ? AND t.phase != 'over'",
        (one, other),
    ).fetchall()
    for table, places in shared:
        sent = {
            row[0]
            for row in connection.execute(
                "SELECT DISTINCT person FROM entries WHERE table_id = ? AND person IN (?, ?)", (table, one, other)
            )
        }
        if all(each.encode() in places or each in sent for each in (one, other)):
            return True
    return False


def _rename(connection: Connection, person: str, new: Callable[[], str]) -> None:
    """At every table of a person somebody else was there instead: whoever ``new`` gives, asked once a table."""
    execute = connection.execute
    rows: Any = execute(
        "SELECT t.id, t.header, t.seating FROM table_people m JOIN tables t ON t.id = m.table_id WHERE m.person = ?",
        (person,),
    ).fetchall()
    for table, header, places in rows:
        other = new()
        was, now = person.encode(), other.encode()
        execute(
            "UPDATE tables SET header = ?, seating = ?, revision = revision + 1 WHERE id = ?",
            (header.replace(was, now), places.replace(was, now), table),
        )
        execute("UPDATE entries SET person = ? WHERE table_id = ? AND person = ?", (other, table, person))


def _forget(connection: Connection, change: AccountChange) -> None:
    """Let go of everything; what others need of it stays as somebody's who has no name."""
    execute, person = connection.execute, change.person
    execute("DELETE FROM chat WHERE person = ?", (person,))
    execute(
        "DELETE FROM chat WHERE person = '' AND table_id IN (SELECT table_id FROM table_people WHERE person = ?)"
        " AND (name = ? OR substr(name, 1, length(?) + 2) = ? || ' (')",
        (person, change.called, change.called, change.called),
    )
    _rename(connection, person, lambda: secrets.token_urlsafe(16))
    _let_go(connection, person)
    circles_sql.forget(connection, person)
    books_sql.forget(connection, person)
    pushes_sql.forget(connection, person)
    for table in ("accounts", "name_skeletons", "passkeys", "devices"):
        execute(f"DELETE FROM {table} WHERE person = ?", (person,))


def _let_go(connection: Connection, guest: str) -> None:
    """What is kept of an identity that nobody has any more."""
    connection.execute("DELETE FROM table_people WHERE person = ?", (guest,))
    connection.execute("DELETE FROM display_names WHERE id = ?", (guest,))
    connection.execute("DELETE FROM idempotency_keys WHERE person = ?", (guest,))
