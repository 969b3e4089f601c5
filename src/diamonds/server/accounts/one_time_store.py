"""Single-use, short-lived secrets: WebAuthn ceremonies and sign-in links.

They exist only in this process, so a restart invalidates them. Their number is limited; the oldest are dropped first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from diamonds.errors import DiamondsError

Item = TypeVar("Item")


class OneTimeStore(Generic[Item]):
    """Items kept for `lifetime_s` or until taken: at most `max_total` in total and `max_per_owner` per owner."""

    def __init__(self, lifetime_s: float, max_total: int, max_per_owner: int) -> None:
        self.lifetime_s, self.max_total, self.max_per_owner = lifetime_s, max_total, max_per_owner
        self.clock: Callable[[], float] = time.monotonic
        self._entries: dict[Hashable, tuple[float, str, Item]] = {}  # in order of expiry
        self.keys_by_owner: dict[str, list[Hashable]] = {}
        self._in_use: dict[Hashable, str] = {}  # owner of each item being consumed

    def __len__(self) -> int:
        return len(self._entries)

    def put(self, key: Hashable, owner: str, item: Item) -> None:
        """Store an item, replacing any with the same key."""
        self._remove(key)
        now = self.clock()
        while self._entries and (len(self._entries) >= self.max_total or next(iter(self._entries.values()))[0] <= now):
            self._remove(next(iter(self._entries)))
        while len(self.keys_by_owner.get(owner, ())) >= self.max_per_owner:
            self._remove(self.keys_by_owner[owner][0])
        self._entries[key] = (now + self.lifetime_s, owner, item)
        self.keys_by_owner.setdefault(owner, []).append(key)

    def peek(self, key: Hashable) -> Item | None:
        """Return the item with a key, if it has not expired."""
        entry = self._entries.get(key)
        return entry[2] if entry and entry[0] > self.clock() else None

    def take(self, key: Hashable) -> Item | None:
        """Remove and return the item with a key."""
        item = self.peek(key)
        self._remove(key)
        return item

    @contextmanager
    def consumed(self, key: Hashable) -> Iterator[Item | None]:
        """Take an item for the duration of a block. If the block raises a `DiamondsError`, the item is put back."""
        entry = self._entries.get(key)
        item = self.take(key)
        if entry and item is not None:
            self._in_use[key] = entry[1]
        try:
            yield item
        except DiamondsError:
            if entry and key in self._in_use:
                self._entries[key] = entry
                self.keys_by_owner.setdefault(entry[1], []).append(key)
            raise
        finally:
            self._in_use.pop(key, None)

    def forget(self, owner: str) -> None:
        """Remove all of an owner's items."""
        for key in [*self.keys_by_owner.get(owner, ())]:
            self._remove(key)
        self._in_use = {key: other for key, other in self._in_use.items() if other != owner}

    def _remove(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry:
            keys = self.keys_by_owner[entry[1]]
            keys.remove(key)
            if not keys:
                del self.keys_by_owner[entry[1]]
