"""The routes of messages to people's devices: for browsers alone, which are what takes them."""

from __future__ import annotations

from typing import Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody

from diamonds.server.api import reminders as messages
from diamonds.server.api.accounts import Gone
from diamonds.server.api.refusals import Stranger
from diamonds.server.house.accounts import Visit
from diamonds.server.reminding.browsers import Browsers
from diamonds.server.wire.account_routes import visit_of
from diamonds.server.wire.http import language_of
from diamonds.server.wire.live import Live
from diamonds.server.wire.people import People

Text = NamedDependency[str]
Browser = NamedDependency[Visit]


def push_routes(
    browsers: Browsers, people: People, live: Live, problems: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    """All of them."""
    buckets, limits = live.buckets, live.limits

    def count(visit: Visit, address: str) -> None:
        buckets.share("push", visit.person, address, limits.push, "server-many-push")

    @get("/api/push", summary="Who takes messages when it is your turn", responses=problems)
    async def info(request: Request[Any, Any, State], address: Text) -> messages.PushInfo:
        visit = await visit_of(people, request.scope)  # type: ignore[arg-type]
        buckets.share("lists", visit.person, address, limits.lists, "server-many-lists")
        if not visit.person:
            raise Stranger("server-who-are-you")
        return await browsers.info(visit.person, visit.identity)

    @post("/api/push", status_code=200, summary="This browser takes messages", responses=problems)
    async def add(
        request: Request[Any, Any, State], browser: Browser, address: Text, data: JSONBody[messages.TakesMessages]
    ) -> Gone:
        count(browser, address)
        await browsers.add(browser.person, browser.identity, data, language_of(request.scope))  # type: ignore[arg-type]
        return Gone()

    @post("/api/push/remove", status_code=200, summary="A browser takes messages no more", responses=problems)
    async def remove(browser: Browser, address: Text, data: JSONBody[messages.NoMessages]) -> Gone:
        count(browser, address)
        await browsers.remove(browser.person, data.mark)
        return Gone()

    @post("/api/push/quiet", status_code=200, summary="When no message is to come", responses=problems)
    async def quiet(browser: Browser, address: Text, data: JSONBody[messages.QuietHours]) -> Gone:
        count(browser, address)
        await browsers.rest(browser.person, data)
        return Gone()

    return [info, add, remove, quiet]
