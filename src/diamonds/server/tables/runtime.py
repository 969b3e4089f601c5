"""The tables of one process: finding and loading them, committing changes, publishing, people, handing over.

Each table in memory is a computed copy of what is stored; it is loaded when first touched and evicted when nobody looks.
Operations on one table take turns (``table.presence.lock``): `tables/actions.py` has those that people and bots ask for. Of several
processes one owns each table (`cluster/`): the store refuses what a former owner writes. Should its seats have been changed with an
account, the table is loaded anew, and the caller gets the current message.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

import msgspec

from diamonds.errors import DiamondsError, NotAllowedError, NotFoundError
from diamonds.server.api.codec import encode
from diamonds.server.api.summaries import LoadedTableSummary
from diamonds.server.cluster.notices import PersonChanged
from diamonds.server.errors import ConcurrentChangeError, ForbiddenError
from diamonds.server.jobs.worker_pool import WorkerPool
from diamonds.server.metrics.counters import ServerCounters
from diamonds.server.people.names import display_name, display_names
from diamonds.server.people.relationships import RelationshipCache
from diamonds.server.people.sanctions import SanctionsCache
from diamonds.server.storage.accounts import AccountChange
from diamonds.server.storage.cluster import clocks_of
from diamonds.server.storage.interface import UNCHANGED, Store, TableChange
from diamonds.server.storage.outcomes import CONFLICT, DONE, NOT_OWNER, REUSED, Outcome, StoreUnavailableError
from diamonds.server.storage.tables import first_unreserved_counter
from diamonds.server.tables.actions import TableActions
from diamonds.server.tables.analysis import AnalysisService
from diamonds.server.tables.archive import GameArchive
from diamonds.server.tables.bots import BotService
from diamonds.server.tables.clock_service import ClockService, add_clock_state
from diamonds.server.tables.core import plans
from diamonds.server.tables.core.presence import Viewer
from diamonds.server.tables.core.seating import Seating
from diamonds.server.tables.core.table import MAX_ENTRIES, Table
from diamonds.server.tables.core.update import table_update
from diamonds.server.tables.creation import TableCreator
from diamonds.server.tables.proposals import IdlePlayers, Proposals
from diamonds.server.tables.registry import TableRegistry
from diamonds.server.tables.streams import StreamRegistry

if TYPE_CHECKING:
    from diamonds.server.cluster.cluster import Cluster

log = logging.getLogger("diamonds")


def changed_people(change: AccountChange) -> dict[str, bool]:
    """Whose name, sanctions, relationships or sign-ins a change concerns, and whether they may be another person from now on."""
    is_merged = bool(change.merged_guest or change.delete_person or change.remove_devices or change.handle)
    if not (
        is_merged or change.name or change.remove_name or change.relationship or change.device or change.moderation
    ):
        return {}
    people = {change.person, change.merged_guest, change.relationship.other if change.relationship else ""} - {""}
    return dict.fromkeys(sorted(people), is_merged)


class TableObserver(Protocol):
    """Whoever has to know what happens at all tables, while it is told to those who sit there."""

    def on_change(self, table: Table) -> None:
        """Something has happened at a table."""
        ...

    def on_seated(self, people: Sequence[str]) -> None:
        """These people have sat down at a table."""
        ...


class TableRuntime:
    """All tables that this process plays. ``cluster``: the other processes that serve with it, if there are any."""

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
        self.sanctions = SanctionsCache(store.moderation)
        self.relationships = RelationshipCache(store)
        self.idle_players = IdlePlayers(self)
        self.actions = TableActions(self)
        self.streams = StreamRegistry(self.counters.loop_delay)
        self.workers = WorkerPool(process_count)
        self.bots = BotService(self, self.workers, bot_delay, self.counters)
        self.analysis = AnalysisService(store, self.workers)
        self.archive = GameArchive(store, self.workers)
        self.observers: list[TableObserver] = []
        self.now = self.clocks.now
        self.connected_elsewhere: dict[
            int, set[str]
        ] = {}  # by member: who is connected to it, as the lobby owner knows
        self.remote_summaries: dict[
            str, LoadedTableSummary
        ] = {}  # of tables that other members have loaded, as the lobby owner knows
        if cluster:
            self.registry.owns = cluster.owns
            self.registry.read_reserved = lambda: cluster.database.read(first_unreserved_counter)
            cluster.ownership.on_counters_reserved = self.registry.raise_version_floor
        self.proposals = Proposals(self)
        self.creator = TableCreator(self)

    async def open(self) -> None:
        """The server starts; before anything else is asked of it."""
        await self.clocks.open(await self.cluster.join() if self.cluster else None)
        if self.cluster:
            await self.cluster.membership.mark_serving()
        await self.registry.open()
        await self.sanctions.refresh()

    async def close(self) -> None:
        """The server stops."""
        await self.clocks.close()
        self.analysis.close()
        self.bots.close()
        self.workers.close()
        self.streams.close()
        self.registry.close()

    async def find(self, table_id: str, person: str) -> Table:
        """A table that this person may look at; else `NotFoundError`, or `DamagedTableError` if nobody can.

        A game that is played on is there for its maker alone. Where no person has a seat, the bots rest until someone looks.
        """
        table = await self.registry.find(table_id)
        if table.presence.bots_paused and self.is_current(table):
            self.bots.resume(table)
        if table.header.fork is not None and person != table.header.host:
            raise NotFoundError("table-unknown")
        return table

    def get(self, table_id: str) -> Table:
        """A table that is in memory, or `NotFoundError`."""
        table = self.registry.get(table_id)
        if table is None:
            raise NotFoundError("table-not-in-memory")
        return table

    async def viewer(self, table: Table, person: str) -> Viewer:
        """What a person is told now of a table besides what all are."""
        return table.viewer(person, await self.blocked_by(person) if table.chat else frozenset())

    async def blocked_by(self, person: str) -> frozenset[str]:
        """Whom a person has blocked: what they say at tables is not told to that person."""
        return (await self.relationships.get(person)).blocked

    async def refresh_viewer(self, person: str) -> None:
        """Someone has blocked or unblocked somebody: they are told the lines that they hear from now on. Nobody else notices."""
        blocked = await self.blocked_by(person)
        for table in self.registry.all():
            for stream in table.presence.streams:
                if stream.person == person:
                    stream.viewer = table.viewer(person, blocked)
                    stream.notify()

    @property
    def has_lobby(self) -> bool:
        """Whether lobby, accounts and moderation are this process's."""
        return self.cluster is None or self.cluster.owns_lobby

    def is_online(self, person: str) -> bool:
        """Whether somebody is connected to the server."""
        return person in self.streams.connected_people or any(
            person in people for people in self.connected_elsewhere.values()
        )

    def is_current(self, table: Table) -> bool:
        """Whether this is the table in use (and not one that was dropped)."""
        return self.registry.get(table.id) is table

    def lock(self, table: Table) -> asyncio.Lock:
        """Operations on a table take turns."""
        lock: asyncio.Lock | None = table.presence.lock
        if lock is None:
            table.presence.lock = lock = asyncio.Lock()
        return lock

    def touch(self, table: Table, schedule_bots: bool = True) -> None:
        """Something besides the game changed: tell every reader."""
        self.registry.bump_version(table, lambda: self.publish(table, schedule_bots))
        self.proposals.recheck(table)

    def publish(self, table: Table, schedule_bots: bool = True) -> None:
        """Wake the readers, and the bots."""
        self.idle_players.track_questions(table)
        for stream in table.presence.streams:
            stream.notify()
        for observer in self.observers:
            observer.on_change(table)
        if schedule_bots:
            self.bots.schedule(table)

    async def commit(self, table: Table | None, change: TableChange) -> bytes | None:
        """Make it durable. Returns the reply of the first time, if this is a repetition."""
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
            raise StoreUnavailableError
        if outcome.kind == CONFLICT:
            assert table is not None
            await self.registry.reload(table)
            self.touch(table)
            raise ConcurrentChangeError("table-quicker", await self.current_update(table, None, change.person))
        return outcome.reply

    async def current_update(self, table: Table, last_n: int | None, person: str) -> bytes:
        """What a reader is told now, with what happened since an n."""
        return table_update(table, await self.viewer(table, person), last_n)

    # Seats

    def find_seat(self, table: Table, person: str) -> int:
        """Where somebody sits, who has just been seen there; `ForbiddenError` if nowhere."""
        seat = table.seat_of(person)
        if seat < 0:
            raise ForbiddenError("table-no-seat")
        table.presence.last_seen[seat] = time.monotonic()
        return seat

    async def commit_seating(
        self, table: Table, seating: Seating, change: TableChange, paused: bool | None = None
    ) -> bytes:
        """New places, durable and told; what changed hands since the first deal is in the log, by the same commit. ``paused`` is whether
        the clocks stand still from now on, if that changes.

        When the last seat is taken, the game starts: nonces are fixed and cards dealt.
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
            to_act=table.stored_to_act_with(seating, to_act) if starts or entries else UNCHANGED,
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
        table.refresh_viewers()
        self.touch(table)
        for observer in self.observers if newcomers else ():
            observer.on_seated(newcomers)
        return reply

    # People

    async def display_name(self, person: str) -> str:
        """What someone is called."""
        return await display_name(self.store, person)

    def set_name(self, person: str, name: str) -> None:
        """Someone is called by a name from now on, at every table."""
        for table in self.registry.set_name(person, name):
            self.touch(table, schedule_bots=False)

    async def withdraw_name(self, person: str) -> None:
        """Somebody's name was taken away: it is told nowhere any more, nor with what they have said under it."""
        for table in await self.registry.wait_loaded():
            if table.seat_of(person) >= 0 or any(record.person == person for record in table.chat):
                async with self.lock(table):
                    await self.registry.load_names(table)
                self.touch(table, schedule_bots=False)

    async def commit_people(self, change: AccountChange, tables: Collection[str] = ()) -> Outcome:
        """Commit a change of people. Every member of the cluster has acted upon it before this returns, also at ``tables``."""
        outcome = await self.store.commit(change)
        if outcome.kind == NOT_OWNER:
            raise StoreUnavailableError
        if self.cluster and outcome.kind == DONE:
            for person, merged in changed_people(change).items():
                await self.cluster.broadcast_and_wait(PersonChanged(person, merged, [*tables]))
        return outcome

    async def reload_people(self, people: Collection[str], also_ids: Collection[str] = ()) -> None:
        """Those who were these people are others now, or nobody: their tables and the ones in ``also`` are as they are stored."""
        for table in await self.registry.loaded_tables_of(people, also_ids):
            async with self.lock(table):
                await self.registry.reload(table)
            self.touch(table)
        self.streams.close_of(people)

    # What the cluster does with this process's tables

    async def adopt_tables(self, table_ids: Collection[str]) -> None:
        """Play on at tables of a member that has died: their clocks run, and bots answer, though nobody looks."""
        assert self.cluster is not None
        self.clocks.resume(await self.cluster.database.read(clocks_of, table_ids))
        for table_id in table_ids:
            with contextlib.suppress(DiamondsError):  # nobody can play there
                self.bots.schedule(await self.registry.find(table_id))

    def release_tables(self, table_ids: Collection[str]) -> None:
        """Tables are another member's: their people come back to it."""
        for table_id in table_ids:
            table = self.registry.get(table_id)
            self.clocks.flag_timer.schedule(table_id, None)
            if table is not None:
                self.registry.evict(table_id)
                for stream in [*table.presence.streams]:
                    stream.close()

    async def hand_over_table(self, table_id: str, farewell: Callable[[], bytes]) -> bool:
        """Give a table up whose people all come through another member. Returns whether it is done."""
        table = self.registry.get(table_id)
        if table is None or table.presence.bot_tasks:
            return False
        async with self.lock(table):
            self.clocks.flag_timer.schedule(table_id, None)
            for stream in [*table.presence.streams]:
                stream.end(farewell())
            self.registry.evict(table_id)
        return True
