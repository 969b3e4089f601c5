"""Accounts in the store: data, queries and changes. For guests, only the display name is stored.

A guest is a random identity. A guest who registers keeps it, so all their tables stay theirs. A signed-in *device* has
its own identity. Identities are never revealed, and addresses are never stored. Times are stored as days.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from diamonds.server.server_time import today
from diamonds.server.storage import matches, moderation, push, relationships
from diamonds.server.storage.chat import ChatRecord, chat_record
from diamonds.server.storage.commit_outcomes import CONFLICT, DONE, CommitOutcome
from diamonds.server.storage.moderation import NOT_INVITED, ModerationChange
from diamonds.server.storage.relationships import RelationshipChange, Relationships
from diamonds.server.storage.sql import SqlConnection, SqlQueries, fetch_rows, placeholders

DEVICE_TTL_DAYS = 400  # lifetime of an unused device, like that of its cookie
# Further outcomes: another account has a confusable name; both people have had a seat at one table.
NAME_TAKEN, SAME_TABLE = "not free", "apart"


class Account(NamedTuple):
    """An account. `handle` identifies its owner to passkeys; `created_day` is a day since 1970."""

    person: str
    handle: bytes
    created_day: int
    has_recovery_code: bool


class Passkey(NamedTuple):
    """A passkey: public key, signature counter, and a label for its owner. None of it is secret."""

    id: bytes
    person: str
    public_key: bytes
    sign_count: int
    label: str
    created_day: int


class Device(NamedTuple):
    """A signed-in browser. `id` is the identity in its cookie, `public_id` its id for the owner."""

    id: str
    person: str
    public_id: str
    label: str
    created_day: int
    last_seen_day: int


class RecoveryCodeRecord(NamedTuple):
    """A recovery code: the lookup part, and a salted proof of its secret."""

    lookup: str
    proof: bytes


class PersonTableExport(NamedTuple):
    """One table's data about one person: stored header and seating, and their answers and chat."""

    table: str
    header: bytes
    seating: bytes
    phase: str
    created: float
    entries: list[tuple[int, int, str, int]]  # n, seat, text, time
    chat: list[ChatRecord]


class AccountChange(NamedTuple):
    """A change of a person, all or nothing. Empty fields change nothing.

    `handle` creates an account. An account's `name` and its `skeletons` are reserved for it; the outcome is
    `NAME_TAKEN` if a skeleton belongs to another account, even for a guest's new name. `merged_guest` is a guest who
    signs in as this person: their tables become the person's. The outcome is `SAME_TABLE` if both have had a seat at an
    unfinished table, or play in the same match. `delete_person` deletes everything, including chat, even old messages
    stored only under `current_name`. A nameless person remains at each table.

    The outcome is `CONFLICT` if something has changed since it was checked: the sign-in method or the account is gone,
    the account has been created, or the passkey to remove is now the last one.
    """

    person: str
    handle: bytes = b""
    name: str = ""
    skeletons: tuple[str, ...] = ()
    recovery_code: RecoveryCodeRecord | None = None
    passkey: Passkey | None = None
    used_passkey: tuple[bytes, int] | None = None  # a passkey and its new signature counter
    used_recovery_lookup: str = ""  # the recovery code used to sign in
    remove_passkey: bytes = b""
    device: Device | None = None
    remove_devices: tuple[str, ...] = ()
    seen_device: str = ""  # a device used today
    merged_guest: str = ""
    unsubscribed_guest: str = ""  # the guest of the same browser, whose push subscription is removed
    delete_person: bool = False
    current_name: str = ""
    relationship: RelationshipChange | None = None  # a change of the relationship to another person
    remove_name: bool = False  # removes a guest's chosen name
    invitation: str = ""  # its hash; used up by this change; the outcome is `NOT_INVITED` if it does not exist
    moderation: ModerationChange | None = None


