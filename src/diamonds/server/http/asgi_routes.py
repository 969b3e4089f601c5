"""ASGI routes, without a framework: answers and streams."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

import msgspec

from diamonds.errors import DiamondsError
from diamonds.server.api import tables as messages
from diamonds.server.cluster.errors import NotOwnerError
from diamonds.server.errors import UnauthenticatedError
from diamonds.server.http.asgi_helpers import (
    API_CSP_HEADER,
    Receive,
    Send,
    check_content_type,
    decode,
    error_response,
    read_body,
    request_language,
    send_json,
)
from diamonds.server.http.identity import IdentityService
from diamonds.server.http.network_addresses import Scope, client_network
from diamonds.server.http.rate_limits import ConcurrencyLimiter, PerAddressQueue, RateLimiter, RateLimitSettings
from diamonds.server.lobby.service import LobbyService
from diamonds.server.notifications.turn_feed import TurnFeedHub, TurnStream
from diamonds.server.people.sanctions import closed_notice
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.service import TableService
from diamonds.server.tables.streams import SseConnection, TableStream

SSE_RETRY_MS = 2000  # delay before a browser reconnects
RECONNECT_SPREAD_MS = (200, 1200)  # random delay after the server closes a stream, to avoid a reconnect storm
PRESENCE_DEBOUNCE_S = 0.25  # connections and disconnections within this time share one update

STREAM_HEADERS = (
    API_CSP_HEADER,
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)

_answers_decoder = msgspec.json.Decoder(messages.AnswersRequest)


class AsgiRoutes:
    """The routes for answers and streams."""

    def __init__(
        self,
        tables: TableService,
        lobby: LobbyService,
        turns: TurnFeedHub,
        identities: IdentityService,
        limits: RateLimitSettings,
        proxies: int,
    ) -> None:
        self.tables = tables
        self.lobby = lobby
        self.turns = turns
        self.identities = identities
        self.limits = limits
        self.proxies = proxies
        self.rate_limiter = RateLimiter()
        self.open_streams = ConcurrencyLimiter()
        self.address_queue = PerAddressQueue()

    def charge_new_guest(self, scope: Scope) -> None:
        """Charge an address for a new identity. Raise `RateLimitedError` if it has had too many."""
        self.rate_limiter.acquire(
            "guests", client_network(scope, self.proxies), self.limits.guests, "server-many-guests"
        )

    async def answers(self, scope: Scope, receive: Receive, send: Send, id: str) -> None:
        """`POST /api/tables/ID/answers`: play answers."""
        counters, started_at = self.tables.counters, time.perf_counter()
        try:
            person = await self.identities.require(scope)
            self.rate_limiter.acquire("answers", person, self.limits.answers, "server-many-answers")
            check_content_type(scope)
            body = decode(_answers_decoder, await read_body(receive))
            response = await self.tables.actions.answer(await self.tables.find(id, person), person, body)
        except NotOwnerError:
            raise  # `ClusterRoutes` sends the request to the owner
        except DiamondsError as error:
            counters.refused_answers += 1
            await send_json(send, *error_response(error, request_language(scope)))
        else:
            await send_json(send, 200, response)
            counters.reply.add(time.perf_counter() - started_at)

    async def table_stream(self, scope: Scope, receive: Receive, send: Send, id: str) -> None:
        """`GET /api/tables/ID/stream`: a `TableUpdate` now and after every change."""

        async def open_table_stream(person: str) -> SseConnection:
            table, blocked = await self.tables.find(id, person), await self.tables.blocked_by(person)
            if person == table.host:
                table.presence.host_address = client_network(scope, self.proxies)
            return TableStream(table, person, known_n(_last_event_version(scope)), send, blocked)

        await self._serve_stream(scope, receive, send, open_table_stream)

    async def lobby_stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`GET /api/lobby`: a full `LobbyUpdate` now, then each change."""

        async def open_lobby_stream(person: str) -> SseConnection:
            return self.lobby.open_stream(_query_value(scope, "game"), person, send)

        await self._serve_stream(scope, receive, send, open_lobby_stream)

    async def turn_stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`GET /api/turns`: `TurnFeedUpdate`s, which browsers also get on their other streams."""

        async def open_turn_stream(person: str) -> SseConnection:
            if not person:
                raise UnauthenticatedError("server-who-are-you")
            return self.turns.open(person, send)

        await self._serve_stream(scope, receive, send, open_turn_stream)

    async def _serve_stream(
        self, scope: Scope, receive: Receive, send: Send, open_stream: Callable[[str], Awaitable[SseConnection]]
    ) -> None:
        """Serve a stream until the client disconnects."""
        try:
            person, by_cookie = await self.identities.identify(scope)
            self.identities.check_not_banned(person)
            address = client_network(scope, self.proxies)
            self.rate_limiter.acquire_pair("looks", person, address, self.limits.table_views, "server-many-table-views")
            await self.address_queue.wait_turn(address)
            stream = await open_stream(person)
            self.open_streams.enter("address", address, self.limits.streams_per_address, "server-many-streams")
            try:
                self.open_streams.enter(
                    "person", person or address, self.limits.streams_per_person, "server-many-streams"
                )
            except DiamondsError:
                self.open_streams.leave("address", address)
                raise
        except DiamondsError as error:
            await send_json(send, *error_response(error, request_language(scope)))
            return
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        await send({"type": "http.response.body", "body": b"retry: %d\n\n" % SSE_RETRY_MS, "more_body": True})
        slot = self.tables.streams.add(stream)
        if self._is_cut_off(stream):
            stream.close()  # the client reconnects and reaches the new owner
        stream.notice = self.tables.sanctions.notice(person)
        if isinstance(stream, TableStream):
            stream.notice += closed_notice(stream.table.seating.moderators_reason)
        try:
            if person and (by_cookie or isinstance(stream, TurnStream)):
                await self.turns.add_stream(stream)
            stream.notify()
            self.note_presence(stream)
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self.tables.streams.remove(stream, slot)
            self.turns.remove_stream(stream)
            self.open_streams.leave("address", address)
            self.open_streams.leave("person", person or address)
            self.note_presence(stream)

    def _is_cut_off(self, stream: SseConnection) -> bool:
        """Return whether the stream gets no updates, because this process gave up its table or the lobby meanwhile."""
        if isinstance(stream, TableStream):
            return self.tables.registry.get(stream.table.id) is not stream.table
        return not self.tables.has_lobby

    def note_presence(self, stream: SseConnection) -> None:
        """Publish the presence at a table soon, in one update for everyone who comes or goes."""
        if not isinstance(stream, TableStream):
            return
        table = stream.table
        if stream.seat >= 0:
            table.presence.last_seen[stream.seat] = time.monotonic()
        table.presence.last_access = time.monotonic()
        if not table.presence.presence_update_due:
            table.presence.presence_update_due = True
            asyncio.get_running_loop().call_later(PRESENCE_DEBOUNCE_S, self._publish_presence, table)

    def _publish_presence(self, table: Table) -> None:
        table.presence.presence_update_due = False
        self.tables.touch(table)


def retry_frame() -> bytes:
    """Return the last frame of a stream that the server closes: a random reconnect delay."""
    return b"retry: %d\n\n" % random.randint(*RECONNECT_SPREAD_MS)


def known_n(version: int | None) -> int | None:
    """Return the n up to which a client with this version knows the events; `None` if it may know nothing.

    At n = 0 this is uncertain: a table waits at n = 0 for its first deal, which does not increase n. So the events are
    sent again.
    """
    return None if version is None else version >> 32 or None


def _last_event_version(scope: Scope) -> int | None:
    """Return the last version the client received, from `Last-Event-ID` or `?after=`; `None` on first load."""
    text = ""
    for name, value in scope["headers"]:
        if name == b"last-event-id":
            text = value.decode("latin-1")
    text = text or _query_value(scope, "after")
    if not text.isascii() or not text.isdecimal() or len(text) > 16:
        return None
    return int(text)


def _query_value(scope: Scope, name: str) -> str:
    """Return the raw value of a query parameter; empty if it is missing."""
    for part in scope["query_string"].decode("latin-1").split("&"):
        key, _, value = part.partition("=")
        if key == name:
            return str(value)
    return ""
