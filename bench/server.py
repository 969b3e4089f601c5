"""Speed and size of the server: many tables of four over loopback, driven from this process.

Each table is a game of crystals with four players, each with a stream. The benchmark prints durable answers per second,
compared with answers in memory and with the disk's own commits; the time from an answer until the others see it;
memory; and how soon a thousand tables are served again after a kill. Run by ``make bench ARGS=server``; ``--quick`` is
a short run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import apsw
import uvloop

QUESTION_PATTERN = re.compile(rb'"open_question":\{"question":"(\w+)","legal":\[("?)(\w+)')
N_PATTERN = re.compile(rb'"n":(\d+)')


class BenchServer:
    """A server in another process."""

    def __init__(self, data: str | None, *more: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.data = data
        self.options = more or ("--no-rate-limits", "--bot-delay", "0")
        self.start()

    def start(self) -> None:
        """Start the process, and wait until the server is ready."""
        keep = ["--data-dir", self.data] if self.data else ["--in-memory"]
        command = [
            sys.executable,
            "-m",
            "diamonds.server",
            "--no-warm-up",
            "--port",
            str(self.port),
            *keep,
            *self.options,
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.process.stdout.readline()

    def kill(self) -> None:
        """Kill the process, as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def memory_bytes(self) -> int:
        """Return the server's resident memory in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024  # type: ignore[index]

    def cpu_s(self) -> float:
        """Return the CPU seconds so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class HttpConnection(asyncio.Protocol):
    """A keep-alive connection for one request at a time."""

    def __init__(self) -> None:
        self.buffer = b""
        self.waiting: asyncio.Future[tuple[int, bytes]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(re.search(rb"content-length: (\d+)", head)[1])  # type: ignore[index]
        if len(rest) >= length and self.waiting is not None:
            self.buffer = rest[length:]
            waiting, self.waiting = self.waiting, None
            if not waiting.done():  # no longer awaited
                waiting.set_result((int(head[9:12]), rest[:length]))

    async def request(self, method: str, path: str, token: str = "", body: bytes = b"") -> tuple[int, bytes]:
        """Send one request; return status and body."""
        self.waiting = asyncio.get_running_loop().create_future()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        if method == "POST":
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"\r\n" + body)  # type: ignore[attr-defined]
        return await self.waiting


class BenchStream(asyncio.Protocol):
    """A stream that passes on each complete event."""

    def __init__(self, on_message: Callable[[bytes], None]) -> None:
        self.on_message = on_message
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\n\n")) >= 0:
            event, self.buffer = self.buffer[:end], self.buffer[end + 2 :]
            at = event.find(b"data: ")
            if at >= 0:
                self.on_message(event[at + 6 :])


class BenchPlayer:
    """One seat: it reads its stream, and answers when asked and when the rate allows."""

    def __init__(self, load: LoadGenerator, table: str, token: str) -> None:
        self.load, self.table, self.token = load, table, token
        self.message = b""
        self.busy = False
        self.last_n = -1

    async def open(self, port: int) -> None:
        """Open both connections."""
        loop = asyncio.get_running_loop()
        _, self.post = await loop.create_connection(HttpConnection, "127.0.0.1", port)
        await self.post.request("GET", "/api/health")  # the server would close a connection without a request
        transport, _ = await loop.create_connection(lambda: BenchStream(self.handle_message), "127.0.0.1", port)
        transport.write(
            f"GET /api/tables/{self.table}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n\r\n".encode()
        )
        self.stream = transport

    def close(self) -> None:
        """Close both connections."""
        self.post.transport.close()
        self.stream.close()

    def handle_message(self, message: bytes) -> None:
        self.message = message
        n = int(N_PATTERN.search(message)[1])  # type: ignore[index]
        self.load.record_seen(self, n)
        if not self.busy and n > self.last_n:
            self.load.player_to_act(self)

    async def answer(self) -> bool:
        """Answer the open question, if there is one; return whether the answer was refused."""
        message = self.message
        asked = QUESTION_PATTERN.search(message)
        n = int(N_PATTERN.search(message)[1])  # type: ignore[index]
        if asked is None or self.busy or n <= self.last_n:
            return False
        self.busy = True
        words = f"{asked[1].decode()} {asked[3].decode()}"
        self.load.key_count += 1
        body = b'{"n":%d,"answers":["%b"],"idempotency_key":"k-%d-%b"}' % (
            n,
            words.encode(),
            self.load.key_count,
            self.table[:4].encode().replace(b"-", b"x"),
        )
        sent = time.perf_counter()
        status, reply = await self.post.request("POST", f"/api/tables/{self.table}/answers", self.token, body)
        self.busy = False
        self.load.reply_times_s.append(time.perf_counter() - sent)
        if status == 200:
            self.last_n = int(N_PATTERN.search(reply)[1]) - 1  # type: ignore[index]
            self.load.record_reply(self, self.last_n + 1, sent)
        else:
            self.load.refused += 1
            self.last_n = n
        if int(N_PATTERN.search(self.message)[1]) > self.last_n:  # type: ignore[index]
            self.load.player_to_act(self)
        return status != 200


