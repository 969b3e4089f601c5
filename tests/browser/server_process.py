"""The server as players run it, but that every test is dealt the same cards each time.

``python server_process.py SOCKET`` imports everything once; each line of JSON that comes through this inherited socket, with a descriptor for what
it writes, then opens a server in a fork of this process, and is answered with its number: ``["FILE", "--port", ...]``.

``FILE`` says which test is running. What a test shows, it then shows in every run, and no rare deal fails it by chance;
``DIAMONDS_TEST_SEED=7 make test`` deals other cards.

If there is a file beside it whose name ends in ``-time``, the clocks go by the milliseconds that it says, and stand still until it says more.

With ``DIAMONDS_TEST_LATENCY_MS=300`` each reply, and each piece of news on a stream, comes up to so many milliseconds later, now more and now less:
whatever a test takes for granted of the order in which they come, then fails.
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
from pathlib import Path
from typing import Any

from diamonds import deals


class SecretsByTest:
    """Secrets that follow from the name of a test, and from how many tables were made in it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.table_counts: Counter[str] = Counter()

    def new_secret(self) -> bytes:
        """See `deals.new_secret`."""
        test = self.file.read_text(encoding="utf-8")
        self.table_counts[test] += 1
        return hashlib.sha256(f"{test}, table {self.table_counts[test]}".encode()).digest()


def use_clock_file(path: Path) -> None:
    """The clocks of the server go by this file; it looks often what it says."""
    from diamonds.server import clock
    from diamonds.server.tables import clock_service

    clock.wall_ms = clock.monotonic_ms = lambda: int(path.read_text(encoding="utf-8"))
    clock_service.MAX_TIMER_S = clock_service.HEARTBEAT_INTERVAL_S = 0.05


def delay_replies(max_ms: int) -> None:
    """What the server sends comes later, by up to so many milliseconds."""
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
    """A server, until it is told to close."""
    from diamonds.server.lobby import challenges, seeks, table_timeouts
    from diamonds.server.main import main
    from diamonds.server.notifications import scheduler

    time = Path(file + "-time")
    if time.exists():
        use_clock_file(time)
    deals.new_secret = SecretsByTest(Path(file)).new_secret
    if max_delay_ms := int(os.environ.get("DIAMONDS_TEST_LATENCY_MS", "0")):
        delay_replies(max_delay_ms)
    scheduler.PUSH_DELAY_MS, scheduler.RECHECK_INTERVAL_MS = 0, 100  # milliseconds
    # Nobody loses their place, nor what they are asked or look for, because the machine is busy.
    table_timeouts.NO_SHOW_AFTER_MS = 3_600_000
    challenges.CHALLENGE_LIFETIME_S = seeks.DISCONNECT_GRACE_S = seeks.MATCH_SHOWN_S = 3600.0
    main(options)


def serve_fork_requests(control_socket: socket.socket) -> None:
    """Open a server for each line that comes, until nobody is there any more who could send one."""
    from diamonds.server.http.app import DiamondsApp
    from diamonds.server.storage.sqlite import SqliteStore
    from diamonds.server.tables import catalog

    DiamondsApp(SqliteStore(), b"k" * 32)  # what is worked out once need not be worked out in every server,
    catalog.warm_up()  # nor be read
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that have closed
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


if __name__ == "__main__":  # for the processes that think read this file too
    serve_fork_requests(socket.socket(fileno=int(sys.argv[1])))
