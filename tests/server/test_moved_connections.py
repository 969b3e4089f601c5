"""Moved connections: a client that asks another member about a table is then connected to the table's owner."""

import array
import os
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from diamonds.server.cluster.forwarding import RequestForwarder
from diamonds.server.http.moved_connections import MAX_DATAGRAM_BYTES, MIN_REQUESTS_BETWEEN_MOVES, SOCKET_NAME
from diamonds.server.http.rate_limits import UNLIMITED
from tests.server.support.client import (
    WAIT_TIMEOUT_S,
    Client,
    client_to_act,
    close_connections,
    post_chat,
    wait_until,
)
from tests.server.support.cluster import ClusterServer, owner_and_other, seat_alternately, via

pytestmark = pytest.mark.later


@pytest.fixture
def forwarded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The paths of requests about tables that are forwarded instead of moving their connection."""
    paths: list[str] = []
    forward = RequestForwarder.forward

    async def note(self: Any, member: Any, scope: Any, *given: Any) -> None:
        paths.extend([scope["path"]] if scope["path"].startswith("/api/tables/") else [])
        await forward(self, member, scope, *given)

    monkeypatch.setattr(RequestForwarder, "forward", note)
    return paths


def client_socket(server: ClusterServer) -> Path:
    """Return the socket on which a member receives connections, as other members find it."""
    address = server.cluster.membership.alive[server.member_number].address
    return Path(address.removeprefix("unix:")).with_name(SOCKET_NAME)


def open_table(server: ClusterServer) -> tuple[str, Client]:
    """Return a table that this member owns, and its host."""
    guest = server.new_client()
    id = guest.create_open_table(substitute_after_s=0)
    assert server.owns(id)
    return id, guest


def test_connection_moves_to_the_owner_of_its_table(cluster_servers, forwarded):
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    owner, other = owner_and_other(cluster_servers, id)
    twins = [via(other, guest) for guest in guests]
    guest, message = client_to_act(twins, id)
    guest.answer_first(id)
    address = guest.local_address
    assert address in [connection.client for connection in owner.connections]
    assert guest.get_table(id)["n"] == message["n"] + 1, "expected the moved connection to serve more requests"
    assert forwarded == []


def test_moved_stream_outlives_the_member_that_accepted_it(cluster_servers, forwarded):
    owner, other = cluster_servers[::-1]
    id, guest = open_table(owner)
    stream = via(other, guest).watch(id)
    other.crash()
    post_chat(guest, id, "hello")
    wait_until(lambda: stream.newest["table"]["chat"], "expected the next message on the stream")
    assert forwarded == []


def test_behind_a_proxy_only_streams_move(open_two_servers, forwarded):
    """A proxy uses its connections for requests about any table."""
    other, owner = open_two_servers(proxies=1)
    id, guest = open_table(owner)
    twin = via(other, guest)
    twin.headers["X-Forwarded-For"] = "192.0.2.7"
    twin.watch(id)
    assert forwarded == []
    twin.get_table(id)
    assert forwarded == [f"/api/tables/{id}"]


def raw_get(id: str, guest: Client) -> bytes:
    """Return a GET of a table as bytes."""
    token = guest.headers["Authorization"]
    return f"GET /api/tables/{id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n\r\n".encode()


def receive_until(line: socket.socket, is_complete: Callable[[bytes], bool]) -> bytes:
    """Return everything received until it is complete or the connection ends."""
    line.settimeout(WAIT_TIMEOUT_S)
    received = b""
    while not is_complete(received) and (data := line.recv(65536)):
        received += data
    return received


RAW_REQUESTS = {
    "chunked": b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n",
    "awaited": b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n%b",
    "whole": b"Content-Length: %d\r\n\r\n%b",
}


@pytest.mark.parametrize("kind", RAW_REQUESTS)
def test_body_moves_with_its_connection(cluster_servers, forwarded, kind):
    id, guest = open_table(cluster_servers[1])
    body = b'{"text": "hello", "idempotency_key": "some-key-1"}'
    head = f"POST /api/tables/{id}/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in guest.headers.items())
    with socket.create_connection(("127.0.0.1", cluster_servers[0].port)) as line:
        line.sendall(head.encode() + RAW_REQUESTS[kind] % (len(body), body))
        received = receive_until(line, lambda received: b'"version"' in received)
    assert received.count(b"HTTP/1.1 200 OK") == 1
    assert [said["text"] for said in guest.get_table(id)["table"]["chat"]] == ["hello"]
    assert forwarded == []


def test_connection_stays_while_more_than_one_request_was_read(cluster_servers, forwarded):
    """The bytes already read from the next requests would be lost."""
    id, guest = open_table(cluster_servers[1])
    request = raw_get(id, guest)
    for count, sent, rest in [(2, 2 * request, b""), (1, request + b"GET ", request[4:])]:
        with socket.create_connection(("127.0.0.1", cluster_servers[0].port)) as line:
            line.sendall(sent)
            received = receive_until(line, lambda received, count=count: received.count(b'"version"') == count)
            line.sendall(rest or request)
            received += receive_until(line, lambda received: b'"version"' in received)
        assert received.count(b"HTTP/1.1 200 OK") == count + 1
        assert forwarded.pop() == f"/api/tables/{id}"
        assert not forwarded, "expected the last requests to move the connection"


def test_client_of_two_owners_moves_rarely(cluster_servers, forwarded):
    """One connection, like a proxy's, carries requests of two people about tables of two owners."""
    tables = [open_table(server) for server in cluster_servers]
    rounds = MIN_REQUESTS_BETWEEN_MOVES
    with socket.create_connection(("127.0.0.1", cluster_servers[0].port)) as line:
        for id, guest in rounds * tables:
            line.sendall(raw_get(id, guest))
            received = receive_until(line, lambda received: b'"version"' in received)
            assert f'"id":"{id}"'.encode() in received
    moves = rounds - len(forwarded)
    assert 1 <= moves <= 1 + 2 * rounds // MIN_REQUESTS_BETWEEN_MOVES, "expected other requests to be forwarded"


