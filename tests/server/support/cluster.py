"""Cluster members, each run as a server in a thread."""

import contextlib
import functools
import threading
from collections.abc import Collection, Iterator
from typing import Any

import pytest

from diamonds import operating_system
from diamonds.server.cluster.cluster import Cluster
from diamonds.server.cluster.membership import ClusterMembership
from diamonds.server.http.app import DiamondsApp
from diamonds.server.http.internal_listener import InternalListener
from diamonds.server.lobby import seeks, streams
from diamonds.server.storage.postgres_connection import PostgresConnection
from diamonds.server.uvicorn_server import ALWAYS_SENT_HEADERS, DiamondsServer
from tests.server.support import shared_workers
from tests.server.support.client import WAIT_TIMEOUT_S, Client, close_connections, wait_until
from tests.server.support.live_server import LiveServer, evict_tables, seat_guests
from tests.server.support.postgres_cluster import PostgresCluster


class ClusterServer(LiveServer):
    """A `LiveServer` that is a member of a cluster."""

    is_crashed = False

    def _build(self, store: Any) -> None:
        self.inner_socket = InternalListener()
        membership = ClusterMembership(store, self.inner_socket, operating_system.machine_id())
        self.cluster = Cluster(membership, b"k" * 32, ALWAYS_SENT_HEADERS)
        self.app = DiamondsApp(store, b"k" * 32, self.config, self.cluster)
        self.uvicorn_server = DiamondsServer(self.app, internal_listener=self.inner_socket)

    def close(self) -> None:
        if not self.is_crashed:
            super().close()
        self.inner_socket.close()

    def crash(self) -> None:
        """Stop as a killed process does: without closing anything or notifying other members."""
        self.is_crashed = True
        self.call_on_loop(self._cut)
        session = self.session
        self.freeze()
        session.close()
        shared_workers.return_routes(self.app.litestar_app)

    def _cut(self) -> None:
        for listening in self.uvicorn_server.servers:
            listening.close()
        for connection in self.connections:
            connection.transport.abort()

    def freeze(self) -> threading.Event:
        """Stop the event loop with every connection open until the returned event is set."""
        hangs, awakes = threading.Event(), threading.Event()

        def hang() -> None:
            hangs.set()
            awakes.wait()

        self.loop.call_soon_threadsafe(self.loop.call_soon, hang)  # after the tasks already scheduled
        assert hangs.wait(WAIT_TIMEOUT_S), "expected the event loop to stop"
        return awakes

    @property
    def session(self) -> PostgresConnection:
        """The database session that keeps the member registered."""
        found = self.cluster.membership.session
        assert found is not None
        return found

    @property
    def member_number(self) -> int:
        return self.cluster.membership.number

    def owns(self, table: str) -> bool:
        return self.cluster.owns(table)


@contextlib.contextmanager
def two_servers(database_url: str, **config: Any) -> Iterator[tuple[ClusterServer, ClusterServer]]:
    """Open two members that share one database; the first owns the lobby."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "COALESCE_S", 0.0)
        patch.setattr(seeks, "MATCH_INTERVAL_S", 0.01)
        first = ClusterServer(database_url=database_url, **config)
        wait_until(lambda: first.cluster.owns_lobby, "expected a member to own the lobby")
        second = ClusterServer(database_url=database_url, **config)
        wait_until(lambda: len(first.cluster.membership.alive) == 2, "expected each member to find the other")
        assert not second.cluster.owns_lobby
        yield first, second
        close_connections()
        second.close()
        first.close()


def seat_alternately(
    members: tuple[ClusterServer, ClusterServer], game: str = "fourteen", seats: int = 3, **more: Any
) -> tuple[str, list[Client]]:
    """Return a table whose players connect to the members in turn."""
    guests = [members[k % 2].new_client() for k in range(seats)]
    return seat_guests(guests, game, **more), guests


def owner_and_other(members: tuple[ClusterServer, ClusterServer], table: str) -> tuple[ClusterServer, ClusterServer]:
    return members if members[0].owns(table) else (members[1], members[0])


def via(server: ClusterServer, guest: Client) -> Client:
    """Return a client of the same person that connects to another member."""
    twin = Client(server.port)
    twin.headers = {**guest.headers, **({"Host": f"localhost:{server.port}"} if "Host" in guest.headers else {})}
    return twin


def release_table(members: Collection[ClusterServer], postgres_cluster: PostgresCluster, table: str) -> None:
    """Evict a table from memory, and wait until no member owns it or considers another member the owner."""
    for member in members:
        if member.owns(table):
            evict_tables(member, table)
    wait_until(
        lambda: postgres_cluster.query(f"SELECT owner FROM tables WHERE id = '{table}'") == [(0,)],
        "expected the table to be released",
    )
    for member in members:
        member.call_on_loop(functools.partial(member.cluster.ownership.forget_location, table))
