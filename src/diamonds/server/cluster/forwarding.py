"""Forwarding: the owner of a table answers requests that arrive at other members.

Members keep connections to each other: Unix sockets on one machine, TLS between machines. A forwarded request carries a mark that
follows from the server key, and says whose it is. It is never forwarded again: a member that is not the owner refuses it,
and the first one looks the owner up anew. A POST of which anything was sent is never sent again.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import io
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import aiohttp
import msgspec
from multidict import CIMultiDict
from yarl import URL

from diamonds.server.cluster.errors import MOVED, MOVED_HEADER, LostError, MovedError, UnreachableError
from diamonds.server.store.cluster_sql import Member

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

MARK, ORIGIN = b"x-diamonds-mark", b"x-diamonds-origin"
CONNECT_TIMEOUT_S = 2.0
CALL_TIMEOUT_S = 5.0
MAX_PIECE = 1 << 18  # bytes
HANG_TIMEOUT_S = 2.0  # a member that does not begin to reply within this time is probed
HOP_BY_HOP = {
    b"connection",
    b"keep-alive",
    b"proxy-connection",
    b"te",
    b"transfer-encoding",
    b"upgrade",
    b"content-length",
}
OF_THE_CONNECTION = {b"date", b"server"}  # each process writes its own


class Origin(msgspec.Struct, array_like=True):
    """Where a forwarded request came from: the member's number, and addresses as in an ASGI scope."""

    member: int
    client: tuple[str, int] | None
    server: tuple[str, int | None] | None
    scheme: str


_origin = msgspec.json.Decoder(Origin)


