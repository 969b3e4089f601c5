"""What two members say to each other on a connection: frames, each with the number of the exchange that it belongs to.

The member that opened the connection begins exchanges: with a client's request and its whole body, or with a call of its own. The
other one replies with the bytes that the client is to get, as they stand.
"""

from __future__ import annotations

import asyncio
import struct

import msgspec
from uvicorn.protocols.http.flow_control import FlowControl

FRAME_HEAD = struct.Struct("!IQB")  # how long its content is, the number of its exchange, and its kind
# From the member that opened it: its key, a request, a call; and that a client has left, takes nothing for now, or takes again.
HELLO, REQUEST, CALL, LEFT, PAUSE, RESUME = range(6)
# To that member: bytes for the client, and that these were all; the client's connection is to be closed or cut; nothing was done, as
# another member owns what it is about, or as this one closes.
DATA, END, CLOSE, ABORT, NOT_OWNER, UNAVAILABLE = range(6, 12)


class RequestHead(msgspec.Struct, array_like=True):
    """A client's request: what an ASGI scope says, and the body."""

    method: str
    path: str
    raw_path: bytes
    query_string: bytes
    headers: list[tuple[bytes, bytes]]
    client: tuple[str, int] | None
    server: tuple[str, int | None] | None
    scheme: str
    http_version: str
    keep_alive: bool
    body: bytes


SCOPE_NAMES = RequestHead.__struct_fields__[:-2]  # what has the same name in an ASGI scope


class FrameConnection(asyncio.Protocol):
    """One end of a connection between members."""

    transport: asyncio.Transport
    flow: FlowControl

    def __init__(self, max_content_bytes: int = 1 << 32) -> None:
        self.max_content_bytes = max_content_bytes
        self._received = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio`."""
        self.transport = transport  # type: ignore[assignment]
        self.flow = FlowControl(self.transport)

    def data_received(self, data: bytes) -> None:
        """See `asyncio`."""
        received, start = self._received, 0
        received += data
        while len(received) >= (content_start := start + FRAME_HEAD.size) and not self.transport.is_closing():
            length, number, kind = FRAME_HEAD.unpack_from(received, start)
            if length > self.max_content_bytes:
                self.transport.abort()
            if len(received) < content_start + length:
                break
            start = content_start + length
            self.on_frame(kind, number, bytes(memoryview(received)[content_start:start]))
        del received[:start]

    def on_frame(self, kind: int, number: int, content: bytes) -> None:
        """Act upon a frame."""
        raise NotImplementedError

    def send(self, kind: int, number: int, content: bytes = b"") -> None:
        """Send a frame."""
        if not self.transport.is_closing():
            self.transport.write(FRAME_HEAD.pack(len(content), number, kind) + content)

    def pause_writing(self) -> None:
        """See `asyncio`: the other member reads more slowly than this one writes."""
        self.flow.pause_writing()

    def resume_writing(self) -> None:
        """See `asyncio`."""
        self.flow.resume_writing()
