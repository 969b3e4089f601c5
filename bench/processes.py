"""How far several processes on PostgreSQL go: 1, 2 and 4 of them, driven from this process over loopback, beside one process on SQLite.

Each table is a game of crystals between four people, whose lines are spread evenly over all processes: two of four who sit together are
connected elsewhere. Ratios are by processor time, for this machine has few cores, and others use them. PostgreSQL is the tests' own; where
its files lie in memory, to sync costs nothing, and the figures say what processors can do. Last, one of two processes is killed. Run by
``make bench ARGS=processes``; ``--quick`` is a short look.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import uvloop

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "server"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from cluster import Cluster

from server import ASK, Connection, Load, N, Player, Reader, Server

TICKS = os.sysconf("SC_CLK_TCK")


def cpu(pids: list[int]) -> float:
    """Seconds of processor time that those of these have had so far who are still there."""
    spent = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            spent += int(fields[11]) + int(fields[12])
    return spent / TICKS


def children(pid: int) -> list[int]:
    """Whom a process has started."""
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


class Seat(Player):
    """A player whose lines lead to the process of a number."""

    wanted = 1

    async def open(self, port: int) -> None:
        """See `Player`."""
        self.post = await line_to(port, self.wanted)
        await self.listen(port)

    async def listen(self, port: int) -> None:
        """Its stream alone."""
        line = await line_to(port, self.wanted)
        self.stream = line.transport  # type: ignore[assignment]
        reader = Reader(self.heard)
        reader.transport = line.transport
        line.transport.set_protocol(reader)
        asked = f"GET /api/tables/{self.table}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n\r\n"
        line.transport.write(asked.encode())  # type: ignore[attr-defined]


async def line_to(port: int, process: int) -> Connection:
    """A line to this process: whoever takes a new one is a matter of chance. 0: to any."""
    while True:
        _, line = await asyncio.get_running_loop().create_connection(Connection, "127.0.0.1", port)
        told = json.loads((await line.ask("GET", "/api/ready"))[1])
        if process in (0, told["process"]):
            return line
        line.transport.close()


async def measured(name: str, count: int, store: str, cluster: Cluster, seconds: float, tables: int) -> float:
    """Print what so many processes do; returns answers per second of their processor time."""
    with tempfile.TemporaryDirectory() as folder:
        more = ["--store", store, "--workers", str(count)] if store else []
        server = Server(folder, "--no-limits", "--think", "0", *more)
        own = server.process.pid
        try:
            load = Load(server.port)
            await load.open(tables, streams=False)
            load.players = [Seat(load, player.table, player.token) for player in load.players]
            for k, player in enumerate(load.players):
                assert isinstance(player, Seat)
                player.wanted = (k + k // 4) % count + 1
                await player.open(server.port)
            await load.run(1)
            pids = children(own) if count > 1 else [own]
            before, theirs = cpu(pids), cpu(cluster.pids()) if store else 0.0
            rate = await load.run(seconds)
            spent, database = cpu(pids) - before, (cpu(cluster.pids()) if store else 0.0) - theirs
            answers = load.answers
            await load.run(seconds, pace=40)
            waits = sorted(load.waits) or [0.0]
            load.close()
        finally:
            server.process.terminate()
            server.process.wait()
    at = lambda part: waits[min(len(waits) - 1, int(part * len(waits)))] * 1000  # noqa: E731
    print(
        f"  {name:22} {rate:6.0f} /s; {answers / spent:6.0f} for a second of theirs, {1e6 * database / answers:5.0f} µs of the database each;"
        f" seen by others after {at(0.5):.1f} ms, {at(0.99):.1f} ms in 99 of 100"
    )
    return answers / spent


async def takeover(store: str, tables: int) -> None:
    """Kill one of two processes, and see when streams and bots go on."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder, "--no-limits", "--think", "0", "--store", store, "--workers", "2")
        loop = asyncio.get_running_loop()
        try:
            load = Load(server.port)
            _, maker = await loop.create_connection(Connection, "127.0.0.1", server.port)
            new = {"game": "crystals", "seats": 4, "places": ["me", *["bot:simple"] * 3], "takeover": 0}
            for k in range(tables):
                token = json.loads((await maker.ask("POST", "/api/token"))[1])["token"]
                made = json.loads((await maker.ask("POST", "/api/tables", token, json.dumps(new).encode()))[1])
                await maker.ask("POST", f"/api/tables/{made['id']}/sit", token, b'{"nonce":""}')
                seat = Seat(load, made["id"], token)
                seat.wanted = k % 2 + 1
                load.players.append(seat)
                await seat.open(server.port)
            while not all(ASK.search(player.message) for player in load.players):
                await asyncio.sleep(0.05)
            began = time.perf_counter()
            os.kill(children(server.process.pid)[0], signal.SIGKILL)
            told: list[float] = []
            moved: list[float] = []

            async def go_on(seat: Seat) -> None:
                before, again = int(N.search(seat.message)[1]), time.perf_counter()  # type: ignore[index]
                seat.wanted, seat.message = 0, b""
                while not seat.message:
                    try:
                        await seat.open(server.port)
                        await asyncio.sleep(0.02)
                    except (OSError, json.JSONDecodeError):
                        await asyncio.sleep(0.05)
                    if not seat.message and time.perf_counter() - again > 1:
                        again = time.perf_counter()
                told.append(time.perf_counter() - began)
                await seat.answer()
                while (now := int(N.search(seat.message)[1])) < before + 4 and b'"result":null' in seat.message:  # type: ignore[index]
                    if ASK.search(seat.message) and now > seat.known:
                        await seat.answer()
                    await asyncio.sleep(0.01)
                moved.append(time.perf_counter() - began)

            async with asyncio.timeout(60):
                await asyncio.gather(*(go_on(seat) for seat in load.players if isinstance(seat, Seat)))
            for name, found in (("streams are told again", sorted(told)), ("people and bots go on", sorted(moved))):
                print(
                    f"  killed, {name:24} after {found[len(found) // 2]:.2f} s, {found[int(0.99 * len(found))]:.2f} s in 99 of 100"
                )
            load.close()
        finally:
            server.process.terminate()
            server.process.wait()


async def measure(quick: bool) -> None:
    """Everything, printed as it is known."""
    seconds, tables = (3.0, 20) if quick else (10.0, 60)
    cluster = Cluster()
    try:
        found = {}
        for name, count, kept in (
            ("one on SQLite", 1, False),
            ("one on PostgreSQL", 1, True),
            ("two", 2, True),
            ("four", 4, True),
        ):
            found[name] = await measured(
                name, count, cluster.empty_database() if kept else "", cluster, seconds, tables
            )
        one = found["one on PostgreSQL"]
        print(
            f"  answers for a second of processor time: two {found['two'] / one:.2f} of one's, four {found['four'] / one:.2f}"
        )
        await takeover(cluster.empty_database(), 20 if quick else 100)
    finally:
        cluster.close()


def main() -> None:
    """See the top of the file."""
    parser = argparse.ArgumentParser(description="Measure several processes.")
    parser.add_argument("--quick", action="store_true", help="a short look")
    print(f"Several processes, on {os.cpu_count()} cores with what drives them:")
    uvloop.run(measure(parser.parse_args().quick))


if __name__ == "__main__":
    main()
