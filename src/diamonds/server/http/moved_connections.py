"""Moved connections: on one machine, a member passes a client's socket to the owner of the table it asks about.

Forwarding costs two processes time for each request and each event of a stream. Passing the socket costs only
once, about as much as forwarding one request. The request that has been read is passed along, and the owner answers it
as if it had arrived there.
"""

from __future__ import annotations

import array
import asyncio
import contextlib
import functools
import os
import socket
from pathlib import Path
from typing import Any

import uvicorn

from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.http.asgi_helpers import Receive
from diamonds.server.http.connection_limits import LimitedHttpProtocol
from diamonds.server.http.network_addresses import Scope
from diamonds.server.storage.cluster import Member

SOCKET_NAME = "clients.sock"  # in the folder of the member's internal socket
MAX_DATAGRAM_BYTES = 1 << 16  # longer requests are forwarded
MAX_ATTEMPTS = 20  # attempts while the owner's queue is full; after them the request is forwarded
RETRY_DELAY_S = 0.005
MIN_REQUESTS_BETWEEN_MOVES = 16  # so a client that uses tables of two owners costs little more than with forwarding
REWRITTEN_HEADERS = {b"content-length", b"transfer-encoding", b"expect"}


class MovedConnection(LimitedHttpProtocol):
    """A client's connection that another member accepted and passed on, with the `request` it had read."""

    requests_before_move = MIN_REQUESTS_BETWEEN_MOVES

    def __init__(self, request: bytes, **given: Any) -> None:
        super().__init__(**given)
        self._request = request

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Answer the request before reading anything else."""
        super().connection_made(transport)
        self.data_received(self._request)
        if self.app.readiness.shutting_down:
            self.shutdown()


class ConnectionReceiver:
    """The socket on which other members of this machine pass connections. Uvicorn closes it like a server."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / SOCKET_NAME
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self._path))
        self._socket.setblocking(False)
        self._loop: asyncio.AbstractEventLoop | None = None  # set while the socket is open
        self._tasks = BackgroundTasks()

    def serve(self, server: uvicorn.Server) -> None:
        """Answer the requests on passed connections with the application of `server`."""
        self._new_protocol = functools.partial(
            MovedConnection, config=server.config, server_state=server.server_state, app_state=server.lifespan.state
        )
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._socket.fileno(), self._receive)
        server.servers.append(self)  # type: ignore[arg-type]

    def _receive(self) -> None:
        assert self._loop is not None
        with contextlib.suppress(BlockingIOError):
            while True:
                request, fds, _, _ = socket.recv_fds(self._socket, MAX_DATAGRAM_BYTES, 1)
                for fd in fds:  # empty if this process has too many open files
                    os.set_inheritable(fd, False)
                    protocol = functools.partial(self._new_protocol, request)
                    accepting = self._loop.connect_accepted_socket(protocol, socket.socket(fileno=fd))
                    self._tasks.start(accepting)

    def close(self) -> None:
        """Accept the connections already passed, and no more."""
        self._path.unlink(missing_ok=True)
        if self._loop is not None:
            self._receive()
            self._loop.remove_reader(self._socket.fileno())
            self._loop = None
        self._socket.close()

    async def wait_closed(self) -> None:
        """See `asyncio.Server`."""


class ConnectionMover:
    """A sender of client connections to other members on this machine."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def close(self) -> None:
        """Stop passing connections."""
        self._socket.close()

    async def move(self, owner: Member, scope: Scope, body: bytes, receive: Receive) -> bool:
        """Pass the connection of a complete request to the owner.

        Return whether that succeeded; otherwise nothing has changed. The owner gets the whole request or nothing, and
        the request is never sent again.
        """
        cycle: Any = receive.__self__  # type: ignore[attr-defined]
        transport, request = cycle.transport, raw_request(scope, body)
        if not owner.address.startswith("unix:") or len(request) > MAX_DATAGRAM_BYTES:
            return False
        address = str(Path(owner.address.removeprefix("unix:")).with_name(SOCKET_NAME))
        for _ in range(MAX_ATTEMPTS):
            if not transport.get_protocol().is_movable:
                return False
            fds = array.array("i", [transport.get_extra_info("socket").fileno()])
            try:
                self._socket.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)], 0, address)
            except BlockingIOError:
                await asyncio.sleep(RETRY_DELAY_S)
            except OSError:
                return False
            else:
                cycle.disconnected = True
                transport.abort()  # closes only this process's descriptor, before it can read more
                return True
        return False


def raw_request(scope: Scope, body: bytes) -> bytes:
    """Return a request as a client would send it. It is no longer than the original."""
    target = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
    headers = [(name, value) for name, value in scope["headers"] if name not in REWRITTEN_HEADERS]
    if body:
        headers.append((b"content-length", b"%d" % len(body)))
    lines = [b"%b:%b\r\n" % header for header in headers]
    first = b"%b %b HTTP/%b\r\n" % (scope["method"].encode(), target, scope["http_version"].encode())
    return b"".join([first, *lines, b"\r\n", body])
