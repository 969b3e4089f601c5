"""Members of one cluster, each a server in a thread of the tests."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import kept
import pytest
from guests import PATIENCE, Asked, Guest, House, hang_up, until

from diamonds import machine
from diamonds.server.cluster.cluster import Cluster
from diamonds.server.cluster.part import Part
from diamonds.server.listening import listen
from diamonds.server.main import SENT_ANYWAY, Server
from diamonds.server.meeting import hall, seeks
from diamonds.server.store.postgres import PostgresStore
from diamonds.server.store.postgres_connection import Connection
from diamonds.server.wire.app import App, Setup
from diamonds.server.wire.inner import InnerSocket


class Room(House):
    """One member, in a thread."""

    dead = False

    def open(self) -> None:
        """See `House`."""
        listening = listen("127.0.0.1", self.port)
        store: Any = PostgresStore(self.address)
        self.kept = Asked(store, self)
        self.inner = InnerSocket()
        cluster = Part(store, self.inner, machine.name()).cluster(self.key, SENT_ANYWAY)
        assert cluster is not None
        self.cluster: Cluster = cluster
        self.app = App(store, self.key, self.settings, cluster)
        self._server = Server(self.app, inner=self.inner)
        self.thread = threading.Thread(target=self._run, args=(listening,), daemon=True)
        self.thread.start()
        until(lambda: self._server.started, "the server did not start")

    def close(self) -> None:
        """See `House`."""
        if not self.dead:
            super().close()
        self.inner.close()

    def die(self) -> None:
        """End as a process that is killed does: all at once, without a last word to anybody."""
        self.dead = True
        self.call(self._cut)
        session = self.session
        self.hang()
        session.close()
        kept.give_back(self.app.rest)

    def _cut(self) -> None:
        for listening in self._server.servers:
            listening.close()
        for connection in self.connections:
            connection.transport.abort()

    def hang(self) -> threading.Event:
        """Do nothing any more, with every connection open, until the event that is returned is set."""
        hangs, awakes = threading.Event(), threading.Event()

        def hang() -> None:
            hangs.set()
            awakes.wait()

        self._loop.call_soon_threadsafe(self._loop.call_soon, hang)  # after what is under way
        assert hangs.wait(PATIENCE), "the server does not hang"
        return awakes

    @property
    def session(self) -> Connection:
        """The session that stands for its life."""
        found = self.cluster.membership._session
        assert found is not None
        return found

    @property
    def number(self) -> int:
        """Its number among the members."""
        return self.cluster.membership.number

    def owns(self, table: str) -> bool:
        """Whether it owns a table."""
        return self.cluster.owns(table)


@contextlib.contextmanager
def two_rooms(address: str, settings: Setup | None = None) -> Iterator[tuple[Room, Room]]:
    """Two members that serve from one database; the first owns the lobby."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hall, "GATHER", 0.0)
        patch.setattr(seeks, "LOOK", 0.01)
        one = Room(settings=settings, address=address)
        until(lambda: one.cluster.has_lobby, "nobody owns the lobby")
        other = Room(settings=settings, address=address)
        until(lambda: len(one.cluster.membership.alive) == 2, "they do not know each other")
        assert not other.cluster.has_lobby
        yield one, other
        hang_up()
        other.close()
        one.close()


def at(room: Room, guest: Guest) -> Guest:
    """The same person, at another member."""
    twin = Guest(room.port)
    twin.headers = {**guest.headers, **({"Host": f"localhost:{room.port}"} if "Host" in guest.headers else {})}
    return twin
