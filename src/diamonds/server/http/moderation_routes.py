"""Moderation routes: server information, reports, and the moderators' views and actions."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from diamonds.server.api import moderation as messages
from diamonds.server.api.accounts import OkResponse
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.moderation.service import ModerationService

StringDependency = NamedDependency[str]
PathString = FromPath[str]


def moderation_routes(
    moderation: ModerationService, asgi_routes: AsgiRoutes, error_responses: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    rate_limiter, limits = asgi_routes.rate_limiter, asgi_routes.limits

    async def require_moderator(person: str, address: str) -> str:
        """Return the moderator. For others, the rate limit and the reply are the same as for an unknown path."""
        await moderation.check_moderator(person)
        rate_limiter.acquire_pair("order", person, address, limits.moderation, "server-many-moderation-actions")
        return person

    @get("/api/about", summary="About this server", responses=error_responses)
    async def about(anyone: StringDependency, address: StringDependency) -> messages.AboutResponse:
        rate_limiter.acquire_pair("lists", anyone, address, limits.table_lists, "server-many-lists")
        return await moderation.about(anyone)

    @post(
        "/api/tables/{id:str}/report",
        status_code=200,
        summary="Report someone to the moderators",
        responses=error_responses,
    )
    async def report(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.ReportRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("reports", actor, address, limits.reports, "server-many-reports")
        await moderation.report(actor, await moderation.tables.find(id, actor), data)
        return OkResponse()

    @post("/api/moderation/acknowledge", status_code=200, summary="Acknowledge a warning", responses=error_responses)
    async def acknowledge(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.AcknowledgeRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("names", actor, address, limits.names, "server-many-changes")
        await moderation.acknowledge(actor, data.warning)
        return OkResponse()

    # For moderators

    @get("/api/moderation/reports", summary="For moderators: reports", responses=error_responses)
    async def reports(reader: StringDependency, address: StringDependency) -> messages.ReportsResponse:
        return await moderation.queries.reports(await require_moderator(reader, address))

    @get("/api/moderation/accounts", summary="For moderators: people by name", responses=error_responses)
    async def find_accounts(
        reader: StringDependency, address: StringDependency, name: Annotated[str, QueryParameter(max_length=40)] = ""
    ) -> messages.AccountsResponse:
        await require_moderator(reader, address)
        return await moderation.queries.find_accounts(name)

    @get("/api/moderation/tables", summary="For moderators: tables with people at them", responses=error_responses)
    async def open_tables(reader: StringDependency, address: StringDependency) -> messages.ModeratorTablesResponse:
        await require_moderator(reader, address)
        return moderation.queries.open_tables()

    @get("/api/moderation/actions", summary="For moderators: the audit log", responses=error_responses)
    async def audit_log(
        reader: StringDependency, address: StringDependency, before: Annotated[int, QueryParameter(ge=0, le=2**53)] = 0
    ) -> messages.AuditLogResponse:
        await require_moderator(reader, address)
        return await moderation.queries.audit_log(before)

    @post(
        "/api/moderation/actions",
        status_code=200,
        summary="For moderators: warn, mute, ban, rename, close",
        responses=error_responses,
    )
    async def act(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.ModerationActionRequest]
    ) -> OkResponse:
        await moderation.act(await require_moderator(actor, address), data)
        return OkResponse()

    @post(
        "/api/moderation/invitations",
        status_code=201,
        summary="For moderators: create an invitation to register",
        responses=error_responses,
    )
    async def invite(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.InvitationRequest]
    ) -> messages.InvitationResponse:
        return await moderation.create_invitation(await require_moderator(actor, address), data.hours)

    return [about, report, acknowledge, reports, find_accounts, open_tables, audit_log, act, invite]
