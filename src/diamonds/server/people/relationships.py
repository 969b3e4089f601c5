"""Current relationships of people. A result is valid until the caller's next await."""

from __future__ import annotations

from diamonds.server.storage.relationships import Relationships
from diamonds.server.storage.store_protocol import Store


class RelationshipCache:
    """A cache that reads relationships, and reads again if some have changed meanwhile."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._generation = 0

    def invalidate(self) -> None:
        """Note that someone's relationships have been changed by a commit."""
        self._generation += 1

    async def get(self, person: str) -> Relationships:
        """Return a person's relationships, current as far as this process knows."""
        while True:
            generation = self._generation
            relationships = await self._store.accounts.relationships(person)
            if generation == self._generation:
                return relationships
