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

from diamonds import system
from diamonds.i18n import Message
from diamonds.server.errors import RateLimitedError
from diamonds.server.http.asgi import (
    JSON_HEADERS,
    MAX_BODY_BYTES,
    MAX_RECORD_BYTES,
    RECORDS_PATH,
    error_json,
    header_bytes,
)
from diamonds.server.http.hosts import network_of
from diamonds.server.http.rate_limits import OpenCounts, RateLimitSettings

MAX_HEAD_BYTES = 16_000  # bytes of a request's line and headers
MAX_REQUEST_BYTES = 8 * MAX_BODY_BYTES  # bytes of it all: one that comes in chunks is longer than its body
READ_BYTES = 4_096  # bytes that are read at a time
MAX_PIPELINED = 16  # requests that may wait on a connection for the one before them
HEAD_TIMEOUT_S = 10.0  # for a whole head, from the connection or from its first byte on
BODY_TIMEOUT_S = 15.0  # for the body after it
STALL_TIMEOUT_S = 60.0  # seconds after which who takes nothing of a reply is let go
RESERVED_FILES = 200  # open files that are not connections: the store, processes that think, what is read meanwhile

TICKS_PER_S = 10  # in a second; each connection is looked at in one of them

NONE_MISSING, HEAD_MISSING, BODY_MISSING = 0, 1, 2  # which part of a request is not there yet


