"""What is done at a table when it has been so for a while. For how long it has, is not stored: after a restart that counts anew."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence

from diamonds.errors import NotFoundError
from diamonds.server.errors import StaleRequestError
from diamonds.server.storage.interface import TableChange
from diamonds.server.storage.outcomes import DamagedTableError
from diamonds.server.tables.core import seat_rules
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.runtime import TableRuntime


class TableTimers:
    """When it is time at which table; all wait equally long. ``now`` is the server's time, in milliseconds."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.now = now
        self.due: dict[str, int] = {}  # by table; whoever has waited longest stands first
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """The server stops."""
        for task in self._tasks:
            task.cancel()
        if self._timer is not None:
            self._timer.cancel()

    def start(self, table: str, milliseconds: int) -> None:
        """From now on it is so at a table."""
        if table not in self.due:
            self.due[table] = self.now() + milliseconds
            self._arm()

    def fire_due(self) -> None:
        """Do it wherever it is time."""
        now = self.now()
        for id in [id for id, due in self.due.items() if due <= now]:
            del self.due[id]
            task = asyncio.get_running_loop().create_task(self._expire(id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._arm()

    def _arm(self) -> None:
        """The timer goes off when it is time at the next table."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        first = next(iter(self.due.values()), None)
        if first is not None:
            seconds = max(0, first - self.now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(seconds, self.fire_due)

    async def _expire(self, id: str) -> None:
        """It is time."""
        raise NotImplementedError


HOST_ABSENT_MS = 300_000  # milliseconds

log = logging.getLogger("diamonds")


class HostReassignment(TableTimers):
    """At which tables somebody sits and no host is there."""

    def __init__(self, tables: TableRuntime) -> None:
        super().__init__(tables.clocks.now)
        self.tables = tables

    def on_change(self, table: Table) -> None:
        """Something has happened at a table: its host may have come or gone."""
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
                    with contextlib.suppress(StaleRequestError):  # somebody has merged accounts
                        await self.tables.commit_seating(table, seating, TableChange(table=id))
        except (DamagedTableError, NotFoundError):
            pass  # nobody is there any more
        except Exception:
            log.exception("Table %s gets no other host.", id)


def _next_host(table: Table) -> str | None:
    """Who would be the host of a table that has none now; nobody where there is one, or nobody to be it."""
    if table.is_over or table.header.fork is not None or table.presence.is_host_connected:
        return None
    connected = table.presence.connected_seats
    seated = [
        holder for seat, holder in enumerate(table.seating.seats) if holder.kind == "person" and seat in connected
    ]
    return min(seated, key=lambda holder: holder.seated_order).person if seated else None


NO_SHOW_AFTER_MS = 30_000  # milliseconds


class NoShowTimers(TableTimers):
    """Until when places are kept at which table. ``on_no_shows`` is called with whose places at which table are kept no more."""

    def __init__(self, tables: TableRuntime, on_no_shows: Callable[[str, Sequence[str]], None]) -> None:
        super().__init__(tables.clocks.now)
        self.tables = tables
        self.on_no_shows = on_no_shows

    def on_change(self, table: Table) -> None:
        """Something has happened at a table: it may be that somebody waits there from now on."""
        if _awaits_no_shows(table):
            self.start(table.id, NO_SHOW_AFTER_MS)

    async def _expire(self, id: str) -> None:
        try:
            table = await self.tables.registry.find(id)
            async with self.tables.lock(table):
                if not _awaits_no_shows(table) or not self.tables.is_current(table):
                    return
                people = [holder.person for holder in table.seating.seats if holder.kind == "open" and holder.person]
                with contextlib.suppress(StaleRequestError):  # somebody has merged accounts
                    await self.tables.commit_seating(table, seat_rules.release_no_shows(table), TableChange(table=id))
            self.on_no_shows(id, people)
        except (DamagedTableError, NotFoundError):
            pass  # nobody waits there any more
        except Exception:
            log.exception("Places at table %s are kept for people who do not come.", id)


def _awaits_no_shows(table: Table) -> bool:
    """Whether somebody sits and waits for people who were to come."""
    return table.phase == "waiting" and bool(table.seating.no_show_action and table.people_seats)
