"""All routes but the two hot ones, on Litestar; and the OpenAPI document of them all, the hot ones included."""

from __future__ import annotations

import logging
from typing import Annotated, Any

from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
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
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

import diamonds
from diamonds.game import Refused, find_game
from diamonds.server.api import advice, messages
from diamonds.server.api.readiness import Ready
from diamonds.server.house.accounts import Register, Visit
from diamonds.server.house.offers import games, levels, missing
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.meeting import Meeting
from diamonds.server.order.order import Order
from diamonds.server.reminding.browsers import Browsers
from diamonds.server.table.names import guest_name
from diamonds.server.table.pad import pad
from diamonds.server.table.table import Table
from diamonds.server.table.telling import message
from diamonds.server.wire.account_routes import account_routes, browser_of
from diamonds.server.wire.addresses import address_of
from diamonds.server.wire.http import (
    MAX_BODY,
    MAX_RECORD,
    RECORDS,
    check_type,
    language_of,
    problem,
    problem_json,
    read_body,
)
from diamonds.server.wire.live import Live, known
from diamonds.server.wire.meeting_routes import meeting_routes
from diamonds.server.wire.order_routes import order_routes
from diamonds.server.wire.people import People
from diamonds.server.wire.push_routes import push_routes
from diamonds.server.wire.readiness import Readiness
from diamonds.server.wire.told import rules_page
from diamonds.server.wire.waiting_routes import waiting_routes
from diamonds.server.work.elsewhere import Doorstep
from diamonds.words import Message

log = logging.getLogger("diamonds")
SMALL_RECORD = 4_000  # bytes: a record costs as much to open as its bytes and these

_PROBLEM = {
    400: ResponseSpec(messages.Problem, description="The request cannot be read, or makes no sense."),
    401: ResponseSpec(messages.Problem, description="It does not say who it is from."),
    403: ResponseSpec(messages.Problem, description="Who it is from may not do that."),
    404: ResponseSpec(messages.Problem, description="There is no such thing."),
    409: ResponseSpec(messages.Problem, description="Not now: the rules, or the table, do not allow it."),
    410: ResponseSpec(messages.Problem, description="The table is damaged: what is stored of it is no game."),
    413: ResponseSpec(messages.Problem, description="The request is too large."),
    415: ResponseSpec(messages.Problem, description="The request does not say that it is JSON."),
    429: ResponseSpec(messages.Problem, description="Enough for now; Retry-After says for how many seconds."),
}

_ADVICE = {**_PROBLEM, 202: ResponseSpec(advice.Underway, description="It is being made: ask again.")}

Text = NamedDependency[str]
PathId = FromPath[str]


def _json(body: bytes, headers: dict[str, str] | None = None) -> Response[Any]:
    return Response(body, media_type=MediaType.JSON, headers=headers)


def _advice(found: bytes | advice.Underway) -> Response[Any]:
    """What was asked for, or how far it is."""
    if isinstance(found, bytes):
        return _json(found)
    return Response(found, status_code=202, media_type=MediaType.JSON, headers={"Retry-After": "1"})


def _language(request: Request[Any, Any, State]) -> str:
    """The language that a request asks for."""
    return language_of(request.scope)  # type: ignore[arg-type]


def _refused(request: Request[Any, Any, State], refusal: Refused) -> Response[bytes]:
    status, body, more = problem(refusal, _language(request))
    return Response(
        body, status_code=status, media_type=MediaType.JSON, headers={n.decode(): v.decode() for n, v in more}
    )


def _problem(
    request: Request[Any, Any, State], why: Message, status: int, headers: dict[str, str] | None = None
) -> Response[bytes]:
    body = problem_json(why, _language(request))
    return Response(body, status_code=status, media_type=MediaType.JSON, headers=headers)


