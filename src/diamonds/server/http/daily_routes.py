"""Routes for the deals of the day."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import MediaType, Response
from litestar.params import QueryParameter

from diamonds.server.api.daily import PastDaysResponse, PastDealResponse, TodayResponse
from diamonds.server.api.tables import TableCreatedResponse
from diamonds.server.http.api_routes import ApiRoutes, PathString, StringDependency
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.tables.daily import DailyDeals


def daily_routes(daily: DailyDeals, asgi_routes: AsgiRoutes) -> ApiRoutes:
    rate_limiter, limits, routes = asgi_routes.rate_limiter, asgi_routes.limits, ApiRoutes()

    @routes.get("/api/today", "The deals of the day, and your results")
    async def today(reader: StringDependency, address: StringDependency) -> TodayResponse:
        rate_limiter.acquire_pair("lists", reader, address, limits.table_lists, "server-many-lists")
        await asgi_routes.address_queue.wait_turn(address)
        return await daily.today(reader)

    @routes.post("/api/today/{game:str}", "Play a deal of the day, once", 201)
    async def play_today(
        actor: StringDependency, address: StringDependency, game: PathString
    ) -> Response[TableCreatedResponse]:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        reply: Any = await daily.create(game, actor)
        return Response(reply, media_type=MediaType.JSON)

    @routes.get("/api/days", "A game's deals of earlier days, a month at a time")
    async def past_days(
        reader: StringDependency,
        address: StringDependency,
        game: Annotated[str, QueryParameter(max_length=40)],
        month: Annotated[str, QueryParameter(max_length=40, description="such as 2026-11; else the newest")] = "",
    ) -> PastDaysResponse:
        rate_limiter.acquire_pair("lists", reader, address, limits.table_lists, "server-many-lists")
        await asgi_routes.address_queue.wait_turn(address)
        return await daily.past_days(game, month, reader)

    @routes.get("/api/days/{day:str}/{game:str}", "A deal of an earlier day: its secret, and how everyone played")
    async def past_deal(
        reader: StringDependency, address: StringDependency, day: PathString, game: PathString
    ) -> PastDealResponse:
        rate_limiter.acquire_pair("history", reader, address, limits.history, "server-many-history")
        await asgi_routes.address_queue.wait_turn(address)
        return await daily.past(day, game, reader)

    @routes.post("/api/days/{day:str}/{game:str}", "Play a deal of an earlier day as practice, once", 201)
    async def practise(
        actor: StringDependency, address: StringDependency, day: PathString, game: PathString
    ) -> Response[TableCreatedResponse]:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        reply: Any = await daily.practise(day, game, actor)
        return Response(reply, media_type=MediaType.JSON)

    return routes
