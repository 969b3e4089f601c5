"""The mark that a transfer leaves in `meta`, so that two copies of a server's data are never both in use.

First the target is marked as arriving and committed, then the source is marked as moved, and finally the target's mark
is cleared. At most one copy can be opened, wherever a transfer is interrupted. Both marks carry the transfer's id, so
it can be completed.
"""

from __future__ import annotations

from typing import NamedTuple

from diamonds.server.storage.commit_outcomes import StoreError
from diamonds.server.storage.sql import SqlConnection

MOVED, ARRIVING = "moved to ", "arriving from "  # prefixes of the key in `meta`; the name of the other place follows
NO_MARK = f"key NOT LIKE '{MOVED}%' AND key NOT LIKE '{ARRIVING}%'"


class TransferMark(NamedTuple):
    """The mark of a source (`MOVED`) or target (`ARRIVING`).

    `other` is the other place, without a password.
    """

    kind: str
    other: str
    transfer_id: int


class DataTransferredError(StoreError):
    """The data was transferred elsewhere, or has not fully arrived."""


def read_mark(connection: SqlConnection) -> TransferMark | None:
    """Return the mark of a store that has a `meta` table, or `None`."""
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
    """Raise `DataTransferredError` if the store at `place` must not be used."""
    raise_if_marked(read_mark(connection), place)


def raise_if_marked(mark: TransferMark | None, place: str) -> None:
    """Raise `DataTransferredError` if there is a mark."""
    if mark is not None:
        message_id = "transfer-done" if mark.kind == MOVED else "transfer-interrupted"
        raise DataTransferredError(message_id, place=place, other=mark.other)
