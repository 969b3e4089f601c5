"""Request limits: no single client can exhaust the server's memory or block its event loop."""

import asyncio
import contextlib
import socket
import threading

import pytest

from diamonds import operating_system
from diamonds.server.errors import RateLimitedError
from diamonds.server.http import connection_limits, identity, rate_limits, static_data, table_routes
from diamonds.server.http.network_addresses import AllowedHosts, network_of
from diamonds.server.http.rate_limits import (
    UNLIMITED,
    PerAddressQueue,
    PersonAndAddressRates,
    RateLimit,
    RateLimiter,
    RateLimitSettings,
)
from diamonds.server.tables import listing, streams
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import OPEN_CONNECTIONS, WAIT_TIMEOUT_S, Client, wait_until
from tests.server.support.live_server import LiveServer, full_table, memory_growth, run_in_loop


class RawConnection:
    """A raw connection that can send anything."""

    def __init__(self, server: LiveServer) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=WAIT_TIMEOUT_S)
        OPEN_CONNECTIONS.append(self.socket)

    def send(self, *pieces: bytes) -> bool:
        """Send data; return whether the server read all of it."""
        try:
            for piece in pieces:
                self.socket.sendall(piece)
        except OSError:
            return False
        return True

    def read(self) -> bytes:
        """Return everything received until the server closes the connection."""
        found = b""
        with contextlib.suppress(ConnectionError):  # the server closed the connection during the upload
            while data := self.socket.recv(65536):
                found += data
        return found


def connection_count(server: LiveServer) -> int:
    return server.app.connection_limiter.count


# Connections


@pytest.mark.parametrize(("begins", "goes_on", "status"), [
    (b"GET /" + b"a" * 100, b"a" * 1_000, b"414"),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", b"a" * 1_000, b"431"),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a", b"a" * 1_000, b"431"),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"a: b\r\n" * 200, b"431"),
])  # fmt: skip
def test_endless_request_head_is_rejected(server, begins, goes_on, status):
    line = RawConnection(server)
    line.send(begins)
    line.send(*[goes_on] * 21)
    assert line.read().startswith(b"HTTP/1.1 " + status), "expected a request head of 21 kB not to be read"


def test_request_head_of_ten_kilobytes_is_accepted(guest):
    for _ in range(2):
        assert guest.send("GET", "/api/health", None, {"X": "x" * 5_000, "Y": "y" * 5_000})[0] == 200


def test_long_query_string_is_414_and_leaves_nothing(server):
    id, guests = full_table(server, "mines", 2)

    def ask(time: int) -> None:
        for k in range(20):
            assert guests[0].send("GET", f"/api/tables/{id}?after={time}{k}" + "&a=b" * 2_000)[0] == 414

    assert memory_growth(ask) < 400_000, "expected no parsed query to be kept"


def test_rules_page_is_rendered_once(guest, monkeypatch):
    first = guest.send("GET", "/api/rules/mines")
    monkeypatch.setattr(static_data, "MarkdownIt", None)
    assert guest.send("GET", "/api/rules/mines") == first, "expected the rules page to be rendered once"
    assert first[0] == 200


def test_endless_body_is_not_read_to_its_end(server, monkeypatch):
    head = b"POST /api/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    trailers = RawConnection(server)
    trailers.send(head, b"0\r\nX: ")
    assert not trailers.send(*[b"a" * 4_000] * 10_000), "expected a trailer of 40 MB not to be joined"
    monkeypatch.setattr(connection_limits, "BODY_TIMEOUT_S", 3600.0)
    body = RawConnection(server)
    body.send(head, *[b"fa0\r\n" + b"a" * 4_000 + b"\r\n"] * 40)
    body.read()  # ends only if the server closes the connection, although the body of 160 KB has no end