class LoadGenerator:
    """Many tables of four, at a fixed rate or as fast as possible."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.players: list[BenchPlayer] = []
        self.tables: list[str] = []
        self.answers_per_s = 0.0
        self.waiting: list[BenchPlayer] = []
        self.tasks: set[asyncio.Task[bool]] = set()
        self.key_count = 0
        self.answers = 0
        self.refused = 0
        self.is_running = False
        self.sent: dict[tuple[str, int], tuple[BenchPlayer, float]] = {}
        self.first_seen: dict[tuple[str, int], list[tuple[BenchPlayer, float]]] = {}
        self.waits_s: list[float] = []
        self.reply_times_s: list[float] = []  # from an answer to its reply

    async def open(
        self, tables: int, streams: bool = True, line: Callable[[int], Awaitable[HttpConnection]] | None = None
    ) -> None:
        """Create tables with four people each, and open their streams.

        ``line`` returns the connection through which the people of a table sit down.
        """
        _, maker = await asyncio.get_running_loop().create_connection(HttpConnection, "127.0.0.1", self.port)
        tokens = [json.loads((await maker.request("POST", "/api/token", "", b"{}"))[1])["token"] for _ in range(4)]
        new = json.dumps(
            {
                "game": "crystals",
                "seats": 4,
                "seats_taken_by": ["me", "open", "open", "open"],
                "private": False,
                "substitute_after_s": 0,
            }
        )
        for table in range(tables):
            made = json.loads((await maker.request("POST", "/api/tables", tokens[0], new.encode()))[1])
            there = await line(table) if line else maker
            for token in tokens:
                await there.request("POST", f"/api/tables/{made['id']}/sit", token, b'{"nonce":""}')
            self.tables.append(made["id"])
            self.players += [BenchPlayer(self, made["id"], token) for token in tokens]
            if line:
                there.transport.close()
        maker.transport.close()
        if streams:
            for player in self.players:
                await player.open(self.port)

    def close(self) -> None:
        """Close every connection."""
        for player in self.players:
            player.close()

    def player_to_act(self, player: BenchPlayer) -> None:
        """Record that a player may have a question to answer."""
        if not self.is_running or self.answers_per_s:
            self.waiting.append(player)
        else:
            self.start_answer(player)

    def start_answer(self, player: BenchPlayer) -> None:
        task = asyncio.get_running_loop().create_task(player.answer())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def record_reply(self, player: BenchPlayer, n: int, sent: float) -> None:
        """Record that an answer is durable."""
        self.answers += 1
        if self.answers_per_s:
            self.sent[player.table, n] = (player, sent)
            for other, at in self.first_seen.pop((player.table, n), []):
                if other is not player:
                    self.waits_s.append(at - sent)

    def record_seen(self, player: BenchPlayer, n: int) -> None:
        """Record that a message has reached a player."""
        if not self.answers_per_s:
            return
        now = time.perf_counter()
        known = self.sent.get((player.table, n))
        if known is None:
            self.first_seen.setdefault((player.table, n), []).append((player, now))
        elif known[0] is not player:
            self.waits_s.append(now - known[1])

    async def run(self, seconds: float, answers_per_s: float = 0.0, max_answers: int = 1 << 30) -> float:
        """Answer for a time or a number of answers, at a rate or as fast as possible; return answers per second."""
        self.answers_per_s, self.is_running, self.answers = answers_per_s, True, 0
        self.waits_s.clear()
        waiting, self.waiting = self.waiting, []
        began = time.perf_counter()
        if not answers_per_s:
            for player in waiting:
                self.start_answer(player)
            while time.perf_counter() - began < seconds and self.answers < max_answers:
                await asyncio.sleep(0.01)
        else:
            self.waiting = waiting
            allowed = 0
            while (passed := time.perf_counter() - began) < seconds:
                while allowed < passed * answers_per_s and self.waiting:
                    player = self.waiting.pop(0)
                    if QUESTION_PATTERN.search(player.message) and not player.busy:
                        allowed += 1
                        self.start_answer(player)
                allowed = max(allowed, int(passed * answers_per_s) - 5)
                await asyncio.sleep(0.001)
        rate = self.answers / (time.perf_counter() - began)
        self.is_running = False
        await asyncio.sleep(0.3)
        return rate


def disk_commits_per_s(folder: str, seconds: float) -> float:
    """Return how many commits of one small row this disk completes per second, one after the other."""
    connection = apsw.Connection(str(Path(folder) / "raw.sqlite"))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, words TEXT)")
    began, count = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        connection.execute("INSERT INTO t VALUES (?, 'play H7')", (count,))
        count += 1
    rate = count / (time.perf_counter() - began)
    connection.close()
    return rate


async def throughput(data: str | None, tables: int, seconds: float) -> tuple[float, float]:
    """Return answers per second at full speed, by wall time and by the server's CPU time."""
    server = BenchServer(data)
    try:
        load = LoadGenerator(server.port)
        await load.open(tables)
        await asyncio.sleep(0.5)
        cpu = server.cpu_s()
        rate = await load.run(seconds)
        spent = server.cpu_s() - cpu
        load.close()
        return rate, load.answers / max(spent, 0.01)
    finally:
        server.kill()


