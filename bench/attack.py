"""A server under attack: its reply times and memory while one address attacks and another plays, for a minute.

Everything happens over loopback, with the server's limits enabled: 127.0.0.2 attacks from a separate process, in all
ways simultaneously, while 127.0.0.1 plays at twenty tables of four. Run by ``make bench ARGS=attack``; ``--quick`` is a
short run. The targets are 99 of 100 answers within 100 ms and at most 50 MB of additional memory.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvloop

from server import QUESTION_PATTERN, BenchServer, LoadGenerator

ATTACKER_ADDRESS = "127.0.0.2"
CONTENT_LENGTH = re.compile(rb"(?i)content-length: (\d+)")
LONG_GAME = {"game": "crystals", "seats": 4, "options": {"rounds": 12}, "substitute_after_s": 0}
BOT_GAME = {"game": "crystals", "seats": 4, "seats_taken_by": ["bot:5"] * 4}
AttackMethod = Callable[["Attacker"], Awaitable[None]]
# by name: how many run simultaneously, and the action that each repeats
ATTACK_METHODS: dict[str, tuple[int, AttackMethod]] = {}


def attack_method(name: str, concurrency: int) -> Callable[[AttackMethod], AttackMethod]:
    """Return a decorator that registers a way of attacking."""

    def named(attack: AttackMethod) -> AttackMethod:
        ATTACK_METHODS[name] = (concurrency, attack)
        return attack

    return named


class Attacker:
    """One address with many connections. ``replies`` counts replies by method and status (0: cut off)."""

    def __init__(self, port: int, ends_at: float) -> None:
        self.port, self.ends_at = port, ends_at
        self.replies: Counter[tuple[str, int]] = Counter()
        self.tokens: list[str] = []
        self.long_game = ""  # id of a long game that is over
        self.chat_table = ""  # id of a table with two of its players seated
        self.bot_tables: list[str] = []  # ids of tables with bots
        self.keys = itertools.count()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection from the attacker's address."""
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(ATTACKER_ADDRESS, 0))

    async def send(self, raw: bytes, hold_s: float = 0.0) -> tuple[int, bytes]:
        """Send one request on a new connection. Return the status (0 if cut off) and body."""
        try:
            async with asyncio.timeout(20 + hold_s):
                reader, writer = await self.connect()
                try:
                    writer.write(raw)
                    head = await reader.readuntil(b"\r\n\r\n")
                    length = CONTENT_LENGTH.search(head)
                    body = await reader.readexactly(int(length[1])) if length else b""
                    await asyncio.sleep(hold_s if head[9:12] == b"200" else 0)
                    return int(head[9:12]), body
                finally:
                    writer.transport.abort()
        except (OSError, EOFError, TimeoutError):
            return 0, b""

    async def request(self, method: str, path: str, token: str = "", body: object = None) -> tuple[int, bytes]:
        """Send a request as a program does."""
        sent = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n" + (
            f"Authorization: Bearer {token}\r\n" if token else ""
        )
        head += f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n" if method == "POST" else ""
        return await self.send(head.encode() + b"\r\n" + sent)

    def new_key(self) -> str:
        return f"attack-{next(self.keys)}"

    async def prepare(self) -> None:
        """Get four identities, play a long game to its end as fast as the limits allow, and seat two at a table."""
        for _ in range(4):
            self.tokens.append(json.loads((await self.request("POST", "/api/token", "", {}))[1])["token"])
        self.long_game = await self.create_table(
            {**LONG_GAME, "seats_taken_by": ["me", "open", "open", "open"]}, self.tokens
        )
        places = ["me", "open", "bot:simple", "bot:simple"]
        self.chat_table = await self.create_table(
            {**LONG_GAME, "substitute_after_s": 60, "seats_taken_by": places}, self.tokens[:2]
        )
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            replies = await asyncio.gather(
                *(self.request("GET", f"/api/tables/{self.long_game}", token) for token in self.tokens)
            )
            if b'"phase":"over"' in replies[0][1]:
                return
            for token, (_, message) in zip(self.tokens, replies, strict=True):
                found = QUESTION_PATTERN.search(message)
                if found is not None:
                    words = f"{found[1].decode()} {found[3].decode()}"
                    body = {"n": json.loads(message)["n"], "answers": [words], "idempotency_key": self.new_key()}
                    status, _ = await self.request("POST", f"/api/tables/{self.long_game}/answers", token, body)
                    await asyncio.sleep(0.5 if status == 429 else 0)

    async def create_table(self, options: dict[str, object], tokens: list[str]) -> str:
        """Create a public table with these people."""
        _, made = await self.request("POST", "/api/tables", tokens[0], {**options, "private": False})
        id: str = json.loads(made)["id"]
        for token in tokens:
            await self.request("POST", f"/api/tables/{id}/sit", token, {"nonce": ""})
        return id

    async def attack(self, methods: list[str]) -> None:
        """Run all these methods simultaneously until the time is up."""

        async def repeat(attack: AttackMethod) -> None:
            while time.monotonic() < self.ends_at:
                await attack(self)

        chosen = [ATTACK_METHODS[name] for name in methods]
        await asyncio.gather(*(repeat(attack) for at_once, attack in chosen for _ in range(at_once)))


