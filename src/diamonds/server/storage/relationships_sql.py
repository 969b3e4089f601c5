"""The people around people in SQL; see `circles`."""

from __future__ import annotations

from diamonds.server.storage.relationships import (
    RelationshipChange,
    Relationships,
    is_change_allowed,
    relationships_from_rows,
)
from diamonds.server.storage.sql import SqlConnection

_SELECT_RELATIONSHIPS = """
SELECT 'friend', 1, other FROM friends WHERE person = ?1 UNION ALL SELECT 'friend', 0, person FROM friends WHERE other = ?1
UNION ALL SELECT 'block', 1, other FROM blocks WHERE person = ?1 UNION ALL SELECT 'block', 0, person FROM blocks WHERE other = ?1
"""


def load_relationships(connection: SqlConnection, person: str) -> Relationships:
    """The people around somebody."""
    return relationships_from_rows(connection.execute(_SELECT_RELATIONSHIPS, (person,)))


def apply_relationship_change(connection: SqlConnection, change: RelationshipChange) -> None:
    """Write a change, if it can be."""
    person, action, other = change
    if not is_change_allowed(change, load_relationships(connection, person), load_relationships(connection, other)):
        return
    execute = connection.execute
    if action == "ask":
        execute("INSERT INTO friends VALUES (?, ?) ON CONFLICT DO NOTHING", (person, other))
    if action in ("part", "block"):
        execute("DELETE FROM friends WHERE person IN (?1, ?2) AND other IN (?1, ?2)", (person, other))
    if action == "block":
        execute("INSERT INTO blocks VALUES (?, ?) ON CONFLICT DO NOTHING", (person, other))
    if action == "unblock":
        execute("DELETE FROM blocks WHERE person = ? AND other = ?", (person, other))


def merge_guest(connection: SqlConnection, guest: str, person: str) -> None:
    """A guest turns out to be somebody else: what was said of the one holds of the other."""
    for table in ("friends", "blocks"):
        for column, facing in (("person", "other"), ("other", "person")):
            connection.execute(
                f"UPDATE {table} SET {column} = ?1 WHERE {column} = ?2 AND NOT EXISTS"
                f" (SELECT 1 FROM {table} o WHERE o.{column} = ?1 AND o.{facing} = {table}.{facing})",
                (person, guest),
            )
        connection.execute(f"DELETE FROM {table} WHERE person = other", ())
    delete_person(connection, guest)


def delete_person(connection: SqlConnection, person: str) -> None:
    """Somebody is not known any more."""
    for table in ("friends", "blocks"):
        connection.execute(f"DELETE FROM {table} WHERE person = ?1 OR other = ?1", (person,))
