"""Bugs of a cluster member, planted to show that the soak finds them (``--mistake``)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from diamonds.server.cluster import ownership
from diamonds.server.cluster.cluster import Cluster
from diamonds.server.cluster.membership import ClusterMembership
from diamonds.server.cluster.notices import NoticeRouter
from diamonds.server.cluster.ownership import TableOwnership
from diamonds.server.http.cluster_routes import ClusterRoutes
from diamonds.server.storage import cluster, tables


def former_owner_writes() -> None:
    """Let a former owner keep playing a table, and let the store accept its writes."""
    cluster.lock_owned = _owned_by_all  # type: ignore[assignment]

    async def lose_nothing(_: Any) -> set[str]:
        return set()

    async def unchecked(_: Any) -> None:
        return None

    async def rejoined(member: Any, _: bool) -> None:
        member._apply_number()

    TableOwnership.refresh_owned = lose_nothing  # type: ignore[method-assign]
    Cluster._on_rejoin = rejoined  # type: ignore[method-assign]
    Cluster.mark_lost = lambda *_: None  # type: ignore[method-assign]
    ClusterMembership.wait_joined = unchecked  # type: ignore[method-assign]


def _owned_by_all(_: Any, __: int, resources: Collection[str]) -> set[str]:
    return {*resources}


def double_claim() -> None:
    """Give a table to every member that claims it, even if another member owns it."""
    owner_of = cluster.owner_of

    def nobody(connection: Any, resource: str) -> Any:
        owner = owner_of(connection, resource)
        return owner if owner is None or resource == cluster.LOBBY else owner._replace(member=None)

    def claim(connection: Any, resource: str, member: int, former: int, counters: int) -> Any:
        if resource == cluster.LOBBY:
            return claim_lobby(connection, resource, member, former, counters)
        return tables.reserve_counters(connection, counters)

    claim_lobby = cluster.claim
    cluster.owner_of, cluster.claim, cluster.lock_owned = nobody, claim, _owned_by_all  # type: ignore[assignment]


def lost_notice() -> None:
    """Lose all notifications between members."""

    async def unheard(*_: Any) -> None:
        return None

    NoticeRouter.receive = unheard  # type: ignore[method-assign]


def forward_after_release() -> None:
    """Let a member answer every forwarded request, even for a table that it has released."""

    async def answered(routes: Any, _: int, __: str, ___: bool, *request: Any) -> None:
        await routes.app.answer(*request)

    ClusterRoutes._answer_forwarded = answered  # type: ignore[assignment, method-assign]
    TableOwnership.forget_location = lambda *_: None  # type: ignore[method-assign]
    ownership.LOCATION_TTL_S = 3600


PLANTED_BUGS = {each.__name__: each for each in (former_owner_writes, double_claim, lost_notice, forward_after_release)}
