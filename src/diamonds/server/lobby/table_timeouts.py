"""Timeouts at tables: host reassignment and no-shows. They are not stored, so a restart restarts them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence

from diamonds.errors import NotFoundError
from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.errors import StaleRequestError
from diamonds.server.storage.commit_outcomes import DamagedTableError
from diamonds.server.storage.table_data import TableChange
from diamonds.server.tables.core import seat_rules
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.service import TableService


class TableTimeoutQueue:
    """One timer for many tables, all with the same timeout. `now` is the server's time in milliseconds."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.now = now
        self.due: dict[str, int] = {}  # time (ms) by table, earliest first
        self._timer: asyncio.TimerHandle | None = None
        self.tasks = BackgroundTasks()  # timeouts being handled

    def close(self) -> None:
        self.tasks.cancel()
        if self._timer is not None:
            self._timer.cancel()

    def start(self, table: str, milliseconds: int) -> None:
        """Start the timeout of a table, unless it is running."""
        if table not in self.due:
            self.due[table] = self.now() + milliseconds
            self._arm()

    def fire_due(self) -> None:
        """Handle the timeouts that are due."""
        now = self.now()
        for id in [id for id, due in self.due.items() if due <= now]:
            del self.due[id]
            self.tasks.start(self._expire(id))
        self._arm()

    def _arm(self) -> None:
        """Set the timer to the next timeout."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        first = next(iter(self.due.values()), None)
        if first is not None:
            seconds = max(0, first - self.now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(seconds, self.fire_due)

    async def _expire(self, id: str) -> None:
        """Handle the timeout of a table."""
        raise NotImplementedError


HOST_ABSENT_MS = 300_000

log = logging.getLogger("diamonds")


class HostReassignment(TableTimeoutQueue):
    """Timeouts of tables with seated people but without a connected host."""

    def __init__(self, tables: TableService) -> None:
        super().__init__(tables.clocks.now)
        self.tables = tables

    def on_change(self, table: Table) -> None:
        """Start or stop a table's timeout, because its host may have come or gone."""
        if _next_host(table) is None:
            self.due.pop(table.id, None)
        else:
            self.start(table.id, HOST_ABSENT_MS)

    async def _expire(self, id: str) -> None:
        try:
            table = await self.tables.registry.find(id)
            async with self.tables.lock(table):
                person = _next_host(table)
                if person is not None and self.tables.is_current(table):
                    seating = table.copy_seating()
                    seating.host = person
                    with contextlib.suppress(StaleRequestError):  # accounts were merged in the meantime
                        await self.tables.commit_seating(table, seating, TableChange(table=id))
        except (DamagedTableError, NotFoundError):
            pass  # the table is no longer playable
        except Exception:
            log.exception("Failed to reassign the host of table %s.", id)


def _next_host(table: Table) -> str | None:
    """Return the next host of a table whose host is not connected: the connected person seated longest."""
    if table.is_over or table.header.fork is not None or table.presence.is_host_connected:
        return None
    connected = table.presence.connected_seats
    seated = [
        holder for seat, holder in enumerate(table.seating.seats) if holder.kind == "person" and seat in connected
    ]
    return min(seated, key=lambda holder: holder.seated_order).person if seated else None


NO_SHOW_AFTER_MS = 30_000


class NoShowTimers(TableTimeoutQueue):
    """Timeouts of reserved seats. `on_no_shows` is called with the table and the people who did not come."""

    def __init__(self, tables: TableService, on_no_shows: Callable[[str, Sequence[str]], None]) -> None:
        super().__init__(tables.clocks.now)
        self.tables = tables
        self.on_no_shows = on_no_shows

    def on_change(self, table: Table) -> None:
        """Start the timeout if people are waiting at the table."""
        if _awaits_no_shows(table):
            self.start(table.id, NO_SHOW_AFTER_MS)

    async def _expire(self, id: str) -> None:
        try:
            table = await self.tables.registry.find(id)
            async with self.tables.lock(table):
                if not _awaits_no_shows(table) or not self.tables.is_current(table):
                    return
                people = [holder.person for holder in table.seating.seats if holder.kind == "open" and holder.person]
                with contextlib.suppress(StaleRequestError):  # accounts were merged in the meantime
                    await self.tables.commit_seating(table, seat_rules.release_no_shows(table), TableChange(table=id))
            self.on_no_shows(id, people)
        except (DamagedTableError, NotFoundError):
            pass  # the table is no longer playable
        except Exception:
            log.exception("Failed to release the reserved seats at table %s.", id)


def _awaits_no_shows(table: Table) -> bool:
    """Return whether seated people are waiting for people with reserved seats."""
    return table.phase == "waiting" and bool(table.seating.no_show_action and table.people_seats)
