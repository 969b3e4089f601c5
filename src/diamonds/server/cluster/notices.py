"""Notices: what members tell each other, in the order in which it happened, until it has arrived or the other is gone.

The truth about games and people is in the database. A notice names data to read again, or reports a fact about one member.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from diamonds.server.cluster.errors import UnreachableError
from diamonds.server.store.cluster_sql import Member

if TYPE_CHECKING:
    from diamonds.server.cluster.forwarding import Forwarder

NOTICES, PING = "/internal/notices", "/internal/ping"  # what members ask of each other
GATHER_S = 0.02  # notices of this time travel together
RETRY_DELAY_S = 0.2
MAX_BATCH = 500

log = logging.getLogger("diamonds")


class Notice(msgspec.Struct, tag=True, frozen=True):
    """Something that one member tells another."""


class PersonChanged(Notice, frozen=True):
    """A person's name, sanctions, relationships or devices have changed; ``merged``: or their identity, with their seats at ``tables``."""

    person: str
    merged: bool = False
    tables: list[str] = []


class PeopleMoved(Notice, frozen=True):
    """People have come to a member, or left it; ``whole``: these are all of its people. For the lobby owner."""

    came: list[str]
    left: list[str] = []
    whole: bool = False


class TablesListed(Notice, frozen=True):
    """Summaries of a member's loaded tables, and the ids of tables that it no longer has; ``whole``: these are all. For the lobby owner."""

    tables: list[msgspec.Raw]
    gone: list[str] = []
    whole: bool = False


class SatDown(Notice, frozen=True):
    """People have sat down at a table. For the lobby owner."""

    people: list[str]


class NoShows(Notice, frozen=True):
    """Seats are no longer kept for these people. For the lobby owner."""

    table: str
    people: list[str]


class TurnsChanged(Notice, frozen=True):
    """The turns of people at a table, as JSON, for members at which they look at something else."""

    table: str
    turns: dict[str, msgspec.Raw]


class PushesDue(Notice, frozen=True):
    """The turns of people at tables with days for each decision may have changed. For the lobby owner."""

    people: list[str]


class Challenged(Notice, frozen=True):
    """The challenges before a person are these now, as JSON."""

    person: str
    challenges: msgspec.Raw


AnyNotice = PersonChanged | PeopleMoved | TablesListed | SatDown | NoShows | TurnsChanged | PushesDue | Challenged
Handler = Callable[[int, Any], Awaitable[None]]
_batch = msgspec.json.Decoder(list[AnyNotice])


class Outbox:
    """Notices on their way to one member."""

    def __init__(self, member: Member, forwarder: Forwarder) -> None:
        self.member, self._forwarder = member, forwarder
        self._waiting: list[tuple[AnyNotice, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    def put(self, notice: AnyNotice) -> asyncio.Future[None]:
        """Send a notice. The future is done when it has been acted upon there, or the member is gone."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((notice, done))
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._send())
        return done

    def close(self) -> None:
        """Give up: the member is gone."""
        if self._task is not None:
            self._task.cancel()
        for _, done in self._waiting:
            if not done.done():
                done.set_result(None)
        self._waiting.clear()

    async def _send(self) -> None:
        while self._waiting:
            await asyncio.sleep(GATHER_S)
            batch = self._waiting[:MAX_BATCH]
            try:
                await self._forwarder.call(self.member, NOTICES, msgspec.json.encode([notice for notice, _ in batch]))
            except UnreachableError:
                await asyncio.sleep(RETRY_DELAY_S)
                continue
            del self._waiting[: len(batch)]
            for _, done in batch:
                if not done.done():
                    done.set_result(None)
        self._task = None


class NoticeBoard:
    """Notices to and from all members. ``handlers`` say what a kind of notice does here; each is given the sender's number."""

    def __init__(self, forwarder: Forwarder) -> None:
        self._forwarder = forwarder
        self._outboxes: dict[int, Outbox] = {}
        self.handlers: dict[type[Any], Handler] = {}

    def send(self, member: Member, notice: AnyNotice) -> asyncio.Future[None]:
        """Send a notice to one member."""
        outbox = self._outboxes.get(member.number)
        if outbox is None:
            outbox = self._outboxes[member.number] = Outbox(member, self._forwarder)
        return outbox.put(notice)

    def drop(self, number: int) -> None:
        """A member is gone."""
        outbox = self._outboxes.pop(number, None)
        if outbox is not None:
            outbox.close()

    def close(self) -> None:
        """This process stops."""
        for number in [*self._outboxes]:
            self.drop(number)

    async def receive(self, sender: int, body: bytes) -> None:
        """Act upon a batch of notices. Raise `msgspec.DecodeError` if it is malformed."""
        for notice in _batch.decode(body):
            try:
                await self.handlers[type(notice)](sender, notice)
            except Exception:
                log.exception("A notice of another member (%s) was not acted upon.", type(notice).__name__)


async def delivered(futures: Sequence[asyncio.Future[None]]) -> None:
    """Wait until notices have been acted upon, or their members are gone."""
    if futures:
        await asyncio.wait(futures)
