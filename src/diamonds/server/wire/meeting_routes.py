"""The routes by which people find each other. What they are told comes by the lobby's stream (`live.Live.lobby`)."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody

from diamonds.server.api import meeting as messages
from diamonds.server.api.accounts import Gone
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.meeting import Meeting
from diamonds.server.wire.live import Live

Text = NamedDependency[str]


def meeting_routes(
    meeting: Meeting, tables: Tables, live: Live, problems: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    """All of them."""
    buckets, limits = live.buckets, live.limits

    @post("/api/seek", status_code=200, summary="Look for others to play with", responses=problems)
    async def seek(actor: Text, address: Text, data: JSONBody[messages.NewSeek]) -> Gone:
        buckets.share("seeks", actor, address, limits.seeks, "server-many-seeks")
        await meeting.seek(actor, data)
        return Gone()

    @post("/api/seek/end", status_code=200, summary="Look for nobody any more", responses=problems)
    async def no_seek(actor: Text, address: Text, data: JSONBody[messages.NoSeek]) -> Gone:
        buckets.share("seeks", actor, address, limits.seeks, "server-many-seeks")
        meeting.end_seek(actor)
        return Gone()

    @post("/api/friends", status_code=200, summary="Ask somebody to be friends, or agree to it", responses=problems)
    async def friend(actor: Text, address: Text, data: JSONBody[messages.AskFriend]) -> Gone:
        buckets.share("friends", actor, address, limits.friends, "server-many-friends")
        await meeting.friends.ask(actor, data.name)
        return Gone()

    @post("/api/friends/change", status_code=200, summary="Part with somebody, or block them", responses=problems)
    async def change(actor: Text, address: Text, data: JSONBody[messages.Around]) -> Gone:
        buckets.share("friends", actor, address, limits.friends, "server-many-friends")
        await meeting.change(actor, data.what, data.name)
        return Gone()

    @post("/api/tables/{id:str}/block", status_code=200, summary="Block whoever has a seat", responses=problems)
    async def block(actor: Text, address: Text, id: FromPath[str], data: JSONBody[messages.BlockAt]) -> Gone:
        buckets.share("friends", actor, address, limits.friends, "server-many-friends")
        await meeting.block_at(await tables.find(id, actor), actor, data.seat)
        return Gone()

    @post("/api/challenges", status_code=200, summary="Ask one person to play", responses=problems)
    async def challenge(actor: Text, address: Text, data: JSONBody[messages.NewChallenge]) -> messages.Challenged:
        buckets.share("friends", actor, address, limits.friends, "server-many-friends")
        return messages.Challenged(await meeting.challenges.put(actor, data))

    @post("/api/challenges/answer", status_code=200, summary="Agree to play, or not", responses=problems)
    async def answer(actor: Text, address: Text, data: JSONBody[messages.AnswerChallenge]) -> messages.Agreed:
        buckets.share("friends", actor, address, limits.friends, "server-many-friends")
        return messages.Agreed(await meeting.challenges.answer(actor, data.id, data.agree))

    return [seek, no_seek, friend, change, block, challenge, answer]
