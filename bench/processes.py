"""How far several processes on PostgreSQL go: 1, 2 and 4 of them, driven from this process over loopback, beside one process on SQLite.

Each table is a game of crystals between four people. Their lines are spread evenly over all processes, so that requests are forwarded to the
owner of the table; or, where they are *routed*, all lead to the owner, as by a proxy that hashes table ids (whose own time is not counted). All houses are open at once and are given some answers in turn, so that whatever else this machine does slows all of
them alike; ratios are by processor time, within a round, and what is printed are medians. PostgreSQL is the tests' own; where its files
lie in memory, to sync costs nothing, and the figures say what processors can do. Last, one of two processes is killed. Run by
``make bench ARGS=processes``; ``--quick`` is a short look, without four.
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
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import uvloop

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "server"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import cluster
from cluster import Cluster

from server import ASK, Connection, Load, N, Player, Reader, Server

SQLITE, ONE = "one on SQLite", "one on PostgreSQL"
HOUSES = {
    SQLITE: 0,
    ONE: 1,
    "two": 2,
    "two, routed": 2,
    "four": 4,
    "four, routed": 4,
}  # how many processes keep each in PostgreSQL
EACH = 150  # answers in a turn
PACE = 40  # answers a second while it is looked how soon others see them
IDLE = 15.0  # seconds after which a line is used, lest it is closed
PATIENCE = 60.0  # seconds after a kill, within which all have to go on
AGAIN = 2.0  # seconds after which somebody tries again who hears nothing


class Turn(NamedTuple):
    """What came of one turn of a house."""

    answers: int
    rate: float  # answers a second, by the clock
    spent: float  # seconds of its processors
    database: float  # and of the database's

    @property
    def cost(self) -> float:
        """Seconds of processor time of an answer."""
        return self.spent / self.answers


def spent(pids: Collection[int]) -> dict[Path, int]:
    """By thread: the nanoseconds of processor time that it has had so far."""
    found: dict[Path, int] = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{pid}/task").iterdir():
                found[thread] = int((thread / "schedstat").read_text().split()[0])
    return found


def since(before: dict[Path, int], pids: Collection[int]) -> float:
    """Seconds of processor time that they have had since then."""
    return sum(now - before.get(thread, 0) for thread, now in spent(pids).items()) / 1e9


def children(pid: int) -> list[int]:
    """Whom a process has started."""
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


class Seat(Player):
    """A player whose lines lead to the process of a number; 0: to any."""

    wanted = 0

    async def open(self, port: int) -> None:
        """See `Player`."""
        self.post = await line_to(port, self.wanted)
        line = await line_to(port, self.wanted)
        self.stream = line.transport  # type: ignore[assignment]
        reader = Reader(self.heard)
        reader.transport = line.transport
        line.transport.set_protocol(reader)
        asked = f"GET /api/tables/{self.table}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n\r\n"
        line.transport.write(asked.encode())  # type: ignore[attr-defined]


async def line_to(port: int, process: int) -> Connection:
    """A line to this process: whoever takes a new one is a matter of chance."""
    while True:
        _, line = await asyncio.get_running_loop().create_connection(Connection, "127.0.0.1", port)
        told = json.loads((await line.ask("GET", "/api/ready"))[1])
        if process in (0, told["process"]):
            return line
        line.transport.close()


class House:
    """A house that is open, with people at its tables."""

    def __init__(self, folder: Path, count: int, store: str, routed: bool) -> None:
        folder.mkdir(mode=0o700)
        self.count, self.routed = count, routed
        more = ["--store", store, "--workers", str(count)] if count else []
        self.server = Server(str(folder), "--no-limits", "--think", "0", *more)
        self.load = Load(self.server.port)
        self.turns: list[Turn] = []
        self.waits: list[float] = []

    async def fill(self, tables: int) -> None:
        """People sit down at so many tables."""
        await self.load.open(tables, streams=False, line=lambda table: line_to(self.server.port, self.owner(table)))
        players = [Seat(self.load, player.table, player.token) for player in self.load.players]
        for k, player in enumerate(players):
            player.wanted = self.owner(k // 4 if self.routed else k + k // 4)
            await player.open(self.server.port)
        self.load.players = [*players]
        own = self.server.process.pid
        self.pids = children(own) if self.count > 1 else [own]
        self._used = time.monotonic()

    def owner(self, number: int) -> int:
        """The process that plays a table, by its number: the one by which it is first asked for."""
        return number % self.count + 1 if self.count else 0

    async def be_there(self) -> None:
        """Its people use their lines, if they have not for a while."""
        if time.monotonic() - self._used > IDLE:
            await asyncio.gather(
                *(player.post.ask("GET", "/api/health") for player in self.load.players if not player.busy)
            )
            self._used = time.monotonic()

    async def turn(self, database: Collection[int]) -> None:
        """So many answers as fast as it goes, then some at a pace."""
        before, theirs = spent(self.pids), spent(database)
        rate = await self.load.run(PATIENCE, most=EACH)
        self.turns.append(Turn(self.load.answers, rate, since(before, self.pids), since(theirs, database)))
        await self.load.run(0.5, PACE)
        self.waits += self.load.waits
        self._used = time.monotonic()

    def told(self) -> str:
        """What came of all turns."""
        waits = sorted(self.waits) or [0.0]
        cost = statistics.median(turn.cost for turn in self.turns)
        rate = statistics.median(turn.rate for turn in self.turns)
        database = statistics.median(turn.database / turn.answers for turn in self.turns)
        return (
            f"an answer {1e6 * cost:5.0f} µs ({1 / cost:,.0f} for a second of processor time; {rate:,.0f} a second just now)"
            + (f", {1e6 * database:4.0f} µs of the database" if self.count else "")
            + f"; seen by others after {1000 * statistics.median(waits):.1f} ms, {1000 * waits[int(0.99 * len(waits))]:.1f} ms in 99 of 100"
        )

    def close(self) -> None:
        """Everybody goes, and it ends."""
        self.load.close()
        self.server.process.terminate()
        self.server.process.wait()


async def in_turns(cluster: Cluster, folder: Path, names: Collection[str], tables: int, rounds: int) -> None:
    """Print what each house takes, and how the several compare with one."""
    houses: dict[str, House] = {}
    try:
        for k, name in enumerate(names):
            store = cluster.address().replace("/postgres?", f"/house{k}?")
            cluster.ask(f"CREATE DATABASE house{k}")
            houses[name] = House(folder / str(k), HOUSES[name], store, "routed" in name)
            await houses[name].fill(tables)
            for house in houses.values():
                await house.be_there()
        for k in range(rounds + 1):
            for house in [*houses.values()][:: 1 if k % 2 else -1]:
                for other in houses.values():
                    await other.be_there()
                await house.turn(cluster.pids())
            if not k:  # what is done once, is done
                for house in houses.values():
                    house.turns.clear()
                    house.waits.clear()
    finally:
        for house in houses.values():
            house.close()
    for name, house in houses.items():
        print(f"  {name:18} {house.told()}")
    for name, house in houses.items():
        if house.count > 1:
            ratios = [one.cost / turn.cost for one, turn in zip(houses[ONE].turns, house.turns, strict=True)]
            low, middle, high = statistics.quantiles(ratios, n=4)
            print(
                f"  answers for a second of processor time, {name}: {middle:.2f} of one's (half of {len(ratios)} rounds {low:.2f} to {high:.2f})"
            )


async def takeover(store: str, folder: Path, tables: int) -> None:
    """Kill one of two processes, and see when streams and bots go on."""
    folder.mkdir(mode=0o700)
    server = Server(str(folder), "--no-limits", "--think", "0", "--store", store, "--workers", "2")
    try:
        load = Load(server.port)
        maker = await line_to(server.port, 0)
        new = {"game": "crystals", "seats": 4, "places": ["me", *["bot:simple"] * 3], "takeover": 0}
        seats: list[Seat] = []
        for k in range(tables):
            token = json.loads((await maker.ask("POST", "/api/token"))[1])["token"]
            made = json.loads((await maker.ask("POST", "/api/tables", token, json.dumps(new).encode()))[1])
            await maker.ask("POST", f"/api/tables/{made['id']}/sit", token, b'{"nonce":""}')
            seats.append(Seat(load, made["id"], token))
            seats[-1].wanted = k % 2 + 1
            await seats[-1].open(server.port)
        while not all(ASK.search(seat.message) for seat in seats):
            await asyncio.sleep(0.05)
        began = time.perf_counter()
        os.kill(children(server.process.pid)[0], signal.SIGKILL)
        told: list[float] = []
        moved: list[float] = []

        async def go_on(seat: Seat) -> None:
            """Reads, and then plays with the bots, whatever is refused or cut off meanwhile."""
            before = n_of(seat)
            await again(seat, server.port)
            told.append(time.perf_counter() - began)
            while n_of(seat) < before + 4 and b'"result":null' in seat.message:
                try:
                    async with asyncio.timeout(AGAIN):
                        if await seat.answer():
                            seat.known = -1
                except (OSError, TimeoutError):
                    await again(seat, server.port)
                await asyncio.sleep(0.01)
            moved.append(time.perf_counter() - began)

        tasks = [asyncio.create_task(go_on(seat)) for seat in seats]
        await asyncio.wait(tasks, timeout=PATIENCE)
        for task in tasks:
            task.cancel()
        for name, found in (("streams are told again", sorted(told)), ("people and bots go on", sorted(moved))):
            if found:
                print(
                    f"  killed, {name:24} after {found[len(found) // 2]:.2f} s, {found[int(0.99 * len(found))]:.2f} s in 99 of 100"
                )
            if len(found) < tables:
                print(f"  killed, {name:24} NOT at {tables - len(found)} of {tables} tables within {PATIENCE:.0f} s")
        load.close()
    finally:
        server.process.terminate()
        server.process.wait()


def n_of(seat: Seat) -> int:
    """How far the game is that somebody has seen."""
    return int(N.search(seat.message)[1])  # type: ignore[index]


async def again(seat: Seat, port: int) -> None:
    """Somebody comes back, by lines to any process, and is told where the game is."""
    seat.wanted, seat.known, seat.busy, before = 0, -1, False, seat.message
    seat.message = b""
    while not seat.message:
        with contextlib.suppress(OSError, TimeoutError, json.JSONDecodeError, KeyError):
            seat.close()
            async with asyncio.timeout(AGAIN):
                await seat.open(port)
                while not seat.message:
                    await asyncio.sleep(0.005)
        await asyncio.sleep(0 if seat.message else 0.05)
    if n_of(seat) < int(N.search(before)[1]):  # type: ignore[index]
        print("  killed, and something that was seen is lost")


async def measure(quick: bool) -> None:
    """Everything, printed as it is known."""
    cluster.SETTINGS["max_connections"] = "90"
    database = Cluster()
    try:
        with tempfile.TemporaryDirectory() as folder:
            names = [name for name, count in HOUSES.items() if not quick or count < 4]
            await in_turns(database, Path(folder), names, *((20, 6) if quick else (40, 30)))  # no game ends meanwhile
            await takeover(database.empty_database(), Path(folder) / "killed", 20 if quick else 100)
    finally:
        database.close()


def main() -> None:
    """See the top of the file."""
    parser = argparse.ArgumentParser(description="Measure several processes.")
    parser.add_argument("--quick", action="store_true", help="a short look")
    print(
        f"Several processes, on {os.cpu_count()} cores with what drives them, where {os.getloadavg()[0]:.0f} want one:"
    )
    uvloop.run(measure(parser.parse_args().quick))


if __name__ == "__main__":
    main()
