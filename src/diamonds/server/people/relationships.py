"""Current relationships of people. A result is valid until the caller's next await."""

from __future__ import annotations

from diamonds.server.storage.relationships import Relationships
from diamonds.server.storage.store import Store


class RelationshipReader:
    """A reader of relationships, which reads again if any have changed in the meantime."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._generation = 0

    def invalidate(self) -> None:
        """Record that a commit has changed someone's relationships."""
        self._generation += 1

    async def get(self, person: str) -> Relationships:
        """Return a person's relationships, read again if anything changed in the meantime."""
        while True:
            generation = self._generation
            relationships = await self._store.accounts.relationships(person)
            if generation == self._generation:
                return relationships
