"""Several processes on PostgreSQL: 1, 2 and 4 of them, compared with one process on SQLite over loopback.

Each table is a game of crystals with four players. Their connections are spread evenly over all processes, so that
requests are forwarded to the table's owner. In *routed* variants all connections go to the owner, as behind a proxy
that hashes table ids; the time of a proxy is not counted. *Apart* variants are as many independent servers, which share
the tables. They show how much of the cost comes from having more processes than cores. All servers run simultaneously
and take turns answering, so that other load on this machine affects them equally. Ratios are of CPU time within a round, and printed
figures are medians. PostgreSQL is the instance used by the tests. If its files are in memory, syncing is free, and the
figures show only what the CPU can do. At the end, one of two processes is killed or stopped. Run by ``make bench
ARGS=processes``; ``--quick`` is a short run without four processes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import uvloop

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.server.support import postgres_cluster
from tests.server.support.postgres_cluster import PostgresCluster

from server import N_PATTERN, QUESTION_PATTERN, BenchPlayer, BenchServer, BenchStream, HttpConnection, LoadGenerator

ON_SQLITE, ONE_PROCESS = "one on SQLite", "one on PostgreSQL"
PROCESS_COUNTS = {
    ON_SQLITE: 0,
    ONE_PROCESS: 1,
    "two": 2,
    "two, routed": 2,
    "two apart": 2,
    "four": 4,
    "four, routed": 4,
    "four apart": 4,
}  # processes on PostgreSQL; 0 means SQLite
ANSWERS_PER_ROUND = 150
ANSWERS_PER_S = 40  # while latency is measured
KEEP_ALIVE_S = 15.0  # idle connections are used this often, so that the server keeps them open
TAKEOVER_TIMEOUT_S = 60.0  # limit until all tables continue after a kill
ROUNDS_PER_GAME = 20  # then new tables replace the old, before their games end
RETRY_DELAY_S = 2.0  # after a request without a reply


class RoundResult(NamedTuple):
    """The result of one round of a server."""

    answers: int
    answers_per_s: float  # per second of wall time
    cpu_s: float  # used by the server
    database_cpu_s: float

    @property
    def cost(self) -> float:
        """The CPU seconds per answer."""
        return self.cpu_s / self.answers


def cpu_by_thread(pids: Collection[int]) -> dict[Path, int]:
    """Return the CPU time so far in nanoseconds, by thread."""
    found: dict[Path, int] = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{pid}/task").iterdir():
                found[thread] = int((thread / "schedstat").read_text().split()[0])
    return found


def cpu_since(before: dict[Path, int], pids: Collection[int]) -> float:
    """Return the CPU seconds of these processes since ``before``."""
    return sum(now - before.get(thread, 0) for thread, now in cpu_by_thread(pids).items()) / 1e9


def children(pid: int) -> list[int]:
    """Return the child processes."""
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


class PinnedPlayer(BenchPlayer):
    """A player whose connections reach the process with the number ``process_number``; 0 means any."""

    process_number = 0

    async def open(self, port: int) -> None:
        """Open both connections; see `BenchPlayer`."""
        self.post = await connect_to(port, self.process_number)
        line = await connect_to(port, self.process_number)
        self.stream = line.transport  # type: ignore[assignment]
        reader = BenchStream(self.handle_message)
        reader.transport = line.transport
        line.transport.set_protocol(reader)
        asked = f"GET /api/tables/{self.table}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n\r\n"
        line.transport.write(asked.encode())  # type: ignore[attr-defined]


async def connect_to(port: int, process: int) -> HttpConnection:
    """Return a connection to this process. Which process accepts a new connection is random."""
    while True:
        _, line = await asyncio.get_running_loop().create_connection(HttpConnection, "127.0.0.1", port)
        told = json.loads((await line.request("GET", "/api/ready"))[1])
        if process in (0, told["process"]):
            return line
        line.transport.close()


class LoadedServer:
    """A running server, of one or more processes, with players at its tables."""

    def __init__(self, folder: Path, count: int, store: str, routed: bool) -> None:
        folder.mkdir(mode=0o700)
        self.count, self.routed = count, routed
        options = ["--database", store, "--workers", str(count)] if count else []
        self.server = BenchServer(str(folder), "--no-rate-limits", "--bot-delay", "0", *options)
        self.load = LoadGenerator(self.server.port)

    async def fill(self, tables: int) -> None:
        await self.load.open(tables, streams=False, line=lambda table: connect_to(self.server.port, self.owner(table)))
        players = [PinnedPlayer(self.load, player.table, player.token) for player in self.load.players]
        for k, player in enumerate(players):
            player.process_number = self.owner(k // 4 if self.routed else k + k // 4)
            await player.open(self.server.port)
        self.load.players = [*players]

    def owner(self, number: int) -> int:
        """Return the number of the process that owns a table, which is the one that its first request reaches."""
        return number % self.count + 1 if self.count else 0

    def pids(self) -> list[int]:
        """Return the processes that answer."""
        own = self.server.process.pid
        return children(own) if self.count > 1 else [own]

    def close(self) -> None:
        """Close all connections, and stop the server."""
        self.load.close()
        self.server.process.terminate()
        self.server.process.wait()


class Variant:
    """The servers of one way to use several processes, and the results of their rounds."""

    def __init__(self, servers: Sequence[LoadedServer]) -> None:
        self.servers = servers
        self.rounds: list[RoundResult] = []
        self.waits_s: list[float] = []

    async def fill(self, tables: int) -> None:
        """Create the tables, and connect their players."""
        for server in self.servers:
            await server.fill(tables // len(self.servers))
        self.pids = [pid for server in self.servers for pid in server.pids()]
        self._last_used = time.monotonic()

    async def keep_alive(self) -> None:
        """Use all connections that have been idle for a while."""
        if time.monotonic() - self._last_used > KEEP_ALIVE_S:
            idle = [player for server in self.servers for player in server.load.players if not player.busy]
            await asyncio.gather(*(player.post.request("GET", "/api/health") for player in idle))
            self._last_used = time.monotonic()

    async def run_round(self, database: Collection[int]) -> None:
        """Answer as fast as possible, then at a fixed rate."""
        loads = [server.load for server in self.servers]
        before, theirs = cpu_by_thread(self.pids), cpu_by_thread(database)
        share = ANSWERS_PER_ROUND // len(loads)
        rates = await asyncio.gather(*(load.run(TAKEOVER_TIMEOUT_S, max_answers=share) for load in loads))
        cpu_s, database_cpu_s = cpu_since(before, self.pids), cpu_since(theirs, database)
        self.rounds.append(RoundResult(sum(load.answers for load in loads), sum(rates), cpu_s, database_cpu_s))
        await asyncio.gather(*(load.run(0.5, ANSWERS_PER_S // len(loads)) for load in loads))
        self.waits_s += [wait_s for load in loads for wait_s in load.waits_s]
        self._last_used = time.monotonic()

    def summary(self, has_database: bool) -> str:
        """Return the results of all rounds as text."""
        waits = sorted(self.waits_s) or [0.0]
        cost = statistics.median(turn.cost for turn in self.rounds)
        rate = statistics.median(turn.answers_per_s for turn in self.rounds)
        database = statistics.median(turn.database_cpu_s / turn.answers for turn in self.rounds)
        return (
            f"an answer {1e6 * cost:5.0f} µs ({1 / cost:,.0f} a CPU second; {rate:,.0f} a second by the clock)"
            + (f", {1e6 * database:4.0f} µs in the database" if has_database else "")
            + f"; seen by others after {1000 * statistics.median(waits):.1f} ms, {1000 * waits[int(0.99 * len(waits))]:.1f} ms in 99 of 100"
        )

    def close(self) -> None:
        """Close all connections, and stop the servers."""
        for server in self.servers:
            server.close()


def start_variant(cluster: PostgresCluster, folder: Path, name: str) -> Variant:
    """Start the servers of a variant, each with a new database."""
    count, number = PROCESS_COUNTS[name], len([*folder.iterdir()])
    servers = []
    for k in range(number, number + (count if "apart" in name else 1)):
        cluster.query(f"CREATE DATABASE house{k}")
        store = cluster.database_url().replace("/postgres?", f"/house{k}?")
        servers.append(LoadedServer(folder / str(k), 1 if "apart" in name else count, store, "routed" in name))
    return Variant(servers)


async def compare_variants(
    cluster: PostgresCluster, folder: Path, names: Collection[str], tables: int, rounds: int
) -> None:
    """Print the costs of each variant, and compare several processes with one."""
    variants: dict[str, Variant] = {}
    try:
        for name in names:
            variants[name] = start_variant(cluster, folder, name)
            await variants[name].fill(tables)
            for variant in variants.values():
                await variant.keep_alive()
        for k in range(rounds + 1):
            for variant in [*variants.values()][:: 1 if k % 2 else -1]:
                for other in variants.values():
                    await other.keep_alive()
                await variant.run_round(cluster.pids())
            if not k:  # the first round is a warm-up
                for variant in variants.values():
                    variant.rounds.clear()
                    variant.waits_s.clear()
    finally:
        for variant in variants.values():
            variant.close()
    for name, variant in variants.items():
        print(f"  {name:18} {variant.summary(has_database=PROCESS_COUNTS[name] > 0)}")
    for name, variant in variants.items():
        if PROCESS_COUNTS[name] > 1:
            both = [*zip(variants[ONE_PROCESS].rounds, variant.rounds, strict=True)]
            low, middle, high = statistics.quantiles([one.cost / turn.cost for one, turn in both], n=4)
            database = statistics.median(
                (turn.database_cpu_s / turn.answers) / (one.database_cpu_s / one.answers) for one, turn in both
            )
            print(
                f"  answers a CPU second, {name}: {middle:.2f} times one process (half of {rounds} rounds {low:.2f} to {high:.2f});"
                f" database time an answer: {database:.2f} times one process"
            )


async def measure_takeovers(store: str, folder: Path, tables: int, rounds: int) -> None:
    """Alternately kill and stop (``kill -STOP``) one of two processes, and measure when streams and bots continue."""
    folder.mkdir(mode=0o700)
    server = BenchServer(str(folder), "--no-rate-limits", "--bot-delay", "0", "--database", store, "--workers", "2")
    try:
        load = LoadGenerator(server.port)
        maker = await connect_to(server.port, 0)
        seats: list[PinnedPlayer] = []
        found: dict[str, tuple[list[float], list[float]]] = {"killed": ([], []), "stopped": ([], [])}
        for k in range(2 * rounds):
            while len(children(server.process.pid)) < 2:
                await asyncio.sleep(0.05)
            for number in (1, 2):  # wait until both serve again
                (await connect_to(server.port, number)).transport.close()
            if not k % ROUNDS_PER_GAME:
                for seat in seats:
                    seat.close()
                seats = [await seat_with_bots(load, maker, number % 2 + 1) for number in range(tables)]
            while not all(QUESTION_PATTERN.search(seat.message) for seat in seats):
                await asyncio.sleep(0.05)
            name, victim = (
                ("killed", "stopped")[k % 2],
                children(server.process.pid)[0],
            )  # the older process, which owns tables
            began = time.perf_counter()
            os.kill(victim, signal.SIGSTOP if name == "stopped" else signal.SIGKILL)
            tasks = [asyncio.create_task(play_on(seat, server.port, began, *found[name])) for seat in seats]
            _, late = await asyncio.wait(tasks, timeout=TAKEOVER_TIMEOUT_S)
            if late:
                print(f"  {name}: {len(late)} of {tables} tables do NOT continue within {TAKEOVER_TIMEOUT_S:.0f} s")
            for task in late:
                task.cancel()
            maker.transport.close()
            maker = await connect_to(server.port, 0)
        for name, times_s in found.items():
            for what, all_s in zip(("streams continue", "people and bots play on"), map(sorted, times_s), strict=True):
                middle, high = all_s[len(all_s) // 2], all_s[int(0.99 * len(all_s))]
                print(
                    f"  {name:7} {what:22} after {middle:.2f} s, {high:.2f} s in 99 of 100, {all_s[-1]:.2f} s at most"
                    f" ({rounds} times at {tables} tables)"
                )
        load.close()
    finally:
        server.process.terminate()
        server.process.wait()


async def seat_with_bots(load: LoadGenerator, maker: HttpConnection, number: int) -> PinnedPlayer:
    """Return a player at a new table with bots, connected to the process of this number."""
    new = {"game": "crystals", "seats": 4, "seats_taken_by": ["me", *["bot:simple"] * 3], "substitute_after_s": 0}
    token = json.loads((await maker.request("POST", "/api/token", "", b"{}"))[1])["token"]
    made = json.loads((await maker.request("POST", "/api/tables", token, json.dumps(new).encode()))[1])
    await maker.request("POST", f"/api/tables/{made['id']}/sit", token, b'{"nonce":""}')
    seat = PinnedPlayer(load, made["id"], token)
    seat.process_number = number
    await seat.open(load.port)
    return seat


async def play_on(seat: PinnedPlayer, port: int, began: float, told: list[float], moved: list[float]) -> None:
    """Read the table's stream again, then play with the bots despite errors; record the seconds until each works."""
    before = last_seen_n(seat)
    await reconnect(seat, port)
    told.append(time.perf_counter() - began)
    while last_seen_n(seat) < before + 4 and b'"result":null' in seat.message:
        try:
            async with asyncio.timeout(RETRY_DELAY_S):
                if await seat.answer():
                    seat.last_n = -1
        except (OSError, TimeoutError):
            await reconnect(seat, port)
        await asyncio.sleep(0.01)
    moved.append(time.perf_counter() - began)


