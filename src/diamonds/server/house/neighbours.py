"""The other processes that keep this house together: who is there, what each says of its tables, and what has changed at one of them.

Everyone signs a list in the store each second. Who is on it with the lowest number is the *hall*, where people find each other
(`wire/handing_on.py`). Each table is *moved* (its bots, its clocks) by whichever of them a hash of both names puts first: whoever reads the
list knows it, and when somebody dies nobody has to be asked. Two may believe for a moment that a table is theirs: then the locks of the
store decide, and an answer that comes second is dropped.

What is true of one process alone (who reads a table there) it writes on its *slate*; slates are read by all, and go with their process.
Of what is committed the others hear by a notification, and ask every second for what they may have missed. Entries go along with it
(`store/carrying.py`): where they go on from this process's copy of a table, nothing is read.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from diamonds.game import Refused
from diamonds.server.api.encoding import encode
from diamonds.server.house.shelf import Shelf
from diamonds.server.store import failpoints
from diamonds.server.store.contract import Sharing, Unavailable
from diamonds.server.store.sharing import LIVES, Carried, Process, Rung, read_news
from diamonds.server.table.presence import Elsewhere
from diamonds.server.table.table import Table

SIGN = 0.7  # seconds between two signs of life
SURE = (
    LIVES + 1.5
)  # seconds after the last one for which a process goes on: that two do for a moment harms less than that nobody does
POLL = 1.0  # seconds after which it is asked for what was not heard
LATE = 0.1  # seconds by which a ring may come after what is asked for
ASLEEP = 30.0  # seconds after which it cannot be asked for any more: everything is looked at
GATHER = 0.02  # seconds for which what is to be said is gathered
STAYS = 3.0  # seconds for which somebody who has gone counts as here: who turns a page has not gone
DULL = 10_000  # tables of others that are remembered
PERSON, ASKED = "~", "?"  # before whom a slate is about: who is here; who is asked to play

log = logging.getLogger("diamonds")
_slates = msgspec.json.Decoder(Elsewhere)


class Desk(Protocol):
    """What is asked of whoever runs the tables."""

    shelf: Shelf

    def now(self) -> int:
        """The house's time."""
        ...

    def turn(self, table: Table) -> asyncio.Lock:
        """Operations on a table take turns."""
        ...

    def changed(self, table: Table, look: bool = True) -> None:
        """Something besides the game changed: tell every reader."""
        ...

    def look(self, table: Table) -> None:
        """See whether a bot is to play at a table."""
        ...

    def hurried_elsewhere(self, table: Table) -> None:
        """Bots may have been told to make haste, at another process."""
        ...

    async def catch_up(self, table: Table, changes: int = 0) -> bool:
        """Bring a table up to what is stored, in its turn."""
        ...

    def take(self, table: Table, carried: Sequence[Carried]) -> bool:
        """Take over what was carried here, in a table's turn; whether all of it goes on from what is known."""
        ...


@dataclass(slots=True)
class Due:
    """What is to be looked at: a table of which others tell ``changes``. ``carried`` is what has come along; or else it is to be read."""

    changes: int = 0
    read: bool = False
    carried: list[Carried] = field(default_factory=list)


