"""What people are called: by the names that they chose, as long as no account has reserved a name that looks like it."""

from __future__ import annotations

import re
from collections.abc import Collection

from diamonds.server.store.contract import Store
from diamonds.server.store.lines import Line
from diamonds.server.table.glyphs import hides_something, spell
from diamonds.server.table.names import guest_name, looks


async def names(store: Store, people: Collection[str]) -> dict[str, str]:
    """Return the names of those who are called by one that they chose.

    A guest who was called like an account before it was made is not, nor anyone whose name was given before it would be refused.
    """
    chosen = await store.names(people)
    owners = await store.accounts.whose({look for name in chosen.values() for look in looks(name)})
    return {
        person: name
        for person, name in chosen.items()
        if all(owners.get(look, person) == person for look in looks(name)) and not hides_something(spell(name))
    }


async def name_of(store: Store, person: str) -> str:
    """What someone is called."""
    return (await names(store, [person])).get(person) or guest_name(person)


async def lines_of(store: Store, lines: Collection[Line]) -> list[Line]:
    """The lines of a chat. Each says what its speaker was called then, unless that name was taken away from them, or is somebody else's by now."""
    if not lines:
        return []
    owners = await store.accounts.whose({look for line in lines for look in looks(_alone(line.name))})

    def lost(line: Line) -> bool:
        taken = any(owners.get(look, line.person) != line.person for look in looks(_alone(line.name)))
        return taken or hides_something(spell(line.name))

    chosen = await names(store, {line.person for line in lines if line.person and lost(line)})
    return [
        line._replace(name=chosen.get(line.person) or guest_name(line.person)) if line.person and lost(line) else line
        for line in lines
    ]


def _alone(name: str) -> str:
    """A name without the number by which it was told apart."""
    return re.sub(r" \(\d+\)$", "", name)