class ConnectionLimiter:
    """Counts who is in. Behind trusted proxies every connection is a proxy's, and only all together are counted."""

    def __init__(self, limits: RateLimitSettings, proxies: int) -> None:
        self.limits = limits
        self.proxies = proxies
        self.open_counts = OpenCounts()
        self.errors = {"4xx": 0, "5xx": 0}  # replies to what was not even a request
        files = system.open_file_limit()
        self.max_connections = (
            limits.connections if files is None else min(limits.connections, max(files - RESERVED_FILES, files // 2))
        )

    @property
    def count(self) -> int:
        """How many are in."""
        return self.open_counts.count("all", "")

    def accept(self, address: str) -> str:
        """One more connection; returns what it is counted under. `RateLimitedError` if there is no room."""
        network = "" if self.proxies else network_of(address)
        self.open_counts.enter("all", "", self.max_connections, "server-many-connections")
        try:
            if network:
                self.open_counts.enter(
                    "network", network, self.limits.connections_per_address, "server-many-connections"
                )
        except RateLimitedError:
            self.open_counts.leave("all", "")
            raise
        return network

    def accept_member(self) -> None:
        """One more connection of another process of the server, for which there is always room."""
        self.open_counts.enter("all", "", sys.maxsize, "server-many-connections")

    def release(self, network: str) -> None:
        """One fewer."""
        self.open_counts.leave("all", "")
        if network:
            self.open_counts.leave("network", network)


class HttpConnection(HttpToolsProtocol):
    """One connection. The server's clock looks at it every second (`check_timeouts`); neither a request nor the quiet after it costs a timer."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.limiter: ConnectionLimiter = config.app.connection_limiter  # type: ignore[union-attr]
        self.network: str | None = None  # under which it is counted; nobody came in yet
        self.replying: RequestResponseCycle | None = None  # to the first of the requests that are not done
        self.tick = id(self) // 64 % TICKS_PER_S
        self.missing_part = HEAD_MISSING
        self.max_bytes = MAX_REQUEST_BYTES  # bytes of the request
        self.received_bytes = 0  # of the request so far, while it is not whole
        self.part_started_at = self.loop.time()  # when what is missing began to be waited for; 0: it is not
        self.stalled_since = 0.0  # when its reader stopped taking what is sent; 0: it takes it
        self.idle_since = 0.0  # when the last reply was whole, and nothing has come since

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in, or say at once that there is no room."""
        peer = get_remote_addr(transport)
        try:
            self.network = self.limiter.accept(peer[0] if peer else "?")
        except RateLimitedError as error:
            self.transport = transport
            self._reject(b"503 Service Unavailable", error.message, b"retry-after: %d\r\n" % error.retry_after_s)
            return
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        if self.network is None:
            return
        self.limiter.release(self.network)
        self._unset_keepalive_if_required()
        if self.replying is not None and self.replying is not self.cycle:  # uvicorn tells only the last
            self.replying.disconnected = True
            self.replying.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self.replying = cycle
        super()._start_asgi_task(cycle, app)

    def _unset_keepalive_if_required(self) -> None:
        self.idle_since = 0.0

    def on_response_complete(self) -> None:
        """A reply is whole: the next request has its turn, or is waited for."""
        if self.pipeline:
            super().on_response_complete()
            return
        self.server_state.total_requests += 1
        if not self.transport.is_closing():
            self.idle_since = self.loop.time()
            self.flow.resume_reading()

    def on_message_begin(self) -> None:
        """A request's first byte."""
        self.missing_part, self.received_bytes, self.part_started_at = HEAD_MISSING, 0, 0.0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self.missing_part, self.part_started_at = BODY_MISSING, 0.0
        self.max_bytes = 2 * MAX_RECORD_BYTES if self.url == RECORDS_PATH.encode() else MAX_REQUEST_BYTES
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is whole; if the reply did not wait for that, the next one is waited for from now on."""
        self.missing_part = NONE_MISSING
        if self.cycle is not None and self.cycle.response_complete:
            self.idle_since = self.loop.time()
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        """Read on, in pieces so small that little can come of one."""
        if len(data) > READ_BYTES:
            for at in range(0, len(data), READ_BYTES):
                self.data_received(data[at : at + READ_BYTES])
        elif not self.transport.is_closing():
            super().data_received(data)
            if self.missing_part or self.pipeline:
                self._check_size(len(data))

    def _check_size(self, byte_count: int) -> None:
        """A request is not whole yet, or there are several: see that they stay within bounds."""
        self.received_bytes += byte_count
        self.part_started_at = self.part_started_at or self.loop.time()
        if self.missing_part == HEAD_MISSING and self.received_bytes > MAX_HEAD_BYTES:
            if self.headers:
                self._reject(b"431 Request Header Fields Too Large", Message("server-headers-too-large"))
            else:
                self._reject(b"414 URI Too Long", Message("server-address-too-long"))
        elif self.received_bytes > self.max_bytes or len(self.pipeline) > MAX_PIPELINED:
            self.transport.abort()

    def check_timeouts(self, now: float) -> None:
        """Let go of who sends too slowly, or takes too slowly."""
        if self.stalled_since and now - self.stalled_since > STALL_TIMEOUT_S:
            self.transport.abort()
        elif self.transport.is_closing():
            self.stalled_since = self.stalled_since or now
        elif self.missing_part == NONE_MISSING:
            is_idle = self.cycle is not None and self.cycle.response_complete
            # Without a moment since when it is quiet, it sent something that begins no request.
            if is_idle and not (self.idle_since and now - self.idle_since < self.timeout_keep_alive):
                self.transport.close()
        elif self.missing_part == HEAD_MISSING and self.part_started_at and now - self.part_started_at > HEAD_TIMEOUT_S:
            self._reject(b"408 Request Timeout", Message("server-too-slow"))
        elif self.missing_part == BODY_MISSING and self.part_started_at and now - self.part_started_at > BODY_TIMEOUT_S:
            self.transport.abort()

    def _reject(self, status: bytes, message: Message, extra_headers: bytes = b"") -> None:
        """Say so, in English, unless a reply is under way, and close."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return
        self.limiter.errors[f"{status[:1].decode()}xx"] += 1
        body = error_json(message)
        headers = header_bytes([*self.config.encoded_headers, *JSON_HEADERS])
        self.transport.write(
            b"HTTP/1.1 %b\r\n%b%bcontent-length: %d\r\nconnection: close\r\n\r\n%b"
            % (status, headers, extra_headers, len(body), body)
        )
        self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """See uvicorn: what was sent is no request."""
        self.limiter.errors["4xx"] += 1
        super().send_400_response(msg)

    def shutdown(self) -> None:
        """The server stops: half a request is not waited for, nor is a reader who takes nothing."""
        if self.missing_part == BODY_MISSING or self.stalled_since:
            self.transport.abort()
        else:
            super().shutdown()

    def pause_writing(self) -> None:
        """Its reader takes nothing more for now."""
        self.stalled_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It takes again."""
        self.stalled_since = 0.0
        super().resume_writing()
