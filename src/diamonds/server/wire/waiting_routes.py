"""The routes of those who wait for somebody: nudges, pauses, and answers of bots for who is silent."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Response, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody

from diamonds.server.api import clocks
from diamonds.server.api.messages import Done
from diamonds.server.house.tables import Tables
from diamonds.server.wire.live import Live

Text = NamedDependency[str]
PathId = FromPath[str]


def waiting_routes(tables: Tables, live: Live, problems: dict[int, ResponseSpec]) -> list[HTTPRouteHandler]:
    """All of them."""
    buckets, limits = live.buckets, live.limits

    def done(body: bytes) -> Response[Any]:
        return Response(body, media_type=MediaType.JSON)

    @post("/api/tables/{id:str}/pause", status_code=200, summary="Clocks stand still, or go on", responses=problems)
    async def pause(actor: Text, address: Text, id: PathId, data: JSONBody[clocks.Pause]) -> Response[Done]:
        buckets.share("nudges", actor, address, limits.nudges, "server-many-nudges")
        return done(await tables.pause(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/nudge", status_code=200, summary="Remind whom all wait for", responses=problems)
    async def nudge(actor: Text, address: Text, id: PathId, data: JSONBody[clocks.Nudge]) -> Response[Done]:
        buckets.share("nudges", actor, address, limits.nudges, "server-many-nudges")
        return done(await tables.nudge(await tables.find(id, actor), actor, data))

    @post(
        "/api/tables/{id:str}/let-answer", status_code=200, summary="Let a bot answer for somebody", responses=problems
    )
    async def let_answer(actor: Text, address: Text, id: PathId, data: JSONBody[clocks.LetAnswer]) -> Response[Done]:
        buckets.share("nudges", actor, address, limits.nudges, "server-many-nudges")
        return done(await tables.let_answer(await tables.find(id, actor), actor, data))

    return [pause, nudge, let_answer]
