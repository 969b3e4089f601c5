"""How people find each other: the board and who reads it, and who looks for whom. What the routes of the lobby talk to."""

from __future__ import annotations

from collections.abc import Sequence

from diamonds.game import Unknown, all_games
from diamonds.server.api.meeting import NewSeek, You
from diamonds.server.cluster.notices import NoShows, PeopleMoved, SatDown
from diamonds.server.house.hub import Send
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.board import Board
from diamonds.server.meeting.challenges import Challenges
from diamonds.server.meeting.friends import Friends
from diamonds.server.meeting.hall import Hall, Reader
from diamonds.server.meeting.hosts import Hosts
from diamonds.server.meeting.missing import Missing
from diamonds.server.meeting.seeks import Seeks
from diamonds.server.table.table import Table


class Meeting:
    """The lobby of one house."""

    def __init__(self, tables: Tables) -> None:
        self.board = Board([game.name for game in all_games()], tables.shelf.get, tables.summaries)
        self.hall = Hall(self.board, lambda: len(self.seeks), self.of_you)
        self.tables, self.store, self.hub = tables, tables.store, tables.hub
        self.friends = Friends(tables, tables.is_here, self.hall.tell)
        self.seeks = Seeks(tables, self.hall.tell, self.hall.touched, self.apart)
        self.challenges = Challenges(tables, self.friends, self.seeks.meet, self.hall.tell)
        self.missing = Missing(tables, self.missed)
        self.hosts = Hosts(tables)
        self.hall.came, self.hall.went = self.seeks.came, self.seeks.went
        self.hub.moved = self.moved
        self._apart: dict[str, frozenset[str]] = {}  # with whom those who seek do not play
        tables.watchers.append(self)

    def open(self) -> None:
        """The server starts. No number that was told before comes again: see `Shelf`, whose numbers are below its floor."""
        self.board.begin(self.tables.shelf.floor << 20)

    def close(self) -> None:
        """The server stops."""
        self.hall.close()
        self.seeks.close()
        self.friends.close()
        self.challenges.close()
        self.missing.close()
        self.hosts.close()

    def read(self, game: str, person: str, send: Send) -> Reader:
        """A new reader of the lobby; of one game, or of all."""
        if game not in self.board.channels:
            raise Unknown("game-unknown", given=game[:40], games=[name for name in self.board.channels if name])
        return self.hall.open(game, person, send)

    async def of_you(self, person: str) -> You:
        """What the lobby tells somebody alone."""
        has_account = await self.store.accounts.account(person) is not None
        friends, asks, blocked = await self.friends.of(person) if has_account else ([], [], [])
        before = self.challenges.before(person) if has_account else []
        seek, met = self.seeks.asked.get(person), self.seeks.met.get(person)
        return You(seek, met, has_account, friends, asks, blocked, before, self.challenges.by(person))

    async def seek(self, person: str, wanted: NewSeek) -> None:
        """Somebody looks for others to play with."""
        apart = (await self.tables.around.of(person)).apart
        self._apart = {one: others for one, others in self._apart.items() if one in self.seeks.asked}
        self._apart[person] = apart
        self.seeks.seek(person, wanted, person in self.hall.guests)

    def end_seek(self, person: str) -> None:
        """Somebody looks for nobody any more."""
        self.seeks.end(person)

    def apart(self, one: str, other: str) -> bool:
        """Whether two people do not play together."""
        return other in self._apart.get(one, ()) or one in self._apart.get(other, ())

    async def change(self, person: str, what: str, name: str) -> None:
        """Somebody parts with somebody around them, or blocks or unblocks them."""
        await self.friends.check(person)
        other = await self.friends.known(person, name)
        await self.friends.change(person, what, name)
        await self._turned(person, other, what == "block")

    async def block_at(self, table: Table, person: str, seat: int) -> None:
        """Somebody blocks whoever has a seat at a table. Their own is nobody's whom they could block."""
        await self.friends.check(person)
        place = table.places.seats[seat] if seat < table.header.seats else None
        if place is None or place.kind != "person" or place.person == person:
            raise Unknown("server-nobody-around")
        other = place.person
        await self.friends.block(person, other)
        await self._turned(person, other, True)

    async def _turned(self, person: str, other: str, blocked: bool) -> None:
        """Between two people it is otherwise from now on: who is blocked asks nothing, is not heard, and is seated elsewhere."""
        if blocked:
            self.challenges.apart(person, other)
        await self.tables.hear_anew(person)
        for one in (person, other):
            if one in self._apart:
                self._apart[one] = (await self.tables.around.of(one)).apart

    def leave(self, farewell: bytes) -> None:
        """People find each other at another process from now on: whoever reads the lobby here is to go there."""
        self.seeks.drop_all()
        self.challenges.drop_all()
        self.hall.part(farewell)

    def stands(self, person: str) -> None:
        """Somebody may stand otherwise with the house: they are told; who is banned looks for nobody."""
        notice = self.tables.standings.notice(person)
        banned = bool(self.tables.standings.of(person).banned)
        if banned:
            self.end_seek(person)
            self.challenges.end(person)
        for stream in self.hub.of(person) if notice else ():
            (stream.end if banned else stream.tell)(notice)

    def moved(self, person: str) -> None:
        """Somebody came to this process, or left it."""
        if self.tables.has_lobby:
            self.friends.moved(person)
        elif self.tables.cluster:
            here = person in self.hub.here
            self.tables.cluster.tell_lobby(PeopleMoved([person] if here else [], [] if here else [person]))

    def missed(self, table: str, people: Sequence[str]) -> None:
        """These people have not come to a table where places were kept for them."""
        if self.tables.has_lobby:
            self.seeks.missed(table, people)
        elif self.tables.cluster:
            self.tables.cluster.tell_lobby(NoShows(table, [*people]))

    # What other members tell the lobby owner

    async def people_moved(self, member: int, notice: PeopleMoved) -> None:
        """People have come to another member, or left it."""
        known = self.tables.elsewhere.setdefault(member, set())
        before = {*known}
        if notice.whole:
            known.clear()
        known.difference_update(notice.left)
        known.update(notice.came)
        for person in before ^ known:
            self.friends.moved(person)
        for person in known - before:
            self.challenges.tell_elsewhere(person)

    def drop_member(self, member: int) -> None:
        """A member is gone, and so are its connections."""
        for person in self.tables.elsewhere.pop(member, set()):
            self.friends.moved(person)

    def listed_elsewhere(self, tables: set[str]) -> None:
        """Summaries of other members' tables have changed."""
        self.board.dirty |= tables
        if self.board.dirty:
            self.hall.touched()

    # What tables tell (`Watcher`)

    def changed(self, table: Table) -> None:
        """Something has happened at a table."""
        self.missing.note(table)
        self.hosts.note(table)
        self.board.touch(table)
        if self.board.dirty:
            self.hall.touched()

    def sat_down(self, people: Sequence[str]) -> None:
        """These people have sat down at a table."""
        if self.tables.cluster and not self.tables.has_lobby:
            self.tables.cluster.tell_lobby(SatDown([*people]))
        for person in people:
            self.seeks.sat_down(person)
