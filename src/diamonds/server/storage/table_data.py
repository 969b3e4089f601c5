"""The data of tables that a store keeps.

The durable parts of a table are header, seating, entries (see `diamonds.entries`) and chat. The key `(table, n)` of an
entry and the `revision` of the seating act as optimistic locks: one of two writers wins, and the other gets `CONFLICT`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from diamonds.server.storage.accounts import AccountChange
from diamonds.server.storage.chat import ChatRecord
from diamonds.server.storage.matches import MatchChange
from diamonds.server.storage.push import PushChange


class TableChange(NamedTuple):
    """The change of one request, all or nothing. Empty fields change nothing.

    `idempotency_key` makes the change happen once per person; `request_hash` distinguishes a repetition from another
    request with the same key, and `reply` is the reply to repetitions. With entries, the key is stored in the row of
    the first. A new table is a `CONFLICT` if it exists, or if its people are not in its match. `revision` is that of
    the seating on which the change is based; `n` is the number of entries on which `entries` and the seats to act are
    based.
    """

    table: str = ""
    person: str = ""
    idempotency_key: str = ""
    request_hash: bytes = b""
    reply: bytes = b""
    header: bytes = b""  # only for a new table
    columns: Mapping[str, Any] = {}  # other values in the table's row, by column of `schema.TABLES`
    seating: bytes = b""
    revision: int = 0
    people: tuple[str, ...] = ()  # people whose list now includes the table
    n: int = 0
    entries: tuple[tuple[int, str], ...] = ()  # (seat, text), from n on
    seat_holder: str = ""  # the person who sits down, if not the sender of the request
    at_ms: int = 0  # time of the entries, in milliseconds since 1970
    phase: str = ""
    chat_record: ChatRecord | None = None
    heartbeat_ms: int = 0  # the current server time, stored as proof that the server is open

    @property
    def has_separate_key(self) -> bool:
        """Return whether the key is stored separately, not in the row of the first entry."""
        return bool(self.idempotency_key) and (not self.entries or bool(self.header) or bool(self.seat_holder))


class StoredSummary(NamedTuple):
    """A table in a list, without its game."""

    table: str
    header: bytes
    seating: bytes
    phase: str
    created: float


class StoredTurnState(NamedTuple):
    """The turn at an unfinished table, without its game: clocks, if any, and their time; and the seats to act, as bits.

    `to_act` is stored at tables with several people and without clocks; `None` if it was never stored.
    """

    table: str
    header: bytes
    seating: bytes
    clocks: bytes
    clocks_at_ms: int
    to_act: int | None


class StoredDailyGame(NamedTuple):
    """A person's game with a deal of the day. Place and points are set if it ended on its day, or is a practice game."""

    table: str
    deal: str  # a `deal_key` or a `practice_key`
    phase: str
    place: int | None
    points: int | None


class StoredTable(NamedTuple):
    """All stored data of a table. Entries are (seat, text, person, key, time in ms; 0 if unknown)."""

    header: bytes
    seating: bytes
    revision: int
    phase: str
    entries: list[tuple[int, str, str, str, int]]
    chat: list[ChatRecord]
    clocks: bytes = b""
    clocks_at_ms: int = 0


class ProbeChange(NamedTuple):
    """A probe of the store: a durable write that readers never see.

    It fails if changes would fail, for example on a full disk.
    """


AnyChange = TableChange | AccountChange | PushChange | MatchChange | ProbeChange
