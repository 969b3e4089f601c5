"""Forwarding: the owner of a table answers requests that arrive at other members.

Members keep connections to each other: Unix sockets on one machine, TLS between machines. A forwarded request carries a
token derived from the server key, and its origin. It is never forwarded again: a member that is not the owner rejects
it, and the first member looks up the owner again. A POST is never sent again once any part of it was sent.
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

from diamonds.server.cluster.errors import (
    NOT_OWNER_HEADER,
    NOT_OWNER_STATUS,
    MemberUnreachableError,
    NotOwnerError,
    OutcomeUnknownError,
)
from diamonds.server.storage.cluster import Member

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

MEMBER_TOKEN_HEADER, ORIGIN_HEADER = b"x-diamonds-mark", b"x-diamonds-origin"
CONNECT_TIMEOUT_S = 2.0
CALL_TIMEOUT_S = 5.0
CHUNK_BYTES = 1 << 18
HANG_TIMEOUT_S = 2.0  # then a member that has not started its response is probed
HOP_BY_HOP_HEADERS = {
    b"connection",
    b"keep-alive",
    b"proxy-connection",
    b"te",
    b"transfer-encoding",
    b"upgrade",
    b"content-length",
}
PER_PROCESS_HEADERS = {b"date", b"server"}  # written by each process itself


class RequestOrigin(msgspec.Struct, array_like=True):
    """The origin of a forwarded request: the member's number, and addresses as in an ASGI scope."""

    member: int
    client: tuple[str, int] | None
    server: tuple[str, int | None] | None
    scheme: str


_origin_decoder = msgspec.json.Decoder(RequestOrigin)


class RequestForwarder:
    """Connections to other members. `always_sent` are the headers that this process adds to every response anyway."""

    def __init__(self, key: bytes, always_sent: Collection[bytes]) -> None:
        # proves to another member that a request comes from a member
        self.member_token = hmac.digest(key, b"cluster member", "sha256").hex().encode()
        self.member_number = 0
        self._dropped_headers = {*HOP_BY_HOP_HEADERS, *PER_PROCESS_HEADERS, *always_sent}
        self._sessions: dict[int, aiohttp.ClientSession] = {}
        self.on_silence: Callable[[Member], object] = lambda member: None  # called when a member does not respond

    async def close(self) -> None:
        """Close all connections."""
        for number in [*self._sessions]:
            await self.disconnect(number)

    async def disconnect(self, number: int) -> None:
        """Close the connections to a member that is gone, which ends its streams."""
        session = self._sessions.pop(number, None)
        if session is not None:
            await session.close()

    def accept(self, scope: Scope) -> int:
        """Return the number of the member that forwarded a request, or 0, and restore the original addresses.

        Forged forwarding headers are removed.
        """
        headers = scope["headers"]
        tokens = [value for name, value in headers if name == MEMBER_TOKEN_HEADER]
        origins = [value for name, value in headers if name == ORIGIN_HEADER]
        if not tokens and not origins:
            return 0
        scope["headers"] = [
            (name, value) for name, value in headers if name not in (MEMBER_TOKEN_HEADER, ORIGIN_HEADER)
        ]
        if len(tokens) != 1 or len(origins) != 1 or not hmac.compare_digest(tokens[0], self.member_token):
            return 0
        try:
            origin = _origin_decoder.decode(origins[0])
        except msgspec.DecodeError:
            return 0
        scope["client"], scope["server"], scope["scheme"] = origin.client, origin.server, origin.scheme
        return origin.member

    async def forward(self, member: Member, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        """Have a member answer a request, and relay its response.

        Raise `MemberUnreachableError`, `OutcomeUnknownError` or `NotOwnerError` if the member does not answer it. If a
        response breaks off, the client's connection is aborted.
        """
        headers = CIMultiDict(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in scope["headers"]
            if name not in HOP_BY_HOP_HEADERS
        )
        origin = RequestOrigin(
            self.member_number, scope.get("client"), scope.get("server"), scope.get("scheme", "http")
        )
        headers[ORIGIN_HEADER.decode()] = msgspec.json.encode(origin).decode()
        target = (scope.get("raw_path") or scope["path"].encode()).partition(b"?")[0].decode("latin-1")
        query = scope["query_string"].decode("latin-1")
        relaying = asyncio.ensure_future(
            self._relay_response(member, scope["method"], f"{target}?{query}" if query else target, headers, body, send)
        )
        leaving = asyncio.ensure_future(_wait_disconnect(receive))
        try:
            await asyncio.wait((relaying, leaving), return_when=asyncio.FIRST_COMPLETED)
            if relaying.done():
                relaying.result()
        finally:
            for task in (relaying, leaving):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await task

    async def _relay_response(
        self, member: Member, method: str, target: str, headers: CIMultiDict[str], body: bytes, send: Send
    ) -> None:
        response = await self.request(member, method, target, headers, body)
        try:
            if response.status == NOT_OWNER_STATUS and NOT_OWNER_HEADER.decode() in response.headers:
                raise NotOwnerError
            headers_sent = [
                (name.lower(), value)
                for name, value in response.raw_headers
                if name.lower() not in self._dropped_headers
            ]
            length = response.headers.get("Content-Length")
            if length is not None:
                headers_sent.append((b"content-length", length.encode()))
            if response.content_type == "text/event-stream":
                headers_sent.append((b"connection", b"close"))  # so clients reconnect when the stream ends
            await send({"type": "http.response.start", "status": response.status, "headers": headers_sent})
            try:
                async for part in response.content.iter_any():
                    await send({"type": "http.response.body", "body": part, "more_body": True})
            except (aiohttp.ClientError, OSError):
                _abort_connection(send)
                return
            await send({"type": "http.response.body", "body": b""})
        finally:
            response.close() if not response.content.at_eof() else response.release()

    async def request(
        self, member: Member, method: str, target: str, headers: CIMultiDict[str], body: bytes
    ) -> aiohttp.ClientResponse:
        """Send a request to another member.

        Raise `MemberUnreachableError` if it had no effect, `OutcomeUnknownError` if it may have had one.
        """
        session, base = self._session(member)
        data = io.BytesIO(body) if len(body) > CHUNK_BYTES else body or None  # large bodies are sent in chunks
        headers[MEMBER_TOKEN_HEADER.decode()] = self.member_token.decode()
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
            raise MemberUnreachableError from error
        except (aiohttp.ClientError, OSError) as error:
            if method in ("GET", "HEAD"):
                raise MemberUnreachableError from error
            raise OutcomeUnknownError from error
        finally:
            silence.cancel()

    async def call(self, member: Member, path: str, body: bytes = b"", timeout_s: float = CALL_TIMEOUT_S) -> bytes:
        """Send an internal request to another member. Raise `MemberUnreachableError` if it does not reply in time."""
        origin = msgspec.json.encode(RequestOrigin(self.member_number, None, None, "http")).decode()
        headers = CIMultiDict({"Host": "localhost", "Content-Type": "application/json", ORIGIN_HEADER.decode(): origin})
        try:
            async with asyncio.timeout(timeout_s):
                response = await self.request(member, "POST", path, headers, body)
                async with response:
                    text = await response.read()
                    if response.status != 200:
                        raise MemberUnreachableError
                    return text
        except (TimeoutError, OutcomeUnknownError, aiohttp.ClientError, OSError) as error:
            raise MemberUnreachableError from error

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


async def _wait_disconnect(receive: Receive) -> None:
    """Wait until the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _abort_connection(send: Send) -> None:
    """Abort the client's connection: a truncated response must not look complete."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is not None:
        transport.abort()
