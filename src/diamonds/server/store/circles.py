"""Who is whose friend, and who wants nothing to do with whom: in SQLite, and in memory.

That somebody asks to be friends is one row, and friends are two that face each other; a block is a row that faces one way and counts
both ways. What cannot be (one of them is blocked, or has too many friends) is not written, and nobody is told.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import apsw

MOST = 300  # friends, asked or being asked; and people blocked

TABLES = """
CREATE TABLE friends (person TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (person, other)) STRICT, WITHOUT ROWID;
CREATE INDEX friends_of_other ON friends (other);
CREATE TABLE blocks (person TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (person, other)) STRICT, WITHOUT ROWID;
CREATE INDEX blocks_of_other ON blocks (other);
"""


class Circle(NamedTuple):
    """The people around somebody: friends, who asks to be one, who was asked; who was blocked, and who blocks them."""

    friends: frozenset[str] = frozenset()
    asks: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()
    blocked_by: frozenset[str] = frozenset()

    @property
    def apart(self) -> frozenset[str]:
        """With whom somebody does not play."""
        return self.blocked | self.blocked_by

    @property
    def full(self) -> bool:
        """Whether there are as many as somebody may have."""
        return len(self.friends | self.asks | self.asked) >= MOST


class CircleChange(NamedTuple):
    """What changes between two people: ``what`` is ``ask`` (which is to agree, if the other has asked), ``part``, ``block`` or ``unblock``."""

    person: str
    what: str
    other: str


def circle_of(rows: Any) -> Circle:
    """From the rows of a person: their kind, whether they face away from the person, and whom they face."""
    facing: dict[tuple[str, bool], set[str]] = {}
    for kind, away, other in rows:
        facing.setdefault((kind, bool(away)), set()).add(other)
    asked, asks = facing.get(("friend", True), set()), facing.get(("friend", False), set())
    return Circle(
        frozenset(asked & asks),
        frozenset(asks - asked),
        frozenset(asked - asks),
        frozenset(facing.get(("block", True), ())),
        frozenset(facing.get(("block", False), ())),
    )


def may(change: CircleChange, mine: Circle, theirs: Circle) -> bool:
    """Whether something can change between two people."""
    if change.person == change.other:
        return False
    if change.what == "ask":
        return change.other not in mine.apart and (change.other in mine.asks or not (mine.full or theirs.full))
    return change.what != "block" or len(mine.blocked) < MOST


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


class MemoryCircles:
    """The same, kept in two sets until the process ends."""

    def __init__(self) -> None:
        self.friends: set[tuple[str, str]] = set()
        self.blocks: set[tuple[str, str]] = set()

    def read(self, person: str) -> Circle:
        """See `read`."""
        rows = [
            (kind, one == person, other if one == person else one)
            for kind, pairs in (("friend", self.friends), ("block", self.blocks))
            for one, other in pairs
            if person in (one, other)
        ]
        return circle_of(rows)

    def apply(self, change: CircleChange) -> None:
        """See `apply`."""
        person, what, other = change
        if not may(change, self.read(person), self.read(other)):
            return
        if what == "ask":
            self.friends.add((person, other))
        if what in ("part", "block"):
            self.friends -= {(person, other), (other, person)}
        if what == "block":
            self.blocks.add((person, other))
        if what == "unblock":
            self.blocks.discard((person, other))

    def join(self, guest: str, person: str) -> None:
        """See `join`."""

        def renamed(pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
            new = {tuple(person if one == guest else one for one in pair) for pair in pairs}
            return {(one, other) for one, other in new if one != other}

        self.friends, self.blocks = renamed(self.friends), renamed(self.blocks)

    def forget(self, person: str) -> None:
        """See `forget`."""
        self.friends = {pair for pair in self.friends if person not in pair}
        self.blocks = {pair for pair in self.blocks if person not in pair}
