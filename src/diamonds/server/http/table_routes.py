"""Table routes: creation, lists, play, analysis and records."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from litestar import MediaType, Request, Response
from litestar.datastructures import State
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from diamonds.server.api import analysis
from diamonds.server.api import tables as messages
from diamonds.server.api.records import (
    DealVerificationResponse,
    ImportRequest,
    RecordVerificationResponse,
    ReplayResponse,
    ScorePadResponse,
)
from diamonds.server.http.api_routes import ERROR_RESPONSES, ApiRoutes, PathString, StringDependency
from diamonds.server.http.asgi_helpers import MAX_RECORD_BYTES, RECORDS_PATH, read_body
from diamonds.server.http.asgi_routes import AsgiRoutes, known_n
from diamonds.server.tables import listing
from diamonds.server.tables.actions import TableActions, plan_response
from diamonds.server.tables.core.log_replay import build_score_pad
from diamonds.server.tables.core.plans import check_days, seat_plan
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.table_update import table_update
from diamonds.server.tables.opened_records import RecordUploadLimiter
from diamonds.server.tables.service import TableService

RECORD_BASE_COST_BYTES = 4_000  # fixed cost of opening a record
ANALYSIS_RESPONSES = {
    **ERROR_RESPONSES,
    202: ResponseSpec(analysis.PendingResponse, description="In progress: ask again."),
}


def _json_response(body: bytes) -> Response[Any]:
    return Response(body, media_type=MediaType.JSON)


def _analysis_response(result: bytes | analysis.PendingResponse) -> Response[Any]:
    """Return the result, or its progress with status 202."""
    if isinstance(result, bytes):
        return _json_response(result)
    return Response(result, status_code=202, media_type=MediaType.JSON, headers={"Retry-After": "1"})


def table_routes(tables: TableService, asgi_routes: AsgiRoutes) -> ApiRoutes:
    """Return the routes for tables: creation, lists, views, play, hints and reviews."""
    rate_limiter, limits, routes = asgi_routes.rate_limiter, asgi_routes.limits, ApiRoutes()

    @routes.get("/api/tables", "Public tables, and your own")
    async def list_tables(reader: StringDependency, address: StringDependency) -> messages.TableListResponse:
        rate_limiter.acquire_pair("lists", reader, address, limits.table_lists, "server-many-lists")
        await asgi_routes.address_queue.wait_turn(address)
        return await listing.list_tables(tables, reader)

    @routes.post("/api/tables", "Create a table", 201)
    async def create_table(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.CreateTableRequest]
    ) -> Response[messages.TableCreatedResponse]:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        return _json_response(await tables.creator.create(actor, data))

    @routes.get("/api/tables/{id:str}", "The table as you may see it")
    async def table(
        reader: StringDependency,
        address: StringDependency,
        id: PathString,
        after: Annotated[int | None, QueryParameter(ge=0, le=2**53, description="the version you know")] = None,
    ) -> Response[messages.TableUpdate]:
        rate_limiter.acquire_pair("looks", reader, address, limits.table_views, "server-many-table-views")
        await asgi_routes.address_queue.wait_turn(address)
        found = await tables.find(id, reader)
        return _json_response(table_update(found, await tables.viewer(found, reader), known_n(after)))

    @routes.get("/api/tables/{id:str}/plan", "Your plan")
    async def plan(reader: StringDependency, address: StringDependency, id: PathString) -> messages.AnswerPlanResponse:
        rate_limiter.acquire_pair("looks", reader, address, limits.table_views, "server-many-table-views")
        found = await tables.find(id, reader)
        seat = tables.find_seat(found, reader)
        check_days(found)
        return plan_response(seat_plan(found, seat))

    @routes.get("/api/tables/{id:str}/score-pad", "The score pad: the points of each deal")
    async def score_pad(reader: StringDependency, address: StringDependency, id: PathString) -> ScorePadResponse:
        rate_limiter.acquire_pair("looks", reader, address, limits.table_views, "server-many-table-views")
        found = await tables.find(id, reader)
        return build_score_pad(found, found.seat_of(reader))

    # Analysis

    @routes.get("/api/tables/{id:str}/hint", "The best answers to your open question", ANALYSIS_RESPONSES)
    async def hint(
        reader: StringDependency, address: StringDependency, id: PathString
    ) -> Response[analysis.HintResponse]:
        rate_limiter.acquire_pair("advice", reader, address, limits.analysis, "server-many-questions")
        return _analysis_response(await tables.analysis.hint(await tables.find(id, reader), reader))

    @routes.get("/api/tables/{id:str}/review", "The review of a finished game", ANALYSIS_RESPONSES)
    async def review(
        reader: StringDependency, address: StringDependency, id: PathString
    ) -> Response[analysis.ReviewResponse]:
        rate_limiter.acquire_pair("advice", reader, address, limits.analysis, "server-many-questions")
        return _analysis_response(await tables.analysis.review(await tables.find(id, reader), reader or address))

    return routes


def action_routes(tables: TableService, asgi_routes: AsgiRoutes) -> ApiRoutes:
    """Return the routes for changes at a table."""
    routes = ApiRoutes()

    def route(
        path: str,
        name: str,
        summary: str,
        request: type,
        act: Callable[[TableActions, Table, str, Any], Awaitable[bytes]],
        kind: str,
        message_id: str,
        response: type = messages.CommittedResponse,
        status_code: int = 200,
    ) -> None:
        """Add a route that passes a `request` to `act`.

        `kind` is a field of `RateLimitSettings`, and OpenAPI shows `name`.
        """

        async def handler(actor: StringDependency, address: StringDependency, id: PathString, data: Any) -> Any:
            asgi_routes.rate_limiter.acquire_pair(kind, actor, address, getattr(asgi_routes.limits, kind), message_id)
            return _json_response(await act(tables.actions, await tables.find(id, actor), actor, data))

        handler.__name__ = name
        handler.__annotations__ |= {"data": JSONBody[request], "return": Response[response]}  # type: ignore[misc, valid-type]
        routes.post(f"/api/tables/{{id:str}}/{path}", summary, status_code)(handler)

    async def fork(_: TableActions, table: Table, actor: str, data: messages.ForkRequest) -> bytes:
        return await tables.creator.fork(table, actor, data)

    async def rematch(_: TableActions, table: Table, actor: str, data: messages.RematchRequest) -> bytes:
        return await tables.creator.rematch(table, actor, data)

    seats, changes = ("seats", "server-many-seats"), ("seats", "server-many-changes")
    nudges, new_tables = ("nudges", "server-many-nudges"), ("tables", "server-many-tables")
    # fmt: off
    route("sit", "sit", "Take a seat", messages.SitRequest, TableActions.sit, *seats)
    route("stand", "stand", "Leave your seat", messages.StandRequest, TableActions.stand, *seats)
    route("bot", "set_bot", "Seat or remove a bot", messages.SetBotRequest, TableActions.set_bot, *seats)
    route("bot-speed", "set_bot_speed", "Set the speed of bots", messages.SetBotSpeedRequest, TableActions.change_settings, *changes)
    route("chat-mode", "set_chat_mode", "Set the chat mode", messages.SetChatModeRequest, TableActions.change_settings, *changes)
    route("fast-forward", "fast_forward", "Skip bot delays until your next question", messages.FastForwardRequest,
          TableActions.fast_forward, "fast_forward", "server-many-fast-forwards")
    route("plan", "set_plan", "Plan your answers", messages.AnswerPlanRequest, TableActions.plan, *changes,
          messages.AnswerPlanResponse)
    route("undo", "undo", "Undo, or propose it", messages.UndoRequest, TableActions.undo, "undo", "server-many-undos")
    route("proposal", "vote", "Vote on a proposal", messages.ProposalVoteRequest, TableActions.vote, "undo", "server-many-answers")
    route("chat", "chat", "Post a chat message", messages.ChatRequest, TableActions.post_chat, "chat", "server-many-messages")
    route("pause", "pause", "Pause or resume the clocks", messages.PauseRequest, TableActions.pause, *nudges)
    route("nudge", "nudge", "Nudge the player to act", messages.NudgeRequest, TableActions.nudge, *nudges)
    route("substitute", "substitute", "Propose that a bot substitutes for a player", messages.SubstituteRequest,
          TableActions.propose_substitute, *nudges)
    route("fork", "fork", "Continue a finished game from any point", messages.ForkRequest, fork, *new_tables,
          messages.TableCreatedResponse, 201)
    route("rematch", "rematch", "Play again with the same people", messages.RematchRequest, rematch, *new_tables,
          messages.TableCreatedResponse, 201)
    # fmt: on
    return routes


def record_routes(tables: TableService, asgi_routes: AsgiRoutes) -> ApiRoutes:
    """Return the routes for records: those of tables, and those opened from files."""
    rate_limiter, limits, routes = asgi_routes.rate_limiter, asgi_routes.limits, ApiRoutes()
    import_slots = RecordUploadLimiter()

    # Parts of a finished game

    async def finished_game_part(
        part: str, table: Table, reader: str, address: str, headers: dict[str, str] | None = None
    ) -> Response[Any]:
        """Stream the record, replay or verification of a finished game."""
        rate_limiter.acquire_pair("history", reader, address, limits.history, "server-many-history")
        chunks = await tables.archive.get(part, table, address, await tables.blocked_by(reader))
        return Stream(chunks, media_type=MediaType.JSON, headers=headers)

    @routes.get("/api/tables/{id:str}/record", "The record of a finished game")
    async def record(reader: StringDependency, address: StringDependency, id: PathString) -> Response[dict[str, Any]]:
        found = await tables.find(id, reader)
        name = f"diamonds-{found.header.game}-{id}.json"
        return await finished_game_part(
            "record", found, reader, address, {"Content-Disposition": f'attachment; filename="{name}"'}
        )

    @routes.get("/api/tables/{id:str}/verify", "Whether the deals were fair")
    async def verify(
        reader: StringDependency, address: StringDependency, id: PathString
    ) -> Response[DealVerificationResponse]:
        return await finished_game_part("verdict", await tables.find(id, reader), reader, address)

    @routes.get("/api/tables/{id:str}/replay", "Every step of a finished game, all hands open")
    async def replay(reader: StringDependency, address: StringDependency, id: PathString) -> Response[ReplayResponse]:
        return await finished_game_part("replay", await tables.find(id, reader), reader, address)

    # Records from files

    @routes.post(RECORDS_PATH, "Open the record in the body")
    async def open_record(
        actor: StringDependency, address: StringDependency, request: Request[Any, Any, State]
    ) -> Response[RecordVerificationResponse]:
        with import_slots.acquire(actor, address):
            text = await read_body(request.receive, MAX_RECORD_BYTES)  # type: ignore[arg-type]
            rate_limiter.acquire_pair(
                "records",
                actor,
                address,
                limits.record_bytes,
                "server-many-records",
                len(text) + RECORD_BASE_COST_BYTES,
            )
            found = await tables.archive.open_record(text, address)
        return Stream(found, media_type=MediaType.JSON)  # type: ignore[return-value]

    @routes.get(RECORDS_PATH + "/{id:str}/review", "The review of an opened record", ANALYSIS_RESPONSES)
    async def review_of_record(
        reader: StringDependency, address: StringDependency, id: PathString
    ) -> Response[analysis.ReviewResponse]:
        rate_limiter.acquire_pair("advice", reader, address, limits.analysis, "server-many-questions")
        game, compressed = tables.archive.find_opened(id)
        return _analysis_response(
            await tables.analysis.review_of_record(id, game, compressed, reader or address, address)
        )

    @routes.post(RECORDS_PATH + "/{id:str}/import", "Import the game of an opened record", 201)
    async def import_record(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[ImportRequest]
    ) -> Response[messages.TableCreatedResponse]:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        return _json_response(await tables.creator.import_game(id, actor, data))

    return routes
