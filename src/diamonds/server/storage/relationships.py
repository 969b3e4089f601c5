"""Who is whose friend, and who wants nothing to do with whom.

That somebody asks to be friends is one row, and friends are two that face each other; a block is a row that faces one way and counts
both ways. What cannot be (one of them is blocked, or has too many friends) is not written, and nobody is told.
"""

from __future__ import annotations

from typing import Any, NamedTuple

MAX_RELATIONSHIPS = 300  # friends, asked or being asked; and people blocked


class Relationships(NamedTuple):
    """The people around somebody: friends, who asks to be one, who was asked; who was blocked, and who blocks them."""

    friends: frozenset[str] = frozenset()
    requests_in: frozenset[str] = frozenset()
    requests_out: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()
    blocked_by: frozenset[str] = frozenset()

    @property
    def all_blocked(self) -> frozenset[str]:
        """With whom somebody does not play."""
        return self.blocked | self.blocked_by

    @property
    def is_full(self) -> bool:
        """Whether there are as many as somebody may have."""
        return len(self.friends | self.requests_in | self.requests_out) >= MAX_RELATIONSHIPS


class RelationshipChange(NamedTuple):
    """What changes between two people: ``what`` is ``ask`` (which is to agree, if the other has asked), ``part``, ``block`` or ``unblock``."""

    person: str
    action: str
    other: str


def relationships_from_rows(rows: Any) -> Relationships:
    """From the rows of a person: their kind, whether they face away from the person, and whom they face."""
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
    """Whether something can change between two people."""
    if change.person == change.other:
        return False
    if change.action == "ask":
        return change.other not in mine.all_blocked and (
            change.other in mine.requests_in or not (mine.is_full or theirs.is_full)
        )
    return change.action != "block" or len(mine.blocked) < MAX_RELATIONSHIPS
