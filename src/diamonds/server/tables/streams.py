"""Readers: each has a stream, is woken when its table changes, and is sent the newest message when it can take it.

A message is whole, so a reader who is slow misses none: it gets the newest, with all that was told since its last one.
What waits for a reader is at most one message, and what uvicorn and the system have buffered of it.
"""

from __future__ import annotations

import asyncio
import logging
import time
import types
from collections.abc import Awaitable, Callable, Collection, Coroutine, Generator
from typing import Any, Protocol

from diamonds.server.metrics.counters import DurationHistogram
from diamonds.server.tables.core.presence import Viewer
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.update import table_update

HEARTBEAT_INTERVAL_S = 15  # seconds between signs of life on a quiet stream
FAREWELL_TIMEOUT_S = 5.0  # seconds for a last word
STALL_TIMEOUT_S = 60.0  # seconds after which a reader that takes nothing is let go

Send = Callable[[dict[str, Any]], Awaitable[None]]
log = logging.getLogger("diamonds")


async def _resume(pump: Coroutine[Any, Any, None], waits_for: Any) -> None:
    """Drive a pump that has begun and now waits for something."""
    try:
        await _run(pump, waits_for)
    finally:
        pump.close()


@types.coroutine
def _run(pump: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, None, None]:
    while True:
        yield waits_for
        try:
            waits_for = pump.send(None)
        except StopIteration:
            return


class PersonUpdates(Protocol):
    """What one person is told on each of their streams besides the stream's subject; `version` grows whenever it changes."""

    version: int

    def text(self) -> bytes:
        """It, as an event."""
        ...


class SseConnection:
    """One connection on which somebody is told of things as they happen; `frame` says what, when the connection can take it."""

    __slots__ = (
        "closed",
        "notice",
        "pending",
        "person",
        "person_updates",
        "person_updates_version",
        "pumping",
        "send",
        "stalled_since",
    )

    def __init__(self, person: str, send: Send) -> None:
        self.person = person
        self.send = send
        self.pending = b""  # a message (b"m"), what is told besides (b"a") or a heartbeat (b"h") that waits to be sent
        self.person_updates: PersonUpdates | None = None
        self.person_updates_version = -1  # the version of it that was told
        self.notice = b""  # what is to be said first: an event of its own
        self.pumping = False
        self.closed = False
        self.stalled_since = 0.0

    async def next_frame(self) -> bytes:
        """What is to be sent now; it may be that there is nothing."""
        raise NotImplementedError

    def on_open(self) -> None:
        """The connection is open from now on."""

    def on_close(self) -> None:
        """The connection has ended."""

    def notify(self, pending: bytes = b"m") -> None:
        """Something is to be sent; if nothing else is on its way, send it."""
        if pending == b"m" or self.pending in (b"", b"h"):
            self.pending = pending
        if self.pumping or self.closed:
            return
        # Nearly always the connection takes it at once, and no task is needed.
        self.pumping = True
        pump = self._pump()
        try:
            waits_for = pump.send(None)
        except StopIteration:
            return
        asyncio.get_running_loop().create_task(_resume(pump, waits_for))

    async def _pump(self) -> None:
        try:
            while self.pending and not self.closed:
                pending, self.pending = self.pending, b""
                body, self.notice = self.notice, b""
                body += await self.next_frame() if pending == b"m" else b": here\n\n" if pending == b"h" else b""
                if self.person_updates is not None and self.person_updates.version != self.person_updates_version:
                    self.person_updates_version = self.person_updates.version
                    body += self.person_updates.text()
                if not body:
                    continue
                if not self._write_now(body):
                    self.stalled_since = time.monotonic()
                    await self.send({"type": "http.response.body", "body": body, "more_body": True})
                    self.stalled_since = 0.0
        except Exception:
            log.exception("A stream (%s) is closed.", type(self).__name__)
            self.close()
        finally:
            self.pumping = False

    def send_notice(self, notice: bytes) -> None:
        """Something that is to be said first."""
        self.notice = notice
        self.notify()

    def end(self, farewell: bytes) -> None:
        """Say one last thing, and nothing more; who is slow to take what they were sent before is cut without it."""
        if self.pumping or self.closed:
            self.close()
        else:
            self.closed = self.pumping = True
            asyncio.get_running_loop().create_task(self._send_farewell(farewell))

    async def _send_farewell(self, farewell: bytes) -> None:
        try:
            async with asyncio.timeout(FAREWELL_TIMEOUT_S):
                await self.send({"type": "http.response.body", "body": farewell, "more_body": False})
            if (transport := self._transport()) is not None:
                transport.close()  # once all of it is on its way
        except Exception:  # it is gone already, or takes nothing
            self.close()

    def _write_now(self, body: bytes) -> bool:
        """Hand it to the connection, if that takes it at once: what uvicorn does with a piece of a reply that has no end yet."""
        if (transport := self._writable_transport()) is None:
            return False
        transport.write(b"%x\r\n%b\r\n" % (len(body), body))
        return True

    def _writable_transport(self) -> Any:
        """The connection below, if it takes a piece of a reply at once."""
        exchange: Any = getattr(self.send, "__self__", None)
        if not getattr(exchange, "chunked_encoding", False) or exchange.response_complete:
            return None
        return None if exchange.flow.write_paused or exchange.disconnected else exchange.transport

    def _transport(self) -> Any:
        """The connection below; it is uvicorn's."""
        exchange = getattr(self.send, "__self__", None)
        return getattr(exchange, "transport", None)

    def close(self) -> None:
        """Send nothing more and cut the connection; the browser comes back by itself if it is still there."""
        self.closed = True
        if (transport := self._transport()) is not None:
            transport.abort()  # a stalled connection cannot be ended politely


