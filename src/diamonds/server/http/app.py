"""The ASGI application, which routes requests.

Answers, streams and the web client are plain ASGI; the rest is Litestar.
"""

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
from diamonds.errors import DiamondsError
from diamonds.i18n import Message
from diamonds.server.accounts.passkeys import PasskeyVerifier, PublicOrigin
from diamonds.server.accounts.service import AccountService
from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.cluster.errors import MemberUnreachableError
from diamonds.server.http.asgi_helpers import (
    API_CSP_HEADER,
    ERROR_SCOPE_KEY,
    MAX_QUERY_BYTES,
    NO_STORE_HEADER,
    RECORDS_PATH,
    Receive,
    Send,
    UriTooLongError,
    error_json,
    error_response,
    note_error,
    read_body,
    request_language,
    send_json,
)
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.http.cluster_routes import ADMIN_PATH, ClusterRoutes, replay_body
from diamonds.server.http.connection_limits import ConnectionLimiter
from diamonds.server.http.identity import IdentityService
from diamonds.server.http.litestar_app import build_litestar_app, complete_openapi_document
from diamonds.server.http.network_addresses import AllowedHosts, Scope, check_single_headers, client_network
from diamonds.server.http.rate_limits import RateLimitSettings
from diamonds.server.http.readiness import ReadinessCheck
from diamonds.server.http.web_client_files import WebClientFiles
from diamonds.server.lobby.service import LobbyService
from diamonds.server.moderation.account_name_review import warn_of_names
from diamonds.server.moderation.admin_socket import AdminSocket, handle_request
from diamonds.server.moderation.maintenance import RetentionJob
from diamonds.server.moderation.service import ModerationService
from diamonds.server.notifications.push_scheduler import PushScheduler
from diamonds.server.notifications.push_subscriptions import PushSubscriptions
from diamonds.server.notifications.turn_feed import TurnFeedHub
from diamonds.server.notifications.web_push import PushServiceAllowlist, WebPushSender
from diamonds.server.request_context import requesting_address
from diamonds.server.settings_file import TomlSettings
from diamonds.server.storage.accounts import AccountChange
from diamonds.server.storage.commit_outcomes import StoreUnavailableError
from diamonds.server.storage.store import Store
from diamonds.server.tables.daily import DailyDeals
from diamonds.server.tables.matches import MatchService
from diamonds.server.tables.service import TableService

if TYPE_CHECKING:
    from diamonds.server.cluster.cluster import Cluster

HOT_PATH_PARTS = "/api/tables/answers/stream/lobby/turns".split("/")  # path segments of the routes outside Litestar
HOT_ROUTES = ("/api/tables/{id}/answers", "/api/tables/{id}/stream", "/api/lobby", "/api/turns")
OTHER_ROUTES = ("page", "unknown")  # the web client, and unknown paths below /api/
# The contact for push services if the server has no public HTTPS address.
VAPID_FALLBACK_CONTACT = "mailto:nobody@example.invalid"

log = logging.getLogger("diamonds")


class AppConfig(NamedTuple):
    """Configuration of the application.

    `proxies` is the number of trusted reverse proxies in front of the server; `secure` means HTTPS. `allowed_hosts` are
    the host names besides localhost; with `allow_any_ip` every literal IP address is allowed too. `warm_up` compiles
    the bots' kernels at start-up instead of on first use. Passkeys belong to `public_url`. `server_config` comes from
    the settings file; the admin socket lies in `data_dir`.
    """

    # (min, max) seconds per bot answer; overrides the bot speed of the table
    bot_delay: tuple[float, float] | None = None
    limits: RateLimitSettings = RateLimitSettings()
    proxies: int = 0
    secure: bool = False
    allowed_hosts: tuple[str, ...] = ()
    allow_any_ip: bool = False
    warm_up: bool = False
    public_url: PublicOrigin | None = None
    server_config: TomlSettings = TomlSettings()
    push_key: bytes = b""  # VAPID key; random at each start if empty
    data_dir: Path | None = None
    worker_number: int = 1  # number of this process among the workers of this machine
    worker_count: int = 1  # worker processes on this machine


