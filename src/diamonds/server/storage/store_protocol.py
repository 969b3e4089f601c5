"""The `Store` protocol, and the data of tables that a store keeps.

The durable parts of a table are header, seating, entries (see `diamonds.entries`) and chat. The key `(table, n)` of an
entry and the `revision` of the seating act as optimistic locks: one of two writers wins, and the other gets `CONFLICT`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, Protocol

from diamonds.server.metrics.counters import WriteCounters
from diamonds.server.storage.accounts import AccountChange, AccountStore
from diamonds.server.storage.chat import ChatRecord
from diamonds.server.storage.commit_outcomes import CommitOutcome
from diamonds.server.storage.matches import MatchChange, StoredMatch, StoredMatchTable
from diamonds.server.storage.moderation import ModerationStore
from diamonds.server.storage.push import PushChange, PushStore


class TableChange(NamedTuple):
    """The change of one request, all or nothing. Empty fields change nothing.

    `idempotency_key` makes it happen once per person; `request_hash` distinguishes a repetition from another request
    with the same key, and `reply` is the reply to repetitions. With entries, the key is stored in their rows. A new
    table is a `CONFLICT` if it exists, or if its people are not in its match. `revision` is the seating's on which the
    change is based; `n` is the number of entries on which `entries` and the seats to act are based.
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
        """Whether the key is stored separately, not in the row of the first entry."""
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


class Store(Protocol):
    """The store of the server: all data by subject, and the calls for tables.

    Every call is awaited on the event loop of `open`. A read sees every change of this process whose `commit` has
    returned, and all durable changes of other processes. Any call but `close` may raise `StoreUnavailableError`. A
    store may or may not yield to other tasks (SQLite does not for reads that take microseconds); callers must not rely
    on either. A caller cancelled during `commit` does not know the outcome, so it asks by key (`get_earlier_outcome`)
    or loads the table.
    """

    @property
    def accounts(self) -> AccountStore:
        """The account data."""
        ...

    @property
    def moderation(self) -> ModerationStore:
        """The moderation data."""
        ...

    @property
    def push(self) -> PushStore:
        """The push notification data."""
        ...

    async def open(self) -> None:
        """Open the store and migrate it to this program's schema. Called once, before all other calls.

        Raise `StoreError` if it is unusable: newer than the program, in use, or not durable.
        """
        ...

    async def close(self) -> None:
        """Write what is queued and close the store, even if it failed to open. No calls may follow."""
        ...

    # Writing

    async def commit(self, change: AnyChange) -> CommitOutcome:
        """Make a change durable, all or nothing, before returning. Changes are written in the order of the calls.

        Unless the outcome is `DONE`, nothing was written, for the reason that the outcome gives. Raise
        `StoreUnavailableError` if the change certainly was not written. If the store does not know the outcome, it
        finds out before it returns or raises, or it ends the process.
        """
        ...

    async def get_earlier_outcome(
        self, table: str, person: str, idempotency_key: str, request_hash: bytes
    ) -> CommitOutcome | None:
        """Return the outcome of an earlier request with this key: `REPEATED`, `REUSED`, or `None` if there was none."""
        ...

    async def reserve_counters(self, count: int) -> int:
        """Durably reserve values of `Table.change_counter`, above all reserved before. Return the first one."""
        ...

    # Tables

    async def load(self, table: str) -> StoredTable | None:
        """Return a whole table, or `None`.

        Raise `DamagedTableError` if parts are missing. This may take milliseconds, but does not block.
        """
        ...

    async def last_entry_by(self, person: str, table: str) -> int:
        """Return the n of a person's last entry at a table, or −1."""
        ...

    async def summaries_of(self, person: str, limit: int) -> list[StoredSummary]:
        """Return a person's tables, the one they sat down at last first."""
        ...

    async def turn_states_of(self, person: str) -> list[StoredTurnState]:
        """Return a person's unfinished tables where they may be to act, the one they sat down at last first."""
        ...

    async def display_names(self, people: Collection[str]) -> dict[str, str]:
        """Return the names that these people have chosen."""
        ...

    # Deals of the day

    async def daily_games_of(self, person: str, first: str, last: str, limit: int) -> list[StoredDailyGame]:
        """Return a person's games with deals from ``first`` to before ``last``.

        The newest days come first, and within a day the oldest game.
        """
        ...

    async def daily_player_counts(self, first: str, last: str) -> dict[str, int]:
        """Return the number of counted games with each deal from ``first`` to before ``last``."""
        ...

    async def daily_results(self, deal: str) -> list[tuple[int, int, int]]:
        """Return how often each result of a deal of the day occurred: place, points, count; best first."""
        ...

    async def daily_answers(self, deal: str, seat: int) -> list[tuple[str, str]]:
        """Return the answers of a seat in all counted games with a deal of the day: table and text, in order of play."""
        ...

    # Duplicate matches

    async def load_match(self, match: str) -> StoredMatch | None:
        """Return a match with its people; `None` if there is none."""
        ...

    async def match_tables(self, match: str) -> dict[str, StoredMatchTable]:
        """Return the tables of a match by id."""
        ...

    async def matches_of(self, person: str, limit: int) -> list[str]:
        """Return a person's matches, unfinished ones first, then the newest first."""
        ...

    async def started_matches(self) -> list[str]:
        """Return all matches that have started and are not over."""
        ...

    async def unfinished_match_count(self, person: str) -> int:
        """Return the number of a person's matches that are not over."""
        ...

    async def is_match_over(self, match: str) -> bool:
        """Return whether a match is over."""
        ...

    @property
    def write_counters(self) -> WriteCounters:
        """Counters of writes since the store was opened."""
        ...

    # Clocks

    async def resume_clocks(self, wall_ms: int) -> int:
        """Return the server time (ms) at which to resume, given the machine's time (ms since 1970).

        Server time never decreases (`server_time.py`). The pause since the last stored heartbeat is skipped: all clocks
        are shifted by it.
        """
        ...

    async def running_clocks(self) -> list[tuple[str, bytes, int]]:
        """Return the running clocks: table id, clock state, and the server time it refers to (ms)."""
        ...
