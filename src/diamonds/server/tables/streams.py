"""SSE streams: each is woken by changes and sends the latest update once its client can receive it.

An update is complete, so a slow client misses nothing: it gets the latest one, with all events since the previous one.
At most one update waits per client, apart from what uvicorn and the system have buffered.
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
from diamonds.server.tables.core.table_update import table_update

HEARTBEAT_INTERVAL_S = 15  # between heartbeats on each stream
FAREWELL_TIMEOUT_S = 5.0  # limit for sending the last frame
STALL_TIMEOUT_S = 60.0  # a client that reads nothing is then disconnected

Send = Callable[[dict[str, Any]], Awaitable[None]]
log = logging.getLogger("diamonds")


async def _resume(pump: Coroutine[Any, Any, None], waits_for: Any) -> None:
    """Continue a pump from its current `await`, which yielded `waits_for`."""
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
    """Updates for a person, sent on each of their streams. `version` increases with every change."""

    version: int

    def text(self) -> bytes: ...


class SseConnection:
    """One SSE connection. `next_frame` returns the latest frame when the socket is writable."""

    __slots__ = (
        "closed", "notice", "pending", "person", "person_updates", "person_updates_version", "pumping", "send",
        "stalled_since",
    )  # fmt: skip

    def __init__(self, person: str, send: Send) -> None:
        self.person = person
        self.send = send
        self.pending = b""  # what is waiting to be sent: an update (b"m"), a person update (b"a") or a heartbeat (b"h")
        self.person_updates: PersonUpdates | None = None
        self.person_updates_version = -1  # the last version sent
        self.notice = b""  # an event to send first
        self.pumping = False
        self.closed = False
        self.stalled_since = 0.0

    async def next_frame(self) -> bytes:
        """Return the frame to send now; it may be empty."""
        raise NotImplementedError

    def on_open(self) -> None:
        """Handle the opening of the connection."""

    def on_close(self) -> None:
        """Handle the end of the connection."""

    def notify(self, pending: bytes = b"m") -> None:
        """Record that something must be sent, and send it unless a frame is already being sent."""
        if pending == b"m" or self.pending in (b"", b"h"):
            self.pending = pending
        if self.pumping or self.closed:
            return
        # The connection almost always accepts the frame immediately, so no task is needed.
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
            log.exception("Stream closed after an error (%s).", type(self).__name__)
            self.close()
        finally:
            self.pumping = False

    def send_notice(self, notice: bytes) -> None:
        """Send a notice ahead of the next frame."""
        self.notice = notice
        self.notify()

    def end(self, farewell: bytes) -> None:
        """Send a last frame and close. A client with a frame still pending is cut off without it."""
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
                transport.close()  # after everything that is buffered
        except Exception:  # the client is gone or does not read
            self.close()

    def _write_now(self, body: bytes) -> bool:
        """Write a chunk directly, as uvicorn would, if the connection accepts it now. Return whether it did."""
        if (transport := self._writable_transport()) is None:
            return False
        transport.write(b"%x\r\n%b\r\n" % (len(body), body))
        return True

    def _writable_transport(self) -> Any:
        """Return the transport if it accepts a chunk now."""
        exchange: Any = getattr(self.send, "__self__", None)
        if not getattr(exchange, "chunked_encoding", False) or exchange.response_complete:
            return None
        return None if exchange.flow.write_paused or exchange.disconnected else exchange.transport

    def _transport(self) -> Any:
        """Return uvicorn's transport."""
        exchange = getattr(self.send, "__self__", None)
        return getattr(exchange, "transport", None)

    def close(self) -> None:
        """Abort the connection. A browser that still shows the page reconnects."""
        self.closed = True
        if (transport := self._transport()) is not None:
            transport.abort()  # a stalled connection cannot be closed gracefully


class TableStream(SseConnection):
    """The stream of a table to one viewer."""

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
        """The viewer's seat, or −1."""
        return self.viewer.seat

    def notify(self, pending: bytes = b"m") -> None:
        """See `SseConnection`. In the common case of an update and a writable connection, write directly."""
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
            log.exception("Stream closed after an error (%s).", type(self).__name__)
            self.close()

    async def next_frame(self) -> bytes:
        return self._latest_update()

    def _latest_update(self) -> bytes:
        """Return the latest table update as an SSE event."""
        table = self.table
        body = table_update(table, self.viewer, self.last_n)
        # A client waiting for the game to start needs the events of the first deal.
        self.last_n = None if table.game_state.state is None else table.n
        return b"id: %d\ndata: %b\n\n" % (table.version, body)

    def on_open(self) -> None:
        self.viewer = self.table.viewer(self.person, self.viewer.blocked)  # they may have sat down in the meantime
        self.table.presence.streams.append(self)

    def on_close(self) -> None:
        self.table.presence.streams.remove(self)
        if not self.table.presence.streams:
            self.table.clear_update_cache()


class StreamRegistry:
    """All streams of this process."""

    def __init__(self, delays: DurationHistogram) -> None:
        self.delays = delays  # records how late each heartbeat is
        self.slots: list[set[SseConnection]] = [set() for _ in range(HEARTBEAT_INTERVAL_S)]
        self.connected_people: dict[str, int] = {}  # number of open streams per person
        self.on_presence_change: Callable[[str], None] = lambda person: None  # on connect and disconnect
        self._next = 0
        self._task: asyncio.Task[None] | None = None
        self._farewell: Callable[[], bytes] | None = None

    def add(self, stream: SseConnection) -> int:
        """Add a stream, and return the slot of its heartbeat."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._heartbeat_loop())
        slot = self._next
        self._next = (slot + 1) % HEARTBEAT_INTERVAL_S
        self.slots[slot].add(stream)
        stream.on_open()
        if self._farewell is not None:  # the server started to close while this stream was opening
            stream.end(self._farewell())
        if stream.person:
            self.connected_people[stream.person] = self.connected_people.get(stream.person, 0) + 1
            if self.connected_people[stream.person] == 1:
                self.on_presence_change(stream.person)
        return slot

    def remove(self, stream: SseConnection, slot: int) -> None:
        """Remove a stream that has ended."""
        stream.closed = True
        self.slots[slot].discard(stream)
        stream.on_close()
        if stream.person:
            self.connected_people[stream.person] -= 1
            if not self.connected_people[stream.person]:
                del self.connected_people[stream.person]
                self.on_presence_change(stream.person)

    def close_of(self, people: Collection[str]) -> None:
        """Close the streams of people whose identity has changed. Clients reconnect with the new one."""
        for slot in self.slots:
            for stream in list(slot):
                if stream.person in people:
                    stream.close()

    def streams_of(self, person: str) -> list[SseConnection]:
        return [stream for slot in self.slots for stream in slot if stream.person == person]

    async def _heartbeat_loop(self) -> None:
        """Each second, send a heartbeat on one fifteenth of the streams, and close stalled ones."""
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
        """Send a last frame on every stream and close it, including streams still opening."""
        self._farewell = farewell
        for slot in self.slots:
            for stream in list(slot):
                stream.end(farewell())

    def close(self) -> None:
        """Close every stream."""
        if self._task is not None:
            self._task.cancel()
        for slot in self.slots:
            for stream in list(slot):
                stream.close()
