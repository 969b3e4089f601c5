"""Messages to people's devices in SQLite, see `pushes`; the store that forgets has one in memory for them."""

from __future__ import annotations

from typing import Any, Protocol

import apsw

from diamonds.server.store.accounts import today
from diamonds.server.store.pushes import KEEP, MOST, Call, PushChange, Quiet, Subscription

TABLES = """
CREATE TABLE subscriptions (
    id TEXT PRIMARY KEY, person TEXT NOT NULL, browser TEXT NOT NULL, endpoint TEXT NOT NULL UNIQUE, key BLOB NOT NULL,
    auth BLOB NOT NULL, label TEXT NOT NULL, language TEXT NOT NULL, since INTEGER NOT NULL
) STRICT;
CREATE INDEX subscriptions_of_person ON subscriptions (person);
CREATE INDEX subscriptions_of_browser ON subscriptions (browser);
CREATE TABLE quiet_hours (
    person TEXT PRIMARY KEY, begins INTEGER NOT NULL, ends INTEGER NOT NULL, zone TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE calls (
    subscription TEXT NOT NULL, table_id TEXT NOT NULL, answered INTEGER NOT NULL, due INTEGER NOT NULL,
    tries INTEGER NOT NULL, PRIMARY KEY (subscription, table_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX calls_due ON calls (due) WHERE due > 0;
CREATE TRIGGER no_calls_without_subscription AFTER DELETE ON subscriptions BEGIN
    DELETE FROM calls WHERE subscription = old.id;
END;
"""


class Kept(Protocol):
    """Where they are."""

    @property
    def here(self) -> apsw.Connection:
        """The connection on which they are read."""
        ...


class SqlitePushes:
    """See `Pushes`: read on the event loop, by keys and indexes."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    async def of(self, person: str) -> list[Subscription]:
        """See `Pushes`."""
        rows: Any = self._kept.here.execute("SELECT * FROM subscriptions WHERE person = ? ORDER BY rowid", (person,))
        return [Subscription(*row) for row in rows]

    async def subscription(self, id: str) -> Subscription | None:
        """See `Pushes`."""
        row: Any = self._kept.here.execute("SELECT * FROM subscriptions WHERE id = ?", (id,)).fetchone()
        return Subscription(*row) if row else None

    async def quiet(self, person: str) -> Quiet | None:
        """See `Pushes`."""
        row: Any = self._kept.here.execute(
            "SELECT begins, ends, zone FROM quiet_hours WHERE person = ?", (person,)
        ).fetchone()
        return Quiet(*row) if row else None

    async def people(self) -> list[str]:
        """See `Pushes`."""
        return [str(row[0]) for row in self._kept.here.execute("SELECT DISTINCT person FROM subscriptions")]

    async def calls(self, person: str) -> list[Call]:
        """See `Pushes`."""
        rows: Any = self._kept.here.execute(
            "SELECT c.* FROM subscriptions s JOIN calls c ON c.subscription = s.id WHERE s.person = ?", (person,)
        )
        return [Call(*row) for row in rows]

    async def due(self, now: int, most: int) -> list[Call]:
        """See `Pushes`."""
        rows: Any = self._kept.here.execute(
            "SELECT * FROM calls WHERE due > 0 AND due <= ? ORDER BY due LIMIT ?", (now, most)
        )
        return [Call(*row) for row in rows]

    async def next_due(self) -> int | None:
        """See `Pushes`."""
        found: Any = self._kept.here.execute("SELECT min(due) FROM calls WHERE due > 0").get
        return found  # type: ignore[no-any-return]


def apply(connection: apsw.Connection, change: PushChange) -> None:
    """Write a change."""
    execute = connection.execute
    if change.put:
        one = change.put
        execute("DELETE FROM subscriptions WHERE endpoint = ? AND person != ?", (one.endpoint, one.person))
        elsewhere = "DELETE FROM subscriptions WHERE person = ? AND browser = ? AND endpoint != ?"
        execute(elsewhere, (one.person, one.browser, one.endpoint))
        execute(
            "INSERT INTO subscriptions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (endpoint) DO UPDATE SET"
            " browser = excluded.browser, key = excluded.key, auth = excluded.auth, label = excluded.label,"
            " language = excluded.language, since = excluded.since",
            one,
        )
        execute(
            "DELETE FROM subscriptions WHERE person = ?1 AND id NOT IN"
            " (SELECT id FROM subscriptions WHERE person = ?1 ORDER BY rowid DESC LIMIT ?2)",
            (one.person, MOST),
        )
    for id in change.remove:
        execute("DELETE FROM subscriptions WHERE id = ?", (id,))
    if change.quiet:
        person, quiet = change.quiet
        execute("INSERT OR REPLACE INTO quiet_hours VALUES (?, ?, ?, ?)", (person, *quiet))
    for call in change.calls:
        execute(
            "INSERT OR REPLACE INTO calls SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM subscriptions WHERE id = ?1)",
            call,
        )
    for pair in change.done:
        execute("DELETE FROM calls WHERE subscription = ? AND table_id = ?", pair)


def prune(connection: apsw.Connection) -> None:
    """Forget the browsers that have not come for as long as their cookies last."""
    connection.execute("DELETE FROM subscriptions WHERE since < ?", (today() - KEEP,))


def signed_out(connection: apsw.Connection, browser: str) -> None:
    """Nobody is signed in there any more: no messages come there."""
    connection.execute("DELETE FROM subscriptions WHERE browser = ?", (browser,))


def signed_in(connection: apsw.Connection, guest: str, person: str, browser: str) -> None:
    """A guest's browser is signed in to an account from now on, and what came to the guest comes to it."""
    execute = connection.execute
    execute("UPDATE subscriptions SET browser = ? WHERE browser = ?", (browser, guest))
    execute("UPDATE subscriptions SET person = ? WHERE person = ?", (person, guest))
    execute("UPDATE OR IGNORE quiet_hours SET person = ? WHERE person = ?", (person, guest))
    if person != guest:
        execute("DELETE FROM quiet_hours WHERE person = ?", (guest,))


def forget(connection: apsw.Connection, person: str) -> None:
    """Somebody is not known any more."""
    connection.execute("DELETE FROM subscriptions WHERE person = ?", (person,))
    connection.execute("DELETE FROM quiet_hours WHERE person = ?", (person,))
