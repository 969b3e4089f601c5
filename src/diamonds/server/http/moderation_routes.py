"""Moderation routes: server information, reports, and the moderators' views and actions."""

from __future__ import annotations

from typing import Annotated

from litestar.params import JSONBody, QueryParameter

from diamonds.server.api import moderation as messages
from diamonds.server.api.accounts import OkResponse
from diamonds.server.http.api_routes import ApiRoutes, PathString, StringDependency
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.moderation.service import ModerationService


def moderation_routes(moderation: ModerationService, asgi_routes: AsgiRoutes) -> ApiRoutes:
    rate_limiter, limits, routes = asgi_routes.rate_limiter, asgi_routes.limits, ApiRoutes()

    async def require_moderator(person: str, address: str) -> str:
        """Return the moderator. Anyone else gets the same reply, and the same rate limit, as for an unknown path."""
        await moderation.check_moderator(person)
        rate_limiter.acquire_pair("order", person, address, limits.moderation, "server-many-moderation-actions")
        return person

    @routes.get("/api/about", "About this server")
    async def about(anyone: StringDependency, address: StringDependency) -> messages.AboutResponse:
        rate_limiter.acquire_pair("lists", anyone, address, limits.table_lists, "server-many-lists")
        return await moderation.about(anyone)

    @routes.post("/api/tables/{id:str}/report", "Report someone to the moderators")
    async def report(
        actor: StringDependency, address: StringDependency, id: PathString, data: JSONBody[messages.ReportRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("reports", actor, address, limits.reports, "server-many-reports")
        await moderation.report(actor, await moderation.tables.find(id, actor), data)
        return OkResponse()

    @routes.post("/api/moderation/acknowledge", "Acknowledge a warning")
    async def acknowledge(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.AcknowledgeRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("names", actor, address, limits.names, "server-many-changes")
        await moderation.acknowledge(actor, data.warning)
        return OkResponse()

    # For moderators

    @routes.get("/api/moderation/reports", "For moderators: reports")
    async def reports(reader: StringDependency, address: StringDependency) -> messages.ReportsResponse:
        return await moderation.queries.reports(await require_moderator(reader, address))

    @routes.get("/api/moderation/accounts", "For moderators: accounts by name")
    async def find_accounts(
        reader: StringDependency, address: StringDependency, name: Annotated[str, QueryParameter(max_length=40)] = ""
    ) -> messages.AccountsResponse:
        await require_moderator(reader, address)
        return await moderation.queries.find_accounts(name)

    @routes.get("/api/moderation/tables", "For moderators: tables with people at them")
    async def open_tables(reader: StringDependency, address: StringDependency) -> messages.ModeratorTablesResponse:
        await require_moderator(reader, address)
        return moderation.queries.open_tables()

    @routes.get("/api/moderation/actions", "For moderators: the audit log")
    async def audit_log(
        reader: StringDependency, address: StringDependency, before: Annotated[int, QueryParameter(ge=0, le=2**53)] = 0
    ) -> messages.AuditLogResponse:
        await require_moderator(reader, address)
        return await moderation.queries.audit_log(before)

    @routes.post("/api/moderation/actions", "For moderators: warn, mute, ban, rename, close")
    async def act(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.ModerationActionRequest]
    ) -> OkResponse:
        await moderation.act(await require_moderator(actor, address), data)
        return OkResponse()

    @routes.post("/api/moderation/invitations", "For moderators: create an invitation to register", 201)
    async def invite(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.InvitationRequest]
    ) -> messages.InvitationResponse:
        return await moderation.create_invitation(await require_moderator(actor, address), data.hours)

    return routes
