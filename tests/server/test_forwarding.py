"""Forwarding: a request that arrives at one member is answered by another as if it had arrived there."""

import http.client
import json
from typing import Any

import pytest

from diamonds.server.cluster import forwarding, membership
from diamonds.server.http import moved_connections
from diamonds.server.storage.cluster import LOBBY
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import (
    KEY_NUMBERS,
    WAIT_TIMEOUT_S,
    Client,
    StreamReader,
    client_to_act,
    first_legal,
    post_chat,
    wait_until,
)
from tests.server.support.cluster import owner_and_other, seat_alternately, via

pytestmark = pytest.mark.later

MARK_HEADER, ORIGIN_HEADER = forwarding.MEMBER_TOKEN_HEADER.decode(), forwarding.ORIGIN_HEADER.decode()


@pytest.fixture(autouse=True)
def _move_no_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forward each request, as happens between machines."""
    monkeypatch.setattr(moved_connections, "MAX_ATTEMPTS", 0)


INTERNAL_PATHS = "/internal/ping /internal/clock /internal/notices /internal/order /internal/admin /internal/x".split()


@pytest.mark.parametrize("path", INTERNAL_PATHS)
def test_internal_paths_are_unknown_to_outsiders(cluster_servers, path):
    origin = json.dumps([cluster_servers[1].member_number, ["127.0.0.1", 1], ["127.0.0.1", 1], "http"])
    for server in cluster_servers:
        for headers in (
            {},
            {MARK_HEADER: "0" * 64, ORIGIN_HEADER: origin},
            {ORIGIN_HEADER: origin},
            {MARK_HEADER: "", ORIGIN_HEADER: origin},
        ):
            for method in ("GET", "POST"):
                status, _ = Client(server.port).send(method, path, b"{}" if method == "POST" else None, headers)
                assert status == 404, f"expected {method} {path} to be unknown"


def test_forged_internal_headers_have_no_effect(cluster_servers):
    """A client that claims to be a member is treated like any other: forwarded, with its headers ignored."""
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    _, second = owner_and_other(cluster_servers, id)
    guest = via(second, guests[0])
    plain = guest.get_table(id)
    origin = json.dumps([cluster_servers[0].member_number, ["192.0.2.1", 1], ["192.0.2.1", 1], "https"])
    for headers in (
        {MARK_HEADER: "0" * 64, ORIGIN_HEADER: origin},
        {ORIGIN_HEADER: origin},
        {MARK_HEADER: "0" * 64},
        {MARK_HEADER: "\xe4", ORIGIN_HEADER: "["},
    ):
        status, raw = guest.send("GET", f"/api/tables/{id}", None, headers)
        assert (status, json.loads(raw)) == (200, plain)


def test_key_of_another_server_authenticates_no_member(cluster_servers):
    stranger = forwarding.RequestForwarder(b"another key", ())
    origin = (forwarding.ORIGIN_HEADER, b'[1,["a",1],["b",1],"http"]')
    headers = [(forwarding.MEMBER_TOKEN_HEADER, stranger.member_token), origin]
    scope: Any = {"headers": headers, "client": ("192.0.2.7", 1)}
    assert cluster_servers[0].cluster.forwarder.accept(scope) == 0
    assert scope == {"headers": [], "client": ("192.0.2.7", 1)}


def test_nonexistent_table_is_unknown_at_every_member(cluster_servers):
    for server in cluster_servers:
        guest = server.new_client()
        for id in ("nosuchtable0", "%2Flobby", "x" * 300, "a%00b", "ä".encode().hex()):
            for method, path in (("GET", ""), ("GET", "/stream"), ("POST", "/chat"), ("GET", "/record")):
                body = b'{"text": "hello", "idempotency_key": "some-key-1"}' if method == "POST" else None
                status, _ = guest.send(method, f"/api/tables/{id}{path}", body)
                assert status == 404, f"expected {method} {id}{path} to be unknown"


def test_body_in_many_chunks_arrives_whole(cluster_servers):
    record = b'{"game": "' + b"x" * 1_500_000 + b'"}'
    told = []
    for server in cluster_servers:
        guest = server.new_client()
        status, raw = guest.send("POST", "/api/records", record)
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
        id = guest.create_open_table(substitute_after_s=0)
        assert cluster_servers[makes].owns(id)
        stream = cluster_servers[listens].new_client().watch(id)
        post_chat(guest, id, "hello")
        wait_until(lambda stream=stream: stream.newest["table"]["chat"], "expected the next message on the stream")
        stream.close()
        table = cluster_servers[makes].app.tables.get(id)
        wait_until(lambda table=table: not table.presence.streams, "expected the owner to notice the closed stream")


def test_stream_is_cut_not_ended_when_its_owner_dies(cluster_servers):
    first, second = cluster_servers
    guest = second.new_client()
    id = guest.create_open_table(substitute_after_s=0)
    stream = via(first, guest).watch(id)
    assert second.owns(id)
    second.crash()
    wait_until(lambda: stream.is_ended, "expected the stream of a dead owner to end")
    assert not stream.is_complete, "expected a broken stream, not a complete one"
    assert b"\r\n0\r\n\r\n" not in stream.received


def test_stream_ends_if_its_table_is_lost_while_it_opens(cluster_servers, monkeypatch):
    first, _ = cluster_servers
    guest = first.new_client()
    id = guest.create_open_table(substitute_after_s=0)
    find = first.app.tables.blocked_by

    async def lose_table(person: str) -> Any:
        first.app.tables.release_tables([id])
        return await find(person)

    monkeypatch.setattr(first.app.tables, "blocked_by", lose_table)
    stream = guest.open_stream(id)
    wait_until(lambda: stream.is_ended, "expected the stream of a lost table to end")


def test_lobby_stream_ends_if_the_lobby_is_lost_while_it_opens(cluster_servers, monkeypatch):
    owner = next(server for server in cluster_servers if server.cluster.owns_lobby)
    open_stream = owner.app.lobby.open_stream

    def lose_lobby(*args: Any) -> Any:
        owner.cluster.ownership.owned.pop(LOBBY)
        return open_stream(*args)

    monkeypatch.setattr(owner.app.lobby, "open_stream", lose_lobby)
    guest = owner.new_client()
    stream = StreamReader(guest.port, "/api/lobby", guest.headers)
    wait_until(lambda: stream.is_ended, "expected the stream of a lost lobby to end")


def test_passkey_is_bound_to_the_address_people_use(cluster_servers):
    """The lobby owner answers for the address at which the request arrived, which belongs to another member."""
    for server in cluster_servers:
        guest = BrowserClient(server.port)
        assert guest.create_account(f"Ann {server.port}")
        guest.post("/api/me/sign-out", {}, 200)
        guest.sign_in()
        assert guest.get_me()["name"] == f"Ann {server.port}"


def test_unreachable_owner_is_retried(cluster_servers, monkeypatch):
    """The request has had no effect yet, so the client gets only one reply."""
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    _, second = owner_and_other(cluster_servers, id)
    guest, message = client_to_act([via(second, guest) for guest in guests], id)
    request, failed = forwarding.RequestForwarder.request, []

    async def fail_once(self: Any, *given: Any) -> Any:
        if not failed and "/answers" in given[2]:
            failed.append(1)
            raise forwarding.MemberUnreachableError
        return await request(self, *given)

    monkeypatch.setattr(forwarding.RequestForwarder, "request", fail_once)
    assert guest.answer(id, message["n"], first_legal(message))["version"] > message["version"]
    assert failed
    assert guest.get_table(id)["n"] == message["n"] + 1


def test_read_that_waits_for_a_hanging_owner_is_answered_by_the_next(cluster_servers, monkeypatch):
    """The member that ends the hanging owner does not wait until the owner counts as dead."""
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    owner, other = owner_and_other(cluster_servers, id)
    twin = via(other, guests[0])
    twin.get_table(id)  # over a connection that is then kept
    monkeypatch.setattr(membership, "POLL_INTERVAL_S", 10 * WAIT_TIMEOUT_S)
    awake = owner.freeze()
    try:
        twin.get_table(id)
        assert other.owns(id)
    finally:
        awake.set()


def test_lost_post_is_not_repeated(cluster_servers, monkeypatch):
    """The outcome is unknown: the client gets an error, and finds out by repeating its idempotency key."""
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    _, second = owner_and_other(cluster_servers, id)
    guest, message = client_to_act([via(second, guest) for guest in guests], id)
    request, sent = forwarding.RequestForwarder.request, []

    async def lose(self: Any, *given: Any) -> Any:
        response = await request(self, *given)
        if "/answers" in given[2] and not sent:
            sent.append(1)
            await response.read()
            raise forwarding.OutcomeUnknownError
        return response

    monkeypatch.setattr(forwarding.RequestForwarder, "request", lose)
    key = f"key-{next(KEY_NUMBERS):08d}"
    guest.answer(id, message["n"], first_legal(message), key=key, expect=503)
    assert sent == [1]
    guest.answer(id, message["n"], first_legal(message), key=key)
    assert guest.get_table(id)["n"] == message["n"] + 1, "expected the answer to count once"


def test_last_event_ids_raise_no_version(cluster_servers):
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    version = guests[0].get_table(id)["version"]
    for server in cluster_servers:
        guest = via(server, guests[0])
        stream = guest.watch(id, **{"Last-Event-ID": str((1 << 52) + 7)})
        assert guest.get(f"/api/tables/{id}?after={(1 << 52) + 9}")["version"] >> 12 == version >> 12
        assert stream.newest["version"] >> 12 == version >> 12, "expected a client's Last-Event-ID to raise no version"
