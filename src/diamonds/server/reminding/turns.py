"""Where it is whose turn, for whoever has a page open: of tables with clocks, those where a person's clock runs; and who asks them to play.

Nothing of it is kept: clocks are durable with everything that happens, and say who is asked (`table.clocks.Clocks`). It is read once
when somebody comes, and followed as long as they are here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from diamonds.server.api import reminders as messages
from diamonds.server.api.encoding import encode
from diamonds.server.api.meeting import ChallengeInfo
from diamonds.server.house.called import names
from diamonds.server.house.hub import Line, Send
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.challenges import Challenges
from diamonds.server.store.contract import Damaged, Playing, Unavailable
from diamonds.server.table import clocks
from diamonds.server.table.clocks import Clocks
from diamonds.server.table.header import Header
from diamonds.server.table.loading import decode_clocks, read_header, read_places
from diamonds.server.table.places import Places, names_at
from diamonds.server.table.table import Table

MOST = 100  # turns of which somebody is told


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
        first = sorted(self.tables.values(), key=lambda turn: (turn.until, turn.table))[:MOST]
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
        tables.watchers.append(self)
        challenges.watchers.append(self._asked)

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
        people = {place.person for read in found.values() if read for place in read[1].seats if place.person}
        called = await names(self.tables.store, people)
        turns = {table: turn_of(person, table, *read, called) for table, read in found.items() if read}
        return {table: turn for table, turn in turns.items() if turn}

    async def by_days(self, person: str) -> dict[str, bool]:
        """Somebody's tables that are played with days for each decision, and whether it is their turn there."""
        return {
            table: turn_of(person, table, *read, {}) is not None
            for table, read in (await self._playing(person)).items()
            if read and read[0].clock is not None and read[0].clock.days
        }

    async def _playing(self, person: str) -> dict[str, tuple[Header, Places, Clocks] | None]:
        return {line.table: _read(line) for line in await self.tables.store.playing(person) if line.clocks}

    def _asked(self, person: str) -> None:
        """Somebody asks this person to play, or does not any more."""
        mine = self._people.get(person)
        if mine is not None:
            mine.ask(self.challenges.before(person), self.tables.clocks.now())

    # What tables tell (`Watcher`)

    def changed(self, table: Table) -> None:
        """Something has happened at a table: whoever is asked there, or was, and is here, is told."""
        if table.clocks is None or not self._people:
            return
        for person in table.people():
            mine = self._people.get(person)
            if mine is not None:
                turn = turn_of(person, table.id, table.header, table.places, table.clocks, table.names)
                mine.put(table.id, turn, self.tables.clocks.now())

    def sat_down(self, people: Sequence[str]) -> None:
        """These people have sat down, which `changed` has told."""


def _read(line: Playing) -> tuple[Header, Places, Clocks] | None:
    """What is stored of a table; ``None`` if that cannot be read: nobody's turn is where nobody can play."""
    try:
        header = read_header(line.header)
        return header, read_places(line.places, header), decode_clocks(line.clocks, line.clock_at)
    except Damaged:
        return None


def turn_of(
    person: str, table: str, header: Header, places: Places, now: Clocks, called: Mapping[str, str]
) -> messages.Turn | None:
    """Somebody's turn at a table, if it is theirs."""
    for seat, place in enumerate(places.seats):
        if place.kind == "person" and place.person == person and clocks.has(now.runs, seat):
            others = [name for other, name in enumerate(names_at(places, called)) if name and other != seat]
            days = header.clock.days if header.clock else 0
            return messages.Turn(table, header.game, others, now.at + now.left[seat], days)
    return None
