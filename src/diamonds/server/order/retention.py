"""Games of guests, and reports that are handled, are kept for as long as the house says, and then let go of: a few tables at a time, so that nobody waits for it.

A game at which anybody had an account stays, and so does one that somebody looks at.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from diamonds.server.house.tables import Tables
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.books import BooksChange, Finished

EVERY = 3600.0  # seconds between two looks
BREATH = 0.05  # seconds after each step, in which others write
AT_ONCE = 20  # tables that are looked at in a step
ENTRIES = 5_000  # that are taken out in a step: a table that has more makes up a step of its own
DAY = 86_400

log = logging.getLogger("diamonds")


class Retention:
    """Lets go of guests' games ``days`` after they were over, and of handled reports ``reports`` days after they were made; 0: never."""

    def __init__(self, tables: Tables, days: int, reports: int = 0, clock: Callable[[], float] = time.time) -> None:
        self.tables, self.store, self.books = tables, tables.store, tables.store.books
        self.days, self.reports = days, reports
        self.clock = clock
        self._task: asyncio.Task[None] | None = None

    def keep(self, days: int, reports: int) -> None:
        """Keep games and reports for so many days from now on."""
        self.days, self.reports = days, reports
        self.open()

    def open(self) -> None:
        """The house opens."""
        if self._task is None and (self.days or self.reports):
            self._task = asyncio.get_running_loop().create_task(self._look())

    def close(self) -> None:
        """The house closes."""
        if self._task is not None:
            self._task.cancel()

    async def _look(self) -> None:
        while True:
            try:
                if self.tables.has_lobby:
                    await self.sweep()
            except Exception:
                log.exception("Old games of guests, or reports, are still kept.")
            await asyncio.sleep(EVERY)

    async def sweep(self) -> int:
        """Let go of what is due; returns of how many tables."""
        if self.reports:
            due = BooksChange(reports_before=int(self.clock()) - self.reports * DAY)
            await self.store.commit(AccountChange("", books=due))
        return await self._sweep_games() if self.days else 0

    async def _sweep_games(self) -> int:
        before = int(self.clock()) - self.days * DAY
        after, gone = (0, ""), 0
        while found := await self.books.finished(before, after, AT_ONCE):
            after = found[-1].over, found[-1].table
            for due in _steps([one for one in found if not one.accounts]):
                step = tuple(table for table in due if not self.tables.shelf.has(table))
                await self.store.commit(AccountChange("", books=BooksChange(gone=step)))
                gone += len(step)
                await asyncio.sleep(BREATH)
        return gone


def _steps(due: list[Finished]) -> list[tuple[str, ...]]:
    """Tables that go together, so that none of these steps takes long."""
    steps: list[list[str]] = []
    room = 0
    for one in due:
        if one.entries > room:
            steps.append([])
            room = ENTRIES
        steps[-1].append(one.table)
        room -= one.entries
    return [tuple(step) for step in steps]
