"""The routes of those who wait for somebody: nudges, pauses, and answers of bots for who is silent."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Response, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody

from diamonds.server.api import clocks
from diamonds.server.api.messages import CommittedResponse
from diamonds.server.http.hot_routes import HotRoutes
from diamonds.server.tables.service import TableService

StringDependency = NamedDependency[str]
PathString = FromPath[str]


def idle_player_routes(
    tables: TableService, hot_routes: HotRoutes, error_responses: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    """All of them."""
    rate_limiter, limits = hot_routes.rate_limiter, hot_routes.limits

    def committed(body: bytes) -> Response[Any]:
        return Response(body, media_type=MediaType.JSON)

    @post(
        "/api/tables/{id:str}/pause", status_code=200, summary="Clocks stand still, or go on", responses=error_responses
    )
    async def pause(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[clocks.PauseRequest]
    ) -> Response[CommittedResponse]:
        rate_limiter.acquire_pair("nudges", actor, address, limits.nudges, "server-many-nudges")
        return committed(await tables.pause(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/nudge", status_code=200, summary="Remind whom all wait for", responses=error_responses)
    async def nudge(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[clocks.NudgeRequest]
    ) -> Response[CommittedResponse]:
        rate_limiter.acquire_pair("nudges", actor, address, limits.nudges, "server-many-nudges")
        return committed(await tables.nudge(await tables.find(id, actor), actor, data))

    @post(
        "/api/tables/{id:str}/let-answer",
        status_code=200,
        summary="Let a bot answer for somebody",
        responses=error_responses,
    )
    async def substitute(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[clocks.SubstituteRequest]
    ) -> Response[CommittedResponse]:
        rate_limiter.acquire_pair("nudges", actor, address, limits.nudges, "server-many-nudges")
        return committed(await tables.propose_substitute(await tables.find(id, actor), actor, data))

    return [pause, nudge, substitute]
