"""The tables of one process: finding and loading, committing changes, publishing, people, handover.

Each loaded table is a computed copy of what is stored, loaded on first use and evicted when nobody views it. Operations
on one table are serialized by `table.presence.lock`; those of people and bots are in `tables/actions.py`. In a cluster
each table has one owner (`cluster/`), and the store rejects writes of former owners. If a table was
written to meanwhile, as by a change of an account, it is reloaded and the caller gets the current update.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from diamonds.errors import NotAllowedError, NotFoundError
from diamonds.server.api.codec import encode
from diamonds.server.api.summaries import LoadedTableSummary
from diamonds.server.cluster.errors import NotOwnerError
from diamonds.server.cluster.notices import PersonChanged
from diamonds.server.errors import ConcurrentChangeError, ForbiddenError
from diamonds.server.jobs.worker_pool import WorkerPool
from diamonds.server.metrics.counters import ServerCounters
from diamonds.server.people.display_names import display_name, display_names
from diamonds.server.people.relationships import RelationshipReader
from diamonds.server.people.sanctions import SanctionsCache
from diamonds.server.request_context import requesting_address
from diamonds.server.storage.accounts import AccountChange
from diamonds.server.storage.cluster import ClaimedTable
from diamonds.server.storage.commit_outcomes import (
    CONFLICT,
    DONE,
    NOT_OWNER,
    REUSED,
    CommitOutcome,
    StoreUnavailableError,
    has_committed,
)
from diamonds.server.storage.store import Store
from diamonds.server.storage.table_data import TableChange
from diamonds.server.storage.tables import first_unreserved_counter
from diamonds.server.tables.actions import TableActions
from diamonds.server.tables.analysis import AnalysisService
from diamonds.server.tables.archive import GameArchive
from diamonds.server.tables.bots import BotService
from diamonds.server.tables.clock_service import ClockService, add_clock_state
from diamonds.server.tables.core import plans
from diamonds.server.tables.core.presence import Viewer
from diamonds.server.tables.core.seating import SeatsAndSettings, settings_columns
from diamonds.server.tables.core.table import MAX_ENTRIES, Table
from diamonds.server.tables.core.table_update import table_update
from diamonds.server.tables.creation import TableCreator
from diamonds.server.tables.proposals import IdlePlayers, Proposals
from diamonds.server.tables.registry import TableRegistry
from diamonds.server.tables.streams import StreamRegistry

if TYPE_CHECKING:
    from diamonds.server.cluster.cluster import Cluster

log = logging.getLogger("diamonds")


def changed_people(change: AccountChange) -> dict[str, bool]:
    """Return the people affected by a change, and whether each may be a different person from now on."""
    is_merged = bool(change.merged_guest or change.delete_person or change.remove_devices or change.handle)
    if not (
        is_merged or change.name or change.remove_name or change.relationship or change.device or change.moderation
    ):
        return {}
    people = {change.person, change.merged_guest, change.relationship.other if change.relationship else ""} - {""}
    return dict.fromkeys(sorted(people), is_merged)


class TableObserver:
    """The base class of observers of all tables, which override what they need."""

    def on_change(self, table: Table) -> None:
        """Handle a change of a table."""

    def on_seated(self, people: Sequence[str]) -> None:
        """Handle people who have taken a seat."""


class TableService:
    """All tables that this process owns. `cluster` connects it to the other processes, if there are any."""

    def __init__(
        self,
        store: Store,
        bot_delay: tuple[float, float] | None = None,
        process_count: int = 1,
        cluster: Cluster | None = None,
    ) -> None:
        self.store = store
        self.cluster = cluster
        self.counters = ServerCounters()
        self.clocks = ClockService(self, store)
        self.registry = TableRegistry(store, self.clocks.now)
        # In a cluster, another process may have run the table's clocks until now.
        self.registry.on_load = lambda table: self.clocks.update_clocks(table, table.clocks)
        self.sanctions = SanctionsCache(store.moderation)
        self.relationships = RelationshipReader(store)
        self.idle_players = IdlePlayers(self)
        self.actions = TableActions(self)
        self.streams = StreamRegistry(self.counters.loop_delay)
        self.workers = WorkerPool(process_count)
        self.bots = BotService(self, self.workers, bot_delay, self.counters)
        self.analysis = AnalysisService(store, self.workers)
        self.archive = GameArchive(store, self.workers)
        self.observers: list[TableObserver] = []
        self.people_callbacks: list[Callable[[], None]] = []  # called after people have been replaced or deleted
        self.now = self.clocks.now
        # For each of the other members, its connected people and its loaded tables; only the lobby owner knows them.
        self.connected_elsewhere: dict[int, set[str]] = {}
        self.remote_summaries: dict[str, LoadedTableSummary] = {}
        if cluster:
            self.registry.claim_of = cluster.ownership.owned.get
            self.registry.read_reserved = lambda: cluster.database.read(first_unreserved_counter)
            cluster.ownership.on_counters_reserved = self.registry.raise_version_floor
        self.proposals = Proposals(self)
        self.creator = TableCreator(self)

    async def open(self) -> None:
        """Start the clocks, and load everything that all requests need."""
        await self.clocks.open(await self.cluster.join() if self.cluster else None)
        if self.cluster:
            await self.cluster.membership.mark_serving()
        await self.registry.open()
        await self.sanctions.refresh()

    async def close(self) -> None:
        """Stop all services."""
        await self.clocks.close()
        self.analysis.close()
        self.bots.close()
        self.workers.close()
        self.streams.close()
        self.registry.close()

    async def find(self, table_id: str, person: str) -> Table:
        """Return a table that this person may see. Raise `NotFoundError` or `DamagedTableError` otherwise.

        A fork is visible only to its creator. A table whose cards others may yet play is visible only to its players
        (`Table.is_withheld`). Bots of a table without people are resumed.
        """
        table = await self.registry.find(table_id)
        if table.header.match is not None and (table.is_over or table.seating.closed_reason):
            await self._check_match_over(table, table.header.match.id)
        if table.presence.bots_paused and self.is_current(table):
            self.bots.resume(table)
        if table.is_hidden_from(person):
            raise NotFoundError("table-unknown")
        return table

    async def _check_match_over(self, table: Table, match: str) -> None:
        """Once a table's game is over, find out whether its match is also over."""
        if not table.is_match_over and await self.store.is_match_over(match):
            table.is_match_over = True
            if self.is_current(table):
                self.touch(table)
            else:
                table.clear_update_cache()

    def on_match_over(self, match: str) -> None:
        """Open the loaded tables of a finished match to everyone."""
        for table in self.registry.all():
            if table.header.match is not None and table.header.match.id == match and not table.is_match_over:
                table.is_match_over = True
                self.touch(table)

    def get(self, table_id: str) -> Table:
        """Return a loaded table. Raise `NotFoundError` if it is not loaded."""
        table = self.registry.get(table_id)
        if table is None:
            raise NotFoundError("table-not-in-memory")
        return table

    async def viewer(self, table: Table, person: str) -> Viewer:
        """Return the viewer-specific part of a table for a person."""
        return table.viewer(person, await self.blocked_by(person) if table.chat else frozenset())

    async def blocked_by(self, person: str) -> frozenset[str]:
        """Return the people whose chat this person has blocked."""
        return (await self.relationships.get(person)).blocked

    async def refresh_viewer(self, person: str) -> None:
        """Update the chat of a person who has blocked or unblocked someone. Nobody else notices."""
        blocked = await self.blocked_by(person)
        for table in self.registry.all():
            for stream in table.presence.streams:
                if stream.person == person:
                    stream.viewer = table.viewer(person, blocked)
                    stream.notify()

    @property
    def has_lobby(self) -> bool:
        """Return whether this process owns the lobby, accounts and moderation."""
        return self.cluster is None or self.cluster.owns_lobby

    def is_online(self, person: str) -> bool:
        """Return whether a person is connected to the server."""
        return person in self.streams.connected_people or any(
            person in people for people in self.connected_elsewhere.values()
        )

    def is_current(self, table: Table) -> bool:
        """Return whether this is the loaded table (and not an evicted one)."""
        return self.registry.get(table.id) is table

    def lock(self, table: Table) -> asyncio.Lock:
        """Return the lock that serializes operations on a table."""
        lock: asyncio.Lock | None = table.presence.lock
        if lock is None:
            table.presence.lock = lock = asyncio.Lock()
        return lock

    def touch(self, table: Table, schedule_bots: bool = True) -> None:
        """Give a table a new version after a change outside the game, and notify its streams."""
        self.registry.bump_version(table, lambda: self.publish(table, schedule_bots))
        self.proposals.recheck(table)

    def publish(self, table: Table, schedule_bots: bool = True) -> None:
        """Notify the streams and observers of a table, and schedule its bots."""
        self.idle_players.track_questions(table)
        for stream in table.presence.streams:
            stream.notify()
        for observer in self.observers:
            observer.on_change(table)
        if schedule_bots:
            self.bots.schedule(table)

    async def commit(self, table: Table | None, change: TableChange) -> bytes | None:
        """Make a change durable. Return the earlier reply if this is a repetition."""
        if change.n + len(change.entries) > MAX_ENTRIES:
            raise NotAllowedError("table-full", most=MAX_ENTRIES)
        self.counters.pending_commits += 1
        began = perf_counter()
        try:
            outcome = await self.store.commit(change)
        finally:
            self.counters.pending_commits -= 1
        self.counters.commit.add(perf_counter() - began)
        if outcome.kind == DONE:
            return None
        if outcome.kind == REUSED:
            raise NotAllowedError("server-key-used")
        if outcome.kind == NOT_OWNER:
            if self.cluster and table is not None:
                self.cluster.mark_lost(table.id)
                if not has_committed.get():
                    raise NotOwnerError
            raise StoreUnavailableError
        if outcome.kind == CONFLICT and change.header:
            return change.reply  # the table already exists, or a person of the match was replaced
        if outcome.kind == CONFLICT:
            assert table is not None
            await self.registry.reload(table)
            self.touch(table)
            raise ConcurrentChangeError("table-quicker", await self.current_update(table, None, change.person))
        return outcome.reply

    async def current_update(self, table: Table, last_n: int | None, person: str) -> bytes:
        """Return the current table update for a person, with the events since `last_n`."""
        return table_update(table, await self.viewer(table, person), last_n)

    # Seats

    def find_seat(self, table: Table, person: str) -> int:
        """Return a person's seat and record that they were seen. Raise `ForbiddenError` if they have none."""
        seat = table.seat_of(person)
        if seat < 0:
            raise ForbiddenError("table-no-seat")
        table.presence.last_seen[seat] = time.monotonic()
        return seat

    async def commit_seating(
        self, table: Table, seating: SeatsAndSettings, change: TableChange, paused: bool | None = None
    ) -> bytes:
        """Commit and publish a new seating, with log entries for seats that changed hands since the first deal.

        `paused` pauses or resumes the clocks; `None` leaves them unchanged. When the last seat is
        taken, the game starts: nonces are fixed and cards dealt.
        """
        starts = table.phase == "waiting" and seating.is_full
        if starts:
            seating.fix_initial_holders()
        to_act = table.to_act_with(seating)
        clock_state = None if to_act is None else table.clocks_after(seating, to_act)
        if clock_state is not None and paused is not None:
            clock_state = msgspec.structs.replace(clock_state, paused=paused)
        clock_state = plans.after_seating(table, seating, clock_state)
        entries, at_ms = table.seat_change_entries(seating), table.log.time_for_entry()
        after = table.n + len(entries)
        reply = b'{"n":%d,"version":%d}' % (after, after << 32 | table.change_counter + 1)
        newcomers = [
            holder.person for holder in seating.seats if holder.kind == "person" and table.seat_of(holder.person) < 0
        ]
        change = change._replace(
            people=tuple(newcomers),
            seat_holder=next((person for person in newcomers if person != change.person), ""),
            reply=reply,
            seating=encode(seating),
            revision=table.revision,
            phase="playing" if starts else table.phase,
            n=table.n,
            entries=entries,
            at_ms=at_ms,
            columns=settings_columns(seating)
            | (table.to_act_column_with(seating, to_act) if starts or entries else {}),
        )
        new_people, old_people = seating.people(), set(table.people())
        with self.registry.collect_renames() as renames:
            current_names = (
                table.names if new_people <= old_people else await display_names(self.store, new_people | old_people)
            )
            earlier_reply = await self.commit(table, add_clock_state(change, clock_state))
        if earlier_reply is not None:
            return earlier_reply
        table.seating = seating
        table.revision += 1
        for seat, _ in entries:
            table.game_state.commit_seat_change(
                seat,
                seating.seats[seat].holder_id,
                at_ms,
                hash((change.person, change.idempotency_key)) if change.idempotency_key else 0,
            )
        if starts:
            table.game_state.begin(table.seating)
        self.clocks.update_clocks(table, clock_state)
        table.names = {**current_names, **renames}
        for person in newcomers:
            table.presence.last_seen[table.seat_of(person)] = time.monotonic()
        if change.person == table.host:
            table.presence.host_address = requesting_address.get()
        table.refresh_viewers()
        self.touch(table)
        for observer in self.observers if newcomers else ():
            observer.on_seated(newcomers)
        return reply

    # People

    async def display_name(self, person: str) -> str:
        """Return a person's display name."""
        return await display_name(self.store, person)

    def set_name(self, person: str, name: str) -> None:
        """Rename a person at all loaded tables."""
        for table in self.registry.set_name(person, name):
            self.touch(table, schedule_bots=False)

    async def withdraw_name(self, person: str) -> None:
        """Remove a person's withdrawn name from all loaded tables, including their chat."""
        for table in await self.registry.wait_loaded():
            if table.seat_of(person) >= 0 or any(record.person == person for record in table.chat):
                async with self.lock(table):
                    await self.registry.load_names(table)
                self.touch(table, schedule_bots=False)

    async def commit_people(self, change: AccountChange, tables: Collection[str] = ()) -> CommitOutcome:
        """Commit a change of people.

        When this returns, every member of the cluster has applied it, including at `tables`.
        """
        outcome = await self.store.commit(change)
        if outcome.kind == NOT_OWNER:
            raise StoreUnavailableError
        if self.cluster and outcome.kind == DONE:
            for person, merged in changed_people(change).items():
                await self.cluster.broadcast_and_wait(PersonChanged(person, merged, [*tables]))
        return outcome

    async def reload_people(self, people: Collection[str], also_ids: Collection[str] = ()) -> None:
        """Reload the tables of people whose identity has changed or was deleted, and those in `also_ids`."""
        for table in await self.registry.loaded_tables_of(people, also_ids):
            async with self.lock(table):
                await self.registry.reload(table)
            self.touch(table)
        self.streams.close_of(people)
        for callback in self.people_callbacks:
            callback()

    # Changes of ownership

    async def adopt_tables(self, claimed: Collection[ClaimedTable]) -> None:
        """Take over tables of a dead member: run their clocks and bots, even without viewers."""
        self.clocks.resume(claimed)
        await self.clocks.start_bots([table_id for table_id, _, _ in claimed])

    def release_tables(self, table_ids: Collection[str]) -> None:
        """Drop tables that another member now owns. Their people reconnect to it."""
        for table_id in table_ids:
            table = self.registry.get(table_id)
            self.clocks.flag_timer.schedule(table_id, None)
            if table is not None:
                self.registry.evict(table_id)
                for stream in [*table.presence.streams]:
                    stream.close()

    async def hand_over_table(self, table_id: str, farewell: Callable[[], bytes]) -> bool:
        """Give up a table whose people all connect through another member. Return whether that was possible."""
        table = self.registry.get(table_id)
        if table is None or table.presence.bot_tasks:
            return False
        async with self.lock(table):
            self.clocks.flag_timer.schedule(table_id, None)
            for stream in [*table.presence.streams]:
                stream.end(farewell())
            self.registry.evict(table_id)
        return True