class AccountStore(SqlQueries):
    """The store's account queries. Everything except `exports` uses an index."""

    async def _row(self, sql: str, *values: object) -> Any:
        rows = await self.find_rows(sql, *values)
        return rows[0] if rows else None

    async def account(self, person: str) -> Account | None:
        """Return a person's account, if they have one."""
        row = await self._row(
            "SELECT person, handle, created_day, recovery_lookup IS NOT NULL FROM accounts WHERE person = ?", person
        )
        return Account(row[0], row[1], row[2], bool(row[3])) if row else None

    async def skeleton_holders(self, skeletons: Collection[str]) -> dict[str, str]:
        """Return the owners of those skeletons that are reserved; an empty string marks a withdrawn one."""
        return dict(
            await self.find_rows(
                f"SELECT skeleton, person FROM name_skeletons WHERE skeleton IN ({placeholders(skeletons)})", *skeletons
            )
        )

    async def recovery_code(self, lookup: str) -> tuple[str, bytes] | None:
        """Return the person and the proof of a recovery code."""
        row: tuple[str, bytes] | None = await self._row(
            "SELECT person, recovery_proof FROM accounts WHERE recovery_lookup = ?", lookup
        )
        return row

    async def passkey(self, passkey_id: bytes) -> Passkey | None:
        row = await self._row(
            "SELECT id, person, key, sign_count, label, created_day FROM passkeys WHERE id = ?", passkey_id
        )
        return Passkey(*row) if row else None

    async def passkeys(self, person: str) -> list[Passkey]:
        """Return a person's passkeys, oldest first."""
        rows = await self.find_rows(
            "SELECT id, person, key, sign_count, label, created_day FROM passkeys WHERE person = ? ORDER BY created_day, id",
            person,
        )
        return [Passkey(*row) for row in rows]

    async def device(self, device_id: str) -> Device | None:
        """Return a signed-in device."""
        row = await self._row(
            "SELECT id, person, public_id, label, created_day, last_seen_day FROM devices WHERE id = ?", device_id
        )
        return Device(*row) if row else None

    async def devices(self, person: str) -> list[Device]:
        """Return a person's devices, last seen first."""
        rows = await self.find_rows(
            "SELECT id, person, public_id, label, created_day, last_seen_day FROM devices WHERE person = ?"
            " ORDER BY last_seen_day DESC, created_day DESC, public_id",
            person,
        )
        return [Device(*row) for row in rows]

    async def relationships(self, person: str) -> Relationships:
        """Return a person's relationships."""
        return await self.readers.find(relationships.load_relationships, person)

    async def tables_of(self, person: str) -> list[str]:
        """Return all tables of a person, in the order in which they first sat down."""
        rows = await self.find_rows("SELECT table_id FROM table_people WHERE person = ? ORDER BY at", person)
        return [str(row[0]) for row in rows]

    async def tables_chatted_at(self, person: str) -> list[str]:
        """Return all tables where a person has posted chat, in no particular order."""
        rows = await self.find_rows("SELECT DISTINCT table_id FROM chat WHERE person = ? AND person != ''", person)
        return [str(row[0]) for row in rows]

    async def exports(self, person: str, tables: Sequence[str]) -> list[PersonTableExport]:
        """Return each table's data about a person, in the order of `tables`, without tables that no longer exist."""
        return await self.readers.read(_load_exports, person, tables)


def _load_exports(reader: SqlConnection, person: str, tables: Sequence[str]) -> list[PersonTableExport]:
    exports = (_load_export(reader, person, table) for table in tables)
    return [export for export in exports if export is not None]


def _load_export(reader: SqlConnection, person: str, table: str) -> PersonTableExport | None:
    row: Any = reader.execute("SELECT header, seating, phase, created FROM tables WHERE id = ?", (table,)).fetchone()
    if row is None:
        return None
    entries: Any = reader.execute(
        "SELECT n, seat, text, at_ms FROM entries WHERE table_id = ? AND person = ? ORDER BY n", (table, person)
    ).fetchall()
    chat: Any = reader.execute(
        "SELECT name, text, said_at, person, phrase, spectators_only FROM chat WHERE table_id = ? AND person = ? ORDER BY rowid",
        (table, person),
    ).fetchall()
    header, seating, phase, created = row
    return PersonTableExport(table, header, seating, phase, created, entries, [chat_record(*line) for line in chat])


