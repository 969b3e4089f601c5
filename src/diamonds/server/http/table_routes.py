"""Table routes: creation, lists, play, analysis and records."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter
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
from diamonds.server.api.tables import NudgeRequest, PauseRequest, SubstituteRequest
from diamonds.server.http.asgi_helpers import MAX_RECORD_BYTES, RECORDS_PATH, read_body
from diamonds.server.http.asgi_routes import AsgiRoutes, known_n
from diamonds.server.tables import listing
from diamonds.server.tables.actions import plan_response
from diamonds.server.tables.core.log_replay import build_score_pad
from diamonds.server.tables.core.plans import check_days, seat_plan
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.table_update import table_update
from diamonds.server.tables.opened_records import RecordUploadLimiter
from diamonds.server.tables.service import TableService

RECORD_BASE_COST_BYTES = 4_000  # fixed cost of opening a record
StringDependency = NamedDependency[str]
PathString = FromPath[str]


def _json_response(body: bytes) -> Response[Any]:
    return Response(body, media_type=MediaType.JSON)


def _analysis_response(result: bytes | analysis.PendingResponse) -> Response[Any]:
    """Return the result, or its progress with status 202."""
    if isinstance(result, bytes):
        return _json_response(result)
    return Response(result, status_code=202, media_type=MediaType.JSON, headers={"Retry-After": "1"})


def _analysis_responses(error_responses: dict[int, ResponseSpec]) -> dict[int, ResponseSpec]:
    """Return the documented responses of a route whose result may not be ready."""
    return {**error_responses, 202: ResponseSpec(analysis.PendingResponse, description="In progress: ask again.")}


def table_routes(
    tables: TableService, asgi_routes: AsgiRoutes, error_responses: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    """Return the routes for tables: creation, lists, views, play, hints and reviews."""
    rate_limiter, limits = asgi_routes.rate_limiter, asgi_routes.limits
    analysis_responses = _analysis_responses(error_responses)

    @get("/api/tables", summary="Public tables, and your own", responses=error_responses)
    async def list_tables(reader: StringDependency, address: StringDependency) -> messages.TableListResponse:
        rate_limiter.acquire_pair("lists", reader, address, limits.table_lists, "server-many-lists")
        await asgi_routes.address_queue.wait_turn(address)
        return await listing.list_tables(tables, reader)

    @post("/api/tables", status_code=201, summary="Create a table", responses=error_responses)
    async def create_table(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.CreateTableRequest]
    ) -> Response[messages.TableCreatedResponse]:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        return _json_response(await tables.creator.create(actor, data))

    @get("/api/tables/{id:str}", summary="The table as you may see it", responses=error_responses)
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

    @post("/api/tables/{id:str}/sit", status_code=200, summary="Take a seat", responses=error_responses)
    async def sit(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.SitRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("seats", actor, address, limits.seats, "server-many-seats")
        return _json_response(await tables.actions.sit(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/stand", status_code=200, summary="Leave your seat", responses=error_responses)
    async def stand(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.StandRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("seats", actor, address, limits.seats, "server-many-seats")
        return _json_response(await tables.actions.stand(await tables.find(id, actor), actor, data))

    @post(
        "/api/tables/{id:str}/bot", status_code=200, summary="Seat a bot, or send one away", responses=error_responses
    )
    async def set_bot(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.SetBotRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("seats", actor, address, limits.seats, "server-many-seats")
        return _json_response(await tables.actions.set_bot(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/bot-speed", status_code=200, summary="Set the speed of bots", responses=error_responses)
    async def set_bot_speed(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.SetBotSpeedRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("seats", actor, address, limits.seats, "server-many-changes")
        return _json_response(await tables.actions.change_settings(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/chat-mode", status_code=200, summary="Set the chat mode", responses=error_responses)
    async def set_chat_mode(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.SetChatModeRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("seats", actor, address, limits.seats, "server-many-changes")
        return _json_response(await tables.actions.change_settings(await tables.find(id, actor), actor, data))

    @post(
        "/api/tables/{id:str}/fast-forward",
        status_code=200,
        summary="Skip bot delays until your next question",
        responses=error_responses,
    )
    async def fast_forward(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.FastForwardRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("fast-forward", actor, address, limits.fast_forward, "server-many-fast-forwards")
        return _json_response(await tables.actions.fast_forward(await tables.find(id, actor), actor))

    @get("/api/tables/{id:str}/plan", summary="Your plan", responses=error_responses)
    async def plan(reader: StringDependency, address: StringDependency, id: PathString) -> messages.AnswerPlanResponse:
        rate_limiter.acquire_pair("looks", reader, address, limits.table_views, "server-many-table-views")
        found = await tables.find(id, reader)
        seat = tables.find_seat(found, reader)
        check_days(found)
        return plan_response(seat_plan(found, seat))

    @post("/api/tables/{id:str}/plan", status_code=200, summary="Prepare your answers", responses=error_responses)
    async def set_plan(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.AnswerPlanRequest]
    ) -> Response[messages.AnswerPlanResponse]:
        rate_limiter.acquire_pair("seats", actor, address, limits.seats, "server-many-changes")
        return _json_response(await tables.actions.plan(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/undo", status_code=200, summary="Undo, or propose it", responses=error_responses)
    async def undo(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.UndoRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("undo", actor, address, limits.undo, "server-many-undos")
        return _json_response(await tables.actions.undo(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/proposal", status_code=200, summary="Vote on a proposal", responses=error_responses)
    async def vote(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.ProposalVoteRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("undo", actor, address, limits.undo, "server-many-answers")
        return _json_response(await tables.actions.vote(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/chat", status_code=200, summary="Say something at the table", responses=error_responses)
    async def chat(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.ChatRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("chat", actor, address, limits.chat, "server-many-messages")
        return _json_response(await tables.actions.post_chat(await tables.find(id, actor), actor, data))

    @post(
        "/api/tables/{id:str}/fork",
        status_code=201,
        summary="Play on from a moment of a finished game",
        responses=error_responses,
    )
    async def fork(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.ForkRequest]
    ) -> Response[messages.TableCreatedResponse]:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        return _json_response(await tables.creator.fork(await tables.find(id, actor), actor, data))

    @post(
        "/api/tables/{id:str}/rematch",
        status_code=201,
        summary="Play again with the same people",
        responses=error_responses,
    )
    async def rematch(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.RematchRequest]
    ) -> Response[messages.TableCreatedResponse]:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        return _json_response(await tables.creator.rematch(await tables.find(id, actor), actor, data))

    @get("/api/tables/{id:str}/score-pad", summary="The score pad: the points of each deal", responses=error_responses)
    async def score_pad(reader: StringDependency, address: StringDependency, id: PathString) -> ScorePadResponse:
        rate_limiter.acquire_pair("looks", reader, address, limits.table_views, "server-many-table-views")
        found = await tables.find(id, reader)
        return build_score_pad(found, found.seat_of(reader))

    # Analysis

    @get("/api/tables/{id:str}/hint", summary="The best answers to your open question", responses=analysis_responses)
    async def hint(
        reader: StringDependency, address: StringDependency, id: PathString
    ) -> Response[analysis.HintResponse]:
        rate_limiter.acquire_pair("advice", reader, address, limits.analysis, "server-many-questions")
        return _analysis_response(await tables.analysis.hint(await tables.find(id, reader), reader))

    @get("/api/tables/{id:str}/review", summary="The review of a finished game", responses=analysis_responses)
    async def review(
        reader: StringDependency, address: StringDependency, id: PathString
    ) -> Response[analysis.ReviewResponse]:
        rate_limiter.acquire_pair("advice", reader, address, limits.analysis, "server-many-questions")
        return _analysis_response(await tables.analysis.review(await tables.find(id, reader), reader or address))

    return [
        list_tables,
        create_table,
        table,
        sit,
        stand,
        set_bot,
        set_bot_speed,
        set_chat_mode,
        fast_forward,
        plan,
        set_plan,
        undo,
        vote,
        chat,
        fork,
        rematch,
        score_pad,
        hint,
        review,
    ]


def record_routes(
    tables: TableService, asgi_routes: AsgiRoutes, error_responses: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    """Return the routes for records: those of tables, and those opened from files."""
    rate_limiter, limits, import_slots = asgi_routes.rate_limiter, asgi_routes.limits, RecordUploadLimiter()
    analysis_responses = _analysis_responses(error_responses)

    # Parts of a finished game

    async def finished_game_part(
        part: str, table: Table, reader: str, address: str, headers: dict[str, str] | None = None
    ) -> Response[Any]:
        """Stream the record, replay or verification of a finished game."""
        rate_limiter.acquire_pair("history", reader, address, limits.history, "server-many-history")
        chunks = await tables.archive.get(part, table, address, await tables.blocked_by(reader))
        return Stream(chunks, media_type=MediaType.JSON, headers=headers)

    @get("/api/tables/{id:str}/record", summary="The record of a finished game", responses=error_responses)
    async def record(reader: StringDependency, address: StringDependency, id: PathString) -> Response[dict[str, Any]]:
        found = await tables.find(id, reader)
        name = f"diamonds-{found.header.game}-{id}.json"
        return await finished_game_part(
            "record", found, reader, address, {"Content-Disposition": f'attachment; filename="{name}"'}
        )

    @get("/api/tables/{id:str}/verify", summary="Whether the deals were fair", responses=error_responses)
    async def verify(
        reader: StringDependency, address: StringDependency, id: PathString
    ) -> Response[DealVerificationResponse]:
        return await finished_game_part("verdict", await tables.find(id, reader), reader, address)

    @get(
        "/api/tables/{id:str}/replay",
        summary="Every step of a finished game, all hands open",
        responses=error_responses,
    )
    async def replay(reader: StringDependency, address: StringDependency, id: PathString) -> Response[ReplayResponse]:
        return await finished_game_part("replay", await tables.find(id, reader), reader, address)

    # Records from files

    @post(RECORDS_PATH, status_code=200, summary="Open the record in the body", responses=error_responses)
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

    @get(RECORDS_PATH + "/{id:str}/review", summary="The review of an opened record", responses=analysis_responses)
    async def review_of_record(
        reader: StringDependency, address: StringDependency, id: PathString
    ) -> Response[analysis.ReviewResponse]:
        rate_limiter.acquire_pair("advice", reader, address, limits.analysis, "server-many-questions")
        game, compressed = tables.archive.find_opened(id)
        return _analysis_response(
            await tables.analysis.review_of_record(id, game, compressed, reader or address, address)
        )

    @post(
        RECORDS_PATH + "/{id:str}/import",
        status_code=201,
        summary="Import the game of an opened record",
        responses=error_responses,
    )
    async def import_record(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[ImportRequest]
    ) -> Response[messages.TableCreatedResponse]:
        rate_limiter.acquire_pair("tables", actor, address, limits.tables, "server-many-tables")
        return _json_response(await tables.creator.import_game(id, actor, data))

    return [record, verify, replay, open_record, review_of_record, import_record]


def idle_player_routes(
    tables: TableService, asgi_routes: AsgiRoutes, error_responses: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    """Return the routes for nudges, pauses and substitution."""
    rate_limiter, limits = asgi_routes.rate_limiter, asgi_routes.limits

    @post(
        "/api/tables/{id:str}/pause", status_code=200, summary="Pause or resume the clocks", responses=error_responses
    )
    async def pause(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[PauseRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("nudges", actor, address, limits.nudges, "server-many-nudges")
        return _json_response(await tables.actions.pause(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/nudge", status_code=200, summary="Nudge the player to act", responses=error_responses)
    async def nudge(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[NudgeRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("nudges", actor, address, limits.nudges, "server-many-nudges")
        return _json_response(await tables.actions.nudge(await tables.find(id, actor), actor, data))

    @post(
        "/api/tables/{id:str}/substitute",
        status_code=200,
        summary="Propose that a bot substitutes for a player",
        responses=error_responses,
    )
    async def substitute(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[SubstituteRequest]
    ) -> Response[messages.CommittedResponse]:
        rate_limiter.acquire_pair("nudges", actor, address, limits.nudges, "server-many-nudges")
        return _json_response(await tables.actions.propose_substitute(await tables.find(id, actor), actor, data))

    return [pause, nudge, substitute]
