"""Push notifications in the store: subscriptions, quiet hours and what is to be sent, as data, protocol and SQL."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from diamonds.server.clock import today
from diamonds.server.storage.sql import KeyLookup, SqlConnection, fetch_rows

MAX_SUBSCRIPTIONS = 10  # browsers of one person: the one that came first goes
SUBSCRIPTION_TTL_DAYS = 400  # days for which a browser that does not come again is kept: as long as its cookie lasts


class PushSubscription(NamedTuple):
    """A browser that takes messages: the address that its push service gave it, and the keys by which it alone can read them.

    ``browser`` is the identity that its cookie says, ``id`` what its owner calls it by; ``since`` is a day.
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
    """The hours in which somebody is not disturbed, in minutes of the day where they are; equal: there are none."""

    start_minute: int
    end_minute: int
    time_zone: str


class PendingPush(NamedTuple):
    """A message to a browser that its person is asked at a table, ``due`` by the machine's clock; 0: it was sent.

    ``answered`` is the n of the person's last answer there: until it is another, there is no second message.
    """

    subscription: str
    table: str
    question_n: int
    due_ms: int
    attempts: int = 0


class PushChange(NamedTuple):
    """What changes about messages, all or none; empty fields change nothing.

    Who is ``put`` at an address that is known there already keeps the ``id`` that it had; a browser has no other address any more, and
    nobody else has this one. ``calls`` to whom there is not are not kept.
    """

    subscription: PushSubscription | None = None
    removed_subscriptions: tuple[str, ...] = ()  # subscriptions
    quiet_hours: tuple[str, QuietHours] | None = None  # whose
    pending: tuple[PendingPush, ...] = ()
    cancelled: tuple[tuple[str, str], ...] = ()  # calls that are not wanted any more: subscription, table
    claimed: PendingPush | None = (
        None  # what is about to be sent; if it is otherwise by now, nothing is written (`CONFLICT`)
    )


class PushStore(Protocol):
    """What the server needs of a store about messages; see `Store` for what holds of every call."""

    async def subscriptions_of(self, person: str) -> list[PushSubscription]:
        """A person's browsers, those first that came first."""
        ...

    async def subscription(self, subscription_id: str) -> PushSubscription | None:
        """A browser by its mark."""
        ...

    async def quiet_hours(self, person: str) -> QuietHours | None:
        """When somebody is not disturbed."""
        ...

    async def subscribers(self) -> list[str]:
        """Everyone who takes messages, in no order."""
        ...

    async def pending_of(self, person: str) -> list[PendingPush]:
        """What was sent to a person, and what is to be, in no order."""
        ...

    async def due(self, now_ms: int, limit: int) -> list[PendingPush]:
        """What is to be sent by now (ms since 1970), what is due for longest first; at most so many."""
        ...

    async def next_due_ms(self) -> int | None:
        """When something is to be sent next (ms since 1970)."""
        ...


_SELECT_SUBSCRIPTIONS = (
    "SELECT id, person, browser, endpoint, key, auth, label, language, last_seen_day FROM push_subscriptions"
)


class SqlPushStore:
    """See `PushStore`: found by keys and indexes."""

    def __init__(self, readers: KeyLookup) -> None:
        self._readers = readers

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        return await self._readers.find(fetch_rows, sql, values)

    async def subscriptions_of(self, person: str) -> list[PushSubscription]:
        """See `PushStore`."""
        rows = await self._rows(f"{_SELECT_SUBSCRIPTIONS} WHERE person = ? ORDER BY rowid", person)
        return [PushSubscription(*row) for row in rows]

    async def subscription(self, subscription_id: str) -> PushSubscription | None:
        """See `PushStore`."""
        rows = await self._rows(f"{_SELECT_SUBSCRIPTIONS} WHERE id = ?", subscription_id)
        return PushSubscription(*rows[0]) if rows else None

    async def quiet_hours(self, person: str) -> QuietHours | None:
        """See `PushStore`."""
        rows = await self._rows("SELECT start_minute, end_minute, time_zone FROM quiet_hours WHERE person = ?", person)
        return QuietHours(*rows[0]) if rows else None

    async def subscribers(self) -> list[str]:
        """See `PushStore`."""
        return [str(row[0]) for row in await self._rows("SELECT DISTINCT person FROM push_subscriptions")]

    async def pending_of(self, person: str) -> list[PendingPush]:
        """See `PushStore`."""
        rows = await self._rows(
            "SELECT c.* FROM push_subscriptions s JOIN pending_pushes c ON c.subscription = s.id WHERE s.person = ?",
            person,
        )
        return [PendingPush(*row) for row in rows]

    async def due(self, now_ms: int, limit: int) -> list[PendingPush]:
        """See `PushStore`."""
        rows = await self._rows(
            "SELECT * FROM pending_pushes WHERE due > 0 AND due <= ? ORDER BY due LIMIT ?", now_ms, limit
        )
        return [PendingPush(*row) for row in rows]

    async def next_due_ms(self) -> int | None:
        """See `PushStore`."""
        return (await self._rows("SELECT min(due) FROM pending_pushes WHERE due > 0"))[0][0]  # type: ignore[no-any-return]


def apply_push_change(connection: SqlConnection, change: PushChange) -> bool:
    """Write a change; whether it could be made."""
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
    """Forget the browsers that have not come for as long as their cookies last."""
    connection.execute("DELETE FROM push_subscriptions WHERE last_seen_day < ?", (today() - SUBSCRIPTION_TTL_DAYS,))


def remove_browser(connection: SqlConnection, browser: str) -> None:
    """Nobody is signed in there any more: no messages come there."""
    connection.execute("DELETE FROM push_subscriptions WHERE browser = ?", (browser,))


def reassign_browser(connection: SqlConnection, guest: str, person: str, browser: str) -> None:
    """A guest's browser is signed in to an account from now on, and what came to the guest comes to it."""
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
    """Somebody is not known any more."""
    connection.execute("DELETE FROM push_subscriptions WHERE person = ?", (person,))
    connection.execute("DELETE FROM quiet_hours WHERE person = ?", (person,))
