"""A store that forgets: for `make bench`, to see what durability costs, and for tests that need no disk."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection

from diamonds.server.store import failpoints, pushes_sql
from diamonds.server.store.accounts_memory import MemoryAccounts
from diamonds.server.store.contract import (
    AS_BEFORE,
    CONFLICT,
    DONE,
    REPEATED,
    REUSED,
    Anything,
    Change,
    Listed,
    Outcome,
    Playing,
    Probe,
    Stored,
    Unavailable,
)
from diamonds.server.store.pushes import PushChange
from diamonds.server.store.readers import Here
from diamonds.server.watching.tally import Written


class MemoryStore:
    """See `Store`. The same answers as SQLite's, kept in dictionaries until the process ends."""

    def __init__(self) -> None:
        kept = self.accounts = MemoryAccounts()
        self.tables, self.created, self.members = kept.tables, kept.created, kept.members
        self.books = kept.books
        self.pushes = pushes_sql.SqlPushes(Here(kept.here))
        self.asked = kept.asked
        self.keys = kept.keys  # by table ("" unless an entry keeps it), person, key
        self._reserved = 0
        self.written = Written()
        self.sharing = None

    async def open(self) -> None:
        """Nothing is kept from before."""

    async def close(self) -> None:
        """Nothing to let go of."""

    async def reserve(self, numbers: int) -> int:
        """See `Store`."""
        first = self._reserved
        self._reserved += numbers
        return first

    async def load(self, table: str) -> Stored | None:
        """See `Store`."""
        return self.tables.get(table)

    async def commit(self, change: Anything) -> Outcome:
        """See `Store`. As of any store, others have their turn meanwhile."""
        await asyncio.sleep(0)
        if failpoints.fails("unwritten"):
            raise Unavailable
        if isinstance(change, Change):
            return self._apply(change)
        if isinstance(change, PushChange):
            if not pushes_sql.apply(self.accounts.here, change):
                return Outcome(CONFLICT)
            return Outcome(DONE)
        if isinstance(change, Probe):
            return Outcome(DONE)
        return self.accounts.apply(change)

    def _apply(self, change: Change) -> Outcome:
        if change.own_key:
            earlier = self._recall("", change.person, change.key, change.body)
            if earlier is not None:
                return earlier
        saved = self.tables.get(change.table)
        if change.header:
            saved = Stored(change.header, change.places, 0, change.phase, [], [])
            self.created[change.table] = change.created
        elif saved is not None:
            if (change.entries or change.asked != AS_BEFORE) and len(saved.entries) != change.n:
                return Outcome(CONFLICT)
            if change.held and saved.revision != change.revision:
                return Outcome(CONFLICT)
            if change.places:
                if saved.revision != change.revision:
                    return Outcome(CONFLICT)
                saved = saved._replace(places=change.places, revision=saved.revision + 1)
            if change.phase:
                saved = saved._replace(phase=change.phase)
            if change.phase == "over":
                self.accounts.over.setdefault(change.table, int(time.time()))
        if saved is not None and change.clocks:
            saved = saved._replace(clocks=change.clocks, clock_at=change.clock_at)
        if saved is not None and change.asked != AS_BEFORE:
            self.asked[change.table] = change.asked
        if saved is not None:
            self.tables[change.table] = saved
            for k, (seat, words) in enumerate(change.entries):
                key = change.key if k == 0 and not change.own_key else ""
                saved.entries.append((seat, words, change.sitter or change.person, key, change.at))
            if change.line:
                saved.chat.append(change.line)
                del saved.chat[:-30]
        for person in change.members:
            mine = self.members.setdefault(person, {})
            mine.pop(change.table, None)
            mine[change.table] = None
        if change.key:
            self.keys["" if change.own_key else change.table, change.person, change.key] = (change.body, change.reply)
        return Outcome(DONE)

    async def recall(self, table: str, person: str, key: str, body: bytes) -> Outcome | None:
        """See `Store`."""
        return self._recall(table, person, key, body)

    def _recall(self, table: str, person: str, key: str, body: bytes) -> Outcome | None:
        kept = self.keys.get(("", person, key)) or self.keys.get((table, person, key))
        if kept is None:
            return None
        return Outcome(REPEATED, kept[1]) if kept[0] == body else Outcome(REUSED)

    async def open_clocks(self, wall: int) -> int:
        """See `Store`: there is nothing from before."""
        return wall

    async def running_clocks(self) -> list[tuple[str, bytes, int]]:
        """See `Store`."""
        return [
            (table, saved.clocks, saved.clock_at)
            for table, saved in self.tables.items()
            if saved.clocks and saved.phase == "playing"
        ]

    async def playing(self, person: str) -> list[Playing]:
        """See `Store`."""
        mine = ((table, self.tables[table], self.asked.get(table)) for table in self.members.get(person, ()))
        found = [
            Playing(table, saved.header, saved.places, saved.clocks, saved.clock_at, asked)
            for table, saved, asked in mine
            if saved.phase == "playing" and (saved.clocks or asked != 0)
        ]
        return found[::-1]

    async def mine(self, person: str, most: int) -> list[Listed]:
        """See `Store`."""

        def line(table: str) -> Listed:
            saved = self.tables[table]
            return Listed(table, saved.header, saved.places, saved.phase, self.created[table])

        return [line(table) for table in [*self.members.get(person, ())][-most:][::-1]]

    async def answered(self, person: str, table: str) -> int:
        """See `Store`."""
        entries = self.tables[table].entries if table in self.tables else []
        return max((n for n, entry in enumerate(entries) if entry[2] == person), default=-1)

    async def names(self, people: Collection[str]) -> dict[str, str]:
        """See `Store`."""
        known = self.accounts.names
        return {person: known[person] for person in people if person in known}
