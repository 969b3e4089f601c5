"""The two hot routes, without a framework between: answers go up, messages come down."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

import msgspec

from diamonds.game import Refused
from diamonds.server.api import messages
from diamonds.server.api.refusals import Stranger
from diamonds.server.house.hub import Line, Stream
from diamonds.server.house.standing import closed_notice
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.meeting import Meeting
from diamonds.server.reminding.turns import Reader as TurnsReader
from diamonds.server.reminding.turns import Turns
from diamonds.server.table.table import Table
from diamonds.server.wire.addresses import Scope, address_of
from diamonds.server.wire.http import CLOSED, Receive, Send, check_type, decode, language_of, problem, read_body, reply
from diamonds.server.wire.limits import Buckets, Counters, Limits, Turnstile
from diamonds.server.wire.people import People

RETRY = 2000  # milliseconds after which a browser tries again
BACK = (200, 1200)  # milliseconds after which readers come back to a house that closes: not all in the same moment
PRESENCE = 0.25  # seconds during which comings and goings are told together

STREAM = (
    CLOSED,
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)

_answers = msgspec.json.Decoder(messages.Answers)


class Live:
    """Answers and streams."""

    def __init__(
        self, tables: Tables, meeting: Meeting, turns: Turns, people: People, limits: Limits, proxies: int
    ) -> None:
        self.tables = tables
        self.meeting = meeting
        self.turns = turns
        self.people = people
        self.limits = limits
        self.proxies = proxies
        self.buckets = Buckets()
        self.counters = Counters()
        self.turnstile = Turnstile()

    def take_guest(self, scope: Scope) -> None:
        """One more identity for an address, or `TooMany`."""
        self.buckets.take("guests", address_of(scope, self.proxies), self.limits.guests, "server-many-guests")

    async def answers(self, scope: Scope, receive: Receive, send: Send, id: str) -> None:
        """``POST /api/tables/ID/answers``."""
        tally, began = self.tables.tally, time.perf_counter()
        try:
            person = await self.people.require(scope)
            self.buckets.take("answers", person, self.limits.answers, "server-many-answers")
            check_type(scope)
            body = decode(_answers, await read_body(receive))
            done = await self.tables.answer(await self.tables.find(id, person), person, body)
        except Refused as refusal:
            tally.refused += 1
            await reply(send, *problem(refusal, language_of(scope)))
        else:
            await reply(send, 200, done)
            tally.reply.add(time.perf_counter() - began)

    async def stream(self, scope: Scope, receive: Receive, send: Send, id: str) -> None:
        """``GET /api/tables/ID/stream``: a `Message` now, and after everything that happens."""

        async def of_table(person: str) -> Line:
            table, blocked = await self.tables.find(id, person), await self.tables.blocked(person)
            return Stream(table, person, known(_version(scope)), send, blocked)

        await self._listen(scope, receive, send, of_table)

    async def lobby(self, scope: Scope, receive: Receive, send: Send) -> None:
        """``GET /api/lobby``: `LobbyNews`, all that is shown now, and then each change."""

        async def of_lobby(person: str) -> Line:
            return self.meeting.read(_asked(scope, "game"), person, send)

        await self._listen(scope, receive, send, of_lobby)

    async def turns_alone(self, scope: Scope, receive: Receive, send: Send) -> None:
        """``GET /api/turns``: `Turns`, which a browser is told on its other streams too."""

        async def of_turns(person: str) -> Line:
            if not person:
                raise Stranger("server-who-are-you")
            return self.turns.open(person, send)

        await self._listen(scope, receive, send, of_turns)

    async def _listen(
        self, scope: Scope, receive: Receive, send: Send, opened: Callable[[str], Awaitable[Line]]
    ) -> None:
        """Tell somebody of things as they happen, until they are gone."""
        try:
            person, by_cookie = await self.people.identify(scope)
            self.people.check(person)
            address = address_of(scope, self.proxies)
            self.buckets.share("looks", person, address, self.limits.looks, "server-many-looks")
            await self.turnstile.turn(address)
            line = await opened(person)
            self.counters.enter("address", address, self.limits.streams_of_address, "server-many-streams")
            try:
                self.counters.enter("person", person or address, self.limits.streams, "server-many-streams")
            except Refused:
                self.counters.leave("address", address)
                raise
        except Refused as refusal:
            await reply(send, *problem(refusal, language_of(scope)))
            return
        await send({"type": "http.response.start", "status": 200, "headers": STREAM})
        await send({"type": "http.response.body", "body": b"retry: %d\n\n" % RETRY, "more_body": True})
        slot = self.tables.hub.add(line)
        line.notice = self.tables.standings.notice(person)
        if isinstance(line, Stream):
            line.notice += closed_notice(line.table)
        try:
            if person and (by_cookie or isinstance(line, TurnsReader)):
                await self.turns.enter(line)
            line.wake()
            self._presence(line)
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self.tables.hub.remove(line, slot)
            self.turns.leave(line)
            self.counters.leave("address", address)
            self.counters.leave("person", person or address)
            self._presence(line)

    def _presence(self, line: Line) -> None:
        """Someone came to a table or went: say so, a little later and once for all who did."""
        if not isinstance(line, Stream):
            return
        table = line.table
        if line.seat >= 0:
            table.here.seen[line.seat] = time.monotonic()
        table.here.touched = time.monotonic()
        if not table.here.tell_due:
            table.here.tell_due = True
            asyncio.get_running_loop().call_later(PRESENCE, self._tell_presence, table)

    def _tell_presence(self, table: Table) -> None:
        table.here.tell_due = False
        self.tables.changed(table)


def come_back() -> bytes:
    """The last thing that a reader is told when the house closes: when to come back, to the next process at this address."""
    return b"retry: %d\n\n" % random.randint(*BACK)


def known(version: int | None) -> int | None:
    """Up to which n a reader of this version knows what was told; ``None`` if that may be nothing.

    At n = 0 that is not sure: a table waits at n = 0 for its first deal, and the deal does not count. It is told again.
    """
    return None if version is None else version >> 32 or None


def _version(scope: Scope) -> int | None:
    """What the reader was told last: from ``Last-Event-ID``, or ``?after=`` a version; ``None`` on first load."""
    text = ""
    for name, value in scope["headers"]:
        if name == b"last-event-id":
            text = value.decode("latin-1")
    text = text or _asked(scope, "after")
    if not text.isascii() or not text.isdecimal() or len(text) > 16:
        return None
    return int(text)


def _asked(scope: Scope, name: str) -> str:
    """What an address asks for after its question mark, as it stands there; empty where it does not."""
    for part in scope["query_string"].decode("latin-1").split("&"):
        key, _, value = part.partition("=")
        if key == name:
            return str(value)
    return ""
