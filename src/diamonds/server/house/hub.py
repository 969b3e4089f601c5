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

from diamonds.server.table.presence import Reader
from diamonds.server.table.table import Table
from diamonds.server.table.telling import message
from diamonds.server.watching.tally import Durations

HEARTBEAT = 15  # seconds between signs of life on a quiet stream
LAST = 5.0  # seconds for a last word
STALLED = 60.0  # seconds after which a reader that takes nothing is let go

Send = Callable[[dict[str, Any]], Awaitable[None]]
log = logging.getLogger("diamonds")


async def _carry_on(pump: Coroutine[Any, Any, None], waits_for: Any) -> None:
    """Drive a pump that has begun and now waits for something."""
    try:
        await _drive(pump, waits_for)
    finally:
        pump.close()


@types.coroutine
def _drive(pump: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, None, None]:
    while True:
        yield waits_for
        try:
            waits_for = pump.send(None)
        except StopIteration:
            return


class Besides(Protocol):
    """What somebody is told on each of their lines besides what the line is for; `version` grows whenever it changes."""

    version: int

    def text(self) -> bytes:
        """It, as an event."""
        ...


class Line:
    """One connection on which somebody is told of things as they happen; `frame` says what, when the connection can take it."""

    __slots__ = ("besides", "blocked", "closed", "due", "heard", "notice", "person", "pumping", "send")

    def __init__(self, person: str, send: Send) -> None:
        self.person = person
        self.send = send
        self.due = b""  # a message (b"m"), what is told besides (b"a") or a heartbeat (b"h") that waits to be sent
        self.besides: Besides | None = None
        self.heard = -1  # the version of it that was told
        self.notice = b""  # what is to be said first: an event of its own
        self.pumping = False
        self.closed = False
        self.blocked = 0.0

    async def frame(self) -> bytes:
        """What is to be sent now; it may be that there is nothing."""
        raise NotImplementedError

    def came(self) -> None:
        """The connection is open from now on."""

    def gone(self) -> None:
        """The connection has ended."""

    def wake(self, due: bytes = b"m") -> None:
        """Something is to be sent; if nothing else is on its way, send it."""
        if due == b"m" or self.due in (b"", b"h"):
            self.due = due
        if self.pumping or self.closed:
            return
        # Nearly always the connection takes it at once, and no task is needed.
        self.pumping = True
        pump = self._pump()
        try:
            waits_for = pump.send(None)
        except StopIteration:
            return
        asyncio.get_running_loop().create_task(_carry_on(pump, waits_for))

    async def _pump(self) -> None:
        try:
            while self.due and not self.closed:
                due, self.due = self.due, b""
                body, self.notice = self.notice, b""
                body += await self.frame() if due == b"m" else b": here\n\n" if due == b"h" else b""
                if self.besides is not None and self.besides.version != self.heard:
                    self.heard = self.besides.version
                    body += self.besides.text()
                if not body:
                    continue
                if not self._put(body):
                    self.blocked = time.monotonic()
                    await self.send({"type": "http.response.body", "body": body, "more_body": True})
                    self.blocked = 0.0
        except Exception:
            log.exception("A stream (%s) is closed.", type(self).__name__)
            self.close()
        finally:
            self.pumping = False

    def tell(self, notice: bytes) -> None:
        """Something that is to be said first."""
        self.notice = notice
        self.wake()

    def end(self, last: bytes) -> None:
        """Say one last thing, and nothing more; who is slow to take what they were sent before is cut without it."""
        if self.pumping or self.closed:
            self.close()
        else:
            self.closed = self.pumping = True
            asyncio.get_running_loop().create_task(self._say_last(last))

    async def _say_last(self, last: bytes) -> None:
        try:
            async with asyncio.timeout(LAST):
                await self.send({"type": "http.response.body", "body": last, "more_body": False})
            if (transport := self._transport()) is not None:
                transport.close()  # once all of it is on its way
        except Exception:  # it is gone already, or takes nothing
            self.close()

    def _put(self, body: bytes) -> bool:
        """Hand it to the connection, if that takes it at once: what uvicorn does with a piece of a reply that has no end yet."""
        if (transport := self._free()) is None:
            return False
        transport.write(b"%x\r\n%b\r\n" % (len(body), body))
        return True

    def _free(self) -> Any:
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


