"""Making tables: new ones, the next game of the same people, a game that is played on, one from elsewhere; and the list of those there are."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from diamonds import deals
from diamonds.game import Illegal, Unknown
from diamonds.server.api import messages
from diamonds.server.api.encoding import encode
from diamonds.server.api.refusals import Forbidden, Stale
from diamonds.server.api.summaries import TableSummary
from diamonds.server.house.called import names
from diamonds.server.house.lobby import (
    damaged_line,
    has_waited_in_vain,
    is_listed,
    open_line,
    owes,
    read_line,
    table_as_asked,
    table_line,
    table_to_keep,
    table_to_play_again,
    table_to_play_on,
)
from diamonds.server.house.shelf import Shelf
from diamonds.server.store.contract import AS_BEFORE, Change, Listed, Store
from diamonds.server.table.header import Header
from diamonds.server.table.places import Places
from diamonds.server.table.table import Table
from diamonds.server.work.history import Archive
from diamonds.server.work.players import BotsAtTable

LOBBY = 100  # tables in a list

Post = messages.NewTable | messages.PlayOn | messages.Again | messages.Keep

log = logging.getLogger("diamonds")


class Desk(Protocol):
    """What is asked of whoever runs the tables."""

    store: Store
    shelf: Shelf
    bots: BotsAtTable
    archive: Archive
    summaries: dict[str, TableSummary]

    async def find(self, id: str, person: str) -> Table:
        """A table that this person may look at."""
        ...

    def changed(self, table: Table, look: bool = True) -> None:
        """Something besides the game changed: tell every reader."""
        ...

    async def commit(self, table: Table | None, change: Change) -> bytes | None:
        """Make it durable."""
        ...

    async def once(
        self, what: str, table: Table | None, person: str, post: Post, do: Callable[[Change], Awaitable[bytes]]
    ) -> bytes:
        """Do what a POST asks for, in the table's turn, if that has not been done before."""
        ...


def _new_id() -> str:
    """The name of a new table: with a hyphen first a command would take it for an option, with one last a link might lose it."""
    while (id := secrets.token_urlsafe(9)) != id.strip("-"):
        pass
    return id


class Making:
    """Whoever makes tables, and lists them."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def make(self, person: str, body: messages.NewTable) -> bytes:
        """A new table: its secret is fixed now, before anyone sits. Returns the reply, a `Made`."""

        async def make_it(change: Change) -> bytes:
            return await self._create(change, *table_as_asked(body, person))

        return await self.desk.once("make", None, person, body, make_it)

    async def set_up(self, header: Header, places: Places) -> str:
        """A table that the house makes for people who are to meet there; returns its id."""
        id = _new_id()
        await self._create(Change(person=header.host), header, places, id=id)
        return id

    async def fork(self, table: Table, person: str, body: messages.PlayOn) -> bytes:
        """A private table that plays on from a moment of a finished game, with its cards. Returns the reply, a `Made`."""

        async def make_it(change: Change) -> bytes:
            return await self._create(change, *table_to_play_on(table, body, person))

        return await self.desk.once(f"fork {table.id}", None, person, body, make_it)

    async def keep(self, id: str, person: str, body: messages.Keep) -> bytes:
        """A private table with the finished game of a record that was opened. Returns the reply, a `Made`."""
        made = table_to_keep(await self.desk.archive.bring(id, person), person)

        async def make_it(change: Change) -> bytes:
            return await self._create(change, *made, phase="over")

        return await self.desk.once(f"keep {id}", None, person, body, make_it)

    async def again(self, table: Table, person: str, body: messages.Again) -> bytes:
        """The table of the same people's next game: whoever asks first makes it. Returns the reply, a `Made`."""
        return await self.desk.once(f"again {table.id}", table, person, body, lambda change: self._again(table, change))

    async def _again(self, table: Table, change: Change) -> bytes:
        """Its name is written down first, and it is told of last: however often this is cut short, there is one such table."""
        if not table.over:
            raise Illegal("table-again-not-over")
        if table.seat_of(change.person) < 0:
            raise Forbidden("table-no-seat")
        made = table_to_play_again(table, change.person)
        if not table.places.again:
            await self._name_the_next(table, change.person)
        try:
            following = await self.desk.shelf.find(table.places.again)
        except Unknown:
            reply = await self._create(change, *made, id=table.places.again)
            self.desk.changed(table)
            return reply
        return encode(messages.Made(following.id, "", deals.commitment(following.play.secret)))

    async def _name_the_next(self, table: Table, person: str) -> None:
        places = table.copy_of_places()
        places.again = _new_id()
        change = Change(
            table=table.id, person=person, places=encode(places), revision=table.revision, phase=table.phase
        )
        try:
            await self.desk.commit(table, change)
        except Stale:
            if not table.places.again:  # another process has, and that table is as good
                raise
        else:
            table.places = places
            table.revision += 1

    async def _create(
        self,
        change: Change,
        header: Header,
        places: Places,
        entries: tuple[tuple[int, str], ...] = (),
        id: str = "",
        phase: str = "playing",
    ) -> bytes:
        if places.taken:
            places.fix()
        id = id or _new_id()
        reply = encode(messages.Made(id, header.invite, deals.commitment(bytes.fromhex(header.secret))))
        change = change._replace(
            table=id,
            reply=reply,
            header=encode(header),
            public=not header.private,
            created=header.created,
            places=encode(places),
            members=tuple(dict.fromkeys([change.person, *(place.person for place in places.seats if place.person)])),
            entries=entries,
            at=int(header.created * 1000),
            phase=phase if places.nonces else "waiting",
            asked=AS_BEFORE if header.clock or not places.nonces else 0,  # it is one person's, or nobody's
        )
        earlier = await self.desk.commit(None, change)
        if earlier is not None:
            return earlier
        log.info("A table is made.", extra={"game": header.game, "seats": header.seats})
        if self.desk.shelf.owns(id):  # in a cluster a new table has no owner yet
            self.desk.bots.look(await self.desk.find(id, change.person))
        return reply

    async def lobby(self, person: str) -> messages.Lobby:
        """Public tables where there is something to join or watch, and one's own; of those that are damaged only one's own."""
        found = await self.desk.store.mine(person, LOBBY)
        mine = [line for line in found if not has_waited_in_vain(line, self.desk.shelf.get(line.table))]
        playing = {line.table: line for line in await self.desk.store.playing(person)}
        read = {line.table: read_line(line) for line in mine if line.table not in self.desk.shelf.damaged}
        seats = (place for found in read.values() if found for place in found[1].seats)
        called = await names(self.desk.store, {place.person for place in seats if place.person})

        def told(line: Listed) -> messages.TableLine:
            known, summary = read.get(line.table), self.desk.summaries.get(line.table)
            if known and summary:
                turn = line.phase == "playing" and owes(person, known[1], playing.get(line.table))
                return msgspec.structs.replace(summary.line, turn=turn)
            return (
                table_line(line, known, called, self.desk.shelf.get(line.table), person, playing.get(line.table))
                if known
                else damaged_line(line)
            )

        public = [open_line(table, person) for table in self.desk.shelf.all() if is_listed(table)]
        public += [summary.line for summary in self.desk.summaries.values() if summary.listed]
        public.sort(key=lambda line: line.created, reverse=True)
        return messages.Lobby(public[:LOBBY], [told(line) for line in mine])
