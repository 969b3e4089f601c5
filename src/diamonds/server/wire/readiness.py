"""Whether the house can take requests: asked by whoever leads people to it, a proxy or a supervisor."""

from __future__ import annotations

import asyncio

from diamonds.game import Refused
from diamonds.server.api.readiness import Bots, Ready
from diamonds.server.house.tables import Tables
from diamonds.server.store.accounts import AccountChange

SECONDS = 2.0  # for store and bots to say something


class Readiness:
    """Asks the store and the bots, once for all who ask at the same time."""

    def __init__(self, tables: Tables, process: int = 1) -> None:
        self.tables = tables
        self.process = process
        self.ending = False  # the house closes
        self._asking: asyncio.Task[Ready] | None = None

    async def ask(self) -> Ready:
        """How store and bots are now."""
        if self._asking is None:
            self._asking = asyncio.get_running_loop().create_task(self._ask())
        return await asyncio.shield(self._asking)

    async def _ask(self) -> Ready:
        try:
            store, bots = await asyncio.gather(self._store(), self._bots())
        finally:
            self._asking = None
        return Ready(not self.ending and store and bots != "silent", store, bots, self.ending, self.process)

    async def _store(self) -> bool:
        """Whether a change that changes nothing comes through to where all changes go."""
        try:
            async with asyncio.timeout(SECONDS):
                await self.tables.store.commit(AccountChange(""))
        except (TimeoutError, Refused):
            return False
        return True

    async def _bots(self) -> Bots:
        try:
            async with asyncio.timeout(SECONDS):
                return await self.tables.bots.readiness()
        except TimeoutError:
            return "silent"
