"""Forbidden and malformed requests get a specific error and change nothing."""

import json
import socket
from pathlib import Path

import pytest

from diamonds.errors import InvalidInputError
from diamonds.server.http.identity import IdentityService
from diamonds.server.http.rate_limits import UNLIMITED, RateLimit
from diamonds.server.people.display_names import clean_name, clean_text
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.tables import listing
from diamonds.server.tables import streams as hub_module
from tests.server.support.client import Client, answer_next, first_legal, message_to_act, post_chat, wait_until
from tests.server.support.live_server import full_table, opened_store, run_in_loop

ROOT = Path(__file__).parents[2]


@pytest.fixture
def game_table(server):
    """A game of fourteen between three guests: server, table id, guests, and the seat to act."""
    id, guests = full_table(server, "fourteen", 3)
    message = message_to_act(guests, id)
    return server, id, guests, message


def is_unchanged(table) -> bool:
    server, id, guests, message = table
    now = guests[message["seat"]].get_table(id)
    return now["view"] == message["view"] and server.app.tables.get(id).n == 0


def answer_body(message, **more) -> bytes:
    return json.dumps(
        {"n": message["n"], "answers": [first_legal(message)], "idempotency_key": "some-key-1", **more}
    ).encode()


# Answers


def test_answer_of_a_spectator_or_another_seat_is_rejected(game_table):
    server, id, guests, message = game_table
    server.new_client().answer(id, 0, first_legal(message), expect=403)
    other = guests[(message["seat"] + 1) % 3]
    error = other.answer(id, 0, first_legal(message), expect=409)
    assert error["error"] == "It is not your turn."
    assert error["update"]["seat"] == (message["seat"] + 1) % 3
    assert is_unchanged(game_table)


@pytest.mark.parametrize("forge", [
    lambda token: token[:-8] + ("A" if token[-8] != "A" else "B") + token[-7:],
    lambda token: "x" + token,
    lambda token: token.rpartition(".")[0],
    lambda token: token.partition(".")[0] + ".AAAA",
    lambda token: "null",
    lambda token: "é" * 10,
])  # fmt: skip
def test_forged_token_is_401(game_table, forge):
    server, id, guests, message = game_table
    token = guests[message["seat"]].headers["Authorization"].partition(" ")[2]
    forged = Client(server.port, forge(token))
    assert forged.send("POST", f"/api/tables/{id}/answers", answer_body(message))[0] == 401
    assert forged.send("GET", f"/api/tables/{id}")[0] == 401
    assert is_unchanged(game_table)


def test_token_is_not_accepted_as_cookie_nor_cookie_as_token():
    def identify(people: IdentityService, cookie: str) -> tuple[str, bool]:
        return run_in_loop(people.identify({"headers": [(b"cookie", f"diamonds={cookie}".encode())]}))

    with opened_store(SqliteStore()) as store:
        people, other = (IdentityService(key * 32, False, store.async_store.accounts) for key in (b"k", b"q"))
        person = people.new_guest()
        cookie = people.set_cookie_header(person).partition("=")[2].partition(";")[0]
        assert identify(people, cookie) == (person, True)
        assert identify(people, people.sign_token(person)) == ("", True)
        assert identify(other, cookie)[0] == "", "expected no identity from another server's key"


def test_self_made_identity_is_ignored(server):
    guest = Client(server.port)
    guest.headers = {"Cookie": "diamonds=admin"}
    guest.get("/api/server")
    given = guest.reply_headers["set-cookie"]
    assert "admin" not in given
    assert "HttpOnly" in given
    assert "SameSite=Lax" in given
    assert "Secure" not in given


def table_count(*guests: Client) -> int:
    return sum(len(guest.get("/api/tables")["your_tables"]) for guest in guests)


@pytest.mark.parametrize(("headers", "status"), [
    ({"Sec-Fetch-Site": "same-origin"}, 201), ({"Sec-Fetch-Site": "none"}, 201), ({}, 201),
    ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Sec-Fetch-Site": "same-site"}, 403),
    ({"Origin": "https://evil.example"}, 403), ({"Origin": "null"}, 403),
    ({"Sec-Fetch-Site": "cross-site", "Origin": "HOST"}, 403), ({"Origin": "HOST"}, 201),
])  # fmt: skip
def test_cookie_request_must_be_same_origin_403(server, headers, status):
    guest = Client(server.port)
    guest.get("/api/server")
    guest.headers = {"Cookie": guest.reply_headers["set-cookie"].partition(";")[0]}
    headers = {n: v.replace("HOST", f"http://127.0.0.1:{server.port}") for n, v in headers.items()}
    assert guest.send("POST", "/api/tables", b'{"game":"mines","seats":2}', headers)[0] == status
    assert table_count(guest) == (status == 201)


