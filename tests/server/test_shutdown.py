"""Shutdown: requests in progress finish, streams move to the next server, processes end, and readiness changes."""

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from diamonds.bots import kernels
from diamonds.server import uvicorn_server
from diamonds.server.http import readiness
from diamonds.server.http.app import AppConfig, DiamondsApp
from diamonds.server.jobs import worker_pool
from diamonds.server.storage import failpoints
from diamonds.server.storage.sqlite import SqliteStore
from tests.server.support.client import WAIT_TIMEOUT_S, Client, StreamReader, first_legal, message_to_act, wait_until
from tests.server.support.live_server import free_port, full_table
from tests.server.support.recording_players import is_alive
from tests.server.support.server_command import PATIENT_SERVER, children, read_line, start_process


class HeldDisk:
    """A disk that blocks every write while it is held."""

    def __init__(self) -> None:
        self.reached, self.free = threading.Event(), threading.Event()
        self.free.set()

    def reach(self, point: str) -> None:
        if point == "written" and not self.free.is_set():
            self.reached.set()
            self.free.wait()


@pytest.fixture
def held_disk(monkeypatch) -> Iterator[HeldDisk]:
    hold = HeldDisk()
    monkeypatch.setattr(failpoints, "reach", hold.reach)
    yield hold
    hold.free.set()


