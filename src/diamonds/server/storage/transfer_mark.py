"""The mark that a transfer leaves in ``meta``, so that no two copies of one server's data are ever in use.

A target is marked as arriving before it is committed, then the source is marked as moved, and only then is the target's mark cleared.
Wherever a transfer is cut off, at most one of the two copies opens; both marks carry the transfer's number, so it can be finished.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from diamonds.server.storage.outcomes import StoreError
from diamonds.server.storage.sql import SqlConnection

MOVED, ARRIVING = "moved to ", "arriving from "  # then the other place: what a row of ``meta`` is called
NO_MARK = f"key NOT LIKE '{MOVED}%' AND key NOT LIKE '{ARRIVING}%'"


class TransferMark(NamedTuple):
    """``kind`` is `NOT_OWNER_STATUS` or `ARRIVING`; ``other`` is the target or the source, without a password."""

    kind: str
    other: str
    transfer_id: int

    @classmethod
    def for_target(cls, source: str) -> TransferMark:
        """Return the mark of a target, with a number that no other transfer has."""
        return cls(ARRIVING, source, secrets.randbits(62))


class MarkedError(StoreError):
    """The data was transferred elsewhere, or has not all arrived."""


def read_mark(connection: SqlConnection) -> TransferMark | None:
    """Return the mark of a store that has a ``meta``, or `None`."""
    row = connection.execute(f"SELECT key, value FROM meta WHERE NOT ({NO_MARK})").fetchone()
    if row is None:
        return None
    kind = next(kind for kind in (MOVED, ARRIVING) if row[0].startswith(kind))
    return TransferMark(kind, row[0].removeprefix(kind), int(row[1]))


def write_mark(connection: SqlConnection, mark: TransferMark) -> None:
    """Mark a store."""
    connection.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (mark.kind + mark.other, mark.transfer_id))


def clear_mark(connection: SqlConnection) -> None:
    """Remove the mark, if there is one."""
    connection.execute(f"DELETE FROM meta WHERE NOT ({NO_MARK})")


def check_unmarked(connection: SqlConnection, place: str) -> None:
    """Raise `MarkedError` if the store at ``place`` must not be used."""
    raise_if_marked(read_mark(connection), place)


def raise_if_marked(mark: TransferMark | None, place: str) -> None:
    """Raise `MarkedError` if there is a mark."""
    if mark is not None:
        message_id = "transfer-done" if mark.kind == MOVED else "transfer-interrupted"
        raise MarkedError(message_id, place=place, other=mark.other)