async def count_reply(attacker: Attacker, name: str, request: Awaitable[tuple[int, bytes]]) -> bytes:
    """Make a request, count its status, and return the reply."""
    status, reply = await request
    attacker.replies[name, status] += 1
    # a rejected request is repeated, but not without a pause
    await asyncio.sleep(0.05 if status in (0, 429, 503) else 0)
    return reply


@attack_method("junk credentials", 4)
async def junk_credentials(attacker: Attacker) -> None:
    """Send a megabyte of credentials."""
    junk = b"x.y" * 350_000
    raw = b"GET /api/tables HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + junk + b"\r\n\r\n"
    await count_reply(attacker, "junk credentials", attacker.send(raw))


@attack_method("forged cookies", 4)
async def forged_cookies(attacker: Attacker) -> None:
    """Send a cookie as large as the server accepts."""
    raw = b"GET /api/server HTTP/1.1\r\nHost: localhost\r\nCookie: diamonds=" + b"e.y.J" * 3_000 + b"\r\n\r\n"
    await count_reply(attacker, "forged cookies", attacker.send(raw))


@attack_method("huge addresses", 2)
async def huge_addresses(attacker: Attacker) -> None:
    """Request an endless path."""
    await count_reply(
        attacker, "huge addresses", attacker.send(b"GET /" + b"a/" * 200_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
    )


@attack_method("many headers", 2)
async def many_headers(attacker: Attacker) -> None:
    """Send twenty thousand headers."""
    raw = b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"".join(b"x-%d: y\r\n" % k for k in range(20_000)) + b"\r\n"
    await count_reply(attacker, "many headers", attacker.send(raw))


@attack_method("half requests", 500)
async def half_requests(attacker: Attacker) -> None:
    """Send a request head at one byte per second."""
    try:
        _, writer = await attacker.connect()
    except OSError:
        attacker.replies["half requests", 0] += 1
        await asyncio.sleep(1)
        return
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        while time.monotonic() < attacker.ends_at and not writer.transport.is_closing():
            writer.write(b"x")
            await asyncio.sleep(1)
    finally:
        attacker.replies["half requests", 408] += 1
        writer.transport.abort()


@attack_method("streams", 300)
async def streams(attacker: Attacker) -> None:
    """Open a stream from a random version of a long game, or of a game of bots, which play only while watched."""
    table = random.choice([attacker.long_game, *attacker.bot_tables])
    raw = (
        f"GET /api/tables/{table}/stream?after={next(attacker.keys) % 600 << 32} HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {attacker.tokens[next(attacker.keys) % 4]}\r\n\r\n"
    )
    await count_reply(attacker, "streams", attacker.send(raw.encode(), hold_s=5))


@attack_method("messages", 4)
async def messages(attacker: Attacker) -> None:
    """Request the table from a random version on."""
    path = f"/api/tables/{attacker.long_game}?after={next(attacker.keys) % 600 << 32}"
    await count_reply(attacker, "messages", attacker.request("GET", path, attacker.tokens[0]))


@attack_method("history", 4)
async def history(attacker: Attacker) -> None:
    """Request records, replays, proofs and reviews of a long game."""
    what = ("record", "replay", "verify", "review")[next(attacker.keys) % 4]
    await count_reply(
        attacker, what, attacker.request("GET", f"/api/tables/{attacker.long_game}/{what}", attacker.tokens[1])
    )


@attack_method("new guests", 2)
async def new_identities(attacker: Attacker) -> None:
    """Request the page without a cookie, then a token; create a table with four bots of level 5 for each new person."""
    await count_reply(attacker, "page without cookie", attacker.request("GET", "/"))
    status, token = await attacker.request("POST", "/api/token", "", {})
    attacker.replies["tokens", status] += 1
    if status == 200:
        await count_reply(
            attacker, "tables of bots", attacker.request("POST", "/api/tables", json.loads(token)["token"], BOT_GAME)
        )


@attack_method("talk", 2)
async def chat(attacker: Attacker) -> None:
    """Send chat, names, lists and undo requests."""
    token, table = attacker.tokens[next(attacker.keys) % 2], f"/api/tables/{attacker.chat_table}"
    line = {"text": "x" * 200, "idempotency_key": attacker.new_key()}
    await count_reply(attacker, "chat", attacker.request("POST", f"{table}/chat", token, line))
    _, message = await attacker.request("GET", table, token)
    undo = {"n": json.loads(message or b"{}").get("n", 0), "to": 0, "idempotency_key": attacker.new_key()}
    await count_reply(attacker, "undo", attacker.request("POST", f"{table}/undo", token, undo))
    await count_reply(attacker, "names", attacker.request("POST", "/api/me", token, {"name": attacker.new_key()}))
    await count_reply(attacker, "lists", attacker.request("GET", "/api/tables", token))


async def run_attacker(port: int, seconds: float, methods: list[str]) -> None:
    """Run in the attacker's process: prepare, report readiness, wait for a line, attack, and print the replies."""
    attacker = Attacker(port, 0)
    await attacker.prepare()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    attacker.ends_at = time.monotonic() + seconds
    await attacker.attack(methods)
    by_name: dict[str, list[str]] = {}
    for (name, status), number in sorted(attacker.replies.items()):
        by_name.setdefault(name, []).append(f"{number:,} × {status or 'cut off'}")
    for name, found in by_name.items():
        print(f"    {name:20} {', '.join(found)}")


class Attack:
    """The attacker's process."""

    def __init__(self, port: int, seconds: float, methods: str) -> None:
        command = [
            sys.executable,
            str(Path(__file__)),
            "--against",
            str(port),
            "--seconds",
            str(seconds),
            "--ways",
            methods,
        ]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    async def wait_until_ready(self) -> None:
        """Wait until the attacker is prepared."""
        assert self.process.stdout is not None
        await asyncio.to_thread(self.process.stdout.readline)

    def begin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("now\n")
        self.process.stdin.flush()

    async def output(self) -> str:
        """Wait until the attack ends; return its counts of replies."""
        return (await asyncio.to_thread(self.process.communicate))[0]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


async def measure(seconds: float, methods: str) -> None:
    """Measure play without an attack, during one on another server here (which costs CPU time), and under attack."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
        server, other = BenchServer(folder, "--bot-delay", "0.5,1.2"), BenchServer(elsewhere, "--bot-delay", "0.5,1.2")
        attacks = [Attack(other.port, seconds / 2, methods), Attack(server.port, seconds, methods)]
        try:
            for attack in attacks:
                await attack.wait_until_ready()
            load = LoadGenerator(server.port)
            await load.open(20)
            await load.run(seconds / 4, answers_per_s=30)
            print_latency("without an attack", load)
            attacks[0].begin()
            await load.run(seconds / 2, answers_per_s=30)
            print_latency("while another is attacked", load)
            await attacks[0].output()
            other.kill()
            memory, most, spent = server.memory_bytes(), 0, server.cpu_s()
            attacks[1].begin()
            answers = asyncio.create_task(load.run(seconds, answers_per_s=30))
            while not answers.done():
                most = max(most, server.memory_bytes())
                await asyncio.wait([answers], timeout=0.5)
            spent = server.cpu_s() - spent
            print_latency("under attack", load)
            print(
                f"  the server's memory        {memory / 1e6:8.1f} MB before, {(most - memory) / 1e6:+.1f} MB at most (target: 50)"
            )
            print(f"  its CPU time               {spent / seconds:8.2f} of one core")
            print(f"  replies to the attacker:\n{await attacks[1].output()}", end="", flush=True)
            load.close()
        finally:
            for attack in attacks:
                attack.kill()
            for victim in (server, other):
                victim.kill()


def print_latency(when: str, load: LoadGenerator) -> None:
    """Print the time from sending answers to their replies, and reset the times."""
    took = sorted(load.reply_times_s)
    half, most = took[len(took) // 2] * 1000, took[min(len(took) - 1, int(len(took) * 0.99))] * 1000
    print(f"  {when:26} {half:8.1f} ms median, {most:.1f} ms in 99 of 100 (target: 100; {len(took)} answers)")
    load.reply_times_s.clear()


def main() -> None:
    """Run the benchmark (see the module docstring)."""
    parser = argparse.ArgumentParser(description="Measure the server under attack.")
    parser.add_argument("--quick", action="store_true", help="a short run")
    parser.add_argument("--against", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument(
        "--ways",
        default=",".join(ATTACK_METHODS),
        help="some of the ways, separated by commas: " + ", ".join(ATTACK_METHODS),
    )
    given = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if given.against:
        uvloop.run(run_attacker(given.against, given.seconds, given.ways.split(",")))
        return
    print("One address attacks, another plays, over loopback:")
    uvloop.run(measure(10.0 if given.quick else given.seconds, given.ways))


if __name__ == "__main__":
    main()
