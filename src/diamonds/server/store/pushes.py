"""Messages to people's devices: which browsers take them, when nobody wants to be disturbed, and what is to be sent.

All of it is in SQLite; the store that forgets has one in memory for it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import apsw

from diamonds.server.store.accounts import today

MOST = 10  # browsers of one person: the one that came first goes
KEEP = 400  # days for which a browser that does not come again is kept: as long as its cookie lasts

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


class Subscription(NamedTuple):
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
    since: int


class Quiet(NamedTuple):
    """The hours in which somebody is not disturbed, in minutes of the day where they are; equal: there are none."""

    begins: int
    ends: int
    zone: str


class Call(NamedTuple):
    """A message to a browser that its person is asked at a table, ``due`` by the machine's clock; 0: it was sent.

    ``answered`` is the n of the person's last answer there: until it is another, there is no second message.
    """

    subscription: str
    table: str
    answered: int
    due: int
    tries: int = 0


class PushChange(NamedTuple):
    """What changes about messages, all or none; empty fields change nothing."""

    put: Subscription | None = None
    remove: tuple[str, ...] = ()  # subscriptions
    quiet: tuple[str, Quiet] | None = None  # whose
    calls: tuple[Call, ...] = ()
    done: tuple[tuple[str, str], ...] = ()  # calls that are not wanted any more: subscription, table


class Pushes:
    """What is read of them, on the event loop."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._read = connection

    def of(self, person: str) -> list[Subscription]:
        """A person's browsers, those first that came first."""
        rows: Any = self._read.execute("SELECT * FROM subscriptions WHERE person = ? ORDER BY rowid", (person,))
        return [Subscription(*row) for row in rows]

    def subscription(self, id: str) -> Subscription | None:
        """A browser by its mark."""
        row: Any = self._read.execute("SELECT * FROM subscriptions WHERE id = ?", (id,)).fetchone()
        return Subscription(*row) if row else None

    def quiet(self, person: str) -> Quiet | None:
        """When somebody is not disturbed."""
        row: Any = self._read.execute(
            "SELECT begins, ends, zone FROM quiet_hours WHERE person = ?", (person,)
        ).fetchone()
        return Quiet(*row) if row else None

    def people(self) -> list[str]:
        """Everyone who takes messages."""
        return [str(row[0]) for row in self._read.execute("SELECT DISTINCT person FROM subscriptions")]

    def calls(self, person: str) -> list[Call]:
        """What was sent to a person, and what is to be."""
        rows: Any = self._read.execute(
            "SELECT c.* FROM subscriptions s JOIN calls c ON c.subscription = s.id WHERE s.person = ?", (person,)
        )
        return [Call(*row) for row in rows]

    def due(self, now: int, most: int) -> list[Call]:
        """What is to be sent by now, what is due for longest first."""
        rows: Any = self._read.execute(
            "SELECT * FROM calls WHERE due > 0 AND due <= ? ORDER BY due LIMIT ?", (now, most)
        )
        return [Call(*row) for row in rows]

    def next_due(self) -> int | None:
        """When something is to be sent next."""
        found: Any = self._read.execute("SELECT min(due) FROM calls WHERE due > 0").get
        return found  # type: ignore[no-any-return]


def apply(connection: apsw.Connection, change: PushChange) -> None:
    """Write a change."""
    execute = connection.execute
    if change.put:
        one = change.put
        execute("DELETE FROM subscriptions WHERE endpoint = ? AND person != ?", (one.endpoint, one.person))
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
