"""Forwarding: the owner of a table answers requests that arrive at other members.

A member has one connection to each other one (`frames`): a Unix socket on one machine, TLS between machines. It begins with a key that follows
from the server key. What the owner writes for a client is passed on as it stands; for a client that takes nothing the owner writes nothing. A
forwarded request is never forwarded again: a member that is not the owner refuses it, and the first one looks the owner up anew.
A POST of which anything was sent is never sent again.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import ssl
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from diamonds.server.cluster import frames
from diamonds.server.cluster.errors import MemberUnreachableError, NotOwnerError, OutcomeUnknownError
from diamonds.server.cluster.frames import SCOPE_NAMES, FrameConnection, RequestHead
from diamonds.server.storage.cluster import Member

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]

CONNECT_TIMEOUT_S = 2.0
CALL_TIMEOUT_S = 5.0
HANG_TIMEOUT_S = 2.0  # a member that does not begin to reply within this time is probed


class Exchange:
    """Something that another member is asked; ``kind`` and ``content`` are the frame that asks. ``reply`` is done once nothing more comes."""

    def __init__(self, kind: int, content: bytes) -> None:
        self.kind, self.content = kind, content
        self.number = 0
        self.error: Exception | None = None
        self.is_done = False

    def on_frame(self, link: MemberLink, kind: int, content: bytes) -> None:
        """Act upon a frame of the reply."""
        if kind == frames.NOT_OWNER:
            self.fail(NotOwnerError())
        elif kind == frames.UNAVAILABLE:
            self.fail(MemberUnreachableError())

    def on_lost(self) -> None:
        """The connection to the member is lost."""
        self.fail(OutcomeUnknownError())

    def fail(self, error: Exception) -> None:
        """There is no reply."""
        self.error, self.is_done = error, True


class MemberCall(Exchange):
    """A call of this member's own."""

    def __init__(self, content: bytes) -> None:
        super().__init__(frames.CALL, content)
        self.reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def on_frame(self, link: MemberLink, kind: int, content: bytes) -> None:
        """See `Exchange`."""
        if kind == frames.END:
            self.is_done = True
            if not self.reply.done():
                self.reply.set_result(content)
        super().on_frame(link, kind, content)

    def fail(self, error: Exception) -> None:
        """See `Exchange`."""
        super().fail(error)
        if not self.reply.done():
            self.reply.set_exception(error)


class ForwardedRequest(Exchange):
    """A client's request. ``cycle`` is uvicorn's, and has the client's connection."""

    def __init__(self, cycle: Any, head: RequestHead) -> None:
        super().__init__(frames.REQUEST, msgspec.msgpack.encode(head))
        self.cycle = cycle
        self._resuming: asyncio.Task[None] | None = None

    def on_frame(self, link: MemberLink, kind: int, content: bytes) -> None:
        """See `Exchange`. Does with the client's connection what the owner did with the one that stands for it."""
        cycle = self.cycle
        if kind == frames.DATA:
            cycle.response_started = True
            if not cycle.transport.is_closing():
                cycle.transport.write(content)
            if cycle.flow.write_paused and self._resuming is None:
                link.send(frames.PAUSE, self.number)
                self._resuming = asyncio.get_running_loop().create_task(self._resume(link))
        elif kind == frames.END:
            self.is_done = cycle.response_complete = True
            cycle.message_event.set()
            if not cycle.keep_alive:
                cycle.transport.close()
            cycle.on_response()
        elif kind == frames.CLOSE:
            cycle.transport.close()
        elif kind == frames.ABORT:
            cycle.transport.abort()
        else:
            super().on_frame(link, kind, content)

    async def _resume(self, link: MemberLink) -> None:
        await self.cycle.flow.drain()
        self._resuming = None
        link.send(frames.RESUME, self.number)

    def on_lost(self) -> None:
        """See `Exchange`. A reply whose rest is lost must not look whole."""
        if self.cycle.response_started:
            self.cycle.transport.abort()
        elif self.cycle.scope["method"] in ("GET", "HEAD"):
            self.fail(MemberUnreachableError())
        else:
            super().on_lost()

    def fail(self, error: Exception) -> None:
        """See `Exchange`."""
        super().fail(error)
        self.cycle.message_event.set()


