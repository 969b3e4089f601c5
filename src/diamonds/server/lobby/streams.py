"""Streams of the lobby: the list, and each person's private part.

The server does not wait for slow clients, and buffers nothing for them: a client that missed a change gets the whole
list again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable

from diamonds.server.api.codec import encode
from diamonds.server.api.lobby import LobbyUpdate, PersonalLobbyInfo
from diamonds.server.lobby.public_table_list import LobbyPeople, PublicTableList, TableListChannel
from diamonds.server.tables.streams import Send, SseConnection

COALESCE_S = 0.2  # changes within this time are sent together
SWEEP_INTERVAL_S = 5.0  # between checks for tables to remove from the list
STREAMS_PER_BATCH = 100  # written before other tasks get a turn

PeopleLoader = Callable[[], Awaitable[LobbyPeople]]
PersonalInfoLoader = Callable[[str], Awaitable[PersonalLobbyInfo]]
log = logging.getLogger("diamonds")


class LobbyStream(SseConnection):
    """A viewer of one channel, with the versions of the list and the private part last sent to them."""

    __slots__ = ("channel", "hub", "personal_version", "version")

    def __init__(self, hub: LobbyHub, channel: TableListChannel, person: str, send: Send) -> None:
        super().__init__(person, send)
        self.hub = hub
        self.channel = channel
        self.version = -1
        self.personal_version = -1

    async def next_frame(self) -> bytes:
        """Return the last change for this viewer, or the whole list if one was missed, and the private part."""
        channel, text = self.channel, b""
        if self.version != channel.version:
            text = channel.change if self.version == channel.base_version else channel.snapshot()
            self.version = channel.version
        visitor = self.hub.visitors.get(self.person)
        if visitor is not None and self.personal_version != visitor.version:
            self.personal_version = visitor.version
            text += await visitor.text()
        return text

    def on_open(self) -> None:
        self.hub.enter(self)

    def on_close(self) -> None:
        self.hub.leave(self)


class PersonalChannel:
    """A person in the lobby, with one or more streams, and their private part."""

    __slots__ = ("_text", "person", "personal_info", "streams", "version")

    def __init__(self, person: str, personal_info: PersonalInfoLoader, version: int) -> None:
        self.person = person
        self.personal_info = personal_info
        self.streams: list[LobbyStream] = []
        self.version = version
        self._text: bytes | None = None

    async def text(self) -> bytes:
        """Return the whole private part. Changes while it is built come with the next version."""
        if self._text is not None:
            return self._text
        version = self.version
        text = b"data: %b\n\n" % encode(LobbyUpdate(personal=await self.personal_info(self.person)))
        if version == self.version:
            self._text = text
        return text

    def invalidate(self, version: int) -> None:
        """Mark the private part as changed and notify the streams."""
        self.version = version
        self._text = None
        for stream in self.streams:
            stream.notify()


class LobbyHub:
    """All viewers of the list.

    `load_people` returns the people in the lobby, `personal_info` a person's private part.
    """

    def __init__(self, board: PublicTableList, load_people: PeopleLoader, personal_info: PersonalInfoLoader) -> None:
        self.board = board
        self.load_people = load_people
        self.people = LobbyPeople()
        self.personal_info = personal_info
        self.streams: dict[TableListChannel, dict[LobbyStream, None]] = {
            channel: {} for channel in board.channels.values()
        }
        self.visitors: dict[str, PersonalChannel] = {}
        self.on_enter: Callable[[str], None] = lambda person: None
        self.on_leave: Callable[[str], None] = lambda person: None
        self._news_version = 0
        self._wakeup = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._swept_at = time.monotonic()

    def open(self, game: str, person: str, send: Send) -> LobbyStream:
        """Return a new stream for one game's channel, or for all games."""
        self.schedule_flush()
        if not any(self.streams.values()):  # the first viewer gets a fresh list immediately
            self.board.flush(self.people)
        return LobbyStream(self, self.board.channels[game], person, send)

    def close(self) -> None:
        """Stop updating."""
        if self._task is not None:
            self._task.cancel()

    def close_all(self, farewell: bytes) -> None:
        """End all streams, because another member now owns the lobby."""
        for stream in [stream for streams in self.streams.values() for stream in streams]:
            stream.end(farewell)

    def enter(self, stream: LobbyStream) -> None:
        self.streams[stream.channel][stream] = None
        if not stream.person:
            return
        visitor = self.visitors.get(stream.person)
        if visitor is None:
            self._news_version += 1
            visitor = self.visitors[stream.person] = PersonalChannel(
                stream.person, self.personal_info, self._news_version
            )
        visitor.streams.append(stream)
        self.on_enter(stream.person)

    def leave(self, stream: LobbyStream) -> None:
        """Remove a stream."""
        del self.streams[stream.channel][stream]
        visitor = self.visitors.get(stream.person)
        if visitor is None:
            return
        visitor.streams.remove(stream)
        if not visitor.streams:
            del self.visitors[stream.person]
            self.on_leave(stream.person)

    def notify_person(self, person: str) -> None:
        """Notify a person of changes to their private part, if they are in the lobby."""
        visitor = self.visitors.get(person)
        if visitor is not None:
            self._news_version += 1
            visitor.invalidate(self._news_version)

    def schedule_flush(self) -> None:
        """Update the list soon, because rows or the number of seekers have changed."""
        self._wakeup.set()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._flush_loop())

    async def _flush_loop(self) -> None:
        """Update the list and notify its viewers, repeatedly."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SWEEP_INTERVAL_S):
                    await self._wakeup.wait()
            await asyncio.sleep(COALESCE_S)
            self._wakeup.clear()
            try:
                await self._flush()
            except Exception:
                log.exception("Failed to send a change of the lobby.")

    async def _flush(self) -> None:
        swept = time.monotonic() - self._swept_at >= SWEEP_INTERVAL_S
        if swept:
            self._swept_at = time.monotonic()
            self.board.drop_empty()
        people = await self.load_people()
        # The number of people changes only at a sweep, because an immediate change would reveal who came.
        self.people = (
            people if swept or not self.people.people_count else people._replace(people_count=self.people.people_count)
        )
        for channel in self.board.flush(self.people):
            streams = list(self.streams[channel])
            for k in range(0, len(streams), STREAMS_PER_BATCH):
                for stream in streams[k : k + STREAMS_PER_BATCH]:
                    stream.notify()
                await asyncio.sleep(0)
