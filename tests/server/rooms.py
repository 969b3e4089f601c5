"""Several processes that keep one house, each in a thread of the tests."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from guests import PATIENCE, Guest, House, hang_up, until

from diamonds.server.house import neighbours
from diamonds.server.house.neighbours import Neighbours
from diamonds.server.meeting import hall, seeks
from diamonds.server.store import postgres, sharing_sql
from diamonds.server.wire import app as wire_app
from diamonds.server.wire.app import Setup


class Room(House):
    """One process of a house in PostgreSQL, in a thread; what is handed on to it comes to the door that others use."""

    def open(self) -> None:
        """See `House`."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("guests.PostgresStore", self._store)
            patch.setattr("guests.App", self._app)
            super().open()

    def _store(self, address: str) -> postgres.PostgresStore:
        found = postgres.PostgresStore(address, alone=False)
        assert found.sharing is not None
        found.sharing.listener.seal.use(self.key)
        return found

    def _app(self, *given: Any) -> Any:
        found = wire_app.App(*given)
        assert found.tables.neighbours is not None
        found.tables.neighbours.door = f"127.0.0.1:{self.port}"
        return found

    @property
    def neighbours(self) -> Neighbours:
        """What it knows of the others."""
        found = self.app.tables.neighbours
        assert found is not None
        return found


@contextlib.contextmanager
def two_rooms(address: str, settings: Setup | None = None) -> Iterator[tuple[Room, Room]]:
    """Two processes that keep one house in a database; the first is where people find each other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hall, "GATHER", 0.0)
        patch.setattr(seeks, "LOOK", 0.01)
        patch.setattr(sharing_sql, "_ALIVE", "true")  # nobody is taken for dead, however busy the machine is
        patch.setattr(neighbours, "SURE", PATIENCE)
        one = Room(settings=settings, address=address)
        other = Room(settings=settings, address=address)
        until(lambda: len(one.neighbours.alive) == len(other.neighbours.alive) == 2, "they do not know each other")
        assert one.neighbours.is_hall
        assert not other.neighbours.is_hall
        yield one, other
        hang_up()
        other.close()
        one.close()


def at(room: Room, guest: Guest) -> Guest:
    """The same person, at another process."""
    twin = Guest(room.port)
    twin.headers = {**guest.headers, **({"Host": f"localhost:{room.port}"} if "Host" in guest.headers else {})}
    return twin
