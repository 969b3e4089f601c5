"""Where it is whose turn, for whoever has a page open: of the games that people play together, those where a person is asked; and who asks
them to play.

Clocks say who is asked (`table.clocks.Clocks`), and where there are none, what is kept with each answer does (`Change.asked`): so no game
is played again to know it. It is read once when somebody comes, and followed as long as they are here.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from diamonds.game import Unknown
from diamonds.server.api import reminders as messages
from diamonds.server.api.encoding import encode
from diamonds.server.api.meeting import ChallengeInfo
from diamonds.server.cluster.notices import TurnsChanged
from diamonds.server.house.called import names
from diamonds.server.house.hub import Line, Send
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.challenges import Challenges
from diamonds.server.store.contract import Change, Damaged, Unavailable
from diamonds.server.table import clocks
from diamonds.server.table.clocks import Clocks
from diamonds.server.table.header import Header
from diamonds.server.table.loading import decode_clocks, read_header, read_places
from diamonds.server.table.places import Places, names_at
from diamonds.server.table.table import Table

MOST = 100  # turns of which somebody is told
REFRESH_INTERVAL_S = 30.0  # in a cluster

_turn = msgspec.json.Decoder(messages.Turn | None)


def _order(turn: messages.Turn) -> tuple[bool, int, str]:
    """What runs out first comes first, and what does not run out last."""
    return turn.until is None, turn.until or 0, turn.table


class Reader(Line):
    """Somebody on a page that has no other stream: they are told where it is their turn, and nothing else."""

    __slots__ = ()

    async def frame(self) -> bytes:
        """See `Line`."""
        return b""


class Mine:
    """Where it is one person's turn and who asks them to play, told on each of their lines."""

    __slots__ = ("_since", "challenged", "lines", "now", "tables", "version")

    def __init__(self, now: int, challenged: list[ChallengeInfo]) -> None:
        self.lines: list[Line] = []
        self.now = now
        self.tables: dict[str, messages.Turn] = {}
        self.challenged = challenged
        self.version = -1  # as long as it is being read, which nobody is told
        self._since: dict[str, messages.Turn | None] = {}  # what has changed meanwhile

    def text(self) -> bytes:
        """See `Besides`."""
        first = sorted(self.tables.values(), key=_order)[:MOST]
        return b"event: turns\ndata: %b\n\n" % encode(messages.Turns(self.now, first, self.challenged))

    def begin(self, read: dict[str, messages.Turn]) -> None:
        """How it was when it was read; what has changed since then counts instead."""
        changed = read | self._since
        self.tables = {table: turn for table, turn in changed.items() if turn}
        self.version = 0
        self._wake()

    def put(self, table: str, turn: messages.Turn | None, now: int) -> None:
        """How it is at one table from now on."""
        if self.version < 0:
            self._since[table], self.now = turn, now
            return
        if self.tables.get(table) == turn:
            return
        if turn is None:
            del self.tables[table]
        else:
            self.tables[table] = turn
        self.now = now
        self._wake()

    def ask(self, challenged: list[ChallengeInfo], now: int) -> None:
        """Who asks them to play from now on."""
        if self.challenged != challenged:
            self.challenged, self.now = challenged, now
            self._wake()

    def _wake(self) -> None:
        if self.version < 0:
            return
        self.version += 1
        for line in self.lines:
            line.wake(b"a")


