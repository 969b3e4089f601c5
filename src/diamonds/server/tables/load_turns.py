"""Turns to load tables: addresses alternate, and none takes all turns, so that none delays the others."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from diamonds.server.request_context import requesting_address


class LoadTurns:
    """A number of turns, one more than an address may have at a time. The server itself may have all."""

    def __init__(self, number: int) -> None:
        self._free, self._max_per_address = number, number - 1
        self._held: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # the next address first

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn of the requesting address, and hold it."""
        address, given = requesting_address.get(), asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(given)
        self._give()
        try:
            await given
            yield
        finally:
            if not given.cancelled():
                self._free += 1
                self._held -= Counter([address])  # drops zeros
                self._give()

    def _give(self) -> None:
        """Give the free turns to waiting addresses."""
        while self._free:
            may_hold = (one for one in self._waiting if not one or self._held[one] < self._max_per_address)
            address = next(may_hold, None)
            if address is None:
                return
            waiting = self._waiting.pop(address)
            given = waiting.popleft()
            if waiting:
                self._waiting[address] = waiting  # behind the others
            if not given.cancelled():
                self._free -= 1
                self._held[address] += 1
                given.set_result(None)
