"""How much one address and one person may ask for: token buckets in bounded memory."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import NamedTuple

from diamonds.server.api.refusals import TooMany
from diamonds.words import Message


class Rate(NamedTuple):
    """So many at once, and so many a second from then on."""

    burst: float
    second: float


class Share(NamedTuple):
    """What one person may do, and what all at one address may, who may be a school: identities cost nothing."""

    person: Rate
    address: Rate


class Limits(NamedTuple):
    """The house's limits. An address may hold several people (a school, a household), so it gets more than a person."""

    requests: Rate = Rate(2_000, 100)  # of any kind, by address
    guests: Rate = Rate(120, 1)  # new identities by address
    answers: Rate = Rate(120, 20)  # by person
    tables: Share = Share(Rate(30, 0.2), Rate(90, 0.5))
    lists: Share = Share(Rate(30, 1), Rate(300, 8))  # of tables
    looks: Share = Share(Rate(120, 10), Rate(1_200, 30))  # at a table: each may tell hundreds of events
    seats: Share = Share(Rate(60, 1), Rate(600, 10))  # sitting down, standing up, seating bots
    undo: Share = Share(Rate(60, 2), Rate(600, 20))
    hurry: Share = Share(Rate(60, 4), Rate(600, 40))  # bots, where one plays alone
    nudges: Share = Share(Rate(20, 0.2), Rate(300, 4))  # and pauses, and answers of bots for who is silent
    chat: Share = Share(Rate(10, 0.5), Rate(120, 4))
    names: Share = Share(Rate(10, 0.1), Rate(120, 1))  # changes of one's name
    advice: Share = Share(Rate(60, 4), Rate(600, 40))  # asking whether a review is ready counts too
    history: Share = Share(Rate(30, 0.5), Rate(300, 5))  # records, replays, proofs
    records: Share = Share(Rate(4e6, 20e3), Rate(8e6, 40e3))  # bytes of records from elsewhere: long ones cost seconds
    accounts: Share = Share(Rate(30, 0.1), Rate(300, 2))  # whatever is done about an account
    codes: Share = Share(Rate(5, 1 / 60), Rate(20, 1 / 20))  # recovery codes, tried or made
    seeks: Share = Share(Rate(20, 0.2), Rate(120, 2))  # begun, changed or ended
    friends: Share = Share(Rate(20, 0.05), Rate(120, 0.5))  # asking, parting, blocking; challenges
    reports: Share = Share(Rate(5, 1 / 120), Rate(30, 1 / 20))  # of people, to hosts
    order: Share = Share(Rate(60, 2), Rate(600, 20))  # what hosts ask and do
    push: Share = Share(Rate(20, 0.05), Rate(200, 0.5))  # browsers that take messages, and quiet hours
    data: Share = Share(Rate(3, 1 / 60), Rate(20, 1 / 20))  # all that is kept of one
    streams: int = 24  # at once, by person
    streams_of_address: int = 240
    connections: int = 10_000  # at once, in all, where the system allows so many open files
    connections_of_address: int = 1_000


_FREE = Rate(1e12, 1e12)
_ALL = Share(_FREE, _FREE)
OFF = Limits(
    _FREE, _FREE, _FREE, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL,
    10**9, 10**9, 10**9, 10**9,
)  # fmt: skip

REMEMBERED = 20_000  # buckets of a kind


class Buckets:
    """Token buckets, by kind and by whom; of each it is kept when it will be full again.

    A bucket that is full need not be kept. Should so many people ask at once that there are too many others, those are
    forgotten that would be full soonest: a crowd of new names forgets its own buckets, and never one that is empty.
    """

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, float]] = {}

    def take(self, kind: str, whom: str, rate: Rate, what: str, much: float = 1) -> None:
        """Take one, or as ``much`` as it is, or refuse with how long to wait."""
        now = time.monotonic()
        kept = self._kept.get(kind)
        if kept is None:
            kept = self._kept[kind] = {}
        full = max(kept.get(whom, now), now) + much / rate.second
        wait = full - now - rate.burst / rate.second
        if wait > 1e-6:
            raise TooMany("server-too-many", wait, what=Message(what))
        kept[whom] = full
        if len(kept) > REMEMBERED:
            _forget(kept, now)

    def share(self, kind: str, person: str, address: str, share: Share, what: str, much: float = 1) -> None:
        """Take one of a person's (unless it is a stranger) and of the address's, or as ``much`` as it is, or refuse."""
        if person:
            self.take(kind, person, share.person, what, much)
        self.take(f"{kind} of address", address, share.address, what, much)


def _forget(kept: dict[str, float], now: float) -> None:
    """Forget what is full, and if that is not enough, a tenth of the rest."""
    for whom in [whom for whom, full in kept.items() if full <= now]:
        del kept[whom]
    if len(kept) > REMEMBERED * 0.9:
        for whom in sorted(kept, key=kept.__getitem__)[: len(kept) - int(REMEMBERED * 0.9)]:
            del kept[whom]


class Turnstile:
    """Lets one request of an address through in each round of the event loop: between two of them everyone else has a turn.

    It stands before what keeps the loop for milliseconds, a first message or a list. Asked for a hundred times at once that
    would keep it for half a second.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by address, as long as one goes through

    async def turn(self, address: str) -> None:
        """Wait for a turn; nobody waits whose last one was in an earlier round."""
        loop = asyncio.get_running_loop()
        queue = self._waiting.get(address)
        if queue is None:
            self._waiting[address] = deque()
            loop.call_soon(self._next, address)
        else:
            queue.append(mine := loop.create_future())
            await mine

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


class Counters:
    """How many of something each person and address has open."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], int] = {}

    def enter(self, kind: str, whom: str, most: int, what: str) -> None:
        """One more, or refuse."""
        count = self._open.get((kind, whom), 0)
        if count >= most:
            raise TooMany("server-too-many-open", 5, what=Message(what))
        self._open[kind, whom] = count + 1

    def count(self, kind: str, whom: str) -> int:
        """How many are open."""
        return self._open.get((kind, whom), 0)

    def leave(self, kind: str, whom: str) -> None:
        """One fewer."""
        count = self._open[kind, whom] - 1
        if count:
            self._open[kind, whom] = count
        else:
            del self._open[kind, whom]
