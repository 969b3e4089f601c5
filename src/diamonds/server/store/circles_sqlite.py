"""The people around people in SQLite; see `circles`."""

from __future__ import annotations

import json

import apsw

from diamonds.server.store.circles import Circle, CircleChange, circle_of, may

TABLES = """
CREATE TABLE friends (person TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (person, other)) STRICT, WITHOUT ROWID;
CREATE INDEX friends_of_other ON friends (other);
CREATE TABLE blocks (person TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (person, other)) STRICT, WITHOUT ROWID;
CREATE INDEX blocks_of_other ON blocks (other);
"""

_ROWS = """
SELECT 'friend', 1, other FROM friends WHERE person = ?1 UNION ALL SELECT 'friend', 0, person FROM friends WHERE other = ?1
UNION ALL SELECT 'block', 1, other FROM blocks WHERE person = ?1 UNION ALL SELECT 'block', 0, person FROM blocks WHERE other = ?1
"""


def read(connection: apsw.Connection, person: str) -> Circle:
    """The people around somebody."""
    return circle_of(connection.execute(_ROWS, (person,)))


def apply(connection: apsw.Connection, change: CircleChange) -> None:
    """Write a change, if it can be."""
    person, what, other = change
    if not may(change, read(connection, person), read(connection, other)):
        return
    execute = connection.execute
    if what == "ask":
        execute("INSERT OR IGNORE INTO friends VALUES (?, ?)", (person, other))
    if what in ("part", "block"):
        both = json.dumps([person, other])
        execute(
            "DELETE FROM friends WHERE person IN (SELECT value FROM json_each(?1)) AND other IN (SELECT value FROM json_each(?1))",
            (both,),
        )
    if what == "block":
        execute("INSERT OR IGNORE INTO blocks VALUES (?, ?)", (person, other))
    if what == "unblock":
        execute("DELETE FROM blocks WHERE person = ? AND other = ?", (person, other))


def join(connection: apsw.Connection, guest: str, person: str) -> None:
    """A guest turns out to be somebody else: what was said of the one holds of the other."""
    for table in ("friends", "blocks"):
        for column in ("person", "other"):
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {column} = ?", (person, guest))
        connection.execute(f"DELETE FROM {table} WHERE person = other", ())
    forget(connection, guest)


def forget(connection: apsw.Connection, person: str) -> None:
    """Somebody is not known any more."""
    for table in ("friends", "blocks"):
        connection.execute(f"DELETE FROM {table} WHERE person = ?1 OR other = ?1", (person,))
