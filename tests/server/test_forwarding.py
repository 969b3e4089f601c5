"""A request that arrives at one member is answered by another as if it had arrived there."""

from __future__ import annotations

import http.client
import json
from typing import Any

import pytest
from authenticator import Browser
from guests import KEYS, Guest, first_legal, put_to_sleep, until
from rooms import Room, at, two_rooms
from test_cluster import asked, seated

from diamonds.server.cluster import forwarding
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF, Rate, Share

pytestmark = pytest.mark.later

MARK, ORIGIN = forwarding.MARK.decode(), forwarding.ORIGIN.decode()
KNOWN = ["/internal/ping", "/internal/clock", "/internal/notices", "/internal/order", "/internal/office", "/internal/x"]


def owner(rooms: tuple[Room, Room], table: str) -> tuple[Room, Room]:
    """The owner of a table, and the other member."""
    return rooms if rooms[0].owns(table) else (rooms[1], rooms[0])


@pytest.mark.parametrize("path", KNOWN)
def test_internal_paths_are_unknown_to_everybody_else(rooms, path):
    origin = json.dumps([rooms[1].number, ["127.0.0.1", 1], ["127.0.0.1", 1], "http"])
    for room in rooms:
        for headers in ({}, {MARK: "0" * 64, ORIGIN: origin}, {ORIGIN: origin}, {MARK: "", ORIGIN: origin}):
            for method in ("GET", "POST"):
                status, _ = Guest(room.port).send(method, path, b"{}" if method == "POST" else None, headers)
                assert status == 404, f"{method} {path} is answered"


def test_forged_marks_and_origins_change_nothing(rooms):
    """Who says of themselves that they come by a member is treated like everybody: forwarded, and never taken for a member."""
    id, guests = seated(rooms, game="mines", seats=2)
    _, second = owner(rooms, id)
    guest = at(second, guests[0])
    plain = guest.look(id)
    origin = json.dumps([rooms[0].number, ["192.0.2.1", 1], ["192.0.2.1", 1], "https"])
    for headers in ({MARK: "0" * 64, ORIGIN: origin}, {ORIGIN: origin}, {MARK: "0" * 64}, {MARK: "\xe4", ORIGIN: "["}):
        status, raw = guest.send("GET", f"/api/tables/{id}", None, headers)
        assert (status, json.loads(raw)) == (200, plain)


def test_a_key_of_another_server_is_no_mark(rooms):
    """A member is known by the server key, not by its words."""
    stranger = forwarding.Forwarder(b"another key", ())
    scope: Any = {
        "headers": [(forwarding.MARK, stranger._mark), (forwarding.ORIGIN, b'[1,["a",1],["b",1],"http"]')],
        "client": ("192.0.2.7", 1),
    }
    assert rooms[0].cluster.forwarder.accept(scope) == 0
    assert scope == {"headers": [], "client": ("192.0.2.7", 1)}


def test_a_table_that_nobody_made_is_unknown_everywhere(rooms):
    for room in rooms:
        guest = room.guest()
        for id in ("nosuchtable0", "%2Flobby", "x" * 300, "a%00b", "ä".encode().hex()):
            for method, path in (("GET", ""), ("GET", "/stream"), ("POST", "/chat"), ("GET", "/record")):
                body = b'{"text": "hello", "key": "some-key-1"}' if method == "POST" else None
                status, _ = guest.send(method, f"/api/tables/{id}{path}", body, {"Content-Type": "application/json"})
                assert status == 404, f"{method} {id}{path} is answered"


def test_a_forward_after_a_release_is_answered_once(rooms):
    """The member that forwards believes in an owner that is none any more: that one refuses, and the owner is looked up anew."""
    id, guests = seated(rooms, game="mines", seats=2)
    first, second = owner(rooms, id)
    guest, message = asked([at(second, guest) for guest in guests], id)
    former = second.cluster.membership.alive[first.number]
    put_to_sleep(first, id)
    until(lambda: not first.owns(id), "it is not released")
    second.call(lambda: second.cluster.ownership.forget_location(id))
    assert at(second, guest).look(id)["n"] == message["n"]
    assert second.owns(id)

    def believe() -> None:
        second.cluster.ownership.owned.discard(id)
        second.cluster.ownership._remember(id, former)

    second.call(believe)
    assert guest.answer(id, message["n"], first_legal(message))["version"] > message["version"]
    assert second.owns(id), "the owner was not looked up anew"
    for room in rooms:
        assert at(room, guest).look(id)["n"] == message["n"] + 1, "it was answered twice, or not at all"


def test_a_body_of_many_pieces_arrives_whole(rooms):
    record = b'{"game": "' + b"x" * 1_500_000 + b'"}'
    told = []
    for room in rooms:
        guest = room.guest()
        status, raw = guest.send("POST", "/api/records", record, {"Content-Type": "application/json"})
        told.append((status, raw))
    assert told[0] == told[1]
    assert told[0][0] == 400