def _failed(request: Request[Any, Any, State], error: HTTPException) -> Response[bytes]:
    """What Litestar refuses: unknown paths, wrong methods, bodies that cannot be read."""
    why = Message("as-it-is", {"text": str(error.detail)})
    extra = error.extra
    if isinstance(extra, list) and extra and isinstance(extra[0], dict):
        why = Message("server-unreadable", {"why": str(extra[0].get("message", error.detail))})
    if error.status_code == 404:
        why = Message("server-nothing-here")
    if error.status_code == 405:
        why = Message("server-other-method", {"method": request.method})
    if error.status_code == 413:
        why = Message("server-too-large", {"most": MAX_BODY})
    return _problem(request, why, error.status_code, error.headers)


def _too_deep(request: Request[Any, Any, State], error: RecursionError) -> Response[bytes]:
    """JSON that is nested beyond reason."""
    return _problem(request, Message("server-too-deep"), 400)


def _broken(request: Request[Any, Any, State], error: Exception) -> Response[bytes]:
    """The last resort: the log gets the details, the caller gets a sentence."""
    log.error("%s %s failed.", request.method, request.url.path, exc_info=error)
    return _problem(request, Message("server-broken"), 500)


def make_routes(
    tables: Tables,
    people: People,
    live: Live,
    register: Register,
    meeting: Meeting,
    order: Order,
    browsers: Browsers,
    readiness: Readiness,
) -> Litestar:
    """The Litestar application."""
    buckets, limits, doorstep = live.buckets, live.limits, Doorstep()

    async def anyone(request: Request[Any, Any, State]) -> str:
        """Who reads, welcome or not; "" for a stranger."""
        return (await people.identify(request.scope))[0]  # type: ignore[arg-type]

    async def reader(request: Request[Any, Any, State]) -> str:
        """Who reads; "" for a stranger."""
        person = await anyone(request)
        people.check(person)
        return person

    async def actor(request: Request[Any, Any, State]) -> str:
        """Who acts: someone known, from our own page or with a token, sending JSON."""
        check_type(request.scope)  # type: ignore[arg-type]
        return await people.require(request.scope)  # type: ignore[arg-type]

    async def browser(request: Request[Any, Any, State]) -> Visit:
        """Who acts in a browser."""
        return await browser_of(people, request.scope)  # type: ignore[arg-type]

    def address(request: Request[Any, Any, State]) -> str:
        """The client's address."""
        return address_of(request.scope, live.proxies)  # type: ignore[arg-type]

    # The house and the people in it

    @get("/api/house", summary="What can be played here, and who you are")
    async def house(anyone: Text, request: Request[Any, Any, State]) -> Response[messages.House]:
        headers = {}
        if not anyone:
            live.take_guest(request.scope)  # type: ignore[arg-type]
            anyone = people.new()
            headers["Set-Cookie"] = people.cookie(anyone)
        content = messages.House(
            games(_language(request)),
            levels(_language(request)),
            missing(_language(request)),
            await tables.name_of(anyone),
            diamonds.__version__,
            order.settings.called,
        )
        return Response(content, headers=headers)

    @post("/api/me", status_code=200, summary="Change your display name", responses=_PROBLEM)
    async def me(actor: Text, address: Text, data: JSONBody[messages.Rename]) -> messages.Rename:
        buckets.share("names", actor, address, limits.names, "server-many-changes")
        return messages.Rename(await register.rename(actor, data.name))

    @post("/api/token", status_code=200, summary="An identity for a program", responses=_PROBLEM)
    async def token(request: Request[Any, Any, State]) -> messages.Token:
        live.take_guest(request.scope)  # type: ignore[arg-type]
        person = people.new()
        return messages.Token(people.token(person), guest_name(person))

    @get("/api/health", summary="Whether the server is up")
    async def health() -> dict[str, str]:
        return {"status": "ok", "version": diamonds.__version__}

    @get(
        "/api/ready",
        summary="Whether the server can take requests: it asks its store and its bots",
        responses={503: ResponseSpec(Ready, description="Not now.")},
    )
    async def ready() -> Response[Ready]:
        told = await readiness.ask()
        return Response(told, status_code=200 if told.ready else 503)

    # Tables

    @get("/api/tables", summary="Public tables, and your own", responses=_PROBLEM)
    async def lobby(reader: Text, address: Text) -> messages.Lobby:
        buckets.share("lists", reader, address, limits.lists, "server-many-lists")
        await live.turnstile.turn(address)
        return await tables.making.lobby(reader)

    @post("/api/tables", status_code=201, summary="Make a table", responses=_PROBLEM)
    async def make(actor: Text, address: Text, data: JSONBody[messages.NewTable]) -> Response[messages.Made]:
        buckets.share("tables", actor, address, limits.tables, "server-many-tables")
        return _json(await tables.making.make(actor, data))

    @get("/api/tables/{id:str}", summary="The table as you may see it", responses=_PROBLEM)
    async def table(
        reader: Text,
        address: Text,
        id: PathId,
        after: Annotated[int | None, QueryParameter(ge=0, le=2**53, description="the version you know")] = None,
    ) -> Response[messages.Message]:
        buckets.share("looks", reader, address, limits.looks, "server-many-looks")
        await live.turnstile.turn(address)
        found = await tables.find(id, reader)
        return _json(message(found, await tables.reader(found, reader), known(after)))

    @post("/api/tables/{id:str}/sit", status_code=200, summary="Take a seat", responses=_PROBLEM)
    async def sit(actor: Text, address: Text, id: PathId, data: JSONBody[messages.Sit]) -> Response[messages.Done]:
        buckets.share("seats", actor, address, limits.seats, "server-many-seats")
        return _json(await tables.sit(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/stand", status_code=200, summary="Leave your seat", responses=_PROBLEM)
    async def stand(actor: Text, address: Text, id: PathId, data: JSONBody[messages.Stand]) -> Response[messages.Done]:
        buckets.share("seats", actor, address, limits.seats, "server-many-seats")
        return _json(await tables.stand(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/bot", status_code=200, summary="Seat a bot, or send one away", responses=_PROBLEM)
    async def bot(actor: Text, address: Text, id: PathId, data: JSONBody[messages.SetBot]) -> Response[messages.Done]:
        buckets.share("seats", actor, address, limits.seats, "server-many-seats")
        return _json(await tables.set_bot(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/pace", status_code=200, summary="How fast bots answer", responses=_PROBLEM)
    async def pace(actor: Text, address: Text, id: PathId, data: JSONBody[messages.SetPace]) -> Response[messages.Done]:
        buckets.share("seats", actor, address, limits.seats, "server-many-changes")
        return _json(await tables.set_pace(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/talk", status_code=200, summary="What may be said", responses=_PROBLEM)
    async def talk(actor: Text, address: Text, id: PathId, data: JSONBody[messages.SetTalk]) -> Response[messages.Done]:
        buckets.share("seats", actor, address, limits.seats, "server-many-changes")
        return _json(await tables.set_talk(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/hurry", status_code=200, summary="Bots answer until you are asked", responses=_PROBLEM)
    async def hurry(actor: Text, address: Text, id: PathId, data: JSONBody[messages.Hurry]) -> Response[messages.Done]:
        buckets.share("hurry", actor, address, limits.hurry, "server-many-hurries")
        return _json(await tables.hurry(await tables.find(id, actor), actor))

    @post("/api/tables/{id:str}/undo", status_code=200, summary="Step back, or ask for it", responses=_PROBLEM)
    async def undo(actor: Text, address: Text, id: PathId, data: JSONBody[messages.Undo]) -> Response[messages.Done]:
        buckets.share("undo", actor, address, limits.undo, "server-many-undos")
        return _json(await tables.undo(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/wish", status_code=200, summary="Agree to what someone asks", responses=_PROBLEM)
    async def wish(actor: Text, address: Text, id: PathId, data: JSONBody[messages.Consent]) -> Response[messages.Done]:
        buckets.share("undo", actor, address, limits.undo, "server-many-answers")
        return _json(await tables.consent(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/chat", status_code=200, summary="Say something at the table", responses=_PROBLEM)
    async def chat(actor: Text, address: Text, id: PathId, data: JSONBody[messages.Chat]) -> Response[messages.Done]:
        buckets.share("chat", actor, address, limits.chat, "server-many-lines")
        return _json(await tables.say(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/fork", status_code=201, summary="Play on from a moment", responses=_PROBLEM)
    async def fork(actor: Text, address: Text, id: PathId, data: JSONBody[messages.PlayOn]) -> Response[messages.Made]:
        buckets.share("tables", actor, address, limits.tables, "server-many-tables")
        return _json(await tables.making.fork(await tables.find(id, actor), actor, data))

    @post("/api/tables/{id:str}/again", status_code=201, summary="Play again with the same people", responses=_PROBLEM)
    async def again(actor: Text, address: Text, id: PathId, data: JSONBody[messages.Again]) -> Response[messages.Made]:
        buckets.share("tables", actor, address, limits.tables, "server-many-tables")
        return _json(await tables.making.again(await tables.find(id, actor), actor, data))

    @get("/api/tables/{id:str}/pad", summary="The score pad: what each deal has brought", responses=_PROBLEM)
    async def score_pad(reader: Text, address: Text, id: PathId) -> messages.Pad:
        buckets.share("looks", reader, address, limits.looks, "server-many-looks")
        found = await tables.find(id, reader)
        return pad(found, found.seat_of(reader))

    # Advice

    @get("/api/tables/{id:str}/hint", summary="The best answers to your open question", responses=_ADVICE)
    async def hint(reader: Text, address: Text, id: PathId) -> Response[advice.Hint]:
        buckets.share("advice", reader, address, limits.advice, "server-many-questions")
        return _advice(await tables.advisers.hint(await tables.find(id, reader), reader))

    @get("/api/tables/{id:str}/review", summary="A finished game, judged", responses=_ADVICE)
    async def review(reader: Text, address: Text, id: PathId) -> Response[advice.Review]:
        buckets.share("advice", reader, address, limits.advice, "server-many-questions")
        return _advice(await tables.advisers.review(await tables.find(id, reader), reader or address))

    # What a finished game leaves

    async def left(
        what: str, table: Table, reader: str, address: str, headers: dict[str, str] | None = None
    ) -> Response[Any]:
        """What a finished game leaves."""
        buckets.share("history", reader, address, limits.history, "server-many-history")
        pieces = await tables.archive.ask(what, table, address, await tables.blocked(reader))
        return Stream(pieces, media_type=MediaType.JSON, headers=headers)

    @get("/api/tables/{id:str}/record", summary="The record of a finished game", responses=_PROBLEM)
    async def record(reader: Text, address: Text, id: PathId) -> Response[dict[str, Any]]:
        found = await tables.find(id, reader)
        name = f"diamonds-{found.header.game}-{id}.json"
        return await left("record", found, reader, address, {"Content-Disposition": f'attachment; filename="{name}"'})

    @get("/api/tables/{id:str}/verify", summary="Whether the deals were fair", responses=_PROBLEM)
    async def verify(reader: Text, address: Text, id: PathId) -> Response[messages.Verdict]:
        return await left("verdict", await tables.find(id, reader), reader, address)

    @get("/api/tables/{id:str}/replay", summary="Every step of a finished game, all hands open", responses=_PROBLEM)
    async def replayed(reader: Text, address: Text, id: PathId) -> Response[messages.Replay]:
        return await left("replay", await tables.find(id, reader), reader, address)

    # Records of games finished elsewhere

    @post(RECORDS, status_code=200, summary="Open a record, which is the body", responses=_PROBLEM)
    async def opened(actor: Text, address: Text, request: Request[Any, Any, State]) -> Response[messages.Opened]:
        with doorstep.place(actor, address):
            text = await read_body(request.receive, MAX_RECORD)  # type: ignore[arg-type]
            buckets.share("records", actor, address, limits.records, "server-many-records", len(text) + SMALL_RECORD)
            found = await tables.archive.open(text, address)
        return Stream(found, media_type=MediaType.JSON)  # type: ignore[return-value]

    @get(RECORDS + "/{id:str}/review", summary="A game whose record was opened, judged", responses=_ADVICE)
    async def review_of_record(reader: Text, address: Text, id: PathId) -> Response[advice.Review]:
        buckets.share("advice", reader, address, limits.advice, "server-many-questions")
        game, packed = tables.archive.opened(id)
        return _advice(await tables.advisers.review_of_record(id, game, packed, reader or address, address))

    @post(RECORDS + "/{id:str}/table", status_code=201, summary="Keep the game of an opened record", responses=_PROBLEM)
    async def keep(actor: Text, address: Text, id: PathId, data: JSONBody[messages.Keep]) -> Response[messages.Made]:
        buckets.share("tables", actor, address, limits.tables, "server-many-tables")
        return _json(await tables.making.keep(id, actor, data))

    @get(
        "/api/rules/{game:str}",
        summary="The rules page, as HTML, in the language that is asked for",
        media_type=MediaType.HTML,
        responses=_PROBLEM,
    )
    async def rules(game: PathId, request: Request[Any, Any, State]) -> str:
        return rules_page(find_game(game).name, _language(request))

    handlers = [
        house,
        me,
        token,
        health,
        ready,
        lobby,
        make,
        table,
        sit,
        stand,
        bot,
        pace,
        talk,
        hurry,
        undo,
        wish,
        chat,
        fork,
        again,
        score_pad,
        hint,
        review,
        record,
        verify,
        replayed,
        opened,
        review_of_record,
        keep,
        rules,
        *waiting_routes(tables, live, _PROBLEM),
        *account_routes(register, people, live, _PROBLEM),
        *meeting_routes(meeting, tables, live, _PROBLEM),
        *order_routes(order, live, _PROBLEM),
        *push_routes(browsers, people, live, _PROBLEM),
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
        exception_handlers={Refused: _refused, HTTPException: _failed, RecursionError: _too_deep, Exception: _broken},
        request_max_body_size=MAX_BODY,
        openapi_config=_openapi(),
        logging_config=None,
    )
    return app


def _openapi() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Diamonds",
        version=diamonds.__version__,
        description="A browser and a program use the same routes. docs/api.md tells how.",
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


def document_hot_routes(app: Litestar) -> None:
    """Answers and stream bypass Litestar, but not its document. (It takes a while: done when first asked for.)"""
    document = app.openapi_schema
    if document.paths is not None and "/api/tables/{id}/stream" in document.paths:
        return
    assert document.paths is not None
    assert document.components.schemas is not None

    def schema(struct: type) -> Reference:
        return Reference(ref=f"#/components/schemas/{struct.__name__}")

    @post("/api/hot", status_code=200, responses=_PROBLEM)
    async def hot(data: JSONBody[messages.Answers]) -> messages.Done:
        raise NotImplementedError

    described = OpenAPIConfig(title="", version="", create_examples=False)
    scratch = Litestar([hot], openapi_config=described, logging_config=None).openapi_schema
    assert scratch.paths is not None
    assert scratch.components.schemas is not None
    for name, found in scratch.components.schemas.items():
        document.components.schemas.setdefault(name, found)
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
            content={"application/json": OpenAPIMediaType(schema=schema(messages.Problem))},
        )
        for code, spec in _PROBLEM.items()
        if code in (401, 404, 410, 429)
    }
    endless = OpenAPIResponse(
        description="Events without end.", content={"text/event-stream": OpenAPIMediaType(schema=_TEXT)}
    )
    document.paths["/api/tables/{id}/stream"] = PathItem(
        get=Operation(
            operation_id="Stream",
            summary="Server-Sent Events: each event's data is a Message, its id the version",
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
            summary="Server-Sent Events named “turns”: each event's data is Turns",
            responses={"200": endless, **errors},
        )
    )
    document.paths["/api/lobby"] = PathItem(
        get=Operation(
            operation_id="Lobby",
            summary="Server-Sent Events: each event's data is LobbyNews",
            parameters=[Parameter(name="game", param_in="query", schema=_TEXT, description="the tables of one game")],
            responses={"200": endless, **errors},
        )
    )
