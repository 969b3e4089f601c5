"""Rate limits per address and per person: token buckets in bounded memory."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import NamedTuple

from diamonds.i18n import Message
from diamonds.server.errors import RateLimitedError


class RateLimit(NamedTuple):
    """The size of a token bucket, and its refill per second."""

    burst: float
    per_second: float


class PersonAndAddressRates(NamedTuple):
    """Rates for one person and for one address. Both apply, because identities cost nothing."""

    person: RateLimit
    address: RateLimit


class RateLimitSettings(NamedTuple):
    """The server's limits.

    An address may serve many people (a school, a household), so it gets more than a person.
    """

    requests: RateLimit = RateLimit(2_000, 100)  # all requests, per address
    guests: RateLimit = RateLimit(120, 1)  # new identities, per address
    answers: RateLimit = RateLimit(120, 20)  # per person
    tables: PersonAndAddressRates = PersonAndAddressRates(RateLimit(30, 0.2), RateLimit(90, 0.5))
    table_lists: PersonAndAddressRates = PersonAndAddressRates(RateLimit(30, 1), RateLimit(300, 8))
    table_views: PersonAndAddressRates = PersonAndAddressRates(RateLimit(120, 10), RateLimit(1_200, 30))
    seats: PersonAndAddressRates = PersonAndAddressRates(RateLimit(60, 1), RateLimit(600, 10))  # includes seating bots
    undo: PersonAndAddressRates = PersonAndAddressRates(RateLimit(60, 2), RateLimit(600, 20))
    fast_forward: PersonAndAddressRates = PersonAndAddressRates(RateLimit(60, 4), RateLimit(600, 40))
    # includes all actions for idle players
    nudges: PersonAndAddressRates = PersonAndAddressRates(RateLimit(20, 0.2), RateLimit(300, 4))
    chat: PersonAndAddressRates = PersonAndAddressRates(RateLimit(10, 0.5), RateLimit(120, 4))
    names: PersonAndAddressRates = PersonAndAddressRates(RateLimit(10, 0.1), RateLimit(120, 1))  # display names
    analysis: PersonAndAddressRates = PersonAndAddressRates(RateLimit(60, 4), RateLimit(600, 40))  # includes polling
    history: PersonAndAddressRates = PersonAndAddressRates(RateLimit(30, 0.5), RateLimit(300, 5))  # of finished games
    record_bytes: PersonAndAddressRates = PersonAndAddressRates(RateLimit(4e6, 20e3), RateLimit(8e6, 40e3))  # uploads
    accounts: PersonAndAddressRates = PersonAndAddressRates(RateLimit(30, 0.1), RateLimit(300, 2))
    registrations: PersonAndAddressRates = PersonAndAddressRates(RateLimit(10, 0.01), RateLimit(100, 1 / 60))
    recovery_codes: PersonAndAddressRates = PersonAndAddressRates(RateLimit(5, 1 / 60), RateLimit(20, 1 / 20))
    seeks: PersonAndAddressRates = PersonAndAddressRates(RateLimit(20, 0.2), RateLimit(120, 2))  # includes changes
    friends: PersonAndAddressRates = PersonAndAddressRates(RateLimit(20, 0.05), RateLimit(120, 0.5))  # includes blocks
    reports: PersonAndAddressRates = PersonAndAddressRates(RateLimit(5, 1 / 120), RateLimit(30, 1 / 20))
    moderation: PersonAndAddressRates = PersonAndAddressRates(RateLimit(60, 2), RateLimit(600, 20))
    # includes quiet hours
    push: PersonAndAddressRates = PersonAndAddressRates(RateLimit(20, 0.05), RateLimit(200, 0.5))
    # of personal data
    exports: PersonAndAddressRates = PersonAndAddressRates(RateLimit(3, 1 / 60), RateLimit(20, 1 / 20))
    streams_per_person: int = 24  # open simultaneously
    streams_per_address: int = 240
    connections: int = 10_000  # open simultaneously, if the system allows as many open files
    connections_per_address: int = 1_000


_UNLIMITED_RATE = RateLimit(1e12, 1e12)
_UNLIMITED_PAIR = PersonAndAddressRates(_UNLIMITED_RATE, _UNLIMITED_RATE)
UNLIMITED = RateLimitSettings(
    _UNLIMITED_RATE, _UNLIMITED_RATE, _UNLIMITED_RATE, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR,
    10**9, 10**9, 10**9, 10**9,
)  # fmt: skip

MAX_BUCKETS = 20_000  # of each kind


class RateLimiter:
    """Token buckets by kind and holder. For each, only the time when it will be full again is stored.

    Full buckets are not stored. If too many others remain, those that would be full soonest are dropped, so a flood of
    new identities displaces only its own buckets, never an empty one.
    """

    def __init__(self) -> None:
        self._full_at: dict[str, dict[str, float]] = {}

    def acquire(self, kind: str, holder: str, rate: RateLimit, message_id: str, amount: float = 1) -> None:
        """Take `amount` tokens. Raise `RateLimitedError` with the wait if there are too few."""
        now = time.monotonic()
        buckets = self._full_at.get(kind)
        if buckets is None:
            buckets = self._full_at[kind] = {}
        full_at = max(buckets.get(holder, now), now) + amount / rate.per_second
        wait = full_at - now - rate.burst / rate.per_second
        if wait > 1e-6:
            raise RateLimitedError("server-too-many", wait, what=Message(message_id))
        buckets[holder] = full_at
        if len(buckets) > MAX_BUCKETS:
            _drop_full(buckets, now)

    def acquire_pair(
        self, kind: str, person: str, address: str, limits: PersonAndAddressRates, message_id: str, amount: float = 1
    ) -> None:
        """Take `amount` tokens from the address's bucket and, unless a stranger, from the person's."""
        if person:
            self.acquire(kind, person, limits.person, message_id, amount)
        self.acquire(f"{kind} of address", address, limits.address, message_id, amount)


def _drop_full(buckets: dict[str, float], now: float) -> None:
    """Drop the full buckets and, if that is not enough, those that will be full soonest, down to 90 %."""
    for holder in [holder for holder, full_at in buckets.items() if full_at <= now]:
        del buckets[holder]
    if len(buckets) > MAX_BUCKETS * 0.9:
        for holder in sorted(buckets, key=buckets.__getitem__)[: len(buckets) - int(MAX_BUCKETS * 0.9)]:
            del buckets[holder]


class PerAddressQueue:
    """A queue that lets through one request per address in each iteration of the event loop, so that others get a turn.

    It guards first table updates and lists, which occupy the loop for milliseconds: a hundred of them would block it
    for half a second.
    """

    def __init__(self) -> None:
        # Waiting requests by address; a key exists while a request of the address is being handled.
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def wait_turn(self, address: str) -> None:
        """Wait for a turn, unless the address's last request was in an earlier iteration."""
        loop = asyncio.get_running_loop()
        queue = self.waiting.get(address)
        if queue is None:
            self.waiting[address] = deque()
            loop.call_soon(self._next, address)
        else:
            queue.append(turn := loop.create_future())
            await turn

    def _next(self, address: str) -> None:
        """Let the next request through, in the next iteration. Cancelled ones are skipped."""
        queue = self.waiting[address]
        while queue:
            first = queue.popleft()
            if not first.done():
                first.set_result(None)
                asyncio.get_running_loop().call_soon(self._next, address)
                return
        del self.waiting[address]


class ConcurrencyLimiter:
    """Counts of the streams or connections that each person and address has open."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], int] = {}

    def enter(self, kind: str, holder: str, limit: int, message_id: str) -> None:
        """Count one more. Raise `RateLimitedError` at the limit."""
        count = self._open.get((kind, holder), 0)
        if count >= limit:
            raise RateLimitedError("server-too-many-open", 5, what=Message(message_id))
        self._open[kind, holder] = count + 1

    def count(self, kind: str, holder: str) -> int:
        """Return how many are open."""
        return self._open.get((kind, holder), 0)

    def leave(self, kind: str, holder: str) -> None:
        """Stop counting one of them."""
        count = self._open[kind, holder] - 1
        if count:
            self._open[kind, holder] = count
        else:
            del self._open[kind, holder]
