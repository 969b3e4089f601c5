"""Readiness: whether this process can take requests, as proxies and supervisors ask."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from diamonds.game import Refused
from diamonds.server.api.readiness import Bots, Ready
from diamonds.server.house.tables import Tables
from diamonds.server.store.contract import Probe

SECONDS = 2.0  # for store and bots to say something
PROBE_INTERVAL_S = 1.0  # between two probes of the store: each is a commit


class Health(NamedTuple):
    """State of store and bots at one moment."""

    store: bool
    bots: Bots


class Readiness:
    """Probes store and bots at most once a second, for all who ask."""

    def __init__(self, tables: Tables, process: int = 1) -> None:
        self.tables = tables
        self.process = process
        self.ending = False  # the house closes
        self._asking: asyncio.Task[Health] | None = None  # the newest probe, and what came of it
        self._asked_at = 0.0
        self._writing: asyncio.Task[bool] | None = None  # a probe of the store that has not come to its end

    async def ask(self) -> Ready:
        """Return how store and bots are now, or were within the last second."""
        loop = asyncio.get_running_loop()
        if self._asking is None or (self._asking.done() and loop.time() - self._asked_at >= PROBE_INTERVAL_S):
            self._asked_at = loop.time()
            self._asking = loop.create_task(self._ask())
        store, bots = await asyncio.shield(self._asking)
        return Ready(not self.ending and store and bots != "silent", store, bots, self.ending, self.process)

    async def _ask(self) -> Health:
        return Health(*await asyncio.gather(self._store(), self._bots()))

    async def _store(self) -> bool:
        """Return whether a real commit becomes durable in time. A store that is late is not asked again until it has replied."""
        if self._writing is None or self._writing.done():
            self._writing = asyncio.get_running_loop().create_task(self._write())
        done, _ = await asyncio.wait([self._writing], timeout=SECONDS)
        if not done:
            return False
        return self._writing.result()

    async def _write(self) -> bool:
        try:
            await self.tables.store.commit(Probe())
        except Refused:
            return False
        return True

    async def _bots(self) -> Bots:
        try:
            async with asyncio.timeout(SECONDS):
                return await self.tables.bots.readiness()
        except TimeoutError:
            return "silent"