async def measure_waits_and_memory(data: str, tables: int, seconds: float) -> tuple[list[float], float]:
    """Return the times until other seats see an answer, at 200 per second, and the memory per table of four."""
    server = BenchServer(data)
    try:
        await (warm := LoadGenerator(server.port)).open(20)
        await warm.run(3)  # fills shared caches, so that only the tables' memory counts
        before = server.memory_bytes()
        load = LoadGenerator(server.port)
        await load.open(tables)
        await asyncio.sleep(1)
        await load.run(seconds, answers_per_s=200)
        after = server.memory_bytes()
        waits = sorted(load.waits_s)
        load.close()
        warm.close()
        return waits, (after - before) / tables
    finally:
        server.kill()


async def memory_per_idle_stream(data: str, count: int) -> float:
    """Return the memory per idle stream."""
    server = BenchServer(data)
    try:
        load = LoadGenerator(server.port)
        await load.open(50, streams=False)
        loop = asyncio.get_running_loop()
        await asyncio.sleep(0.5)
        before = server.memory_bytes()
        readers = []
        for k in range(count):
            transport, _ = await loop.create_connection(lambda: BenchStream(lambda _: None), "127.0.0.1", server.port)
            transport.write(
                f"GET /api/tables/{load.tables[k % 50]}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            )
            readers.append(transport)
            if k % 200 == 0:
                await asyncio.sleep(0.05)
        await asyncio.sleep(3)
        after = server.memory_bytes()
        for transport in readers:
            transport.abort()
        return (after - before) / count
    finally:
        server.kill()


async def restart_time_s(data: str, tables: int) -> float:
    """Return the seconds from the start of a new server until all tables of the killed one have been read again."""
    server = BenchServer(data)
    load = LoadGenerator(server.port)
    await load.open(tables, streams=False)
    posts = [
        (await asyncio.get_running_loop().create_connection(HttpConnection, "127.0.0.1", server.port))[1]
        for _ in range(8)
    ]

    async def play_some(post: HttpConnection, players: list[BenchPlayer]) -> None:
        for player in players:
            for _ in range(12):
                message = (await post.request("GET", f"/api/tables/{player.table}", player.token))[1]
                asked, n = QUESTION_PATTERN.search(message), N_PATTERN.search(message)
                if asked is None or n is None:
                    break
                load.key_count += 1
                words = f"{asked[1].decode()} {asked[3].decode()}"
                body = json.dumps(
                    {
                        "n": int(n[1]),
                        "answers": [words],
                        "idempotency_key": f"restart-{load.key_count}",
                    }
                )
                await post.request("POST", f"/api/tables/{player.table}/answers", player.token, body.encode())

    for _ in range(3):
        await asyncio.gather(*(play_some(post, load.players[k::8]) for k, post in enumerate(posts)))
    server.kill()
    began = time.perf_counter()
    server.start()
    try:
        posts = [
            (await asyncio.get_running_loop().create_connection(HttpConnection, "127.0.0.1", server.port))[1]
            for _ in range(8)
        ]
        entries = 0

        async def look(post: HttpConnection, players: list[BenchPlayer]) -> None:
            nonlocal entries
            for player in players:
                status, message = await post.request("GET", f"/api/tables/{player.table}", player.token)
                assert status == 200, message
                entries += int(N_PATTERN.search(message)[1])  # type: ignore[index]

        await asyncio.gather(*(look(post, load.players[4 * k :: 32]) for k, post in enumerate(posts)))
        took = time.perf_counter() - began
        print(f"    ({entries / tables:.0f} answers at each table)")
        return took
    finally:
        server.kill()


async def measure(quick: bool) -> None:
    """Run all measurements, and print each result immediately."""
    seconds = 2 if quick else 6
    rounds = 1 if quick else 3
    with tempfile.TemporaryDirectory() as folder:
        durable_rates: list[tuple[float, float]] = []
        memory_rates: list[tuple[float, float]] = []
        for k in range(rounds):
            durable_rates.append(await throughput(f"{folder}/t{k}", 100, seconds))
            memory_rates.append(await throughput(None, 100, seconds))
        durable = statistics.median(rate for rate, _ in durable_rates)
        without = statistics.median(rate for rate, _ in memory_rates)
        print(
            f"  answers, durable          {durable:8.0f} /s   ({statistics.median(c for _, c in durable_rates):.0f} a CPU second)"
        )
        print(f"  answers, in memory        {without:8.0f} /s   durable: {durable / without:.2f} of that")
        print(f"  commits of this disk      {disk_commits_per_s(folder, 1):8.0f} /s")
        waits, memory = await measure_waits_and_memory(f"{folder}/w", 100, seconds)
        half_ms, most_ms = (1000 * waits[int(part * (len(waits) - 1))] for part in (0.5, 0.99))
        print(
            f"  answer to seen, 200/s     {half_ms:8.2f} ms median, {most_ms:.2f} ms in 99 of 100 ({len(waits)} waits)"
        )
        print(f"  a table of four           {memory / 1000:8.0f} KB with its connections")
        count = 2000 if quick else 10_000
        print(
            f"  an idle stream            {await memory_per_idle_stream(f'{folder}/i', count) / 1000:8.1f} KB (of {count:,})"
        )
        tables = 200 if quick else 1000
        print(f"  {tables:,} tables again       {await restart_time_s(f'{folder}/k', tables):8.2f} s after a kill")


def main() -> None:
    """Run the benchmark (see the module docstring)."""
    parser = argparse.ArgumentParser(description="Measure the server.")
    parser.add_argument("--quick", action="store_true", help="a short run")
    given = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print("The server, over loopback:")
    uvloop.run(measure(given.quick))


if __name__ == "__main__":
    main()
