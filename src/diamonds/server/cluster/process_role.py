"""The role of this process in the database: a member among others, or the only one."""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Any, Protocol

from diamonds.server.cluster.cluster import Cluster
from diamonds.server.cluster.membership import ClusterMembership
from diamonds.server.storage import cluster

log = logging.getLogger("diamonds")


class MemberEndpoint(Protocol):
    """The socket where other members reach this one."""

    address: str
    certificate: str


class ProcessRole:
    """Start and end of a process's membership. Without an `endpoint` it serves alone and keeps all others out."""

    def __init__(self, store: Any, endpoint: MemberEndpoint | None, machine: str) -> None:
        self.store, self.is_alone = store, endpoint is None
        address, certificate = (endpoint.address, endpoint.certificate) if endpoint else ("", "")
        self.membership = ClusterMembership(store, address, machine, certificate)
        store.wait_joined = self.membership.wait_joined

    async def join(self, keys: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
        """Return the keys of the server. A process that serves alone joins now; others join at their start."""
        if self.is_alone:
            await self.membership.join()
            await self.store.write(cluster.disown_all, None)
        shared_keys: tuple[bytes, bytes] = await self.store.write(cluster.shared_keys, keys)
        return shared_keys

    async def warn_if_public(self) -> None:
        """Log a warning if other users of the database server can connect to the database."""
        name = await self.store.read(cluster.find_public_database)
        if name:
            log.warning(
                "Every user of the database server can connect to this database. Run REVOKE CONNECT ON DATABASE %s FROM PUBLIC.",
                name,
            )

    def create_cluster(self, key: bytes, always_sent: Collection[bytes]) -> Cluster | None:
        """Return the cluster as this process sees it; `None` if it serves alone."""
        return None if self.is_alone else Cluster(self.store, self.membership, key, always_sent)

    async def leave(self) -> None:
        """End the membership."""
        await self.membership.leave()
