"""A request that arrives at one member is answered by another as if it had arrived there."""

from __future__ import annotations

import contextlib
import functools
import http.client
import socket
from typing import Any

import msgspec
import pytest

from diamonds.server.cluster import forwarding, frames
from diamonds.server.cluster.notices import NOTICES_CALL, PING_CALL
from diamonds.server.http import internal_listener
from diamonds.server.http.app import AppConfig
from diamonds.server.http.cluster_routes import ADMIN_CALL, resource_of
from diamonds.server.http.rate_limits import UNLIMITED, PersonAndAddressRates, Rate
from diamonds.server.tables.actions import OWNER_ACTION_CALL
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import KEY_NUMBERS, WAIT_TIMEOUT_S, Client, first_legal, wait_until
from tests.server.support.cluster import ClusterServer, two_servers, via
from tests.server.support.live_server import evict_tables
from tests.server.test_cluster import client_to_act, seat_alternately

pytestmark = pytest.mark.later

CALLS = [PING_CALL, NOTICES_CALL, OWNER_ACTION_CALL, ADMIN_CALL]


def frame(kind: int, number: int, content: bytes) -> bytes:
    """A frame as it goes over the wire."""
    return frames.FRAME_HEAD.pack(len(content), number, kind) + content


def read_exactly(connection: socket.socket, count: int) -> bytes:
    """So many bytes."""
    received = b""
    while len(received) < count:
        received += connection.recv(count - len(received)) or pytest.fail("it is cut off")
    return received


def owner_and_other(rooms: tuple[ClusterServer, ClusterServer], table: str) -> tuple[ClusterServer, ClusterServer]:
    """The owner of a table, and the other member."""
    return rooms if rooms[0].owns(table) else (rooms[1], rooms[0])


def test_calls_of_members_are_no_routes(cluster_servers):
    """Whatever members ask each other, nobody can ask by HTTP."""
    for server in cluster_servers:
        for name in CALLS:
            assert resource_of("POST", f"/internal/{name}") == resource_of("POST", f"/{name}") == ("", False)
            for path in (f"/internal/{name}", f"/{name}"):
                assert Client(server.port).send("POST", path, b"{}")[0] == 405


@pytest.mark.parametrize("hello", ["another key", "no key", "a request first", "nothing"])
def test_a_stranger_at_the_internal_address_is_cut_off(cluster_servers, monkeypatch, hello):
    """A member is known by the server key, not by its words."""
    server = cluster_servers[0]
    monkeypatch.setattr(internal_listener, "HELLO_TIMEOUT_S", 0.05 if hello == "nothing" else 60.0)
    key = server.cluster.forwarder.member_key
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stranger:
        stranger.settimeout(WAIT_TIMEOUT_S)
        stranger.connect(server.inner_socket.address.removeprefix("unix:"))
        call = frame(frames.CALL, 1, msgspec.msgpack.encode((PING_CALL, b"")))
        other_key = forwarding.RequestForwarder(b"another key").member_key
        sent = {
            "another key": frame(frames.HELLO, 7, other_key) + call,
            "no key": frame(frames.HELLO, 7, b"") + call,
            "a request first": call + frame(frames.HELLO, 7, key) + call,
            "nothing": b"",
        }
        stranger.sendall(sent[hello])
        with contextlib.suppress(ConnectionResetError):
            assert stranger.recv(100) == b""


def test_a_member_shows_its_key_once(cluster_servers):
    server = cluster_servers[0]
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as member:
        member.settimeout(WAIT_TIMEOUT_S)
        member.connect(server.inner_socket.address.removeprefix("unix:"))
        calls = [
            frame(frames.CALL, n, msgspec.msgpack.encode((name, b""))) for n, name in ((1, PING_CALL), (2, "nosuch"))
        ]
        sent = frame(frames.HELLO, 7, server.cluster.forwarder.member_key) + b"".join(calls)
        for at in range(len(sent)):  # however it is cut into pieces
            member.sendall(sent[at : at + 1])
        replies = {}
        while len(replies) < 2:
            length, number, kind = frames.FRAME_HEAD.unpack(read_exactly(member, frames.FRAME_HEAD.size))
            replies[number] = kind, read_exactly(member, length)
    assert replies[1][0] == frames.END
    assert int(replies[1][1]) > 0
    assert replies[2] == (frames.UNAVAILABLE, b"")


def test_nonexistent_table_is_unknown_at_every_member(cluster_servers):
    for server in cluster_servers:
        guest = server.new_client()
        for id in ("nosuchtable0", "%2Flobby", "x" * 300, "a%00b", "ä".encode().hex()):
            for method, path in (("GET", ""), ("GET", "/stream"), ("POST", "/chat"), ("GET", "/record")):
                body = b'{"text": "hello", "idempotency_key": "some-key-1"}' if method == "POST" else None
                status, _ = guest.send(method, f"/api/tables/{id}{path}", body, {"Content-Type": "application/json"})
                assert status == 404, f"{method} {id}{path} is answered"


