"""The clocks of all tables, driven by one timer, which is set to the first time that any clock can run out.

While any clock runs, the server stores a heartbeat every second, or every minute if the next flag is hours away. So
after a crash, clocks lose at most that interval, and not the time until the restart.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import logging
from collections.abc import Callable, Collection
from typing import Protocol

import msgspec

from diamonds.entries import TIMEOUT, format_answer
from diamonds.errors import DiamondsError, NotAllowedError, NotFoundError
from diamonds.server import server_time
from diamonds.server.api.codec import encode
from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.storage.commit_outcomes import DamagedTableError, StoreUnavailableError
from diamonds.server.storage.store import Store
from diamonds.server.storage.table_data import TableChange
from diamonds.server.tables.bots import BotService
from diamonds.server.tables.core import clocks, plans, seat_rules
from diamonds.server.tables.core.clocks import ClockState
from diamonds.server.tables.core.loading import decode_clock_state
from diamonds.server.tables.core.outcomes import with_outcome
from diamonds.server.tables.core.seating import SeatsAndSettings
from diamonds.server.tables.core.table import Table, clocked_seats
from diamonds.server.tables.operations import TableOperations

LIVE_HORIZON_MS = 6 * 3_600_000  # heartbeats are frequent if a flag is due within this time
HEARTBEAT_INTERVAL_S, IDLE_HEARTBEAT_INTERVAL_S = 1.0, 60.0  # between stored heartbeats
MAX_TIMER_S = 3_600.0  # the timer fires at least this often


class FlagTimer:
    """A timer for the next flag of each table.

    It calls `on_flag` with the table when a flag is due, and `on_heartbeat` while clocks run.
    """

    def __init__(
        self, now: Callable[[], int], on_flag: Callable[[str], None], on_heartbeat: Callable[[int], object]
    ) -> None:
        self.now = now
        self._on_flag = on_flag
        self._on_heartbeat = on_heartbeat
        self._due: dict[str, int] = {}
        self._heap: list[tuple[int, str]] = []  # may contain outdated entries; `_due` is authoritative
        self._timer: asyncio.TimerHandle | None = None
        self._heartbeat_timer: asyncio.TimerHandle | None = None
        self._is_slow = False  # heartbeats are up to a minute apart

    def __len__(self) -> int:
        return len(self._due)

    def close(self) -> None:
        for timer in (self._timer, self._heartbeat_timer):
            if timer is not None:
                timer.cancel()
        self._due.clear()

    def schedule(self, table_id: str, due_ms: int | None) -> None:
        """Set when the next flag of a table is due; `None` for no flag."""
        if due_ms is None:
            self._due.pop(table_id, None)
        elif self._due.get(table_id) != due_ms:
            self._due[table_id] = due_ms
            heapq.heappush(self._heap, (due_ms, table_id))
            if len(self._heap) > 2 * len(self._due) + 64:
                self._heap = [(when_ms, other_id) for other_id, when_ms in self._due.items()]
                heapq.heapify(self._heap)
        self._arm()

    def is_running(self, table_id: str) -> bool:
        """Return whether a clock runs at a table."""
        return table_id in self._due

    def fire_due(self) -> None:
        """Handle the flags that are due."""
        now = self.now()
        while (first := self.next_flag()) is not None and first[0] <= now:
            heapq.heappop(self._heap)
            del self._due[first[1]]
            self._on_flag(first[1])
        self._arm()

    def next_flag(self) -> tuple[int, str] | None:
        """Return the time (ms) and the table of the next flag, if any clock runs."""
        while self._heap and self._due.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0] if self._heap else None

    def _arm(self) -> None:
        """Set the timer to the next flag, and start heartbeats if they have stopped or are too slow."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        first = self.next_flag()
        if first is None:
            return
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(min(MAX_TIMER_S, max(0, first[0] - self.now()) / 1000), self.fire_due)
        if self._heartbeat_timer is not None and self._is_slow and first[0] - self.now() < LIVE_HORIZON_MS:
            self._heartbeat_timer.cancel()
            self._heartbeat_timer = None
        if self._heartbeat_timer is None:
            self._is_slow = False
            self._heartbeat_timer = loop.call_later(HEARTBEAT_INTERVAL_S, self.heartbeat)

    def heartbeat(self) -> None:
        """Store a heartbeat, and schedule the next one while a clock runs."""
        self._heartbeat_timer = None
        first = self.next_flag()
        if first is not None:
            now = self.now()
            self._on_heartbeat(now)
            self._is_slow = first[0] - now >= LIVE_HORIZON_MS
            self._heartbeat_timer = asyncio.get_running_loop().call_later(
                IDLE_HEARTBEAT_INTERVAL_S if self._is_slow else HEARTBEAT_INTERVAL_S, self.heartbeat
            )


