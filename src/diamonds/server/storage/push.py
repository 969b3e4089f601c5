"""Push notifications in the store: data, queries and changes of subscriptions, quiet hours and notifications."""

from __future__ import annotations

from typing import Any, NamedTuple

from diamonds.server.server_time import today
from diamonds.server.storage.sql import SqlConnection, SqlQueries

MAX_SUBSCRIPTIONS = 10  # per person; further ones replace the oldest
SUBSCRIPTION_TTL_DAYS = 400  # lifetime of an unused subscription, like that of a cookie


class PushSubscription(NamedTuple):
    """A browser's push subscription: endpoint, and keys to encrypt what only the browser can decrypt.

    `browser` is the identity in its cookie, `id` its id for the owner; `last_seen_day` is a day since 1970.
    """

    id: str
    person: str
    browser: str
    endpoint: str
    key: bytes
    auth: bytes
    label: str
    language: str
    last_seen_day: int


class QuietHours(NamedTuple):
    """A person's quiet hours, in minutes of the day in their time zone; equal minutes mean none."""

    start_minute: int
    end_minute: int
    time_zone: str


class PendingPush(NamedTuple):
    """A notification of a turn, to one browser. `due_ms` is in machine time; 0 if it has been sent.

    `question_n` is the n of the person's last answer at the table. No second notification is sent until that changes.
    """

    subscription: str
    table: str
    question_n: int
    due_ms: int
    attempts: int = 0


class PushChange(NamedTuple):
    """A change of push data, all or nothing. Empty fields change nothing.

    A `subscription` with a known endpoint keeps its `id`. It replaces other endpoints of the same browser, and
    other people's subscriptions of the same endpoint. `pending` notifications to unknown subscriptions are dropped.
    """

    subscription: PushSubscription | None = None
    removed_subscriptions: tuple[str, ...] = ()  # their ids
    quiet_hours: tuple[str, QuietHours] | None = None  # the person and their quiet hours
    pending: tuple[PendingPush, ...] = ()
    cancelled: tuple[tuple[str, str], ...] = ()  # (subscription, table) of notifications no longer wanted
    # A notification about to be sent. If it has changed in the meantime, nothing is written (`CONFLICT`).
    claimed: PendingPush | None = None


_SELECT_SUBSCRIPTIONS = (
    "SELECT id, person, browser, endpoint, key, auth, label, language, last_seen_day FROM push_subscriptions"
)


class PushStore(SqlQueries):
    """The store's push queries, all with indexes."""

    async def subscriptions_of(self, person: str) -> list[PushSubscription]:
        """Return a person's subscriptions, oldest first."""
        rows = await self.find_rows(f"{_SELECT_SUBSCRIPTIONS} WHERE person = ? ORDER BY rowid", person)
        return [PushSubscription(*row) for row in rows]

    async def subscription(self, subscription_id: str) -> PushSubscription | None:
        rows = await self.find_rows(f"{_SELECT_SUBSCRIPTIONS} WHERE id = ?", subscription_id)
        return PushSubscription(*rows[0]) if rows else None

    async def quiet_hours(self, person: str) -> QuietHours | None:
        """Return a person's quiet hours."""
        rows = await self.find_rows(
            "SELECT start_minute, end_minute, time_zone FROM quiet_hours WHERE person = ?", person
        )
        return QuietHours(*rows[0]) if rows else None

    async def subscribers(self) -> list[str]:
        """Return everyone with a subscription, in no particular order."""
        return [str(row[0]) for row in await self.find_rows("SELECT DISTINCT person FROM push_subscriptions")]

    async def pending_of(self, person: str) -> list[PendingPush]:
        """Return a person's pending and sent notifications, in no particular order."""
        rows = await self.find_rows(
            "SELECT c.* FROM push_subscriptions s JOIN pending_pushes c ON c.subscription = s.id WHERE s.person = ?",
            person,
        )
        return [PendingPush(*row) for row in rows]

    async def due(self, now_ms: int, limit: int) -> list[PendingPush]:
        """Return notifications that are due (ms since 1970), longest overdue first."""
        rows = await self.find_rows(
            "SELECT * FROM pending_pushes WHERE due > 0 AND due <= ? ORDER BY due LIMIT ?", now_ms, limit
        )
        return [PendingPush(*row) for row in rows]

    async def next_due_ms(self) -> int | None:
        """Return when the next notification is due (ms since 1970)."""
        return (await self.find_rows("SELECT min(due) FROM pending_pushes WHERE due > 0"))[0][0]  # type: ignore[no-any-return]