def test_incomplete_request_times_out_after_ten_seconds(server, monkeypatch):
    monkeypatch.setattr(connection_limits, "HEAD_TIMEOUT_S", 0.1)
    monkeypatch.setattr(connection_limits, "BODY_TIMEOUT_S", 0.1)
    nothing, head, second, crlf, body = (RawConnection(server) for _ in range(5))
    whole = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    head.send(b"GET / HTTP/1.1\r\nHost: loc")
    second.send(whole, b"GET /")
    crlf.send(whole)
    wait_until(lambda: b"}" in crlf.socket.recv(65536), "expected a reply")
    crlf.send(b"\r\n")
    body.send(
        b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
    )
    assert nothing.read().startswith(b"HTTP/1.1 408")
    assert head.read().startswith(b"HTTP/1.1 408")
    assert b"HTTP/1.1 408" in second.read(), "expected a timeout of a connection's second request, too"
    assert crlf.read() == b""
    assert b"500" not in body.read()
    wait_until(lambda: not connection_count(server), "expected a closed connection not to count")


def test_stream_is_not_timed_out_as_an_incomplete_request(server, monkeypatch):
    monkeypatch.setattr(connection_limits, "HEAD_TIMEOUT_S", 1.0)
    monkeypatch.setattr(connection_limits, "BODY_TIMEOUT_S", 1.0)
    id, guests = full_table(server, "mines", 2)
    stream = guests[0].watch(id)
    idle = RawConnection(server)
    assert idle.read().startswith(b"HTTP/1.1 408"), "expected an incomplete request to time out by now"
    assert not stream.is_ended


