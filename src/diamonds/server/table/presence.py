"""Volatile state of one table: streams, pending bot answers and timers. Never stored, and gone with this process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

LATELY = 60.0  # seconds for which somebody counts as here who has just gone


class Reader(NamedTuple):
    """What one reader is told besides what all are: by the seat, and by being the one who made the table."""

    seat: int = -1  # −1: a spectator
    host: bool = False
    kept: int = -1  # the seat that is kept for the reader
    asks: bool = False  # whether the wish that waits for consent is the reader's
    blocked: frozenset[str] = frozenset()  # people whose lines the reader is not told
    has_played: bool = False  # whether the reader has, or has had, a seat since the first deal


class Listener(Protocol):
    """Someone who is told of everything that happens at a table (`house.hub.Stream`)."""

    person: str
    reader: Reader

    @property
    def seat(self) -> int:
        """The reader's seat, or −1."""
        ...

    def wake(self, due: bytes = b"m") -> None:
        """There is something to be told."""
        ...

    def tell(self, notice: bytes) -> None:
        """There is something to be told first."""
        ...

    def end(self, last: bytes) -> None:
        """Say one last thing, and nothing more."""
        ...

    def close(self) -> None:
        """Cut the connection."""
        ...


class Presence:
    """Who is at a table now, and what is about to happen there. Nothing of it is stored, nor can it be worked out."""

    __slots__ = (
        "asked",
        "bots",
        "hurried",
        "loaded",
        "lock",
        "notes",
        "now",
        "nudges",
        "paused",
        "seen",
        "standing_in",
        "streams",
        "tell_due",
        "tempo",
        "touched",
        "turns_told",
        "waker",
    )

    def __init__(self, seats: int) -> None:
        now = time.monotonic()
        self.loaded = now
        self.touched = now  # when somebody last asked for the table
        self.seen = [now] * seats  # when each seat's person was last here
        self.streams: list[Listener] = []
        self.tell_due = False  # comings and goings are about to be told
        self.standing_in: frozenset[int] = frozenset()  # seats that a bot fills for someone who is gone
        self.bots: dict[int, asyncio.Task[None]] = {}  # the answer that a bot makes now, by seat
        self.notes: dict[int, str] = {}  # how it is about a bot's thinking, if there is something to say
        self.asked: dict[
            int, tuple[int, int]
        ] = {}  # by seat: the n at which it was asked, and the house's time since then
        self.nudges: dict[tuple[int, int], int] = {}  # by who reminded whom: the n at which that question was put
        self.hurried = False  # the only person here wants to be asked next, and bots make haste until then
        self.tempo: asyncio.Event | None = None  # set when bots that wait for their beat have another one from now on
        self.waker: asyncio.TimerHandle | None = None  # looks again when the next seat may have to be filled
        self.now: Callable[[], int] = lambda: 0  # the house's time, by which clocks run
        self.paused = False  # bots wait until somebody looks
        self.lock: asyncio.Lock | None = None  # what is done at the table takes turns
        self.turns_told: dict[str, bytes] = {}  # by person: their turn here as other members were told of it

    @property
    def seats(self) -> set[int]:
        """The seats whose people read now."""
        return {stream.seat for stream in self.streams} - {-1}

    @property
    def watching(self) -> int:
        """How many read who have no seat."""
        return sum(stream.seat < 0 for stream in self.streams)

    @property
    def is_read(self) -> bool:
        """Whether anybody reads."""
        return bool(self.streams)

    @property
    def last(self) -> float:
        """When somebody was here last, or asked for the table."""
        return max(self.touched, *self.seen)

    @property
    def host_reads(self) -> bool:
        """Whether the table's host does."""
        return any(stream.reader.host for stream in self.streams)

    def was_lately(self, seat: int) -> bool:
        """Whether the person of a seat is here, or was a moment ago: whoever loads the page again has not gone."""
        seen = self.seen[seat]
        came = seen > self.loaded and time.monotonic() - seen < LATELY
        return came or seat in self.seats
