"""Startup: the server opens or exits with a one-line error.

Also private files, reply headers, and connections at shutdown.
"""

import asyncio
import contextlib
import logging
import resource
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import apsw
import pytest

from diamonds.server.http.app import AppConfig, DiamondsApp
from diamonds.server.http.rate_limits import UNLIMITED, RateLimit
from diamonds.server.listening_sockets import listen
from diamonds.server.main import EXIT_CANNOT_START
from diamonds.server.storage import group_commit, tables
from diamonds.server.storage.data_dir import make_private
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.uvicorn_server import DiamondsServer
from tests.server.support.client import OPEN_CONNECTIONS, Client, wait_until
from tests.server.support.live_server import full_table, run_in_loop, startup_error


def startup_error_for(folder: Path) -> str:
    return startup_error("--port", "0", "--data-dir", str(folder))


# Opening


def make_foreign(path: Path) -> None:
    with contextlib.closing(apsw.Connection(str(path))) as other:
        other.execute("CREATE TABLE meta (x)")


@pytest.mark.parametrize("spoil", [
    lambda path: path.write_bytes(b"This is no database. " * 1000),
    lambda path: path.write_bytes((whole := path.read_bytes())[:100] + b"\xff" * 3_000 + whole[3_100:]),
    lambda path: path.unlink() or make_foreign(path),
], ids=["other file", "damaged", "foreign"])  # fmt: skip
def test_unusable_database_is_named_in_the_error(spoil, open_server, tmp_path):
    open_server(tmp_path).close()
    spoil(tmp_path / "diamonds.sqlite")
    why = startup_error_for(tmp_path)
    assert "diamonds.sqlite cannot be used" in why
    assert "backup" in why


