"""Readiness: durable probes of the store, at most one a second; and servers that cannot write when they start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import apsw
import pytest
from cluster import Cluster
from guests import House, refusal, run_apart, until

from diamonds.server.store import sqlite
from diamonds.server.store.contract import DONE, Outcome, Probe, Unavailable
from diamonds.server.wire import readiness
from diamonds.server.wire.http import MAX_BODY
from diamonds.server.wire.readiness import Readiness


class FullDisk:
    """A writing connection on a disk that may be full: then only commits that write nothing succeed."""

    def __init__(self, real: Any) -> None:
        self._real, self.full, self._before = real, False, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def execute(self, sql: str, *values: Any) -> Any:
        if sql == "BEGIN IMMEDIATE":
            self._before = self._real.total_changes()
        if sql == "COMMIT" and self.full and self._real.total_changes() > self._before:
            raise apsw.FullError("database or disk is full")
        return self._real.execute(sql, *values)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No probe is remembered for longer than a moment."""
    monkeypatch.setattr(readiness, "PROBE_INTERVAL_S", 0.0)


def test_readiness_fails_while_the_disk_is_full_and_recovers(
    open_house: Callable[..., House], tmp_path: Path, impatient: None
) -> None:
    house = open_house(tmp_path)
    guest = house.guest()
    disk = house.app.store._write = FullDisk(house.app.store._write)
    until(lambda: guest.get("/api/ready", None)["store"], "expected a ready store before the disk is full")
    disk.full = True
    guest.post("/api/tables", {"game": "mines", "seats": 2, "key": "no-room-for-it"}, 503)
    told = guest.get("/api/ready", 503)
    assert (told["ready"], told["store"]) == (False, False)
    disk.full = False
    until(lambda: guest.get("/api/ready", None)["store"], "expected a ready store once there is room")


class CountingStore:
    """A store that counts probes, and replies to each only when it is told to."""

    def __init__(self) -> None:
        self.probes = 0
        self.replies = asyncio.Event()

    async def commit(self, change: Probe) -> Outcome:
        self.probes += 1
        await self.replies.wait()
        return Outcome(DONE)


def counted(store: CountingStore) -> Readiness:
    async def bots() -> str:
        return "ready"

    tables: Any = SimpleNamespace(store=store, bots=SimpleNamespace(readiness=bots))
    return Readiness(tables)


def test_readiness_probes_once_for_all_who_ask_within_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        store = CountingStore()
        found = counted(store)
        store.replies.set()
        monkeypatch.setattr(readiness, "PROBE_INTERVAL_S", 3600.0)
        told = await asyncio.gather(*(found.ask() for _ in range(20)))
        told.append(await found.ask())
        assert all(each.ready for each in told)
        assert store.probes == 1, "expected one probe for all who ask"
        monkeypatch.setattr(readiness, "PROBE_INTERVAL_S", 0.0)
        await found.ask()
        assert store.probes == 2, "expected another probe when the interval is over"

    run_apart(ask())


def test_readiness_has_one_probe_at_a_time_when_the_store_hangs(
    monkeypatch: pytest.MonkeyPatch, impatient: None
) -> None:
    async def ask() -> None:
        store = CountingStore()
        found = counted(store)
        monkeypatch.setattr(readiness, "SECONDS", 0.0)
        assert not any([(await found.ask()).store for _ in range(5)])
        assert store.probes == 1, "expected no further probe while one hangs"
        store.replies.set()
        monkeypatch.setattr(readiness, "SECONDS", 300.0)
        assert (await found.ask()).store
        await found.ask()
        assert store.probes > 1, "expected a new probe once the former one has ended"

    run_apart(ask())


def test_readiness_tells_at_once_that_the_server_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        store = CountingStore()
        store.replies.set()
        found = counted(store)
        monkeypatch.setattr(readiness, "PROBE_INTERVAL_S", 3600.0)
        assert (await found.ask()).ready
        found.ending = True
        assert not (await found.ask()).ready

    run_apart(ask())


def test_probe_of_sqlite_writes_more_than_an_answer_does(open_house: Callable[..., House], tmp_path: Path) -> None:
    house = open_house(tmp_path)
    wal = tmp_path / "diamonds.sqlite-wal"
    for _ in range(2):
        before = wal.stat().st_size
        assert house.run(house.app.store.commit(Probe())).what == DONE
        assert wal.stat().st_size - before > MAX_BODY, "expected more than any answer writes"


@pytest.mark.later
def test_readiness_fails_while_postgresql_is_away_and_recovers(
    open_house: Callable[..., House], cluster: Cluster, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = open_house(address=cluster.empty_database())
    house.app.store.patience_s = 0
    guest = house.guest()
    until(lambda: guest.get("/api/ready", None)["store"], "expected a ready store at first")
    cluster.stop()
    try:
        assert not guest.get("/api/ready", 503)["store"]
    finally:
        cluster.start()
    until(lambda: guest.get("/api/ready", None)["store"], "expected a ready store once the database is back")


@pytest.mark.later
def test_readiness_fails_while_postgresql_is_read_only_and_recovers(
    open_house: Callable[..., House], cluster: Cluster, impatient: None
) -> None:
    house = open_house(address=cluster.empty_database())
    house.app.store.patience_s = 0
    guest = house.guest()

    def read_only(so: str) -> None:
        cluster.ask(f"ALTER SYSTEM SET default_transaction_read_only = {so}")
        cluster.reload("default_transaction_read_only", so)

    until(lambda: guest.get("/api/ready", None)["store"], "expected a ready store at first")
    read_only("on")
    try:
        until(lambda: not guest.get("/api/ready", None)["store"], "expected a store that is not ready")
    finally:
        read_only("off")
    until(lambda: guest.get("/api/ready", None)["store"], "expected a ready store again")


# At the start


def test_start_is_refused_in_a_sentence_when_the_probe_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(connection: Any) -> Any:
        raise apsw.FullError("database or disk is full")

    monkeypatch.setattr(sqlite, "probe", full)
    why = refusal("--port", "0", "--data", str(tmp_path))
    assert why.endswith("if the disk is full, make room."), why


def test_start_is_refused_in_a_sentence_when_the_store_fails_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def reserve(store: Any, numbers: int) -> int:
        raise Unavailable

    monkeypatch.setattr(sqlite.SqliteStore, "reserve", reserve)
    why = refusal("--port", "0", "--data", str(tmp_path))
    assert why == f"Nothing can be written to {tmp_path}. If the disk is full, make room, then start again."
    assert refusal("--port", "0", "--data", str(tmp_path)) == why, "expected the folder to be free again"
