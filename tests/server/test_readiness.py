"""Readiness: probes that write to the store, at most one per second, and servers whose store fails at startup."""

import asyncio
from types import SimpleNamespace
from typing import Any

import apsw
import pytest

from diamonds.server.http import readiness
from diamonds.server.http.asgi_helpers import MAX_BODY_BYTES
from diamonds.server.http.readiness import ReadinessCheck
from diamonds.server.storage import sqlite
from diamonds.server.storage.commit_outcomes import DONE, CommitOutcome, StoreUnavailableError
from diamonds.server.storage.table_data import ProbeChange
from tests.server.support.client import wait_until
from tests.server.support.live_server import run_in_loop, startup_error


class FullDiskConnection:
    """A connection for writing. While its disk is full, only commits that write nothing succeed."""

    def __init__(self, real: Any) -> None:
        self._real, self.is_full, self._before = real, False, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def execute(self, sql: str, *values: Any) -> Any:
        if sql == "BEGIN IMMEDIATE":
            self._before = self._real.total_changes()
        if sql == "COMMIT" and self.is_full and self._real.total_changes() > self._before:
            raise apsw.FullError("database or disk is full")
        return self._real.execute(sql, *values)


@pytest.fixture
def no_probe_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "PROBE_INTERVAL_S", 0.0)


def test_readiness_fails_while_the_disk_is_full_and_recovers(no_probe_cache, disk_server):
    guest = disk_server.new_client()
    disk = disk_server.app.store.write_connection = FullDiskConnection(disk_server.app.store.write_connection)
    wait_until(lambda: guest.get("/api/ready", None)["store"], "expected a ready store before the disk is full")
    disk.is_full = True
    guest.post("/api/tables", {"game": "mines", "seats": 2, "idempotency_key": "no-room-for-it"}, 503)
    told = guest.get("/api/ready", 503)
    assert (told["ready"], told["store"]) == (False, False)
    disk.is_full = False
    wait_until(lambda: guest.get("/api/ready", None)["store"], "expected a ready store once there is room")


class CountingStore:
    """A store that counts probes, and replies to each only when told to."""

    def __init__(self) -> None:
        self.probes = 0
        self.replies = asyncio.Event()

    async def commit(self, change: ProbeChange) -> CommitOutcome:
        self.probes += 1
        await self.replies.wait()
        return CommitOutcome(DONE)


def readiness_of(store: CountingStore) -> ReadinessCheck:
    async def bots() -> str:
        return "ready"

    tables: Any = SimpleNamespace(store=store, bots=SimpleNamespace(readiness=bots))
    return ReadinessCheck(tables)


def test_readiness_probes_once_a_second_for_all_requests(monkeypatch):
    async def ask() -> None:
        store = CountingStore()
        found = readiness_of(store)
        store.replies.set()
        monkeypatch.setattr(readiness, "PROBE_INTERVAL_S", 3600.0)
        told = await asyncio.gather(*(found.check() for _ in range(20)))
        told.append(await found.check())
        assert all(each.ready for each in told)
        assert store.probes == 1, "expected one probe for all requests"
        monkeypatch.setattr(readiness, "PROBE_INTERVAL_S", 0.0)
        await found.check()
        assert store.probes == 2, "expected another probe after the interval"

    run_in_loop(ask())


def test_readiness_runs_one_probe_at_a_time_on_a_hanging_store(monkeypatch, no_probe_cache):
    async def ask() -> None:
        store = CountingStore()
        found = readiness_of(store)
        monkeypatch.setattr(readiness, "CHECK_TIMEOUT_S", 0.0)
        assert not any([(await found.check()).store for _ in range(5)])
        assert store.probes == 1, "expected no further probe while one hangs"
        store.replies.set()
        monkeypatch.setattr(readiness, "CHECK_TIMEOUT_S", 300.0)
        assert (await found.check()).store
        await found.check()
        assert store.probes > 1, "expected a new probe after the last one has ended"

    run_in_loop(ask())


def test_sqlite_probe_writes_more_than_an_answer_does(disk_server, tmp_path):
    wal = tmp_path / "diamonds.sqlite-wal"
    for _ in range(2):
        before = wal.stat().st_size
        assert disk_server.run(disk_server.app.store.commit(ProbeChange())).kind == DONE
        assert wal.stat().st_size - before > MAX_BODY_BYTES, "expected more than any answer writes"


@pytest.mark.later
@pytest.mark.parametrize("trouble", ["away", "read-only"])
def test_readiness_fails_while_postgresql_is_away_or_read_only(open_server, postgres_cluster, no_probe_cache, trouble):
    server = open_server(database_url=postgres_cluster.empty_database())
    server.app.store.patience_s = 0
    guest = server.new_client()

    def set_read_only(so: str) -> None:
        postgres_cluster.query(f"ALTER SYSTEM SET default_transaction_read_only = {so}")
        postgres_cluster.reload("default_transaction_read_only", so)

    def wait_for_store(ready: bool) -> None:
        wait_until(lambda: guest.get("/api/ready", None)["store"] == ready, f"expected a ready store: {ready}")

    wait_for_store(True)
    postgres_cluster.stop() if trouble == "away" else set_read_only("on")
    try:
        wait_for_store(False)
    finally:
        postgres_cluster.start() if trouble == "away" else set_read_only("off")
    wait_for_store(True)


def test_startup_fails_with_one_line_when_the_probe_fails(tmp_path, monkeypatch):
    def full(connection: Any) -> Any:
        raise apsw.FullError("database or disk is full")

    monkeypatch.setattr(sqlite, "write_probe", full)
    why = startup_error("--port", "0", "--data-dir", str(tmp_path))
    assert why.endswith("If the disk is full, free some space."), why


def test_startup_fails_with_one_line_when_the_store_fails_later(tmp_path, monkeypatch):
    async def reserve(store: Any, numbers: int) -> int:
        raise StoreUnavailableError

    monkeypatch.setattr(sqlite.SqliteStore, "reserve_counters", reserve)
    why = startup_error("--port", "0", "--data-dir", str(tmp_path))
    assert why == f"{tmp_path} cannot be written to. If the disk is full, free some space, then start again."
    assert startup_error("--port", "0", "--data-dir", str(tmp_path)) == why, "expected the folder to be unlocked"
