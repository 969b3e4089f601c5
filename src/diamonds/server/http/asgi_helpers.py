"""Plain ASGI helpers: reading a small body, replying, and turning errors into responses."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from functools import lru_cache
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from diamonds import i18n
from diamonds.errors import DiamondsError, InvalidInputError, NotAllowedError, NotFoundError
from diamonds.i18n import Message
from diamonds.server.api.codec import encode
from diamonds.server.errors import ForbiddenError, RateLimitedError, StaleRequestError, UnauthenticatedError
from diamonds.server.http.network_addresses import MisdirectedRequestError, Scope
from diamonds.server.storage.commit_outcomes import DamagedTableError, StoreError, StoreUnavailableError

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

MAX_BODY_BYTES = 16_000
RECORDS_PATH = "/api/records"  # this path accepts larger bodies
MAX_RECORD_BYTES = 2_000_000  # 47 bytes per entry with its time, for `opened_records.MAX_RECORD_ENTRIES` entries
MAX_LANGUAGES_BYTES = 200  # limit for an `Accept-Language` header
MAX_QUERY_BYTES = 500  # longer strings are refused before Litestar, which caches parsed query strings

SECURITY_HEADERS = [  # `DiamondsServer` sends these with every response
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
]
# for all responses except pages
API_CSP_HEADER = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
NO_STORE_HEADER = (b"cache-control", b"no-store")
ERROR_SCOPE_KEY = "diamonds.error"  # scope key of a failed request; its value is the status
JSON_HEADERS = (API_CSP_HEADER, (b"content-type", b"application/json"), NO_STORE_HEADER)


class PayloadTooLargeError(DiamondsError):
    """The body exceeds the size limit (413)."""


class UriTooLongError(DiamondsError):
    """The URI exceeds the length limit (414)."""


class UnsupportedMediaTypeError(DiamondsError):
    """The request is not declared as JSON (415)."""


STATUS_BY_ERROR: tuple[tuple[type[DiamondsError], int], ...] = (
    (InvalidInputError, 400),
    (UnauthenticatedError, 401),
    (ForbiddenError, 403),
    (NotFoundError, 404),
    (NotAllowedError, 409),
    (PayloadTooLargeError, 413),
    (UriTooLongError, 414),
    (UnsupportedMediaTypeError, 415),
    (MisdirectedRequestError, 421),
    (RateLimitedError, 429),
    (DamagedTableError, 410),
    (StoreError, 503),
    (StoreUnavailableError, 503),
)


@lru_cache(maxsize=256)
def negotiate_language(accept: str) -> str:
    """Return the best available language for an `Accept-Language` header (RFC 9110, 12.5.4), else English."""
    candidates = []
    for part in accept.split(","):
        language, _, weight = part.partition(";")
        quality_match = re.fullmatch(r"\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*", weight)
        candidates.append((float(quality_match[1]) if quality_match else 1.0, language))
    for quality, language in sorted(candidates, key=lambda one: -one[0]):
        supported = i18n.best_language(language)
        if quality and (
            supported != i18n.DEFAULT_LANGUAGE or language.strip().lower().startswith(i18n.DEFAULT_LANGUAGE)
        ):
            return supported
    return i18n.DEFAULT_LANGUAGE


def request_language(scope: Scope) -> str:
    """Return the language that a request asks for."""
    for name, value in scope["headers"]:
        if name == b"accept-language":
            return negotiate_language(value[:MAX_LANGUAGES_BYTES].decode("latin-1"))
    return i18n.DEFAULT_LANGUAGE


def error_json(message: Message, language: str = i18n.DEFAULT_LANGUAGE, update: bytes = b"null") -> bytes:
    """Encode an `ErrorResponse`; `update` is the JSON of a table update sent along."""
    return b'{"error":%b,"id":%b,"args":%b,"update":%b}' % (
        encode(i18n.translate(*message, language)),
        encode(message.id),
        encode(message.args),
        update,
    )


def error_response(
    error: DiamondsError, language: str = i18n.DEFAULT_LANGUAGE
) -> tuple[int, bytes, tuple[tuple[bytes, bytes], ...]]:
    """Return status, `ErrorResponse` JSON and extra headers for an error."""
    status = next((status for kind, status in STATUS_BY_ERROR if isinstance(error, kind)), 400)
    headers: tuple[tuple[bytes, bytes], ...] = ()
    if isinstance(error, RateLimitedError):
        headers = ((b"retry-after", b"%d" % error.retry_after_s),)
    update = error.update if isinstance(error, StaleRequestError) else b"null"
    return status, error_json(error.message, language, update), headers


def header_bytes(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Encode headers for the wire."""
    return b"".join([b"%b: %b\r\n" % header for header in headers])


async def send_json(send: Send, status: int, body: bytes, extra_headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    """Send a complete JSON response."""
    headers = [*JSON_HEADERS, (b"content-length", b"%d" % len(body)), *extra_headers]
    exchange = getattr(send, "__self__", None)
    if isinstance(exchange, RequestResponseCycle) and _can_write_directly(exchange):
        # Unlike uvicorn, do not check each header, because all of them are ours.
        exchange.response_started = exchange.response_complete = True
        exchange.message_event.set()
        head = STATUS_LINE[status] + header_bytes([*exchange.default_headers, *headers])
        exchange.transport.write(b"%b\r\n%b" % (head, body))
        exchange.on_response()
    else:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
    if status >= 400 and isinstance(exchange, RequestResponseCycle):
        note_error(exchange.scope, status)  # type: ignore[arg-type]


def note_error(scope: Scope, status: int) -> None:
    """Record in the scope that a request failed, for `DiamondsApp` to count."""
    if status >= 400:
        scope[ERROR_SCOPE_KEY] = status


def _can_write_directly(exchange: RequestResponseCycle) -> bool:
    """Return whether a plain response may be written to the transport now."""
    is_plain = exchange.keep_alive and exchange.scope["method"] != "HEAD"
    return is_plain and not (exchange.response_started or exchange.disconnected or exchange.flow.write_paused)


def check_content_type(scope: Scope) -> None:
    """Raise `UnsupportedMediaTypeError` unless the request is declared as JSON."""
    for name, value in scope["headers"]:
        if name == b"content-type":
            if value.split(b";")[0].strip().lower() != b"application/json":
                raise UnsupportedMediaTypeError("server-send-json")
            return
    raise UnsupportedMediaTypeError("server-send-json")


async def receive_body(receive: Receive, max_bytes: int) -> bytes:
    """Return the request body. Raise `DiamondsError` if it is longer than `max_bytes`, or the client leaves."""
    parts: list[bytes] = []  # joined once at the end: a body may arrive byte by byte
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise InvalidInputError("server-ended-early")
        parts.append(event.get("body", b""))
        size += len(parts[-1])
        if size > max_bytes:
            raise PayloadTooLargeError("server-too-large", most=max_bytes)
        if not event.get("more_body"):
            return b"".join(parts)


async def read_body(receive: Receive, max_bytes: int = MAX_BODY_BYTES) -> bytes:
    """Return the request body, which must be UTF-8 of at most `max_bytes`."""
    body = await receive_body(receive, max_bytes)
    try:
        body.decode()
    except UnicodeDecodeError:
        raise InvalidInputError("server-not-utf-8") from None
    return body


def decode(decoder: msgspec.json.Decoder[Any], body: bytes) -> Any:
    """Decode a request body. Raise `InvalidInputError` with the reason if it is invalid."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidInputError("server-unreadable", why=str(error)) from None
