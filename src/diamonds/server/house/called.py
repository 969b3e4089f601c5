"""What people are called: by the names that they chose, as long as no account has reserved a name that looks like it."""

from __future__ import annotations

from collections.abc import Collection

from diamonds.server.store.contract import Store
from diamonds.server.table.names import guest_name, looks


def names(store: Store, people: Collection[str]) -> dict[str, str]:
    """The names of those who are called by one that they chose. A guest who was called like an account before it was made is not."""
    chosen = store.names(people)
    owners = store.accounts.whose({look for name in chosen.values() for look in looks(name)})
    return {
        person: name
        for person, name in chosen.items()
        if all(owners.get(look, person) == person for look in looks(name))
    }


def name_of(store: Store, person: str) -> str:
    """What someone is called."""
    return names(store, [person]).get(person) or guest_name(person)
