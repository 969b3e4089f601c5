"""The Litestar application: dependencies, error handlers, routes, and the OpenAPI document with the ASGI routes."""

from __future__ import annotations

import inspect
import logging
from typing import Any

from litestar import Litestar, MediaType, Request, Response, post
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import (
    Components,
    OpenAPIMediaType,
    OpenAPIResponse,
    OpenAPIType,
    Operation,
    Parameter,
    PathItem,
    Reference,
    Schema,
    SecurityScheme,
)
from litestar.params import JSONBody

import diamonds
from diamonds.errors import DiamondsError
from diamonds.game import find_game
from diamonds.i18n import Message
from diamonds.server.accounts.service import AccountService, BrowserRequest
from diamonds.server.api import tables as messages
from diamonds.server.api.message_types import message_types
from diamonds.server.api.readiness import ReadinessResponse
from diamonds.server.api.server_info import EmptyRequest, RenameRequest, ServerResponse, TokenResponse
from diamonds.server.cluster.errors import NotOwnerError
from diamonds.server.http.account_routes import account_routes, require_browser
from diamonds.server.http.api_routes import ERROR_RESPONSES, ApiRoutes, PathString, StringDependency
from diamonds.server.http.asgi_helpers import (
    MAX_BODY_BYTES,
    check_content_type,
    error_json,
    error_response,
    request_language,
)
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.http.daily_routes import daily_routes
from diamonds.server.http.identity import IdentityService
from diamonds.server.http.lobby_routes import lobby_routes
from diamonds.server.http.match_routes import match_routes
from diamonds.server.http.moderation_routes import moderation_routes
from diamonds.server.http.network_addresses import client_network
from diamonds.server.http.notification_routes import notification_routes
from diamonds.server.http.readiness import ReadinessCheck
from diamonds.server.http.static_data import rules_page
from diamonds.server.http.table_routes import action_routes, record_routes, table_routes
from diamonds.server.lobby.service import LobbyService
from diamonds.server.moderation.service import ModerationService
from diamonds.server.notifications.push_subscriptions import PushSubscriptions
from diamonds.server.people.display_names import guest_name
from diamonds.server.tables.daily import DailyDeals
from diamonds.server.tables.matches import MatchService
from diamonds.server.tables.offered_games import game_infos, level_infos, levels_unavailable_reason
from diamonds.server.tables.service import TableService

log = logging.getLogger("diamonds")


def _request_language(request: Request[Any, Any, State]) -> str:
    """Return the language that a request asks for."""
    return request_language(request.scope)  # type: ignore[arg-type]


def _handle_error(request: Request[Any, Any, State], error: DiamondsError) -> Response[bytes]:
    if isinstance(error, NotOwnerError):
        raise error  # `ClusterRoutes` sends the request to the owner
    status, body, headers = error_response(error, _request_language(request))
    return Response(
        body, status_code=status, media_type=MediaType.JSON, headers={n.decode(): v.decode() for n, v in headers}
    )


def _error_response(
    request: Request[Any, Any, State], message: Message, status: int, headers: dict[str, str] | None = None
) -> Response[bytes]:
    body = error_json(message, _request_language(request))
    return Response(body, status_code=status, media_type=MediaType.JSON, headers=headers)


def _handle_http_exception(request: Request[Any, Any, State], error: HTTPException) -> Response[bytes]:
    """Convert Litestar's own errors: unknown paths, wrong methods, unreadable bodies."""
    message = Message("as-it-is", {"text": str(error.detail)})
    extra = error.extra
    if isinstance(extra, list) and extra and isinstance(extra[0], dict):
        message = Message("server-unreadable", {"why": str(extra[0].get("message", error.detail))})
    if error.status_code == 404:
        message = Message("server-nothing-here")
    if error.status_code == 405:
        message = Message("server-other-method", {"method": request.method})
    if error.status_code == 413:
        message = Message("server-too-large", {"most": MAX_BODY_BYTES})
    return _error_response(request, message, error.status_code, error.headers)


def _handle_recursion(request: Request[Any, Any, State], error: RecursionError) -> Response[bytes]:
    """Reject JSON that is nested too deeply."""
    return _error_response(request, Message("server-too-deep"), 400)


def _handle_unexpected(request: Request[Any, Any, State], error: Exception) -> Response[bytes]:
    """Log an unexpected error, and send a generic message."""
    log.error("%s %s failed.", request.method, request.url.path, exc_info=error)
    return _error_response(request, Message("server-broken"), 500)


