"""Readiness: whether this process can take requests, for proxies and supervisors."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from diamonds.errors import DiamondsError
from diamonds.server.api.readiness import BotReadiness, ReadinessResponse
from diamonds.server.storage.table_data import ProbeChange
from diamonds.server.tables.service import TableService

CHECK_TIMEOUT_S = 2.0  # for the replies of the store and the bots
PROBE_INTERVAL_S = 1.0  # between probes of the store, each of which is a commit


class HealthState(NamedTuple):
    """The state of the store and the bots at one moment."""

    store: bool
    bots: BotReadiness


class ReadinessCheck:
    """A check that probes the store and the bots at most once a second, whatever the number of requests."""

    def __init__(self, tables: TableService, worker_number: int = 1) -> None:
        self.tables = tables
        self.worker_number = worker_number
        self.shutting_down = False
        self._probe_task: asyncio.Task[HealthState] | None = None
        self._probed_at = 0.0
        self._store_probe: asyncio.Task[bool] | None = None

    async def check(self) -> ReadinessResponse:
        """Return the state of the store and the bots, at most one second old."""
        loop = asyncio.get_running_loop()
        if self._probe_task is None or (self._probe_task.done() and loop.time() - self._probed_at >= PROBE_INTERVAL_S):
            self._probed_at = loop.time()
            self._probe_task = loop.create_task(self._probe())
        store, bots = await asyncio.shield(self._probe_task)
        return ReadinessResponse(
            not self.shutting_down and store and bots != "silent", store, bots, self.shutting_down, self.worker_number
        )

    async def _probe(self) -> HealthState:
        return HealthState(*await asyncio.gather(self._probe_store(), self._probe_bots()))

    async def _probe_store(self) -> bool:
        """Return whether a real commit becomes durable in time. No new probe starts while one is pending."""
        if self._store_probe is None or self._store_probe.done():
            self._store_probe = asyncio.get_running_loop().create_task(self._commit_probe())
        done, _ = await asyncio.wait([self._store_probe], timeout=CHECK_TIMEOUT_S)
        if not done:
            return False
        return self._store_probe.result()

    async def _commit_probe(self) -> bool:
        try:
            await self.tables.store.commit(ProbeChange())
        except DiamondsError:
            return False
        return True

    async def _probe_bots(self) -> BotReadiness:
        try:
            async with asyncio.timeout(CHECK_TIMEOUT_S):
                return await self.tables.bots.readiness()
        except TimeoutError:
            return "silent"
