"""Requests that are handed on to the process where people find each other: the lobby, seeks, accounts and all else that is no table's.

There is one such process at a time (`house/neighbours.py`), so that whoever looks for others finds them wherever either of them is
connected. A request that is handed on carries a mark that only processes of this house can make, and whose it is. It is not handed on again.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import time
from typing import Any

import h11

from diamonds.server.house.neighbours import Neighbours
from diamonds.server.store.contract import Unavailable
from diamonds.server.wire.addresses import Scope
from diamonds.server.wire.http import MAX_RECORD, SECURITY, Receive, Send, TooLarge

MARK, WHOSE = b"x-diamonds-mark", b"x-diamonds-whose"
AT_HOME = ("/api/health", "/api/ready", "/api/schema")  # every process answers these itself
OF_THE_HALL = ("block", "report", "review")  # and of what begins with a table, it hands on these
PATIENCE = 6.0  # seconds for which somebody is looked for who takes it
AGAIN = 0.1  # seconds between two times
OF_A_LINE = {
    b"connection",
    b"keep-alive",
    b"transfer-encoding",
    b"upgrade",
    b"te",
    b"date",
    b"server",
    b"proxy-connection",
}
SENT_ANYWAY = {name.encode() for name, _ in SECURITY} | {b"strict-transport-security"}


class Gone(Exception):
    """Whoever asked is not there any more."""


def is_handed_on(path: str) -> bool:
    """Whether a path is not of one table."""
    if path.startswith("/api/tables/"):
        return path[12:].partition("/")[2] in OF_THE_HALL
    return path.startswith("/api/") and not path.startswith(AT_HOME)


class HandingOn:
    """Hands requests on. ``key`` is the house's own."""

    def __init__(self, neighbours: Neighbours, key: bytes) -> None:
        self.neighbours = neighbours
        self._mark = hmac.digest(key, b"neighbours", "sha256").hex().encode()

    def receives(self, scope: Scope) -> bool:
        """Whether a request was handed on to us; from now on it is told whose it is. Nobody else's word counts for that."""
        headers = scope["headers"]
        mark = next((value for name, value in headers if name == MARK), b"")
        ours = bool(mark) and hmac.compare_digest(mark, self._mark)
        if ours:
            whose = next((value for name, value in headers if name == WHOSE), b"?")
            scope["client"] = (whose.decode("latin-1"), 0)
        if mark:
            scope["headers"] = [(name, value) for name, value in headers if name not in (MARK, WHOSE)]
        return ours

    async def hand_on(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Have it answered where it belongs; whether it was. It was not if that is here, or nobody takes it for a while."""
        if self.neighbours.is_hall:
            return False
        end = time.monotonic() + PATIENCE
        body = await _whole(receive)
        while time.monotonic() < end:
            hall = self.neighbours.hall
            if hall is None:  # it may be this one from now on
                return await self._to(self.neighbours.door, scope, body, receive, send)
            try:
                return await self._to(hall.door, scope, body, receive, send)
            except OSError:  # it is gone, and soon there is another one
                await asyncio.sleep(AGAIN)
        raise Unavailable

    async def _to(self, door: str, scope: Scope, body: bytes, receive: Receive, send: Send) -> bool:
        """Have it answered at a door. `OSError`: there is nobody there, and nothing has happened."""
        host, _, port = door.rpartition("@")[2].rpartition(":")
        reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
        begun = False

        async def pass_on(event: dict[str, Any]) -> None:
            nonlocal begun
            begun = True
            await send(event)

        try:
            await self._through(scope, body, receive, pass_on, reader, writer)
        except (OSError, h11.ProtocolError) as error:
            if not begun and scope["method"] in ("GET", "HEAD"):
                raise OSError from error
            if not begun:
                raise Unavailable from None
            with contextlib.suppress(RuntimeError):  # of what was to come not all has
                await send({"type": "http.response.body", "body": b""})
        finally:
            writer.transport.abort()
        return True

    async def _through(
        self, scope: Scope, body: bytes, receive: Receive, send: Send,
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
    ) -> None:  # fmt: skip
        line = h11.Connection(h11.CLIENT, max_incomplete_event_size=64 * 1024)
        query = scope["query_string"]
        target = scope.get("raw_path") or scope["path"].encode()
        headers = [
            *(
                (name, value)
                for name, value in scope["headers"]
                if name not in {*OF_A_LINE, b"content-length", MARK, WHOSE}
            ),
            (MARK, self._mark),
            (WHOSE, (scope.get("client") or ("?", 0))[0].encode()),
            (b"connection", b"close"),
            (b"content-length", b"%d" % len(body)),
        ]
        request = h11.Request(
            method=scope["method"], target=target.split(b"?")[0] + (b"?" + query if query else b""), headers=headers
        )
        for event in (request, h11.Data(data=body), h11.EndOfMessage()):
            writer.write(line.send(event) or b"")
        answer = asyncio.ensure_future(_answer(line, reader, send))
        left = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait((answer, left), return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                answer.result()
        finally:
            for task in (answer, left):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await task


async def _whole(receive: Receive) -> bytes:
    """The body, whatever it is."""
    parts: list[bytes] = []
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise Gone
        parts.append(event.get("body", b""))
        size += len(parts[-1])
        if size > MAX_RECORD + 1:
            raise TooLarge("server-too-large", most=MAX_RECORD)
        if not event.get("more_body"):
            return b"".join(parts)


async def _left(receive: Receive) -> None:
    """Wait until whoever asked has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answer(line: h11.Connection, reader: asyncio.StreamReader, send: Send) -> None:
    """Pass on what is answered, as it comes."""
    while True:
        event: Any = line.next_event()
        if event is h11.NEED_DATA:
            line.receive_data(await reader.read(64 * 1024))
        elif isinstance(event, h11.Response):
            kept = [(name, value) for name, value in event.headers.raw_items()]
            headers = [(name.lower(), value) for name, value in kept if name.lower() not in OF_A_LINE | SENT_ANYWAY]
            if any(value.startswith(b"text/event-stream") for name, value in headers if name == b"content-type"):
                headers.append((b"connection", b"close"))  # where a stream ends its reader comes back
            await send({"type": "http.response.start", "status": event.status_code, "headers": headers})
        elif isinstance(event, h11.Data):
            await send({"type": "http.response.body", "body": bytes(event.data), "more_body": True})
        elif isinstance(event, h11.EndOfMessage):
            await send({"type": "http.response.body", "body": b""})
            return
        elif not isinstance(event, h11.InformationalResponse):
            raise ConnectionResetError