class LifespanResource(Protocol):
    """A resource that is open for as long as the server is."""

    def open(self) -> None: ...

    def close(self) -> None: ...


class DiamondsApp:
    """The ASGI application. It closes `store`, which must be open at start-up."""

    def __init__(
        self, store: Store, key: bytes, config: AppConfig | None = None, cluster: Cluster | None = None
    ) -> None:
        config = config or AppConfig()
        self.store = store
        self._tasks = BackgroundTasks()
        self.is_open = False
        self.name_check_task: asyncio.Task[None] | None = None  # the last review of account names
        self.config = config
        self.tables = TableService(store, config.bot_delay, config.worker_count, cluster)
        check_not_banned = self.tables.sanctions.check_not_banned
        self.identities = IdentityService(key, config.secure, store.accounts, self._on_device_seen, check_not_banned)
        settings = config.server_config
        self.accounts = AccountService(
            self.tables, PasskeyVerifier(config.public_url), self.identities.invalidate, settings.registration_policy
        )
        self.lobby = LobbyService(self.tables)
        self.matches = MatchService(self.tables, key)
        self.turns = TurnFeedHub(self.tables, self.lobby.challenges)
        self.moderation = ModerationService(self.tables, self.lobby, settings)
        contact = (
            config.public_url.origin if config.public_url and config.public_url.is_secure else VAPID_FALLBACK_CONTACT
        )
        sender = WebPushSender(
            PushServiceAllowlist(settings.push_services), config.push_key or secrets.token_bytes(32), contact
        )
        self.push_scheduler = PushScheduler(self.tables, self.turns, sender)
        self.push_subscriptions = PushSubscriptions(self.tables, self.turns, sender)
        self.retention = RetentionJob(self.tables, settings.guest_game_retention_days, settings.report_retention_days)
        self.admin_socket = (
            AdminSocket(self.forward_admin_request, config.data_dir)
            if config.data_dir and config.worker_number == 1
            else None
        )
        self.asgi_routes = AsgiRoutes(
            self.tables, self.lobby, self.turns, self.identities, config.limits, config.proxies
        )
        self.metrics_exporters: list[LifespanResource] = []
        self.readiness = ReadinessCheck(self.tables, config.worker_number)
        self.web_client = WebClientFiles(name=settings.name, offline=settings.offline)
        self.connection_limiter = ConnectionLimiter(config.limits, config.proxies)
        self.allowed_hosts = AllowedHosts(config.allowed_hosts, config.allow_any_ip)
        self.cluster = cluster
        self.cluster_routes = ClusterRoutes(self, cluster) if cluster else None
        self.litestar_app: Litestar = build_litestar_app(
            self.tables,
            self.identities,
            self.asgi_routes,
            self.accounts,
            self.lobby,
            self.moderation,
            self.push_subscriptions,
            self.readiness,
            DailyDeals(self.tables, key),
            self.matches,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] == "http":
            if log.isEnabledFor(logging.DEBUG):
                send = self._with_request_log(scope, send)
            try:
                await self._http(scope, receive, send)
            except Exception:
                note_error(scope, 500)
                raise
            except asyncio.CancelledError:  # shutdown cancelled a request that outlasted the grace period
                with contextlib.suppress(RuntimeError):  # the response has already started
                    await send_json(send, 503, error_json(Message("server-closing"), request_language(scope)))
            finally:
                if ERROR_SCOPE_KEY in scope:
                    self.tables.counters.errors[route_of(scope), f"{scope[ERROR_SCOPE_KEY] // 100}xx"] += 1
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def apply_config(self, config: TomlSettings) -> None:
        """Apply changed settings, except those that need a restart."""
        services = PushServiceAllowlist(config.push_services)
        self.web_client = await asyncio.to_thread(WebClientFiles, name=config.name, offline=config.offline)
        self.moderation.config = config._replace(public_url=self.moderation.config.public_url)
        self.accounts.registration = config.registration_policy
        self.push_scheduler.sender.allowlist = services  # `push_subscriptions` shares this sender
        self.retention.set_periods(config.guest_game_retention_days, config.report_retention_days)

    def review_names(self) -> None:
        """Check account names against the current rules in the background."""
        self.name_check_task = asyncio.get_running_loop().create_task(warn_of_names(self.store))

    async def handle_admin_request(self, line: bytes) -> bytes:
        """Answer an admin request, as the lobby owner."""
        return await handle_request(self.moderation, line)

    async def forward_admin_request(self, line: bytes) -> bytes:
        """Ask the lobby owner to answer an admin request."""
        if self.cluster is None or self.cluster.lobby_owner is None or self.cluster.owns_lobby:
            return await self.handle_admin_request(line)
        try:
            return await self.cluster.forwarder.call(self.cluster.lobby_owner, ADMIN_PATH, line)
        except MemberUnreachableError:
            raise StoreUnavailableError from None

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            check_single_headers(scope)
            self.allowed_hosts.check(scope)
            if len(scope["query_string"]) > MAX_QUERY_BYTES:
                raise UriTooLongError("server-address-too-long")
            if self.cluster_routes is not None:
                await self.cluster_routes.route(scope, receive, send)
            else:
                await self.answer(scope, receive, send)
        except DiamondsError as error:
            await send_json(send, *error_response(error, request_language(scope)))

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request in this process. Raise `DiamondsError` only if no response has begun."""
        path: str = scope["path"]
        address = client_network(scope, self.config.proxies)
        self.asgi_routes.rate_limiter.acquire("requests", address, self.config.limits.requests, "server-many-requests")
        requesting_address.set(address)
        if path.startswith("/api/"):
            if path.startswith("/api/tables/"):
                id, _, action = path[12:].partition("/")
                if action == "answers" and scope["method"] == "POST":
                    await self.asgi_routes.answers(scope, receive, send, id)
                    return
                if action == "stream" and scope["method"] == "GET":
                    await self.asgi_routes.table_stream(scope, receive, send, id)
                    return
            if path == "/api/lobby" and scope["method"] == "GET":
                await self.asgi_routes.lobby_stream(scope, receive, send)
                return
            if path == "/api/turns" and scope["method"] == "GET":
                await self.asgi_routes.turn_stream(scope, receive, send)
                return
            if path.startswith("/api/schema"):
                complete_openapi_document(self.litestar_app)
            if scope["method"] == "POST" and path != RECORDS_PATH:
                receive = replay_body(await read_body(receive), receive)
            await self.litestar_app(scope, receive, _with_api_headers(scope, send))  # type: ignore[arg-type]
        elif scope["method"] in ("GET", "HEAD"):
            await self.web_client.serve(scope, send, lambda: self._new_guest_cookie(scope))
        else:
            await send_json(
                send, 405, error_json(Message("server-read-only"), request_language(scope)), ((b"allow", b"GET, HEAD"),)
            )

    def _with_request_log(self, scope: Scope, send: Send) -> Send:
        """Return a `Send` that logs the request by its route when its response begins.

        Path segments that are not part of a route may contain anything, so they are not logged.
        """
        started_at, known_parts = time.perf_counter(), self._known_path_parts
        route = "/".join(part if part in known_parts else "ID" for part in scope["path"].split("/")[:8])

        async def logged(event: dict[str, Any]) -> None:
            if event["type"] == "http.response.start":
                ms = round((time.perf_counter() - started_at) * 1000, 1)
                more = {"method": scope["method"], "route": route, "status": event["status"], "ms": ms}
                log.debug("Request answered.", extra=more)
                note_error(scope, event["status"])
            await send(event)

        return logged

    @cached_property
    def routes(self) -> list[str]:
        """Every route under which errors are counted (`route_of`)."""
        return sorted({*HOT_ROUTES, *OTHER_ROUTES, *(route.path_format for route in self.litestar_app.routes)})

    @cached_property
    def _known_path_parts(self) -> frozenset[str]:
        """The segments in the paths of routes."""
        return frozenset(
            {*HOT_PATH_PARTS, *(part for route in self.litestar_app.routes for part in route.path.split("/"))}
        )

    async def _new_guest_cookie(self, scope: Scope) -> bytes:
        """Return the cookie of a new guest; empty if the client has an identity, or its address has had too many guests."""
        try:
            person, _ = await self.identities.identify(scope)
            if not person:
                self.asgi_routes.charge_new_guest(scope)
        except DiamondsError:
            return b""
        return b"" if person else self.identities.set_cookie_header(self.identities.new_guest()).encode()

    def _on_device_seen(self, device: str) -> None:
        """Store in the background that a device was used today."""
        self._tasks.start(self._store_device_seen(device))

    async def _store_device_seen(self, device: str) -> None:
        with contextlib.suppress(StoreUnavailableError):  # stored on the device's next day instead
            await self.store.commit(AccountChange("", seen_device=device))

    async def open(self) -> None:
        """Open all background services, once. Raise `DiamondsError` or `OSError` on failure."""
        if self.is_open:
            return
        await self.tables.open()
        self.lobby.open()
        self.retention.open()
        if self.admin_socket:
            await self.admin_socket.open()
        await self.push_scheduler.open()
        if self.cluster_routes is not None:
            await self.cluster_routes.open()
        else:
            self.tables.clocks.resume(await self.store.running_clocks())
            self.matches.resume()
            self.review_names()
        for exporter in self.metrics_exporters:
            exporter.open()
        log.info(
            "The server is open.",
            extra={"version": diamonds.__version__, "address": self.config.server_config.public_url},
        )
        if self.config.warm_up:
            self.tables.workers.open()
        self.is_open = True

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            event = await receive()
            if event["type"] == "lifespan.startup":
                await self.open()
                await send({"type": "lifespan.startup.complete"})
            else:
                for exporter in self.metrics_exporters:
                    # In a thread, because closing may wait for a scrape that waits for this loop.
                    await asyncio.to_thread(exporter.close)
                if self.name_check_task:
                    self.name_check_task.cancel()
                self.push_scheduler.close()
                if self.admin_socket:
                    self.admin_socket.close()
                self.retention.close()
                self.lobby.close()
                self.matches.close()
                if self.cluster_routes is not None:
                    self.cluster_routes.close()
                await self.tables.close()
                if self.cluster is not None:
                    await self.cluster.stop()
                await self.tables.workers.wait_closed()
                await self.store.close()
                log.info("The server is closed.")
                await send({"type": "lifespan.shutdown.complete"})
                return


def route_of(scope: Scope) -> str:
    """Return the route template of a request: one of a small set, whatever the path."""
    path = scope["path"]
    if template := scope.get("path_template"):
        return str(template)
    if path.startswith("/api/tables/"):
        path = f"/api/tables/{{id}}/{path[12:].partition('/')[2]}"
    if path in HOT_ROUTES:
        return str(path)
    return "unknown" if path.startswith("/api/") else "page"


def _with_api_headers(scope: Scope, send: Send) -> Send:
    """Return a `Send` that adds the security headers of API responses."""

    async def secured(event: dict[str, Any]) -> None:
        if event["type"] == "http.response.start":
            note_error(scope, event["status"])
            present = {name for name, _ in event["headers"]}
            event["headers"] = [
                *event["headers"],
                *(header for header in (API_CSP_HEADER, NO_STORE_HEADER) if header[0] not in present),
            ]
        await send(event)

    return secured