def test_pipelined_requests_do_not_pile_up(server):
    id, _ = full_table(server, "mines", 2)
    line = RawConnection(server)
    line.send(f"GET /api/tables/{id}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    wait_until(lambda: server.app.tables.get(id).presence.streams, "expected the stream to open")
    line.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
    line.read()
    wait_until(lambda: not server.app.tables.get(id).presence.streams, "expected no reading ahead of a stream")


def test_connections_per_address_are_bounded_and_freed_on_close(open_server):
    server = open_server(limits=UNLIMITED._replace(connections_per_address=5))
    lines = [RawConnection(server) for _ in range(5)]
    wait_until(lambda: connection_count(server) == 5, "expected the connections to be counted")
    reply = RawConnection(server).read()
    assert reply.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 5" in reply
    assert connection_count(server) == 5
    lines.pop().socket.close()
    wait_until(lambda: connection_count(server) == 4, "expected a closed connection not to count")
    assert Client(server.port).send("GET", "/api/health")[0] == 200


def test_total_connections_are_bounded_and_a_trusted_proxy_is_exempt(open_server):
    server = open_server(limits=UNLIMITED._replace(connections=8, connections_per_address=2), proxies=1)
    lines = [RawConnection(server) for _ in range(8)]
    wait_until(lambda: connection_count(server) == 8, "expected no limit of a trusted proxy's address")
    assert RawConnection(server).read().startswith(b"HTTP/1.1 503")
    assert all(line.send(b"GET ") for line in lines)


def test_connection_limit_leaves_file_descriptors_free():
    keeper = connection_limits.ConnectionLimiter(UNLIMITED, 0)
    assert 0 < keeper.max_connections < (operating_system.open_file_limit() or UNLIMITED.connections + 1)


@pytest.mark.later
def test_stalled_reply_is_disconnected(server, monkeypatch):
    monkeypatch.setattr(connection_limits, "STALL_TIMEOUT_S", 0.1)
    line = socket.socket()
    OPEN_CONNECTIONS.append(line)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", server.port))
    line.sendall(b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 15)
    wait_until(lambda: connection_count(server), "expected the connection to be counted")
    wait_until(lambda: not connection_count(server), "expected a stalled connection to be closed")


# Addresses and credentials


def test_ipv6_network_counts_as_one_address_and_ipv4_address_as_itself():
    assert network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert network_of("2001:db8:0:1::1") == network_of("2001:db8::1:ffff:ffff:ffff:ffff") != network_of("2001:db8::1")
    assert network_of("fe80::1%eth0") == network_of("fe80::2")
    assert network_of("no:address") == "no:address"


def test_addresses_of_one_ipv6_network_share_a_limit(open_server):
    server = open_server(limits=UNLIMITED._replace(requests=RateLimit(5, 0.001)), proxies=1)
    guest = Client(server.port)
    statuses = [guest.send("GET", "/api/health", None, {"X-Forwarded-For": f"2001:db8::{k:x}:1"})[0] for k in range(8)]
    assert statuses == [200] * 5 + [429] * 3
    assert guest.send("GET", "/api/health", None, {"X-Forwarded-For": "2001:db8:1::1"})[0] == 200


def test_junk_credentials_do_not_displace_valid_ones_in_the_cache(open_server, monkeypatch):
    monkeypatch.setattr(identity, "MAX_CACHED_IDENTITIES", 1)
    guest, unsign, checked = (server := open_server()).new_client(), identity.Signer.unsign, []
    monkeypatch.setattr(identity.Signer, "unsign", lambda signer, text: checked.append(text) or unsign(signer, text))
    guest.get("/api/server")
    for k in range(20):
        Client(server.port, f"{k}".ljust(66, "x")).send("GET", "/api/server")
    checked.clear()
    guest.get("/api/server")
    assert checked == [], "expected the guest's credential to be still known"


# Limits


def test_rate_limit_buckets_that_are_full_soonest_are_evicted_first(monkeypatch):
    monkeypatch.setattr(rate_limits, "MAX_BUCKETS", 100)
    now = [1000.0]
    monkeypatch.setattr(rate_limits.time, "monotonic", lambda: now[0])
    buckets = RateLimiter()
    for k in range(90):
        buckets.acquire("x", str(k), RateLimit(2, 1), "things")
    now[0] += 0.5
    for k in range(20):
        buckets.acquire("x", f"new {k}", RateLimit(2, 0.001), "things")
    for k in range(20):
        buckets.acquire("x", f"new {k}", RateLimit(2, 0.001), "things")
        with pytest.raises(RateLimitedError):
            buckets.acquire("x", f"new {k}", RateLimit(2, 0.001), "things")


def test_rate_limit_bucket_allows_its_burst_and_then_its_rate(monkeypatch):
    now = [12_345.678]
    monkeypatch.setattr(rate_limits.time, "monotonic", lambda: now[0])
    buckets = RateLimiter()
    for idle_s, allowed in ((0.0, 2_000), (0.05, 5), (3_600.0, 2_000)):  # an hour refills the bucket, and no more
        now[0] += idle_s
        for _ in range(allowed):
            buckets.acquire("x", "me", RateLimit(2_000, 100), "things")
        with pytest.raises(RateLimitedError) as error:
            buckets.acquire("x", "me", RateLimit(2_000, 100), "things")
        assert error.value.retry_after_s == 1


@pytest.mark.later
@pytest.mark.parametrize(("name", "path", "body"), [
    ("table_lists", "/api/tables", None),
    ("table_views", "/api/tables/ID", None),
    ("table_views", "/api/tables/ID/stream", None),
    ("table_views", "/api/tables/ID/score-pad", None),
    ("names", "/api/me", b'{"name":"Zoe"}'),
    ("chat", "/api/tables/ID/chat", b'{"text":"hello","idempotency_key":"chat-key-1"}'),
    ("undo", "/api/tables/ID/undo", b'{"n":0,"to":0,"idempotency_key":"undo-key-1"}'),
    ("seats", "/api/tables/ID/sit", b"{}"),
    ("seats", "/api/tables/ID/stand", b"{}"),
    ("seats", "/api/tables/ID/bot-speed", b'{"bot_speed":"quick"}'),
    ("seats", "/api/tables/ID/chat-mode", b'{"chat_mode":"none","idempotency_key":"talk-key-1"}'),
    ("seeks", "/api/seek", b'{"games":["mines"],"seats":[2],"bot_speeds":["steady"]}'),
    ("fast_forward", "/api/tables/ID/fast-forward", b"{}"),
    ("seats", "/api/tables/ID/bot", b'{"seat":1,"level":"simple"}'),
    ("analysis", "/api/tables/ID/hint", None),
    ("analysis", "/api/tables/ID/review", None),
    ("nudges", "/api/tables/ID/nudge", b'{"seat":1}'),
    ("reports", "/api/tables/ID/report", b'{"seat":1,"reason":"rude"}'),
    ("friends", "/api/friends", b'{"name":"Zoe"}'),
    ("push", "/api/push/remove", b'{"id":"x"}'),
    ("accounts", "/api/me/links", b"{}"),
    ("registrations", "/api/me/account", b'{"passkey":{}}'),
    ("recovery_codes", "/api/sign-in/code", b'{"code":"000000000000000000000000"}'),
    ("exports", "/api/me/data", None),
    ("history", "/api/tables/ID/record", None),
    ("history", "/api/tables/ID/replay", None),
    ("history", "/api/tables/ID/verify", None),
    ("tables", "/api/tables", b'{"game":"mines","seats":2}'),
    ("tables", "/api/tables/ID/rematch", b"{}"),
    ("tables", "/api/tables/ID/fork", b'{"n":0,"seat":0,"level":"simple"}'),
])  # fmt: skip
def test_new_identities_share_the_limit_of_their_address(open_server, name, path, body):
    share = PersonAndAddressRates(RateLimit(100, 100), RateLimit(4, 0.001))
    server = open_server(limits=UNLIMITED._replace(**{name: share}))
    if name == "history":
        path = path.replace("ID", full_table(server, "mines", 2)[0])
    statuses = []
    for _ in range(8):
        guest = BrowserClient(server.port)
        statuses.append(guest.send("POST" if body else "GET", path, body)[0])
    assert statuses[-4:] == [429] * 4, f"expected eight new people to hit a limit at {path}: {statuses}"


def test_thirty_pupils_behind_one_address_are_not_limited():
    buckets, given = RateLimiter(), RateLimitSettings()
    for pupil in range(30):
        used = {"tables": 2, "table_views": 20, "seats": 4, "chat": 4, "names": 2, "table_lists": 10, "history": 5}
        for kind, times in used.items():
            for _ in range(times):
                buckets.acquire_pair(kind, f"pupil {pupil}", "school", getattr(given, kind), "things")
    for _ in range(30 * 20):
        buckets.acquire("requests", "school", given.requests, "requests")


# Host names


def get_with_headers(server, headers, path="/api/health"):
    line = RawConnection(server)
    line.send(f"GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n".encode("latin-1"))
    return line.read()


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "[::1]:8000", "localhost.", "[::1]"])
def test_localhost_is_always_an_allowed_host(server, host):
    assert get_with_headers(server, f"Host: {host}\r\n").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(("status", "says", "hosts"), [
    *((b"421", b"--allowed-host", f"Host: {host}\r\n") for host in (
        "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8000", "8.8.8.8",
    )),
    *((b"400", b'"id":"server-', hosts) for hosts in (
        "", "Host:\r\n", "Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nhost: evil.example\r\n",
        "Host: evil.example\r\nHost: localhost\r\n", "Host: localhost, localhost\r\n", "Host: local host\r\n",
        "Host: localhost:80:80\r\n", "Host: localhost/\r\n", "Host: me@localhost\r\n", "Host: [localhost\r\n",
        "Host: localhost:x\r\n", "Host: l\xf6calhost\r\n",
    )),
])  # fmt: skip
def test_unknown_host_is_421_and_no_valid_host_is_400(server, status, says, hosts):
    for path in ("/", "/api/health", "/api/tables/x/stream"):
        reply = get_with_headers(server, hosts, path)
        assert reply.startswith(b"HTTP/1.1 " + status), reply[:300]
        assert says in reply


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Content-Type", "application/json"), ("Origin", "http://localhost"), ("Authorization", "Bearer x"),
        ("Sec-Fetch-Site", "same-origin"), ("Last-Event-ID", "1"),
    ],
)  # fmt: skip
def test_duplicate_single_header_is_400(server, name, value):
    reply = get_with_headers(server, f"Host: localhost\r\n{name}: {value}\r\n{name.lower()}: {value}\r\n")
    assert reply.startswith(b"HTTP/1.1 400"), reply[:300]
    assert f"The header {name.lower()} comes more than once." in reply.decode()
    assert get_with_headers(server, f"Host: localhost\r\n{name}: {value}\r\n").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("more", ["Content-Length: 2", "Content-Length: 3", "Transfer-Encoding: chunked"])
