"""Finished games: their replays and records are computed once, in a worker, and cached within limits."""

import asyncio
import json
import socket
import tracemalloc
import zlib
from types import SimpleNamespace

import pytest

from diamonds.game import GAMES
from diamonds.server.jobs.worker_pool import WorkerPool
from diamonds.server.tables import archive
from diamonds.server.tables.archive import GameArchive
from tests.server.support.client import OPEN_CONNECTIONS, WAIT_TIMEOUT_S, Client, answer_next, post_chat, wait_until
from tests.server.support.live_server import finish_game, full_table, memory_growth, run_in_loop

HISTORY_PATHS = {"record": "record", "replay": "replay", "verdict": "verify"}


@pytest.fixture
def finished_table(server):
    """A server, a finished game of mines on it, and its players."""
    guest = server.new_client()
    id = guest.create_table(game="mines", seats=2)
    finish_game(server, id, guest)
    return server, id, guest


@pytest.mark.later
def test_finished_game_is_rebuilt_once_in_a_worker_for_all_requests(finished_table, in_thread, monkeypatch):
    server, id, guest = finished_table
    pool = server.app.tables.workers
    asked = []
    run_job, waiting = pool.run, asyncio.Event()

    async def counted(*given):
        asked.append(given[1] if given[0] is archive.compute_archive else "told")
        await waiting.wait()
        return await run_job(*given)

    monkeypatch.setattr(server.app.tables.workers, "run", counted)
    for module in ("records", "record_reader"):
        monkeypatch.setattr(f"diamonds.{module}.start_game", None)  # the server process itself replays no game
    guests = [Client(server.port) for _ in range(4)]
    replies = [in_thread(one.send, "GET", f"/api/tables/{id}/replay") for one in guests]
    wait_until(lambda: asked, "expected a job")
    server.call_on_loop(waiting.set)
    ((status, _),) = {reply.result() for reply in replies}
    assert status == 200
    assert asked == ["replay", "told"], "expected one replay of the game for all requests"
    for what, path in HISTORY_PATHS.items():
        first = guest.get(f"/api/tables/{id}/{path}")
        assert guest.get(f"/api/tables/{id}/{path}") == first
        assert asked.count(what) == 1


def test_replay_has_the_current_table_info(finished_table):
    _, id, guest = finished_table
    before = guest.get(f"/api/tables/{id}/replay")
    post_chat(guest, id, "well played")
    guest.post("/api/me", {"name": "Zoe"}, 200)
    after = guest.get(f"/api/tables/{id}/replay")
    assert before["table"]["chat"] == []
    assert after["table"]["chat"][0]["text"] == "well played"
    assert after["table"]["seat_holders"][0]["name"] == "Zoe"
    assert [step["view"] for step in after["steps"]] == [step["view"] for step in before["steps"]]
    assert "Zoe" in json.dumps(guest.get(f"/api/tables/{id}/record"))


@pytest.mark.later
def test_ending_matches_the_record(finished_table):
    _, id, guest = finished_table
    result = guest.get_table(id)["result"]
    assert result.pop("facts") is None, "expected seven ♦ as the reason of the end"
    assert GAMES[guest.get_table(id)["table"]["game"]].ending_text(result), "expected a text for the end"
    assert guest.get(f"/api/tables/{id}/replay")["result"] == result
    assert guest.get(f"/api/tables/{id}/record")["result"] == result


def cached_size(packed: tuple[bytes, ...]) -> int:
    return sum(map(len, packed))


@pytest.mark.later
def test_cache_of_old_games_is_bounded(finished_table, monkeypatch):
    server, id, guest = finished_table
    game_archive = server.app.tables.archive
    for path in HISTORY_PATHS.values():
        guest.get(f"/api/tables/{id}/{path}")
    assert len(game_archive.cached) == 3
    assert game_archive.cached_bytes == sum(map(cached_size, game_archive.cached.values()))
    monkeypatch.setattr(archive, "CACHE_BYTES", max(map(cached_size, game_archive.cached.values())) + 10)
    for k in range(3):
        guest.post("/api/me", {"name": f"Zoe {k}"}, 200)
        guest.get(f"/api/tables/{id}/replay")
        assert game_archive.cached_bytes == sum(map(cached_size, game_archive.cached.values())) <= archive.CACHE_BYTES
    monkeypatch.setattr(archive, "CACHE_BYTES", 10)
    guest.post("/api/me", {"name": "Zoe"}, 200)
    assert guest.get(f"/api/tables/{id}/replay")["steps"], "expected a replay even if it is too large for the cache"


def test_slow_reader_of_a_long_replay_holds_one_piece(finished_table):
    server, id, _ = finished_table
    archive = server.app.tables.archive
    table = server.app.tables.get(id)
    long = b'"result":null,"steps":[%b0]}' % (b"0," * 20_000_000)
    archive.cached["replay", id, table.seat_names()] = (zlib.compress(long, 1),)
    line = socket.socket()
    line.settimeout(WAIT_TIMEOUT_S)
    OPEN_CONNECTIONS.append(line)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", server.port))
    tracemalloc.start()
    try:
        line.sendall(f"GET /api/tables/{id}/replay HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        line.recv(1)
        assert server.new_client().get("/api/health")["status"] == "ok"
        assert tracemalloc.get_traced_memory()[1] < 5_000_000, "expected a slow reader to hold at most one chunk"
    finally:
        tracemalloc.stop()


def test_requests_of_one_person_for_old_games_wait_behind_each_other():
    done: list[str] = []

    async def run_job(_, what: str, id: str, *_more) -> bytes:
        done.append(id)
        await asyncio.sleep(0)
        return b"x"

    async def request_all() -> None:
        pool = WorkerPool()
        pool.free_workers = 1
        pool.run = run_job

        async def load(id: str) -> None:
            """Load nothing, because the job is a stub."""

        archive = GameArchive(SimpleNamespace(load=load), pool)
        table = {
            id: SimpleNamespace(id=id, is_over=True, check_not_withheld=lambda: None, names={}, seat_names=lambda: ())
            for id in ("a1", "a2", "a3", "b1", "c1")
        }
        await asyncio.gather(*[archive.get("record", table[id], id[0]) for id in table])

    run_in_loop(request_all())
    assert done == ["a1", "a2", "b1", "c1", "a3"], "expected other people's requests between those of one person"


@pytest.mark.later
def test_updates_since_a_thousand_versions_are_not_cached_separately(server):
    id, guests = full_table(server, "fourteen", 3, options={"target": 200})
    table = server.app.tables.get(id)
    while table.n < 150:
        answer_next(guests, id)
    stranger = Client(server.port)

    def look(time: int) -> None:
        for n in range(time, table.n, 2):
            assert stranger.get(f"/api/tables/{id}?after={n << 32}")["n"] == table.n
            guests[0].get(f"/api/tables/{id}?after={n << 32}")

    assert memory_growth(look) < 400_000, "expected no cache entry for each requested version"
    assert len(table.update_cache.fragments) <= 10
    assert len(table.update_cache.spectator_updates) <= 20