class Forwarder:
    """This process's connections to other members. ``sent_anyway``: headers that this process adds to every reply by itself."""

    def __init__(self, key: bytes, sent_anyway: Collection[bytes]) -> None:
        self._mark = hmac.digest(key, b"cluster member", "sha256").hex().encode()
        self.number = 0  # this member's
        self._dropped = {*HOP_BY_HOP, *OF_THE_CONNECTION, *sent_anyway}
        self._sessions: dict[int, aiohttp.ClientSession] = {}
        self.on_silence: Callable[[Member], None] = lambda member: None  # a member does not begin to reply

    async def close(self) -> None:
        """Close all connections."""
        for number in [*self._sessions]:
            await self.disconnect(number)

    async def disconnect(self, number: int) -> None:
        """Close the connections to a member that is gone: its streams end."""
        session = self._sessions.pop(number, None)
        if session is not None:
            await session.close()

    def accept(self, scope: Scope) -> int:
        """Return the number of the member that has forwarded a request, which then has the addresses that it had there; 0 if none has.
        Headers by which somebody else says so are removed."""
        headers = scope["headers"]
        marks = [value for name, value in headers if name == MARK]
        origins = [value for name, value in headers if name == ORIGIN]
        if not marks and not origins:
            return 0
        scope["headers"] = [(name, value) for name, value in headers if name not in (MARK, ORIGIN)]
        if len(marks) != 1 or len(origins) != 1 or not hmac.compare_digest(marks[0], self._mark):
            return 0
        try:
            origin = _origin.decode(origins[0])
        except msgspec.DecodeError:
            return 0
        scope["client"], scope["server"], scope["scheme"] = origin.client, origin.server, origin.scheme
        return origin.member

    async def forward(self, member: Member, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        """Have a member answer a request, and pass its reply on as it comes. `UnreachableError`, `LostError` or `MovedError` if there
        is none; once a reply has begun, its end is that of the client's connection."""
        headers = CIMultiDict(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in scope["headers"]
            if name not in HOP_BY_HOP
        )
        origin = Origin(self.number, scope.get("client"), scope.get("server"), scope.get("scheme", "http"))
        headers[ORIGIN.decode()] = msgspec.json.encode(origin).decode()
        target = (scope.get("raw_path") or scope["path"].encode()).partition(b"?")[0].decode("latin-1")
        query = scope["query_string"].decode("latin-1")
        answering = asyncio.ensure_future(
            self._answer(member, scope["method"], f"{target}?{query}" if query else target, headers, body, send)
        )
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                answering.result()
        finally:
            for task in (answering, leaving):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await task

    async def _answer(
        self, member: Member, method: str, target: str, headers: CIMultiDict[str], body: bytes, send: Send
    ) -> None:
        response = await self._request(member, method, target, headers, body)
        try:
            if response.status == MOVED and MOVED_HEADER.decode() in response.headers:
                raise MovedError
            kept = [(name.lower(), value) for name, value in response.raw_headers if name.lower() not in self._dropped]
            length = response.headers.get("Content-Length")
            if length is not None:
                kept.append((b"content-length", length.encode()))
            if response.content_type == "text/event-stream":
                kept.append((b"connection", b"close"))  # where the owner ends a stream, its client comes back
            await send({"type": "http.response.start", "status": response.status, "headers": kept})
            try:
                async for part in response.content.iter_any():
                    await send({"type": "http.response.body", "body": part, "more_body": True})
            except (aiohttp.ClientError, OSError):
                _cut(send)
                return
            await send({"type": "http.response.body", "body": b""})
        finally:
            response.close() if not response.content.at_eof() else response.release()

    async def _request(
        self, member: Member, method: str, target: str, headers: CIMultiDict[str], body: bytes
    ) -> aiohttp.ClientResponse:
        session, base = self._session(member)
        data = io.BytesIO(body) if len(body) > MAX_PIECE else body or None  # what is large is sent piece by piece
        headers[MARK.decode()] = self._mark.decode()
        silence = asyncio.get_running_loop().call_later(HANG_TIMEOUT_S, self.on_silence, member)
        try:
            return await session.request(
                method, URL(base + target, encoded=True), headers=headers, data=data, allow_redirects=False
            )
        except (
            aiohttp.ClientConnectorError,
            aiohttp.ServerFingerprintMismatch,
            aiohttp.ConnectionTimeoutError,
        ) as error:
            raise UnreachableError from error
        except (aiohttp.ClientError, OSError) as error:
            if method in ("GET", "HEAD"):
                raise UnreachableError from error
            raise LostError from error
        finally:
            silence.cancel()

    async def call(self, member: Member, path: str, body: bytes = b"", timeout_s: float = CALL_TIMEOUT_S) -> bytes:
        """Ask another member something of its own. `UnreachableError` if it does not answer in time."""
        origin = msgspec.json.encode(Origin(self.number, None, None, "http")).decode()
        headers = CIMultiDict({"Host": "localhost", "Content-Type": "application/json", ORIGIN.decode(): origin})
        try:
            async with asyncio.timeout(timeout_s):
                response = await self._request(member, "POST", path, headers, body)
                async with response:
                    text = await response.read()
                    if response.status != 200:
                        raise UnreachableError
                    return text
        except (TimeoutError, LostError, aiohttp.ClientError, OSError) as error:
            raise UnreachableError from error

    def _session(self, member: Member) -> tuple[aiohttp.ClientSession, str]:
        secure = not member.address.startswith("unix:")
        session = self._sessions.get(member.number)
        if session is None:
            connector: aiohttp.BaseConnector = (
                aiohttp.TCPConnector(ssl=aiohttp.Fingerprint(bytes.fromhex(member.certificate)), limit=0)
                if secure
                else aiohttp.UnixConnector(member.address.removeprefix("unix:"), limit=0)
            )
            session = self._sessions[member.number] = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT_S),
                skip_auto_headers=("Accept", "Accept-Encoding", "User-Agent", "Content-Type"),
                read_bufsize=1 << 16,
            )
        return session, f"https://{member.address}" if secure else "http://localhost"


async def _left(receive: Receive) -> None:
    """Wait until the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _cut(send: Send) -> None:
    """Cut the client's connection: a reply whose rest is lost must not look whole."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is not None:
        transport.abort()
