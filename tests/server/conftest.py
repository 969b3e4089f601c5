"""A server for each test that asks for one."""

from __future__ import annotations

import asyncio
import itertools
import os
import time as clock
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn.server

from diamonds import cli, deals
from diamonds.server import clock as server_clock
from diamonds.server.accounts import recovery_codes
from diamonds.server.lobby import challenges, seeks, table_timeouts
from tests.server.support import shared_workers
from tests.server.support.client import close_connections
from tests.server.support.cluster import ClusterServer, two_servers
from tests.server.support.fake_clock import FakeClock, fake_time
from tests.server.support.live_server import LiveServer
from tests.server.support.postgres_cluster import PostgresCluster
from tests.server.support.witness import Zygote


class SeededSecrets:
    """Secrets that follow from how many tables a test has made: its cards are the same each time, and no rare deal fails it by
    chance. ``DIAMONDS_TEST_SEED=7 make test`` deals others."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """A test begins."""
        self._seeds = itertools.count(1000 * int(os.environ.get("DIAMONDS_TEST_SEED", "0")))

    def new_secret(self) -> bytes:
        """See `deals.new_secret`."""
        return deals.seeded_secret(next(self._seeds))


SECRETS = SeededSecrets()


# Not of the session: tests of other rooms that come after these are about secrets as they are made.
@pytest.fixture(scope="module", autouse=True)
def _seeded_deals() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deals, "new_secret", SECRETS.new_secret)
        yield


def pytest_runtest_setup() -> None:
    SECRETS.restart()  # for the tables that are made for several tests,


def pytest_runtest_call() -> None:
    SECRETS.restart()  # and for a test's own, whether it was the first of them or not


@pytest.fixture(scope="session", autouse=True)
def _shared_workers() -> Iterator[None]:
    with shared_workers.share_workers():
        yield


@pytest.fixture(scope="session", autouse=True)
def _long_timeouts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_timeouts, "NO_SHOW_AFTER_MS", 600_000)
        patch.setattr(challenges, "CHALLENGE_LIFETIME_S", 3600.0)
        patch.setattr(seeks, "DISCONNECT_GRACE_S", 3600.0)
        patch.setattr(seeks, "MATCH_SHOWN_S", 3600.0)
        yield


class FastAsyncio:
    """`asyncio` to uvicorn, which sleeps a tenth of a second before it looks whether it is to stop, and another one before it does:
    in tests a twentieth of that, for hundreds of servers close."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    def sleep(self, seconds: float) -> Any:
        return asyncio.sleep(seconds / 20)


@pytest.fixture(scope="session", autouse=True)
def _fast_shutdown() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uvicorn.server, "asyncio", FastAsyncio())
        yield


@pytest.fixture(scope="session", autouse=True)
def _cheap_recovery_codes() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recovery_codes, "SCRYPT_LOG2_N", 4)
        yield


@pytest.fixture
def open_server() -> Iterator[Callable[..., LiveServer]]:
    """Opens servers, and closes them after the test."""
    opened: list[LiveServer] = []

    def open_one(folder: Path | None = None, **more: Any) -> LiveServer:
        opened.append(LiveServer(folder, **more))
        return opened[-1]

    yield open_one
    for server in opened:
        server.close()
    close_connections()


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    """Starts servers that are processes of their own."""
    instance = Zygote()
    yield instance
    instance.close()


@pytest.fixture
def fake_clock() -> Iterator[FakeClock]:
    """The clock by which servers go that are opened after it."""
    with fake_time() as clock:
        yield clock


@pytest.fixture
def frozen_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """For stores, midnight does not come between what a test does and what it then looks for."""
    now = clock.time()
    frozen = SimpleNamespace(time=lambda: now, time_ns=clock.time_ns, monotonic_ns=clock.monotonic_ns)
    monkeypatch.setattr(server_clock, "time", frozen)


@pytest.fixture
def timed_server(fake_clock: FakeClock, open_server: Callable[..., LiveServer]) -> LiveServer:
    """A server that stores nothing, at which no time passes until a test says so."""
    return open_server()


@pytest.fixture
def server(open_server: Callable[..., LiveServer]) -> LiveServer:
    """A server that stores nothing."""
    return open_server()


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[PostgresCluster]:
    """A PostgreSQL server, whose one database a test begins by emptying."""
    instance = PostgresCluster()
    yield instance
    instance.close()


@pytest.fixture
def database_url(postgres_cluster: PostgresCluster) -> str:
    """The address of an empty database."""
    return postgres_cluster.empty_database()


@pytest.fixture
def cluster_servers(postgres_cluster: PostgresCluster) -> Iterator[tuple[ClusterServer, ClusterServer]]:
    """Two processes that keep one server; the first is where people find each other."""
    with two_servers(postgres_cluster.empty_database()) as pair:
        yield pair


@pytest.fixture
def run_admin(capsys: Any) -> Callable[..., str]:
    """Run a command of ``diamonds admin``; its lines, or its one sentence."""

    def run_command(*words: str | Path, expect: int = 0) -> str:
        code = cli.main(["admin", *map(str, words)])
        out, err = capsys.readouterr()
        assert code == expect, f"{words} ended with {code}: {err}"
        assert len(err.splitlines()) == (expect == 2), err
        return err if expect == 2 else out

    return run_command
