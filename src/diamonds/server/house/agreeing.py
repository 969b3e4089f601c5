"""What the others at a table have to agree to: a step back, a seat, another bot, a pause, an answer by a bot.

Everything here is done in the table's turn. Who plays alone against bots asks nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Protocol

from diamonds.entries import undo_words
from diamonds.game import Illegal, Malformed
from diamonds.server.api import messages
from diamonds.server.api.refusals import Stale
from diamonds.server.house.patience import Patience
from diamonds.server.store.contract import Change
from diamonds.server.table import seats
from diamonds.server.table.entries import seat_of
from diamonds.server.table.places import Places, Wish
from diamonds.server.table.replaying import state_at
from diamonds.server.table.table import Table


class Desk(Protocol):
    """What is asked of whoever runs the tables."""

    patience: Patience

    def turn(self, table: Table) -> asyncio.Lock:
        """Operations on a table take turns."""
        ...

    def changed(self, table: Table, look: bool = True) -> None:
        """Something besides the game changed: tell every reader."""
        ...

    async def current(self, table: Table, since: int | None, person: str) -> bytes:
        """What a reader is told now, with what happened since an n."""
        ...

    def seat(self, table: Table, person: str) -> int:
        """Where somebody sits; `Forbidden` if nowhere."""
        ...

    async def commit(self, table: Table | None, change: Change) -> bytes | None:
        """Make it durable."""
        ...

    async def commit_places(self, table: Table, places: Places, change: Change, paused: bool | None = None) -> bytes:
        """New places, durable and told; and whether the clocks stand still."""
        ...


def _decisions(table: Table, seat: int, since: int) -> set[int]:
    """The moments from an n on at which a seat gave an answer that stands."""
    return {table.log.moment(at) for at, entry in table.log.chain() if at >= since and seat_of(entry) == seat}


class Agreeing:
    """Steps back, and wishes: asked for, agreed to, fulfilled."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._tasks: set[asyncio.Task[None]] = set()

    async def undo(self, table: Table, body: messages.Undo, change: Change) -> bytes:
        """Step back at will, or ask the others."""
        person = change.person
        seat = self.desk.seat(table, person)
        if table.phase != "playing":
            raise Illegal("table-nothing-to-undo")
        if table.clocks is not None:
            raise Illegal("table-undo-clocks")
        if body.n != table.n:
            raise Stale("table-moved-on", await self.desk.current(table, body.n, person))
        moments = {table.log.moment(at) for at, _ in table.log.chain()}
        if body.to > table.n or table.log.moment(body.to) not in moments:
            raise Malformed("table-no-moment")
        others = [other for other in table.persons if other != seat and other not in table.here.standing_in]
        if others:
            wish = Wish("undo", person, seat, to=body.to, asked=others)
            return await self.desk.commit_places(table, seats.ask(table, wish), change)
        floor, _ = table.undo_limits(seat)
        if floor is None or table.log.moment(body.to) not in _decisions(table, seat, floor):
            raise Illegal("table-undo-own")
        return await self._step_back(table, seat, body.to, True, change)

    async def agree(self, table: Table, body: messages.Consent, change: Change) -> bytes:
        """Someone answers a wish: when the last has agreed it is fulfilled; one refusal, or whose it is, ends it."""
        places = seats.answer_wish(table, change.person, body)
        if places.wish is None or table.waiting(places.wish):
            return await self.desk.commit_places(table, places, change)
        return await self._fulfil(table, places.wish, change)

    async def _fulfil(self, table: Table, wish: Wish, change: Change) -> bytes:
        if wish.kind == "undo":
            return await self._step_back(table, wish.seat, wish.to, False, change)
        if wish.kind == "pause":
            return await self.desk.patience.stand_still(table, change)
        if wish.kind == "answer":
            return await self.desk.patience.answer_for(table, wish.seat, change)
        return await self.desk.commit_places(table, seats.fulfilled(table, wish), change)

    def look_at(self, table: Table) -> None:
        """Somebody who was asked may have gone: if all others have agreed, that is enough."""
        wish = table.wish
        if wish is not None and wish.agreed and not table.waiting(wish):
            task = asyncio.get_running_loop().create_task(self._settle(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _settle(self, table: Table) -> None:
        async with self.desk.turn(table):
            wish = table.wish
            if wish is not None and wish.agreed and not table.waiting(wish):
                with contextlib.suppress(Stale):  # somebody has merged accounts
                    await self._fulfil(table, wish, Change(table=table.id, person=wish.person))

    async def _step_back(self, table: Table, seat: int, to: int, at_will: bool, change: Change) -> bytes:
        state = await asyncio.to_thread(state_at, table, to)
        after = table.n + 1
        reply = b'{"n":%d,"version":%d}' % (after, after << 32 | table.changes)
        entry, at = (seat, undo_words(to, not at_will)), table.log.time_for_entry()
        asked = table.asked_from(int(state["to_act"]))
        earlier = await self.desk.commit(
            table, change._replace(reply=reply, n=table.n, entries=(entry,), at=at, asked=asked)
        )
        if earlier is not None:
            return earlier
        table.play.step_back(seat, to, state, at_will, at, hash((change.person, change.key)))
        self.desk.changed(table)
        return reply
