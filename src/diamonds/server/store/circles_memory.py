"""The people around people in the store that forgets; see `circles`."""

from __future__ import annotations

from diamonds.server.store.circles import Circle, CircleChange, circle_of, may


class MemoryCircles:
    """Kept in two sets until the process ends."""

    def __init__(self) -> None:
        self.friends: set[tuple[str, str]] = set()
        self.blocks: set[tuple[str, str]] = set()

    def read(self, person: str) -> Circle:
        """The people around somebody."""
        rows = [
            (kind, one == person, other if one == person else one)
            for kind, pairs in (("friend", self.friends), ("block", self.blocks))
            for one, other in pairs
            if person in (one, other)
        ]
        return circle_of(rows)

    def apply(self, change: CircleChange) -> None:
        """Write a change, if it can be."""
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
        """A guest turns out to be somebody else: what was said of the one holds of the other."""

        def renamed(pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
            new = {tuple(person if one == guest else one for one in pair) for pair in pairs}
            return {(one, other) for one, other in new if one != other}

        self.friends, self.blocks = renamed(self.friends), renamed(self.blocks)

    def forget(self, person: str) -> None:
        """Somebody is not known any more."""
        self.friends = {pair for pair in self.friends if person not in pair}
        self.blocks = {pair for pair in self.blocks if person not in pair}
