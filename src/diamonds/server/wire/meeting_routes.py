"""The routes by which people find each other. What they are told comes by the lobby's stream (`live.Live.lobby`)."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody

from diamonds.server.api import meeting as messages
from diamonds.server.api.accounts import Gone
from diamonds.server.meeting.meeting import Meeting
from diamonds.server.wire.live import Live

Text = NamedDependency[str]


def meeting_routes(meeting: Meeting, live: Live, problems: dict[int, ResponseSpec]) -> list[HTTPRouteHandler]:
    """All of them."""
    buckets, limits = live.buckets, live.limits

    @post("/api/seek", status_code=200, summary="Look for others to play with", responses=problems)
    async def seek(actor: Text, address: Text, data: JSONBody[messages.NewSeek]) -> Gone:
        buckets.share("seeks", actor, address, limits.seeks, "server-many-seeks")
        meeting.seek(actor, data)
        return Gone()

    @post("/api/seek/end", status_code=200, summary="Look for nobody any more", responses=problems)
    async def no_seek(actor: Text, address: Text, data: JSONBody[messages.NoSeek]) -> Gone:
        buckets.share("seeks", actor, address, limits.seeks, "server-many-seeks")
        meeting.end_seek(actor)
        return Gone()

    return [seek, no_seek]
