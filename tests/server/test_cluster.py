"""Several members serve as one: whatever is asked at any of them is answered by the owner."""

from __future__ import annotations

from typing import Any

import pytest
from guests import KEYS, Guest, Tap, first_legal, put_to_sleep, until
from rooms import Room, at, two_rooms
from test_order import account, do

from diamonds.server.order.settings import HouseSettings
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF

pytestmark = pytest.mark.later


def seated(rooms: tuple[Room, Room], game: str = "fourteen", seats: int = 3, **more: Any) -> tuple[str, list[Guest]]:
    """A table whose people sit down at either member in turn."""
    guests = [rooms[k % 2].guest() for k in range(seats)]
    id = guests[0].make(game=game, seats=seats, places=["me"] + ["open"] * (seats - 1), takeover=0, **more)
    for seat, guest in enumerate(guests[1:], 1):
        guest.sit(id, seat=seat, invite=guests[0].invite)
    return id, guests


def asked(guests: list[Guest], id: str) -> tuple[Guest, Any]:
    """Whoever is asked at a table, and the message that says so."""
    return next((guest, found) for guest in guests if (found := guest.look(id))["ask"])


def answer(guests: list[Guest], id: str) -> Any:
    """Whoever is asked gives the first legal answer."""
    guest, message = asked(guests, id)
    return guest.answer(id, message["n"], first_legal(message))


def test_answers_at_either_member_are_seen_at_both(rooms):
    id, guests = seated(rooms)
    owners = [room for room in rooms if room.owns(id)]
    assert len(owners) == 1, "a table has one owner"
    taps = [room.guest().listen(id) for room in rooms]
    for _ in range(6):
        message = next(m for guest in guests if (m := guest.look(id))["ask"])
        guest = guests[message["seat"]]
        version = guest.answer(id, message["n"], first_legal(message))["version"]
        for other in guests:
            assert other.look(id)["version"] >= version, "a member answers with something older"
    for tap in taps:
        until(lambda tap=tap: tap.newest["n"] >= 6, "a stream does not see the answers")


# What happens when a member dies


def test_tables_of_a_dead_member_go_on_with_bots_and_clocks(time, rooms):
    one, other = rooms
    guests = [other.guest() for _ in range(2)]
    bots = guests[0].make(game="mines", seats=2, places=["me", "bot:simple"])
    timed = guests[0].make(game="mines", seats=2, places=["me", "open"], clock={"days": 1})
    guests[1].sit(timed, seat=1, invite=guests[0].invite)
    assert other.owns(bots)
    assert other.owns(timed)
    versions = {id: guests[0].look(id)["version"] for id in (bots, timed)}
    other.die()
    until(lambda: one.owns(timed) and one.owns(bots), "nobody takes over the tables of a dead member")
    twins = [at(one, guest) for guest in guests]
    until(lambda: twins[0].look(bots)["ask"], "the bot does not move")
    assert twins[0].look(bots)["version"] >= versions[bots]
    answer(twins, timed)
    assert twins[0].look(timed)["version"] > versions[timed]
    n = twins[0].look(timed)["n"]
    time.pass_by(86_400_000 + 10_000, one)
    until(lambda: twins[0].look(timed)["n"] > n, "a flag of a dead member's table does not fall")


def test_a_dead_lobby_owner_is_replaced_and_people_find_each_other(rooms):
    one, other = rooms
    guest = other.guest()
    one.die()
    until(lambda: other.cluster.has_lobby, "nobody owns the lobby of a dead member")
    id = guest.make(game="mines", seats=2, places=["me", "open"], private=False, takeover=0)
    reader = other.guest()
    tap = guest.listen(id)
    until(lambda: tap.events, "the stream says nothing")
    ear = reader.lobby()
    ear.wait_for(lambda: id in ear.tables, "the table is not shown")
    guest.post("/api/me", {"name": "Zoe"}, 200)
    assert guest.get("/api/me")["name"] == "Zoe"


# What is no table


def test_the_lobby_shows_tables_of_every_member(rooms):
    ears = [room.guest().lobby() for room in rooms]
    for room in rooms:
        guest = room.guest()
        id = guest.make(game="mines", seats=2, places=["me", "open"], private=False, takeover=0)
        tap = guest.listen(id)
        assert room.owns(id)
        for ear in ears:
            ear.wait_for(lambda ear=ear, id=id: id in ear.tables, "a table is not shown")
        lists = [reader.guest().get("/api/tables") for reader in rooms]
        assert all(id in [line["id"] for line in found["tables"]] for found in lists)
        tap.close()