def apply_push_change(connection: SqlConnection, change: PushChange) -> bool:
    """Write a change. Return whether it was possible."""
    execute = connection.execute
    if change.claimed:
        stored: Any = execute(
            "SELECT * FROM pending_pushes WHERE subscription = ? AND table_id = ?", change.claimed[:2]
        ).fetchone()
        if stored is None or PendingPush(*stored) != change.claimed:
            return False
    if change.subscription:
        subscription = change.subscription
        execute(
            "DELETE FROM push_subscriptions WHERE endpoint = ? AND person != ?",
            (subscription.endpoint, subscription.person),
        )
        delete_others = "DELETE FROM push_subscriptions WHERE person = ? AND browser = ? AND endpoint != ?"
        execute(delete_others, (subscription.person, subscription.browser, subscription.endpoint))
        execute(
            "INSERT INTO push_subscriptions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (endpoint) DO UPDATE SET"
            " browser = excluded.browser, key = excluded.key, auth = excluded.auth, label = excluded.label,"
            " language = excluded.language, last_seen_day = excluded.last_seen_day",
            subscription,
        )
        execute(
            "DELETE FROM push_subscriptions WHERE person = ?1 AND id NOT IN"
            " (SELECT id FROM push_subscriptions WHERE person = ?1 ORDER BY rowid DESC LIMIT ?2)",
            (subscription.person, MAX_SUBSCRIPTIONS),
        )
    for subscription_id in change.removed_subscriptions:
        execute("DELETE FROM push_subscriptions WHERE id = ?", (subscription_id,))
    if change.quiet_hours:
        person, quiet_hours = change.quiet_hours
        execute(
            "INSERT INTO quiet_hours VALUES (?, ?, ?, ?) ON CONFLICT (person) DO UPDATE SET"
            " start_minute = excluded.start_minute, end_minute = excluded.end_minute, time_zone = excluded.time_zone",
            (person, *quiet_hours),
        )
    for push in change.pending:
        execute(
            "INSERT INTO pending_pushes SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM push_subscriptions WHERE id = ?1)"
            " ON CONFLICT (subscription, table_id) DO UPDATE SET"
            " question_n = excluded.question_n, due = excluded.due, attempts = excluded.attempts",
            push,
        )
    for pair in change.cancelled:
        execute("DELETE FROM pending_pushes WHERE subscription = ? AND table_id = ?", pair)
    return True


def prune(connection: SqlConnection) -> None:
    """Delete the subscriptions that have been unused for the lifetime of cookies."""
    connection.execute("DELETE FROM push_subscriptions WHERE last_seen_day < ?", (today() - SUBSCRIPTION_TTL_DAYS,))


def remove_browser(connection: SqlConnection, browser: str) -> None:
    """Delete the subscriptions of a browser that has signed out."""
    connection.execute("DELETE FROM push_subscriptions WHERE browser = ?", (browser,))


def reassign_browser(connection: SqlConnection, guest: str, person: str, browser: str) -> None:
    """Move a guest's subscriptions and quiet hours to the account to which their browser has signed in."""
    execute = connection.execute
    execute("UPDATE push_subscriptions SET browser = ? WHERE browser = ?", (browser, guest))
    execute("UPDATE push_subscriptions SET person = ? WHERE person = ?", (person, guest))
    execute(
        "UPDATE quiet_hours SET person = ?1 WHERE person = ?2 AND NOT EXISTS (SELECT 1 FROM quiet_hours WHERE person = ?1)",
        (person, guest),
    )
    if person != guest:
        execute("DELETE FROM quiet_hours WHERE person = ?", (guest,))


def delete_person(connection: SqlConnection, person: str) -> None:
    """Delete a person's push data."""
    connection.execute("DELETE FROM push_subscriptions WHERE person = ?", (person,))
    connection.execute("DELETE FROM quiet_hours WHERE person = ?", (person,))
