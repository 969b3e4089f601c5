"""What people may do while they wait for somebody: nudge them, ask that the clocks stand still, let a bot answer for them.

How long a question has lain before somebody is known to this process alone: after a restart everyone has thought for no time yet.
"""

from __future__ import annotations

from typing import Protocol

from diamonds.entries import answer_words
from diamonds.game import Illegal, Malformed
from diamonds.server.api import clocks as messages
from diamonds.server.house.clocks import ClocksAtTables
from diamonds.server.store.contract import Change
from diamonds.server.table import seats
from diamonds.server.table.places import Places, Wish
from diamonds.server.table.table import Table
from diamonds.server.work.players import BotsAtTable

NUDGE_AFTER = 15_000  # milliseconds of silence
ANSWER_AFTER = 60_000  # where two or more agree that a bot answers
ALONE_AFTER = 180_000  # where one alone decides that


class Desk(Protocol):
    """What is asked of whoever runs the tables."""

    bots: BotsAtTable
    clocks: ClocksAtTables

    def changed(self, table: Table, look: bool = True) -> None:
        """Something besides the game changed: tell every reader."""
        ...

    def publish(self, table: Table, look: bool = True) -> None:
        """Wake the readers, and the bots."""
        ...

    async def commit(self, table: Table | None, change: Change) -> bytes | None:
        """Make it durable."""
        ...

    async def commit_places(self, table: Table, places: Places, change: Change, paused: bool | None = None) -> bytes:
        """New places, durable and told; and whether the clocks stand still."""
        ...


class Patience:
    """Nudges, pauses, and answers of bots for those who are silent. Everything here is done in the table's turn."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    # Clocks that stand still

    async def pause(self, table: Table, seat: int, body: messages.Pause, change: Change) -> bytes:
        """Ask everyone else who has a seat whether the clocks shall stand still; anyone lets them go on."""
        known = table.clocks
        if known is None or table.phase != "playing":
            raise Illegal("table-no-clocks")
        if body.on == known.paused:
            raise Illegal("table-paused" if known.paused else "table-not-paused")
        others = [other for other in table.persons if other != seat]
        if body.on and others:
            wish = Wish("pause", change.person, seat, asked=others)
            return await self.desk.commit_places(table, seats.ask(table, wish), change)
        return await self.desk.commit_places(table, table.copy_of_places(), change, body.on)

    async def stand_still(self, table: Table, change: Change) -> bytes:
        """All have agreed to a pause."""
        places = table.copy_of_places()
        places.wish = None
        return await self.desk.commit_places(table, places, change, True)

    # Somebody who is silent

    def nudge(self, table: Table, seat: int, body: messages.Nudge) -> None:
        """Remind somebody that all wait for them: once for each question, and not at once."""
        silent = self._silence(table, seat, body.seat)
        if silent < NUDGE_AFTER:
            raise Illegal("table-nudge-early", seconds=_seconds(NUDGE_AFTER - silent))
        known = table.here.nudges.get((seat, body.seat))
        if known == table.play.open_since[body.seat]:
            raise Illegal("table-nudged")
        table.here.nudges[seat, body.seat] = table.play.open_since[body.seat]
        self.desk.changed(table, look=False)

    async def let_answer(self, table: Table, seat: int, body: messages.LetAnswer, change: Change) -> bytes:
        """Ask the others that a bot answers for somebody who is silent, where no clock does it."""
        if table.clocks is not None:
            raise Illegal("table-clocks-do")
        silent = self._silence(table, seat, body.seat)
        others = [other for other in table.persons if other not in (seat, body.seat)]
        least = ANSWER_AFTER if others else ALONE_AFTER
        if silent < least:
            raise Illegal("table-answer-early", seconds=_seconds(least - silent))
        if not others:
            return await self.answer_for(table, body.seat, change)
        wish = Wish("answer", change.person, body.seat, asked=others)
        return await self.desk.commit_places(table, seats.ask(table, wish), change)

    async def answer_for(self, table: Table, seat: int, change: Change) -> bytes:
        """A bot answers what somebody is asked; it is written down whose answer it was."""
        level, numbers = await self.desk.bots.answer_for(table, seat)
        steps = table.play.steps(seat, numbers)
        at, after = table.log.time_for_entry(), table.n + len(steps)
        reply = b'{"n":%d,"version":%d}' % (after, after << 32 | table.changes)
        change = change._replace(
            reply=reply,
            n=table.n,
            entries=tuple((seat, answer_words(table.log.words_of(step.entry), level)) for step in steps),
            at=at,
            phase="over" if steps[-1].state["over"] else "",
            asked=table.asked_from(int(steps[-1].state["to_act"])),
        )
        earlier = await self.desk.commit(table, change)
        if earlier is not None:
            return earlier
        mark = hash((change.person, change.key)) if change.key else 0
        for step in steps:
            table.play.apply(step, at, mark, level)
        self.desk.publish(table)
        return reply

    def note(self, table: Table) -> None:
        """Something has happened: questions that are new have been put now."""
        if table.play.state is None or table.over or len(table.persons) < 2:
            return
        asked, since = int(table.play.state["to_act"]), table.here.asked
        for seat in table.persons:
            if not asked >> seat & 1:
                since.pop(seat, None)
            elif since.get(seat, (-1, 0))[0] != table.play.open_since[seat]:
                since[seat] = (table.play.open_since[seat], table.here.now())

    def _silence(self, table: Table, seat: int, other: int) -> int:
        """How many milliseconds somebody else has been asked and silent; `Illegal` if nobody waits for them."""
        if table.phase != "playing" or table.play.state is None:
            raise Illegal("game-over" if table.over else "table-not-begun")
        if not 0 <= other < table.header.seats:
            raise Malformed("table-no-such-seat")
        if table.clocks is not None and table.clocks.paused:
            raise Illegal("table-paused")
        asked = int(table.play.state["to_act"]) >> other & 1
        if other == seat or not asked or other not in table.persons:
            raise Illegal("table-not-waited-for")
        self.note(table)
        return table.here.now() - table.here.asked[other][1]


def _seconds(milliseconds: int) -> int:
    return -(-milliseconds // 1000)
