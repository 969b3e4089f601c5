"""Faults of a server with PostgreSQL or a data folder: kills, broken connections, full disks, clock jumps."""

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
HOUR_MS = 3_600_000
COMMIT = b"COMMIT"
BEFORE_COMMIT, AFTER_COMMIT = (
    "asked",
    "answered",
)  # when a connection breaks: before the commit arrives, or after it but before the reply


class PostgresProxy:
    """A proxy between a server and PostgreSQL that can delay, hold or cut their connections."""

    def __init__(self, cluster: PostgresCluster) -> None:
        self._path = str(cluster.folder / ".s.PGSQL.5432")
        self.delay_s = 0.0  # seconds of delay for all traffic
        self.cut_count = 0
        self._break_when = ""  # where to break the next connection that commits
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
                    await asyncio.sleep(0.05)  # the commit is read and dropped
                for end in ends:
                    end.abort()
                return
            to.write(data)
            await to.drain()
        for end in ends:
            end.abort()

    def break_at_commit(self, when: str) -> None:
        """Break the next connection that commits: ``BEFORE_COMMIT`` arrives, or ``AFTER_COMMIT``, before its reply."""
        self._break_when = when

    def cut_connections(self) -> None:
        """Break all connections, but accept new ones."""

        async def cut() -> None:
            self.cut_count += len(self._transports) // 2
            for line in self._transports:
                line.abort()

        self._run(cut())

    def hold_traffic(self, on: bool) -> None:
        """Set whether traffic is held back while the connections stay open."""

        async def hold() -> None:
            (self._flowing.clear if on else self._flowing.set)()

        self._run(hold())

    def close(self) -> None:
        """Break all connections, and accept no more."""

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
    """The faults by name. Each method returns once the fault has happened and, if it is temporary, has ended."""

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
        self.counts[kind] = self.counts.get(kind, 0) + 1
        getattr(self, kind)()

    def _random_member(self) -> int:
        return self.rng.choice([*self.servers.pids])

    def kill(self) -> None:
        """Kill a process and start its successor with a failpoint, so it dies around one of its next commits."""
        self._kills_at_failpoints += 1
        self.servers.kill(
            self._random_member(),
            f"{FAILPOINTS[self._kills_at_failpoints % len(FAILPOINTS)]}:{self.rng.randrange(1, 9)}",
        )

    def kill_at_random(self) -> None:
        """Kill a process at an arbitrary moment."""
        self.servers.kill(self._random_member())

    def terminate(self) -> None:
        """End a process gracefully, and start its successor at the same address."""
        self.servers.terminate(self._random_member())

    def kill_all(self) -> None:
        """Kill all processes."""
        self.servers.kill_all()

    def freeze(self) -> None:
        """Stop a process for about as long as the others need to declare it dead. It resumes in its old role."""
        self.servers.freeze(self._random_member(), self.rng.uniform(0.5, 3) * self.servers.dead_after_s)

    def cut_off(self) -> None:
        """Cut a process off from the other members, although all of them can reach the database."""
        self.servers.cut_off(self._random_member(), self.rng.uniform(0.5, 8))

    def put_the_clock(self) -> None:
        """Set the wall clock forward or back."""
        ahead = self.servers.clock_offset
        ahead.set(self.rng.randrange(-48 * HOUR_MS, 48 * HOUR_MS), ahead.monotonic_ms)

    def let_time_pass(self) -> None:
        """Let enough time pass for live games to time out, sometimes more than a day.

        All members must be up first, so that none starts with different clocks.
        """
        with self.servers.stable_membership():
            ahead, more = self.servers.clock_offset, self.rng.choice((7_000, 7_000, 15_000, 26 * HOUR_MS))
            ahead.set(ahead.wall_ms + more, ahead.monotonic_ms + more)

    def fill_the_disk(self) -> None:
        """Fill the disk for a while: files cannot grow beyond a small size."""
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

    # Database

    def kill_the_database(self) -> None:
        """Crash PostgreSQL and restart it after a while."""
        self.cluster.stop()
        time.sleep(self.rng.uniform(0, 1))
        self.cluster.start()

    def kill_in_the_database(self) -> None:
        """Kill one PostgreSQL process; the server recovers by itself."""
        with contextlib.suppress(psycopg.Error, ProcessLookupError, IndexError):
            busy = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            os.kill(self.rng.choice(self.cluster.query(busy))[0], signal.SIGKILL)

    def cut_the_lines(self) -> None:
        """Break all connections to the database."""
        self.proxy.cut_connections()

    def cut_before_a_commit(self) -> None:
        """Break a connection before a commit reaches the database."""
        self.proxy.break_at_commit(BEFORE_COMMIT)

    def cut_after_a_commit(self) -> None:
        """Break a connection after a commit but before its reply."""
        self.proxy.break_at_commit(AFTER_COMMIT)

    def slow_the_lines(self) -> None:
        """Slow all connections for a while."""
        self.proxy.delay_s = self.rng.uniform(0.005, 0.1)
        time.sleep(self.rng.uniform(0.5, 2))
        self.proxy.delay_s = 0.0

    def hold_the_lines(self) -> None:
        """Hold back all traffic for a while."""
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
}  # name: relative frequency
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
