"""What may happen to a house in PostgreSQL and to one in a folder, done on purpose: kills, lines that break, full disks, clocks that jump."""

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
from cluster import Cluster
from together import Processes

POINTS = ("before", "written", "committed", "delivering", "swapped", "published")
HOUR = 3_600_000  # milliseconds
COMMIT = b"COMMIT"
ASKED, ANSWERED = "asked", "answered"  # when a line breaks: the commit has not been heard, or nobody has heard of it


class Proxy:
    """Stands between a house and PostgreSQL; through it go all of their lines, for as long as it lets them."""

    def __init__(self, cluster: Cluster) -> None:
        self._path = str(cluster.folder / ".s.PGSQL.5432")
        self.delay = 0.0  # seconds by which everything is late
        self.cuts = 0
        self._break = ""  # a line that commits is to break: when
        self._lines: set[asyncio.Transport] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._free = asyncio.Event()
        self._server = self._do(self._open())
        self.port = self._server.sockets[0].getsockname()[1]

    def _do(self, what: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result()

    async def _open(self) -> asyncio.Server:
        self._free.set()
        return await asyncio.start_server(self._connected, "127.0.0.1", 0)

    def address(self) -> str:
        """Where the database is, through it."""
        return f"postgresql://diamonds@127.0.0.1:{self.port}/postgres"

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, theirs = await asyncio.open_unix_connection(self._path)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer.transport, theirs.transport}
        self._lines |= ends
        pumps = [self._pump(reader, theirs, ends, True), self._pump(there, writer, ends, False)]
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(*pumps)
        for end in ends:
            end.abort()
        self._lines -= ends

    async def _pump(
        self, source: asyncio.StreamReader, to: asyncio.StreamWriter, ends: set[asyncio.Transport], asks: bool
    ) -> None:
        while data := await source.read(65536):
            if self.delay:
                await asyncio.sleep(self.delay)
            await self._free.wait()
            breaks = asks and bool(self._break) and COMMIT in data
            if breaks:
                when, self._break = self._break, ""
                self.cuts += 1
                if when == ANSWERED:
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
        """The next line that commits breaks: the commit is ``ASKED`` for in vain, or is ``ANSWERED`` and nobody hears it."""
        self._break = when

    def cut(self) -> None:
        """Break all lines."""

        async def cut() -> None:
            self.cuts += len(self._lines) // 2
            for line in self._lines:
                line.abort()

        self._do(cut())

    def hold(self, so: bool) -> None:
        """Whether lines are there on which nothing comes through."""

        async def hold() -> None:
            (self._free.clear if so else self._free.set)()

        self._do(hold())

    def close(self) -> None:
        """Break all lines, and let nobody in any more."""

        async def close() -> None:
            self._server.close()
            for line in self._lines:
                line.abort()
            await asyncio.sleep(0)

        self._do(close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Troubles:
    """What may happen to a house. Each returns once it has happened, and is over if it is such as ends."""

    def __init__(
        self, house: Processes, rng: random.Random, cluster: Cluster | None = None, proxy: Proxy | None = None
    ) -> None:
        self.house, self.rng, self.cluster, self.proxy = house, rng, cluster, proxy
        self.happened: dict[str, int] = {}
        self._points = 0

    def happen(self, what: str) -> None:
        """Let something happen, by its name."""
        self.happened[what] = self.happened.get(what, 0) + 1
        getattr(self, what)()

    def _somebody(self) -> int:
        return self.rng.choice([*self.house.pids])

    def kill(self) -> None:
        """One process is killed, and whoever takes its place dies a little later, at one of the points around a commit."""
        self._points += 1
        self.house.kill(self._somebody(), f"{POINTS[self._points % len(POINTS)]}:{self.rng.randrange(1, 9)}")

    def kill_at_random(self) -> None:
        """One process is killed, wherever it is just now."""
        self.house.kill(self._somebody())

    def kill_all(self) -> None:
        """All are killed."""
        self.house.kill_all()

    def freeze(self) -> None:
        """One is held for longer than others take it for alive; when it goes on, it takes itself to be what it was."""
        self.house.freeze(self._somebody(), self.rng.uniform(0.5, 3) * self.house.lives)

    def cut_off(self) -> None:
        """One and the others do not reach each other, while all reach the database."""
        self.house.cut_off(self._somebody(), self.rng.uniform(0.5, 8))

    def put_the_clock(self) -> None:
        """Somebody puts the machine's clock forward or back."""
        ahead = self.house.ahead
        ahead.be(self.rng.randrange(-48 * HOUR, 48 * HOUR), ahead.steady)

    def let_time_pass(self) -> None:
        """So much time goes by that live games run out of it; sometimes days. Whoever comes in meanwhile waits: it is the same for all."""
        with self.house.steady():
            ahead, more = self.house.ahead, self.rng.choice((7_000, 7_000, 15_000, 26 * HOUR))
            ahead.be(ahead.wall + more, ahead.steady + more)

    def fill_the_disk(self) -> None:
        """For a while the disk takes nothing more: no file may grow beyond what it has, or beyond next to nothing."""
        if self.cluster is None:
            pids = [*self.house.pids.values()]
            for size in (self.rng.choice((4096, 65536)), resource.RLIM_INFINITY):
                for pid in pids:
                    with contextlib.suppress(ProcessLookupError):
                        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
                time.sleep(self.rng.uniform(0.1, 1.0))
            return
        self.cluster.limit_files(str(self.rng.choice((4096, 65536, 1 << 19))))
        time.sleep(self.rng.uniform(0.1, 1.0))
        self.cluster.limit_files("unlimited")
        self.cluster.start_again()

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
            os.kill(self.rng.choice(self.cluster.ask(busy))[0], signal.SIGKILL)

    def cut_the_lines(self) -> None:
        """All lines to the database break."""
        assert self.proxy is not None
        self.proxy.cut()

    def cut_before_a_commit(self) -> None:
        """A line breaks before a commit has come to the database."""
        assert self.proxy is not None
        self.proxy.break_at_commit(ASKED)

    def cut_after_a_commit(self) -> None:
        """A line breaks after a commit, and before anybody has heard of it."""
        assert self.proxy is not None
        self.proxy.break_at_commit(ANSWERED)

    def slow_the_lines(self) -> None:
        """For a while all lines are slow."""
        assert self.proxy is not None
        self.proxy.delay = self.rng.uniform(0.005, 0.1)
        time.sleep(self.rng.uniform(0.5, 2))
        self.proxy.delay = 0.0

    def hold_the_lines(self) -> None:
        """For a while nothing comes through."""
        assert self.proxy is not None
        self.proxy.hold(True)
        time.sleep(self.rng.uniform(0.2, 4))
        self.proxy.hold(False)


TO_ANY = {
    "kill": 24,
    "kill_at_random": 24,
    "kill_all": 2,
    "put_the_clock": 2,
    "let_time_pass": 1,
    "fill_the_disk": 0.5,
}  # and how often, one beside the other
TO_SEVERAL = {
    **TO_ANY,
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
