"""This process's part in the database's cluster: a member among others, or the only one."""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Any, Protocol

from diamonds.server.cluster.cluster import Cluster
from diamonds.server.cluster.membership import ClusterMembership
from diamonds.server.store import cluster_sql

log = logging.getLogger("diamonds")


class Listener(Protocol):
    """The socket at which other members reach this one."""

    address: str
    certificate: str


class Part:
    """Start and end of a process's membership. Without a ``listener`` it serves alone, and keeps all others out."""

    def __init__(self, store: Any, listener: Listener | None, machine: str) -> None:
        self.store, self.alone = store, listener is None
        address, certificate = (listener.address, listener.certificate) if listener else ("", "")
        self.membership = ClusterMembership(store, address, machine, certificate)
        store.check = self.membership.check

    async def join(self, keys: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
        """Return the keys of the server. A process that serves alone is a member from now on; others join when they start."""
        if self.alone:
            await self.membership.join()
            await self.store.write(cluster_sql.disown_all, None)
        found: tuple[bytes, bytes] = await self.store.write(cluster_sql.shared_keys, keys)
        return found

    async def warn_of_strangers(self) -> None:
        """Log a warning if other users of the database server can connect to the database."""
        name = await self.store.read(cluster_sql.open_to_all)
        if name:
            log.warning(
                "Every user of the database server can connect to this database: run REVOKE CONNECT ON DATABASE %s FROM PUBLIC.",
                name,
            )

    def cluster(self, key: bytes, sent_anyway: Collection[bytes]) -> Cluster | None:
        """Return the cluster as this process sees it; ``None`` if it serves alone."""
        return None if self.alone else Cluster(self.store, self.membership, key, sent_anyway)

    async def leave(self) -> None:
        """End the membership."""
        await self.membership.leave()