def is_refused(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.fixture
def held_answer(open_server, tmp_path, held_disk, in_thread):
    """A server whose disk is held, a table on it, its players, and an answer that waits for the disk."""
    server = open_server(tmp_path)
    server.uvicorn_server.config.timeout_graceful_shutdown = WAIT_TIMEOUT_S
    id, guests = full_table(server, "mines", 2)
    message = message_to_act(guests, id)
    held_disk.free.clear()
    answer = in_thread(guests[message["seat"]].answer, id, 0, first_legal(message), expect=None)
    held_disk.reached.wait()
    return server, id, guests, message, answer


def test_shutdown_stores_and_acknowledges_an_answer_under_way(held_answer, held_disk, in_thread):
    server, id, guests, message, answer = held_answer
    ends = in_thread(server.close)
    wait_until(lambda: is_refused(server.port), "expected no new connections during shutdown")
    assert not answer.done(), "expected no reply before the answer is on disk"
    held_disk.free.set()
    assert answer.result()["n"] == 1, f"expected the answer to be finished: {answer.result()}"
    ends.result()
    server.open()
    guests[1 - message["seat"]].disconnect()
    assert guests[1 - message["seat"]].get_table(id)["n"] >= 1, "expected the acknowledged answer"


def test_shutdown_tells_every_stream_when_to_reconnect(server):
    id, guests = full_table(server, "mines", 2)
    streams = [guests[0].open_stream(id), server.new_client().open_stream(id), guests[1].open_lobby().stream]
    streams.append(StreamReader(server.port, "/api/turns", guests[1].headers, "turns"))
    wait_until(lambda: all(stream.received.count(b"\n\n") > 1 for stream in streams), "expected the streams to open")
    server.close()
    for stream in streams:
        wait_until(lambda stream=stream: stream.is_ended, "expected the streams to end with the server")
        said = stream.received[-60:]
        assert b"retry: " in said, f"expected a retry interval instead of {said!r}"
        assert stream.received.endswith(b"0\r\n\r\n"), f"expected a complete stream: {said!r}"
        assert 200 <= int(said.rpartition(b"retry: ")[2].split(b"\n")[0]) <= 1200


def test_request_during_shutdown_is_redirected_immediately(server):
    id, guests = full_table(server, "mines", 2)
    server.call_on_loop(lambda: server.app.tables.streams.end_all(lambda: b"retry: 7\n\n"))
    late = guests[0].open_stream(id)
    wait_until(lambda: late.is_ended, "expected a late stream not to delay the shutdown")
    assert b"retry: 7\n\n" in late.received


def test_stuck_server_shuts_down_anyway(held_answer, held_disk, in_thread, monkeypatch, capfd):
    ended: list[int] = []
    server, *_, answer = held_answer
    monkeypatch.setattr(os, "_exit", ended.append)
    server.uvicorn_server.exit_deadline_s = 0.05
    ends = in_thread(server.close)
    wait_until(lambda: ended, "expected the server to give up waiting")
    assert ended == [uvicorn_server.EXIT_TEMPFAIL]
    assert not answer.done(), "expected no reply before the answer is on disk"
    assert "Diamonds ends without waiting for unfinished work" in capfd.readouterr().err
    held_disk.free.set()
    answer.result()
    ends.result()


@pytest.mark.parametrize("part", ["lobby", "notifications"])
def test_part_that_was_woken_just_before_the_shutdown_ends(server, no_lobby_delays, part):
    """In Python 3.11, `asyncio.wait_for` swallows a cancellation in the moment in which its wait is over."""
    service = server.app.lobby.lobby_hub if part == "lobby" else server.app.push_scheduler
    wake = service.schedule_flush if part == "lobby" else service.wake
    event = service._wakeup if part == "lobby" else service._wake
    server.call_on_loop(wake)
    wait_until(lambda: not event.is_set(), "expected the part to handle the change")
    wait_until(lambda: server.call_on_loop(lambda: bool(event._waiters)), "expected the part to wait")

    def wake_and_close() -> None:
        wake()
        service.close()

    server.call_on_loop(wake_and_close)
    wait_until(service._task.done, "expected the part to end")


def test_shutdown_stops_running_compilation(tmp_path, monkeypatch):
    told = tmp_path / "pid"
    code = f"import os, pathlib, time; pathlib.Path({str(told)!r}).write_text(str(os.getpid())); time.sleep(10_000)"
    monkeypatch.setattr(worker_pool, "compile_command", lambda *_: [sys.executable, "-S", "-c", code])
    monkeypatch.setattr(kernels, "missing_reason", lambda: None)

    async def open_and_close() -> int:
        store, closed = SqliteStore(), asyncio.Event()
        await store.open()
        app, events = DiamondsApp(store, b"k" * 32, AppConfig(warm_up=True)), asyncio.Queue[dict[str, str]]()

        async def send(event: dict[str, str]) -> None:
            if event["type"] == "lifespan.shutdown.complete":
                closed.set()

        events.put_nowait({"type": "lifespan.startup"})
        lifespan = asyncio.create_task(app({"type": "lifespan"}, events.get, send))
        await asyncio.to_thread(wait_until, lambda: told.exists() and told.read_text(), "expected a compilation")
        events.put_nowait({"type": "lifespan.shutdown"})
        await closed.wait()
        pid = int(told.read_text())
        left = is_alive(pid)
        await lifespan
        if left:
            os.kill(pid, signal.SIGKILL)
        assert not left, "expected the compilation to end with the server"
        return pid

    assert asyncio.run(open_and_close()) > 0


# Readiness


def test_ready_server_reports_ready(open_server, tmp_path, monkeypatch):
    monkeypatch.setattr(readiness, "CHECK_TIMEOUT_S", WAIT_TIMEOUT_S)
    told = open_server(tmp_path).new_client().get("/api/ready")
    assert told.pop("bots") in ("ready", "quick", "compiling")
    assert told == {"ready": True, "store": True, "shutting_down": False, "process": 1}


def test_server_with_unresponsive_bots_is_not_ready(server, monkeypatch):
    free = threading.Event()
    server.app.tables.bots.threads.submit(free.wait)
    monkeypatch.setattr(readiness, "CHECK_TIMEOUT_S", 0.05)
    told = server.new_client().get("/api/ready", 503)
    free.set()
    assert (told["ready"], told["bots"]) == (False, "silent")


def test_server_is_not_ready_from_the_start_of_shutdown(server, guest, monkeypatch):
    # Enters the state in which it would begin to shut down.
    monkeypatch.setattr(uvicorn.Server, "handle_exit", lambda *_: None)
    server.call_on_loop(lambda: server.uvicorn_server.handle_exit(signal.SIGTERM, None))
    told = guest.get("/api/ready", 503)
    assert (told["ready"], told["shutting_down"]) == (False, True)


# SIGTERM


WORKER_MARK = "spawn_main"
COMPILER_MARK = "kernels.load"


def child_commands(pid: int) -> dict[int, str]:
    found = {}
    for child in children(pid):
        path = Path(f"/proc/{child}/cmdline")
        found[child] = path.read_bytes().decode() if path.exists() else ""
    return found


@pytest.mark.later
@pytest.mark.parametrize("doing", ["", WORKER_MARK, COMPILER_MARK])
def test_sigterm_ends_a_server_and_its_processes(tmp_path, doing):
    port = free_port()
    more = [] if doing == COMPILER_MARK else ["--no-warm-up"]
    caches = {"XDG_CACHE_HOME": str(tmp_path / "cache")} if doing == COMPILER_MARK else {}
    server = start_process(
        [sys.executable, "-c", PATIENT_SERVER, "--port", str(port), "--data-dir", str(tmp_path / "data"), *more,
         "--no-rate-limits", "--bot-delay", "0,0"],
        env={**os.environ, **caches},
    )  # fmt: skip
    try:
        assert "Diamonds is open" in read_line(server.stdout)
        guest = Client(port, Client(port).post("/api/token", {}, 200)["token"])
        if doing == WORKER_MARK:
            guest.create_table(game="crystals", seats=4, seats_taken_by=["bot:5"] * 4)
        wait_until(
            lambda: any(doing in line for line in child_commands(server.pid).values()) or not doing,
            "expected the server to be busy",
        )
        held = child_commands(server.pid)
        server.send_signal(signal.SIGTERM)
        _, says = server.communicate(timeout=WAIT_TIMEOUT_S)
    finally:
        server.kill()
        server.communicate()
    assert says == "", "expected nothing on stderr, such as leaked semaphores"
    for pid in held:
        wait_until(lambda pid=pid: not is_alive(pid), "expected no process to outlive the server")