class TableStream(SseConnection):
    """One reader of one table."""

    __slots__ = ("last_n", "table", "viewer")

    def __init__(
        self, table: Table, person: str, last_n: int | None, send: Send, blocked: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(person, send)
        self.table = table
        self.viewer: Viewer = table.viewer(person, blocked)
        self.last_n = last_n

    @property
    def seat(self) -> int:
        """The reader's seat, or −1."""
        return self.viewer.seat

    def notify(self, pending: bytes = b"m") -> None:
        """See `Line`. Nearly always there is a message, nothing besides, and a connection that takes it: then it is written here and now."""
        has_person_updates = (
            self.person_updates is not None and self.person_updates.version != self.person_updates_version
        )
        if (
            pending != b"m"
            or self.pumping
            or self.closed
            or self.notice
            or has_person_updates
            or (transport := self._writable_transport()) is None
        ):
            super().notify(pending)
            return
        try:
            text = self._latest_update()
            self.pending = b""
            transport.write(b"%x\r\n%b\r\n" % (len(text), text))
        except Exception:
            log.exception("A stream (%s) is closed.", type(self).__name__)
            self.close()

    async def next_frame(self) -> bytes:
        """See `Line`."""
        return self._latest_update()

    def _latest_update(self) -> bytes:
        """The newest message as an event."""
        table = self.table
        body = table_update(table, self.viewer, self.last_n)
        # Whoever waits for the game will be told of its first deal.
        self.last_n = None if table.game_state.state is None else table.n
        return b"id: %d\ndata: %b\n\n" % (table.version, body)

    def on_open(self) -> None:
        """See `Line`."""
        self.viewer = self.table.viewer(self.person, self.viewer.blocked)  # they may have sat down meanwhile
        self.table.presence.streams.append(self)

    def on_close(self) -> None:
        """See `Line`."""
        self.table.presence.streams.remove(self)
        if not self.table.presence.streams:
            self.table.clear_update_cache()


class StreamRegistry:
    """All streams of this process."""

    def __init__(self, delays: DurationHistogram) -> None:
        self.delays = delays  # is told how late each beat of the heart is
        self.slots: list[set[SseConnection]] = [set() for _ in range(HEARTBEAT_INTERVAL_S)]
        self.connected_people: dict[str, int] = {}  # who has so many streams open
        self.on_presence_change: Callable[[str], None] = lambda person: None  # learns who connected or disconnected
        self._next = 0
        self._task: asyncio.Task[None] | None = None
        self._farewell: Callable[[], bytes] | None = None

    def add(self, stream: SseConnection) -> int:
        """A new stream; returns its heartbeat's slot."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._heartbeat_loop())
        slot = self._next
        self._next = (slot + 1) % HEARTBEAT_INTERVAL_S
        self.slots[slot].add(stream)
        stream.on_open()
        if self._farewell is not None:  # it was on its way when the server began to close
            stream.end(self._farewell())
        if stream.person:
            self.connected_people[stream.person] = self.connected_people.get(stream.person, 0) + 1
            if self.connected_people[stream.person] == 1:
                self.on_presence_change(stream.person)
        return slot

    def remove(self, stream: SseConnection, slot: int) -> None:
        """The stream has ended."""
        stream.closed = True
        self.slots[slot].discard(stream)
        stream.on_close()
        if stream.person:
            self.connected_people[stream.person] -= 1
            if not self.connected_people[stream.person]:
                del self.connected_people[stream.person]
                self.on_presence_change(stream.person)

    def close_of(self, people: Collection[str]) -> None:
        """End the streams of these people: who may still listen comes back as who they are now."""
        for slot in self.slots:
            for stream in list(slot):
                if stream.person in people:
                    stream.close()

    def streams_of(self, person: str) -> list[SseConnection]:
        """The streams of a person."""
        return [stream for slot in self.slots for stream in slot if stream.person == person]

    async def _heartbeat_loop(self) -> None:
        """Each second, a sign of life on one fifteenth of the streams; who has taken nothing for long is let go."""
        slot = 0
        while True:
            due_at = time.monotonic() + 1
            await asyncio.sleep(1)
            now = time.monotonic()
            self.delays.add(max(0.0, now - due_at))
            for stream in list(self.slots[slot]):
                if stream.stalled_since and now - stream.stalled_since > STALL_TIMEOUT_S:
                    stream.close()
                else:
                    stream.notify(b"h")
            slot = (slot + 1) % HEARTBEAT_INTERVAL_S

    def end_all(self, farewell: Callable[[], bytes]) -> None:
        """The server is about to stop: say a last thing to every reader, also to those who are still on their way in."""
        self._farewell = farewell
        for slot in self.slots:
            for stream in list(slot):
                stream.end(farewell())

    def close(self) -> None:
        """The server stops: end every stream."""
        if self._task is not None:
            self._task.cancel()
        for slot in self.slots:
            for stream in list(slot):
                stream.close()