class Turns:
    """The tables at which it is somebody's turn, as they are told."""

    def __init__(self, room: Room, guest: Guest) -> None:
        self.tap = Tap(room.port, "/api/turns", guest.headers, "turns")

    def wait_for(self, *tables: str) -> None:
        """Wait until it is their turn at these tables."""
        until(lambda: self.tap.messages and self._tables == [*tables], f"it is not their turn at {tables}")

    @property
    def _tables(self) -> list[str]:
        return [turn["table"] for turn in self.tap.messages[-1]["turns"]]


def test_turns_are_told_wherever_the_table_is_played(rooms):
    for room, elsewhere in (rooms, rooms[::-1]):
        guests = [room.guest() for _ in range(2)]
        id = guests[0].make(game="mines", seats=2, places=["me", "open"], clock={"days": 2})
        guests[1].sit(id, seat=1, invite=guests[0].invite)
        assert room.owns(id)
        first, message = asked(guests, id)
        hers, his = Turns(elsewhere, first), Turns(elsewhere, guests[guests[0] is first])
        hers.wait_for(id)
        his.wait_for()
        while message["ask"]:
            first.answer(id, message["n"], first_legal(message))
            message = first.look(id)
        hers.wait_for()
        his.wait_for(id)


def test_a_name_is_another_everywhere_before_the_reply(rooms):
    for room, elsewhere in (rooms, rooms[::-1]):
        guest = room.guest()
        id = guest.make(game="mines", seats=2, places=["me", "open"], takeover=0)
        twin = at(elsewhere, guest)
        twin.look(id)
        twin.post("/api/me", {"name": f"Ann {room.port}"}, 200)
        for reader in (guest, twin):
            assert reader.look(id)["table"]["places"][0]["name"] == f"Ann {room.port}"


def test_who_is_forgotten_is_so_at_every_table_before_the_reply(rooms):
    one, other = rooms
    people = [room.guest() for room in rooms]
    tables = []
    for guest, room in zip(people, rooms, strict=True):
        guest.post("/api/me", {"name": f"Somebody {room.port}"}, 200)
        tables.append(guest.make(game="mines", seats=2, places=["me", "open"], takeover=0))
        assert room.owns(tables[-1])
    leaver = people[1]
    leaver.sit(tables[0], seat=1, invite=people[0].invite)
    name = leaver.get("/api/me")["name"]
    at(one, leaver).post("/api/me/delete", {"name": name}, 200)
    for room in rooms:
        assert at(room, leaver).get("/api/me")["name"] != name, "who is forgotten has a name"
        places = at(room, people[0]).look(tables[0])["table"]["places"]
        assert name not in [place["name"] for place in places], "who is forgotten sits there"
    assert other.number


def test_a_moderator_lists_and_closes_tables_of_every_member(cluster):
    settings = Setup((0, 0), OFF, house=HouseSettings(hosts=("Ann",)))
    with two_rooms(cluster.empty_database(), settings) as rooms:
        ann = account(rooms[0], "Ann")
        made = {}
        for room in rooms:
            guest = room.guest()
            id = guest.make(game="mines", seats=2, places=["me", "open"], takeover=0)
            made[id] = guest
            assert room.owns(id)

        def listed() -> set[str]:
            return {line["table"] for line in ann.get("/api/order/tables")["tables"]}

        until(lambda: made.keys() <= listed(), "a table is not listed")
        for id, guest in made.items():
            do(ann, what="close", table=id)
            for room in rooms:
                body = {"text": "hello", "key": f"some-{next(KEYS):08d}"}
                assert at(room, guest).post(f"/api/tables/{id}/chat", body, 409)["id"] == "table-closed"


# Versions


@pytest.mark.parametrize("game", ["mines", "fourteen"])
def test_versions_never_go_back_for_who_asks_at_changing_members(rooms, cluster, game):
    id, guests = seated(rooms, game=game, seats=2 if game == "mines" else 3)
    told: list[int] = []

    def look(guest: Guest) -> None:
        for room in rooms:
            told.append(at(room, guest).look(id)["version"])

    for turn in range(6):
        guest, message = asked(guests, id)
        told.append(at(rooms[turn % 2], guest).answer(id, message["n"], first_legal(message))["version"])
        look(guests[0])
        if turn % 2:
            first = next(room for room in rooms if room.owns(id))
            put_to_sleep(first, id)
            until(lambda: cluster.ask(f"SELECT owner FROM tables WHERE id = '{id}'") == [(0,)], "it is not released")
            for room in rooms:
                room.call(lambda room=room: room.cluster.ownership.forget_location(id))
            look(guests[1])
    assert told == sorted(told), "a version goes back"
