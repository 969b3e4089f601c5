"""The routes of order: what anybody may know of the house, reports, and what its hosts see and do."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from diamonds.server.api import order as messages
from diamonds.server.api.accounts import Gone
from diamonds.server.order.order import Order
from diamonds.server.wire.live import Live

Text = NamedDependency[str]
PathId = FromPath[str]


def order_routes(order: Order, live: Live, problems: dict[int, ResponseSpec]) -> list[HTTPRouteHandler]:
    """All of them."""
    buckets, limits = live.buckets, live.limits

    async def host(person: str, address: str) -> str:
        """A host; whoever is none may ask as often as of any address that leads nowhere."""
        await order.check_host(person)
        buckets.share("order", person, address, limits.order, "server-many-acts")
        return person

    @get("/api/about", summary="Whose house this is", responses=problems)
    async def about(anyone: Text, address: Text) -> messages.About:
        buckets.share("lists", anyone, address, limits.lists, "server-many-lists")
        return await order.about(anyone)

    @post("/api/tables/{id:str}/report", status_code=200, summary="Tell the hosts of somebody", responses=problems)
    async def report(actor: Text, address: Text, id: PathId, data: JSONBody[messages.NewReport]) -> Gone:
        buckets.share("reports", actor, address, limits.reports, "server-many-reports")
        await order.report(actor, await order.tables.find(id, actor), data)
        return Gone()

    @post("/api/order/acknowledge", status_code=200, summary="You have read a warning", responses=problems)
    async def acknowledge(actor: Text, address: Text, data: JSONBody[messages.Acknowledge]) -> Gone:
        buckets.share("names", actor, address, limits.names, "server-many-changes")
        await order.acknowledge(actor, data.warning)
        return Gone()

    # For hosts

    @get("/api/order/reports", summary="For hosts: reports", responses=problems)
    async def reports(reader: Text, address: Text) -> messages.Reports:
        return await order.teller.reports(await host(reader, address))

    @get("/api/order/people", summary="For hosts: people by their names", responses=problems)
    async def people(
        reader: Text, address: Text, name: Annotated[str, QueryParameter(max_length=40)] = ""
    ) -> messages.FoundPeople:
        await host(reader, address)
        return await order.teller.people(name)

    @get("/api/order/tables", summary="For hosts: tables at which people are", responses=problems)
    async def tables(reader: Text, address: Text) -> messages.HostTables:
        await host(reader, address)
        return order.teller.tables_now()

    @get("/api/order/acts", summary="For hosts: what hosts have done", responses=problems)
    async def acts(
        reader: Text, address: Text, before: Annotated[int, QueryParameter(ge=0, le=2**53)] = 0
    ) -> messages.Acts:
        await host(reader, address)
        return await order.teller.acts(before)

    @post("/api/order/acts", status_code=200, summary="For hosts: warn, mute, ban, rename, close", responses=problems)
    async def do(actor: Text, address: Text, data: JSONBody[messages.Do]) -> Gone:
        await order.do(await host(actor, address), data)
        return Gone()

    @post(
        "/api/order/invite",
        status_code=201,
        summary="For hosts: invite somebody to have an account",
        responses=problems,
    )
    async def invite(actor: Text, address: Text, data: JSONBody[messages.Invite]) -> messages.Invited:
        return await order.invite(await host(actor, address), data.hours)

    return [about, report, acknowledge, reports, people, tables, acts, do, invite]
