"""Account routes.

Except for deletion, changes are accepted only from a browser, identified by its cookie, on the server's own page.
"""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.response import Stream

from diamonds.server.accounts.data_export import export_data
from diamonds.server.accounts.service import AccountService, BrowserRequest
from diamonds.server.api import accounts as messages
from diamonds.server.api.server_info import EmptyRequest
from diamonds.server.errors import ForbiddenError, UnauthenticatedError
from diamonds.server.http.api_routes import ApiRoutes, StringDependency
from diamonds.server.http.asgi_helpers import check_content_type
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.http.identity import IdentityService, check_same_site
from diamonds.server.http.network_addresses import Scope

BrowserDependency = NamedDependency[BrowserRequest]


async def read_browser(identities: IdentityService, scope: Scope) -> BrowserRequest:
    """Return the sender's person, identity and host. The identity is empty for a program, which cannot sign in."""
    person, by_cookie = await identities.identify(scope)
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    return BrowserRequest(person, identities.read_cookie(scope) if by_cookie else "", host, scope["server"][1] or 0)


async def require_browser(identities: IdentityService, scope: Scope, allow_banned: bool = False) -> BrowserRequest:
    """Return the browser that sends a change. It must be known, be on our own page, and send JSON.

    Banned people pass if `allow_banned`.
    """
    check_content_type(scope)
    browser_request = await read_browser(identities, scope)
    if not browser_request.person:
        raise UnauthenticatedError("server-who-are-you")
    if not browser_request.identity:
        raise ForbiddenError("account-in-a-browser")
    check_same_site(scope)
    if not allow_banned:
        identities.check_not_banned(browser_request.person)
    return browser_request


