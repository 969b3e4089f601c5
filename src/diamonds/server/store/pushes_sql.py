"""Messages to people's devices in SQL, see `pushes`."""

from __future__ import annotations

from typing import Any

from diamonds.server.store.accounts import today
from diamonds.server.store.pushes import KEEP, MOST, Call, PushChange, Quiet, Subscription
from diamonds.server.store.sql import Connection, Finder, rows_of

_SUBSCRIPTION = (
    "SELECT id, person, browser, endpoint, key, auth, label, language, last_seen_day FROM push_subscriptions"
)


class SqlPushes:
    """See `Pushes`: found by keys and indexes."""

    def __init__(self, readers: Finder) -> None:
        self._readers = readers

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        return await self._readers.find(rows_of, sql, values)

    async def of(self, person: str) -> list[Subscription]:
        """See `Pushes`."""
        rows = await self._rows(f"{_SUBSCRIPTION} WHERE person = ? ORDER BY rowid", person)
        return [Subscription(*row) for row in rows]

    async def subscription(self, id: str) -> Subscription | None:
        """See `Pushes`."""
        rows = await self._rows(f"{_SUBSCRIPTION} WHERE id = ?", id)
        return Subscription(*rows[0]) if rows else None

    async def quiet(self, person: str) -> Quiet | None:
        """See `Pushes`."""
        rows = await self._rows("SELECT start_minute, end_minute, time_zone FROM quiet_hours WHERE person = ?", person)
        return Quiet(*rows[0]) if rows else None

    async def people(self) -> list[str]:
        """See `Pushes`."""
        return [str(row[0]) for row in await self._rows("SELECT DISTINCT person FROM push_subscriptions")]

    async def calls(self, person: str) -> list[Call]:
        """See `Pushes`."""
        rows = await self._rows(
            "SELECT c.* FROM push_subscriptions s JOIN pending_pushes c ON c.subscription = s.id WHERE s.person = ?",
            person,
        )
        return [Call(*row) for row in rows]

    async def due(self, now: int, most: int) -> list[Call]:
        """See `Pushes`."""
        rows = await self._rows(
            "SELECT * FROM pending_pushes WHERE due > 0 AND due <= ? ORDER BY due LIMIT ?", now, most
        )
        return [Call(*row) for row in rows]

    async def next_due(self) -> int | None:
        """See `Pushes`."""
        return (await self._rows("SELECT min(due) FROM pending_pushes WHERE due > 0"))[0][0]  # type: ignore[no-any-return]


def apply(connection: Connection, change: PushChange) -> bool:
    """Write a change; whether it could be made."""
    execute = connection.execute
    if change.claims:
        known: Any = execute(
            "SELECT * FROM pending_pushes WHERE subscription = ? AND table_id = ?", change.claims[:2]
        ).fetchone()
        if known is None or Call(*known) != change.claims:
            return False
    if change.put:
        one = change.put
        execute("DELETE FROM push_subscriptions WHERE endpoint = ? AND person != ?", (one.endpoint, one.person))
        elsewhere = "DELETE FROM push_subscriptions WHERE person = ? AND browser = ? AND endpoint != ?"
        execute(elsewhere, (one.person, one.browser, one.endpoint))
        execute(
            "INSERT INTO push_subscriptions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (endpoint) DO UPDATE SET"
            " browser = excluded.browser, key = excluded.key, auth = excluded.auth, label = excluded.label,"
            " language = excluded.language, last_seen_day = excluded.last_seen_day",
            one,
        )
        execute(
            "DELETE FROM push_subscriptions WHERE person = ?1 AND id NOT IN"
            " (SELECT id FROM push_subscriptions WHERE person = ?1 ORDER BY rowid DESC LIMIT ?2)",
            (one.person, MOST),
        )
    for id in change.remove:
        execute("DELETE FROM push_subscriptions WHERE id = ?", (id,))
    if change.quiet:
        person, quiet = change.quiet
        execute(
            "INSERT INTO quiet_hours VALUES (?, ?, ?, ?) ON CONFLICT (person) DO UPDATE SET"
            " start_minute = excluded.start_minute, end_minute = excluded.end_minute, time_zone = excluded.time_zone",
            (person, *quiet),
        )
    for call in change.calls:
        execute(
            "INSERT INTO pending_pushes SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM push_subscriptions WHERE id = ?1)"
            " ON CONFLICT (subscription, table_id) DO UPDATE SET"
            " question_n = excluded.question_n, due = excluded.due, attempts = excluded.attempts",
            call,
        )
    for pair in change.done:
        execute("DELETE FROM pending_pushes WHERE subscription = ? AND table_id = ?", pair)
    return True


def prune(connection: Connection) -> None:
    """Forget the browsers that have not come for as long as their cookies last."""
    connection.execute("DELETE FROM push_subscriptions WHERE last_seen_day < ?", (today() - KEEP,))


def signed_out(connection: Connection, browser: str) -> None:
    """Nobody is signed in there any more: no messages come there."""
    connection.execute("DELETE FROM push_subscriptions WHERE browser = ?", (browser,))


def signed_in(connection: Connection, guest: str, person: str, browser: str) -> None:
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


def forget(connection: Connection, person: str) -> None:
    """Somebody is not known any more."""
    connection.execute("DELETE FROM push_subscriptions WHERE person = ?", (person,))
    connection.execute("DELETE FROM quiet_hours WHERE person = ?", (person,))
