"""The internal address of this process, where other members reach it: a Unix socket, or TLS between machines."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import shutil
import socket
import ssl
import sys
import tempfile
from pathlib import Path
from typing import Any

import uvicorn

from diamonds.errors import DiamondsError
from diamonds.server.cluster.certificate import new_certificate
from diamonds.server.http.connection_limits import LimitedHttpProtocol
from diamonds.server.http.moved_connections import ConnectionReceiver

BACKLOG = 1024
MAX_UNIX_PATH_BYTES = 100


class MemberConnection(LimitedHttpProtocol):
    """A connection of another member, not limited by address. Requests still count for the client's address."""

    requests_before_move = sys.maxsize

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection unless the server is shutting down; see `LimitedHttpProtocol`."""
        if self.app.readiness.shutting_down:
            transport.abort()
            return
        self.network = ""
        self.limiter.accept_member()
        super(LimitedHttpProtocol, self).connection_made(transport)


class InternalListener:
    """A socket that listens for other members.

    `host` is the address of this machine for members on other machines; without it, only members on this machine
    connect.
    """

    def __init__(self, host: str = "") -> None:
        self._folder: Path | None = None
        self._context: ssl.SSLContext | None = None
        self.certificate = ""
        if host:
            self._context, self.certificate = new_certificate()
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self._socket = socket.socket(family, socket.SOCK_STREAM)
            try:
                self._socket.bind((host, 0))
            except OSError as error:
                self._socket.close()
                raise DiamondsError("cluster-inner-address", address=host, why=error.strerror or str(error)) from None
            port = self._socket.getsockname()[1]
            self.address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        else:
            self._folder = Path(tempfile.mkdtemp(prefix="diamonds-", dir=_short_temp_dir()))
            path = self._folder / "member.sock"
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.bind(str(path))
            self.address = f"unix:{path}"
            # Takes over connections that other processes of this machine have accepted.
            self.connection_receiver = ConnectionReceiver(self._folder)
        self._socket.listen(BACKLOG)
        self._socket.setblocking(False)
        self._server: asyncio.AbstractServer | None = None

    async def serve(self, server: uvicorn.Server) -> None:
        """Serve other members with the application of `server`."""
        protocol = functools.partial(
            MemberConnection, config=server.config, server_state=server.server_state, app_state=server.lifespan.state
        )
        loop = asyncio.get_running_loop()
        create_server: Any = loop.create_unix_server if self._folder else loop.create_server
        self._server = await create_server(protocol, sock=self._socket, ssl=self._context)
        server.servers.append(self._server)  # type: ignore[arg-type]
        if self._folder:
            self.connection_receiver.serve(server)

    def close(self) -> None:
        """Close the socket and remove its folder."""
        with contextlib.suppress(OSError):
            self._socket.close()
        if self._folder is not None:
            self.connection_receiver.close()
            shutil.rmtree(self._folder, ignore_errors=True)


def _short_temp_dir() -> str:
    """Return a temporary folder whose path is short enough for a Unix socket."""
    folder = tempfile.gettempdir()
    return folder if len(os.fsencode(folder)) < MAX_UNIX_PATH_BYTES - 40 else "/tmp"