def account_routes(accounts: AccountService, identities: IdentityService, asgi_routes: AsgiRoutes) -> ApiRoutes:
    rate_limiter, limits, routes = asgi_routes.rate_limiter, asgi_routes.limits, ApiRoutes()

    def charge(browser_request: BrowserRequest, address: str) -> None:
        rate_limiter.acquire_pair(
            "accounts",
            browser_request.identity or browser_request.person,
            address,
            limits.accounts,
            "server-many-accounts",
        )

    def signed_in_response(device: str, content: Any) -> Response[Any]:
        return Response(content, headers={"Set-Cookie": identities.set_cookie_header(device)})

    def signed_out_response(content: Any) -> Response[Any]:
        """Reply with the cookie of a new guest."""
        return Response(content, headers={"Set-Cookie": identities.set_cookie_header(identities.new_guest())})

    # The person and their data

    @routes.get("/api/me", "Who you are here")
    async def get_me(request: Request[Any, Any, State], address: StringDependency) -> messages.MeResponse:
        browser_request = await read_browser(identities, request.scope)  # type: ignore[arg-type]
        rate_limiter.acquire_pair("lists", browser_request.person, address, limits.table_lists, "server-many-lists")
        if not browser_request.person:
            raise UnauthenticatedError("server-who-are-you")
        return await accounts.describe_me(browser_request)

    @routes.get("/api/me/data", "Everything stored about you, as one file")
    async def data(anyone: StringDependency, address: StringDependency) -> Response[dict[str, Any]]:
        if not anyone:
            raise UnauthenticatedError("server-who-are-you")
        rate_limiter.acquire_pair("data", anyone, address, limits.exports, "server-many-data")
        headers = {"Content-Disposition": 'attachment; filename="diamonds-my-data.json"'}
        chunks = export_data(accounts.store, anyone)
        return Stream(chunks, media_type=MediaType.JSON, headers=headers)  # type: ignore[return-value]

    @routes.post("/api/me/delete", "Delete your account or guest identity")
    async def delete_me(
        request: Request[Any, Any, State], address: StringDependency, data: JSONBody[messages.DeleteAccountRequest]
    ) -> Response[messages.OkResponse]:
        check_content_type(request.scope)  # type: ignore[arg-type]
        person = await identities.require(request.scope, allow_banned=True)  # type: ignore[arg-type]
        browser_request = (await read_browser(identities, request.scope))._replace(person=person)  # type: ignore[arg-type]
        charge(browser_request, address)
        await accounts.delete_person(browser_request, data.name)
        return (
            signed_out_response(messages.OkResponse()) if browser_request.identity else Response(messages.OkResponse())
        )

    # Registration and further ways to sign in

    @routes.post("/api/me/account/begin", "Choose the name of an account")
    async def begin_registration(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[messages.BeginAccountRequest]
    ) -> messages.WebAuthnOptionsResponse:
        charge(browser, address)
        return await accounts.begin_registration(browser, data.name, data.invitation)

    @routes.post("/api/me/account", "Create the account, with a passkey", 201)
    async def register(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[messages.PasskeyRequest]
    ) -> Response[messages.OneTimeSecretResponse]:
        rate_limiter.acquire_pair(
            "registrations", browser.person, address, limits.registrations, "server-many-accounts"
        )
        device, shown = await accounts.register(browser, data)
        return Response(shown, status_code=201, headers={"Set-Cookie": identities.set_cookie_header(device)})

    @routes.post("/api/me/passkeys/begin", "Begin to add a passkey")
    async def begin_add_passkey(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[EmptyRequest]
    ) -> messages.WebAuthnOptionsResponse:
        charge(browser, address)
        return await accounts.begin_passkey(browser)

    @routes.post("/api/me/passkeys", "Add a passkey", 201)
    async def add_passkey(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[messages.PasskeyRequest]
    ) -> messages.OkResponse:
        charge(browser, address)
        await accounts.add_passkey(browser, data)
        return messages.OkResponse()

    @routes.post("/api/me/passkeys/remove", "Remove a passkey")
    async def remove_passkey(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[messages.RemoveSignInRequest]
    ) -> messages.OkResponse:
        charge(browser, address)
        await accounts.remove_passkey(browser, data.id)
        return messages.OkResponse()

    @routes.post("/api/me/recovery-code", "Replace the recovery code", 201)
    async def new_recovery_code(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[EmptyRequest]
    ) -> messages.OneTimeSecretResponse:
        rate_limiter.acquire_pair("codes", browser.person, address, limits.recovery_codes, "server-many-codes")
        return await accounts.new_recovery_code(browser)

    @routes.post("/api/me/links", "Create a sign-in link for another device", 201)
    async def new_sign_in_link(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[EmptyRequest]
    ) -> messages.OneTimeSecretResponse:
        charge(browser, address)
        return await accounts.new_sign_in_link(browser)

    # Signing in

    @routes.post("/api/sign-in/passkey/begin", "Begin to sign in with a passkey")
    async def begin_sign_in(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[EmptyRequest]
    ) -> messages.WebAuthnOptionsResponse:
        charge(browser, address)
        return await accounts.begin_sign_in(browser)

    @routes.post("/api/sign-in/passkey", "Sign in with a passkey")
    async def sign_in_by_passkey(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[messages.PasskeySignInRequest]
    ) -> Response[messages.SignedInResponse]:
        charge(browser, address)
        return signed_in_response(*await accounts.sign_in_by_passkey(browser, data))

    @routes.post("/api/sign-in/link/preview", "The account that a link signs in to")
    async def preview_link(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[messages.LinkSignInRequest]
    ) -> messages.SignedInResponse:
        charge(browser, address)
        return await accounts.preview_link(browser, data.link)

    @routes.post("/api/sign-in/link", "Sign in with a link")
    async def sign_in_by_link(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[messages.LinkSignInRequest]
    ) -> Response[messages.SignedInResponse]:
        charge(browser, address)
        return signed_in_response(*await accounts.sign_in_by_link(browser, data))

    @routes.post("/api/sign-in/code", "Sign in with the recovery code")
    async def sign_in_by_code(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[messages.CodeSignInRequest]
    ) -> Response[messages.SignedInResponse]:
        rate_limiter.acquire_pair("codes", browser.person, address, limits.recovery_codes, "server-many-codes")
        return signed_in_response(*await accounts.sign_in_by_code(browser, data))

    # Signing out

    @routes.post("/api/me/sign-out", "Sign out here, or everywhere")
    async def sign_out(
        request: Request[Any, Any, State], address: StringDependency, data: JSONBody[messages.SignOutRequest]
    ) -> Response[messages.OkResponse]:
        browser = await require_browser(identities, request.scope, allow_banned=True)  # type: ignore[arg-type]
        charge(browser, address)
        await accounts.sign_out(browser, data.everywhere)
        return signed_out_response(messages.OkResponse())

    @routes.post("/api/me/devices/remove", "Sign another device out")
    async def remove_device(
        browser: BrowserDependency, address: StringDependency, data: JSONBody[messages.RemoveSignInRequest]
    ) -> messages.OkResponse:
        charge(browser, address)
        await accounts.remove_device(browser, data.id)
        return messages.OkResponse()

    return routes