def build_litestar_app(
    tables: TableService,
    identities: IdentityService,
    asgi_routes: AsgiRoutes,
    accounts: AccountService,
    lobby_service: LobbyService,
    moderation: ModerationService,
    push_subscriptions: PushSubscriptions,
    readiness: ReadinessCheck,
    daily: DailyDeals,
    matches: MatchService,
) -> Litestar:
    """Build the Litestar application."""
    rate_limiter, limits, routes = asgi_routes.rate_limiter, asgi_routes.limits, ApiRoutes()

    async def anyone(request: Request[Any, Any, State]) -> str:
        """Return the person who sent a GET, banned or not; empty for a stranger."""
        return (await identities.identify(request.scope))[0]  # type: ignore[arg-type]

    async def reader(request: Request[Any, Any, State]) -> str:
        """Return the person who sent a GET; empty for a stranger. Raise if they are banned."""
        person = await anyone(request)
        identities.check_not_banned(person)
        return person

    async def actor(request: Request[Any, Any, State]) -> str:
        """Return the person who sends a change. It must come from our own page or with a token, as JSON."""
        check_content_type(request.scope)  # type: ignore[arg-type]
        return await identities.require(request.scope)  # type: ignore[arg-type]

    async def browser(request: Request[Any, Any, State]) -> BrowserRequest:
        """Return the browser that sends a change."""
        return await require_browser(identities, request.scope)  # type: ignore[arg-type]

    def address(request: Request[Any, Any, State]) -> str:
        """Return the client's network."""
        return client_network(request.scope, asgi_routes.proxies)  # type: ignore[arg-type]

    # The server and your identity

    @routes.get("/api/server", "What can be played here, and who you are", {})
    async def server_info(anyone: StringDependency, request: Request[Any, Any, State]) -> Response[ServerResponse]:
        headers = {}
        if not anyone:
            asgi_routes.charge_new_guest(request.scope)  # type: ignore[arg-type]
            anyone = identities.new_guest()
            headers["Set-Cookie"] = identities.set_cookie_header(anyone)
        content = ServerResponse(
            game_infos(_request_language(request)),
            level_infos(_request_language(request)),
            levels_unavailable_reason(_request_language(request)),
            await tables.display_name(anyone),
            diamonds.__version__,
            moderation.config.display_name,
        )
        return Response(content, headers=headers)

    @routes.post("/api/me", "Change your display name")
    async def rename_me(
        actor: StringDependency, address: StringDependency, data: JSONBody[RenameRequest]
    ) -> RenameRequest:
        rate_limiter.acquire_pair("names", actor, address, limits.names, "server-many-changes")
        return RenameRequest(await accounts.rename(actor, data.name))

    @routes.post("/api/token", "An identity for a program")
    async def token(request: Request[Any, Any, State], data: JSONBody[EmptyRequest]) -> TokenResponse:
        check_content_type(request.scope)  # type: ignore[arg-type]
        asgi_routes.charge_new_guest(request.scope)  # type: ignore[arg-type]
        person = identities.new_guest()
        return TokenResponse(identities.sign_token(person), guest_name(person))

    @routes.get("/api/health", "Whether the server is up", {})
    async def health() -> dict[str, str]:
        return {"status": "ok", "version": diamonds.__version__}

    @routes.get(
        "/api/ready",
        "Whether the server can take requests; checks database and bots",
        {503: ResponseSpec(ReadinessResponse, description="Not ready.")},
    )
    async def ready() -> Response[ReadinessResponse]:
        response = await readiness.check()
        return Response(response, status_code=200 if response.ready else 503)

    @routes.get("/api/rules/{game:str}", "The rules page as HTML, in the requested language", media_type=MediaType.HTML)
    async def rules(game: PathString, request: Request[Any, Any, State]) -> str:
        return rules_page(find_game(game).name, _request_language(request))

    handlers = [
        *routes,
        *table_routes(tables, asgi_routes),
        *record_routes(tables, asgi_routes),
        *daily_routes(daily, asgi_routes),
        *match_routes(matches, asgi_routes),
        *action_routes(tables, asgi_routes),
        *account_routes(accounts, identities, asgi_routes),
        *lobby_routes(lobby_service, tables, asgi_routes),
        *moderation_routes(moderation, asgi_routes),
        *notification_routes(push_subscriptions, identities, asgi_routes),
    ]
    app = Litestar(
        handlers,
        dependencies={
            "anyone": Provide(anyone),
            "reader": Provide(reader),
            "actor": Provide(actor),
            "browser": Provide(browser),
            "address": Provide(address, sync_to_thread=False),
        },
        exception_handlers={
            DiamondsError: _handle_error,
            HTTPException: _handle_http_exception,
            RecursionError: _handle_recursion,
            Exception: _handle_unexpected,
        },
        request_max_body_size=MAX_BODY_BYTES,
        openapi_config=_openapi(),
        logging_config=None,
    )
    return app


