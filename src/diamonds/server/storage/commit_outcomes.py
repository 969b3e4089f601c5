"""Outcomes of commits, and the errors of a store. The other storage modules may import this one."""

from __future__ import annotations

from contextvars import ContextVar
from typing import NamedTuple

from diamonds.errors import DiamondsError

DONE, REPEATED, REUSED, CONFLICT, NOT_OWNER = "done", "repeated", "reused", "conflict", "not owner"
# Set once the current request has made a durable change: it is then never sent to another member.
has_committed: ContextVar[bool] = ContextVar("has_committed", default=False)


class DamagedTableError(DiamondsError):
    """The stored data of a table is unreadable or inconsistent (410).

    Other tables are not affected. `detail` is for the operator.
    """

    def __init__(self, detail: str = "") -> None:
        super().__init__("table-damaged")
        self.detail = detail


class CommitOutcome(NamedTuple):
    """The outcome of a commit.

    `DONE`; `REPEATED`, with the first reply; `REUSED` idempotency key; `CONFLICT` if someone else wrote first;
    `NOT_OWNER` if another process owns the data.
    """

    kind: str
    reply: bytes = b""


class StoreError(DiamondsError):
    """The stored data is unusable and was not opened, for the reason given (503, or the end of the program)."""


class StoreUnavailableError(DiamondsError):
    """The store is unreachable or cannot write (503). The failed change has no effect, and may be repeated."""

    def __init__(self) -> None:
        super().__init__("server-store-away")
