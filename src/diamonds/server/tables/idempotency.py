"""Idempotent requests: a repetition gets the first reply again."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Awaitable, Callable
from typing import Protocol

from diamonds.errors import NotAllowedError
from diamonds.server.api.codec import encode
from diamonds.server.storage.commit_outcomes import REUSED
from diamonds.server.storage.store import Store
from diamonds.server.storage.table_data import TableChange
from diamonds.server.tables.core.seating import MATCH_ENDED
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.operations import TableOperations


class HasIdempotencyKey(Protocol):
    """A request that may have an idempotency key."""

    @property
    def idempotency_key(self) -> str | None: ...


def request_hash(operation: str, request: HasIdempotencyKey) -> bytes:
    """Return a hash that distinguishes a repeated request from a different one."""
    return hashlib.blake2b(operation.encode() + encode(request), digest_size=16).digest()


def check_open(table: Table) -> None:
    """Raise `NotAllowedError` if a moderator has closed the table, or its match was ended early."""
    if table.seating.closed_reason == MATCH_ENDED:
        raise NotAllowedError("table-match-ended")
    if table.seating.closed_reason:
        raise NotAllowedError("table-closed", reason=table.seating.closed_reason)


async def run_once(
    tables: TableOperations,
    operation: str,
    table: Table | None,
    person: str,
    request: HasIdempotencyKey,
    action: Callable[[TableChange], Awaitable[bytes]],
) -> bytes:
    """Run a request under its table's lock and return the reply; a repetition returns the first reply."""
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
    """Return the first reply if this request is a repetition."""
    if not change.idempotency_key:
        return None
    outcome = await store.get_earlier_outcome(change.table, change.person, change.idempotency_key, change.request_hash)
    if outcome is None:
        return None
    if outcome.kind == REUSED:
        raise NotAllowedError("server-key-used")
    return outcome.reply
