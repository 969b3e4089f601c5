"""Ownership: at most one member owns a table, and one owns the lobby.

A request for a table without a live owner makes the member where it arrives the owner. So a proxy that hashes table ids
decides where tables live. Fencing is in the store: a commit changes a table only while this member owns it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable

from diamonds.server.cluster.membership import ClusterDatabase, ClusterMembership
from diamonds.server.storage import cluster
from diamonds.server.storage.cluster import LOBBY, Member, OwnershipClaim, OwnershipRelease

COUNTER_BLOCK_SIZE = 4096  # version counters reserved by a claim
LOCATION_TTL_S = 5.0  # how long another owner is cached
MAX_LOCATIONS = 20_000
ENDING_DELAY_S = 0.1  # between attempts to claim what a member that is ending owns


class TableOwnership:
    """Owners of tables and of the lobby, as this member knows them."""

    def __init__(self, membership: ClusterMembership, database: ClusterDatabase) -> None:
        self.membership, self.database = membership, database
        self.owned: dict[str, int] = {}  # by resource: the first version counter reserved by its claim
        # Called with the first of the version counters that a claim has reserved.
        self.on_counters_reserved: Callable[[int], None] = lambda first: None
        self._locations: dict[str, tuple[Member, float]] = {}
        self._locating: dict[str, asyncio.Task[Member | None]] = {}
        self._releasing: dict[str, asyncio.Future[None]] = {}

    def owns(self, resource: str) -> bool:
        """Return whether this member owns a table or the lobby."""
        return resource in self.owned

    async def locate(self, resource: str, reads: bool = False) -> Member | None:
        """Return the owner of a resource; `None` if that is this member, which claims unowned ones.

        A request that only `reads` does not claim finished tables.
        """
        if resource in self.owned:
            # Without a session, another member may have claimed it, and this process must not answer for it.
            if not self.membership.check_session():
                await self.membership.wait_joined()
            if resource in self.owned:
                return None
        known = self._locations.get(resource)
        if known is not None and known[1] > asyncio.get_running_loop().time():
            if known[0].number in self.membership.alive:
                return known[0]
            del self._locations[resource]
        releasing = self._releasing.get(resource)
        if releasing is not None:
            await releasing
        if reads:
            owner = await self.database.read(cluster.owner_of, resource)
            if owner is None or (owner.phase == "over" and owner.member is None):
                return None
            if resource in self.owned:  # another request has claimed it meanwhile
                return await self.locate(resource)
        task = self._locating.get(resource)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._locate(resource))
            self._locating[resource] = task
            task.add_done_callback(lambda _: self._locating.pop(resource, None))
        return await asyncio.shield(task)

    async def _locate(self, resource: str) -> Member | None:
        while True:
            await self.membership.wait_joined()
            owner = await self.database.read(cluster.owner_of, resource)
            if owner is None:
                return None
            if owner.member is not None and owner.member.number != self.membership.number:
                if not owner.is_ending:
                    return self._remember(resource, owner.member)
                await asyncio.sleep(ENDING_DELAY_S)
                continue
            if await self._claim(resource):
                return None

    def _remember(self, resource: str, member: Member) -> Member:
        if len(self._locations) >= MAX_LOCATIONS:
            self._locations.clear()
        self._locations[resource] = (member, asyncio.get_running_loop().time() + LOCATION_TTL_S)
        self.membership.alive.setdefault(member.number, member)
        return member

    def forget_location(self, resource: str) -> None:
        """Look up a resource again: its owner has changed, or is unreachable."""
        self._locations.pop(resource, None)

    def forget_member(self, number: int) -> None:
        """Look up again everything that a member owned."""
        self._locations = {resource: known for resource, known in self._locations.items() if known[0].number != number}

    async def _claim(self, resource: str) -> bool:
        claim = OwnershipClaim(resource, self.membership.number, COUNTER_BLOCK_SIZE)
        claimed = await self.database.write(cluster.claim, claim)
        if claimed.owner != self.membership.number:
            return False
        self.mark_owned(resource, claimed.first_counter)
        return True

    def mark_owned(self, resource: str, first: int) -> None:
        """Record ownership of a resource, with version counters from `first`.

        A request and a takeover may both claim it. The first claim counts, because the table may be loading already.
        """
        self.owned.setdefault(resource, first)
        self._locations.pop(resource, None)
        self.on_counters_reserved(first)

    async def release(self, tables: Collection[str]) -> None:
        """Release tables without viewers. Requests that arrive meanwhile wait."""
        released = [table for table in tables if table in self.owned and table != LOBBY]
        if not released:
            return
        self._forget(released)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._releasing |= dict.fromkeys(released, done)
        try:
            await self.database.write(cluster.release, OwnershipRelease(self.membership.number, tuple(released)))
        finally:
            for table in released:
                self._releasing.pop(table, None)
            done.set_result(None)

    async def refresh_owned(self) -> set[str]:
        """Read what this member still owns after it lost its session. Return what it has lost."""
        still_owned = await self.database.read(cluster.owned_resources, self.membership.number)
        lost = self.owned.keys() - still_owned
        self._forget(lost)
        return lost

    def mark_lost(self, resource: str) -> None:
        """Give up a resource that another member has claimed."""
        self._forget([resource])

    def _forget(self, resources: Iterable[str]) -> None:
        for resource in resources:
            self.owned.pop(resource, None)