# Request bodies


@pytest.mark.later
@pytest.mark.parametrize("body", [
    b"", b"{", b"null", b"[]", b"7", b'"x"', b"\xff\xfe", b"\xef\xbb\xbf{}", b"{}", b'{"n":0}', b"[" * 5000,
    b'{"n":0,"answers":[],"idempotency_key":"12345678"}', b'{"n":0,"answers":"play H7","idempotency_key":"12345678"}',
    b'{"n":true,"answers":["play H7"],"idempotency_key":"12345678"}', b'{"n":0.5,"answers":["play H7"],"idempotency_key":"12345678"}',
    b'{"n":1e400,"answers":["play H7"],"idempotency_key":"12345678"}', b'{"n":NaN,"answers":["play H7"],"idempotency_key":"12345678"}',
    b'{"n":99999999999999999999999,"answers":["play H7"],"idempotency_key":"12345678"}',
    b'{"n":0,"answers":["play H7"],"idempotency_key":"short"}', b'{"n":0,"answers":["play H7"],"idempotency_key":"with spaces in it"}',
    b'{"n":0,"answers":["play H7"],"idempotency_key":"12345678","seat":1}', b'{"n":0,"answers":[7],"idempotency_key":"12345678"}',
    b'{"n":0,"answers":["play"],"idempotency_key":"12345678"}', b'{"n":0,"answers":["play H7 H8"],"idempotency_key":"12345678"}',
    b'{"n":0,"answers":["play X99"],"idempotency_key":"12345678"}', b'{"n":0,"answers":["play \\u0000"],"idempotency_key":"12345678"}',
    b'{"n":0,"answers":["play \\ud800"],"idempotency_key":"12345678"}',
    b'{"n":0,"answers":["' + b"x" * 41 + b'"],"idempotency_key":"12345678"}',
    b'{"n":0,"answers":["a b","a b","a b","a b","a b","a b","a b","a b","a b"],"idempotency_key":"12345678"}',
])  # fmt: skip
def test_malformed_body_is_400_with_a_reason(game_table, body):
    _, id, guests, message = game_table
    guest = guests[message["seat"]]
    status, raw = guest.send("POST", f"/api/tables/{id}/answers", body)
    assert status == 400, raw
    assert len(json.loads(raw)["error"]) > 10
    assert is_unchanged(game_table)


