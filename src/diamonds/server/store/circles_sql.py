"""The people around people in SQL; see `circles`."""

from __future__ import annotations

from diamonds.server.store.circles import Circle, CircleChange, circle_of, may
from diamonds.server.store.sql import Connection

_ROWS = """
SELECT 'friend', 1, other FROM friends WHERE person = ?1 UNION ALL SELECT 'friend', 0, person FROM friends WHERE other = ?1
UNION ALL SELECT 'block', 1, other FROM blocks WHERE person = ?1 UNION ALL SELECT 'block', 0, person FROM blocks WHERE other = ?1
"""


def read(connection: Connection, person: str) -> Circle:
    """The people around somebody."""
    return circle_of(connection.execute(_ROWS, (person,)))


def apply(connection: Connection, change: CircleChange) -> None:
    """Write a change, if it can be."""
    person, what, other = change
    if not may(change, read(connection, person), read(connection, other)):
        return
    execute = connection.execute
    if what == "ask":
        execute("INSERT INTO friends VALUES (?, ?) ON CONFLICT DO NOTHING", (person, other))
    if what in ("part", "block"):
        execute("DELETE FROM friends WHERE person IN (?1, ?2) AND other IN (?1, ?2)", (person, other))
    if what == "block":
        execute("INSERT INTO blocks VALUES (?, ?) ON CONFLICT DO NOTHING", (person, other))
    if what == "unblock":
        execute("DELETE FROM blocks WHERE person = ? AND other = ?", (person, other))


def join(connection: Connection, guest: str, person: str) -> None:
    """A guest turns out to be somebody else: what was said of the one holds of the other."""
    for table in ("friends", "blocks"):
        for column, facing in (("person", "other"), ("other", "person")):
            connection.execute(
                f"UPDATE {table} SET {column} = ?1 WHERE {column} = ?2 AND NOT EXISTS"
                f" (SELECT 1 FROM {table} o WHERE o.{column} = ?1 AND o.{facing} = {table}.{facing})",
                (person, guest),
            )
        connection.execute(f"DELETE FROM {table} WHERE person = other", ())
    forget(connection, guest)


def forget(connection: Connection, person: str) -> None:
    """Somebody is not known any more."""
    for table in ("friends", "blocks"):
        connection.execute(f"DELETE FROM {table} WHERE person = ?1 OR other = ?1", (person,))
