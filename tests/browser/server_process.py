"""The server as players run it, except that each test is dealt the same cards in every run.

``python server_process.py SOCKET`` imports everything once. For each line of JSON on this inherited socket, such as
``["FILE", "--port", ...]``, sent with a descriptor for standard output, it forks a server and replies with its process
id.

``FILE`` contains the name of the running test, which determines the cards. ``DIAMONDS_TEST_SEED=7 make test`` deals
others.

If there is also a file with the suffix ``-time``, the server's clocks show the milliseconds in that file.

``DIAMONDS_TEST_LATENCY_MS=300`` delays each reply and each stream message by a random time up to that limit, which
exposes tests that depend on their order.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import os
import random
import signal
import socket
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from diamonds import deals


class SecretsByTest:
    """Secrets derived from the test's name and the number of tables created in it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.table_counts: Counter[str] = Counter()

    def new_secret(self) -> bytes:
        """See `deals.new_secret`."""
        test = self.file.read_text(encoding="utf-8")
        self.table_counts[test] += 1
        return hashlib.sha256(f"{test}, table {self.table_counts[test]}".encode()).digest()

    def secret_of_deal(self, *deal: object) -> bytes:
        """Return the secret of a deal that several tables share."""
        return hashlib.sha256(f"{self.file.read_text(encoding='utf-8')}, {deal}".encode()).digest()


def use_clock_file(path: Path) -> None:
    """Make the server's clocks and the current day follow this file, which is read often."""
    from diamonds import daily_deals
    from diamonds.server import server_time
    from diamonds.server.tables import clock_service

    server_time.wall_ms = server_time.monotonic_ms = lambda: int(path.read_text(encoding="utf-8"))
    daily_deals.current_day = lambda: datetime.fromtimestamp(server_time.wall_ms() / 1000, UTC).date().isoformat()
    clock_service.MAX_TIMER_S = clock_service.HEARTBEAT_INTERVAL_S = 0.05


def delay_replies(max_ms: int) -> None:
    """Delay everything that the server sends by a random time of at most ``max_ms``."""
    from diamonds.server.http.app import DiamondsApp

    real_call = DiamondsApp.__call__

    async def later(self: DiamondsApp, scope: Any, receive: Any, send: Any) -> None:
        async def send_later(message: Any) -> None:
            if message["type"].startswith("http.response") and (message.get("body") or "status" in message):
                await asyncio.sleep(random.random() ** 2 * max_ms / 1000)
            await send(message)

        await real_call(self, scope, receive, send_later)

    DiamondsApp.__call__ = later  # type: ignore[method-assign]


def run_server(file: str, *options: str) -> None:
    from diamonds.server.lobby import challenges, seeks, table_timeouts
    from diamonds.server.main import main
    from diamonds.server.notifications import push_scheduler
    from diamonds.server.tables.daily import DailyDeals
    from diamonds.server.tables.matches import MatchService

    time = Path(file + "-time")
    if time.exists():
        use_clock_file(time)
    secrets = SecretsByTest(Path(file))
    deals.new_secret = secrets.new_secret
    # The real functions derive secrets from the server's key and a guest's id, which are random.
    DailyDeals.secret = lambda self, day, game: secrets.secret_of_deal(day, game)  # type: ignore[method-assign]
    MatchService.secret = lambda self, match, deal: secrets.secret_of_deal("match", deal)  # type: ignore[method-assign]
    if max_delay_ms := int(os.environ.get("DIAMONDS_TEST_LATENCY_MS", "0")):
        delay_replies(max_delay_ms)
    push_scheduler.PUSH_DELAY_MS, push_scheduler.RECHECK_INTERVAL_MS = 0, 100
    # On a busy machine, nobody must lose a seat, a challenge or a seek to a timeout.
    table_timeouts.NO_SHOW_AFTER_MS = 3_600_000
    challenges.CHALLENGE_LIFETIME_S = seeks.DISCONNECT_GRACE_S = seeks.MATCH_SHOWN_S = 3600.0
    main(options)


def serve_fork_requests(control_socket: socket.socket) -> None:
    """Fork a server for each line on the socket, until the other end closes it."""
    from diamonds.server.http.app import DiamondsApp
    from diamonds.server.storage.sqlite import SqliteStore
    from diamonds.server.tables import offered_games

    DiamondsApp(SqliteStore(), b"k" * 32)  # computed once for all servers
    offered_games.warm_up()  # read once for all servers
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that ended servers do not become zombies
    while True:
        request, descriptors, *_ = socket.recv_fds(control_socket, 65536, 1)
        if not request:
            return
        (writes,) = descriptors
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(writes, 1)
            control_socket.close()
            code = 1
            try:
                run_server(*json.loads(request))
                code = 0
            finally:
                sys.stdout.flush()
                os._exit(code)
        os.close(writes)
        control_socket.sendall(f"{child}\n".encode())


if __name__ == "__main__":  # worker processes also import this file
    serve_fork_requests(socket.socket(fileno=int(sys.argv[1])))
