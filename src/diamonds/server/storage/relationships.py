"""Friends and blocks in the store, as data and SQL.

A friend request is one row; friendship is a pair of rows in opposite directions. A block is one row, and applies in
both directions. Changes that a block or a limit makes impossible are silently ignored.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from diamonds.server.storage.sql import SqlConnection

MAX_RELATIONSHIPS = 300  # limits of friends and sent requests, of friends and received requests, and of blocks


class Relationships(NamedTuple):
    """A person's relationships."""

    friends: frozenset[str] = frozenset()
    requests_in: frozenset[str] = frozenset()
    requests_out: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()
    blocked_by: frozenset[str] = frozenset()

    @property
    def all_blocked(self) -> frozenset[str]:
        """The people with whom this person does not play."""
        return self.blocked | self.blocked_by

    @property
    def can_ask(self) -> bool:
        """Return whether this person can send another request.

        Received requests do not count, so others cannot prevent it.
        """
        return len(self.friends | self.requests_out) < MAX_RELATIONSHIPS

    @property
    def can_be_asked(self) -> bool:
        """Return whether this person can receive another request."""
        return len(self.friends | self.requests_in) < MAX_RELATIONSHIPS


class RelationshipChange(NamedTuple):
    """A change between two people.

    `action` is `ask` (or accept, if the other person has asked), `part`, `block` or `unblock`.
    """

    person: str
    action: str
    other: str


def relationships_from_rows(rows: Any) -> Relationships:
    """Return the relationships in a person's rows (kind, whether outgoing, other person)."""
    facing: dict[tuple[str, bool], set[str]] = {}
    for kind, is_outgoing, other in rows:
        facing.setdefault((kind, bool(is_outgoing)), set()).add(other)
    outgoing, incoming = facing.get(("friend", True), set()), facing.get(("friend", False), set())
    return Relationships(
        frozenset(outgoing & incoming),
        frozenset(incoming - outgoing),
        frozenset(outgoing - incoming),
        frozenset(facing.get(("block", True), ())),
        frozenset(facing.get(("block", False), ())),
    )


def is_change_allowed(change: RelationshipChange, mine: Relationships, theirs: Relationships) -> bool:
    """Return whether a change is possible."""
    if change.person == change.other:
        return False
    if change.action == "ask":
        return change.other not in mine.all_blocked and (
            change.other in mine.requests_in or (mine.can_ask and theirs.can_be_asked)
        )
    return change.action != "block" or len(mine.blocked) < MAX_RELATIONSHIPS


_SELECT_RELATIONSHIPS = """
SELECT 'friend', 1, other FROM friends WHERE person = ?1 UNION ALL SELECT 'friend', 0, person FROM friends WHERE other = ?1
UNION ALL SELECT 'block', 1, other FROM blocks WHERE person = ?1 UNION ALL SELECT 'block', 0, person FROM blocks WHERE other = ?1
"""


def load_relationships(connection: SqlConnection, person: str) -> Relationships:
    """Return a person's relationships."""
    return relationships_from_rows(connection.execute(_SELECT_RELATIONSHIPS, (person,)))


def apply_relationship_change(connection: SqlConnection, change: RelationshipChange) -> None:
    """Write a change, if it is possible."""
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
    """Move a guest's relationships to the account they signed in to."""
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
    """Delete a person's relationships."""
    for table in ("friends", "blocks"):
        connection.execute(f"DELETE FROM {table} WHERE person = ?1 OR other = ?1", (person,))
