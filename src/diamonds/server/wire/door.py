"""The door: who comes in, and how long and how large a request may be, before anything is parsed or kept of it.

It is uvicorn's own protocol, which bounds none of this: a head without end would be put together piece by piece, ever
slower, and half a request would be waited for as long as its sender likes.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.server import ServerState

from diamonds import machine
from diamonds.server.api.refusals import TooMany
from diamonds.server.wire.addresses import network_of
from diamonds.server.wire.http import JSON, MAX_BODY, MAX_RECORD, RECORDS, lines, problem_json
from diamonds.server.wire.limits import Counters, Limits
from diamonds.words import Message

MAX_HEAD = 16_000  # bytes of a request's line and headers
MAX_REQUEST = 8 * MAX_BODY  # bytes of it all: one that comes in chunks is longer than its body
PIECE = 4_096  # bytes that are read at a time
AHEAD = 16  # requests that may wait on a connection for the one before them
HEAD_SECONDS = 10.0  # for a whole head, from the connection or from its first byte on
BODY_SECONDS = 15.0  # for the body after it
STALLED = 60.0  # seconds after which who takes nothing of a reply is let go
FILES = 200  # open files that are not connections: the store, processes that think, what is read meanwhile

TICKS = 10  # in a second; each connection is looked at in one of them

NOTHING, HEAD, BODY = 0, 1, 2  # which part of a request is not there yet


class Doorkeeper:
    """Counts who is in. Behind trusted proxies every connection is a proxy's, and only all together are counted."""

    def __init__(self, limits: Limits, proxies: int) -> None:
        self.limits = limits
        self.proxies = proxies
        self.inside = Counters()
        self.errors = {"4xx": 0, "5xx": 0}  # replies to what was not even a request
        files = machine.open_files()
        self.most = limits.connections if files is None else min(limits.connections, max(files - FILES, files // 2))

    @property
    def count(self) -> int:
        """How many are in."""
        return self.inside.count("all", "")

    def let_in(self, address: str) -> str:
        """One more connection; returns what it is counted under. `TooMany` if there is no room."""
        network = "" if self.proxies else network_of(address)
        self.inside.enter("all", "", self.most, "server-many-connections")
        try:
            if network:
                self.inside.enter("network", network, self.limits.connections_of_address, "server-many-connections")
        except TooMany:
            self.inside.leave("all", "")
            raise
        return network

    def let_in_member(self) -> None:
        """One more connection of another process of the server, for which there is always room."""
        self.inside.enter("all", "", sys.maxsize, "server-many-connections")

    def let_out(self, network: str) -> None:
        """One fewer."""
        self.inside.leave("all", "")
        if network:
            self.inside.leave("network", network)


class Door(HttpToolsProtocol):
    """One connection. The server's clock looks at it every second (`look_at_the_clock`); neither a request nor the quiet after it costs a timer."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.keeper: Doorkeeper = config.app.keeper  # type: ignore[union-attr]
        self.network: str | None = None  # under which it is counted; nobody came in yet
        self.replying: RequestResponseCycle | None = None  # to the first of the requests that are not done
        self.tick = id(self) // 64 % TICKS
        self.missing = HEAD
        self.most = MAX_REQUEST  # bytes of the request
        self.size = 0  # of the request so far, while it is not whole
        self.since = self.loop.time()  # when what is missing began to be waited for; 0: it is not
        self.full_since = 0.0  # when its reader stopped taking what is sent; 0: it takes it
        self.quiet_since = 0.0  # when the last reply was whole, and nothing has come since

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in, or say at once that there is no room."""
        peer = get_remote_addr(transport)
        try:
            self.network = self.keeper.let_in(peer[0] if peer else "?")
        except TooMany as refusal:
            self.transport = transport
            self._turn_away(b"503 Service Unavailable", refusal.message, b"retry-after: %d\r\n" % refusal.wait)
            return
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        if self.network is None:
            return
        self.keeper.let_out(self.network)
        self._unset_keepalive_if_required()
        if self.replying is not None and self.replying is not self.cycle:  # uvicorn tells only the last
            self.replying.disconnected = True
            self.replying.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self.replying = cycle
        super()._start_asgi_task(cycle, app)

    def _unset_keepalive_if_required(self) -> None:
        self.quiet_since = 0.0

    def on_response_complete(self) -> None:
        """A reply is whole: the next request has its turn, or is waited for."""
        if self.pipeline:
            super().on_response_complete()
            return
        self.server_state.total_requests += 1
        if not self.transport.is_closing():
            self.quiet_since = self.loop.time()
            self.flow.resume_reading()

    def on_message_begin(self) -> None:
        """A request's first byte."""
        self.missing, self.size, self.since = HEAD, 0, 0.0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self.missing, self.since = BODY, 0.0
        self.most = 2 * MAX_RECORD if self.url == RECORDS.encode() else MAX_REQUEST
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is whole; if the reply did not wait for that, the next one is waited for from now on."""
        self.missing = NOTHING
        if self.cycle is not None and self.cycle.response_complete:
            self.quiet_since = self.loop.time()
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        """Read on, in pieces so small that little can come of one."""
        if len(data) > PIECE:
            for at in range(0, len(data), PIECE):
                self.data_received(data[at : at + PIECE])
        elif not self.transport.is_closing():
            super().data_received(data)
            if self.missing or self.pipeline:
                self._measure(len(data))

    def _measure(self, more: int) -> None:
        """A request is not whole yet, or there are several: see that they stay within bounds."""
        self.size += more
        self.since = self.since or self.loop.time()
        if self.missing == HEAD and self.size > MAX_HEAD:
            if self.headers:
                self._turn_away(b"431 Request Header Fields Too Large", Message("server-headers-too-large"))
            else:
                self._turn_away(b"414 URI Too Long", Message("server-address-too-long"))
        elif self.size > self.most or len(self.pipeline) > AHEAD:
            self.transport.abort()

    def look_at_the_clock(self, now: float) -> None:
        """Let go of who sends too slowly, or takes too slowly."""
        if self.full_since and now - self.full_since > STALLED:
            self.transport.abort()
        elif self.transport.is_closing():
            self.full_since = self.full_since or now
        elif self.missing == NOTHING:
            quiet = self.cycle is not None and self.cycle.response_complete
            # Without a moment since when it is quiet, it sent something that begins no request.
            if quiet and not (self.quiet_since and now - self.quiet_since < self.timeout_keep_alive):
                self.transport.close()
        elif self.missing == HEAD and self.since and now - self.since > HEAD_SECONDS:
            self._turn_away(b"408 Request Timeout", Message("server-too-slow"))
        elif self.missing == BODY and self.since and now - self.since > BODY_SECONDS:
            self.transport.abort()

    def _turn_away(self, status: bytes, why: Message, more: bytes = b"") -> None:
        """Say so, in English, unless a reply is under way, and close."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return
        self.keeper.errors[f"{status[:1].decode()}xx"] += 1
        body = problem_json(why)
        kept = lines([*self.config.encoded_headers, *JSON])
        self.transport.write(
            b"HTTP/1.1 %b\r\n%b%bcontent-length: %d\r\nconnection: close\r\n\r\n%b"
            % (status, kept, more, len(body), body)
        )
        self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """See uvicorn: what was sent is no request."""
        self.keeper.errors["4xx"] += 1
        super().send_400_response(msg)

    def shutdown(self) -> None:
        """The server stops: half a request is not waited for, nor is a reader who takes nothing."""
        if self.missing == BODY or self.full_since:
            self.transport.abort()
        else:
            super().shutdown()

    def pause_writing(self) -> None:
        """Its reader takes nothing more for now."""
        self.full_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It takes again."""
        self.full_since = 0.0
        super().resume_writing()
