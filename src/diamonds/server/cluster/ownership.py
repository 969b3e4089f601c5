"""Ownership: at most one member owns a table, and one owns the lobby.

A request for a table without a live owner makes the member where it arrives the owner. So a proxy that hashes table ids
decides where tables live. Fencing is in the store: a commit changes a table only while this member owns it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from diamonds.server.cluster.membership import ClusterMembership
from diamonds.server.storage import cluster
from diamonds.server.storage.cluster import Member

COUNTER_BLOCK_SIZE = 4096  # version counters reserved by a claim
LOCATION_TTL_S = 5.0
MAX_LOCATIONS = 20_000
ENDING_DELAY_S = 0.1  # between attempts to claim what a member that is ending owns
CLAIM_DELAY_S = 0.01  # between attempts to claim what another member is claiming


class TableOwnership:
    """Owners of tables and of the lobby, as this member knows them."""

    def __init__(self, membership: ClusterMembership) -> None:
        self.membership, self.database = membership, membership.database
        self.owned: dict[str, int] = {}  # by resource: the first version counter reserved by its claim
        # Called with the first of the version counters that a claim has reserved.
        self.on_counters_reserved: Callable[[int], None] = lambda first: None
        self._locations: dict[str, tuple[Member, float]] = {}  # owners, and until when they are cached
        self._locating: dict[str, asyncio.Task[Member | None]] = {}
        self._releasing: dict[str, asyncio.Future[None]] = {}
        self.released: set[str] = set()  # not claimed again for requests forwarded to this former owner

    async def locate(self, resource: str, reads: bool = False) -> Member | None:
        """Return the owner of a resource; `None` if that is this member, which claims unowned ones.

        A request that only `reads` does not claim finished tables.
        """
        # Another member may have claimed the resource since the session was lost.
        if resource in self.owned and not self.membership.check_session():
            await self.membership.wait_joined()
        if resource in self.owned:
            return None
        member, until = self._locations.get(resource, (None, 0.0))
        if member is not None and until > asyncio.get_running_loop().time() and member.number in self.membership.alive:
            return member
        if resource in self._releasing:
            await self._releasing[resource]
        if reads:
            owner = await self.database.read(cluster.owner_of, resource)
            if owner is None or (owner.phase == "over" and owner.member is None):
                return None
            if resource in self.owned:  # another request has claimed it meanwhile
                return await self.locate(resource)
        task = self._locating.get(resource)
        if task is None:
            task = self._locating[resource] = asyncio.get_running_loop().create_task(self._locate(resource))
            task.add_done_callback(lambda _: self._locating.pop(resource, None))
        return await asyncio.shield(task)

    async def _locate(self, resource: str) -> Member | None:
        while True:
            await self.membership.wait_joined()
            owner, number = await self.database.read(cluster.owner_of, resource), self.membership.number
            if owner is None:
                return None
            if owner.member is None or owner.member.number == number:
                first: int | None = await self.database.write(
                    cluster.claim, resource, number, owner.number, COUNTER_BLOCK_SIZE
                )
                if first is not None:
                    self.mark_owned(resource, first)
                    return None
                await asyncio.sleep(CLAIM_DELAY_S)
            elif owner.is_ending:
                await asyncio.sleep(ENDING_DELAY_S)
            else:
                return self.remember(resource, owner.member)

    def remember(self, resource: str, member: Member) -> Member:
        """Cache for a while that a member owns a resource. Return the member."""
        if len(self._locations) >= MAX_LOCATIONS:
            self._locations.clear()
        self._locations[resource] = (member, asyncio.get_running_loop().time() + LOCATION_TTL_S)
        self.membership.alive.setdefault(member.number, member)
        return member

    def forget_location(self, resource: str) -> None:
        """Forget the cached owner of a resource, because it has changed or is unreachable."""
        self._locations.pop(resource, None)

    def forget_member(self, number: int) -> None:
        """Forget a member as the cached owner of any resource."""
        self._locations = {resource: known for resource, known in self._locations.items() if known[0].number != number}

    def mark_owned(self, resource: str, first: int) -> None:
        """Record ownership of a resource, with version counters from `first`.

        A request and a takeover may both claim it. The first claim counts, because the table may be loading already.
        """
        self.owned.setdefault(resource, first)
        self._locations.pop(resource, None)
        self.released.discard(resource)
        self.on_counters_reserved(first)

    async def release(self, table: str) -> None:
        """Release a table without viewers. Requests that arrive meanwhile wait."""
        if self.owned.pop(table, None) is None:
            return
        released = self._releasing[table] = asyncio.get_running_loop().create_future()
        try:
            await self.database.write(cluster.release, self.membership.number, table)
            if len(self.released) >= MAX_LOCATIONS:
                self.released.clear()
            self.released.add(table)
        finally:
            del self._releasing[table]
            released.set_result(None)

    async def refresh_owned(self) -> set[str]:
        """Read what this member still owns after it lost its session. Return what it has lost."""
        lost = self.owned.keys() - await self.database.read(cluster.owned_resources, self.membership.number)
        for resource in lost:
            self.owned.pop(resource, None)
        return lost
