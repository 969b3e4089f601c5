"""Plain ASGI: reading a small body, replying, and turning refusals into replies. The hot routes use nothing else."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from functools import lru_cache
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from diamonds import words
from diamonds.game import Illegal, Malformed, Refused, Unknown
from diamonds.server.api.encoding import encode
from diamonds.server.api.refusals import Forbidden, Stale, Stranger, TooMany
from diamonds.server.store.contract import Damaged, Refusal, Unavailable
from diamonds.server.wire.addresses import Elsewhere, Scope
from diamonds.words import Message

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

MAX_BODY = 16_000  # bytes
RECORDS = "/api/records"  # where a record is sent to, which may be larger
MAX_RECORD = 2_000_000  # bytes: 47 for each entry that `elsewhere.MOST_ENTRIES` allows, with its time
MAX_LANGUAGES = 200  # bytes of the header that says which languages are wanted
MAX_QUERY = 500  # bytes after the question mark: what is longer would be taken apart, and Litestar remembers that

SECURITY = [  # `main.Server` sends these with every reply
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
]
CLOSED = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")  # for whatever is no page
NO_STORE = (b"cache-control", b"no-store")
ERROR = "diamonds.error"  # in the scope of a request that failed: the status of its reply
JSON = (CLOSED, (b"content-type", b"application/json"), NO_STORE)


class TooLarge(Refused):
    """The body is larger than any request needs (413)."""


class TooLong(Refused):
    """The address is longer than any that leads anywhere (414)."""


class WrongType(Refused):
    """The body does not say that it is JSON (415)."""


STATUS: tuple[tuple[type[Refused], int], ...] = (
    (Malformed, 400),
    (Stranger, 401),
    (Forbidden, 403),
    (Unknown, 404),
    (Illegal, 409),
    (TooLarge, 413),
    (TooLong, 414),
    (WrongType, 415),
    (Elsewhere, 421),
    (TooMany, 429),
    (Damaged, 410),
    (Refusal, 503),
    (Unavailable, 503),
)


@lru_cache(maxsize=256)
def wanted(accept: str) -> str:
    """The best language there is by an ``Accept-Language`` header (RFC 9110, 12.5.4); English where none of them is."""
    asked = []
    for part in accept.split(","):
        language, _, weight = part.partition(";")
        given = re.fullmatch(r"\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*", weight)
        asked.append((float(given[1]) if given else 1.0, language))
    for quality, language in sorted(asked, key=lambda one: -one[0]):
        found = words.spoken(language)
        if quality and (found != words.FIRST or language.strip().lower().startswith(words.FIRST)):
            return found
    return words.FIRST


def language_of(scope: Scope) -> str:
    """The language that a request asks for."""
    for name, value in scope["headers"]:
        if name == b"accept-language":
            return wanted(value[:MAX_LANGUAGES].decode("latin-1"))
    return words.FIRST


def problem_json(why: Message, language: str = words.FIRST, current: bytes = b"null") -> bytes:
    """A `Problem`; ``current`` is a message that comes along."""
    return b'{"error":%b,"id":%b,"values":%b,"message":%b}' % (
        encode(words.say(*why, language)),
        encode(why.id),
        encode(why.values),
        current,
    )


def problem(refusal: Refused, language: str = words.FIRST) -> tuple[int, bytes, tuple[tuple[bytes, bytes], ...]]:
    """Status, `Problem` and further headers for a refusal."""
    status = next((status for kind, status in STATUS if isinstance(refusal, kind)), 400)
    more: tuple[tuple[bytes, bytes], ...] = ()
    if isinstance(refusal, TooMany):
        more = ((b"retry-after", b"%d" % refusal.wait),)
    current = refusal.current if isinstance(refusal, Stale) else b"null"
    return status, problem_json(refusal.message, language, current), more


def lines(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Headers as they go over the wire."""
    return b"".join([b"%b: %b\r\n" % header for header in headers])


async def reply(send: Send, status: int, body: bytes, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    """A whole JSON response."""
    headers = [*JSON, (b"content-length", b"%d" % len(body)), *more]
    exchange = getattr(send, "__self__", None)
    if isinstance(exchange, RequestResponseCycle) and _takes_it_whole(exchange):
        # What uvicorn does, but that it looks at every header anew: these are ours.
        exchange.response_started = exchange.response_complete = True
        exchange.message_event.set()
        head = STATUS_LINE[status] + lines([*exchange.default_headers, *headers])
        exchange.transport.write(b"%b\r\n%b" % (head, body))
        exchange.on_response()
    else:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
    if status >= 400 and isinstance(exchange, RequestResponseCycle):
        note_error(exchange.scope, status)  # type: ignore[arg-type]


def note_error(scope: Scope, status: int) -> None:
    """Remember that a request failed, if it did; `App` counts it."""
    if status >= 400:
        scope[ERROR] = status


def _takes_it_whole(exchange: RequestResponseCycle) -> bool:
    """Whether nothing but the reply itself is to be said, and its reader takes it now."""
    as_usual = exchange.keep_alive and exchange.scope["method"] != "HEAD"
    return as_usual and not (exchange.response_started or exchange.disconnected or exchange.flow.write_paused)


def check_type(scope: Scope) -> None:
    """`WrongType` unless the request says that it is JSON."""
    for name, value in scope["headers"]:
        if name == b"content-type":
            if value.split(b";")[0].strip().lower() != b"application/json":
                raise WrongType("server-send-json")
            return
    raise WrongType("server-send-json")


async def read_body(receive: Receive, most: int = MAX_BODY) -> bytes:
    """The request's body, if it is text of a decent size."""
    parts: list[bytes] = []  # put together once: a body may come byte by byte
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise Malformed("server-ended-early")
        parts.append(event.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise TooLarge("server-too-large", most=most)
        if not event.get("more_body"):
            break
    body = b"".join(parts)
    try:
        body.decode()
    except UnicodeDecodeError:
        raise Malformed("server-not-utf-8") from None
    return body


def decode(decoder: msgspec.json.Decoder[Any], body: bytes) -> Any:
    """A request's message, or `Malformed` with what is wrong with it."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Malformed("server-unreadable", why=str(error)) from None
