"""The cluster as one process sees it: members, owners, forwarding, notices, and takeover from dead members.

`ClusterRoutes` (in `http/`) asks `TableOwnership.locate` for the owner of a request's resource, and forwards the
request if that is another member.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any

from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.cluster.errors import MemberUnreachableError
from diamonds.server.cluster.forwarding import RequestForwarder
from diamonds.server.cluster.membership import REJOIN_DELAY_S, ClusterMembership
from diamonds.server.cluster.notices import PING_PATH, MemberNotice, NoticeRouter
from diamonds.server.cluster.ownership import COUNTER_BLOCK_SIZE, TableOwnership
from diamonds.server.storage import cluster
from diamonds.server.storage.cluster import LOBBY, ClaimedTable, Member
from diamonds.server.storage.commit_outcomes import StoreUnavailableError
from diamonds.server.storage.postgres_connection import PostgresConnection

PROBE_INTERVAL_S = 1.0
PROBE_TIMEOUT_S = 1.0
MAX_FAILED_PROBES = 2  # consecutive, before a member is ended
JOIN_TIMEOUT_S = 10.0
TAKEOVER_BATCH_SIZE = 20
TAKEOVER_PAUSE_S = 0.02  # between batches, so that the tables of one are loaded before the next
HANDOVER_AFTER_S = 20.0  # a table moves to another member if all requests came from there for this long
HANDOVER_REQUESTS = 20
HANDOVER_INTERVAL_S = 1.0
MAX_COUNTED_TABLES = 20_000

log = logging.getLogger("diamonds")


class Cluster:
    """This member and its connections to all others. `ClusterRoutes` sets its callbacks."""

    on_lobby_owner_change: Callable[[], Awaitable[None]]
    on_rejoin: Callable[[bool], Awaitable[None]]  # called with `True` if this member's number is new
    on_tables_lost: Callable[[Collection[str]], None]  # called with tables that others have claimed
    on_takeover: Callable[[list[ClaimedTable]], Awaitable[None]]
    on_member_death: Callable[[int], None]
    on_handover: Callable[[str], Coroutine[Any, Any, None]]  # called with a table to give up
    on_server_time: Callable[[int], None]  # called with another member's server time (ms)

    def __init__(self, membership: ClusterMembership, key: bytes, always_sent: Collection[bytes]) -> None:
        self.database, self.membership = membership.database, membership
        self.ownership = TableOwnership(membership)
        self.forwarder = RequestForwarder(key, always_sent)
        self.notices = NoticeRouter(self.forwarder)
        self.lobby_owner: Member | None = None  # None if this member owns the lobby
        self._lobby_owner_number = 0
        self.probing: set[int] = set()  # members being asked whether they are alive
        self._taking_over: set[int] = set()
        # By table: the member that forwards all requests, their number, and the time of the first.
        self._forwarded: dict[str, tuple[int, int, float]] = {}
        self._handed_over_at = 0.0
        self._tasks = BackgroundTasks()
        membership.on_change = self._on_members_change
        membership.on_rejoin = self._on_rejoin
        self.forwarder.on_silence = lambda member: self._tasks.start(self._probe(member))

    # Start and stop

    async def join(self) -> int | None:
        """Join the cluster. Return the server's time (ms) from another member; `None` if this member has to set it.

        Only the first member sets it. A member without a session may be alive and about to register again, so
        it is asked too.
        """
        await self.membership.join()
        self._apply_number()
        deadline = time.monotonic() + JOIN_TIMEOUT_S
        while True:
            alive, missing = self.membership.alive, self.membership.missing
            serving = [member for member in alive.values() if member.serving]
            for member in (*serving, *(member for member in missing.values() if member.serving)):
                if (now := await self._ask_time(member)) is not None:
                    return now
            if not serving and min(alive, default=self.membership.number) >= self.membership.number:
                return None
            if time.monotonic() >= deadline:
                raise StoreUnavailableError
            for member in serving:
                await self._end_hung(member, self.membership.session)
            await asyncio.sleep(REJOIN_DELAY_S)
            await self.membership.refresh_members()

    def _apply_number(self) -> None:
        self.database.member = self.forwarder.member_number = self.membership.number

    async def start(self) -> None:
        """Start to serve and to watch the other members."""
        await self._locate_lobby()
        self.membership.start()
        self._tasks.start(self._probe_forever())

    async def stop(self) -> None:
        """Leave the cluster; other members claim what this one owned."""
        self._tasks.cancel()
        self.notices.close()
        await self.membership.leave()
        await self.forwarder.close()

    # Ownership

    def owns(self, resource: str) -> bool:
        """Return whether this member owns a table or the lobby."""
        return resource in self.ownership.owned

    @property
    def owns_lobby(self) -> bool:
        """Return whether this member owns the lobby."""
        return self.owns(LOBBY)

    async def _locate_lobby(self) -> None:
        self.lobby_owner = await self.ownership.locate(LOBBY)
        number = self.lobby_owner.number if self.lobby_owner else self.membership.number
        if number != self._lobby_owner_number:
            self._lobby_owner_number = number
            if self.owns_lobby:
                log.info("This member owns the lobby.", extra={"member": number})
            await self.on_lobby_owner_change()

    async def _on_members_change(self, dead: set[int]) -> None:
        for number in dead:
            self.on_member_death(number)
            await self.forwarder.disconnect(number)
            if number not in self._taking_over:
                self._taking_over.add(number)
                self._tasks.start(self._take_over(number))
        await self._locate_lobby()
        # A missing member may register again under its number, and then needs the notices sent meanwhile.
        self.notices.keep_members({*self.membership.alive, *self.membership.missing})

    async def claim_clocks(self) -> list[ClaimedTable]:
        """Claim all tables with running clocks that no live member owns."""
        return await self._claim(cluster.claim_clocks)

    async def _claim(self, work: Callable[..., tuple[list[ClaimedTable], int]], *args: int) -> list[ClaimedTable]:
        claimed, first = await self.database.write(work, self.membership.number, COUNTER_BLOCK_SIZE, *args)
        for table, _, _ in claimed:
            self.ownership.mark_owned(table, first)
        return claimed

    async def _take_over(self, dead: int) -> None:
        """Take over a dead member's tables in batches, together with the other survivors."""
        try:
            await self.database.write(cluster.end_sessions, dead)
            while claimed := await self._claim(cluster.take_over, dead, TAKEOVER_BATCH_SIZE):
                await self.on_takeover(claimed)
                await asyncio.sleep(TAKEOVER_PAUSE_S)
            await self.database.write(cluster.remove_dead_member, dead)
        except StoreUnavailableError:
            self.membership.poll_now()
        except Exception:
            log.exception("Failed to take over the tables of a dead member.")
        finally:
            self._taking_over.discard(dead)

    async def _on_rejoin(self, is_new: bool) -> None:
        """Continue after a lost session with whatever no other member has claimed."""
        self._apply_number()
        lost = await self.ownership.refresh_owned()
        if is_new:
            lost = {*lost, *self.ownership.owned}
            self.ownership.owned.clear()
        self.on_tables_lost(lost - {LOBBY})
        if LOBBY in lost:
            self._lobby_owner_number = 0
        await self.on_rejoin(is_new)
        self.membership.poll_now()

    def mark_lost(self, table: str) -> None:
        """Give up a table that another member owns, as a commit has shown."""
        self.ownership.owned.pop(table, None)
        self.on_tables_lost([table])

    # Unresponsive members

    async def _probe_forever(self) -> None:
        """Probe the next member regularly, so that each member is probed by one other."""
        while True:
            await asyncio.sleep(PROBE_INTERVAL_S)
            numbers = sorted(self.membership.alive)
            after = [number for number in numbers if number > self.membership.number] or numbers
            member = self.membership.alive[after[0]] if after else None
            if member is not None and member.number != self.membership.number:
                await self._probe(member)

    async def _probe(self, member: Member) -> None:
        """Ask a member for the time, and end it if it stays silent."""
        number, session = member.number, self.membership.session
        if number in self.probing:
            return
        self.probing.add(number)
        try:
            for _ in range(MAX_FAILED_PROBES):
                if (now := await self._ask_time(member)) is not None:
                    self.on_server_time(now)
                    return
            if number in self.membership.alive and await self._end_hung(member, session):
                # Requests that wait for a reply of that member then look for another owner.
                self.ownership.forget_member(number)
                await self.forwarder.disconnect(number)
        finally:
            self.probing.discard(number)

    async def _ask_time(self, member: Member) -> int | None:
        """Return the server's time (ms) from another member; `None` if it does not respond."""
        try:
            return int(await self.forwarder.call(member, PING_PATH, timeout_s=PROBE_TIMEOUT_S))
        except MemberUnreachableError:
            return None

    async def _end_hung(self, member: Member, session: PostgresConnection | None) -> bool:
        """End a member that no longer responds, if that is allowed now. Return whether it has ended.

        Perhaps this process was cut off instead. Its writes then wait until it is connected again, so it asks the
        member once more after marking it as hung. It ends nobody if it has lost the `session` that it had when it
        first asked.
        """
        write = self.database.write
        with contextlib.suppress(StoreUnavailableError):
            if (
                self.membership.check_session()
                and await write(cluster.mark_hung_member, member.number)
                and await self._ask_time(member) is None
                and self.membership.check_session()
                and self.membership.session is session
                and await write(cluster.end_hung_member, member.number)
            ):
                log.warning("Ended an unresponsive member.", extra={"member": member.number})
                self.membership.poll_now()
                return True
        return False

    # Tables whose requests arrive at other members

    def count_request(self, table: str, member: int) -> None:
        """Count a request for a table of this member. `member` is the one that forwarded it, or 0."""
        if not member:
            self._forwarded.pop(table, None)
            return
        now = time.monotonic()
        sender, count, since = self._forwarded.get(table, (member, 0, now))
        if sender != member:
            count, since = 0, now
        if len(self._forwarded) >= MAX_COUNTED_TABLES:
            self._forwarded.clear()
        self._forwarded[table] = (member, count + 1, since)
        is_due = count + 1 >= HANDOVER_REQUESTS and now - since >= HANDOVER_AFTER_S
        if is_due and now - self._handed_over_at >= HANDOVER_INTERVAL_S:
            self._handed_over_at = now
            del self._forwarded[table]
            self._tasks.start(self.on_handover(table))

    # Notices

    async def broadcast_and_wait(self, notice: MemberNotice) -> None:
        """Send a notice to all other members, and wait until each has handled it or is gone.

        The members are read from the database. One that joins later reads the changed data itself.
        """
        alive, missing = await self.database.read(cluster.load_members)
        await asyncio.gather(*self._send_to_others(alive | missing, notice))

    def publish(self, notice: MemberNotice) -> None:
        """Send a notice to all other members without waiting."""
        self._send_to_others(self.membership.alive, notice)

    def _send_to_others(self, members: dict[int, Member], notice: MemberNotice) -> list[asyncio.Future[None]]:
        own = self.membership.number
        return [self.notices.send(member, notice) for number, member in members.items() if number != own]

    def notify_lobby_owner(self, notice: MemberNotice) -> None:
        """Send a notice to the lobby owner, if that is another member."""
        if self.lobby_owner is not None and not self.owns_lobby:
            self.notices.send(self.lobby_owner, notice)