class Neighbours:
    """All processes of the house, as this one knows them. ``door`` is where others reach it."""

    def __init__(self, sharing: Sharing, desk: Desk) -> None:
        self.sharing = sharing
        self.desk = desk
        self.id = secrets.token_hex(6)
        self.door = ""
        self.alive: list[Process] = []
        self._firsts: dict[str, str] = {}  # by table: who moves it
        self._firsts_of = self.alive  # among these
        self._signed = float("-inf")
        self._number = 0
        self._slates: dict[str, dict[str, bytes]] = {}  # by key and process
        self._reading = asyncio.Lock()
        self._looked_round = False  # since others are there than before
        self._said: dict[str, bytes] = {}
        self._due: dict[str, bytes] = {}
        self._speak = asyncio.Event()
        self._going: dict[str, asyncio.TimerHandle] = {}
        self._pending: dict[str, Due] = {}  # tables to be looked at
        self._looking: dict[str, Due] = {}  # and what is looked at just now
        self._dull: set[str] = (
            set()
        )  # tables that are nothing to us, until somebody else is sitting there or comes here
        self._tasks: set[asyncio.Task[None]] = set()
        self.people_here: Callable[[], Collection[str]] = tuple  # whose tables are followed wherever they are played
        self.on_people: Callable[[str, bool], Awaitable[None]] | None = (
            None  # somebody is otherwise, perhaps altogether
        )
        self.on_key: Callable[[str], None] = lambda key: None  # what others say under this key is new
        self.on_bell: Callable[[], None] = lambda: None  # a message is to be sent
        self.on_time: Callable[[int], None] = lambda now: (
            None
        )  # the house's time, which somebody may have slept through
        self.on_change: Callable[[bool], Awaitable[None]] | None = None  # others are there; whether this is the hall

    async def be_at(self, address: str, machine: str) -> bool:
        """Others reach this process there; ``machine`` is empty if that is so from everywhere. Returns whether all find each other."""
        self.door = f"{machine}@{address}" if machine else address
        machines = {machine, *(process.machine for process in await self.sharing.there())}
        return len(machines) == 1

    async def enter(self, wall: int) -> int:
        """This process comes in; returns the house's time."""
        return await self.sharing.enter(self.id, self.door, wall)

    async def open(self) -> None:
        """Listen and tell from now on."""
        self._since = (await self.sharing.news(0)).since
        self._asked = time.monotonic()
        await self._sign()
        for work in (self._sign_forever, self._listen, self._speak_forever):
            self._do(work())

    async def close(self) -> None:
        """This process goes, and says so: others take over at once."""
        for task in self._tasks:
            task.cancel()
        for timer in self._going.values():
            timer.cancel()
        with contextlib.suppress(Unavailable):  # they will notice
            await self.sharing.leave(self.id)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Who is there

    def moves(self, key: str) -> bool:
        """Whether bots and clocks of a table are this process's to move."""
        if failpoints.wrong("everybody_moves"):
            return True
        return time.monotonic() - self._signed < SURE and self._first(key) == self.id

    def _first(self, key: str) -> str:
        if self._firsts_of is not self.alive or len(self._firsts) >= DULL:
            self._firsts, self._firsts_of = {}, self.alive
        first = self._firsts.get(key)
        if first is None:
            first = max((process.id for process in self.alive), key=lambda id: _weight(id, key), default="")
            self._firsts[key] = first
        return first

    @property
    def hall(self) -> Process | None:
        """The process where people find each other; ``None``: it is this one, or nobody can be found."""
        return None if self.is_hall or not self.alive else self.alive[0]

    @property
    def is_hall(self) -> bool:
        """Whether that is this one."""
        return time.monotonic() - self._signed < SURE and bool(self.alive) and self.alive[0].id == self.id

    @property
    def count(self) -> int:
        """How many there are, with this one."""
        return max(1, len(self.alive))

    @property
    def silent(self) -> float:
        """Seconds since this one gave its last sign of life; 0 before the first."""
        return max(0.0, time.monotonic() - self._signed) if self._number else 0.0

    @property
    def behind(self) -> int:
        """At how many tables something is new that has not been read yet."""
        return len(self._looking)

    async def _sign_forever(self) -> None:
        while True:
            await asyncio.sleep(SIGN)
            try:
                await self._sign()
            except Unavailable:
                continue
            except Exception:
                log.exception("Other processes may take this one for dead.")

    async def _sign(self) -> None:
        began = time.monotonic()
        house, alive = await self.sharing.sign(self.id, self.door, self.desk.now())
        self.on_time(house)
        lapsed = (
            time.monotonic() - self._signed >= SURE
        )  # for a moment nothing was its to move, if only while it signed
        before, self._signed = {process.id for process in self.alive}, began
        if failpoints.wrong("nobody_dies"):
            alive = sorted({*alive, *self.alive}, key=lambda process: process.number)
        self.alive = alive
        now = {process.id: process.number for process in alive}
        if self._number != (mine := now.get(self.id, 0)):
            self._number = mine
            self._due |= self._said  # it was taken for dead for so long that nobody knows any more what it said
            self._speak.set()
        if now.keys() != before or lapsed:
            self._looked_round = False
            log.info("Processes that keep this house: %d.", len(alive))
        if not self._looked_round:  # or the store was away when it wanted to
            await self._look_round()
            self._looked_round = True

    async def _look_round(self) -> None:
        """Others are there than before: what was theirs may be ours, and what they said counts no more, or again."""
        self._dull.clear()
        await self._read_slates()
        for key in self._slates:
            self._heard_of(key)
        if self.on_change is not None:
            await self.on_change(self.is_hall)
        for table in self.desk.shelf.all():
            self.mind(table)
            self.desk.changed(table)

    # What is said

    def said(self, key: str) -> list[bytes]:
        """What others say under a key."""
        there = {process.id for process in self.alive} - {self.id}
        return [value for process, value in self._slates.get(key, {}).items() if process in there]

    async def _read_slates(self, keys: Collection[str] | None = None) -> None:
        """Read what others say, under these keys or at all; once at a time, so that nothing older is put over what is newer."""
        async with self._reading:
            found = await self.sharing.said(keys)
            for key in [*self._slates] if keys is None else keys:
                self._slates.pop(key, None)
            for process, key, value in found:
                self._slates.setdefault(key, {})[process] = value

    def say(self, key: str, value: bytes) -> None:
        """Say something from now on; nothing: no more."""
        if self._said.get(key, b"") != value:
            if value:
                self._said[key] = value
            else:
                del self._said[key]
            self._due[key] = value
            self._speak.set()

    async def _speak_forever(self) -> None:
        while True:
            await self._speak.wait()
            await asyncio.sleep(GATHER)
            self._speak.clear()
            due, self._due = self._due, {}
            try:
                await self.sharing.say(self.id, due)
            except Exception as error:
                self._due = due | self._due
                self._speak.set()
                await asyncio.sleep(POLL)
                if not isinstance(error, Unavailable):
                    log.exception("Other processes do not hear of this one.")

    def tell_of(self, table: Table) -> None:
        """Something has happened at a table: say who reads it here, if that is new."""
        told = table.here.told(self.moves(table.id))
        self.say(table.id, b"" if told == Elsewhere() else encode(told))

    def mind(self, table: Table) -> bool:
        """Take over what others say of a table; returns whether it is new."""
        here = table.here
        there = {process.id for process in self.alive} - {self.id}
        known = {
            process: _slates.decode(value)
            for process, value in self._slates.get(table.id, {}).items()
            if process in there
        }
        if known == here.elsewhere:
            return False
        were, here.elsewhere = here.seats, known
        for seat in were | here.seats:
            here.seen[seat] = time.monotonic()
        for one in known.values():
            here.nudges |= {(by, seat): n for by, seat, n in one.nudges}
        return True

    def forget(self, id: str) -> None:
        """A table is not in memory any more."""
        self.say(id, b"")

    # Who is in the house

    def moved(self, person: str, here: bool) -> None:
        """Somebody has come to this process, or has left it."""
        timer = self._going.pop(person, None)
        if timer is not None:
            timer.cancel()
        if here:
            self._dull.clear()  # it may be that one of their tables is among them
            self.say(PERSON + person, b"1")
        else:
            loop = asyncio.get_running_loop()
            self._going[person] = loop.call_later(STAYS, self._gone, person)

    def _gone(self, person: str) -> None:
        del self._going[person]
        self.say(PERSON + person, b"")

    def is_here(self, person: str) -> bool:
        """Whether somebody is in the house, at another process."""
        return bool(self.said(PERSON + person))

    # What has changed

    async def _listen(self) -> None:
        heard: set[int] = set()
        while True:
            try:
                told = await self._told(POLL)
                await self._hear_rung(told or [], heard)
                unknown = told is None or not all(rung.words for rung in told)
                if unknown or time.monotonic() - self._asked >= POLL:
                    asleep = time.monotonic() - self._asked > ASLEEP
                    news = await self.sharing.news(self._since)
                    self._since, self._asked = news.since, time.monotonic()
                    await self._hear_late({number for number, _ in news.told}, heard)
                    if not failpoints.wrong("deaf"):
                        await self._hear([words for number, words in news.told if number not in heard])
                    heard = {
                        number for number in {*heard, *(number for number, _ in news.told)} if number >= news.since
                    }
                    if asleep:
                        self._look_at_all()
            except Unavailable:
                await asyncio.sleep(POLL)
            except Exception:
                log.exception("What other processes have changed is not looked at.")
                await asyncio.sleep(POLL)

    async def _told(self, patience: float) -> list[Rung] | None:
        """What was rung for; ``None`` if nothing is for a while, or something was missed."""
        try:
            async with asyncio.timeout(patience):
                told = await self.sharing.elsewhere()
        except TimeoutError:
            return None
        return [] if failpoints.wrong("deaf") else told

    async def _hear_rung(self, told: Sequence[Rung], heard: set[int]) -> None:
        heard.update(rung.number for rung in told if rung.words)  # what is not named is still to be asked for
        await self._hear([rung.words for rung in told], [one for rung in told for one in rung.carried])

    async def _hear_late(self, numbers: set[int], heard: set[int]) -> None:
        """Of some commits that were found nobody has rung yet, most often because they are of this very moment: what comes along with
        the ring need not be read."""
        end = time.monotonic() + LATE
        while not numbers <= heard and (left := end - time.monotonic()) > 0 and (told := await self._told(left)):
            await self._hear_rung(told, heard)

    def _look_at_all(self) -> None:
        for table in self.desk.shelf.all():
            self._look_at(table.id)

    async def _hear(self, words: list[str], carried: Sequence[Carried] = ()) -> None:
        if not words:
            return
        found = read_news(words)
        along: dict[str, list[Carried]] = {}
        for one in carried:
            along.setdefault(one.table, []).append(one)
        for table, (changes, more) in found.tables.items():  # first, for nothing of it waits for the store
            if more:
                self._dull.discard(table)
            self._look_at(table, changes, [] if more else along.get(table, []))
        if found.keys:
            await self._read_slates(found.keys)
            for key in found.keys:
                self._heard_of(key)
        for person, anew in found.people.items():
            if self.on_people is not None:
                await self.on_people(person, anew)
        if found.bell:
            self.on_bell()

    def _heard_of(self, key: str) -> None:
        """What others say under a key may be new."""
        if key.startswith((PERSON, ASKED)):
            self.on_key(key)
        elif self.said(key) or self.desk.shelf.has(key):
            self._dull.discard(key)
            self._look_at(key)

    def _look_at(self, id: str, changes: int = 0, carried: Sequence[Carried] = ()) -> None:
        """Something may be new at a table. While it is looked at, all that comes is looked at together. Nearly always nobody has to be
        waited for."""
        if id in self._dull and not self.desk.shelf.has(id):
            return
        table = self.desk.shelf.get(id) if carried and id not in self._looking else None
        if table is not None and not self.desk.turn(table).locked():
            try:
                if self.desk.take(table, carried):
                    return
            except Exception:  # then it is read
                log.exception("What was carried to table %s is not taken.", id)
        due = self._pending.setdefault(id, Due())
        due.changes = max(due.changes, changes)
        due.read = due.read or not carried
        due.carried += carried
        if id not in self._looking:
            self._looking[id] = due
            self._do(self._look(id))

    def carried_to(self, table: Table) -> list[Carried]:
        """What has come along to a table, and waits for its turn there; nothing, if some of that is to be read."""
        dues = [due[table.id] for due in (self._looking, self._pending) if table.id in due]
        return [] if any(due.read for due in dues) else [one for due in dues for one in due.carried]

    async def _look(self, id: str) -> None:
        try:
            while id in self._pending:
                self._looking[id] = due = self._pending.pop(id)
                await self._take_over(id, due)
        except Unavailable:
            self._pending[id] = Due(read=True)
            asyncio.get_running_loop().call_later(POLL, self._look_at, id)
        except Refused:  # it is damaged, or nothing is kept of it any more
            self.desk.shelf.drop(id)
        except Exception:
            log.exception("Table %s is behind what other processes have done there.", id)
        finally:
            del self._looking[id]

    async def _take_over(self, id: str, due: Due) -> None:
        shelf = self.desk.shelf
        if not shelf.has(id) and not await self._wanted(id):
            return
        table = await shelf.find(id)
        async with self.desk.turn(table):
            if not due.read and self.desk.take(table, due.carried):
                return
            await self.desk.catch_up(table, due.changes)
        if self.mind(table):
            self.desk.changed(table)
        else:  # it may have been loaded just now, for it is ours to move
            self.desk.look(table)
        self.desk.hurried_elsewhere(table)

    async def _wanted(self, id: str) -> bool:
        """Whether a table that is not in memory is to be: who moves it needs it, and so do those who list it."""
        if self.moves(id):
            return True
        if await self.sharing.wanted([id], self.people_here(), self.is_hall):
            return True
        if len(self._dull) >= DULL:
            self._dull.clear()
        self._dull.add(id)
        return False


def _weight(process: str, key: str) -> bytes:
    return hashlib.blake2b(f"{process} {key}".encode(), digest_size=8).digest()