def _openapi() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Diamonds",
        version=diamonds.__version__,
        description="A browser and a program use the same routes. See docs/api.md.",
        path="/api/schema",
        create_examples=False,
        render_plugins=[JsonRenderPlugin(path=["/", "/openapi.json"])],
        components=Components(
            security_schemes={
                "token": SecurityScheme(type="http", scheme="bearer", description="from POST /api/token"),
                "cookie": SecurityScheme(type="apiKey", name="diamonds", security_scheme_in="cookie"),
            }
        ),
        security=[{"token": []}, {"cookie": []}],
    )


_TEXT = Schema(type=OpenAPIType.STRING)


def complete_openapi_document(app: Litestar) -> None:
    """Add the routes that bypass Litestar, and the docstrings of messages, to its OpenAPI document.

    This is slow, so it happens on first use.
    """
    document = app.openapi_schema
    if document.paths is not None and "/api/tables/{id}/stream" in document.paths:
        return
    assert document.paths is not None
    assert document.components.schemas is not None

    def schema(struct: type) -> Reference:
        return Reference(ref=f"#/components/schemas/{struct.__name__}")

    @post("/api/hot", status_code=200, responses=ERROR_RESPONSES)
    async def hot(data: JSONBody[messages.AnswersRequest]) -> messages.CommittedResponse:
        raise NotImplementedError

    config = OpenAPIConfig(title="", version="", create_examples=False)
    scratch = Litestar([hot], openapi_config=config, logging_config=None).openapi_schema
    assert scratch.paths is not None
    assert scratch.components.schemas is not None
    for name, component in scratch.components.schemas.items():
        document.components.schemas.setdefault(name, component)
    for kind in message_types():
        if described := document.components.schemas.get(kind.__name__):
            described.description = inspect.cleandoc(kind.__doc__ or "")
    operation = scratch.paths["/api/hot"].post
    assert operation is not None
    id_parameter = Parameter(name="id", param_in="path", required=True, schema=_TEXT)
    operation.summary = "Answer the open question"
    operation.operation_id = "Answer"
    operation.parameters = [id_parameter]
    document.paths["/api/tables/{id}/answers"] = PathItem(post=operation)
    errors = {
        str(code): OpenAPIResponse(
            description=spec.description,
            content={"application/json": OpenAPIMediaType(schema=schema(messages.ErrorResponse))},
        )
        for code, spec in ERROR_RESPONSES.items()
        if code in (401, 404, 410, 429)
    }
    endless = OpenAPIResponse(
        description="An endless stream of events.", content={"text/event-stream": OpenAPIMediaType(schema=_TEXT)}
    )
    document.paths["/api/tables/{id}/stream"] = PathItem(
        get=Operation(
            operation_id="Stream",
            summary="Server-Sent Events: each event's data is a TableUpdate, its id the version",
            parameters=[
                id_parameter,
                Parameter(name="after", param_in="query", schema=_TEXT, description="the version you know"),
                Parameter(name="Last-Event-ID", param_in="header", schema=_TEXT),
            ],
            responses={"200": endless, **errors},
        )
    )
    document.paths["/api/turns"] = PathItem(
        get=Operation(
            operation_id="Turns",
            summary="Server-Sent Events named “turns”: each event's data is a TurnFeedUpdate",
            responses={"200": endless, **errors},
        )
    )
    document.paths["/api/lobby"] = PathItem(
        get=Operation(
            operation_id="Lobby",
            summary="Server-Sent Events: each event's data is a LobbyUpdate",
            parameters=[Parameter(name="game", param_in="query", schema=_TEXT, description="the tables of one game")],
            responses={"200": endless, **errors},
        )
    )
