"""Notices between members, delivered in order until they have arrived or the member is gone.

The database holds the truth about games and people. A notice names data to read again, or reports a fact about one
member.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import operator
from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING, Any

import msgspec

from diamonds.server.cluster.errors import MemberUnreachableError
from diamonds.server.storage.cluster import Member

if TYPE_CHECKING:
    from diamonds.server.cluster.forwarding import RequestForwarder

NOTICES_PATH, PING_PATH = "/internal/notices", "/internal/ping"  # internal routes of each member
COALESCE_S = 0.02  # notices within this time are sent together
RETRY_DELAY_S = 0.2
MAX_BATCH_SIZE = 500

log = logging.getLogger("diamonds")


class MemberNotice(msgspec.Struct, tag=True, frozen=True):
    """A message from one member to another."""


class PersonChanged(MemberNotice, frozen=True):
    """A person's name, sanctions, relationships or devices have changed.

    `merged` means that their identity has changed too, and with it their seats at `tables`.
    """

    person: str
    merged: bool = False
    tables: list[str] = []


class PresenceChanged(MemberNotice, frozen=True):
    """A notice to the lobby owner: people have connected to a member, or left it.

    `is_complete` means that all of the member's people are listed.
    """

    arrived: list[str]
    left: list[str] = []
    is_complete: bool = False


class SummariesChanged(MemberNotice, frozen=True):
    """Summaries of a member's loaded tables, and ids of evicted ones, for the lobby owner.

    `is_complete` means that all loaded tables are listed.
    """

    summaries: list[msgspec.Raw]
    removed: list[str] = []
    is_complete: bool = False


class PeopleSeated(MemberNotice, frozen=True):
    """A notice to the lobby owner: these people have taken seats."""

    people: list[str]


class NoShows(MemberNotice, frozen=True):
    """A notice to the lobby owner: no seat is reserved for these people any more."""

    table: str
    people: list[str]


class TurnsChanged(MemberNotice, frozen=True):
    """The turns of people at a table, as JSON, for members where they are connected."""

    table: str
    turns: dict[str, msgspec.Raw]


class PushRecheck(MemberNotice, frozen=True):
    """Turns at tables with days per move may have changed.

    The lobby owner then checks the push notifications of these people.
    """

    people: list[str]


class ChallengesChanged(MemberNotice, frozen=True):
    """All open challenges to a person, as JSON."""

    person: str
    challenges: msgspec.Raw


class MatchTableDone(MemberNotice, frozen=True):
    """A notice to the lobby owner: a table of a duplicate match is no longer played."""

    match: str


class MatchOver(MemberNotice, frozen=True):
    """A duplicate match is over, so its tables are open to everyone."""

    match: str


Handler = Callable[[int, Any], Awaitable[None]]
_any_notice: Any = functools.reduce(operator.or_, MemberNotice.__subclasses__())
_batch_decoder = msgspec.json.Decoder(list[_any_notice])


class Outbox:
    """Notices on their way to one member."""

    def __init__(self, member: Member, forwarder: RequestForwarder) -> None:
        self.member, self._forwarder = member, forwarder
        self._waiting: list[tuple[MemberNotice, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    def enqueue(self, notice: MemberNotice) -> asyncio.Future[None]:
        """Send a notice. The future completes when the member has handled it or is gone."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((notice, done))
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._send())
        return done

    def close(self) -> None:
        """Drop all notices: the member is gone."""
        if self._task is not None:
            self._task.cancel()
        self._complete(len(self._waiting))

    def _complete(self, count: int) -> None:
        for _, done in self._waiting[:count]:
            if not done.done():
                done.set_result(None)
        del self._waiting[:count]

    async def _send(self) -> None:
        while self._waiting:
            await asyncio.sleep(COALESCE_S)
            batch = [notice for notice, _ in self._waiting[:MAX_BATCH_SIZE]]
            try:
                await self._forwarder.call(self.member, NOTICES_PATH, msgspec.json.encode(batch))
                self._complete(len(batch))
            except MemberUnreachableError:
                await asyncio.sleep(RETRY_DELAY_S)
        self._task = None


class NoticeRouter:
    """Notices to and from all members. `handlers` handle each kind, given the sender's number."""

    def __init__(self, forwarder: RequestForwarder) -> None:
        self._forwarder = forwarder
        self._outboxes: dict[int, Outbox] = {}
        self.handlers: dict[type[MemberNotice], Handler] = {}

    def send(self, member: Member, notice: MemberNotice) -> asyncio.Future[None]:
        """Send a notice to one member."""
        if member.number not in self._outboxes:
            self._outboxes[member.number] = Outbox(member, self._forwarder)
        return self._outboxes[member.number].enqueue(notice)

    def keep_members(self, numbers: Collection[int]) -> None:
        """Drop the notices to members that are not in `numbers`; some were queued after their member had gone."""
        for number in self._outboxes.keys() - {*numbers}:
            self._outboxes.pop(number).close()

    def close(self) -> None:
        """Drop all notices."""
        self.keep_members(())

    async def receive(self, sender: int, body: bytes) -> None:
        """Handle a batch of notices. Raise `msgspec.DecodeError` if it is malformed."""
        for notice in _batch_decoder.decode(body):
            try:
                await self.handlers[type(notice)](sender, notice)
            except Exception:
                log.exception("Failed to handle a notice of another member (%s).", type(notice).__name__)