def test_request_with_two_body_lengths_is_400(server, more):
    assert get_with_headers(server, f"Host: localhost\r\nContent-Length: 2\r\n{more}\r\n").startswith(b"HTTP/1.1 400")


def test_trailers_are_not_headers(open_server):
    """A proxy that forwards trailers has not appended its client address to them."""
    server = open_server(limits=UNLIMITED._replace(requests=RateLimit(1, 1e-9)), proxies=1)
    request = (
        b"POST /api/token HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Forwarded-For: 192.0.2.%d\r\n\r\n"
    )
    replies = []
    for number in (7, 8):
        line = RawConnection(server)
        line.send(request % number)
        replies.append(line.socket.recv(65536)[:12])
    assert replies == [b"HTTP/1.1 200", b"HTTP/1.1 429"]


def test_cookie_headers_are_joined(server):
    guest = Client(server.port)
    guest.send("GET", "/")
    cookie = guest.reply_headers["set-cookie"].partition(";")[0]
    for lines in (f"Cookie: a=1; {cookie}\r\n", f"Cookie: a=1\r\nCookie: {cookie}\r\nCookie: b=2\r\n"):
        assert get_with_headers(server, f"Host: localhost\r\n{lines}", "/api/push").startswith(b"HTTP/1.1 200")


