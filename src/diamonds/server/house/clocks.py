"""The clocks of all tables: they run by the house's time, are durable with every change, and let flags fall.

A time-out is written like an answer, and then told: by one commit the entry ``timeout``, and what follows from it. In a live game that is
a bot's answer; with the last time-out, or with days, it is a bot in the seat. Whatever is committed first stands: an answer
that comes while the flag falls, or the flag.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Coroutine
from typing import Any, Protocol

import msgspec

from diamonds.entries import TIMEOUT, answer_words
from diamonds.game import Illegal, Unknown
from diamonds.server.api.encoding import encode
from diamonds.server.house import hours
from diamonds.server.house.flags import Flags
from diamonds.server.house.shelf import Shelf
from diamonds.server.store.contract import Change, Damaged, Store, Unavailable
from diamonds.server.table import clocks, seats
from diamonds.server.table.clocks import Clocks
from diamonds.server.table.loading import decode_clocks
from diamonds.server.table.places import Places
from diamonds.server.table.table import Table, timed
from diamonds.server.work.players import BotsAtTable

AGAIN = 1000  # milliseconds after which a flag falls again that could not be written down

log = logging.getLogger("diamonds")


def with_clocks(change: Change, now: Clocks | None) -> Change:
    """A change with the clocks as they are from then on, if the table has any."""
    if now is None:
        return change
    return change._replace(clocks=encode(msgspec.structs.replace(now, at=0)), clock_at=now.at)


class Desk(Protocol):
    """What clocks ask of whoever runs the tables."""

    shelf: Shelf
    bots: BotsAtTable

    def turn(self, table: Table) -> asyncio.Lock:
        """Operations on a table take turns."""
        ...

    def changed(self, table: Table, look: bool = True) -> None:
        """Something besides the game changed: tell every reader."""
        ...

    def publish(self, table: Table, look: bool = True) -> None:
        """Wake the readers, and the bots."""
        ...

    async def commit(self, table: Table | None, change: Change) -> bytes | None:
        """Make it durable."""
        ...


class ClocksAtTables:
    """What becomes of time at the tables of a house."""

    def __init__(self, tables: Desk, store: Store) -> None:
        self.tables = tables
        self.store = store
        self._clock = hours.HouseClock()
        self.now = self._clock.now
        self.flags = Flags(self.now, self._fall, self._beat)
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, now: int | None = None) -> None:
        """Start the server's time: at ``now`` (ms), that of the other members of a cluster; or where it stopped (`Store.open_clocks`)."""
        self._clock.open(await self.store.open_clocks(hours.wall()) if now is None else now)

    def go_on(self, running: Collection[tuple[str, bytes, int]]) -> None:
        """Let running clocks go on: of each table its id, its clocks, and the time to which they apply (ms)."""
        for table, text, at in running:
            with contextlib.suppress(Damaged):  # whoever looks at the table is told
                self.flags.set(table, clocks.due(decode_clocks(text, at)))

    def be_no_earlier(self, than: int) -> None:
        """Go on from the time of another member if it is later: this process's machine was suspended."""
        if self._clock.be_no_earlier(than):
            self.flags.look()

    async def close(self) -> None:
        """The house closes."""
        for task in self._tasks:
            task.cancel()
        if len(self.flags):
            await self._write_alive(self.now())
        self.flags.close()

    def _beat(self, now: int) -> None:
        """A sign of life, for which nobody waits."""
        self._do(self._write_alive(now))

    async def _write_alive(self, now: int) -> None:
        with contextlib.suppress(Unavailable):  # another one comes soon
            await self.store.commit(Change(alive=now))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def set(self, table: Table, now: Clocks | None) -> None:
        """A table's clocks from now on, which are durable."""
        if now is not None:
            table.clocks = now
            self.flags.set(table.id, None if table.over else clocks.due(now))

    def _fall(self, id: str) -> None:
        """A flag of this table may have fallen."""
        self._do(self._look_at(id))

    async def _look_at(self, id: str) -> None:
        try:
            table = await self.tables.shelf.find(id)
            async with self.tables.turn(table):
                known = table.clocks
                seat = -1 if known is None or table.over else clocks.fallen(known, self.now())
                if seat >= 0:
                    await self._run_out(table, seat)
                else:
                    self.set(table, known)
        except asyncio.CancelledError:
            raise
        except (Damaged, Unknown, Illegal):
            pass  # nobody plays there any more
        except Unavailable:
            self.flags.set(id, self.now() + AGAIN)
        except Exception:
            log.exception("The clocks of table %s stand still.", id)

    async def _run_out(self, table: Table, seat: int) -> None:
        """Somebody's time is up."""
        control, known, state = table.header.clock, table.clocks, table.play.state
        assert control is not None
        assert known is not None
        assert state is not None
        if table.is_last_out(seat):
            places = seats.lost(table, seat)
            now = clocks.run_out(control, known, self.now(), seat, timed(places, int(state["to_act"])))
            await self._lose(table, seat, places, now)
            return
        level, numbers = await self.tables.bots.answer_for(table, seat)
        steps = table.play.steps(seat, numbers)
        asked = timed(table.places, int(steps[-1].state["to_act"]))
        now = clocks.run_out(control, known, self.now(), seat, asked)
        words = [answer_words(table.log.words_of(step.entry), level) for step in steps]
        at = table.log.time_for_entry()
        change = Change(
            table=table.id,
            n=table.n,
            entries=((seat, TIMEOUT), *((seat, each) for each in words)),
            at=at,
            phase="over" if steps[-1].state["over"] else "",
        )
        await self.tables.commit(table, with_clocks(change, now))
        table.play.time_out(seat, at)
        for step in steps:
            table.play.apply(step, at, by=level)
        self.set(table, now)
        self.tables.publish(table)

    async def _lose(self, table: Table, seat: int, places: Places, now: Clocks) -> None:
        """The seat is lost on time, and a bot has it from now on."""
        at = table.log.time_for_entry()
        change = Change(
            table=table.id,
            places=encode(places),
            revision=table.revision,
            phase=table.phase,
            n=table.n,
            entries=((seat, TIMEOUT), *table.new_seats(places)),
            at=at,
        )
        await self.tables.commit(table, with_clocks(change, now))
        table.play.time_out(seat, at)
        table.play.reseat(seat, places.seats[seat].who, at)
        table.places = places
        table.revision += 1
        self.set(table, now)
        table.look_round()
        self.tables.changed(table)