def last_seen_n(seat: PinnedPlayer) -> int:
    """Return the newest n in the player's messages."""
    return int(N_PATTERN.search(seat.message)[1])  # type: ignore[index]


async def reconnect(seat: PinnedPlayer, port: int) -> None:
    """Reconnect to any process, and wait for the current state of the game."""
    seat.process_number, seat.last_n, seat.busy, before = 0, -1, False, seat.message
    seat.message = b""
    while not seat.message:
        with contextlib.suppress(OSError, TimeoutError, json.JSONDecodeError, KeyError):
            seat.close()
            async with asyncio.timeout(RETRY_DELAY_S):
                await seat.open(port)
                # A closed stream is opened again, as in browsers.
                while not seat.message and not seat.stream.is_closing():
                    await asyncio.sleep(0.005)
        await asyncio.sleep(0 if seat.message else 0.05)
    if last_seen_n(seat) < int(N_PATTERN.search(before)[1]):  # type: ignore[index]
        print("  an answer that was seen is LOST")


async def measure(quick: bool) -> None:
    """Run all measurements, and print each result immediately."""
    postgres_cluster.POSTGRES_SETTINGS["max_connections"] = "200"
    database = PostgresCluster()
    try:
        with tempfile.TemporaryDirectory() as folder:
            names = [name for name, count in PROCESS_COUNTS.items() if not quick or count < 4]
            await compare_variants(
                database, Path(folder), names, *((20, 6) if quick else (40, 30))
            )  # few enough answers that no game ends
            await measure_takeovers(
                database.empty_database(), Path(folder) / "ended", *((20, 3) if quick else (100, 10))
            )
    finally:
        database.close()


def main() -> None:
    """Run the benchmark (see the module docstring)."""
    parser = argparse.ArgumentParser(description="Measure several processes.")
    parser.add_argument("--quick", action="store_true", help="a short run")
    print(f"Several processes and their load generator on {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}:")
    uvloop.run(measure(parser.parse_args().quick))


if __name__ == "__main__":
    main()
