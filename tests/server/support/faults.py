"""What may happen to a server in PostgreSQL and to one in a folder, done on purpose: kills, lines that break, full disks, clocks that jump."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import resource
import signal
import threading
import time
from collections.abc import Coroutine
from typing import Any

import psycopg

from tests.server.support.postgres_cluster import PostgresCluster
from tests.server.support.server_group import ServerGroup

FAILPOINTS = ("before", "written", "committed", "delivering", "swapped", "published")
HOUR_MS = 3_600_000  # milliseconds
COMMIT = b"COMMIT"
BEFORE_COMMIT, AFTER_COMMIT = (
    "asked",
    "answered",
)  # when a line breaks: the commit has not been heard, or nobody has heard of it


class PostgresProxy:
    """Stands between a server and PostgreSQL; through it go all of their lines, for as long as it lets them."""

    def __init__(self, cluster: PostgresCluster) -> None:
        self._path = str(cluster.folder / ".s.PGSQL.5432")
        self.delay_s = 0.0  # seconds by which everything is late
        self.cut_count = 0
        self._break_when = ""  # a line that commits is to break: when
        self._transports: set[asyncio.Transport] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._flowing = asyncio.Event()
        self._server = self._run(self._open())
        self.port = self._server.sockets[0].getsockname()[1]

    def _run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    async def _open(self) -> asyncio.Server:
        self._flowing.set()
        return await asyncio.start_server(self._connected, "127.0.0.1", 0)

    def database_url(self) -> str:
        """Where the database is, through it."""
        return f"postgresql://diamonds@127.0.0.1:{self.port}/postgres"

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, theirs = await asyncio.open_unix_connection(self._path)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer.transport, theirs.transport}
        self._transports |= ends
        pumps = [self._pump(reader, theirs, ends, True), self._pump(there, writer, ends, False)]
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(*pumps)
        for end in ends:
            end.abort()
        self._transports -= ends

    async def _pump(
        self, source: asyncio.StreamReader, to: asyncio.StreamWriter, ends: set[asyncio.Transport], asks: bool
    ) -> None:
        while data := await source.read(65536):
            if self.delay_s:
                await asyncio.sleep(self.delay_s)
            await self._flowing.wait()
            breaks = asks and bool(self._break_when) and COMMIT in data
            if breaks:
                when, self._break_when = self._break_when, ""
                self.cut_count += 1
                if when == AFTER_COMMIT:
                    to.write(data)
                    await to.drain()
                    await asyncio.sleep(0.05)  # for as long as the server may take; what it says is not passed on
                for end in ends:
                    end.abort()
                return
            to.write(data)
            await to.drain()
        for end in ends:
            end.abort()

    def break_at_commit(self, when: str) -> None:
        """The next line that commits breaks: ``BEFORE_COMMIT`` it asks in vain, ``AFTER_COMMIT`` nobody hears that it did."""
        self._break_when = when

    def cut_connections(self) -> None:
        """Break all lines."""

        async def cut() -> None:
            self.cut_count += len(self._transports) // 2
            for line in self._transports:
                line.abort()

        self._run(cut())

    def hold_traffic(self, on: bool) -> None:
        """Whether lines are there on which nothing comes through."""

        async def hold() -> None:
            (self._flowing.clear if on else self._flowing.set)()

        self._run(hold())

    def close(self) -> None:
        """Break all lines, and let nobody in any more."""

        async def close() -> None:
            self._server.close()
            for line in self._transports:
                line.abort()
            await asyncio.sleep(0)

        self._run(close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Faults:
    """What may happen to a server. Each returns once it has happened, and is over if it is such as ends."""

    def __init__(
        self,
        servers: ServerGroup,
        rng: random.Random,
        cluster: PostgresCluster | None = None,
        proxy: PostgresProxy | None = None,
    ) -> None:
        self.servers, self.rng, self.cluster, self.proxy = servers, rng, cluster, proxy
        self.counts: dict[str, int] = {}
        self._kills_at_failpoints = 0

    def inject(self, kind: str) -> None:
        """Let something happen, by its name."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        getattr(self, kind)()

    def _random_member(self) -> int:
        return self.rng.choice([*self.servers.pids])

    def kill(self) -> None:
        """One process is killed, and whoever takes its place dies a little later, at one of the points around a commit."""
        self._kills_at_failpoints += 1
        self.servers.kill(
            self._random_member(),
            f"{FAILPOINTS[self._kills_at_failpoints % len(FAILPOINTS)]}:{self.rng.randrange(1, 9)}",
        )

    def kill_at_random(self) -> None:
        """One process is killed, wherever it is just now."""
        self.servers.kill(self._random_member())

    def kill_all(self) -> None:
        """All are killed."""
        self.servers.kill_all()

    def freeze(self) -> None:
        """One is held for longer than others take it for alive; when it goes on, it takes itself to be what it was."""
        self.servers.freeze(self._random_member(), self.rng.uniform(0.5, 3) * self.servers.dead_after_s)

    def cut_off(self) -> None:
        """One and the others do not reach each other, while all reach the database."""
        self.servers.cut_off(self._random_member(), self.rng.uniform(0.5, 8))

    def put_the_clock(self) -> None:
        """Somebody puts the machine's clock forward or back."""
        ahead = self.servers.clock_offset
        ahead.set(self.rng.randrange(-48 * HOUR_MS, 48 * HOUR_MS), ahead.monotonic_ms)

    def let_time_pass(self) -> None:
        """So much time goes by that live games run out of it; sometimes days. Whoever comes in meanwhile waits: it is the same for all."""
        with self.servers.stable_membership():
            ahead, more = self.servers.clock_offset, self.rng.choice((7_000, 7_000, 15_000, 26 * HOUR_MS))
            ahead.set(ahead.wall_ms + more, ahead.monotonic_ms + more)

    def fill_the_disk(self) -> None:
        """For a while the disk takes nothing more: no file may grow beyond what it has, or beyond next to nothing."""
        if self.cluster is None:
            pids = [*self.servers.pids.values()]
            for size in (self.rng.choice((4096, 65536)), resource.RLIM_INFINITY):
                for pid in pids:
                    with contextlib.suppress(ProcessLookupError):
                        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
                time.sleep(self.rng.uniform(0.1, 1.0))
            return
        self.cluster.limit_file_size(str(self.rng.choice((4096, 65536, 1 << 19))))
        time.sleep(self.rng.uniform(0.1, 1.0))
        self.cluster.limit_file_size("unlimited")
        self.cluster.restart_if_down()

    # The database

    def kill_the_database(self) -> None:
        """PostgreSQL dies as in a power cut, and is started again after a while."""
        assert self.cluster is not None
        self.cluster.stop()
        time.sleep(self.rng.uniform(0, 1))
        self.cluster.start()

    def kill_in_the_database(self) -> None:
        """One process of PostgreSQL is killed; it then recovers by itself."""
        assert self.cluster is not None
        with contextlib.suppress(psycopg.Error, ProcessLookupError, IndexError):
            busy = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            os.kill(self.rng.choice(self.cluster.query(busy))[0], signal.SIGKILL)

    def cut_the_lines(self) -> None:
        """All lines to the database break."""
        assert self.proxy is not None
        self.proxy.cut_connections()

    def cut_before_a_commit(self) -> None:
        """A line breaks before a commit has come to the database."""
        assert self.proxy is not None
        self.proxy.break_at_commit(BEFORE_COMMIT)

    def cut_after_a_commit(self) -> None:
        """A line breaks after a commit, and before anybody has heard of it."""
        assert self.proxy is not None
        self.proxy.break_at_commit(AFTER_COMMIT)

    def slow_the_lines(self) -> None:
        """For a while all lines are slow."""
        assert self.proxy is not None
        self.proxy.delay_s = self.rng.uniform(0.005, 0.1)
        time.sleep(self.rng.uniform(0.5, 2))
        self.proxy.delay_s = 0.0

    def hold_the_lines(self) -> None:
        """For a while nothing comes through."""
        assert self.proxy is not None
        self.proxy.hold_traffic(True)
        time.sleep(self.rng.uniform(0.2, 4))
        self.proxy.hold_traffic(False)


SINGLE_SERVER_FAULTS = {
    "kill": 24,
    "kill_at_random": 24,
    "kill_all": 2,
    "put_the_clock": 2,
    "let_time_pass": 1,
    "fill_the_disk": 0.5,
}  # and how often, one beside the other
CLUSTER_FAULTS = {
    **SINGLE_SERVER_FAULTS,
    "freeze": 2,
    "cut_off": 1,
    "kill_the_database": 0.7,
    "kill_in_the_database": 0.7,
    "cut_the_lines": 2,
    "cut_before_a_commit": 2,
    "cut_after_a_commit": 3,
    "slow_the_lines": 0.7,
    "hold_the_lines": 0.7,
}
