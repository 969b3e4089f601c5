"""Requests that happen once, however often they are sent: a repetition gets the reply of the first time."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable, Callable
from typing import Protocol

from diamonds.errors import NotAllowedError
from diamonds.server.api.codec import encode
from diamonds.server.storage.interface import Store, TableChange
from diamonds.server.storage.outcomes import REUSED
from diamonds.server.tables.core.table import Table


class HasIdempotencyKey(Protocol):
    """A request that may have a key."""

    @property
    def idempotency_key(self) -> str | None:
        """The key, which the client chose."""
        ...


class IdempotencyHost(Protocol):
    """The role of `TableRuntime` here."""

    store: Store

    def lock(self, table: Table) -> asyncio.Lock:
        """Operations on a table take turns."""
        ...


def request_hash(operation: str, request: HasIdempotencyKey) -> bytes:
    """Return a hash that tells a repeated request from another one."""
    return hashlib.blake2b(operation.encode() + encode(request), digest_size=16).digest()


def check_open(table: Table) -> None:
    """Raise `NotAllowedError` if a moderator has closed the table."""
    if table.seating.closed_reason:
        raise NotAllowedError("table-closed", reason=table.seating.closed_reason)


async def run_once(
    tables: IdempotencyHost,
    operation: str,
    table: Table | None,
    person: str,
    request: HasIdempotencyKey,
    action: Callable[[TableChange], Awaitable[bytes]],
) -> bytes:
    """Carry a request out in its table's turn, and return the reply; of one that was made before, the reply of the first time."""
    change = TableChange(
        table=table.id if table else "",
        person=person,
        idempotency_key=request.idempotency_key or "",
        request_hash=request_hash(operation, request),
    )
    async with tables.lock(table) if table else contextlib.nullcontext():
        earlier_reply = await find_earlier_reply(tables.store, change)
        if earlier_reply is not None:
            return earlier_reply
        if table:
            check_open(table)
        return await action(change)


async def find_earlier_reply(store: Store, change: TableChange) -> bytes | None:
    """Return the reply of the first time, if this request was made before."""
    if not change.idempotency_key:
        return None
    outcome = await store.get_earlier_outcome(change.table, change.person, change.idempotency_key, change.request_hash)
    if outcome is None:
        return None
    if outcome.kind == REUSED:
        raise NotAllowedError("server-key-used")
    return outcome.reply