def test_a_forward_after_a_release_is_answered_once(cluster_servers):
    """The member that forwards believes in an owner that is none any more: that one refuses, and the owner is looked up anew."""
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    first, second = owner_and_other(cluster_servers, id)
    guest, message = client_to_act([via(second, guest) for guest in guests], id)
    former = second.cluster.membership.alive[first.member_number]
    evict_tables(first, id)
    wait_until(lambda: not (first.owns(id) or first.cluster.ownership._releasing), "it is not released")
    second.call_on_loop(lambda: second.cluster.ownership.forget_location(id))
    assert via(second, guest).get_table(id)["n"] == message["n"]
    assert second.owns(id)

    def believe() -> None:
        second.cluster.ownership.owned.discard(id)
        second.cluster.ownership._remember(id, former)

    second.call_on_loop(believe)
    assert guest.answer(id, message["n"], first_legal(message))["version"] > message["version"]
    assert second.owns(id), "the owner was not looked up anew"
    for server in cluster_servers:
        assert via(server, guest).get_table(id)["n"] == message["n"] + 1, "it was answered twice, or not at all"


def test_a_body_of_many_pieces_arrives_whole(cluster_servers):
    record = b'{"game": "' + b"x" * 1_500_000 + b'"}'
    told = []
    for server in cluster_servers:
        guest = server.new_client()
        status, raw = guest.send("POST", "/api/records", record, {"Content-Type": "application/json"})
        told.append((status, raw))
    assert told[0] == told[1]
    assert told[0][0] == 400


def test_oversized_body_is_rejected_at_each_member(cluster_servers):
    statuses = []
    for server in cluster_servers:
        line = http.client.HTTPConnection("127.0.0.1", server.port)
        headers = {"Content-Type": "application/json", **server.new_client().headers}
        line.request("POST", "/api/me", b'{"name": "' + b"x" * 20_000 + b'"}', headers)
        statuses.append(line.getresponse().status)
        line.close()
    assert statuses == [413, 413]


def test_streams_are_forwarded_both_ways(cluster_servers):
    for makes, listens in ((0, 1), (1, 0)):
        guest = cluster_servers[makes].new_client()
        id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], substitute_after_s=0)
        assert cluster_servers[makes].owns(id)
        tap = cluster_servers[listens].new_client().open_stream(id)
        wait_until(lambda tap=tap: tap.events, "the stream says nothing")
        guest.post(f"/api/tables/{id}/chat", {"text": "hello", "idempotency_key": f"some-{next(KEY_NUMBERS):08d}"}, 200)
        wait_until(lambda tap=tap: tap.newest["table"]["chat"], "the stream does not go on")
        tap.close()
        table = cluster_servers[makes].app.tables.get(id)
        wait_until(lambda table=table: not table.presence.streams, "the owner does not learn that the reader is gone")


def test_a_reader_that_takes_nothing_stops_its_owner(cluster_servers):
    """Neither the owner nor the member between them keeps what the reader does not take."""
    owner, between = cluster_servers
    guest = owner.new_client()
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], substitute_after_s=0)
    with socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.settimeout(WAIT_TIMEOUT_S)
        reader.connect(("127.0.0.1", between.port))
        head = f"GET /api/tables/{id}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: {guest.headers['Authorization']}\r\n\r\n"
        reader.sendall(head.encode())
        table = owner.app.tables.get(id)
        wait_until(lambda: table.presence.streams, "the stream does not open")
        [stream] = table.presence.streams
        told = 0
        while not stream.stalled_since:
            owner.call_on_loop(functools.partial(stream.send_notice, b": %050000d\n\n" % told))
            told += 1
            assert told < 400, "the owner writes on and on"
            guest.get_table(id)  # time passes, at both
        other = owner.new_client().get_table(id)
        assert other["table"]["id"] == id, "other requests wait for a reader that takes nothing"
        received = b""
        while stream.stalled_since:
            received += reader.recv(1 << 16)
        owner.call_on_loop(lambda: stream.send_notice(b": the last\n\n"))
        while b": the last\n\n" not in received[-100_000:]:
            received += reader.recv(1 << 16)


