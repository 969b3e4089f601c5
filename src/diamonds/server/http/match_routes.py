"""Routes for duplicate matches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from litestar.params import JSONBody

from diamonds.server.api import matches as messages
from diamonds.server.http.api_routes import ApiRoutes, PathString, StringDependency
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.tables.matches import MatchService


def match_routes(matches: MatchService, asgi_routes: AsgiRoutes) -> ApiRoutes:
    rate_limiter, limits, routes = asgi_routes.rate_limiter, asgi_routes.limits, ApiRoutes()

    @routes.get("/api/matches", "Your duplicate matches")
    async def list_matches(reader: StringDependency, address: StringDependency) -> messages.MatchListResponse:
        rate_limiter.acquire_pair("lists", reader, address, limits.table_lists, "server-many-lists")
        await asgi_routes.address_queue.wait_turn(address)
        return await matches.list_matches(reader)

    @routes.post("/api/matches", "Create a duplicate match", 201)
    async def create_match(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.CreateMatchRequest]
    ) -> messages.MatchResponse:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        return await matches.create(actor, data)

    @routes.get("/api/matches/{id:str}", "A duplicate match")
    async def match(reader: StringDependency, address: StringDependency, id: PathString) -> messages.MatchResponse:
        rate_limiter.acquire_pair("looks", reader, address, limits.table_views, "server-many-table-views")
        await asgi_routes.address_queue.wait_turn(address)
        return await matches.match(id, reader)

    def route(
        path: str,
        name: str,
        summary: str,
        act: Callable[[str, str, Any], Awaitable[messages.MatchResponse]],
        request: type = messages.MatchRequest,
    ) -> None:
        """Add a route that passes match, actor and `request` to `act`. OpenAPI shows `name`."""

        async def handler(
            actor: StringDependency, address: StringDependency, id: PathString, data: Any
        ) -> messages.MatchResponse:
            if path == "start":  # creates tables
                rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
            else:
                rate_limiter.acquire_pair("seats", actor, address, limits.seats, "server-many-changes")
            return await act(id, actor, data)

        handler.__name__ = name
        handler.__annotations__["data"] = JSONBody[request]  # type: ignore[misc, valid-type]
        routes.post(f"/api/matches/{{id:str}}/{path}", summary)(handler)

    # fmt: off
    route("join", "join_match", "Join a match", lambda id, actor, _: matches.join(id, actor))
    route("leave", "leave_match", "Leave a match before its start; the organiser cancels it",
          lambda id, actor, _: matches.leave(id, actor))
    route("remove", "remove_from_match", "Remove a person from your match before its start",
          lambda id, actor, data: matches.remove(id, actor, data.number), messages.RemovePersonRequest)
    route("start", "start_match", "Start your match", lambda id, actor, _: matches.start(id, actor))
    route("end", "end_match", "End your match now: games in play do not count", lambda id, actor, _: matches.end(id, actor))
    # fmt: on
    return routes
