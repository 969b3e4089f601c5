"""Routes for the deals of the day."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter

from diamonds.server.api.daily import PastDaysResponse, PastDealResponse, TodayResponse
from diamonds.server.api.tables import TableCreatedResponse
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.tables.daily import DailyDeals

StringDependency = NamedDependency[str]
PathString = FromPath[str]


def daily_routes(
    daily: DailyDeals, asgi_routes: AsgiRoutes, error_responses: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    rate_limiter, limits = asgi_routes.rate_limiter, asgi_routes.limits

    @get("/api/today", summary="The deals of the day, and your results", responses=error_responses)
    async def today(reader: StringDependency, address: StringDependency) -> TodayResponse:
        rate_limiter.acquire_pair("lists", reader, address, limits.table_lists, "server-many-lists")
        await asgi_routes.address_queue.wait_turn(address)
        return await daily.today(reader)

    @post("/api/today/{game:str}", status_code=201, summary="Play a deal of the day, once", responses=error_responses)
    async def play_today(
        actor: StringDependency, address: StringDependency, game: PathString
    ) -> Response[TableCreatedResponse]:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        reply: Any = await daily.create(game, actor)
        return Response(reply, media_type=MediaType.JSON)

    @get("/api/days", summary="A game's deals of earlier days, a month at a time", responses=error_responses)
    async def past_days(
        reader: StringDependency,
        address: StringDependency,
        game: Annotated[str, QueryParameter(max_length=40)],
        month: Annotated[str, QueryParameter(max_length=40, description="such as 2026-11; else the newest")] = "",
    ) -> PastDaysResponse:
        rate_limiter.acquire_pair("lists", reader, address, limits.table_lists, "server-many-lists")
        await asgi_routes.address_queue.wait_turn(address)
        return await daily.past_days(game, month, reader)

    @get(
        "/api/days/{day:str}/{game:str}",
        summary="A deal of an earlier day: its secret, and how everyone played",
        responses=error_responses,
    )
    async def past_deal(
        reader: StringDependency, address: StringDependency, day: PathString, game: PathString
    ) -> PastDealResponse:
        rate_limiter.acquire_pair("history", reader, address, limits.history, "server-many-history")
        await asgi_routes.address_queue.wait_turn(address)
        return await daily.past(day, game, reader)

    @post(
        "/api/days/{day:str}/{game:str}",
        status_code=201,
        summary="Play a deal of an earlier day as practice, once",
        responses=error_responses,
    )
    async def practise(
        actor: StringDependency, address: StringDependency, day: PathString, game: PathString
    ) -> Response[TableCreatedResponse]:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        reply: Any = await daily.practise(day, game, actor)
        return Response(reply, media_type=MediaType.JSON)

    return [today, play_today, past_days, past_deal, practise]