def test_moved_connection_counts_at_its_owner_alone(open_two_servers):
    other, owner = open_two_servers(limits=UNLIMITED._replace(connections_per_address=4))
    id, guest = open_table(owner)
    close_connections()

    def are_counted(*expected: int) -> bool:
        limiters = [server.app.connection_limiter.open_counts for server in (other, owner)]
        return tuple(counts.count("network", "127.0.0.1") for counts in limiters) == expected

    wait_until(lambda: are_counted(0, 0), "expected all connections to end")
    clients = [via(other, guest) for _ in range(4)]
    for client in clients:
        client.get_table(id)
    wait_until(lambda: are_counted(0, 4), "expected the owner to count the moved connections")
    rejected = via(other, guest)
    rejected.get(f"/api/tables/{id}", 503)
    assert rejected.reply_headers["retry-after"]
    clients.pop().disconnect()
    wait_until(lambda: are_counted(0, 3), "expected a closed connection not to count")
    via(other, guest).get_table(id)


def test_moves_leave_no_files_open(cluster_servers):
    owner, other = cluster_servers[::-1]
    id, guest = open_table(owner)
    servers = [server.app.connection_limiter for server in cluster_servers]

    def move(times: int) -> int:
        """Move connections; return how many files are open after all have been closed."""
        before = [limiter.count for limiter in servers]
        for _ in range(times):
            twin = via(other, guest)
            twin.get_table(id)
            twin.disconnect()
        wait_until(lambda: [limiter.count for limiter in servers] == before, "expected all connections to end")
        return len(os.listdir("/dev/fd"))

    few, many = move(5), move(100)
    assert many - few < 20, "expected no file that a move leaves open"  # a few sessions may open meanwhile


def test_connection_of_another_member_stays(cluster_servers, forwarded):
    """A connection between members may be encrypted, so it is not moved."""
    id, guest = open_table(cluster_servers[1])
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(cluster_servers[0].inner_socket.address.removeprefix("unix:"))
        line.sendall(raw_get(id, guest))
        assert b"HTTP/1.1 200 OK" in receive_until(line, lambda received: b'"version"' in received)
    assert forwarded == [f"/api/tables/{id}"]


def test_answer_is_repeated_after_its_owner_died_with_the_connection(cluster_servers, forwarded):
    """A connection in the queue of a process that dies is closed, and a repeated POST counts once."""
    owner, other = cluster_servers[::-1]
    id, guest = open_table(owner)
    path = client_socket(owner)
    path.unlink()
    twin, said = via(other, guest), {"text": "hello", "idempotency_key": "some-key-1"}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as dying, ThreadPoolExecutor(1) as thread:
        dying.bind(str(path))
        reply = thread.submit(twin.post, f"/api/tables/{id}/chat", said)
        assert dying.recv(1).startswith(b"P")
        dying.close()
        assert isinstance(reply.exception(), ConnectionError)
    assert forwarded == []
    for _ in range(2):
        via(other, guest).post(f"/api/tables/{id}/chat", said, 200)
    assert [message["text"] for message in guest.get_table(id)["table"]["chat"]] == ["hello"]


def test_request_is_forwarded_if_its_connection_cannot_move(cluster_servers, forwarded):
    id, guest = open_table(cluster_servers[1])
    twin = via(cluster_servers[0], guest)
    twin.headers["X-Long"] = "x" * 12_000
    body = b'{"text": "%b", "idempotency_key": "some-key-1"}' % (b"x" * MAX_DATAGRAM_BYTES)
    status, _ = twin.send("POST", f"/api/tables/{id}/chat", body)
    assert status in (400, 413), "expected the owner to reject a long text"
    client_socket(cluster_servers[1]).unlink()
    assert twin.get_table(id)["n"] == guest.get_table(id)["n"]
    assert forwarded == [f"/api/tables/{id}/chat", f"/api/tables/{id}"]


def test_connection_is_not_passed_around_by_members_that_disagree(cluster_servers):
    """Each member considers the other the owner, as after a quick change; the first looks the owner up again."""
    id, guest = open_table(cluster_servers[1])
    other, owner = cluster_servers
    twin = via(other, guest)
    version = guest.get_table(id)["version"]
    member = owner.cluster.membership.alive[other.member_number]

    def believe() -> None:
        owner.cluster.ownership.owned.pop(id)
        owner.cluster.ownership.remember(id, member)

    twin.get("/api/health", None)
    cluster = other.cluster
    other.call_on_loop(lambda: cluster.ownership.remember(id, cluster.membership.alive[owner.member_number]))
    owner.call_on_loop(believe)
    assert twin.get_table(id)["version"] >= version
    assert owner.owns(id)


def test_connection_passed_to_a_closing_member_is_answered(cluster_servers):
    server = cluster_servers[1]
    with socket.create_server(("127.0.0.1", 0)) as listening:
        client = socket.create_connection(listening.getsockname())
        accepted, _ = listening.accept()
    path = client_socket(server)

    def close() -> None:
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [accepted.fileno()]))
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as passing:
            passing.sendmsg([b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"], [rights], 0, str(path))
        server.app.readiness.shutting_down = True
        server.inner_socket.connection_receiver.close()

    with client, accepted:
        server.call_on_loop(close)
        accepted.close()
        received = receive_until(client, lambda _: False)
    assert received.startswith(b"HTTP/1.1 ")
    assert b"connection: close" in received.lower()
    assert not path.exists()
