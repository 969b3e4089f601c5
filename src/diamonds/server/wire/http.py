"""Plain ASGI: reading a small body, replying, and turning refusals into replies. The hot routes use nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from diamonds.game import Illegal, Malformed, Refused, Unknown
from diamonds.server.api.encoding import encode
from diamonds.server.api.refusals import Forbidden, Stranger, TooMany
from diamonds.server.house.tables import Stale
from diamonds.server.store.contract import Damaged
from diamonds.server.store.sqlite import Refusal
from diamonds.server.wire.addresses import Elsewhere, Scope

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

MAX_BODY = 16_000  # bytes
RECORDS = "/api/records"  # where a record is sent to, which may be larger
MAX_RECORD = 2_000_000  # bytes: 47 for each entry that `elsewhere.MOST_ENTRIES` allows, with its time
MAX_QUERY = 500  # bytes after the question mark: what is longer would be taken apart, and Litestar remembers that

SECURITY = [  # `main.Server` sends these with every reply
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
]
CLOSED = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")  # for whatever is no page
NO_STORE = (b"cache-control", b"no-store")
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
)


def problem(refusal: Refused) -> tuple[int, bytes, tuple[tuple[bytes, bytes], ...]]:
    """Status, `Problem` and further headers for a refusal."""
    status = next((status for kind, status in STATUS if isinstance(refusal, kind)), 400)
    more: tuple[tuple[bytes, bytes], ...] = ()
    if isinstance(refusal, TooMany):
        more = ((b"retry-after", b"%d" % refusal.wait),)
    if isinstance(refusal, Stale):
        return status, b'{"error":%b,"message":%b}' % (encode(str(refusal)), refusal.current), more
    return status, b'{"error":%b,"message":null}' % encode(str(refusal)), more


async def reply(send: Send, status: int, body: bytes, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    """A whole JSON response."""
    headers = [*JSON, (b"content-length", b"%d" % len(body)), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def check_type(scope: Scope) -> None:
    """`WrongType` unless the request says that it is JSON."""
    for name, value in scope["headers"]:
        if name == b"content-type":
            if value.split(b";")[0].strip().lower() != b"application/json":
                raise WrongType("Send JSON, with Content-Type: application/json.")
            return
    raise WrongType("Send JSON, with Content-Type: application/json.")


async def read_body(receive: Receive, most: int = MAX_BODY) -> bytes:
    """The request's body, if it is text of a decent size."""
    parts: list[bytes] = []  # put together once: a body may come byte by byte
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise Malformed("The request ended too early.")
        parts.append(event.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise TooLarge(f"The request is larger than {most:,} bytes.")
        if not event.get("more_body"):
            break
    body = b"".join(parts)
    try:
        body.decode()
    except UnicodeDecodeError:
        raise Malformed("The request cannot be read: it is not UTF-8.") from None
    return body


def decode(decoder: msgspec.json.Decoder[Any], body: bytes) -> Any:
    """A request's message, or `Malformed` with what is wrong with it."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Malformed(f"The request cannot be read: {error}.") from None
