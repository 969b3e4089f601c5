"""Routes for push notifications, for browsers only."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import JSONBody

from diamonds.server.accounts.service import BrowserRequest
from diamonds.server.api import notifications as messages
from diamonds.server.api.accounts import OkResponse
from diamonds.server.errors import UnauthenticatedError
from diamonds.server.http.account_routes import read_browser
from diamonds.server.http.api_routes import ApiRoutes, StringDependency
from diamonds.server.http.asgi_helpers import request_language
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.http.identity import IdentityService
from diamonds.server.notifications.push_subscriptions import PushSubscriptions

BrowserDependency = NamedDependency[BrowserRequest]


def notification_routes(
    push_subscriptions: PushSubscriptions, identities: IdentityService, asgi_routes: AsgiRoutes
) -> ApiRoutes:
    rate_limiter, limits, routes = asgi_routes.rate_limiter, asgi_routes.limits, ApiRoutes()

    def charge(browser_request: BrowserRequest, address: str) -> None:
        rate_limiter.acquire_pair("push", browser_request.person, address, limits.push, "server-many-push")

    @routes.get("/api/push", "Your browsers with push notifications")
    async def push_info(request: Request[Any, Any, State], address: StringDependency) -> messages.PushResponse:
        browser_request = await read_browser(identities, request.scope)  # type: ignore[arg-type]
        rate_limiter.acquire_pair("lists", browser_request.person, address, limits.table_lists, "server-many-lists")
        if not browser_request.person:
            raise UnauthenticatedError("server-who-are-you")
        return await push_subscriptions.info(browser_request.person, browser_request.identity)

    @routes.post("/api/push", "Turn on push notifications in this browser")
    async def subscribe(
        request: Request[Any, Any, State],
        browser: BrowserDependency,
        address: StringDependency,
        data: JSONBody[messages.SubscribeRequest],
    ) -> OkResponse:
        charge(browser, address)
        await push_subscriptions.add(browser.person, browser.identity, data, request_language(request.scope))  # type: ignore[arg-type]
        return OkResponse()

    @routes.post("/api/push/remove", "Turn off push notifications of a browser")
    async def unsubscribe(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[messages.UnsubscribeRequest]
    ) -> OkResponse:
        charge(browser, address)
        await push_subscriptions.remove(browser.person, data.id)
        return OkResponse()

    @routes.post("/api/push/quiet", "Set the quiet hours")
    async def set_quiet_hours(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[messages.QuietHoursRequest]
    ) -> OkResponse:
        charge(browser, address)
        await push_subscriptions.set_quiet_hours(browser.person, data)
        return OkResponse()

    return routes
