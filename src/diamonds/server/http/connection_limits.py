"""HTTP connections with limits on count, size and duration, enforced before anything is parsed.

uvicorn's own protocol has no such limits. It would collect an endless head piece by piece, ever more slowly, and wait
indefinitely for the rest of a request.
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

from diamonds import operating_system
from diamonds.i18n import Message
from diamonds.server.errors import RateLimitedError
from diamonds.server.http.asgi_helpers import (
    JSON_HEADERS,
    MAX_BODY_BYTES,
    MAX_RECORD_BYTES,
    RECORDS_PATH,
    error_json,
    header_bytes,
)
from diamonds.server.http.network_addresses import network_of
from diamonds.server.http.rate_limits import ConcurrencyLimiter, RateLimitSettings

MAX_HEAD_BYTES = 16_000  # request line and headers
MAX_REQUEST_BYTES = 8 * MAX_BODY_BYTES  # limit of a whole request, which chunked encoding makes longer than its body
READ_BYTES = 4_096  # passed to the parser in one step
MAX_PIPELINED = 16  # requests waiting on one connection
HEAD_TIMEOUT_S = 10.0  # from the connection, or the first byte, to the end of the head
BODY_TIMEOUT_S = 15.0  # from the end of the head to the end of the body
STALL_TIMEOUT_S = 60.0  # a client that reads nothing is then disconnected
RESERVED_FILES = 200  # open files other than connections: database, worker processes, files being read

TICKS_PER_S = 10  # each connection is checked in one of these ticks

NONE_MISSING, HEAD_MISSING, BODY_MISSING = 0, 1, 2  # the missing part of an incomplete request


class ConnectionLimiter:
    """A counter of open connections.

    Behind trusted proxies, which make every connection, only the total is limited.
    """

    def __init__(self, limits: RateLimitSettings, proxies: int) -> None:
        self.limits = limits
        self.proxies = proxies
        self.open_counts = ConcurrencyLimiter()
        self.errors = {"4xx": 0, "5xx": 0}  # responses to invalid requests
        files = operating_system.open_file_limit()
        self.max_connections = (
            limits.connections if files is None else min(limits.connections, max(files - RESERVED_FILES, files // 2))
        )

    @property
    def count(self) -> int:
        return self.open_counts.count("all", "")

    def accept(self, address: str) -> str:
        """Count one more connection and return its network. Raise `RateLimitedError` if there are too many."""
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
        """Count a connection of another member, which is always accepted."""
        self.open_counts.enter("all", "", sys.maxsize, "server-many-connections")

    def release(self, network: str) -> None:
        """Stop counting a connection."""
        self.open_counts.leave("all", "")
        if network:
            self.open_counts.leave("network", network)


class LimitedHttpProtocol(HttpToolsProtocol):
    """One client connection.

    The server checks it every second (`check_timeouts`), so neither requests nor idle time need a timer.
    """

    requests_before_move = 0  # requests to answer here before the connection may move to another member

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.limiter: ConnectionLimiter = config.app.connection_limiter  # type: ignore[union-attr]
        self.network: str | None = None  # network under which this connection is counted; None until accepted
        self.replying: RequestResponseCycle | None = None  # the first request without a complete response
        self.tick = id(self) // 64 % TICKS_PER_S
        self.missing_part = HEAD_MISSING
        self.max_bytes = MAX_REQUEST_BYTES  # limit for the current request
        self.received_bytes = 0  # size of the current request so far
        self.part_started_at = self.loop.time()  # when the wait for the missing part began; 0: not waiting
        self.stalled_since = 0.0  # when the client stopped reading; 0 if it is reading
        self.idle_since = 0.0  # end of the last response if nothing has arrived since; 0 if not idle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, or reply immediately that there are too many."""
        peer = get_remote_addr(transport)
        try:
            self.network = self.limiter.accept(peer[0] if peer else "?")
        except RateLimitedError as error:
            self.transport = transport
            self._reject(b"503 Service Unavailable", error.message, b"retry-after: %d\r\n" % error.retry_after_s)
            return
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection and notify its running request."""
        if self.network is None:
            return
        self.limiter.release(self.network)
        self._unset_keepalive_if_required()
        if self.replying is not None and self.replying is not self.cycle:  # uvicorn notifies only the last request
            self.replying.disconnected = True
            self.replying.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self.replying = cycle
        super()._start_asgi_task(cycle, app)

    def _unset_keepalive_if_required(self) -> None:
        self.idle_since = 0.0

    def on_response_complete(self) -> None:
        """Start the next pipelined request, or start waiting for one."""
        self.requests_before_move -= 1
        if self.pipeline:
            super().on_response_complete()
            return
        self.server_state.total_requests += 1
        if not self.transport.is_closing():
            self.idle_since = self.loop.time()
            self.flow.resume_reading()

    def on_message_begin(self) -> None:
        """Start counting a request."""
        self.missing_part, self.received_bytes, self.part_started_at = HEAD_MISSING, 0, 0.0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Start waiting for the body."""
        self.missing_part, self.part_started_at = BODY_MISSING, 0.0
        self.max_bytes = 2 * MAX_RECORD_BYTES if self.url == RECORDS_PATH.encode() else MAX_REQUEST_BYTES
        super().on_headers_complete()
        self.headers = []  # ignore trailers: a proxy in front may not have checked them

    @property
    def is_movable(self) -> bool:
        """Return whether the connection may move to another member.

        One complete request must be read, nothing left to write, and enough requests answered here.
        """
        return (
            self.requests_before_move <= 0
            and self.missing_part == NONE_MISSING
            and not self.pipeline
            and not self.transport.is_closing()
            and not self.transport.get_write_buffer_size()
        )

    def on_message_complete(self) -> None:
        """Record that the request is complete. If its response already is, the connection is now idle."""
        self.missing_part = NONE_MISSING
        if self.cycle is not None and self.cycle.response_complete:
            self.idle_since = self.loop.time()
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        """Parse the data in small pieces, so that a single piece does little work."""
        if len(data) > READ_BYTES:
            for at in range(0, len(data), READ_BYTES):
                self.data_received(data[at : at + READ_BYTES])
        elif not self.transport.is_closing():
            super().data_received(data)
            if self.missing_part or self.pipeline:
                self._check_size(len(data))

    def _check_size(self, byte_count: int) -> None:
        """Enforce the size limits while a request is incomplete or several are waiting."""
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
        """Disconnect clients that send or read too slowly."""
        if self.stalled_since and now - self.stalled_since > STALL_TIMEOUT_S:
            self.transport.abort()
        elif self.transport.is_closing():
            self.stalled_since = self.stalled_since or now
        elif self.missing_part == NONE_MISSING:
            is_idle = self.cycle is not None and self.cycle.response_complete
            # A connection without `idle_since` here has sent bytes that do not begin a request.
            if is_idle and not (self.idle_since and now - self.idle_since < self.timeout_keep_alive):
                self.transport.close()
        elif self.missing_part == HEAD_MISSING and self.part_started_at and now - self.part_started_at > HEAD_TIMEOUT_S:
            self._reject(b"408 Request Timeout", Message("server-too-slow"))
        elif self.missing_part == BODY_MISSING and self.part_started_at and now - self.part_started_at > BODY_TIMEOUT_S:
            self.transport.abort()

    def _reject(self, status: bytes, message: Message, extra_headers: bytes = b"") -> None:
        """Send an error in English, unless a response has begun, and close the connection."""
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
        """Count the error, then do the same as uvicorn."""
        self.limiter.errors["4xx"] += 1
        super().send_400_response(msg)

    def shutdown(self) -> None:
        """Disconnect immediately if a request is incomplete or the client has stopped reading."""
        if self.missing_part == BODY_MISSING or self.stalled_since:
            self.transport.abort()
        else:
            super().shutdown()

    def pause_writing(self) -> None:
        """Record that the client has stopped reading."""
        self.stalled_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Record that the client is reading again."""
        self.stalled_since = 0.0
        super().resume_writing()
