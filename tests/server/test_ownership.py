"""Each table has one owner: a claim has one winner, and whoever owned a table before writes nothing more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from guests import KEYS, Apart, Asked, Guest, first_legal, play_to_the_end, put_to_sleep, until
from rooms import Room, at
from stores import Place, together
from test_cluster import asked, seated
from test_store import NEW

from diamonds.server.store import cluster_sql
from diamonds.server.store.cluster_sql import LOBBY, Claim
from diamonds.server.store.contract import DONE, NOT_OWNER, Change

pytestmark = pytest.mark.later


@pytest.fixture
def place(cluster: Any) -> Iterator[Place]:
    """An empty database."""
    with Apart() as apart:
        place = Place("postgresql", cluster.empty_database(), apart)
        yield place
        place.close()


def member(place: Place) -> Asked:
    """A store of a new member, whose session lives."""
    store = place.open()
    session = store.real.open_session()
    place.sessions.append(session)  # type: ignore[attr-defined]
    store.real.member = cluster_sql.register(session, store.real.sessions, "unix:/nowhere", "here", "", True)
    return store


@pytest.fixture
def members(place: Place) -> Iterator[tuple[Asked, Asked]]:
    """Stores of two members, and the table ``t`` that nobody owns."""
    place.sessions = []  # type: ignore[attr-defined]
    one, other = member(place), member(place)
    one.commit(NEW)
    yield one, other
    for session in place.sessions:  # type: ignore[attr-defined]
        session.close()


def claim(store: Asked, table: str = "t") -> int:
    """The owner of a table after this member has claimed it."""
    return int(store.write(cluster_sql.claim, Claim(table, store.real.member, 10)).owner)


def entry(n: int, table: str = "t") -> Change:
    return Change(table=table, n=n, entries=((0, f"a {n}"),), at=5)


def words(store: Asked, table: str = "t") -> list[str]:
    return [words for _, words, *_ in store.load(table).entries]


def test_of_two_claims_at_one_moment_one_wins(members):
    one, other = members

    async def race(table: str) -> list[Any]:
        claims = (store.real.write(cluster_sql.claim, Claim(table, store.real.member, 10)) for store in (one, other))
        return await asyncio.gather(*claims)

    for k in range(20):
        one.commit(NEW._replace(table=f"t{k}", key=f"key-{k}"))
        claims = one._apart.run(race(f"t{k}"))
        won = [found.owner == store.real.member for found, store in zip(claims, members, strict=True)]
        assert sorted(won) == [False, True], "not one of them owns the table"
        assert len({found.owner for found in claims}) == 1, "they do not agree whose the table is"


def test_a_member_whose_session_lives_keeps_its_tables(members, place):
    one, other = members
    assert claim(one) == claim(other) == one.real.member
    place.sessions[0].close()
    until(lambda: claim(other) == other.real.member, "a dead member keeps its table")


def test_a_claim_reserves_counters_above_those_of_every_other(members, place):
    one, other = members
    firsts = []
    for store in (one, other, one):
        place.sql("UPDATE tables SET owner = 0")
        firsts.append(store.write(cluster_sql.claim, Claim("t", store.real.member, 10)).first)
    assert firsts[0] + 10 <= firsts[1]
    assert firsts[1] + 10 <= firsts[2]


def test_a_former_owner_writes_nothing_and_others_beside_it_do(members, place):
    one, other = members
    one.commit(NEW._replace(table="u", key="another"))
    for table in ("t", "u"):
        assert claim(one, table) == one.real.member
    assert one.commit(entry(0)).what == DONE
    place.sql(f"UPDATE tables SET owner = {other.real.member} WHERE id = 't'")
    outcomes = together(one, entry(0, "u"), entry(1), entry(1, "u"))
    assert [outcome.what for outcome in outcomes] == [DONE, NOT_OWNER, DONE]
    assert (words(one), words(one, "u")) == (["a 0"], ["a 0", "a 1"])
    assert other.commit(entry(1)).what == DONE, "the owner is kept from writing"


@pytest.mark.parametrize("table", ["/lobby", "t"])
def test_a_claim_waits_for_a_commit_of_the_former_owner(members, place, table):
    """What the fence holds is held to the end of the commit: either it is written before the claim, or not at all."""
    one, other = members
    if table == LOBBY:
        place.sql(f"UPDATE cluster_resources SET owner = {one.real.member}")
    else:
        assert claim(one) == one.real.member
    session = one.real.open_session()
    with session.raw.transaction():
        assert cluster_sql.lock_owned(session, one.real.member, [table]) == {table}
        column, key = ("cluster_resources", "name") if table == LOBBY else ("tables", "id")
        with pytest.raises(Exception, match="lock timeout"):
            place.sql(f"SET lock_timeout = 50; UPDATE {column} SET owner = {other.real.member} WHERE {key} = '{table}'")
    session.close()


def steal(cluster: Any, table: str, room: Room) -> None:
    """Another member has claimed a table, and its owner has not noticed."""
    cluster.ask(f"UPDATE tables SET owner = {room.number} WHERE id = '{table}'")


def owner(rooms: tuple[Room, Room], table: str) -> tuple[Room, Room]:
    """The owner of a table, and the other member."""
    one, other = rooms
    return (one, other) if one.owns(table) else (other, one)


def pass_by(guest: Guest, id: str, what: str, body: dict[str, Any]) -> tuple[int, Any]:
    """What came of a request at a table."""
    told = guest.post(f"/api/tables/{id}/{what}", {"key": f"some-{next(KEYS):08d}", **body})
    return guest.status, told


def kept_of(cluster: Any, id: str) -> list[Any]:
    """All that is stored of a table."""
    asks = (
        f"SELECT n, seat, text FROM entries WHERE table_id = '{id}' ORDER BY n",
        f"SELECT text FROM chat WHERE table_id = '{id}'",
        f"SELECT seating, revision, phase, clocks, to_act FROM tables WHERE id = '{id}'",
    )
    return [cluster.ask(sql) for sql in asks]


REQUESTS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "answers": lambda message: {"n": message["n"], "answers": [first_legal(message)]},
    "chat": lambda message: {"text": "hello"},
    "stand": lambda message: {},
    "pause": lambda message: {"on": True},
    "undo": lambda message: {"n": message["n"], "to": 0},
}


@pytest.mark.parametrize("what", REQUESTS)
def test_a_request_at_a_former_owner_writes_nothing(rooms, cluster, what):
    more = {"clock": {"days": 2}} if what == "pause" else {}
    id, guests = seated(rooms, game="mines", seats=2, **more)
    guest, message = asked(guests, id)
    if what == "undo":
        guest.answer(id, message["n"], first_legal(message))
        message = guest.look(id)
    former, new = owner(rooms, id)
    twin, before = at(former, guest), kept_of(cluster, id)
    steal(cluster, id, new)
    status, _ = pass_by(twin, id, what, REQUESTS[what](message))
    assert status == 503, "a former owner takes a request"
    assert kept_of(cluster, id) == before, "a former owner writes"
    assert not former.owns(id), "a former owner has not noticed"
    status, told = pass_by(twin, id, what, REQUESTS[what](message))
    assert status in (200, 409), told
    assert new.owns(id)
    shown = [at(room, guest).look(id) for room in rooms]
    for message in shown:
        message.pop("clocks", None)  # they run
    assert shown[0] == shown[1]


def test_a_finished_table_is_shown_by_all_and_owned_by_nobody(rooms, cluster):
    guest = rooms[0].guest()
    id = guest.make(game="mines", seats=2, places=["me", "bot:simple"])
    play_to_the_end(owner(rooms, id)[0], id, guest)
    for room in rooms:
        if room.owns(id):
            put_to_sleep(room, id)
    until(lambda: cluster.ask(f"SELECT owner FROM tables WHERE id = '{id}'") == [(0,)], "it is not released")
    shown = [at(room, guest).look(id) for room in rooms]
    assert shown[0] == shown[1]
    records = [at(room, guest).get(f"/api/tables/{id}/record") for room in rooms]
    assert records[0] == records[1]
    assert cluster.ask(f"SELECT owner FROM tables WHERE id = '{id}'") == [(0,)], "a reader claims a finished table"


def test_versions_of_a_finished_table_grow_with_each_owner_and_reader(rooms, cluster):
    guest = rooms[0].guest()
    id = guest.make(game="mines", seats=2, places=["me", "bot:simple"])
    play_to_the_end(owner(rooms, id)[0], id, guest)
    told = [guest.look(id)["version"]]
    for turn in range(4):
        speaks, reads = rooms[turn % 2], rooms[1 - turn % 2]
        for room in rooms:
            room.call(lambda room=room: room.cluster.ownership.forget_location(id))
            if room.owns(id):
                put_to_sleep(room, id)
        until(lambda: cluster.ask(f"SELECT owner FROM tables WHERE id = '{id}'") == [(0,)], "it is not released")
        told += [at(room, guest).look(id)["version"] for room in (reads, speaks, reads)]
        status, said = pass_by(at(speaks, guest), id, "chat", {"text": f"hello {turn}"})
        assert status == 200, said
        told += [said["version"], at(reads, guest).look(id)["version"]]
    assert told == sorted(told), "a version goes back"


def test_an_evicted_table_is_claimed_where_it_is_asked_for_next(rooms, cluster):
    id, guests = seated(rooms, game="mines", seats=2)
    first, second = owner(rooms, id)
    version = guests[0].look(id)["version"]
    put_to_sleep(first, id)
    until(lambda: cluster.ask(f"SELECT owner FROM tables WHERE id = '{id}'") == [(0,)], "it is not released")
    second.call(lambda: second.cluster.ownership.forget_location(id))
    guest, message = asked([at(second, guest) for guest in guests], id)
    assert second.owns(id)
    assert message["version"] >= version
    assert guest.answer(id, message["n"], first_legal(message))["version"] > version


def test_a_commit_of_a_former_lobby_owner_writes_nothing(rooms, cluster):
    one, other = rooms
    guest = one.guest()
    cluster.ask(f"UPDATE cluster_resources SET owner = {other.number}")
    guest.post("/api/me", {"name": "Someone new"})
    assert guest.status == 503, "a former lobby owner takes a name"
    assert cluster.ask("SELECT name FROM display_names WHERE name = 'Someone new'") == []
