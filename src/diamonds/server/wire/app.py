"""The application: which path goes where. The hot routes and the page are plain ASGI; the rest is Litestar."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from litestar import Litestar

import diamonds
from diamonds.game import Refused
from diamonds.server.cluster.errors import UnreachableError
from diamonds.server.house.accounts import Register
from diamonds.server.house.passkeys import Address, Passkeys
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.meeting import Meeting
from diamonds.server.order.name_review import warn_of_names
from diamonds.server.order.office import Office, answer
from diamonds.server.order.order import Order
from diamonds.server.order.retention import Retention
from diamonds.server.order.settings import HouseSettings
from diamonds.server.reminding.browsers import Browsers
from diamonds.server.reminding.calls import Calls
from diamonds.server.reminding.sending import Sender
from diamonds.server.reminding.services import Services
from diamonds.server.reminding.turns import Turns
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.contract import Store, Unavailable
from diamonds.server.wire.addresses import HouseNames, Scope, address_of, check_single
from diamonds.server.wire.cluster_routes import OFFICE, ClusterRoutes, replayed
from diamonds.server.wire.door import Doorkeeper
from diamonds.server.wire.http import (
    CLOSED,
    ERROR,
    MAX_QUERY,
    NO_STORE,
    RECORDS,
    Receive,
    Send,
    TooLong,
    language_of,
    note_error,
    problem,
    problem_json,
    read_body,
    reply,
)
from diamonds.server.wire.limits import Limits
from diamonds.server.wire.live import Live
from diamonds.server.wire.page import Page
from diamonds.server.wire.people import People
from diamonds.server.wire.readiness import Readiness
from diamonds.server.wire.routes import document_hot_routes, make_routes
from diamonds.words import Message

if TYPE_CHECKING:
    from diamonds.server.cluster.cluster import Cluster

HOT = "/api/tables/answers/stream/lobby/turns".split("/")  # what stands in the paths that are not Litestar's
HOT_ROUTES = ("/api/tables/{id}/answers", "/api/tables/{id}/stream", "/api/lobby", "/api/turns")
OTHER_ROUTES = ("page", "unknown")  # what is no route of the API, and what only looks like one
NOBODY = "mailto:nobody@example.invalid"  # whom push services may write to, where no address of the house is known

log = logging.getLogger("diamonds")


class Setup(NamedTuple):
    """How the application is run. ``proxies`` counts the trusted reverse proxies before it; ``secure`` is for HTTPS.

    ``names`` are those that it goes by besides localhost; with ``any_number`` every literal IP address is one too. ``get_ready``: what
    bots think with is compiled when the house opens, and not when it is first wanted. ``address`` is where people find the house, if it
    is known: passkeys belong to it. ``house`` is what its settings file says, ``folder`` where it is asked on the machine itself.
    """

    think: tuple[float, float] | None = None  # how long bots take, in seconds, whatever the pace of their table
    limits: Limits = Limits()
    proxies: int = 0
    secure: bool = False
    names: tuple[str, ...] = ()
    any_number: bool = False
    get_ready: bool = False
    address: Address | None = None
    house: HouseSettings = HouseSettings()
    push_key: bytes = b""  # by which push services know the house; another one each time
    folder: Path | None = None
    process: int = 1  # of those that serve together on this machine,
    processes: int = 1  # so many


class Watching(Protocol):
    """Whoever looks on while the house is open."""

    def open(self) -> None:
        """The house opens."""
        ...

    def close(self) -> None:
        """The house closes."""
        ...


class App:
    """The ASGI application. The ``store`` is open when the house opens, and closed with it."""

    def __init__(self, store: Store, key: bytes, settings: Setup | None = None, cluster: Cluster | None = None) -> None:
        settings = settings or Setup()
        self.store = store
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_open = False
        self._review: asyncio.Task[None] | None = None  # of the names of accounts
        self.settings = settings
        self.tables = Tables(store, settings.think, settings.processes, cluster)
        check = self.tables.standings.check_welcome
        self.people = People(key, settings.secure, store.accounts, self._seen, check)
        entry = settings.house.entry
        self.register = Register(self.tables, Passkeys(settings.address), self.people.changed, entry)
        self.meeting = Meeting(self.tables)
        self.turns = Turns(self.tables, self.meeting.challenges)
        self.order = Order(self.tables, self.meeting, settings.house)
        contact = settings.address.origin if settings.address and settings.address.secure else NOBODY
        sender = Sender(Services(settings.house.push_hosts), settings.push_key or secrets.token_bytes(32), contact)
        self.calls = Calls(self.tables, self.turns, sender)
        self.browsers = Browsers(self.tables, self.turns, sender)
        self.retention = Retention(self.tables, settings.house.keep_guests_games_days, settings.house.keep_reports_days)
        self.office = Office(self.ask_office, settings.folder) if settings.folder and settings.process == 1 else None
        self.live = Live(self.tables, self.meeting, self.turns, self.people, settings.limits, settings.proxies)
        self.watching: list[Watching] = []  # those who are told figures of the house while it is open
        self.readiness = Readiness(self.tables, settings.process)
        self.page = Page(name=settings.house.name, offline=settings.house.offline)
        self.keeper = Doorkeeper(settings.limits, settings.proxies)
        self.names = HouseNames(settings.names, settings.any_number)
        self.cluster = cluster
        self.cluster_routes = ClusterRoutes(self, cluster) if cluster else None
        self.rest: Litestar = make_routes(
            self.tables, self.people, self.live, self.register, self.meeting, self.order, self.browsers, self.readiness
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "http":
            if log.isEnabledFor(logging.DEBUG):
                send = self._logged(scope, send)
            try:
                await self._http(scope, receive, send)
            except Exception:
                note_error(scope, 500)
                raise
            except asyncio.CancelledError:  # the server stops, and has waited for as long as it does
                with contextlib.suppress(RuntimeError):  # a reply has begun
                    await reply(send, 503, problem_json(Message("server-closing"), language_of(scope)))
            finally:
                if ERROR in scope:
                    self.tables.tally.errors[route_of(scope), f"{scope[ERROR] // 100}xx"] += 1
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def take_settings(self, house: HouseSettings) -> None:
        """Use other settings from now on, but for those that are used only when the house opens."""
        services = Services(house.push_hosts)
        self.page = await asyncio.to_thread(Page, name=house.name, offline=house.offline)
        self.order.settings = house._replace(address=self.order.settings.address)
        self.register.registration = house.entry
        self.calls.sender.services = services  # browsers are let in by the same sender
        self.retention.keep(house.keep_guests_games_days, house.keep_reports_days)

    def review_names(self) -> None:
        """Look in the background for names of accounts that would be refused today."""
        self._review = asyncio.get_running_loop().create_task(warn_of_names(self.store))

    async def answer_office(self, line: bytes) -> bytes:
        """Answer what is asked on the machine itself, here at the lobby owner."""
        return await answer(self.order, line)

    async def ask_office(self, line: bytes) -> bytes:
        """Have the lobby owner answer what is asked on the machine itself."""
        if self.cluster is None or self.cluster.lobby is None or self.cluster.has_lobby:
            return await self.answer_office(line)
        try:
            return await self.cluster.forwarder.call(self.cluster.lobby, OFFICE, line)
        except UnreachableError:
            raise Unavailable from None

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        try:
            check_single(scope)
            self.names.check(scope)
            if len(scope["query_string"]) > MAX_QUERY:
                raise TooLong("server-address-too-long")
            if self.cluster_routes is not None:
                here = await self.cluster_routes.route(scope, receive, send)
                if here is None:
                    return
                receive = here
            self.live.buckets.take(
                "requests",
                address_of(scope, self.settings.proxies),
                self.settings.limits.requests,
                "server-many-requests",
            )
        except Refused as refusal:
            await reply(send, *problem(refusal, language_of(scope)))
            return
        if path.startswith("/api/"):
            if path.startswith("/api/tables/"):
                id, _, what = path[12:].partition("/")
                if what == "answers" and scope["method"] == "POST":
                    await self.live.answers(scope, receive, send, id)
                    return
                if what == "stream" and scope["method"] == "GET":
                    await self.live.stream(scope, receive, send, id)
                    return
            if path == "/api/lobby" and scope["method"] == "GET":
                await self.live.lobby(scope, receive, send)
                return
            if path == "/api/turns" and scope["method"] == "GET":
                await self.live.turns_alone(scope, receive, send)
                return
            if path.startswith("/api/schema"):
                document_hot_routes(self.rest)
            if scope["method"] == "POST" and path != RECORDS:
                try:
                    receive = replayed(await read_body(receive), receive)
                except Refused as refusal:
                    await reply(send, *problem(refusal, language_of(scope)))
                    return
            await self.rest(scope, receive, _secured(scope, send))  # type: ignore[arg-type]
        elif scope["method"] in ("GET", "HEAD"):
            await self.page.serve(scope, send, lambda: self._cookie(scope))
        else:
            await reply(
                send, 405, problem_json(Message("server-read-only"), language_of(scope)), ((b"allow", b"GET, HEAD"),)
            )

    def _logged(self, scope: Scope, send: Send) -> Send:
        """Log a request when its reply begins, by its route: what else stands in its path may be anything."""
        began, words = time.perf_counter(), self._words
        route = "/".join(part if part in words else "ID" for part in scope["path"].split("/")[:8])

        async def logged(event: dict[str, Any]) -> None:
            if event["type"] == "http.response.start":
                ms = round((time.perf_counter() - began) * 1000, 1)
                more = {"method": scope["method"], "route": route, "status": event["status"], "ms": ms}
                log.debug("A request is answered.", extra=more)
                note_error(scope, event["status"])
            await send(event)

        return logged

    @cached_property
    def routes(self) -> list[str]:
        """Every route by which errors are counted (`route_of`)."""
        return sorted({*HOT_ROUTES, *OTHER_ROUTES, *(route.path_format for route in self.rest.routes)})

    @cached_property
    def _words(self) -> frozenset[str]:
        """Whatever stands in the paths of routes."""
        return frozenset({*HOT, *(part for route in self.rest.routes for part in route.path.split("/"))})

    async def _cookie(self, scope: Scope) -> bytes:
        """A new guest's cookie, for somebody who has none; an address that has had enough of them gets none."""
        try:
            person, _ = await self.people.identify(scope)
            if not person:
                self.live.take_guest(scope)
        except Refused:
            return b""
        return b"" if person else self.people.cookie(self.people.new()).encode()

    def _seen(self, device: str) -> None:
        """A device is used for the first time today: written down, and nobody waits for it."""
        task = asyncio.get_running_loop().create_task(self._write_seen(device))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write_seen(self, device: str) -> None:
        with contextlib.suppress(Unavailable):  # it is seen again tomorrow
            await self.store.commit(AccountChange("", seen=device))

    async def open(self) -> None:
        """Open all that the server keeps running, once. Raise `Refused` or `OSError` if it cannot be opened."""
        if self.is_open:
            return
        await self.tables.open()
        self.meeting.open()
        self.retention.open()
        if self.office:
            await self.office.open()
        await self.calls.open()
        if self.cluster_routes is not None:
            await self.cluster_routes.open()
        else:
            self.tables.clocks.go_on(await self.store.running_clocks())
            self.review_names()
        for watcher in self.watching:
            watcher.open()
        log.info(
            "The house is open.",
            extra={"version": diamonds.__version__, "address": self.settings.house.address},
        )
        if self.settings.get_ready:
            self.tables.thinking.open()
        self.is_open = True

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            event = await receive()
            if event["type"] == "lifespan.startup":
                await self.open()
                await send({"type": "lifespan.startup.complete"})
            else:
                for watcher in self.watching:
                    await asyncio.to_thread(watcher.close)  # it may be telling figures, which it asks of this loop
                if self._review:
                    self._review.cancel()
                self.calls.close()
                if self.office:
                    self.office.close()
                self.retention.close()
                self.meeting.close()
                if self.cluster_routes is not None:
                    self.cluster_routes.close()
                await self.tables.close()
                if self.cluster is not None:
                    await self.cluster.stop()
                await self.tables.thinking.ended()
                await self.store.close()
                log.info("The house is closed.")
                await send({"type": "lifespan.shutdown.complete"})
                return


def route_of(scope: Scope) -> str:
    """Return the template of a request's route: one of a few, whatever stands in its path."""
    path = scope["path"]
    if template := scope.get("path_template"):
        return str(template)
    if path.startswith("/api/tables/"):
        path = f"/api/tables/{{id}}/{path[12:].partition('/')[2]}"
    if path in HOT_ROUTES:
        return str(path)
    return "unknown" if path.startswith("/api/") else "page"


def _secured(scope: Scope, send: Send) -> Send:
    """Add what every reply but a page says about itself."""

    async def secured(event: dict[str, Any]) -> None:
        if event["type"] == "http.response.start":
            note_error(scope, event["status"])
            have = {name for name, _ in event["headers"]}
            event["headers"] = [*event["headers"], *(header for header in (CLOSED, NO_STORE) if header[0] not in have)]
        await send(event)

    return secured
