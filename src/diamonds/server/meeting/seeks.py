"""Who looks for others to play with: seeks are kept as long as they hold, matched, and become tables.

They are of this process alone: after a restart the page asks anew.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Sequence

from diamonds.bots import levels
from diamonds.game import Malformed, find_game
from diamonds.server.api.meeting import NewSeek, SeekInfo
from diamonds.server.api.refusals import TooMany
from diamonds.server.house.lobby import table_for
from diamonds.server.house.presets import clock_called
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.matching import Apart, Kind, Match, Seek, match
from diamonds.words import Message

GRACE = 10.0  # seconds for which a seek lasts whose person cannot be told anything: the page is loaded anew, or a train is in a tunnel
MEET = 60.0  # seconds for which somebody is told at which table they were seated
LOOK = 1.0  # seconds between two looks, as long as anybody waits: somebody's time may be up
MOST = 2_000  # seeks at once

log = logging.getLogger("diamonds")


class Seeks:
    """All seeks. ``tell`` is called with whomever there is something new for, ``counted`` when there are more or fewer."""

    def __init__(self, tables: Tables, tell: Callable[[str], None], counted: Callable[[], None], apart: Apart) -> None:
        self.tables = tables
        self.tell = tell
        self.counted = counted
        self.apart = apart
        self.clock: Callable[[], float] = time.monotonic
        self.asked: dict[str, SeekInfo] = {}
        self.met: dict[str, str] = {}  # who was seated at which table, until they sit down or for a while
        self._seeks: dict[str, Seek] = {}
        self._away: dict[str, asyncio.TimerHandle] = {}  # whose seek is about to end
        self._look: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._seeks)

    def close(self) -> None:
        """The server stops."""
        for timer in [*self._away.values(), *([self._look] if self._look else [])]:
            timer.cancel()

    def seek(self, person: str, wanted: NewSeek, here: bool) -> None:
        """Somebody looks for others, from now on; what they looked for before counts no more. ``here``: they can be told."""
        kinds = kinds_of(wanted)
        if person not in self._seeks and len(self._seeks) >= MOST:
            raise TooMany("server-too-many", 10, what=Message("server-many-seeks"))
        self._drop(person)
        self.met.pop(person, None)
        now = self.clock()
        bots_at = math.inf if wanted.bots_after is None else now + wanted.bots_after
        self._seeks[person] = Seek(person, kinds, now, bots_at)
        self.asked[person] = SeekInfo(wanted.games, wanted.seats, wanted.paces, wanted.clocks, wanted.bots_after)
        if not here:
            self.went(person)
        self.tell(person)
        self.counted()
        self._look_again(0)

    def end(self, person: str) -> None:
        """Somebody looks for nobody any more."""
        if person in self._seeks:
            self._drop(person)
            self.tell(person)
            self.counted()

    def came(self, person: str) -> None:
        """Somebody can be told again."""
        timer = self._away.pop(person, None)
        if timer is not None:
            timer.cancel()

    def went(self, person: str) -> None:
        """Somebody cannot be told any more: their seek ends soon."""
        if person in self._seeks and person not in self._away:
            self._away[person] = asyncio.get_running_loop().call_later(GRACE, self.end, person)

    def sat_down(self, person: str) -> None:
        """Somebody has sat down at a table."""
        if self.met.pop(person, None):
            self.tell(person)
        self.end(person)

    def drop_all(self) -> None:
        """Nobody is looked for here any more; who still looks does so elsewhere."""
        for person in [*self._seeks]:
            self._drop(person)
        self.met.clear()

    def _drop(self, person: str) -> None:
        self._seeks.pop(person, None)
        self.asked.pop(person, None)
        self.came(person)

    def _look_again(self, seconds: float) -> None:
        if self._look is not None:
            self._look.cancel()
        self._look = asyncio.get_running_loop().call_later(seconds, self._match) if self._seeks else None

    def _match(self) -> None:
        """See who can play together now."""
        for found in match(self._seeks.values(), self.clock(), self.apart):
            bots = all(self._seeks[person].bots_at < math.inf for person in found.people)
            for person in found.people:
                self._drop(person)
            task = asyncio.get_running_loop().create_task(self._seat(found, "bot" if bots else "open"))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            self.counted()
        self._look_again(LOOK)

    async def _seat(self, found: Match, missing: str) -> None:
        """Make the table, with a place kept for each: they take it by themselves, each with a nonce of their own."""
        try:
            kind, game = found.kind, find_game(found.kind.game)
            clock = clock_called(kind.clock, game, kind.seats)
            header, places = table_for(game, kind.seats, list(found.people), kind.pace, missing=missing, clock=clock)
            table = await self.tables.making.set_up(header, places)
        except Exception:
            log.exception("A table for people who were matched could not be made.")
        else:
            self.meet(table, list(found.people))
        for person in found.people:
            self.tell(person)

    def meet(self, table: str, people: list[str]) -> None:
        """A place is kept for these people at a table, and they are told."""
        for person in people:
            self._drop(person)
            self.met[person] = table
            asyncio.get_running_loop().call_later(MEET, self._forget, person, table)
            self.tell(person)

    def missed(self, table: str, people: Sequence[str]) -> None:
        """These people have not come to a table where places were kept for them: they are not sent there any more."""
        for person in people:
            self._forget(person, table)

    def _forget(self, person: str, table: str) -> None:
        if self.met.get(person) == table:
            del self.met[person]
            self.tell(person)


def kinds_of(wanted: NewSeek) -> tuple[Kind, ...]:
    """What somebody would play, the best first: by game, then by number of seats, by pace, by clock."""
    kinds = []
    for name in dict.fromkeys(wanted.games):
        game = find_game(name)
        if wanted.bots_after is not None:
            levels.find_able_bot(levels.quick_bot(game), game)
        kinds += [
            Kind(name, seats, pace, clock)
            for seats in wanted.seats
            if seats in game.seats
            for pace in wanted.paces
            for clock in wanted.clocks
        ]
    if not kinds:
        raise Malformed("server-seek-nothing")
    return tuple(dict.fromkeys(kinds))