def test_a_body_that_is_too_large_is_refused_at_each_member(rooms):
    statuses = []
    for room in rooms:
        line = http.client.HTTPConnection("127.0.0.1", room.port)
        headers = {"Content-Type": "application/json", **room.guest().headers}
        line.request("POST", "/api/me", b'{"name": "' + b"x" * 20_000 + b'"}', headers)
        statuses.append(line.getresponse().status)
        line.close()
    assert statuses == [413, 413]


def test_streams_are_forwarded_both_ways(rooms):
    for makes, listens in ((0, 1), (1, 0)):
        guest = rooms[makes].guest()
        id = guest.make(game="mines", seats=2, places=["me", "open"], takeover=0)
        assert rooms[makes].owns(id)
        tap = rooms[listens].guest().listen(id)
        until(lambda tap=tap: tap.events, "the stream says nothing")
        guest.post(f"/api/tables/{id}/chat", {"text": "hello", "key": f"some-{next(KEYS):08d}"}, 200)
        until(lambda tap=tap: tap.newest["table"]["chat"], "the stream does not go on")
        tap.close()
        table = rooms[makes].app.tables.get(id)
        until(lambda table=table: not table.here.streams, "the owner does not learn that the reader is gone")


def test_a_stream_whose_owner_dies_is_cut_and_not_ended(rooms):
    first, second = rooms
    guest = second.guest()
    id = guest.make(game="mines", seats=2, places=["me", "open"], takeover=0)
    tap = at(first, guest).listen(id)
    until(lambda: tap.events, "the stream says nothing")
    assert second.owns(id)
    second.die()
    until(lambda: tap.ended, "a stream of a dead owner goes on")
    assert not tap.whole, "a stream that was lost looks as if it were all"
    assert b"\r\n0\r\n\r\n" not in tap.raw


def test_a_passkey_is_for_the_address_that_people_see(rooms):
    """The lobby owner answers for an address at which it was never asked: that of the member at which a request arrived."""
    for room in rooms:
        guest = Browser(room.port)
        assert guest.become(f"Ann {room.port}")
        guest.post("/api/me/sign-out", {}, 200)
        guest.sign_in()
        assert guest.me()["name"] == f"Ann {room.port}"


def test_guests_are_limited_by_their_own_address_wherever_they_ask(cluster):
    few = Share(Rate(3, 1e-9), OFF.names.address)
    with two_rooms(cluster.empty_database(), Setup((0, 0), OFF._replace(names=few))) as rooms:
        guest = rooms[1].guest()
        twins = [at(room, guest) for room in rooms]
        given = [twins[k % 2].post("/api/me", {"name": f"Ann {k}"}).get("id", "") for k in range(6)]
        assert given == [""] * 3 + ["server-too-many"] * 3


def test_an_owner_that_cannot_be_reached_is_asked_again(rooms, monkeypatch):
    """Nothing of the request has happened; the one reply is right."""
    id, guests = seated(rooms, game="mines", seats=2)
    _, second = owner(rooms, id)
    guest, message = asked([at(second, guest) for guest in guests], id)
    request, failed = forwarding.Forwarder._request, []

    async def fail_once(self: Any, *given: Any) -> Any:
        if not failed and "/answers" in given[2]:
            failed.append(1)
            raise forwarding.UnreachableError
        return await request(self, *given)

    monkeypatch.setattr(forwarding.Forwarder, "_request", fail_once)
    assert guest.answer(id, message["n"], first_legal(message))["version"] > message["version"]
    assert failed
    assert guest.look(id)["n"] == message["n"] + 1


def test_a_post_that_was_sent_and_lost_is_not_sent_again(rooms, monkeypatch):
    """Nobody knows what came of it: the client is told so, and its key finds out."""
    id, guests = seated(rooms, game="mines", seats=2)
    _, second = owner(rooms, id)
    guest, message = asked([at(second, guest) for guest in guests], id)
    request, sent = forwarding.Forwarder._request, []

    async def lose(self: Any, *given: Any) -> Any:
        response = await request(self, *given)
        if "/answers" in given[2] and not sent:
            sent.append(1)
            await response.read()
            raise forwarding.LostError
        return response

    monkeypatch.setattr(forwarding.Forwarder, "_request", lose)
    key = f"key-{next(KEYS):08d}"
    guest.answer(id, message["n"], first_legal(message), key=key, expect=503)
    assert sent == [1]
    guest.answer(id, message["n"], first_legal(message), key=key)
    assert guest.look(id)["n"] == message["n"] + 1, "an answer counts twice"


def test_last_event_ids_raise_no_version(rooms):
    id, guests = seated(rooms, game="mines", seats=2)
    version = guests[0].look(id)["version"]
    for room in rooms:
        guest = at(room, guests[0])
        tap = guest.listen(id, **{"Last-Event-ID": str((1 << 52) + 7)})
        until(lambda tap=tap: tap.events, "the stream says nothing")
        assert guest.get(f"/api/tables/{id}?after={(1 << 52) + 9}")["version"] >> 12 == version >> 12
        assert tap.newest["version"] >> 12 == version >> 12, "a client says which version comes next"
