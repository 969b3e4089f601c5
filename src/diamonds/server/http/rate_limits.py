"""How much one address and one person may ask for: token buckets in bounded memory."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import NamedTuple

from diamonds.i18n import Message
from diamonds.server.errors import RateLimitedError


class Rate(NamedTuple):
    """So many at once, and so many a second from then on."""

    burst: float
    per_second: float


class PersonAndAddressRates(NamedTuple):
    """What one person may do, and what all at one address may, who may be a school: identities cost nothing."""

    person: Rate
    address: Rate


class RateLimitSettings(NamedTuple):
    """The server's limits. An address may hold several people (a school, a household), so it gets more than a person."""

    requests: Rate = Rate(2_000, 100)  # of any kind, by address
    guests: Rate = Rate(120, 1)  # new identities by address
    answers: Rate = Rate(120, 20)  # by person
    tables: PersonAndAddressRates = PersonAndAddressRates(Rate(30, 0.2), Rate(90, 0.5))
    table_lists: PersonAndAddressRates = PersonAndAddressRates(Rate(30, 1), Rate(300, 8))  # of tables
    table_views: PersonAndAddressRates = PersonAndAddressRates(
        Rate(120, 10), Rate(1_200, 30)
    )  # at a table: each may tell hundreds of events
    seats: PersonAndAddressRates = PersonAndAddressRates(
        Rate(60, 1), Rate(600, 10)
    )  # sitting down, standing up, seating bots
    undo: PersonAndAddressRates = PersonAndAddressRates(Rate(60, 2), Rate(600, 20))
    fast_forward: PersonAndAddressRates = PersonAndAddressRates(
        Rate(60, 4), Rate(600, 40)
    )  # bots, where one plays alone
    nudges: PersonAndAddressRates = PersonAndAddressRates(
        Rate(20, 0.2), Rate(300, 4)
    )  # and pauses, and answers of bots for who is silent
    chat: PersonAndAddressRates = PersonAndAddressRates(Rate(10, 0.5), Rate(120, 4))
    names: PersonAndAddressRates = PersonAndAddressRates(Rate(10, 0.1), Rate(120, 1))  # changes of one's name
    analysis: PersonAndAddressRates = PersonAndAddressRates(
        Rate(60, 4), Rate(600, 40)
    )  # asking whether a review is ready counts too
    history: PersonAndAddressRates = PersonAndAddressRates(Rate(30, 0.5), Rate(300, 5))  # records, replays, proofs
    record_bytes: PersonAndAddressRates = PersonAndAddressRates(
        Rate(4e6, 20e3), Rate(8e6, 40e3)
    )  # bytes of records from elsewhere: long ones cost seconds
    accounts: PersonAndAddressRates = PersonAndAddressRates(
        Rate(30, 0.1), Rate(300, 2)
    )  # whatever is done about an account
    recovery_codes: PersonAndAddressRates = PersonAndAddressRates(
        Rate(5, 1 / 60), Rate(20, 1 / 20)
    )  # recovery codes, tried or made
    seeks: PersonAndAddressRates = PersonAndAddressRates(Rate(20, 0.2), Rate(120, 2))  # begun, changed or ended
    friends: PersonAndAddressRates = PersonAndAddressRates(
        Rate(20, 0.05), Rate(120, 0.5)
    )  # asking, parting, blocking; challenges
    reports: PersonAndAddressRates = PersonAndAddressRates(Rate(5, 1 / 120), Rate(30, 1 / 20))  # of people, to hosts
    moderation: PersonAndAddressRates = PersonAndAddressRates(Rate(60, 2), Rate(600, 20))  # what hosts ask and do
    push: PersonAndAddressRates = PersonAndAddressRates(
        Rate(20, 0.05), Rate(200, 0.5)
    )  # browsers that take messages, and quiet hours
    exports: PersonAndAddressRates = PersonAndAddressRates(Rate(3, 1 / 60), Rate(20, 1 / 20))  # all that is kept of one
    streams_per_person: int = 24  # at once, by person
    streams_per_address: int = 240
    connections: int = 10_000  # at once, in all, where the system allows so many open files
    connections_per_address: int = 1_000


_UNLIMITED_RATE = Rate(1e12, 1e12)
_UNLIMITED_PAIR = PersonAndAddressRates(_UNLIMITED_RATE, _UNLIMITED_RATE)
UNLIMITED = RateLimitSettings(
    _UNLIMITED_RATE, _UNLIMITED_RATE, _UNLIMITED_RATE, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR, _UNLIMITED_PAIR,
    10**9, 10**9, 10**9, 10**9,
)  # fmt: skip

MAX_BUCKETS = 20_000  # buckets of a kind


class RateLimiter:
    """Token buckets, by kind and by whom; of each it is kept when it will be full again.

    A bucket that is full need not be kept. Should so many people ask at once that there are too many others, those are
    forgotten that would be full soonest: a crowd of new names forgets its own buckets, and never one that is empty.
    """

    def __init__(self) -> None:
        self._full_at: dict[str, dict[str, float]] = {}

    def acquire(self, kind: str, holder: str, rate: Rate, message_id: str, amount: float = 1) -> None:
        """Take one, or as ``much`` as it is, or refuse with how long to wait."""
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
        """Take one of a person's (unless it is a stranger) and of the address's, or as ``much`` as it is, or refuse."""
        if person:
            self.acquire(kind, person, limits.person, message_id, amount)
        self.acquire(f"{kind} of address", address, limits.address, message_id, amount)


def _drop_full(buckets: dict[str, float], now: float) -> None:
    """Forget what is full, and if that is not enough, a tenth of the rest."""
    for holder in [holder for holder, full_at in buckets.items() if full_at <= now]:
        del buckets[holder]
    if len(buckets) > MAX_BUCKETS * 0.9:
        for holder in sorted(buckets, key=buckets.__getitem__)[: len(buckets) - int(MAX_BUCKETS * 0.9)]:
            del buckets[holder]


class PerAddressQueue:
    """Lets one request of an address through in each round of the event loop: between two of them everyone else has a turn.

    It stands before what keeps the loop for milliseconds, a first message or a list. Asked for a hundred times at once that
    would keep it for half a second.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by address, as long as one goes through

    async def wait_turn(self, address: str) -> None:
        """Wait for a turn; nobody waits whose last one was in an earlier round."""
        loop = asyncio.get_running_loop()
        queue = self._waiting.get(address)
        if queue is None:
            self._waiting[address] = deque()
            loop.call_soon(self._next, address)
        else:
            queue.append(turn := loop.create_future())
            await turn

    def _next(self, address: str) -> None:
        """A round later: let the next one through, who may have gone meanwhile."""
        queue = self._waiting[address]
        while queue:
            first = queue.popleft()
            if not first.done():
                first.set_result(None)
                asyncio.get_running_loop().call_soon(self._next, address)
                return
        del self._waiting[address]


class OpenCounts:
    """How many of something each person and address has open."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], int] = {}

    def enter(self, kind: str, holder: str, limit: int, message_id: str) -> None:
        """One more, or refuse."""
        count = self._open.get((kind, holder), 0)
        if count >= limit:
            raise RateLimitedError("server-too-many-open", 5, what=Message(message_id))
        self._open[kind, holder] = count + 1

    def count(self, kind: str, holder: str) -> int:
        """How many are open."""
        return self._open.get((kind, holder), 0)

    def leave(self, kind: str, holder: str) -> None:
        """One fewer."""
        count = self._open[kind, holder] - 1
        if count:
            self._open[kind, holder] = count
        else:
            del self._open[kind, holder]