def test_unusable_folder_is_named_in_the_error(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in ("/proc/diamonds", tmp_path / "file", tmp_path / "file" / "data"):
        assert f"The data folder {folder} cannot be used" in startup_error_for(folder)
    (tmp_path / "data" / "diamonds.sqlite").mkdir(parents=True, mode=0o700)
    assert "cannot be used" in startup_error_for(tmp_path / "data")


@pytest.mark.parametrize("name", ["secret_key", "push_key"])
@pytest.mark.parametrize("key", [b"", b"k" * 31, b"k" * 33])
def test_key_of_wrong_length_is_named_with_a_remedy(tmp_path, key, name):
    (tmp_path / name).write_bytes(key)
    why = startup_error_for(tmp_path)
    assert f"{name} is damaged ({len(key)} bytes, not 32)" in why
    assert "Restore it from a backup, or delete it" in why


@pytest.mark.later
def test_full_disk_at_startup_is_one_error_line(tmp_path):
    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8_192, 8_192))  # no file may grow

    ended = subprocess.run(
        [sys.executable, "-m", "diamonds.server", "--port", "0", "--data-dir", str(tmp_path / "data")],
        preexec_fn=small, capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode == EXIT_CANNOT_START
    assert len(ended.stderr.strip().splitlines()) == 1, ended.stderr
    assert "free some space" in ended.stderr


# Permissions


def test_stored_files_are_private(open_server, tmp_path):
    folder = tmp_path / "club" / "data"
    server = open_server(folder)
    server.new_client().create_table(game="mines", seats=2)
    assert folder.stat().st_mode & 0o777 == 0o700
    files = {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}
    assert files == dict.fromkeys(("diamonds.sqlite", "diamonds.sqlite-wal", "diamonds.sqlite-shm", "lock"), "0o600")


def test_readable_files_are_closed_and_an_open_data_dir_is_warned_about(tmp_path, capsys):
    tmp_path.chmod(0o755)
    names = ("diamonds.sqlite", "diamonds.sqlite-wal", "secret_key")
    for name in names:
        (tmp_path / name).write_bytes(b"")
        (tmp_path / name).chmod(0o644)
    make_private(tmp_path)
    assert [oct((tmp_path / name).stat().st_mode & 0o777) for name in names] == ["0o600"] * 3
    assert f"Other users can read {tmp_path}" in capsys.readouterr().err
    tmp_path.chmod(0o700)
    make_private(tmp_path)
    assert capsys.readouterr().err == ""


def test_idempotency_keys_expire_while_the_server_runs(open_server, tmp_path, monkeypatch):
    monkeypatch.setattr(group_commit, "PRUNE_INTERVAL_S", 0.05)
    server = open_server(tmp_path)
    guest = server.new_client()
    guest.post("/api/tables", {"game": "mines", "seats": 2, "idempotency_key": "made-long-ago"}, 201)
    disk = apsw.Connection(str(tmp_path / "diamonds.sqlite"))
    assert disk.execute("SELECT idempotency_key FROM idempotency_keys").get == "made-long-ago", "kept too briefly"
    monkeypatch.setattr(tables, "IDEMPOTENCY_TTL_S", -1000)
    wait_until(lambda: disk.execute("SELECT count(*) FROM idempotency_keys").get == 0, "expected none while idle")
    monkeypatch.setattr(tables, "IDEMPOTENCY_TTL_S", 1000)
    guest.post("/api/tables", {"game": "mines", "seats": 2, "idempotency_key": "made-long-ago"}, 201)
    disk.execute("UPDATE idempotency_keys SET at = ?", (time.time() - 2000,))
    wait_until(lambda: disk.execute("SELECT count(*) FROM idempotency_keys").get == 0, "expected it to expire")
    disk.close()


@pytest.mark.later
def test_reply_headers_deny_every_unneeded_permission(open_server):
    server = open_server(limits=UNLIMITED._replace(requests=RateLimit(60, 0.001)), secure=True)
    id, guests = full_table(server, "mines", 2)
    asked = [
        ("GET", "/"), ("HEAD", "/"), ("GET", "/nothing.js"), ("PUT", "/"), ("GET", "/api/server"), ("GET", "/api/rules/mines"),
        ("GET", "/api/nothing"), ("GET", "/api/tables/"), ("GET", f"/api/tables/{id}"), ("GET", "/api/schema"), ("OPTIONS", "/api/server"),
        ("POST", "/api/tables"), ("POST", f"/api/tables/{id}/answers"), ("GET", "/api/tables/none/stream"),
    ]  # fmt: skip
    for method, path in [*asked, ("GET", "/" + "a" * 20_000)]:
        guest = Client(server.port)
        guest.send(method, path)
        policy = guest.reply_headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy, path
        assert "default-src 'none'" in policy or (path in ("/", "/nothing.js") and method != "PUT"), path
        assert policy.count("default-src") == 1
        assert guest.reply_headers["x-content-type-options"] == "nosniff", path
        assert guest.reply_headers["strict-transport-security"] == "max-age=31536000", path
    stream = guests[0].watch(id)
    assert b"content-security-policy: default-src 'none'" in stream.received
    assert stream.received.count(b"nosniff") == 1
    plain = open_server()
    guest = Client(plain.port)
    guest.get("/api/server")
    assert "strict-transport-security" not in guest.reply_headers, "HSTS without HTTPS locks people out"


# Start and end


def test_server_announces_readiness_only_after_opening_the_store():
    store, order = SqliteStore(), []
    opened = store.resume_clocks

    async def slowly(wall: int) -> int:
        await asyncio.sleep(0)
        order.append("clocks")
        return await opened(wall)

    store.resume_clocks = slowly

    async def open_and_close() -> None:
        server = DiamondsServer(DiamondsApp(store, b"k" * 32, AppConfig()), on_open=lambda: order.append("said"))
        server.should_exit = True  # as soon as it listens
        with listen("127.0.0.1", 0) as listening:
            await store.open()
            await server.serve([listening])

    run_in_loop(open_and_close())
    assert order == ["clocks", "said"]


def test_incomplete_request_neither_delays_shutdown_nor_logs_an_error(open_server, caplog):
    caplog.set_level(logging.WARNING)
    server = open_server()
    id, guests = full_table(server, "mines", 2)
    who = (
        f"Host: localhost\r\nAuthorization: {guests[0].headers['Authorization']}\r\nContent-Type: application/json\r\n"
    )
    lines = []
    for path in ("/api/me", "/api/tables", f"/api/tables/{id}/answers", f"/api/tables/{id}/chat", "/api/token"):
        lines.append(socket.create_connection(("127.0.0.1", server.port)))
        lines[-1].sendall(f"POST {path} HTTP/1.1\r\n{who}Content-Length: 100\r\n\r\n{{".encode())
    lines.append(socket.create_connection(("127.0.0.1", server.port)))
    lines[-1].sendall(b"GET / HTTP/1.1\r\nHo")
    OPEN_CONNECTIONS.extend(lines)
    wait_until(lambda: server.app.connection_limiter.count >= 8, "expected the connections to be counted")
    wait_until(lambda: len(server.uvicorn_server.server_state.tasks) >= 5, "expected the requests to begin")
    server.close()
    assert not caplog.records, caplog.text


def test_slow_request_is_answered_at_shutdown(server, caplog, monkeypatch):
    server.uvicorn_server.config.timeout_graceful_shutdown = 0.1

    begun = threading.Event()

    async def forever(*_):
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(server.app.tables.creator, "create", forever)
    guest = server.new_client()
    line = socket.create_connection(("127.0.0.1", server.port))
    OPEN_CONNECTIONS.append(line)
    body = b'{"game":"mines","seats":2}'
    head = f"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nAuthorization: {guest.headers['Authorization']}\r\n"
    line.sendall(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    wait_until(begun.is_set, "expected the request to begin")
    server.close()
    assert line.recv(65536).startswith(b"HTTP/1.1 503")
    assert "Traceback" not in caplog.text
    assert "CancelledError" not in caplog.text


def test_web_client_gives_one_address_limited_identities(open_server):
    server = open_server(limits=UNLIMITED._replace(guests=RateLimit(3, 0.001)))
    given = []
    for _ in range(5):
        guest = Client(server.port)
        assert guest.send("GET", "/")[0] == 200, "expected the page itself without an identity"
        given.append("set-cookie" in guest.reply_headers)
    assert given == [True] * 3 + [False] * 2
    assert Client(server.port).send("POST", "/api/token", b"{}")[0] == 429
    returning = Client(server.port)
    returning.headers = {
        "Cookie": server.app.identities.set_cookie_header(server.app.identities.new_guest()).partition(";")[0]
    }
    returning.get("/api/server")
