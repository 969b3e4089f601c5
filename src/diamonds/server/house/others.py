"""This process among the others that keep the house: how its copies of tables stay true, and what is its to do.

Where one process keeps the house alone, it moves every table, leads, and its copies are what is stored. Where there are
`neighbours`, others write at the same tables: a copy that is behind is brought up before anybody is refused for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

from diamonds.game import Refused
from diamonds.server.api.refusals import Beaten
from diamonds.server.house import catching_up
from diamonds.server.house.clocks import ClocksAtTables
from diamonds.server.house.neighbours import Neighbours
from diamonds.server.house.shelf import Shelf
from diamonds.server.house.standing import closed_notice
from diamonds.server.store.contract import Store
from diamonds.server.store.sharing import Carried
from diamonds.server.table.table import Table
from diamonds.server.work.players import BotsAtTable

TRIES = 5  # times that something is judged anew, because another process was quicker

Done = TypeVar("Done")


class Watcher(Protocol):
    """Whoever has to know what happens at all tables, while it is told to those who sit there."""

    def changed(self, table: Table) -> None:
        """Something has happened at a table."""
        ...

    def sat_down(self, people: Sequence[str]) -> None:
        """These people have sat down at a table."""
        ...


class Desk(Protocol):
    """What is asked of whoever runs the tables."""

    store: Store
    shelf: Shelf
    clocks: ClocksAtTables
    bots: BotsAtTable
    watchers: list[Watcher]

    def turn(self, table: Table) -> asyncio.Lock:
        """Operations on a table take turns."""
        ...

    def changed(self, table: Table, look: bool = True) -> None:
        """Something besides the game changed: tell every reader."""
        ...

    def publish(self, table: Table, look: bool = True) -> None:
        """Wake the readers, and the bots."""
        ...


class Others:
    """What follows from there being other processes, or none."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.shelf = desk.shelf
        self.neighbours = Neighbours(desk.store.sharing, self) if desk.store.sharing else None
        if self.neighbours:
            self.shelf.loaded = self._loaded
            self.shelf.dropped = self.neighbours.forget
            self.neighbours.on_time = desk.clocks.be_no_earlier

    def now(self) -> int:
        """The house's time."""
        return self.desk.clocks.now()

    def turn(self, table: Table) -> asyncio.Lock:
        """Operations on a table take turns."""
        return self.desk.turn(table)

    def changed(self, table: Table, look: bool = True) -> None:
        """Something besides the game changed: tell every reader."""
        self.desk.changed(table, look)

    def look(self, table: Table) -> None:
        """See whether a bot is to play at a table."""
        self.desk.bots.look(table)

    async def know(self, table: Table, version: int) -> None:
        """Somebody has been told a version of a table, wherever that was: here they are told no older one."""
        if not self.neighbours or version <= table.version:
            return
        async with self.turn(table):
            await self.catch_up(table)
            n, changes = version >> 32, version & 0xFFFFFFFF
            if n == table.n and table.changes < changes < await self.desk.store.reserve(0):  # else it was never told
                table.changes = changes

    def moves(self, table: str) -> bool:
        """Whether a table's bots and clocks are this process's to move."""
        return self.neighbours is None or self.neighbours.moves(table)

    def leads(self) -> bool:
        """Whether what is done once in a house is this process's to do."""
        return self.neighbours is None or self.neighbours.is_hall

    def is_here(self, person: str) -> bool:
        """Whether somebody is in the house, at another process."""
        return self.neighbours is not None and self.neighbours.is_here(person)

    async def judged(self, table: Table | None, do: Callable[[], Awaitable[Done]]) -> Done:
        """Do something that rests on this process's copy of a table. What is refused because the copy is behind is judged anew: nobody
        is told a refusal that is not true."""
        for _ in range(TRIES if self.neighbours and table else 0):
            try:
                return await do()
            except Beaten:
                continue
            except Refused:
                assert table is not None
                async with self.turn(table):
                    if not await self.catch_up(table):
                        raise
        return await do()

    async def catch_up_with_quicker(self, table: Table) -> None:
        """Another process has written at a table before this one, in its turn: most often what it wrote has come along by now."""
        assert self.neighbours is not None
        n, carried = table.n, self.neighbours.carried_to(table)
        if not (carried and self.take(table, carried) and table.n > n):
            await self.catch_up(table)

    async def catch_up(self, table: Table, changes: int = 0) -> bool:
        """Bring a table up to what is stored by now, in its turn, and tell; whether anything was new. ``changes``: what others tell of it."""
        assert self.desk.store.sharing is not None
        before, pace = table.places, table.places.pace
        # Not those, too, whom a place is kept for: they come when they sit down.
        people = {place.person for place in before.seats if place.kind == "person"}
        if not await catching_up.catch_up(self.desk.store.sharing, self.shelf, table):
            table.changes = max(table.changes, changes)
            return False
        table.changes = max(table.changes, changes - 1)
        self.desk.clocks.set(table, table.clocks)
        come = [place.person for place in table.places.seats if place.kind == "person" and place.person not in people]
        for person in come:
            table.here.seen[table.seat_of(person)] = time.monotonic()
        table.look_round()
        self.changed(table)
        if table.places.pace != pace:
            self.desk.bots.change_tempo(table)
        for watcher in self.desk.watchers if come else ():
            watcher.sat_down(come)
        if table.places.closed and not before.closed:
            for stream in table.here.streams:
                stream.tell(closed_notice(table))
        return True

    def take(self, table: Table, carried: Sequence[Carried]) -> bool:
        """Take over entries that were carried here, in a table's turn, and tell; whether all is known now that they say."""
        before, table.here.touched = table.n, time.monotonic()
        known = catching_up.take(table, carried)
        if table.n > before:
            self.desk.clocks.set(table, table.clocks)
            self.desk.publish(table)
        return known

    def hurried_elsewhere(self, table: Table) -> None:
        """Bots may have been told to make haste, at another process."""
        asked = max((one.hurried for one in table.here.elsewhere.values()), default=-1)
        if asked > table.here.hurried_at and self.moves(table.id) and len(table.persons) == 1:
            table.here.hurried_at = asked
            self.desk.bots.hurry(table, table.persons[0])

    def _loaded(self, table: Table) -> None:
        """A table is in memory from now on: it is as others say, and who is asked has been so since then."""
        assert self.neighbours is not None
        self.neighbours.mind(table)
        self.desk.clocks.set(table, table.clocks)
        behind = self.now() - time.time_ns() // 1_000_000
        for seat, since in enumerate(table.play.open_since):
            at = table.log.at[since - 1] if since else int(table.header.created * 1000)
            table.here.asked[seat] = (since, min(self.now(), at + behind))
