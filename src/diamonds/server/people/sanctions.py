"""Sanctions: current warnings, mutes and bans. They are cached in memory, because each request needs them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime

from diamonds.server.api.codec import encode
from diamonds.server.api.moderation import ModerationNotice
from diamonds.server.errors import ForbiddenError
from diamonds.server.storage.moderation import ModerationStore, Sanctions


class SanctionsCache:
    """The sanctions of all people who have any. `clock` returns seconds since 1970."""

    def __init__(self, moderation_store: ModerationStore, clock: Callable[[], float] = time.time) -> None:
        self.moderation_store = moderation_store
        self.clock = clock
        self._known: dict[str, Sanctions] = {}
        self.read_lock = asyncio.Lock()  # held while sanctions are read, so that the newest stay cached

    async def refresh(self) -> None:
        """Read all sanctions again. Reads are serialized, so that an older result never replaces a newer one."""
        async with self.read_lock:
            self._known = {sanctions.person: sanctions for sanctions in await self.moderation_store.sanctions()}

    def get(self, person: str) -> Sanctions:
        """Return a person's current sanctions, without expired ones."""
        sanctions = self._known.get(person)
        if sanctions is None:
            return Sanctions(person)
        now = int(self.clock())
        muted, banned = (until if until > now else 0 for until in (sanctions.muted_until, sanctions.banned_until))
        return sanctions._replace(
            muted_until=muted, banned_until=banned, reason=sanctions.reason if muted or banned else ""
        )

    def check_not_banned(self, person: str) -> None:
        """Raise `ForbiddenError`, with the end of the ban, if a person is banned."""
        if person in self._known and (sanctions := self.get(person)).banned_until:
            raise ForbiddenError("moderation-banned", until=_utc_text(sanctions.banned_until), reason=sanctions.reason)

    def check_not_muted(self, person: str) -> None:
        """Raise `ForbiddenError`, with the end of the mute, if a person is muted."""
        if person in self._known and (sanctions := self.get(person)).muted_until:
            raise ForbiddenError("moderation-muted", until=_utc_text(sanctions.muted_until), reason=sanctions.reason)

    def notice(self, person: str) -> bytes:
        """Return a person's ban or unread warning as an SSE event; empty for most people."""
        if person not in self._known:
            return b""
        sanctions = self.get(person)
        if sanctions.banned_until:
            return sse_notice(ModerationNotice("banned", sanctions.reason, sanctions.banned_until))
        return sse_notice(ModerationNotice("warned", sanctions.warning)) if sanctions.warning else b""


def sse_notice(notice: ModerationNotice) -> bytes:
    """Return a moderation notice as an SSE event."""
    return b"event: order\ndata: %b\n\n" % encode(notice)


def closed_notice(closed_reason: str) -> bytes:
    """Return the notice at a table that moderators have closed; empty for other tables."""
    return sse_notice(ModerationNotice("closed", closed_reason)) if closed_reason else b""


def _utc_text(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
