"""The routes of people's accounts. Whatever changes one comes from a browser, by its cookie and from the house's own page."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody
from litestar.response import Stream

from diamonds.server.api import accounts as messages
from diamonds.server.api.refusals import Forbidden, Stranger
from diamonds.server.house.accounts import Register, Visit
from diamonds.server.house.mydata import all_of
from diamonds.server.wire.addresses import Scope
from diamonds.server.wire.http import check_type
from diamonds.server.wire.live import Live
from diamonds.server.wire.people import People, check_same_site

Text = NamedDependency[str]
Browser = NamedDependency[Visit]


async def visit_of(people: People, scope: Scope) -> Visit:
    """Who reads, and where their page is. A program has no identity besides its own: no device of it can be signed in."""
    person, by_cookie = await people.identify(scope)
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    return Visit(person, people.cookie_of(scope) if by_cookie else "", host, scope["server"][1] or 0)


async def browser_of(people: People, scope: Scope, leaves: bool = False) -> Visit:
    """Who acts: somebody in a browser, on our own page, sending JSON. Who ``leaves`` need not be welcome."""
    check_type(scope)
    visit = await visit_of(people, scope)
    if not visit.person:
        raise Stranger("server-who-are-you")
    if not visit.identity:
        raise Forbidden("account-in-a-browser")
    check_same_site(scope)
    if not leaves:
        people.check(visit.person)
    return visit


def account_routes(
    register: Register, people: People, live: Live, problems: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    """All of them."""
    buckets, limits = live.buckets, live.limits

    def count(visit: Visit, address: str) -> None:
        buckets.share("accounts", visit.identity or visit.person, address, limits.accounts, "server-many-accounts")

    def signed_in(device: str, content: Any) -> Response[Any]:
        return Response(content, headers={"Set-Cookie": people.cookie(device)})

    def signed_out(content: Any) -> Response[Any]:
        """Whoever signs out here is a new guest."""
        return Response(content, headers={"Set-Cookie": people.cookie(people.new())})

    # Who one is

    @get("/api/me", summary="Who you are here", responses=problems)
    async def who(request: Request[Any, Any, State], address: Text) -> messages.Me:
        visit = await visit_of(people, request.scope)  # type: ignore[arg-type]
        buckets.share("lists", visit.person, address, limits.lists, "server-many-lists")
        if not visit.person:
            raise Stranger("server-who-are-you")
        return await register.me(visit)

    @get("/api/me/data", summary="All that is kept of you, as one file", responses=problems)
    async def data(anyone: Text, address: Text) -> Response[dict[str, Any]]:
        if not anyone:
            raise Stranger("server-who-are-you")
        buckets.share("data", anyone, address, limits.data, "server-many-data")
        headers = {"Content-Disposition": 'attachment; filename="diamonds-my-data.json"'}
        pieces = all_of(register.store, anyone)
        return Stream(pieces, media_type=MediaType.JSON, headers=headers)  # type: ignore[return-value]

    @post("/api/me/delete", status_code=200, summary="Forget me", responses=problems)
    async def delete(
        request: Request[Any, Any, State], address: Text, data: JSONBody[messages.Forget]
    ) -> Response[messages.Gone]:
        check_type(request.scope)  # type: ignore[arg-type]
        person = await people.require(request.scope, leaves=True)  # type: ignore[arg-type]
        visit = (await visit_of(people, request.scope))._replace(person=person)  # type: ignore[arg-type]
        count(visit, address)
        await register.forget(visit, data.name)
        return signed_out(messages.Gone()) if visit.identity else Response(messages.Gone())

    # A guest becomes an account, and has more ways in

    @post("/api/me/account/begin", status_code=200, summary="Choose the name of an account", responses=problems)
    async def begin_account(browser: Browser, address: Text, data: JSONBody[messages.WantsAccount]) -> messages.Asked:
        count(browser, address)
        return await register.begin_account(browser, data.name, data.invitation)

    @post("/api/me/account", status_code=201, summary="Make the account, with a passkey", responses=problems)
    async def account(
        browser: Browser, address: Text, data: JSONBody[messages.NewPasskey]
    ) -> Response[messages.ShownOnce]:
        count(browser, address)
        device, shown = await register.make_account(browser, data)
        return Response(shown, status_code=201, headers={"Set-Cookie": people.cookie(device)})

    @post("/api/me/passkeys/begin", status_code=200, summary="Ask to make one passkey more", responses=problems)
    async def begin_passkey(browser: Browser, address: Text) -> messages.Asked:
        count(browser, address)
        return await register.begin_passkey(browser)

    @post("/api/me/passkeys", status_code=201, summary="One passkey more", responses=problems)
    async def passkey(browser: Browser, address: Text, data: JSONBody[messages.NewPasskey]) -> messages.Gone:
        count(browser, address)
        await register.add_passkey(browser, data)
        return messages.Gone()

    @post("/api/me/passkeys/remove", status_code=200, summary="One passkey fewer", responses=problems)
    async def no_passkey(browser: Browser, address: Text, data: JSONBody[messages.Which]) -> messages.Gone:
        count(browser, address)
        await register.remove_passkey(browser, data.mark)
        return messages.Gone()

    @post("/api/me/code", status_code=201, summary="Another recovery code", responses=problems)
    async def code(browser: Browser, address: Text) -> messages.ShownOnce:
        buckets.share("codes", browser.person, address, limits.codes, "server-many-codes")
        return await register.new_code(browser)

    @post("/api/me/links", status_code=201, summary="A link for another device", responses=problems)
    async def link(browser: Browser, address: Text) -> messages.ShownOnce:
        count(browser, address)
        return await register.new_link(browser)

    # Signing in

    @post("/api/sign-in/passkey/begin", status_code=200, summary="Ask to sign in with a passkey", responses=problems)
    async def begin_sign_in(browser: Browser, address: Text) -> messages.Asked:
        count(browser, address)
        return await register.begin_sign_in(browser)

    @post("/api/sign-in/passkey", status_code=200, summary="Sign in with a passkey", responses=problems)
    async def by_passkey(
        browser: Browser, address: Text, data: JSONBody[messages.Passkeyed]
    ) -> Response[messages.SignedIn]:
        count(browser, address)
        return signed_in(*await register.sign_in_by_passkey(browser, data))

    @post("/api/sign-in/link/look", status_code=200, summary="Whom a link signs in", responses=problems)
    async def look(browser: Browser, address: Text, data: JSONBody[messages.Linked]) -> messages.SignedIn:
        count(browser, address)
        return await register.look_at_link(browser, data.link)

    @post("/api/sign-in/link", status_code=200, summary="Sign in by a link", responses=problems)
    async def by_link(browser: Browser, address: Text, data: JSONBody[messages.Linked]) -> Response[messages.SignedIn]:
        count(browser, address)
        return signed_in(*await register.sign_in_by_link(browser, data))

    @post("/api/sign-in/code", status_code=200, summary="Sign in by the recovery code", responses=problems)
    async def by_code(browser: Browser, address: Text, data: JSONBody[messages.Coded]) -> Response[messages.SignedIn]:
        buckets.share("codes", browser.person, address, limits.codes, "server-many-codes")
        return signed_in(*await register.sign_in_by_code(browser, data))

    # Signing out

    @post("/api/me/sign-out", status_code=200, summary="Sign out here, or everywhere", responses=problems)
    async def sign_out(
        request: Request[Any, Any, State], address: Text, data: JSONBody[messages.SignOut]
    ) -> Response[messages.Gone]:
        browser = await browser_of(people, request.scope, leaves=True)  # type: ignore[arg-type]
        count(browser, address)
        await register.sign_out(browser, data.everywhere)
        return signed_out(messages.Gone())

    @post("/api/me/devices/remove", status_code=200, summary="Sign another device out", responses=problems)
    async def no_device(browser: Browser, address: Text, data: JSONBody[messages.Which]) -> messages.Gone:
        count(browser, address)
        await register.remove_device(browser, data.mark)
        return messages.Gone()

    return [
        who,
        data,
        delete,
        begin_account,
        account,
        begin_passkey,
        passkey,
        no_passkey,
        code,
        link,
        begin_sign_in,
        by_passkey,
        look,
        by_link,
        by_code,
        sign_out,
        no_device,
    ]
