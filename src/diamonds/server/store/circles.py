"""Who is whose friend, and who wants nothing to do with whom.

That somebody asks to be friends is one row, and friends are two that face each other; a block is a row that faces one way and counts
both ways. What cannot be (one of them is blocked, or has too many friends) is not written, and nobody is told.
"""

from __future__ import annotations

from typing import Any, NamedTuple

MOST = 300  # friends, asked or being asked; and people blocked


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
