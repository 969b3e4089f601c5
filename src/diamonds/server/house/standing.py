"""How people stand with the house: who is warned, muted or banned now. It is in memory, for each request asks it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime

from diamonds.server.api.encoding import encode
from diamonds.server.api.order import Notice
from diamonds.server.api.refusals import Forbidden
from diamonds.server.store.books import Books, Standing
from diamonds.server.table.table import Table


class Standings:
    """Of all of whom there is anything to say. ``clock`` gives the time in seconds since 1970."""

    def __init__(self, books: Books, clock: Callable[[], float] = time.time) -> None:
        self.books = books
        self.clock = clock
        self._known: dict[str, Standing] = {}
        self._reading = asyncio.Lock()

    async def read(self) -> None:
        """Take over what the books say by now; one after the other, so that what was read earlier never takes the place of what is newer."""
        async with self._reading:
            self._known = {one.person: one for one in await self.books.standings()}

    def of(self, person: str) -> Standing:
        """How somebody stands; what is over is left out."""
        known = self._known.get(person)
        if known is None:
            return Standing(person)
        now = int(self.clock())
        muted, banned = (until if until > now else 0 for until in (known.muted, known.banned))
        return known._replace(muted=muted, banned=banned, reason=known.reason if muted or banned else "")

    def check_welcome(self, person: str) -> None:
        """`Forbidden` for who is banned, with until when."""
        if person in self._known and (known := self.of(person)).banned:
            raise Forbidden("order-banned", until=_moment(known.banned), reason=known.reason)

    def check_may_talk(self, person: str) -> None:
        """`Forbidden` for who is muted, with until when."""
        if person in self._known and (known := self.of(person)).muted:
            raise Forbidden("order-muted", until=_moment(known.muted), reason=known.reason)

    def notice(self, person: str) -> bytes:
        """What somebody has to be told before anything else, as an event; empty for nearly everybody."""
        if person not in self._known:
            return b""
        known = self.of(person)
        if known.banned:
            return event(Notice("banned", known.reason, known.banned))
        return event(Notice("warned", known.warning)) if known.warning else b""


def event(notice: Notice) -> bytes:
    """Something that hosts have to say to a reader, beside all that the stream is for."""
    return b"event: order\ndata: %b\n\n" % encode(notice)


def closed_notice(table: Table) -> bytes:
    """What is told at a table that hosts have closed; nothing at any other."""
    return event(Notice("closed", table.places.closed)) if table.places.closed else b""


def _moment(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
