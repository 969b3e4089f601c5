"""The people around people, as they are now: whoever has read it may act on it before anybody else has their turn."""

from __future__ import annotations

from diamonds.server.storage.interface import Store
from diamonds.server.storage.relationships import Relationships


class RelationshipCache:
    """Reads circles, and reads once more where one has changed meanwhile."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._generation = 0

    def invalidate(self) -> None:
        """Somebody's circle is another from now on: it has just been committed."""
        self._generation += 1

    async def get(self, person: str) -> Relationships:
        """The people around somebody, as they are when this returns, as far as this process knows."""
        while True:
            generation = self._generation
            relationships = await self._store.accounts.relationships(person)
            if generation == self._generation:
                return relationships
