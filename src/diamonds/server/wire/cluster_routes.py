"""Where a request is answered in a cluster, and what members ask of each other.

A request about a table goes to the table's owner; every other API request goes to the lobby owner.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

import msgspec

from diamonds.game import Refused
from diamonds.server.cluster.errors import MOVED, MOVED_HEADER, LostError, MovedError, UnreachableError
from diamonds.server.cluster.notices import (
    NOTICES,
    PING,
    Challenged,
    NoShows,
    PeopleMoved,
    PersonChanged,
    PushesDue,
    SatDown,
    TablesListed,
    TurnsChanged,
)
from diamonds.server.house.tables import ORDER
from diamonds.server.meeting.summaries import SummaryList, SummaryReporter
from diamonds.server.store import cluster_sql
from diamonds.server.store.cluster_sql import LOBBY
from diamonds.server.store.contract import Unavailable
from diamonds.server.wire.addresses import Scope
from diamonds.server.wire.http import MAX_RECORD, Receive, Send, TooLarge, language_of, problem, reply
from diamonds.server.wire.live import come_back

if TYPE_CHECKING:
    from diamonds.server.cluster.cluster import Cluster
    from diamonds.server.house.tables import Tables
    from diamonds.server.meeting.meeting import Meeting
    from diamonds.server.reminding.calls import Calls
    from diamonds.server.reminding.turns import Turns
    from diamonds.server.wire.people import People

LOCAL = ("/api/health", "/api/ready", "/api/schema")  # every member answers these itself
TABLES = "/api/tables/"
OF_THE_LOBBY = ("block", "report", "review")  # among the routes of a table
INTERNAL = "/internal/"
OFFICE = "/internal/office"
PATIENCE_S = 6.0  # while an owner is looked for
RETRY_DELAY_S = 0.1

log = logging.getLogger("diamonds")
_order = msgspec.json.Decoder(tuple[str, str, str])


class GoneError(Exception):
    """The client has gone."""


class Application(Protocol):
    """The parts of the application (`App`) that other members have to do with."""

    tables: Tables
    meeting: Meeting
    turns: Turns
    calls: Calls
    people: People

    def review_names(self) -> None:
        """Look for names of accounts that would be refused today."""
        ...

    async def answer_office(self, line: bytes) -> bytes:
        """Answer what is asked on the machine itself."""
        ...


def resource_of(method: str, path: str) -> tuple[str, bool]:
    """Return what a request is about, empty if any member may answer, and whether it only reads."""
    if not path.startswith("/api/") or path.startswith(LOCAL):
        return "", False
    if path.startswith(TABLES):
        id, _, what = path[len(TABLES) :].partition("/")
        if what not in OF_THE_LOBBY:
            return id, method in ("GET", "HEAD") and what != "stream"
    return LOBBY, False


class ClusterRoutes:
    """Routes requests to the members that answer them, and acts upon what other members say."""

    def __init__(self, app: Application, cluster: Cluster) -> None:
        self.app, self.cluster = app, cluster
        self.reporter = SummaryReporter(app.tables, cluster)
        self.list = SummaryList(app.tables.summaries, app.meeting.listed_elsewhere)
        cluster.on_lobby = self._lobby_moved
        cluster.on_lost = app.tables.let_go
        cluster.on_time = app.tables.clocks.be_no_earlier
        cluster.on_taken = app.tables.take_over
        cluster.on_death = self._drop_member
        cluster.on_handover = lambda table: app.tables.hand_over(table, come_back)
        app.tables.shelf.dropped = self._dropped
        self._tasks: set[asyncio.Task[None]] = set()
        cluster.notices.handlers = {
            PersonChanged: self._person_changed,
            PeopleMoved: app.meeting.people_moved,
            TablesListed: self.list.receive,
            SatDown: self._sat_down,
            NoShows: self._no_shows,
            TurnsChanged: app.turns.heard,
            PushesDue: app.calls.heard,
            Challenged: app.meeting.challenges.heard,
        }

    async def open(self) -> None:
        """Take part in the cluster: clocks of tables that nobody plays run on here."""
        await self.cluster.start()
        self.reporter.open()
        self.app.turns.start()
        tables = await self.cluster.database.read(cluster_sql.unowned_clocks, None)
        await asyncio.gather(*map(self.cluster.ownership.locate, tables))
        mine = [table for table in tables if self.cluster.owns(table)]
        self.app.tables.clocks.go_on(await self.cluster.database.read(cluster_sql.clocks_of, mine))

    def close(self) -> None:
        """The server stops."""
        self.reporter.close()
        self.app.turns.close()
        for task in self._tasks:
            task.cancel()

    # Requests

    async def route(self, scope: Scope, receive: Receive, send: Send) -> Receive | None:
        """Have a request answered by another member if that owns what it is about. Returns ``None`` then; else from where this
        process reads the body."""
        sender = self.cluster.forwarder.accept(scope)
        path: str = scope["path"]
        try:
            if path.startswith(INTERNAL):
                await self._internal(sender, scope, receive, send)
                return None
            resource, reads = resource_of(scope["method"], path)
            if not resource:
                return receive
            if sender:
                return await self._for_another(sender, resource, reads, receive, send)
            return await self._find_owner(resource, reads, scope, receive, send)
        except GoneError:
            return None
        except Refused as refusal:
            await reply(send, *problem(refusal, language_of(scope)))
            return None

    async def _for_another(
        self, sender: int, resource: str, reads: bool, receive: Receive, send: Send
    ) -> Receive | None:
        """Answer what another member has forwarded, unless this one does not own it."""
        if await self.cluster.ownership.locate(resource, reads) is not None:
            await send({"type": "http.response.start", "status": MOVED, "headers": [(MOVED_HEADER, b"1")]})
            await send({"type": "http.response.body", "body": b""})
            return None
        if resource != LOBBY:
            self.cluster.count_request(resource, sender)
        return receive

    async def _find_owner(
        self, resource: str, reads: bool, scope: Scope, receive: Receive, send: Send
    ) -> Receive | None:
        loop = asyncio.get_running_loop()
        end, body = loop.time() + PATIENCE_S, None
        while loop.time() < end:
            owner = await self.cluster.ownership.locate(resource, reads)
            if owner is None:
                if resource != LOBBY:
                    self.cluster.count_request(resource, 0)
                return receive if body is None else replayed(body, receive)
            if body is None:
                body = await _whole(receive)
            try:
                await self.cluster.forwarder.forward(owner, scope, body, receive, send)
            except MovedError:
                self.cluster.ownership.forget_location(resource)
            except UnreachableError:
                self.cluster.ownership.forget_location(resource)
                await asyncio.sleep(RETRY_DELAY_S)
            except LostError:
                raise Unavailable from None
            else:
                return None
        raise Unavailable

    # Requests between members

    async def _internal(self, sender: int, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if not sender:
            await reply(send, 404, b"{}")
            return
        body = await _whole(receive)
        told = b"null"
        if path == PING:
            told = b"%d" % self.app.tables.clocks.now()
        elif path == NOTICES:
            await self.cluster.notices.receive(sender, body)
        elif path == ORDER:
            await self.app.tables.do_here(*_order.decode(body))
        elif path == OFFICE:
            told = await self.app.answer_office(body)
        else:
            await reply(send, 404, b"{}")
            return
        await reply(send, 200, told)

    async def _lobby_moved(self) -> None:
        """The lobby has another owner."""
        app = self.app
        app.meeting.challenges.forget_elsewhere()
        if self.cluster.has_lobby:
            await app.tables.standings.read()
            app.people.changed()
            await app.calls.take_over()
            app.meeting.hall.touched()
            app.review_names()
        else:
            self.list.clear()
            app.tables.elsewhere.clear()
            app.meeting.leave(come_back())
            self.cluster.tell_lobby(PeopleMoved([*app.tables.hub.here], whole=True))
            self.reporter.send_all()

    def _drop_member(self, number: int) -> None:
        self.app.tables.shelf.forget_copies()
        self.list.drop(number)
        self.app.meeting.drop_member(number)

    def _dropped(self, table: str) -> None:
        """Release a table that has left memory, unless its clocks run here."""
        self.reporter.touch(table)
        if not self.app.tables.clocks.flags.has(table) and self.cluster.owns(table):
            task = asyncio.get_running_loop().create_task(self._release(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _release(self, table: str) -> None:
        try:
            await self.cluster.ownership.release([table])
        except Unavailable:
            log.warning("A table is not released: the database is away.")

    async def _person_changed(self, _: int, notice: PersonChanged) -> None:
        app, person = self.app, notice.person
        app.people.changed()
        app.tables.around.changed()
        await app.tables.standings.read()
        if notice.merged:
            await app.tables.become_another([person], notice.tables)
        else:
            await app.tables.take_name(person)
            await app.tables.hear_anew(person)
        app.meeting.stands(person)

    async def _sat_down(self, _: int, notice: SatDown) -> None:
        for person in notice.people:
            self.app.meeting.seeks.sat_down(person)

    async def _no_shows(self, _: int, notice: NoShows) -> None:
        self.app.meeting.seeks.missed(notice.table, notice.people)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that has been read, and after it what comes then."""
    given = False

    async def again() -> dict[str, object]:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _whole(receive: Receive) -> bytes:
    """Read a request's body."""
    parts: list[bytes] = []
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise GoneError
        parts.append(event.get("body", b""))
        size += len(parts[-1])
        if size > MAX_RECORD + 1:
            raise TooLarge("server-too-large", most=MAX_RECORD)
        if not event.get("more_body"):
            return b"".join(parts)