def prune(connection: SqlConnection) -> None:
    """Sign out the devices that have been unused for the lifetime of their cookies."""
    connection.execute("DELETE FROM devices WHERE last_seen_day < ?", (today() - DEVICE_TTL_DAYS,))


def apply_account_change(connection: SqlConnection, change: AccountChange) -> CommitOutcome:
    """Check a change, then write it completely or not at all."""
    execute, person = connection.execute, change.person
    obstacle = _find_obstacle(connection, change)
    if obstacle:
        return CommitOutcome(obstacle)
    if change.handle:
        execute("INSERT INTO accounts VALUES (?, ?, ?, NULL, NULL)", (person, change.handle, today()))
    if change.name:
        execute(
            "INSERT INTO display_names VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            (person, change.name),
        )
        execute("DELETE FROM name_skeletons WHERE person = ?", (person,))
        insert_skeleton = "INSERT INTO name_skeletons SELECT ?, person FROM accounts WHERE person = ?"
        for skeleton in change.skeletons:
            execute(insert_skeleton, (skeleton, person))
    if change.recovery_code:
        execute(
            "UPDATE accounts SET recovery_lookup = ?, recovery_proof = ? WHERE person = ?",
            (*change.recovery_code, person),
        )
    if change.passkey:
        execute("INSERT INTO passkeys VALUES (?, ?, ?, ?, ?, ?)", change.passkey)
    if change.used_passkey:
        execute("UPDATE passkeys SET sign_count = ? WHERE id = ?", change.used_passkey[::-1])
    if change.remove_passkey:
        execute("DELETE FROM passkeys WHERE id = ? AND person = ?", (change.remove_passkey, person))
    for device in change.remove_devices:
        execute("DELETE FROM devices WHERE id = ? AND person = ?", (device, person))
        if connection.changes():
            push.remove_browser(connection, device)
    if change.device:
        execute("INSERT INTO devices VALUES (?, ?, ?, ?, ?, ?)", change.device)
    if change.seen_device:
        execute("UPDATE devices SET last_seen_day = ? WHERE id = ?", (today(), change.seen_device))
    if change.merged_guest:
        _replace_person(connection, change.merged_guest, lambda: person)
        execute(
            "INSERT INTO table_people SELECT ?, at, table_id FROM table_people WHERE person = ? ON CONFLICT DO NOTHING",
            (person, change.merged_guest),
        )
        execute("UPDATE chat SET person = ? WHERE person = ?", (person, change.merged_guest))
        relationships.merge_guest(connection, change.merged_guest, person)
        matches.merge_guest(connection, change.merged_guest, person)
        moderation.merge_guest(connection, change.merged_guest, person)
        if change.device:
            push.reassign_browser(connection, change.merged_guest, person, change.device.id)
        _delete_identity(connection, change.merged_guest)
    if change.handle and change.device:
        push.reassign_browser(connection, person, person, change.device.id)
    if change.unsubscribed_guest:
        push.remove_browser(connection, change.unsubscribed_guest)
    if change.relationship:
        relationships.apply_relationship_change(connection, change.relationship)
    if change.remove_name:
        execute("DELETE FROM display_names WHERE id = ?", (person,))
    if change.moderation:
        moderation.apply_moderation_change(connection, person, change.moderation)
    if change.delete_person:
        _delete_person(connection, change)
    return CommitOutcome(DONE)