def test_members_on_several_machines_speak_tls(postgres_cluster, monkeypatch):
    monkeypatch.setattr(ClusterServer, "internal_host", "127.0.0.1")
    with two_servers(postgres_cluster.empty_database()) as (first, second):
        guest = first.new_client()
        id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], substitute_after_s=0)
        tap = via(second, guest).open_stream(id)
        wait_until(lambda: tap.events, "the stream says nothing")
        assert via(second, guest).get_table(id)["table"]["id"] == id
        assert not second.owns(id)
        owner = second.cluster.membership.alive[first.member_number]
        assert owner.address == first.inner_socket.address
        second.call_on_loop(lambda: second.cluster.forwarder.disconnect(owner.number))
        impostor = owner._replace(certificate="0" * 64)
        with pytest.raises(forwarding.MemberUnreachableError):
            second.run(second.cluster.forwarder.call(impostor, PING_CALL))
        assert second.run(second.cluster.forwarder.call(owner, PING_CALL)).isdigit()
        tap.close()


def test_stream_is_cut_not_ended_when_its_owner_dies(cluster_servers):
    first, second = cluster_servers
    guest = second.new_client()
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], substitute_after_s=0)
    tap = via(first, guest).open_stream(id)
    wait_until(lambda: tap.events, "the stream says nothing")
    assert second.owns(id)
    second.crash()
    wait_until(lambda: tap.is_ended, "a stream of a dead owner goes on")
    assert not tap.is_complete, "a stream that was lost looks as if it were all"
    assert b"\r\n0\r\n\r\n" not in tap.received


def test_a_passkey_is_for_the_address_that_people_see(cluster_servers):
    """The lobby owner answers for an address at which it was never asked: that of the member at which a request arrived."""
    for server in cluster_servers:
        guest = BrowserClient(server.port)
        assert guest.create_account(f"Ann {server.port}")
        guest.post("/api/me/sign-out", {}, 200)
        guest.sign_in()
        assert guest.get_me()["name"] == f"Ann {server.port}"


def test_guest_limits_use_the_original_address(postgres_cluster):
    few = PersonAndAddressRates(Rate(3, 1e-9), UNLIMITED.names.address)
    with two_servers(postgres_cluster.empty_database(), AppConfig((0, 0), UNLIMITED._replace(names=few))) as rooms:
        guest = rooms[1].new_client()
        twins = [via(server, guest) for server in rooms]
        given = [twins[k % 2].post("/api/me", {"name": f"Ann {k}"}).get("id", "") for k in range(6)]
        assert given == [""] * 3 + ["server-too-many"] * 3


def test_unreachable_owner_is_retried(cluster_servers, monkeypatch):
    """Nothing of the request has happened; the one reply is right."""
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    _, second = owner_and_other(cluster_servers, id)
    guest, message = client_to_act([via(second, guest) for guest in guests], id)
    begin, failed = forwarding.MemberLink.begin, []

    def fail_once(self: Any, exchange: Any) -> None:
        if not failed and b"/answers" in exchange.content:
            failed.append(1)
            raise forwarding.MemberUnreachableError
        begin(self, exchange)

    monkeypatch.setattr(forwarding.MemberLink, "begin", fail_once)
    assert guest.answer(id, message["n"], first_legal(message))["version"] > message["version"]
    assert failed
    assert guest.get_table(id)["n"] == message["n"] + 1


def test_lost_post_is_not_repeated(cluster_servers, monkeypatch):
    """Nobody knows what came of it: the client is told so, and its key finds out."""
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    _, second = owner_and_other(cluster_servers, id)
    guest, message = client_to_act([via(second, guest) for guest in guests], id)
    on_frame, sent = forwarding.ForwardedRequest.on_frame, []

    def lose(self: Any, link: Any, kind: int, content: bytes) -> None:
        if b"/answers" in self.content and not sent:
            sent.append(1)
            link.transport.abort()
        elif not (sent and link.transport.is_closing()):
            on_frame(self, link, kind, content)

    monkeypatch.setattr(forwarding.ForwardedRequest, "on_frame", lose)
    key = f"key-{next(KEY_NUMBERS):08d}"
    guest.answer(id, message["n"], first_legal(message), key=key, expect=503)
    assert sent == [1]
    guest.answer(id, message["n"], first_legal(message), key=key)
    assert guest.get_table(id)["n"] == message["n"] + 1, "an answer counts twice"


def test_last_event_ids_raise_no_version(cluster_servers):
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    version = guests[0].get_table(id)["version"]
    for server in cluster_servers:
        guest = via(server, guests[0])
        tap = guest.open_stream(id, **{"Last-Event-ID": str((1 << 52) + 7)})
        wait_until(lambda tap=tap: tap.events, "the stream says nothing")
        assert guest.get(f"/api/tables/{id}?after={(1 << 52) + 9}")["version"] >> 12 == version >> 12
        assert tap.newest["version"] >> 12 == version >> 12, "a client says which version comes next"