class Stream(Line):
    """One reader of one table."""

    __slots__ = ("reader", "since", "table")

    def __init__(
        self, table: Table, person: str, since: int | None, send: Send, blocked: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(person, send)
        self.table = table
        self.reader: Reader = table.reader(person, blocked)
        self.since = since

    @property
    def seat(self) -> int:
        """The reader's seat, or −1."""
        return self.reader.seat

    def wake(self, due: bytes = b"m") -> None:
        """See `Line`. Nearly always there is a message, nothing besides, and a connection that takes it: then it is written here and now."""
        besides = self.besides is not None and self.besides.version != self.heard
        if due != b"m" or self.pumping or self.closed or self.notice or besides or (transport := self._free()) is None:
            super().wake(due)
            return
        try:
            text = self._newest()
            self.due = b""
            transport.write(b"%x\r\n%b\r\n" % (len(text), text))
        except Exception:
            log.exception("A stream (%s) is closed.", type(self).__name__)
            self.close()

    async def frame(self) -> bytes:
        """See `Line`."""
        return self._newest()

    def _newest(self) -> bytes:
        """The newest message as an event."""
        table = self.table
        body = message(table, self.reader, self.since)
        # Whoever waits for the game will be told of its first deal.
        self.since = None if table.play.state is None else table.n
        return b"id: %d\ndata: %b\n\n" % (table.version, body)

    def came(self) -> None:
        """See `Line`."""
        self.reader = self.table.reader(self.person, self.reader.blocked)  # they may have sat down meanwhile
        self.table.here.streams.append(self)

    def gone(self) -> None:
        """See `Line`."""
        self.table.here.streams.remove(self)
        if not self.table.here.streams:
            self.table.forget_what_was_told()


class Hub:
    """All streams of this process."""

    def __init__(self, late: Durations) -> None:
        self.late = late  # is told how late each beat of the heart is
        self.slots: list[set[Line]] = [set() for _ in range(HEARTBEAT)]
        self.here: dict[str, int] = {}  # who has so many streams open
        self.moved: Callable[[str], None] = lambda person: None  # is told who came to the house, or left it
        self._next = 0
        self._task: asyncio.Task[None] | None = None
        self._farewell: Callable[[], bytes] | None = None

    def add(self, stream: Line) -> int:
        """A new stream; returns its heartbeat's slot."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._beat())
        slot = self._next
        self._next = (slot + 1) % HEARTBEAT
        self.slots[slot].add(stream)
        stream.came()
        if self._farewell is not None:  # it was on its way when the house began to close
            stream.end(self._farewell())
        if stream.person:
            self.here[stream.person] = self.here.get(stream.person, 0) + 1
            if self.here[stream.person] == 1:
                self.moved(stream.person)
        return slot

    def remove(self, stream: Line, slot: int) -> None:
        """The stream has ended."""
        stream.closed = True
        self.slots[slot].discard(stream)
        stream.gone()
        if stream.person:
            self.here[stream.person] -= 1
            if not self.here[stream.person]:
                del self.here[stream.person]
                self.moved(stream.person)

    def cut(self, people: Collection[str]) -> None:
        """End the streams of these people: who may still listen comes back as who they are now."""
        for slot in self.slots:
            for stream in list(slot):
                if stream.person in people:
                    stream.close()

    def of(self, person: str) -> list[Line]:
        """The streams of a person."""
        return [stream for slot in self.slots for stream in slot if stream.person == person]

    async def _beat(self) -> None:
        """Each second, a sign of life on one fifteenth of the streams; who has taken nothing for long is let go."""
        slot = 0
        while True:
            due = time.monotonic() + 1
            await asyncio.sleep(1)
            now = time.monotonic()
            self.late.add(max(0.0, now - due))
            for stream in list(self.slots[slot]):
                if stream.blocked and now - stream.blocked > STALLED:
                    stream.close()
                else:
                    stream.wake(b"h")
            slot = (slot + 1) % HEARTBEAT

    def part(self, farewell: Callable[[], bytes]) -> None:
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
