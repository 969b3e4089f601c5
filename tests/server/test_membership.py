"""A member is alive while its database session lives: what happens when that is lost, or when the member hangs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from guests import Apart, first_legal, until
from rooms import Room, at
from stores import Place
from test_cluster import answer, seated

from diamonds.server.cluster.cluster import Cluster
from diamonds.server.cluster.membership import OtherProtocolError
from diamonds.server.cluster.part import Part
from diamonds.server.store import cluster_sql

pytestmark = pytest.mark.later

KEYS = (b"k" * 32, b"p" * 32)
STARTED: list[Process] = []


class Listens:
    """Where others would reach a member, if it listened there."""

    address, certificate = "unix:/nowhere", ""


@pytest.fixture
def place(cluster: Any) -> Iterator[Place]:
    """An empty database."""
    with Apart() as apart:
        place = Place("postgresql", cluster.empty_database(), apart)
        yield place
        while STARTED:
            STARTED.pop().leave()
        place.close()


class Process:
    """A process that takes part, as far as its membership goes."""

    def __init__(self, place: Place, alone: bool = False, machine: str = "here") -> None:
        self.apart = place.apart
        self.store = place.open()
        self.part = Part(self.store.real, None if alone else Listens(), machine)
        self.alone = alone
        STARTED.append(self)

    def join(self) -> tuple[bytes, bytes]:
        """Become a member; the keys that it uses."""

        async def join() -> tuple[bytes, bytes]:
            keys = await self.part.join(KEYS)
            if not self.alone:
                await self.part.membership.join()
            return keys

        return self.apart.run(join())  # type: ignore[no-any-return]

    def leave(self) -> None:
        """End its membership."""
        self.apart.run(self.part.leave())


def refused(process: Process) -> str:
    """Why a process is not let in."""
    with pytest.raises(OtherProtocolError) as refusal:
        process.join()
    return refusal.value.message.id


@pytest.mark.parametrize(("first", "second"), [(True, True), (True, False), (False, True)])
def test_who_serves_alone_is_alone(place, first, second):
    one, other = Process(place, first), Process(place, second)
    one.join()
    assert refused(other) == "cluster-served-alone"
    one.leave()
    Process(place, second).join()


def test_members_serve_together_and_use_the_keys_of_the_first(place):
    one, other = Process(place), Process(place)
    assert one.join() == KEYS
    other.part.store.real = None
    assert place.apart.run(other.part.join((b"x" * 32, b"y" * 32))) == KEYS
    place.apart.run(other.part.membership.join())
    assert sorted(other.part.membership.alive) == [one.part.membership.number, other.part.membership.number]


def test_a_member_of_another_protocol_is_refused(place, monkeypatch):
    one, other = Process(place), Process(place)
    one.join()
    monkeypatch.setattr(cluster_sql, "PROTOCOL", cluster_sql.PROTOCOL + 1)
    assert refused(other) == "cluster-other-version"
    assert place.sql("SELECT count(*) FROM members") == [(1,)], "who was refused stays a member"


def test_a_member_on_another_machine_needs_an_address_there(place):
    one, other = Process(place), Process(place, machine="there")
    one.join()
    assert refused(other) == "cluster-other-machine"


def test_a_row_that_others_wrote_makes_nobody_alive(place):
    """A process id is not enough: the session must have begun at the moment that the row says."""
    process = Process(place)
    process.join()
    place.sql(
        "INSERT INTO members (pid, started, sessions, address, machine, protocol, certificate, serving)"
        " SELECT pid, started::bigint + 1, sessions, address, machine, protocol, certificate, serving FROM members"
    )
    with contextlib.ExitStack() as stack:
        session = process.store.real.open_session()
        stack.callback(session.close)
        until(lambda: not _just_started(session), "the server has just started for ever")
        alive, dead = cluster_sql.members(session)
    assert [member.number for member in alive] == [process.part.membership.number]
    assert len(dead) == 1


def _just_started(session: Any) -> bool:
    return bool(session.execute(f"SELECT {cluster_sql._RESTARTED}").get)


def other_of(rooms: tuple[Room, Room], table: str) -> tuple[Room, Room]:
    """The owner of a table, and the other member."""
    return rooms if rooms[0].owns(table) else (rooms[1], rooms[0])


def test_a_session_that_is_ended_costs_a_member_nothing(rooms, cluster):
    id, guests = seated(rooms, game="mines", seats=2)
    first, _ = other_of(rooms, id)
    number, version = first.number, answer(guests, id)["version"]
    taps = [room.guest().listen(id) for room in rooms]
    for tap in taps:
        until(lambda tap=tap: tap.events, "a stream says nothing")
    session = first.session
    cluster.ask(f"SELECT pg_terminate_backend({session.raw.info.backend_pid})")
    until(lambda: first.cluster.membership._session not in (None, session), "it does not register anew")
    told = answer(guests, id)
    assert told["version"] > version
    for tap in taps:
        until(lambda tap=tap: tap.newest["version"] >= told["version"], "a stream does not go on")
    assert first.owns(id)
    assert first.number == number


def test_members_tables_and_streams_outlive_a_restart_of_the_database(rooms, cluster):
    id, guests = seated(rooms, game="mines", seats=2)
    first, _ = other_of(rooms, id)
    numbers, version = [room.number for room in rooms], answer(guests, id)["version"]
    taps = [room.guest().listen(id) for room in rooms]
    for tap in taps:
        until(lambda tap=tap: tap.events, "a stream says nothing")
    cluster.stop()
    cluster.start()
    told = answer(guests, id)
    assert told["version"] > version
    for tap in taps:
        until(lambda tap=tap: tap.newest["version"] >= told["version"], "a stream does not go on")
    assert [room.number for room in rooms] == numbers
    assert first.owns(id)
    assert rooms[0].cluster.has_lobby


def test_a_member_that_hangs_is_ended_and_loses_its_tables(rooms, cluster):
    one, other = rooms
    guest = other.guest()
    id = guest.make(game="mines", seats=2, places=["me", "bot:simple"])
    assert other.owns(id)
    version = guest.look(id)["version"]
    awake = other.hang()
    try:
        until(lambda: other.number not in one.cluster.membership.alive, "a member that hangs lives for ever")
        twin = at(one, guest)
        until(lambda: twin.look(id)["ask"], "the bot does not move")
        message = twin.look(id)
        assert message["version"] >= version
        twin.answer(id, message["n"], first_legal(message))
        assert one.owns(id)
    finally:
        awake.set()
    n = message["n"] + 1
    until(lambda: not other.owns(id), "a member that hung keeps its table")
    until(lambda: len(one.cluster.membership.alive) == 2, "a member that hung does not come back")
    found = guest.look(id)
    assert found["n"] >= n, "a former owner shows what it knew"
    assert found["version"] > version


def test_all_clusters_know_the_same_lobby_owner(rooms):
    def owners() -> list[int]:
        found: list[int] = []
        for room in rooms:
            cluster: Cluster = room.cluster
            found.append(cluster.lobby.number if cluster.lobby else room.number)
        return found

    assert owners() == [rooms[0].number] * 2
