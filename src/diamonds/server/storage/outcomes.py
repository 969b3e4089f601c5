"""Outcomes of commits, and the errors of a store. Every other module of the store may import them."""

from __future__ import annotations

from typing import NamedTuple

from diamonds.errors import DiamondsError

DONE, REPEATED, REUSED, CONFLICT, NOT_OWNER = "done", "repeated", "reused", "conflict", "not owner"


class DamagedTableError(DiamondsError):
    """What is stored of a table cannot be read, or is no game: it costs that table alone (410). ``why`` is for the operator."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("table-damaged")
        self.detail = detail


class Outcome(NamedTuple):
    """`DONE`; `REPEATED` with the reply of the first time; `REUSED` key; `CONFLICT`: someone else wrote first; or `NOT_OWNER`: another
    process owns what was to be changed."""

    kind: str
    reply: bytes = b""


class StoreError(DiamondsError):
    """What is kept cannot be used, and it is not opened; the message says why (503, or the end of the program)."""


class StoreUnavailableError(DiamondsError):
    """The store cannot be reached, or could not write: what was asked of it has not happened, and will not (503). Ask again later."""

    def __init__(self) -> None:
        super().__init__("server-store-away")
