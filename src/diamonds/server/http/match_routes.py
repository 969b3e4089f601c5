"""Routes for duplicate matches."""

from __future__ import annotations

from litestar import get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody

from diamonds.server.api import matches as messages
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.tables.matches import MatchService

StringDependency = NamedDependency[str]
PathString = FromPath[str]


def match_routes(
    matches: MatchService, asgi_routes: AsgiRoutes, error_responses: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    rate_limiter, limits = asgi_routes.rate_limiter, asgi_routes.limits

    @get("/api/matches", summary="Your duplicate matches", responses=error_responses)
    async def list_matches(reader: StringDependency, address: StringDependency) -> messages.MatchListResponse:
        rate_limiter.acquire_pair("lists", reader, address, limits.table_lists, "server-many-lists")
        await asgi_routes.address_queue.wait_turn(address)
        return await matches.list_matches(reader)

    @post("/api/matches", status_code=201, summary="Create a duplicate match", responses=error_responses)
    async def create_match(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.CreateMatchRequest]
    ) -> messages.MatchResponse:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        return await matches.create(actor, data)

    @get("/api/matches/{id:str}", summary="A duplicate match", responses=error_responses)
    async def match(reader: StringDependency, address: StringDependency, id: PathString) -> messages.MatchResponse:
        rate_limiter.acquire_pair("looks", reader, address, limits.table_views, "server-many-table-views")
        await asgi_routes.address_queue.wait_turn(address)
        return await matches.match(id, reader)

    def charge(actor: str, address: str) -> None:
        rate_limiter.acquire_pair("seats", actor, address, limits.seats, "server-many-changes")

    @post("/api/matches/{id:str}/join", status_code=200, summary="Join a match", responses=error_responses)
    async def join_match(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.MatchRequest]
    ) -> messages.MatchResponse:
        charge(actor, address)
        return await matches.join(id, actor)

    @post(
        "/api/matches/{id:str}/leave",
        status_code=200,
        summary="Leave a match before its start; the organiser cancels it",
        responses=error_responses,
    )
    async def leave_match(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.MatchRequest]
    ) -> messages.MatchResponse:
        charge(actor, address)
        return await matches.leave(id, actor)

    @post(
        "/api/matches/{id:str}/remove",
        status_code=200,
        summary="Remove a person from your match before its start",
        responses=error_responses,
    )
    async def remove_from_match(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.RemovePersonRequest]
    ) -> messages.MatchResponse:
        charge(actor, address)
        return await matches.remove(id, actor, data.number)

    @post("/api/matches/{id:str}/start", status_code=200, summary="Start your match", responses=error_responses)
    async def start_match(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.MatchRequest]
    ) -> messages.MatchResponse:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        return await matches.start(id, actor)

    @post(
        "/api/matches/{id:str}/end",
        status_code=200,
        summary="End your match now: games in play do not count",
        responses=error_responses,
    )
    async def end_match(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.MatchRequest]
    ) -> messages.MatchResponse:
        charge(actor, address)
        return await matches.end(id, actor)

    return [
        list_matches, create_match, match, join_match, leave_match, remove_from_match, start_match, end_match,
    ]  # fmt: skip