class Turns:
    """The turns of all who are here."""

    def __init__(self, tables: Tables, challenges: Challenges) -> None:
        self.tables = tables
        self.challenges = challenges
        self._people: dict[str, Mine] = {}
        self._refreshing: asyncio.Task[None] | None = None
        tables.watchers.append(self)
        challenges.watchers.append(self.asked)

    def open(self, person: str, send: Send) -> Reader:
        """A line for a page that has no other."""
        return Reader(person, send)

    async def enter(self, line: Line) -> None:
        """Somebody has one line more, on which they are told."""
        mine = self._people.get(line.person)
        first = mine is None
        if mine is None:
            mine = self._people[line.person] = Mine(self.tables.clocks.now(), self.challenges.before(line.person))
        mine.lines.append(line)
        line.besides = mine
        if not first:
            return
        try:
            mine.begin(await self.of(line.person))
        except Unavailable:  # their browsers come back
            for each in mine.lines:
                each.close()

    def leave(self, line: Line) -> None:
        """Somebody has one line fewer."""
        mine = self._people.get(line.person)
        if mine is None or line.besides is not mine:
            return
        line.besides = None
        mine.lines.remove(line)
        if not mine.lines:
            del self._people[line.person]

    async def of(self, person: str) -> dict[str, messages.Turn]:
        """Where it is somebody's turn now, as it is stored."""
        found = await self._playing(person)
        for table in [table for table, read in found.items() if read.asked is None and read.places.together][:MOST]:
            with contextlib.suppress(Damaged, Unknown):
                found[table] = found[table]._replace(asked=await self._ask(table))
        people = {place.person for read in found.values() for place in read.places.seats if place.person}
        called = await names(self.tables.store, people)
        turns = {table: turn_of(person, table, read, names_at(read.places, called)) for table, read in found.items()}
        return {table: turn for table, turn in turns.items() if turn}

    async def by_days(self, person: str) -> dict[str, bool]:
        """Somebody's tables that are played with days for each decision, and whether they are asked there."""
        return {
            table: read.seat_asked(person) >= 0
            for table, read in (await self._playing(person)).items()
            if read.header.clock is not None and read.header.clock.days
        }

    async def _playing(self, person: str) -> dict[str, Asked]:
        """The tables at which somebody may be asked; of those that cannot be read, none: nobody's turn is where nobody can play."""
        found = {}
        for line in await self.tables.store.playing(person):
            with contextlib.suppress(Damaged):
                header = read_header(line.header)
                now = decode_clocks(line.clocks, line.clock_at) if line.clocks else None
                found[line.table] = Asked(
                    header, read_places(line.places, header), now.runs if now else line.asked, now
                )
        return found

    async def _ask(self, id: str) -> int:
        """Who is asked at a table of which that was never written down: its game tells, and from now on it is."""
        table = await self.tables.shelf.find(id)
        async with self.tables.turn(table):
            asked = to_act(table)
            await self.tables.store.commit(Change(table=id, n=table.n, asked=asked))  # or somebody else just has
        return asked

    def people(self) -> list[str]:
        """Who is told of their turns."""
        return [*self._people]

    def asked(self, person: str) -> None:
        """Somebody asks this person to play, or does not any more."""
        mine = self._people.get(person)
        if mine is not None:
            mine.ask(self.challenges.before(person), self.tables.clocks.now())

    # What tables tell (`Watcher`)

    def changed(self, table: Table) -> None:
        """Something has happened at a table: whoever is asked there, or was, and is here, is told."""
        if not self._people and not self.tables.cluster:
            return
        asked = table.clocks.runs if table.clocks else to_act(table)
        read = Asked(table.header, table.places, asked, table.clocks)
        looking = {stream.person for stream in table.here.streams}
        elsewhere: dict[str, msgspec.Raw] = {}
        for person in table.people():
            mine = self._people.get(person)
            if mine is not None:
                mine.put(table.id, turn_of(person, table.id, read, table.seat_names()), self.tables.clocks.now())
            elif self.tables.cluster and person not in looking:
                text = encode(turn_of(person, table.id, read, table.seat_names()))
                if table.here.turns_told.get(person, b"null") != text:
                    table.here.turns_told[person] = text
                    elsewhere[person] = msgspec.Raw(text)
        if elsewhere and self.tables.cluster:
            self.tables.cluster.publish(TurnsChanged(table.id, elsewhere))

    async def heard(self, _: int, notice: TurnsChanged) -> None:
        """Another member says whose turn it is at one of its tables."""
        for person, text in notice.turns.items():
            mine = self._people.get(person)
            if mine is not None:
                mine.put(notice.table, _turn.decode(text), self.tables.clocks.now())

    async def _refresh(self) -> None:
        """Read everybody's turns anew now and then: other members' notices may have been lost with them."""
        while True:
            await asyncio.sleep(REFRESH_INTERVAL_S)
            for person in self.people():
                with contextlib.suppress(Unavailable):
                    found = await self.of(person)
                    mine = self._people.get(person)
                    if mine is not None and mine.version >= 0:
                        for table in {*found, *mine.tables}:
                            mine.put(table, found.get(table), self.tables.clocks.now())

    def start(self) -> None:
        """Take part in a cluster."""
        self._refreshing = asyncio.get_running_loop().create_task(self._refresh())

    def close(self) -> None:
        """The server stops."""
        if self._refreshing is not None:
            self._refreshing.cancel()

    def sat_down(self, people: Sequence[str]) -> None:
        """These people have sat down, which `changed` has told."""


class Asked(NamedTuple):
    """What is to be known of a table to say whose turn it is: which seats are ``asked``, as bits; with clocks, those whose clocks run; ``None``: it is not known."""

    header: Header
    places: Places
    asked: int | None
    clocks: Clocks | None

    def seat_asked(self, person: str) -> int:
        """The seat at which somebody is asked, or −1."""
        for seat, place in enumerate(self.places.seats):
            if place.kind == "person" and place.person == person and clocks.has(self.asked or 0, seat):
                return -1 if self.places.closed else seat
        return -1


def to_act(table: Table) -> int:
    """The seats that owe an answer, as bits."""
    return 0 if table.play.state is None or table.over else int(table.play.state["to_act"])


def turn_of(person: str, table: str, read: Asked, called: Sequence[str]) -> messages.Turn | None:
    """Somebody's turn at a table, if it is theirs, and they do not play against bots alone; ``called`` is who has each seat."""
    seat = read.seat_asked(person)
    if seat < 0 or not read.places.together:
        return None
    others = [name for other, name in enumerate(called) if name and other != seat]
    until = read.clocks.at + read.clocks.left[seat] if read.clocks else None
    days = read.header.clock.days if read.header.clock else 0
    return messages.Turn(table, read.header.game, others, until, days)
