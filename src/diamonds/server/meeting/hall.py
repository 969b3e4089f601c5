"""The hall: everyone who reads the lobby, and what each of them alone is told.

A reader who can take no more is not waited for, and nothing is kept for them: whoever has missed a change is sent the whole anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable

from diamonds.server.api.encoding import encode
from diamonds.server.api.meeting import LobbyNews, You
from diamonds.server.house.hub import Line, Send
from diamonds.server.meeting.board import Board, Channel

GATHER = 0.2  # seconds during which changes are told together
LOOK = 5.0  # seconds between two looks for tables that were left
AT_ONCE = 100  # readers that are told before others in the house have their turn

OfYou = Callable[[str], Awaitable[You]]
log = logging.getLogger("diamonds")


class Reader(Line):
    """Somebody who reads one channel. ``version`` is what they were told last, ``told`` which news of their own."""

    __slots__ = ("channel", "hall", "told", "version")

    def __init__(self, hall: Hall, channel: Channel, person: str, send: Send) -> None:
        super().__init__(person, send)
        self.hall = hall
        self.channel = channel
        self.version = -1
        self.told = -1

    async def frame(self) -> bytes:
        """What is new to them: one change, or if that is not all of it, the whole; and what is for them alone."""
        channel, text = self.channel, b""
        if self.version != channel.version:
            text = channel.change if self.version == channel.before else channel.whole()
            self.version = channel.version
        guest = self.hall.guests.get(self.person)
        if guest is not None and self.told != guest.version:
            self.told = guest.version
            text += await guest.text()
        return text

    def came(self) -> None:
        """See `Line`."""
        self.hall.enter(self)

    def gone(self) -> None:
        """See `Line`."""
        self.hall.leave(self)


class Guest:
    """Somebody in the hall, with however many pages open, and what is told to them alone."""

    __slots__ = ("_text", "of_you", "person", "readers", "version")

    def __init__(self, person: str, of_you: OfYou, version: int) -> None:
        self.person = person
        self.of_you = of_you
        self.readers: list[Reader] = []
        self.version = version
        self._text: bytes | None = None

    async def text(self) -> bytes:
        """Their news, whole. What changes while they are put together is told by the next ones."""
        if self._text is not None:
            return self._text
        version = self.version
        text = b"data: %b\n\n" % encode(LobbyNews(you=await self.of_you(self.person)))
        if version == self.version:
            self._text = text
        return text

    def changed(self, version: int) -> None:
        """There is something new for them."""
        self.version = version
        self._text = None
        for reader in self.readers:
            reader.wake()


class Hall:
    """All readers, and the board that they read. ``seeking`` counts who looks for others; ``of_you`` says what someone alone is told."""

    def __init__(self, board: Board, seeking: Callable[[], int], of_you: OfYou) -> None:
        self.board = board
        self.seeking = seeking
        self.of_you = of_you
        self.readers: dict[Channel, dict[Reader, None]] = {channel: {} for channel in board.channels.values()}
        self.guests: dict[str, Guest] = {}
        self.came: Callable[[str], None] = lambda person: None
        self.went: Callable[[str], None] = lambda person: None
        self._news = 0
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._looked = time.monotonic()

    def open(self, game: str, person: str, send: Send) -> Reader:
        """A new reader of the channel of a game, or of all of them."""
        self.touched()
        if not any(self.readers.values()):  # nobody waits to be told, and who comes first need not wait either
            self.board.turn(self.seeking())
        return Reader(self, self.board.channels[game], person, send)

    def close(self) -> None:
        """The server stops."""
        if self._task is not None:
            self._task.cancel()

    def part(self, farewell: bytes) -> None:
        """Whoever reads here is to read elsewhere."""
        for reader in [reader for readers in self.readers.values() for reader in readers]:
            reader.end(farewell)

    def enter(self, reader: Reader) -> None:
        """Somebody begins to read."""
        self.readers[reader.channel][reader] = None
        if not reader.person:
            return
        guest = self.guests.get(reader.person)
        if guest is None:
            self._news += 1
            guest = self.guests[reader.person] = Guest(reader.person, self.of_you, self._news)
        guest.readers.append(reader)
        self.came(reader.person)

    def leave(self, reader: Reader) -> None:
        """Somebody reads no more."""
        del self.readers[reader.channel][reader]
        guest = self.guests.get(reader.person)
        if guest is None:
            return
        guest.readers.remove(reader)
        if not guest.readers:
            del self.guests[reader.person]
            self.went(reader.person)

    def tell(self, person: str) -> None:
        """There is something new for somebody alone, who is told if they are in the hall."""
        guest = self.guests.get(person)
        if guest is not None:
            self._news += 1
            guest.changed(self._news)

    def touched(self) -> None:
        """Something on the board has to be written anew, or there are more or fewer who look for others."""
        self._wake.set()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._cry())

    async def _cry(self) -> None:
        """Write the board, tell who reads it, and again."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), LOOK)
            await asyncio.sleep(GATHER)
            self._wake.clear()
            try:
                await self._tell_all()
            except Exception:
                log.exception("A change of the lobby was not told.")

    async def _tell_all(self) -> None:
        if time.monotonic() - self._looked >= LOOK:
            self._looked = time.monotonic()
            self.board.look_at_the_left()
        for channel in self.board.turn(self.seeking()):
            readers = list(self.readers[channel])
            for k in range(0, len(readers), AT_ONCE):
                for reader in readers[k : k + AT_ONCE]:
                    reader.wake()
                await asyncio.sleep(0)
