"""Volatile state of one table: streams, pending bot answers and timers. Never stored, and gone with this process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

RECENTLY_CONNECTED_S = 60.0  # seconds for which somebody counts as here who has just gone


class Viewer(NamedTuple):
    """What one reader is told besides what all are: by the seat, and by being the one who made the table."""

    seat: int = -1  # −1: a spectator
    is_host: bool = False
    reserved_seat: int = -1  # the seat that is kept for the reader
    is_proposer: bool = False  # whether the wish that waits for consent is the reader's
    blocked: frozenset[str] = frozenset()  # people whose lines the reader is not told
    has_played: bool = False  # whether the reader has, or has had, a seat since the first deal


class TableListener(Protocol):
    """A stream that is told of everything that happens at a table (`streams.TableStream`)."""

    person: str
    viewer: Viewer

    @property
    def seat(self) -> int:
        """The reader's seat, or −1."""
        ...

    def notify(self, pending: bytes = b"m") -> None:
        """There is something to be told."""
        ...

    def send_notice(self, notice: bytes) -> None:
        """There is something to be told first."""
        ...

    def end(self, farewell: bytes) -> None:
        """Say one last thing, and nothing more."""
        ...

    def close(self) -> None:
        """Cut the connection."""
        ...


class TablePresence:
    """Who is at a table now, and what is about to happen there. Nothing of it is stored, nor can it be worked out."""

    __slots__ = (
        "announced_turns",
        "asked_since",
        "bot_status",
        "bot_tasks",
        "bot_timing_changed",
        "bots_paused",
        "fast_forward",
        "last_access",
        "last_seen",
        "loaded_at",
        "lock",
        "now",
        "nudges",
        "presence_update_due",
        "streams",
        "substitute_timer",
        "substituted",
    )

    def __init__(self, seats: int) -> None:
        now = time.monotonic()
        self.loaded_at = now
        self.last_access = now  # when somebody last asked for the table
        self.last_seen = [now] * seats  # when each seat's person was last here
        self.streams: list[TableListener] = []
        self.presence_update_due = False  # comings and goings are about to be told
        self.substituted: frozenset[int] = frozenset()  # seats that a bot fills for someone who is gone
        self.bot_tasks: dict[int, asyncio.Task[None]] = {}  # the answer that a bot makes now, by seat
        self.bot_status: dict[int, str] = {}  # how it is about a bot's thinking, if there is something to say
        self.asked_since: dict[
            int, tuple[int, int]
        ] = {}  # by seat: the n at which it was asked, and the server's time since then
        self.nudges: dict[tuple[int, int], int] = {}  # by who reminded whom: the n at which that question was put
        self.fast_forward = False  # the only person here wants to be asked next, and bots make haste until then
        self.bot_timing_changed: asyncio.Event | None = (
            None  # set when bots that wait for their beat have another one from now on
        )
        self.substitute_timer: asyncio.TimerHandle | None = None  # looks again when the next seat may have to be filled
        self.now: Callable[[], int] = lambda: 0  # the server's time, by which clocks run
        self.bots_paused = False  # bots wait until somebody looks
        self.lock: asyncio.Lock | None = None  # what is done at the table takes turns
        self.announced_turns: dict[str, bytes] = {}  # by person: their turn here as other members were told of it

    @property
    def connected_seats(self) -> set[int]:
        """The seats whose people read now."""
        return {stream.seat for stream in self.streams} - {-1}

    @property
    def spectators(self) -> int:
        """How many read who have no seat."""
        return sum(stream.seat < 0 for stream in self.streams)

    @property
    def has_viewers(self) -> bool:
        """Whether anybody reads."""
        return bool(self.streams)

    @property
    def last_active(self) -> float:
        """When somebody was here last, or asked for the table."""
        return max(self.last_access, *self.last_seen)

    @property
    def is_host_connected(self) -> bool:
        """Whether the table's host does."""
        return any(stream.viewer.is_host for stream in self.streams)

    def is_recently_connected(self, seat: int) -> bool:
        """Whether the person of a seat is here, or was a moment ago: whoever loads the page again has not gone."""
        last_seen = self.last_seen[seat]
        is_recent = last_seen > self.loaded_at and time.monotonic() - last_seen < RECENTLY_CONNECTED_S
        return is_recent or seat in self.connected_seats
