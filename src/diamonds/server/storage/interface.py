"""What is kept of a table, and the calls by which it is kept and found again: a store is whatever answers them.

What is durable of a table is its header, who has its seats, its entries (see `diamonds.entries`) and what was said. The key
``(table, n)`` of an entry and the ``revision`` of the seats are the locks: of two writers one wins and the other is told
`CONFLICT`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Protocol

from diamonds.server.metrics.counters import WriteCounters
from diamonds.server.storage.accounts import AccountChange, AccountStore
from diamonds.server.storage.chat import ChatRecord
from diamonds.server.storage.moderation import ModerationStore
from diamonds.server.storage.outcomes import Outcome
from diamonds.server.storage.push import PushChange, PushStore

UNCHANGED = -1  # of `TableChange.asked`


class TableChange(NamedTuple):
    """What one POST changes, all or none. Empty fields change nothing.

    ``key`` makes it happen once per person, however often it is sent; ``body`` tells a repetition from another request
    with the same key, and ``reply`` is what the repetition will be answered. For entries the key is kept in their rows.
    ``revision`` is that of the seats on which the change rests; ``n`` that on which its entries, and who is ``asked``, rest.
    """

    table: str = ""
    person: str = ""
    idempotency_key: str = ""
    request_hash: bytes = b""
    reply: bytes = b""
    header: bytes = b""  # of a new table
    public: bool = False
    created: float = 0.0
    seating: bytes = b""
    revision: int = 0
    people: tuple[str, ...] = ()  # people who now have the table among theirs
    n: int = 0
    entries: tuple[tuple[int, str], ...] = ()  # (seat, words), from n on
    seat_holder: str = ""  # who sits down by them, if that is not the sender of the POST
    at_ms: int = 0  # when they were made, in milliseconds since 1970
    phase: str = ""
    chat_record: ChatRecord | None = None  # of the chat
    clocks: bytes = b""  # of the table, as they were ``clocks_at_ms``, by the server's time
    clocks_at_ms: int = 0
    heartbeat_ms: int = 0  # the server's time now: it is open
    to_act: int = UNCHANGED  # the seats that owe an answer from now on, as bits

    @property
    def has_separate_key(self) -> bool:
        """Whether the key is kept by itself; else the first entry's row keeps it, for that is its person's."""
        return bool(self.idempotency_key) and (not self.entries or bool(self.header) or bool(self.seat_holder))


class StoredSummary(NamedTuple):
    """A table without its game, for the lobby."""

    table: str
    header: bytes
    seating: bytes
    phase: str
    created: float


class StoredTurnState(NamedTuple):
    """A table that is played at, without its game: its clocks, if it has any, and when they were so; and which seats owe an answer (bits).

    ``asked`` is kept where people wait for each other without a clock; ``None``: it was never written down.
    """

    table: str
    header: bytes
    seating: bytes
    clocks: bytes
    clocks_at_ms: int
    to_act: int | None


class StoredTable(NamedTuple):
    """All that is durable of a table. Of each entry: seat, words, who sent it, with which key, and when; 0: it is not known."""

    header: bytes
    seating: bytes
    revision: int
    phase: str
    entries: list[tuple[int, str, str, str, int]]
    chat: list[ChatRecord]
    clocks: bytes = b""
    clocks_at_ms: int = 0


class ProbeChange(NamedTuple):
    """The change that probes the store, a durable write that readers never see: it fails while changes would fail, as on a full disk. The outcome is `DONE`."""


AnyChange = TableChange | AccountChange | PushChange | ProbeChange


class Store(Protocol):
    """What the server needs of a store: all data by subject, and the calls about tables.

    Every call that touches what is kept is awaited, on the event loop that `open` was awaited on. A call that answers sees every change
    whose `commit` had returned before it was made, in this process; of other processes, all that was durable. Any call but `close` may
    raise `StoreUnavailableError`. A store may answer without letting others have their turn (SQLite does where a read takes microseconds): nobody
    may rely on that, nor on the opposite. Who is cancelled while waiting for a `commit` does not know what became of it, and looks it up
    by its key (`recall`) or loads the table.
    """

    @property
    def accounts(self) -> AccountStore:
        """What is kept of people."""
        ...

    @property
    def moderation(self) -> ModerationStore:
        """The data of moderation."""
        ...

    @property
    def push(self) -> PushStore:
        """What is kept of messages to their devices."""
        ...

    async def open(self) -> None:
        """Take hold of what is kept, and bring it to this program's schema. Before all other calls, once.

        `StoreError` if it cannot be used: it is newer than the program, somebody else has it, or it would not keep what it is given.
        """
        ...

    async def close(self) -> None:
        """Write what is waiting, and let go of what is kept. Nothing is asked any more then. Also of a store that would not open."""
        ...

    # Writing

    async def commit(self, change: AnyChange) -> Outcome:
        """Make a change durable, all of it or nothing. It returns only afterwards; what was called first is written first.

        The outcome is `DONE`; or nothing was written, because of what the outcome says. `StoreUnavailableError` is raised if the change could not be
        written and surely is not. Where a store does not know what became of a commit, it finds out before it returns or raises, or ends
        the process: nothing is said before it is known.
        """
        ...

    async def get_earlier_outcome(
        self, table: str, person: str, idempotency_key: str, request_hash: bytes
    ) -> Outcome | None:
        """What became of an earlier POST with this key: `REPEATED` or `REUSED`, or ``None`` if there was none."""
        ...

    async def reserve_counters(self, count: int) -> int:
        """The first of so many numbers (for `Table.changes`) that nobody was given before; durably, and above all that anybody was."""
        ...

    # Tables

    async def load(self, table: str) -> StoredTable | None:
        """A table whole, or ``None``; `DamagedTableError` if some of it is missing. It may take milliseconds, in which others have their turn."""
        ...

    async def last_entry_by(self, person: str, table: str) -> int:
        """The n of somebody's last entry at a table, or −1."""
        ...

    async def summaries_of(self, person: str, limit: int) -> list[StoredSummary]:
        """A person's own tables, those first at which they sat down last; at most so many."""
        ...

    async def turn_states_of(self, person: str) -> list[StoredTurnState]:
        """Of a person's own tables, those that are played at where somebody may be asked, the one first at which they sat down last."""
        ...

    async def display_names(self, people: Collection[str]) -> dict[str, str]:
        """The names that people chose, of those who did."""
        ...

    @property
    def write_counters(self) -> WriteCounters:
        """What it has written since it was opened, for figures."""
        ...

    # Clocks

    async def resume_clocks(self, wall_ms: int) -> int:
        """The server opens, at this time by the machine's clock (ms since 1970). Returns the server's time (ms), which never goes back
        (`clock.py`).

        What has gone by since the last sign of life is not counted: all clocks were last looked at so much later.
        """
        ...

    async def running_clocks(self) -> list[tuple[str, bytes, int]]:
        """The tables that are played with clocks: each one's name, its clocks, and when they were so (ms of the server's time)."""
        ...