def test_allowed_hosts_are_the_configured_ones_or_any_ip_in_a_network(open_server):
    server = open_server(allowed_hosts=("diamonds.example.org", "::"))
    for host, status in (("Diamonds.Example.org:443", 200), ("diamonds.example.com", 421), ("192.0.2.1", 421)):
        assert Client(server.port).send("GET", "/api/health", None, {"Host": host})[0] == status
    lan = AllowedHosts(("0.0.0.0",), allow_any_ip=True)
    for number in (b"192.0.2.1:8000", b"[2001:db8::1]:8000", b"10.0.0.1"):
        lan.check({"headers": [(b"host", number)]})


def test_one_address_is_accepted_once_per_loop_round_beside_others():
    async def crowd():
        queue, rounds, let_through = PerAddressQueue(), 0, []

        async def count():
            nonlocal rounds
            while len(let_through) < 22:
                await asyncio.sleep(0)
                rounds += 1

        async def one(address):
            await queue.wait_turn(address)
            let_through.append((rounds, address))

        counting = asyncio.ensure_future(count())
        many = [asyncio.ensure_future(one("many")) for _ in range(21)]
        few = [asyncio.ensure_future(one("few"))]
        gone = asyncio.ensure_future(one("many"))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(counting, *many, *few)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return let_through, queue.waiting

    let_through, left = run_in_loop(crowd())
    rounds = [k for k, address in let_through if address == "many"]
    assert len(set(rounds)) == len(rounds) == 21, "expected one accepted connection of an address per loop round"
    assert min(k for k, address in let_through if address == "few") <= min(rounds) + 1, "expected few not to wait"
    assert not left, "expected no entry of clients that are gone"


@pytest.mark.parametrize(("path", "costly"), [
    ("/api/tables", ("lists", "list_tables")),
    ("/api/tables/{id}", ("routes", "table_update")),
    ("/api/tables/{id}/stream", ("streams", "table_update")),
])  # fmt: skip
def test_identical_expensive_requests_are_answered_in_separate_rounds(server, guest, monkeypatch, path, costly):
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["bot:random", "bot:random"])
    where = {"lists": listing, "routes": table_routes, "streams": streams}[costly[0]]
    real, rounds, told = getattr(where, costly[1]), [0], []

    def note(*given):
        told.append(rounds[0])
        return real(*given)

    async def count():
        while len(told) < 30:
            rounds[0] += 1
            await asyncio.sleep(0)

    lines = [RawConnection(server) for _ in range(30)]
    wait_until(lambda: connection_count(server) >= 30, "expected the connections to be accepted")
    server.call_on_loop(lambda: server.app.tables.bots.close())  # otherwise they would be notified of each answer
    monkeypatch.setattr(server.app.asgi_routes, "note_presence", lambda table, seat: None)  # and of presence
    monkeypatch.setattr(where, costly[1], note)
    all_sent = threading.Event()
    # so that all requests arrive in one iteration of the loop
    server.loop.call_soon_threadsafe(all_sent.wait, WAIT_TIMEOUT_S)
    request = f"GET {path.format(id=id)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    for line in lines:
        assert line.send(request)
    counting = asyncio.run_coroutine_threadsafe(count(), server.loop)
    all_sent.set()
    counting.result(WAIT_TIMEOUT_S)
    assert len(set(told[:30])) == 30, f"expected one expensive request per loop round: {told}"
