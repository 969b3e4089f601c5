"""Volatile state of one table: streams, pending bot answers and timers. Never stored."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

RECENTLY_CONNECTED_S = 60.0  # a person still counts as connected for this long


class Viewer(NamedTuple):
    """The viewer-specific part of a table's updates."""

    seat: int = -1  # −1 for a spectator
    is_host: bool = False
    reserved_seat: int = -1  # seat reserved for the viewer; −1 for none
    is_proposer: bool = False  # the open proposal is the viewer's
    blocked: frozenset[str] = frozenset()  # people whose chat the viewer does not see
    has_played: bool = False  # the viewer has, or has had, a seat since the first deal


class TableListener(Protocol):
    """A stream that receives all updates of a table (`streams.TableStream`)."""

    person: str
    viewer: Viewer

    @property
    def seat(self) -> int: ...

    def notify(self, pending: bytes = b"m") -> None: ...

    def send_notice(self, notice: bytes) -> None: ...

    def end(self, farewell: bytes) -> None: ...

    def close(self) -> None: ...


class TablePresence:
    """Volatile state of one table. It is not stored and cannot be recomputed."""

    __slots__ = (
        "announced_turns", "asked_since", "bot_status", "bot_tasks", "bot_timing_changed", "bots_paused",
        "fast_forward", "host_address", "last_access", "last_seen", "loaded_at", "lock", "now", "nudges",
        "presence_update_due", "seat_requests", "streams", "substitute_timer", "substituted",
    )  # fmt: skip

    def __init__(self, seats: int) -> None:
        now = time.monotonic()
        self.loaded_at = now
        self.last_access = now  # when a person last asked for the table
        self.last_seen = [now] * seats  # when each seat's person was last connected
        self.streams: list[TableListener] = []
        self.presence_update_due = False  # a presence update is scheduled
        self.substituted: frozenset[int] = frozenset()  # seats in which a bot substitutes for an absent person
        self.bot_tasks: dict[int, asyncio.Task[None]] = {}  # the pending answer of each bot, by seat
        self.bot_status: dict[int, str] = {}  # status shown at a bot's seat
        # By seat: n of its question, and the server time when that was asked.
        self.asked_since: dict[int, tuple[int, int]] = {}
        self.nudges: dict[tuple[int, int], int] = {}  # by (sender, receiver): n of the question at their last nudge
        self.host_address = ""  # network from which the host sat down or connected
        self.seat_requests: list[int] = []  # server times of the latest requests for a seat, until one is accepted
        self.fast_forward = False  # bots answer without delay until the only person is to act
        self.bot_timing_changed: asyncio.Event | None = None  # set when the delay of waiting bots changes
        self.substitute_timer: asyncio.TimerHandle | None = None  # fires when the next seat may need a substitute
        self.now: Callable[[], int] = lambda: 0  # the server's time, which clocks use
        self.bots_paused = False  # bots are waiting for a viewer
        self.lock: asyncio.Lock | None = None  # serializes operations on the table
        self.announced_turns: dict[str, bytes] = {}  # by person: their turn here, as last sent to other members

    @property
    def connected_seats(self) -> set[int]:
        """The seats of connected people."""
        return {stream.seat for stream in self.streams} - {-1}

    @property
    def spectators(self) -> int:
        """The number of connected people without a seat."""
        return sum(stream.seat < 0 for stream in self.streams)

    @property
    def has_viewers(self) -> bool:
        """Return whether anyone is connected."""
        return bool(self.streams)

    @property
    def last_active(self) -> float:
        """The time when a person was last connected or asked for the table."""
        return max(self.last_access, *self.last_seen)

    @property
    def is_host_connected(self) -> bool:
        """Return whether the host is connected."""
        return any(stream.viewer.is_host for stream in self.streams)

    def is_recently_connected(self, seat: int) -> bool:
        """Return whether a seat's person is connected or was a moment ago: reloading the page is not leaving."""
        last_seen = self.last_seen[seat]
        is_recent = last_seen > self.loaded_at and time.monotonic() - last_seen < RECENTLY_CONNECTED_S
        return is_recent or seat in self.connected_seats