def _find_obstacle(connection: SqlConnection, change: AccountChange) -> str:
    """Return the outcome that prevents a change; empty if there is none."""
    execute, person = connection.execute, change.person
    for skeleton in change.skeletons:
        if execute("SELECT person FROM name_skeletons WHERE skeleton = ?", (skeleton,)).get not in (None, person):
            return NAME_TAKEN
    has_account = execute("SELECT count(*) FROM accounts WHERE person = ?", (person,)).get
    if change.handle and has_account:
        return CONFLICT
    if (change.device or change.passkey or change.recovery_code) and not has_account and not change.handle:
        return CONFLICT  # the account was deleted in the meantime
    if change.passkey and execute("SELECT count(*) FROM passkeys WHERE id = ?", (change.passkey.id,)).get:
        return CONFLICT
    if change.used_passkey and not execute("SELECT count(*) FROM passkeys WHERE id = ?", (change.used_passkey[0],)).get:
        return CONFLICT
    if (
        change.used_recovery_lookup
        and execute("SELECT person FROM accounts WHERE recovery_lookup = ?", (change.used_recovery_lookup,)).get
        != person
    ):
        return CONFLICT
    if change.remove_name and has_account:
        return CONFLICT
    passkeys = change.remove_passkey and fetch_rows(connection, "SELECT id FROM passkeys WHERE person = ?", (person,))
    if passkeys == [(change.remove_passkey,)]:
        return CONFLICT
    if change.merged_guest and execute("SELECT count(*) FROM accounts WHERE person = ?", (change.merged_guest,)).get:
        return CONFLICT
    if change.merged_guest and (
        _is_sharing_table(connection, person, change.merged_guest)
        or matches.is_sharing_match(connection, person, change.merged_guest)
    ):
        return SAME_TABLE
    if change.invitation and not moderation.use_invitation(connection, change.invitation):
        return NOT_INVITED
    return ""


def _is_sharing_table(connection: SqlConnection, person: str, other: str) -> bool:
    """Return whether both people have had a seat at an unfinished table."""
    shared: Any = connection.execute(
        "SELECT t.id, t.seating FROM table_people a JOIN table_people b ON b.table_id = a.table_id JOIN tables t ON t.id = a.table_id"
        " WHERE a.person = ? AND b.person = ? AND t.phase != 'over'",
        (person, other),
    ).fetchall()
    for table, seating in shared:
        senders = {
            row[0]
            for row in connection.execute(
                "SELECT DISTINCT person FROM entries WHERE table_id = ? AND person IN (?, ?)", (table, person, other)
            )
        }
        if all(each.encode() in seating or each in senders for each in (person, other)):
            return True
    return False


def _replace_person(connection: SqlConnection, person: str, new_person: Callable[[], str]) -> None:
    """Replace a person at all their tables with `new_person()`, which is called once per table."""
    execute = connection.execute
    rows: Any = execute(
        "SELECT t.id, t.header, t.seating FROM table_people m JOIN tables t ON t.id = m.table_id WHERE m.person = ?",
        (person,),
    ).fetchall()
    for table, header, seating in rows:
        other = new_person()
        old_bytes, new_bytes = person.encode(), other.encode()
        execute(
            "UPDATE tables SET header = ?, seating = ?, revision = revision + 1 WHERE id = ?",
            (header.replace(old_bytes, new_bytes), seating.replace(old_bytes, new_bytes), table),
        )
        execute("UPDATE entries SET person = ? WHERE table_id = ? AND person = ?", (other, table, person))


def _delete_person(connection: SqlConnection, change: AccountChange) -> None:
    """Delete a person's data. Data that others need is kept for a nameless person."""
    execute, person = connection.execute, change.person
    execute("DELETE FROM chat WHERE person = ?", (person,))
    execute(
        "DELETE FROM chat WHERE person = '' AND table_id IN (SELECT table_id FROM table_people WHERE person = ?)"
        " AND (name = ? OR substr(name, 1, length(?) + 2) = ? || ' (')",
        (person, change.current_name, change.current_name, change.current_name),
    )
    _replace_person(connection, person, lambda: secrets.token_urlsafe(16))
    _delete_identity(connection, person)
    relationships.delete_person(connection, person)
    matches.delete_person(connection, person)
    moderation.delete_person(connection, person)
    push.delete_person(connection, person)
    for table in ("accounts", "name_skeletons", "passkeys", "devices"):
        execute(f"DELETE FROM {table} WHERE person = ?", (person,))


def _delete_identity(connection: SqlConnection, person: str) -> None:
    """Delete the stored data of an identity that is no longer in use."""
    connection.execute("DELETE FROM table_people WHERE person = ?", (person,))
    connection.execute("DELETE FROM display_names WHERE id = ?", (person,))
    connection.execute("DELETE FROM idempotency_keys WHERE person = ?", (person,))
