"""Routing of requests within a cluster, and requests between members.

A request about a table goes to the table's owner; almost every other API request goes to the lobby owner.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Protocol

import msgspec

from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.cluster.errors import (
    NOT_OWNER_HEADER,
    NOT_OWNER_STATUS,
    MemberUnreachableError,
    NotOwnerError,
    OutcomeUnknownError,
)
from diamonds.server.cluster.notices import (
    NOTICES_PATH,
    PING_PATH,
    ChallengesChanged,
    MatchOver,
    MatchTableDone,
    NoShows,
    PeopleSeated,
    PersonChanged,
    PresenceChanged,
    PushRecheck,
    SummariesChanged,
    TurnsChanged,
)
from diamonds.server.http.asgi_helpers import MAX_RECORD_BYTES, Receive, Send, receive_body, send_json
from diamonds.server.http.asgi_routes import retry_frame
from diamonds.server.http.connection_limits import ConnectionLimiter
from diamonds.server.http.moved_connections import ConnectionMover
from diamonds.server.http.network_addresses import Scope
from diamonds.server.lobby.summaries import RemoteSummaries, SummaryReporter
from diamonds.server.storage.cluster import LOBBY
from diamonds.server.storage.commit_outcomes import StoreUnavailableError, has_committed
from diamonds.server.tables.actions import OWNER_ACTION_PATH

if TYPE_CHECKING:
    from diamonds.server.cluster.cluster import Cluster
    from diamonds.server.http.identity import IdentityService
    from diamonds.server.lobby.service import LobbyService
    from diamonds.server.notifications.push_scheduler import PushScheduler
    from diamonds.server.notifications.turn_feed import TurnFeedHub
    from diamonds.server.tables.matches import MatchService
    from diamonds.server.tables.service import TableService

LOCAL_PATHS = ("/api/health", "/api/ready", "/api/schema")  # every member answers these itself
TABLES_PREFIX = "/api/tables/"
LOBBY_OWNER_SUFFIXES = ("block", "report", "review")  # table routes that the lobby owner answers
STREAM_SUFFIXES = ("/stream", "/api/lobby", "/api/turns")
INTERNAL_PREFIX = "/internal/"
ADMIN_PATH = "/internal/admin"
OWNER_WAIT_S = 6.0  # time limit of the search for a table's owner
RETRY_DELAY_S = 0.02  # about as long as the database needs to notice that a process was killed

log = logging.getLogger("diamonds")
_table_command_decoder = msgspec.json.Decoder(tuple[str, str, str])


class ClusterRoutesDependencies(Protocol):
    """The part of the application (`DiamondsApp`) that cluster routes need."""

    connection_limiter: ConnectionLimiter
    tables: TableService
    lobby: LobbyService
    matches: MatchService
    turns: TurnFeedHub
    push_scheduler: PushScheduler
    identities: IdentityService

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None: ...

    def review_names(self) -> None: ...

    async def handle_admin_request(self, line: bytes) -> bytes: ...


def resource_of(method: str, path: str) -> tuple[str, bool]:
    """Return the resource of a request (empty if any member may answer), and whether the request only reads."""
    if not path.startswith("/api/") or path.startswith(LOCAL_PATHS):
        return "", False
    if path.startswith(TABLES_PREFIX):
        id, _, action = path[len(TABLES_PREFIX) :].partition("/")
        if action not in LOBBY_OWNER_SUFFIXES:
            return id, method in ("GET", "HEAD") and action != "stream"
    return LOBBY, False


class ClusterRoutes:
    """A router of requests to the members that answer them, and a handler of other members' notices."""

    def __init__(self, app: ClusterRoutesDependencies, cluster: Cluster) -> None:
        self.app, self.cluster = app, cluster
        self.mover = ConnectionMover()
        self.summary_reporter = SummaryReporter(app.tables, cluster)
        self.remote_summaries = RemoteSummaries(app.tables.remote_summaries, app.lobby.on_summaries_change)
        cluster.on_lobby_owner_change = self._on_lobby_owner_change
        cluster.on_rejoin = self._on_rejoin
        cluster.on_tables_lost = app.tables.release_tables
        cluster.on_server_time = app.tables.clocks.advance_to
        cluster.on_takeover = app.tables.adopt_tables
        cluster.on_member_death = self._on_member_death
        cluster.on_handover = self.hand_over
        app.tables.registry.on_evict = self._on_evicted
        self._tasks = BackgroundTasks()
        cluster.notices.handlers = {
            PersonChanged: self._on_person_changed,
            PresenceChanged: app.lobby.on_presence_notice,
            SummariesChanged: self.remote_summaries.receive,
            PeopleSeated: self._on_people_seated,
            NoShows: self._on_no_shows,
            TurnsChanged: app.turns.on_notice,
            PushRecheck: app.push_scheduler.on_notice,
            ChallengesChanged: app.lobby.challenges.on_notice,
            MatchTableDone: app.matches.on_table_done,
            MatchOver: app.matches.on_match_over,
        }

    async def open(self) -> None:
        """Start to serve in the cluster, and run the clocks of tables that no member owns."""
        await self.cluster.start()
        self.summary_reporter.open()
        self.app.turns.start()
        self.app.tables.clocks.resume(await self.cluster.claim_clocks())
        self.app.matches.resume()

    def close(self) -> None:
        """Stop the background tasks."""
        self.summary_reporter.close()
        self.app.turns.close()
        self.mover.close()
        self._tasks.cancel()

    # Requests

    async def route(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or have its resource's owner do so. Raise `DiamondsError` only if no response has begun."""
        sender = self.cluster.forwarder.accept(scope)
        has_committed.set(False)
        path: str = scope["path"]
        resource, reads = resource_of(scope["method"], path)
        if path.startswith(INTERNAL_PREFIX):
            await self._handle_internal(sender, scope, receive, send)
        elif not resource:
            await self.app.answer(scope, receive, send)
        elif sender:
            await self._answer_forwarded(sender, resource, reads, scope, receive, send)
        else:
            await self._answer_or_forward(resource, reads, scope, receive, send)

    async def _answer_forwarded(
        self, sender: int, resource: str, reads: bool, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer a request that another member forwarded, unless this member does not own the resource."""
        ownership = self.cluster.ownership
        if resource not in ownership.released and await ownership.locate(resource, reads) is None:
            self._count_request(resource, sender)
            with contextlib.suppress(NotOwnerError):
                await self.app.answer(scope, receive, send)
                return
        await send({"type": "http.response.start", "status": NOT_OWNER_STATUS, "headers": [(NOT_OWNER_HEADER, b"1")]})
        await send({"type": "http.response.body", "body": b""})

    async def _answer_or_forward(self, resource: str, reads: bool, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a client's request, or forward it to the owner. Try again until the owner is found."""
        body, loop = await receive_body(receive, MAX_RECORD_BYTES), asyncio.get_running_loop()
        deadline = loop.time() + OWNER_WAIT_S
        while loop.time() < deadline:
            owner = await self.cluster.ownership.locate(resource, reads)
            try:
                if owner is None:
                    self._count_request(resource, 0)
                    await self.app.answer(scope, replay_body(body, receive), send)
                elif not (self._may_move(resource, scope) and await self.mover.move(owner, scope, body, receive)):
                    await self.cluster.forwarder.forward(owner, scope, body, receive, send)
                return
            except NotOwnerError:
                self.cluster.ownership.forget_location(resource)
            except MemberUnreachableError:
                self.cluster.ownership.forget_location(resource)
                await asyncio.sleep(RETRY_DELAY_S)
            except OutcomeUnknownError:
                raise StoreUnavailableError from None
        raise StoreUnavailableError

    def _count_request(self, resource: str, sender: int) -> None:
        if resource != LOBBY:
            self.cluster.count_request(resource, sender)

    def _may_move(self, resource: str, scope: Scope) -> bool:
        """Return whether the next requests on a connection are likely to be about the same resource.

        A proxy shares its connections between all its clients, but never reuses one after a stream.
        """
        is_stream = scope["path"].endswith(STREAM_SUFFIXES)
        return is_stream or (resource != LOBBY and not self.app.connection_limiter.proxies)

    # Requests between members

    async def _handle_internal(self, sender: int, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if not sender:
            await send_json(send, 404, b"{}")
            return
        body = await receive_body(receive, MAX_RECORD_BYTES)
        response = b"null"
        if path == PING_PATH:
            response = b"%d" % self.app.tables.clocks.now()
        elif path == NOTICES_PATH:
            await self.cluster.notices.receive(sender, body)
        elif path == OWNER_ACTION_PATH:
            await self.app.tables.actions.run_owner_action(*_table_command_decoder.decode(body))
        elif path == ADMIN_PATH:
            response = await self.app.handle_admin_request(body)
        else:
            await send_json(send, 404, b"{}")
            return
        await send_json(send, 200, response)

    async def _on_lobby_owner_change(self) -> None:
        """Take over or give up the lobby."""
        app = self.app
        app.lobby.challenges.forget_remote()
        if self.cluster.owns_lobby:
            await app.tables.sanctions.refresh()
            app.identities.invalidate()
            await app.push_scheduler.resume_pending()
            app.lobby.lobby_hub.schedule_flush()
            app.review_names()
            app.matches.advance_all()
        else:
            self.remote_summaries.clear()
            app.tables.connected_elsewhere.clear()
            app.lobby.hand_over(retry_frame())
            self._report_to_lobby_owner()

    def _report_to_lobby_owner(self) -> None:
        people = [*self.app.tables.streams.connected_people]
        self.cluster.notify_lobby_owner(PresenceChanged(people, is_complete=True))
        self.summary_reporter.send_all()
        # The former owner may have died without handling the end of a game in a match.
        for table in self.app.tables.registry.all():
            self.app.matches.on_change(table)

    async def _on_rejoin(self, is_new: bool) -> None:
        """Catch up with the other members after a lost session.

        If they considered this member dead, they have sent it no notices meanwhile, and it has a new number.
        """
        if is_new:
            self.app.identities.invalidate()
            self.app.tables.relationships.invalidate()
            await self.app.tables.sanctions.refresh()
            self.app.tables.registry.forget_copies()
        if not self.cluster.owns_lobby:
            self._report_to_lobby_owner()

    def _on_member_death(self, number: int) -> None:
        self.app.tables.registry.forget_copies()
        self.remote_summaries.drop_member(number)
        self.app.lobby.drop_member(number)
        self.app.matches.advance_all()

    def _on_evicted(self, table: str) -> None:
        """Release a table that was evicted from memory, unless its clocks run here."""
        self.summary_reporter.mark_dirty(table)
        if not self.app.tables.clocks.flag_timer.is_running(table) and self.cluster.owns(table):
            self._tasks.start(self._release(table))

    async def hand_over(self, table: str) -> None:
        """Give up a table whose requests all arrive at another member."""
        if await self.app.tables.hand_over_table(table, retry_frame):
            await self._release(table)

    async def _release(self, table: str) -> None:
        try:
            await self.cluster.ownership.release(table)
        except StoreUnavailableError:
            log.warning("Table not released: the database is unavailable.")

    async def _on_person_changed(self, _: int, notice: PersonChanged) -> None:
        app, person = self.app, notice.person
        app.identities.invalidate()
        app.tables.relationships.invalidate()
        await app.tables.sanctions.refresh()
        if notice.merged:
            await app.tables.reload_people([person], notice.tables)
        else:
            await app.tables.withdraw_name(person)
            await app.tables.refresh_viewer(person)
        app.lobby.on_sanctions_change(person)

    async def _on_people_seated(self, _: int, notice: PeopleSeated) -> None:
        for person in notice.people:
            self.app.lobby.seeks.on_seated(person)

    async def _on_no_shows(self, _: int, notice: NoShows) -> None:
        self.app.lobby.seeks.on_no_shows(notice.table, notice.people)


def replay_body(body: bytes, receive: Receive) -> Receive:
    """Return a `Receive` that yields a body that was already read, then whatever follows."""
    is_replayed = False

    async def receive_replayed() -> dict[str, object]:
        nonlocal is_replayed
        if is_replayed:
            return await receive()
        is_replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_replayed
