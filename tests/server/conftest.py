"""Fixtures of the server tests: servers, clocks, clusters and PostgreSQL."""

import asyncio
import contextlib
import itertools
import os
import time as clock
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn.server

from diamonds import cli, deals
from diamonds.server import server_time as server_clock
from diamonds.server.accounts import recovery_codes
from diamonds.server.lobby import challenges, friends, seeks, streams, table_timeouts
from diamonds.server.storage import failpoints
from tests.server.support import shared_workers
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import Client, close_connections
from tests.server.support.cluster import ClusterServer, two_servers
from tests.server.support.fake_clock import FakeClock, fake_time
from tests.server.support.live_server import LiveServer, LoopThread
from tests.server.support.postgres_cluster import PostgresCluster
from tests.server.support.recording_players import Zygote
from tests.server.support.stores import StoreFixture


class SeededSecrets:
    """A source of secrets numbered from the start of each test, so that the cards are the same in each run.

    ``DIAMONDS_TEST_SEED=7 make test`` deals other cards.
    """

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Start again from the first secret."""
        self._seeds = itertools.count(1000 * int(os.environ.get("DIAMONDS_TEST_SEED", "0")))

    def new_secret(self) -> bytes:
        """See `deals.new_secret`."""
        return deals.seeded_secret(next(self._seeds))


SECRETS = SeededSecrets()


# Module scope, because tests of other packages in the same session check real secrets.
@pytest.fixture(scope="module", autouse=True)
def _seeded_deals() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deals, "new_secret", SECRETS.new_secret)
        yield


def pytest_runtest_setup() -> None:
    SECRETS.restart()  # for tables created by fixtures of a wider scope


def pytest_runtest_call() -> None:
    SECRETS.restart()  # so that a test gets the same cards whether or not such a fixture was set up just before it


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
    """The `asyncio` module for uvicorn, with `sleep` 20 times as short.

    Uvicorn sleeps 0.1 s before it notices a shutdown and 0.1 s before it ends, and the tests close hundreds of servers.
    """

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
    """Return a function that opens servers, which are closed after the test."""
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
    """Yield the process that forks servers."""
    instance = Zygote()
    yield instance
    instance.close()


@pytest.fixture
def fake_clock() -> Iterator[FakeClock]:
    """Yield the clock of servers opened after it."""
    with fake_time() as clock:
        yield clock


@pytest.fixture
def frozen_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep today's date for stores, so that midnight cannot fall between an action and its check."""
    now = clock.time()
    frozen = SimpleNamespace(time=lambda: now, time_ns=clock.time_ns, monotonic_ns=clock.monotonic_ns)
    monkeypatch.setattr(server_clock, "time", frozen)


@pytest.fixture
def timed_server(fake_clock: FakeClock, open_server: Callable[..., LiveServer]) -> LiveServer:
    """A server in memory whose clock stands still until the test advances it."""
    return open_server()


@pytest.fixture
def server(open_server: Callable[..., LiveServer]) -> LiveServer:
    return open_server()


@pytest.fixture
def disk_server(open_server: Callable[..., LiveServer], tmp_path: Path) -> LiveServer:
    """A server that stores its games in ``tmp_path``."""
    return open_server(tmp_path)


@pytest.fixture
def guest(server: LiveServer) -> Client:
    """A client of ``server``."""
    return server.new_client()


@pytest.fixture
def browser(server: LiveServer) -> Callable[[], BrowserClient]:
    """Return a function that opens the server in a browser for the first time."""
    return lambda: BrowserClient(server.port)


@pytest.fixture
def in_thread() -> Iterator[Callable[..., Future[Any]]]:
    """Return a function that calls a function in a thread and returns its future."""
    with ThreadPoolExecutor(4) as threads:
        yield threads.submit


@pytest.fixture
def arm_failpoint() -> Iterator[Callable[[str], None]]:
    """Return a function that sets a failpoint of servers in this process until the end of the test."""
    yield failpoints.arm
    failpoints.arm("")


@pytest.fixture
def no_lobby_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the lobby send, match and notify friends without delay."""
    monkeypatch.setattr(streams, "COALESCE_S", 0.0)
    monkeypatch.setattr(seeks, "MATCH_INTERVAL_S", 0.01)
    monkeypatch.setattr(friends, "ONLINE_DEBOUNCE_S", 0.0)
    monkeypatch.setattr(friends, "REPLY_TIME_S", 0.0)


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[PostgresCluster]:
    """A PostgreSQL server; a test begins by emptying its only database."""
    instance = PostgresCluster()
    yield instance
    instance.close()


@pytest.fixture
def database_url(postgres_cluster: PostgresCluster) -> str:
    return postgres_cluster.empty_database()


@pytest.fixture
def store_fixture(database_url: str) -> Iterator[StoreFixture]:
    """An empty PostgreSQL database for stores."""
    with LoopThread() as loop:
        place = StoreFixture("postgresql", database_url, loop)
        yield place
        place.close()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.later)])
def stored_server(request: Any, tmp_path: Path, open_server: Callable[..., LiveServer]) -> LiveServer:
    """A server with a store of each kind."""
    if request.param == "postgresql":
        return open_server(database_url=request.getfixturevalue("database_url"))
    return open_server(tmp_path)


@pytest.fixture
def open_two_servers(postgres_cluster: PostgresCluster) -> Iterator[Callable[..., tuple[ClusterServer, ClusterServer]]]:
    """Return a function that opens two members of one cluster; the first owns the lobby."""
    with contextlib.ExitStack() as opened:
        yield lambda **config: opened.enter_context(two_servers(postgres_cluster.empty_database(), **config))


@pytest.fixture
def cluster_servers(open_two_servers: Callable[..., Any]) -> tuple[ClusterServer, ClusterServer]:
    """Two members of one cluster; the first owns the lobby."""
    return open_two_servers()  # type: ignore[no-any-return]


@pytest.fixture
def run_admin(capsys: Any) -> Callable[..., str]:
    """Return a function that runs ``diamonds admin …`` and returns its output or its one-line error."""

    def run_command(*words: str | Path, expect: int = 0) -> str:
        code = cli.main(["admin", *map(str, words)])
        out, err = capsys.readouterr()
        assert code == expect, f"expected exit status {expect} of {words}, got {code}: {err}"
        assert len(err.splitlines()) == (expect == 2), err
        return err if expect == 2 else out

    return run_command


@pytest.fixture
def run_admin_here(run_admin: Callable[..., str], tmp_path: Path) -> Callable[..., str]:
    """`run_admin` on the data folder ``tmp_path``."""
    return lambda *words, expect=0: run_admin(*words, "--data-dir", tmp_path, expect=expect)