RETRY_DELAY_MS = 1000  # before a timeout that could not be stored is retried

log = logging.getLogger("diamonds")


def add_clock_state(change: TableChange, clock_state: ClockState | None) -> TableChange:
    """Return the change with the new clock state, if the table has clocks."""
    if clock_state is None:
        return change
    text, at_ms = encode(msgspec.structs.replace(clock_state, at_ms=0)), clock_state.at_ms
    return change._replace(columns={**change.columns, "clocks": text, "clocks_at_ms": at_ms}, heartbeat_ms=at_ms)


class ClockDependencies(TableOperations, Protocol):
    """The part of `TableService` that clocks need."""

    bots: BotService


class ClockService:
    """The clocks of all tables."""

    def __init__(self, tables: ClockDependencies, store: Store) -> None:
        self.tables = tables
        self.store = store
        self._clock = server_time.ServerClock()
        self.now = self._clock.now
        self.flag_timer = FlagTimer(self.now, self._on_flag, self._on_heartbeat)
        self.tasks = BackgroundTasks()  # flags and heartbeats being handled

    async def open(self, now: int | None = None) -> None:
        """Start the server's time at `now` (ms, the cluster's), or where it stopped (`Store.resume_clocks`)."""
        self._clock.open(await self.store.resume_clocks(server_time.wall_ms()) if now is None else now)

    def resume(self, tables: Collection[tuple[str, bytes | None, int]]) -> None:
        """Resume the clocks of tables, each given as id, clock state if its clocks run, and its time (ms).

        Bots have no clock, so where only they are to act, start them in the background.
        """
        bots_to_act = []
        for table_id, text, at_ms in tables:
            if text is None:
                continue
            with contextlib.suppress(DamagedTableError):  # the damage is reported when people open the table
                clock_state = decode_clock_state(text, at_ms)
                self.flag_timer.schedule(table_id, clocks.next_due_ms(clock_state))
                if not clock_state.to_act:
                    bots_to_act.append(table_id)
        if bots_to_act:
            self.tasks.start(self.start_bots(bots_to_act))

    async def start_bots(self, table_ids: Collection[str]) -> None:
        """Start the bots that are to act at these tables, even without viewers."""
        for table_id in table_ids:
            with contextlib.suppress(DiamondsError):  # the table cannot be played
                self.tables.bots.schedule(await self.tables.registry.find(table_id))

    def advance_to(self, time_ms: int) -> None:
        """Adopt the time of another member if it is later, which means that this machine was suspended."""
        if self._clock.advance_to(time_ms):
            self.flag_timer.fire_due()

    async def close(self) -> None:
        """Store one last heartbeat and stop."""
        self.tasks.cancel()
        if len(self.flag_timer):
            await self._store_heartbeat(self.now())
        self.flag_timer.close()

    def _on_heartbeat(self, now: int) -> None:
        """Store a heartbeat in the background."""
        self.tasks.start(self._store_heartbeat(now))

    async def _store_heartbeat(self, now: int) -> None:
        with contextlib.suppress(StoreUnavailableError):  # the next heartbeat follows soon
            await self.store.commit(TableChange(heartbeat_ms=now))

    def update_clocks(self, table: Table, clock_state: ClockState | None) -> None:
        """Replace a table's clock state with one that is already durable."""
        if clock_state is not None:
            table.clocks = clock_state
            self.flag_timer.schedule(table.id, None if table.is_over else clocks.next_due_ms(clock_state))

    def _on_flag(self, table_id: str) -> None:
        """Check in the background whether a flag has fallen at a table."""
        self.tasks.start(self._check_flag(table_id))

    async def _check_flag(self, table_id: str) -> None:
        try:
            table = await self.tables.registry.find(table_id)
            async with self.tables.lock(table):
                clock_state = table.clocks
                seat = -1 if clock_state is None or table.is_over else clocks.flagged_seat(clock_state, self.now())
                due = None if table.is_over else plans.due_answer(table, self.now())
                if seat >= 0:
                    await self._time_out(table, seat)
                elif due is None:
                    self.update_clocks(table, clock_state)
            if seat < 0 and due is not None:
                person = table.seating.seats[due.seat].person
                await self.tables.actions.play_answers(table, due.seat, table.n, [due.text], person)
        except asyncio.CancelledError:
            raise
        except (DamagedTableError, NotFoundError, NotAllowedError):
            pass  # the table is no longer playable
        except StoreUnavailableError:
            self.flag_timer.schedule(table_id, self.now() + RETRY_DELAY_MS)
        except Exception:
            log.exception("The clocks of table %s have stopped.", table_id)

    async def _time_out(self, table: Table, seat: int) -> None:
        """Handle a timeout: a fast bot answers for the seat, or the seat is forfeited."""
        control, clock_state, state = table.header.time_control, table.clocks, table.game_state.state
        assert control is not None
        assert clock_state is not None
        assert state is not None
        if table.is_last_timeout(seat):
            seating = seat_rules.forfeit_seat(table, seat)
            new_state = clocks.after_timeout(
                control, clock_state, self.now(), seat, clocked_seats(seating, int(state["to_act"]))
            )
            new_state = plans.after_seating(table, seating, new_state) or new_state
            await self._forfeit(table, seat, seating, new_state)
            return
        level, numbers = await self.tables.bots.choose_substitute_answer(table, seat)
        steps = table.game_state.preview_steps(seat, numbers)
        to_act = clocked_seats(table.seating, int(steps[-1].state["to_act"]))
        new_state = clocks.after_timeout(control, clock_state, self.now(), seat, to_act)
        new_state = plans.after_steps(table, seat, steps, new_state) or new_state
        texts = [format_answer(table.log.entry_text(step.entry), level) for step in steps]
        at_ms = table.log.time_for_entry()
        change = TableChange(
            table=table.id, n=table.n, entries=((seat, TIMEOUT), *((seat, text) for text in texts)), at_ms=at_ms
        )
        change = with_outcome(change, table, steps[-1].state)
        await self.tables.commit(table, add_clock_state(change, new_state))
        table.game_state.commit_timeout(seat, at_ms)
        for step in steps:
            table.game_state.commit_step(step, at_ms, substitute=level)
        self.update_clocks(table, new_state)
        self.tables.publish(table)

    async def _forfeit(self, table: Table, seat: int, seating: SeatsAndSettings, new_state: ClockState) -> None:
        """Forfeit a seat on time and give it to a bot."""
        at_ms = table.log.time_for_entry()
        change = TableChange(
            table=table.id,
            seating=encode(seating),
            revision=table.revision,
            phase=table.phase,
            n=table.n,
            entries=((seat, TIMEOUT), *table.seat_change_entries(seating)),
            at_ms=at_ms,
        )
        await self.tables.commit(table, add_clock_state(change, new_state))
        table.game_state.commit_timeout(seat, at_ms)
        table.game_state.commit_seat_change(seat, seating.seats[seat].holder_id, at_ms)
        table.seating = seating
        table.revision += 1
        self.update_clocks(table, new_state)
        table.refresh_viewers()
        self.tables.touch(table)