def test_oversized_body_in_chunks_is_413(game_table):
    server, id, guests, _ = game_table
    line = socket.create_connection(("127.0.0.1", server.port))
    head = f"POST /api/tables/{id}/answers HTTP/1.1\r\nHost: localhost\r\nAuthorization: {guests[0].headers['Authorization']}\r\n"
    line.sendall(f"{head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
    for _ in range(5):
        line.sendall(b"1000\r\n" + b"x" * 0x1000 + b"\r\n")
    assert line.recv(100).startswith(b"HTTP/1.1 413")
    line.close()
    assert is_unchanged(game_table)


def test_outdated_n_is_409_even_if_the_answer_is_legal_now(server):
    id, guests = full_table(server, "crystals", 3)
    message = message_to_act(guests, id)
    guests[message["seat"]].answer(id, 0, "count 3")
    legal = guests[0].get_table(id)["open_question"]["legal"]
    guests[0].answer(id, 1, f"pass {legal[0]}")
    for n in (0, 7, 2**31, 1):
        error = guests[0].answer(id, n, f"pass {legal[1]}", expect=409)
        assert error["update"]["n"] == 2
        assert error["update"]["view"]["hand"][0] is not None
    assert error["error"] == "The game has moved on. Look at the table again."
    assert guests[0].get_table(id)["view"]["chosen"][0] == [legal[0]]
    guests[0].answer(id, 2, f"pass {legal[1]}")


def test_unknown_path_is_404(game_table):
    _, _, guests, _ = game_table
    for path in (
        "/api/tables/nothere", "/api/tables/nothere/stream", "/api/rules/chess", "/api/nothing",
        "/api/tables/nothere/record",
    ):  # fmt: skip
        status, raw = guests[0].send("GET", path)
        assert status == 404, path
        assert json.loads(raw)["error"]
    guests[0].answer("nothere", 0, "play H7", expect=404)
    for odd in ("..", "%2e%2e%2f", "%00", "a" * 3000, "'--"):
        assert guests[0].send("GET", f"/api/tables/{odd}")[0] == 404
    assert is_unchanged(game_table)


# Seats


def test_private_table_is_unlisted_and_needs_its_invite(server):
    host, other = server.new_client(), server.new_client()
    id = host.create_open_table()
    assert all(line["id"] != id for line in other.get("/api/tables")["tables"])
    assert [line["id"] for line in host.get("/api/tables")["your_tables"]] == [id]
    assert other.get_table(id)["table"]["invite"] is None
    assert host.get_table(id)["table"]["invite"] == host.invite
    for invite in (None, "", "x" * 22, host.invite[:-1]):
        other.post(f"/api/tables/{id}/sit", {"invite": invite}, 403)
    other.sit(id, invite=host.invite)
    assert other.get_table(id)["seat"] == 1


def test_seat_has_one_person_and_person_has_one_seat(server):
    host, one, two = server.new_client(), server.new_client(), server.new_client()
    id = host.create_table(game="fourteen", seats=3, seats_taken_by=["me", "open", "open"], private=False)
    assert [line["id"] for line in one.get("/api/tables")["tables"]] == [id]
    one.sit(id, seat=2)
    two.post(f"/api/tables/{id}/sit", {"seat": 2}, 409)
    two.post(f"/api/tables/{id}/sit", {"seat": 0}, 409)
    one.post(f"/api/tables/{id}/sit", {}, 409)
    two.post(f"/api/tables/{id}/sit", {"seat": 9}, 400)
    server.new_client().post(f"/api/tables/{id}/bot", {"seat": 1, "level": "simple"}, 403)
    two.sit(id)
    assert two.get_table(id)["table"]["phase"] == "playing"
    host.post(f"/api/tables/{id}/bot", {"seat": 1, "level": "simple"}, 409)


@pytest.mark.parametrize(("body", "status"), [
    ({"game": "chess", "seats": 2}, 404),
    ({"game": "mines", "seats": 3}, 400),
    ({"game": "crystals", "seats": 4, "options": {"nothing": True}}, 400),
    ({"game": "crystals", "seats": 3, "options": {"partnership": True}}, 409),
    ({"game": "mines", "seats": 2, "seats_taken_by": ["me"]}, 400),
    ({"game": "mines", "seats": 2, "seats_taken_by": ["me", "me"]}, 400),
    ({"game": "mines", "seats": 2, "seats_taken_by": ["me", "bot:deity"]}, 400),
    ({"game": "mines", "seats": 2, "seats_taken_by": ["me", "throne"]}, 400),
    ({"game": "mines", "seats": 2, "substitute_after_s": -1}, 400),
])  # fmt: skip
def test_impossible_table_is_rejected(guest, body, status):
    guest.post("/api/tables", body, status)
    assert table_count(guest) == 0


# Names and chat


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 41, "x" * 1000, "a\nb\x00", "abc\u202edef", "a\u200bb", "\u2066x", "\ud800"]
)
def test_name_that_cannot_be_displayed_is_400(guest, name):
    before = guest.get("/api/server")["display_name"]
    raw = json.dumps({"name": name}).encode()
    assert guest.send("POST", "/api/me", raw)[0] == 400
    assert guest.get("/api/server")["display_name"] == before


def test_names_are_normalized_and_markup_is_plain_text():
    assert clean_name("  Zoe\u0308   <b>Ö</b> ") == "Zoë <b>Ö</b>"
    assert clean_text("a\r\n\r\ndata: x\u202e") == "a data: x"
    with pytest.raises(InvalidInputError):
        clean_text("\u202e\n")


def test_markup_in_names_and_chat_passes_through_inert(server):
    name, text = "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>\n\ndata: {}"
    guest, other = server.new_client(), server.new_client()
    guest.post("/api/me", {"name": name}, 200)
    id = guest.create_open_table()
    reader = other.open_stream(id)
    post_chat(guest, id, text)
    message = wait_until(lambda: (m := reader.newest) and m["table"]["chat"] and m, "expected the chat message")
    assert message["table"]["chat"][0]["text"] == "</script><script>alert(1)</script> data: {}"
    assert message["table"]["chat"][0]["name"] == name
    assert message["table"]["seat_holders"][0]["name"] == name
    assert all(json.loads(event) for event in reader.events), "expected a line break to start no event"
    guest.get_table(id)
    assert guest.reply_headers["content-type"] == "application/json"
    assert guest.reply_headers["x-content-type-options"] == "nosniff"


# Limits