class MemberLink(FrameConnection):
    """The connection to another member."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers = itertools.count(1)
        self._exchanges: dict[int, Exchange] = {}

    def begin(self, exchange: Exchange) -> None:
        """Ask the member something."""
        if self.transport.is_closing():
            raise MemberUnreachableError
        exchange.number = next(self._numbers)
        self._exchanges[exchange.number] = exchange
        self.send(exchange.kind, exchange.number, exchange.content)

    def end(self, exchange: Exchange) -> None:
        """Hear no more of it."""
        self._exchanges.pop(exchange.number, None)
        if exchange.number and not exchange.is_done:
            self.send(frames.LEFT, exchange.number)

    def on_frame(self, kind: int, number: int, content: bytes) -> None:
        """See `FrameConnection`."""
        exchange = self._exchanges.get(number)
        if exchange is not None and not exchange.is_done:
            exchange.on_frame(self, kind, content)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio`."""
        self.flow.resume_writing()
        for exchange in [*self._exchanges.values()]:
            if not exchange.is_done:
                exchange.on_lost()


class RequestForwarder:
    """This process's connections to other members."""

    def __init__(self, key: bytes) -> None:
        self.member_key = hmac.digest(key, b"cluster member", "sha256")
        self.member_number = 0  # this member's
        self._links: dict[int, asyncio.Task[MemberLink]] = {}
        self.on_silence: Callable[[Member], None] = lambda member: None  # a member does not begin to reply

    def close(self) -> None:
        """Close all connections."""
        for number in [*self._links]:
            self.disconnect(number)

    def disconnect(self, number: int) -> None:
        """Close the connection to a member that is gone: its streams end."""
        connecting = self._links.pop(number, None)
        if connecting is not None:
            connecting.add_done_callback(_abort_link)

    async def forward(self, member: Member, scope: Scope, body: bytes, receive: Receive) -> None:
        """Have a member answer a request, and pass its reply on as it comes. `MemberUnreachableError`, `OutcomeUnknownError` or `NotOwnerError` if there
        is none; once a reply has begun, its end is that of the client's connection."""
        cycle: Any = receive.__self__  # type: ignore[attr-defined]
        head = RequestHead(**{name: scope[name] for name in SCOPE_NAMES}, keep_alive=cycle.keep_alive, body=body)
        exchange = ForwardedRequest(cycle, head)
        silence = asyncio.get_running_loop().call_later(HANG_TIMEOUT_S, self._check_silence, member, exchange)
        try:
            link = await self._link(member)
            link.begin(exchange)
            try:
                while not (exchange.is_done or cycle.disconnected):
                    await receive()
            finally:
                link.end(exchange)
        finally:
            silence.cancel()
        if exchange.error is not None:
            raise exchange.error

    def _check_silence(self, member: Member, exchange: ForwardedRequest) -> None:
        if not exchange.cycle.response_started:
            self.on_silence(member)

    async def call(self, member: Member, name: str, body: bytes = b"", timeout_s: float = CALL_TIMEOUT_S) -> bytes:
        """Ask another member something of its own. `MemberUnreachableError` if it does not answer in time."""
        exchange = MemberCall(msgspec.msgpack.encode((name, body)))
        try:
            async with asyncio.timeout(timeout_s):
                link = await self._link(member)
                link.begin(exchange)
                try:
                    return await exchange.reply
                finally:
                    link.end(exchange)
        except (TimeoutError, OutcomeUnknownError, NotOwnerError) as error:
            raise MemberUnreachableError from error

    async def _link(self, member: Member) -> MemberLink:
        """Return the connection to a member, once it takes a frame."""
        connecting = self._links.get(member.number)
        if connecting is None or (connecting.done() and _is_lost(connecting)):
            connecting = asyncio.get_running_loop().create_task(self._connect(member))
            self._links[member.number] = connecting
        link = await asyncio.shield(connecting)
        await link.flow.drain()
        return link

    async def _connect(self, member: Member) -> MemberLink:
        loop = asyncio.get_running_loop()
        link: MemberLink
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                if member.address.startswith("unix:"):
                    _, link = await loop.create_unix_connection(MemberLink, member.address.removeprefix("unix:"))
                else:
                    host, _, port = member.address.rpartition(":")
                    _, link = await loop.create_connection(MemberLink, host.strip("[]"), int(port), ssl=_tls_context())
        except (OSError, TimeoutError) as error:
            raise MemberUnreachableError from error
        tls = link.transport.get_extra_info("ssl_object")
        if tls and not hmac.compare_digest(hashlib.sha256(tls.getpeercert(True)).hexdigest(), member.certificate):
            link.transport.abort()
            raise MemberUnreachableError
        link.send(frames.HELLO, self.member_number, self.member_key)
        return link


def _tls_context() -> ssl.SSLContext:
    """TLS to a member, whose certificate is compared with the registered one."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _is_lost(connecting: asyncio.Task[MemberLink]) -> bool:
    return connecting.cancelled() or connecting.exception() is not None or connecting.result().transport.is_closing()


def _abort_link(connecting: asyncio.Task[MemberLink]) -> None:
    if not _is_lost(connecting):
        connecting.result().transport.abort()
