"""The internal address of this process, at which other members reach it: a Unix socket, or TLS between machines."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hmac
import logging
import os
import shutil
import socket
import ssl
import sys
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from diamonds.errors import DiamondsError
from diamonds.server.cluster import frames
from diamonds.server.cluster.certificate import new_certificate
from diamonds.server.cluster.frames import SCOPE_NAMES, FrameConnection, RequestHead
from diamonds.server.http.cluster_routes import SENDER_KEY

BACKLOG = 1024
MAX_UNIX_PATH_BYTES = 100
MAX_HELLO_BYTES = 64  # bytes of a frame of somebody who has not shown the key yet
HELLO_TIMEOUT_S = 10.0

log = logging.getLogger("diamonds")
_decode_head = msgspec.msgpack.Decoder(RequestHead).decode
_decode_call = msgspec.msgpack.Decoder(tuple[str, bytes]).decode


class ReplyTransport:
    """Stands for the connection of a client that is at another member."""

    __slots__ = ("_connection", "_number")

    def __init__(self, connection: MemberConnection, number: int) -> None:
        self._connection, self._number = connection, number

    def write(self, data: bytes) -> None:
        """See `asyncio.Transport`."""
        self._connection.send(frames.DATA, self._number, data)

    def close(self) -> None:
        """See `asyncio.Transport`."""
        self._connection.send(frames.CLOSE, self._number)

    def abort(self) -> None:
        """See `asyncio.Transport`."""
        self._connection.send(frames.ABORT, self._number)

    def pause_reading(self) -> None:
        """See `asyncio.Transport`: the body is here."""

    def resume_reading(self) -> None:
        """See `asyncio.Transport`."""


class MemberConnection(FrameConnection):
    """A connection of another member: its clients' requests are answered as if they had come here."""

    tick = -1  # the server's clock has no timeouts to check here

    def __init__(self, server: uvicorn.Server) -> None:
        super().__init__(MAX_HELLO_BYTES)
        self._config, self._state = server.config, server.server_state
        self._app: Any = server.config.loaded_app
        self._member = 0  # its number, once it has shown the key
        self._cycles: dict[int, RequestResponseCycle] = {}
        self._paused: set[int] = set()  # exchanges whose clients take nothing for now
        self._closing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio`."""
        super().connection_made(transport)
        if self._app.readiness.shutting_down:
            self.transport.abort()
            return
        self._state.connections.add(self)  # type: ignore[arg-type]
        self._hello_timer = asyncio.get_running_loop().call_later(HELLO_TIMEOUT_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio`."""
        self._state.connections.discard(self)
        for number in [*self._cycles]:
            self._drop(number)

    def shutdown(self) -> None:
        """See uvicorn: what is under way is finished."""
        self._closing = True
        self._close_if_done()

    def _close_if_done(self) -> None:
        if self._closing and not self._cycles:
            self.transport.close()

    def pause_writing(self) -> None:
        """See `asyncio`."""
        super().pause_writing()
        for cycle in self._cycles.values():
            cycle.flow.pause_writing()

    def resume_writing(self) -> None:
        """See `asyncio`."""
        super().resume_writing()
        for number, cycle in self._cycles.items():
            if number not in self._paused:
                cycle.flow.resume_writing()

    def on_frame(self, kind: int, number: int, content: bytes) -> None:
        """See `FrameConnection`."""
        if not self._member:
            if kind != frames.HELLO or not hmac.compare_digest(content, self._app.cluster.forwarder.member_key):
                self.transport.abort()
                return
            self._hello_timer.cancel()
            self._member, self.max_content_bytes = number, sys.maxsize
        elif kind in (frames.REQUEST, frames.CALL) and self._app.readiness.shutting_down:
            self.send(frames.UNAVAILABLE, number)
        elif kind == frames.REQUEST:
            self._begin(number, _decode_head(content))
        elif kind == frames.CALL:
            self._spawn(self._answer_call(number, *_decode_call(content)))
        elif kind == frames.LEFT:
            self._drop(number)
        elif number in self._cycles and kind == frames.PAUSE:
            self._paused.add(number)
            self._cycles[number].flow.pause_writing()
        elif number in self._cycles and kind == frames.RESUME:
            self._paused.discard(number)
            if not self.flow.write_paused:
                self._cycles[number].flow.resume_writing()

    def _begin(self, number: int, head: RequestHead) -> None:
        scope: Any = {
            "type": "http",
            "asgi": {"version": self._config.asgi_version, "spec_version": "2.3"},
            "root_path": self._config.root_path,
            "state": {},
            **{name: getattr(head, name) for name in SCOPE_NAMES},
            SENDER_KEY: (self._member, functools.partial(self._refuse, number)),
        }
        transport: Any = ReplyTransport(self, number)
        cycle = self._cycles[number] = RequestResponseCycle(
            scope,
            transport,
            FlowControl(transport),
            log,
            log,
            False,
            self._state.default_headers,
            asyncio.Event(),
            False,
            head.keep_alive,
            functools.partial(self._end, number),
        )
        cycle.body, cycle.more_body = bytearray(head.body), False
        cycle.message_event.set()
        if self.flow.write_paused:
            cycle.flow.pause_writing()
        self._spawn(cycle.run_asgi(self._app))

    def _end(self, number: int) -> None:
        """A reply is whole."""
        self._state.total_requests += 1
        if self._cycles.pop(number, None) is not None:
            self._paused.discard(number)
            self.send(frames.END, number)
            self._close_if_done()

    def _drop(self, number: int) -> None:
        """Its client has left."""
        self._paused.discard(number)
        cycle = self._cycles.pop(number, None)
        if cycle is not None:
            cycle.disconnected = True
            cycle.message_event.set()
            cycle.flow.resume_writing()
            self._close_if_done()

    def _refuse(self, number: int) -> None:
        """Another member owns what it is about."""
        self.send(frames.NOT_OWNER, number)
        self._drop(number)

    async def _answer_call(self, number: int, name: str, body: bytes) -> None:
        try:
            reply = await self._app.cluster_routes.answer_call(self._member, name, body)
        except Exception as error:
            if not isinstance(error, DiamondsError):
                log.exception("A call of another member (%s) was not answered.", name)
            self.send(frames.UNAVAILABLE, number)
        else:
            self.send(frames.END, number, reply)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)


class InternalListener:
    """A socket that listens for other members. ``host`` is this machine's address for members on other machines; without it, members are
    on this machine alone."""

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
        self._socket.listen(BACKLOG)
        self._socket.setblocking(False)
        self._server: asyncio.AbstractServer | None = None

    async def serve(self, server: uvicorn.Server) -> None:
        """Answer other members from now on, as the server answers everybody."""
        protocol = functools.partial(MemberConnection, server)
        loop = asyncio.get_running_loop()
        create_server: Any = loop.create_unix_server if self._folder else loop.create_server
        self._server = await create_server(protocol, sock=self._socket, ssl=self._context)
        server.servers.append(self._server)  # type: ignore[arg-type]

    def close(self) -> None:
        """Listen no more."""
        with contextlib.suppress(OSError):
            self._socket.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _short_temp_dir() -> str:
    """A folder for sockets whose path is short enough, on every system."""
    folder = tempfile.gettempdir()
    return folder if len(os.fsencode(folder)) < MAX_UNIX_PATH_BYTES - 40 else "/tmp"
