"""The people around people, as they are now: whoever has read it may act on it before anybody else has their turn."""

from __future__ import annotations

from diamonds.server.store.circles import Circle
from diamonds.server.store.contract import Store


class Around:
    """Reads circles, and reads once more where one has changed meanwhile."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changes = 0

    def changed(self) -> None:
        """Somebody's circle is another from now on: it has just been committed."""
        self._changes += 1

    async def of(self, person: str) -> Circle:
        """The people around somebody, as they are when this returns, as far as this process knows."""
        while True:
            changes = self._changes
            found = await self._store.accounts.circle(person)
            if changes == self._changes:
                return found