def test_streams_per_address_are_bounded_429_and_freed_on_close(open_server):
    server = open_server(limits=UNLIMITED._replace(streams_per_address=50, streams_per_person=20))
    id, guests = full_table(server, "mines", 2)
    streams = [guests[0].open_stream(id) for _ in range(20)]
    wait_until(lambda: all(reader.events for reader in streams), "expected the streams to open")
    assert guests[0].send("GET", f"/api/tables/{id}/stream")[0] == 429
    more = [server.new_client().open_stream(id) for _ in range(30)]
    wait_until(lambda: all(reader.events for reader in more), "expected the streams to open")
    assert server.new_client().send("GET", f"/api/tables/{id}/stream")[0] == 429
    for reader in streams:
        reader.socket.shutdown(socket.SHUT_RDWR)
    wait_until(lambda: len(server.app.tables.get(id).presence.streams) == 30, "expected closed streams to be removed")
    guests[0].watch(id)


def test_forwarded_address_is_ignored_without_a_trusted_proxy(open_server):
    limits = UNLIMITED._replace(requests=RateLimit(5, 0.001))
    server = open_server(limits=limits)
    statuses = [
        Client(server.port).send("GET", "/api/health", None, {"X-Forwarded-For": f"10.0.0.{k}"})[0] for k in range(8)
    ]
    assert statuses == [200] * 5 + [429] * 3
    behind = open_server(limits=limits, proxies=1)
    for k in range(8):
        spoofed = {"X-Forwarded-For": f"6.6.6.{k}, 10.0.0.1"}
        statuses[k] = Client(behind.port).send("GET", "/api/health", None, spoofed)[0]
    assert statuses == [200] * 5 + [429] * 3, "expected only the address added by the trusted proxy to count"


@pytest.mark.later
def test_stalled_stream_costs_bounded_memory_and_is_closed(open_server, monkeypatch):
    monkeypatch.setattr(hub_module, "STALL_TIMEOUT_S", 1.0)
    monkeypatch.setattr(hub_module, "HEARTBEAT_INTERVAL_S", 1)
    server = open_server()
    id, guests = full_table(server, "fourteen", 3, options={"target": 200})
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", server.port))
    line.sendall(f"GET /api/tables/{id}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())  # never reads
    table = server.app.tables.get(id)
    wait_until(lambda: table.presence.streams, "expected the stream to open")
    stream = table.presence.streams[0]
    sent, transport = [], stream.send.__self__.transport
    write = transport.write

    def count(data):
        sent.append(len(data))
        write(data)

    monkeypatch.setattr(transport, "write", count)
    while stream in table.presence.streams and len(sent) < 5000:
        message = next(m for g in guests if (m := g.get_table(id))["open_question"] or m["result"])
        if message["result"]:
            break
        guests[message["seat"]].answer(id, message["n"], first_legal(message))
        if stream.stalled_since:
            break
    assert stream.stalled_since, "the socket buffers took all messages, so the test shows nothing"
    buffered = sum(sent)
    for _ in range(30):
        answer_next(guests, id)
    assert sum(sent) == buffered, "expected no queue of messages for a stalled reader"
    wait_until(lambda: not table.presence.streams, "expected a stalled reader to be disconnected")
    line.close()


# Tables in memory


def test_event_cache_is_freed_with_the_last_stream(server):
    id, guests = full_table(server, "fourteen", 3)
    streams = [guest.open_stream(id) for guest in guests[:2]]
    table = server.app.tables.get(id)
    wait_until(
        lambda: len(table.presence.streams) == 2 and all(reader.newest for reader in streams),
        "expected an update on every stream",
    )
    streams[0].close()
    wait_until(lambda: len(table.presence.streams) == 1, "expected the closed streams to be removed")
    message = guests[0].get_table(id)
    assert table.update_cache is not None, "expected cached events while a stream is open"
    streams[1].close()
    wait_until(lambda: table.update_cache is None and not table.info_cache, "expected no cached events without streams")
    again = guests[0].get_table(id)
    assert {**again, "version": 0, "table": 0} == {**message, "version": 0, "table": 0}, "expected the same events"


def test_views_are_not_cached_and_errors_have_no_details(game_table):
    _, id, guests, _ = game_table
    guests[0].get_table(id)
    assert guests[0].reply_headers["cache-control"] == "no-store"
    reader = guests[0].watch(id)
    head = reader.received.partition(b"\r\n\r\n")[0].lower()
    assert b"cache-control: no-store" in head
    assert b"text/event-stream" in head
    assert b"server:" not in head


def test_internal_error_is_logged_and_answered_with_one_message(server, monkeypatch, caplog):
    def broken(*_):
        raise RuntimeError("the secret is 42")

    monkeypatch.setattr(listing, "list_tables", broken)
    status, raw = server.new_client().send("GET", "/api/tables")
    assert status == 500
    assert b"42" not in raw
    assert "the secret is 42" in caplog.text
